"""A small neural network: one hidden layer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import InputError
from gcdesign.training.problems.problem import Vector
from gcdesign.training.problems.softmax import Softmax


@dataclass(frozen=True, eq=False)
class Network(Softmax):
    """A network with one hidden layer of tanh units, on targets 0 … C − 1.

    The scores are z = Vᵀ(tanh(Wᵀx), 1) and the loss is log Σ_c exp(z_c) − z_y. The parameters are
    W, shape (features, hidden), and V, shape (hidden + 1, C), row after row. Give the features a
    constant 1 where the hidden units are to have one.

    Attributes
    ----------
    hidden
        Number of hidden units.
    seed
        Seed of the parameters that training starts from.

    Raises
    ------
    InputError
        If there is no hidden unit, or as for `Softmax`.

    Examples
    --------
    >>> from gcdesign.training.problems import Data
    >>> problem = Network(Data(np.array([[1.0], [2.0]]), np.array([0, 1])), hidden=3)
    >>> problem.size, problem.gradient(0, problem.start(), 0).shape
    (11, (11,))
    """

    hidden: int = 32
    seed: int = 0

    name = "network"

    def __post_init__(self) -> None:
        if self.hidden < 1:
            raise InputError(f"hidden={self.hidden}; expected 1 or more hidden units")
        super().__post_init__()

    @property
    def size(self) -> int:
        """Number of parameters p."""
        features = int(self.data.features.shape[1])
        return features * self.hidden + (self.hidden + 1) * self.classes

    def start(self) -> Vector:
        """Return random parameters, normal with variance 1 over the inputs of their unit."""
        rng = np.random.default_rng(self.seed)
        features = int(self.data.features.shape[1])
        first = rng.normal(scale=features**-0.5, size=features * self.hidden)
        second = rng.normal(scale=self.hidden**-0.5, size=(self.hidden + 1) * self.classes)
        return np.concatenate([first, second])

    def sum_of_gradients(self, point: Vector, features: Any, targets: NDArray[Any]) -> Vector:
        """Return the sum over samples, by backpropagation."""
        first, second = self._matrices(point)
        units = self._units(first, features)
        residuals = self.residuals(units @ second, targets)
        slopes = residuals @ second[:-1].T
        slopes *= 1 - units[:, :-1] ** 2
        return np.concatenate(
            [np.asarray(features.T @ slopes).ravel(), (units.T @ residuals).ravel()]
        )

    def _scores(self, parameters: Vector, features: Any) -> NDArray[np.float64]:
        first, second = self._matrices(parameters)
        scores: NDArray[np.float64] = self._units(first, features) @ second
        return scores

    def _matrices(self, point: Vector) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        cut = int(self.data.features.shape[1]) * self.hidden
        return point[:cut].reshape(-1, self.hidden), point[cut:].reshape(-1, self.classes)

    def _units(self, first: NDArray[np.float64], features: Any) -> NDArray[np.float64]:
        """Return the hidden units of each sample, and a constant 1."""
        units = np.ones((features.shape[0], self.hidden + 1))
        np.tanh(features @ first, out=units[:, :-1])
        return units
