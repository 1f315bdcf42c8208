"""Softmax regression: several classes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import InputError
from gcdesign.training.problems.problem import Data, Problem, Vector


@dataclass(frozen=True, eq=False)
class Softmax(Problem):
    """Softmax regression on targets 0 … C − 1: loss log Σ_c exp(z_c) − z_y with z = xᵀW.

    The parameters are W, shape (features, C), row after row.

    Raises
    ------
    InputError
        If a target is no whole number from 0 on, or all are the same class.

    Examples
    --------
    >>> problem = Softmax(Data(np.array([[1.0], [2.0]]), np.array([0, 2])))
    >>> problem.size, round(problem.loss(np.zeros(3)), 6)
    (3, 1.098612)
    """

    name = "softmax"

    def __post_init__(self) -> None:
        super().__post_init__()
        for data in (self.data, self.test):
            if data is not None and not (np.mod(data.targets, 1) == 0).all():
                raise InputError("targets of softmax regression are whole numbers 0, 1, …")
            if data is not None and data.targets.min() < 0:
                raise InputError(f"target {data.targets.min()}; expected classes 0, 1, …")
        if self.classes < 2:
            raise InputError("all targets are 0; expected two classes at least")

    @cached_property
    def classes(self) -> int:
        """Number of classes C."""
        targets = [data.targets.max() for data in (self.data, self.test) if data is not None]
        return int(max(targets)) + 1

    @property
    def size(self) -> int:
        """Number of parameters p = features × C."""
        return int(self.data.features.shape[1]) * self.classes

    def _scores(self, parameters: Vector, features: Any) -> NDArray[np.float64]:
        scores: NDArray[np.float64] = features @ parameters.reshape(-1, self.classes)
        return scores

    def labels(self, targets: NDArray[Any]) -> NDArray[np.float64]:
        """Return a row for each sample with a 1 at its class, shape (n, C)."""
        rows = np.zeros((len(targets), self.classes))
        rows[np.arange(len(targets)), targets.astype(np.int64)] = 1.0
        return rows

    def sum_of_gradients(self, point: Vector, features: Any, targets: NDArray[Any]) -> Vector:
        """Return Σ x (softmax(z) − e_y)ᵀ, row after row, with rows of weights in place of e_y."""
        residuals = self.residuals(self._scores(point, features), targets)
        gradient: Vector = np.asarray(features.T @ residuals).ravel()
        return gradient

    def residuals(self, scores: NDArray[np.float64], targets: NDArray[Any]) -> NDArray[np.float64]:
        """Turn scores z into the gradients of the losses by them, and return these.

        For a class y that is softmax(z) − e_y, for a row of weights (Σ_c y_c) softmax(z) − y.
        """
        scores -= scores.max(axis=1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=1, keepdims=True)
        if targets.ndim == 2:
            scores *= targets.sum(axis=1, keepdims=True)
            scores -= targets
        else:
            scores[np.arange(len(targets)), targets.astype(np.int64)] -= 1
        return scores

    def mean_loss(self, parameters: Vector, data: Data) -> float:
        """Return the mean cross-entropy."""
        scores = self._scores(parameters, data.features)
        top = scores.max(axis=1)
        total = top + np.log(np.exp(scores - top[:, None]).sum(axis=1))
        own = scores[np.arange(len(scores)), data.targets.astype(np.int64)]
        return float(np.mean(total - own))

    def metrics(self, parameters: Vector, data: Data) -> dict[str, float]:
        """Return the share of right answers."""
        guesses = self._scores(parameters, data.features).argmax(axis=1)
        return {"accuracy": float((guesses == data.targets).mean())}
