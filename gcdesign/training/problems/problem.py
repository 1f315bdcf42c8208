"""What training is about: a mean loss over samples, whose gradient is a sum over K parts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import InputError
from gcdesign.training.vectors import add_scaled

Vector = NDArray[np.float64]


class GradientSource(Protocol):
    """Whatever gives combinations of the gradients of parts."""

    def combination(
        self, step: int, point: Vector, parts: NDArray[np.int64], weights: NDArray[Any]
    ) -> NDArray[Any]:
        """Return Σ_j weights_j × (gradient of parts_j at the point)."""
        ...


@dataclass(frozen=True, eq=False)
class Data:
    """Samples: features, shape (d, p), dense or scipy-sparse, and targets, shape (d,).

    Raises
    ------
    InputError
        If the shapes do not fit, or a number is not finite.
    """

    features: Any
    targets: NDArray[Any]

    def __post_init__(self) -> None:
        object.__setattr__(self, "features", _floats(self.features))
        object.__setattr__(self, "targets", np.asarray(self.targets))
        if self.targets.dtype.kind not in "biuf":
            raise InputError(f"targets of type {self.targets.dtype}; expected numbers")
        if self.features.ndim != 2 or self.targets.shape != (self.features.shape[0],):
            raise InputError(
                f"features of shape {self.features.shape} and targets of shape "
                f"{self.targets.shape}; expected d × p numbers and d targets"
            )
        if not self.features.shape[0]:
            raise InputError("there are no samples; expected one at least")
        if not self.features.shape[1]:
            raise InputError("the samples have no features; expected one at least")
        if not all(np.isfinite(values).all() for values in (self._values[0], self.targets)):
            raise InputError("the data hold NaN or infinity; expected finite numbers")

    @property
    def samples(self) -> int:
        """Number of samples d."""
        return int(self.features.shape[0])

    @property
    def _values(self) -> tuple[NDArray[Any], ...]:
        """The arrays that hold the features, the numbers first."""
        if isinstance(self.features, np.ndarray):
            return (self.features,)
        return self.features.data, self.features.indices, self.features.indptr

    @cached_property
    def digest(self) -> str:
        """A hash of all numbers, to tell other data from the same."""
        found = blake2b(repr(self.features.shape).encode(), digest_size=16)
        for values in (*self._values, self.targets):
            found.update(np.ascontiguousarray(values).data)
        return found.hexdigest()


def _floats(features: Any) -> Any:
    """Return features as a float array, or as a CSR array, whatever they were."""
    sparse = hasattr(features, "tocsr")
    array = features if sparse else np.asarray(features)
    if array.dtype.kind not in "biuf":
        raise InputError(f"features of type {array.dtype}; expected real numbers")
    if sparse:
        from scipy.sparse import csr_array

        return csr_array(features, dtype=np.float64)
    return array if array.dtype.kind == "f" else array.astype(np.float64)


@dataclass(frozen=True)
class Batches:
    """A random batch of each part in each step, the same for every worker that holds the part.

    Attributes
    ----------
    fraction
        The share of a part's samples in a batch, above 0 and at most 1.
    seed
        Seed of the draws.
    """

    fraction: float
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.fraction <= 1:
            raise InputError(f"batch={self.fraction}; expected more than 0 and at most 1")

    def size(self, samples: int) -> int:
        """Return the number of samples that a batch of a part of so many samples has."""
        return int(np.ceil(self.fraction * samples))

    def rows(self, step: int, part: int, samples: int) -> NDArray[np.int64]:
        """Return the samples of the batch, in increasing order."""
        rng = np.random.default_rng([self.seed, step, part])
        return np.sort(rng.choice(samples, self.size(samples), replace=False))


@dataclass(frozen=True, eq=False)
class Problem(ABC):
    """Minimise (1/d) Σ_i loss_i(w) + l2·‖w‖² over w, the d samples cut into K parts.

    A part is a run of samples; sizes differ by one at most. Gradients of parts are sums over
    their samples, so that the K of them add up to d times the gradient of the mean.

    Attributes
    ----------
    data
        The samples to learn from.
    test
        Samples to judge the model by; None for none.
    parts
        K.
    l2
        The weight of the penalty ‖w‖².
    batches
        The mini-batches; None for all samples in every step.
    """

    data: Data
    test: Data | None = None
    parts: int = 1
    l2: float = 0.0
    batches: Batches | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.parts <= self.data.samples:
            raise InputError(
                f"{self.data.samples} samples for {self.parts} parts; expected one for each at "
                "least"
            )
        if self.test is not None and self.test.features.shape[1] != self.data.features.shape[1]:
            raise InputError(
                f"test samples of {self.test.features.shape[1]} features; those to learn from have "
                f"{self.data.features.shape[1]}"
            )
        if not (np.isfinite(self.l2) and self.l2 >= 0):
            raise InputError(f"l2={self.l2}; expected 0 or more")

    name = "problem"

    @property
    def size(self) -> int:
        """Number of parameters p."""
        return int(self.data.features.shape[1])

    def split(self, parts: int) -> Self:
        """Return the same problem with its samples cut into so many parts."""
        return replace(self, parts=parts)

    def start(self) -> Vector:
        """Return the parameters that training starts from, shape (p,): zeros, if not overridden."""
        return np.zeros(self.size)

    def labels(self, targets: NDArray[Any]) -> NDArray[Any]:
        """Return targets in a form that can be combined linearly, and learnt from as they are.

        The numbers themselves, shape (n,); of classes, rows with a 1, shape (n, C).
        """
        return targets

    @cached_property
    def bounds(self) -> list[int]:
        """The K + 1 ends of the parts: part j is the samples from bounds[j] to bounds[j + 1]."""
        return [self.data.samples * part // self.parts for part in range(self.parts + 1)]

    @cached_property
    def batch_samples(self) -> int:
        """Number of samples that one step looks at."""
        if self.batches is None:
            return self.data.samples
        return sum(map(self.batches.size, np.diff(self.bounds).tolist()))

    @cached_property
    def _cut(self) -> dict[int, tuple[Any, NDArray[Any]]]:
        return {}

    def part(self, part: int) -> tuple[Any, NDArray[Any]]:
        """Return the features and the targets of one part: views of dense data, cut once."""
        if part not in self._cut:
            own = slice(self.bounds[part], self.bounds[part + 1])
            self._cut[part] = (self.data.features[own], self.data.targets[own])
        return self._cut[part]

    def gradient(self, step: int, point: Vector, part: int) -> Vector:
        """Return the gradient of one part's samples, summed, without the penalty.

        With mini-batches, of the samples of the part that this step looks at.
        """
        features, targets = self.part(part)
        if self.batches is not None:
            rows = self.batches.rows(step, part, len(targets))
            features, targets = features[rows], targets[rows]
        return self.sum_of_gradients(point, features, targets)

    def combination(
        self, step: int, point: Vector, parts: NDArray[np.int64], weights: NDArray[Any]
    ) -> NDArray[Any]:
        """Return Σ_j weights_j × (gradient of parts_j at the point)."""
        total = np.zeros(self.size, np.result_type(weights, np.float64))
        for part, weight in zip(parts.tolist(), weights.tolist(), strict=True):
            add_scaled(total, self.gradient(step, point, part), weight)
        return total

    def mean_gradient(self, total: Vector, point: Vector) -> Vector:
        """Return the gradient of the whole objective from the sum over the samples of a step."""
        gradient = total / self.batch_samples
        add_scaled(gradient, point, 2 * self.l2)
        return gradient

    def loss(self, parameters: Vector) -> float:
        """Return the objective: the mean loss over all samples, and the penalty."""
        mean = self.mean_loss(parameters, self.data)
        return mean + self.l2 * float(parameters @ parameters)

    @abstractmethod
    def sum_of_gradients(self, point: Vector, features: Any, targets: NDArray[Any]) -> Vector:
        """Return the sum of the gradients of some samples' losses, shape (p,).

        Parameters
        ----------
        point
            The parameters.
        features
            Shape (n, features).
        targets
            Shape (n,), or combinations of `labels`.
        """

    @abstractmethod
    def mean_loss(self, parameters: Vector, data: Data) -> float:
        """Return the mean loss of samples, without the penalty."""

    @abstractmethod
    def metrics(self, parameters: Vector, data: Data) -> dict[str, float]:
        """Return what a model is judged by on samples, such as ``{"auc": 0.9}``."""


class SharedGradients:
    """The gradients of parts, each worked out once in a step, for all workers of a simulation.

    What a worker sends is the same as if it had done the work itself.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._step = -1
        self._point: Vector | None = None
        self._known: dict[int, Vector] = {}

    def combination(
        self, step: int, point: Vector, parts: NDArray[np.int64], weights: NDArray[Any]
    ) -> NDArray[Any]:
        """Return Σ_j weights_j × (gradient of parts_j at the point)."""
        if step != self._step or point is not self._point:
            self._step, self._point = step, point
            self._known.clear()
        total = np.zeros(self._problem.size, np.result_type(weights, np.float64))
        for part, weight in zip(parts.tolist(), weights.tolist(), strict=True):
            if part not in self._known:
                self._known[part] = self._problem.gradient(step, point, part)
            add_scaled(total, self._known[part], weight)
        return total
