"""Logistic regression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import InputError
from gcdesign.training.problems.problem import Data, Problem, Vector
from gcdesign.training.problems.scores import auc


@dataclass(frozen=True, eq=False)
class Logistic(Problem):
    """Logistic regression: loss log(1 + exp(−z)) or log(1 + exp(z)), z = x·w, for targets 1 and 0.

    Raises
    ------
    InputError
        If a target is neither 0 nor 1.

    Examples
    --------
    >>> problem = Logistic(Data(np.array([[1.0], [2.0]]), np.array([0.0, 1.0])))
    >>> problem.gradient(0, np.zeros(1), 0), round(problem.loss(np.zeros(1)), 6)
    (array([-0.5]), 0.693147)
    """

    name = "logistic"

    def __post_init__(self) -> None:
        super().__post_init__()
        for data in (self.data, self.test):
            if data is not None and not np.isin(data.targets, (0, 1)).all():
                wrong = data.targets[~np.isin(data.targets, (0, 1))][0]
                raise InputError(
                    f"a target {wrong:g}; those of logistic regression are 0 and 1; take softmax "
                    "for more classes, least-squares for numbers"
                )

    def sum_of_gradients(self, point: Vector, features: Any, targets: NDArray[Any]) -> Vector:
        """Return Σ x (σ(x·w) − y)."""
        from scipy.special import expit

        gradient: Vector = features.T @ (expit(features @ point) - targets)
        return gradient

    def mean_loss(self, parameters: Vector, data: Data) -> float:
        """Return the mean of log(1 + exp(z)) − y z."""
        scores = data.features @ parameters
        return float(np.mean(np.logaddexp(0.0, scores) - data.targets * scores))

    def metrics(self, parameters: Vector, data: Data) -> dict[str, float]:
        """Return the area under the ROC curve and the share of right answers."""
        scores = data.features @ parameters
        right = (scores > 0) == (data.targets > 0)
        return {"auc": auc(scores, data.targets > 0), "accuracy": float(right.mean())}
