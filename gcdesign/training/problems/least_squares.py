"""Least squares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.training.problems.problem import Data, Problem, Vector


@dataclass(frozen=True, eq=False)
class LeastSquares(Problem):
    """Least squares: loss ½(x·w − y)², whose gradient is x(x·w − y).

    Examples
    --------
    >>> problem = LeastSquares(Data(np.array([[1.0], [2.0]]), np.array([1.0, 3.0])))
    >>> problem.gradient(0, np.zeros(1), 0), problem.loss(np.zeros(1))
    (array([-7.]), 2.5)
    """

    name = "least-squares"

    def sum_of_gradients(self, point: Vector, features: Any, targets: NDArray[Any]) -> Vector:
        """Return Σ x (x·w − y)."""
        gradient: Vector = features.T @ (features @ point - targets)
        return gradient

    def mean_loss(self, parameters: Vector, data: Data) -> float:
        """Return half the mean squared residual."""
        return float(np.mean((data.features @ parameters - data.targets) ** 2)) / 2

    def metrics(self, parameters: Vector, data: Data) -> dict[str, float]:
        """Return the root mean squared error, and R² where the targets differ."""
        squared = float(np.mean((data.features @ parameters - data.targets) ** 2))
        spread = float(np.var(data.targets))
        scores = {"rmse": squared**0.5}
        return scores | ({"r2": 1 - squared / spread} if spread else {})
