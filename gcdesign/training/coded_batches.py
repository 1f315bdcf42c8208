"""Training on coded mini-batches: workers see combinations of samples, not samples.

A gradient code combines gradients, of which a worker computes several; here a worker computes one,
of a combination of the K parts' samples and labels. The gradient is no linear function of these,
so what is decoded is approximate.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.computing import BerrutCode
from gcdesign.errors import InputError
from gcdesign.training.rules import Count
from gcdesign.training.scheme import Collector, Decoded, Message, Scheme

if TYPE_CHECKING:
    from gcdesign.training.problems.problem import GradientSource, Problem

Labels = Literal["raw", "clipped"]
"""``"raw"``: as the weights make them, with entries below 0 and above 1. ``"clipped"``: within the
range of the labels, and rows of classes made to sum to 1 again."""

Pairing = Literal["given", "classes"]
"""Which samples of the parts are combined: ``"given"``, those of the same place; ``"classes"``,
sorted by their targets in each part, so that like is combined with like."""


class BerrutScheme(Scheme):
    """Berrut coded computing of the gradient: each worker, one coded part.

    Worker i combines the K parts' samples, row by row, with the weights ℓ_j(β_i), and their labels
    with the same; it sends the gradient of what comes out. From N − S of these the master decodes
    the gradients of all parts and adds them up.

    Parameters
    ----------
    code
        The code.
    stragglers
        Number S of workers that are not waited for.
    labels
        What is done with coded labels.
    pairing
        Which samples are combined.

    Raises
    ------
    InputError
        If S is negative or leaves no worker, or an option is unknown.

    Notes
    -----
    Source: Jahani-Nezhad, Maddah-Ali 2020, the experiments. How they make labels sum to 1 is not
    said; with these weights they do. The error stated for a decoding is the squared error of a
    gradient that is linear in the samples, ‖E_Fᵀv − 1‖²; for others it is no bound.

    Examples
    --------
    >>> scheme = BerrutScheme(BerrutCode(parts=3, workers=3), 1)
    >>> scheme.enough([(2, 0), (0, 0)]), round(float(scheme.decode([(2, 0), (0, 0)]).weights.sum()))
    (True, 3)
    """

    messages = 1
    name = "berrut"

    def __init__(
        self,
        code: BerrutCode,
        stragglers: int,
        *,
        labels: Labels = "raw",
        pairing: Pairing = "given",
    ) -> None:
        if not 0 <= stragglers < code.workers:
            raise InputError(
                f"stragglers={stragglers} with {code.workers} workers; expected 0 to "
                f"{code.workers - 1}"
            )
        for option, value, known in (
            ("labels", labels, ("raw", "clipped")),
            ("pairing", pairing, ("given", "classes")),
        ):
            if value not in known:
                raise InputError(f"{option}={value}; expected {' or '.join(known)}")
        self.berrut, self.labels, self.pairing = code, labels, pairing
        self.workers, self.parts = code.workers, code.parts
        self.shares = np.full((code.workers, 1), 1 / code.parts)
        self.label = f"Berrut (N={code.workers}, K={code.parts}, S={stragglers})"
        self.rule = Count(code.workers - stragglers)

    def settings(self) -> list[object]:
        """Return the degree of the interpolants, and what is combined."""
        return [*super().settings(), self.berrut.degree, self.labels, self.pairing]

    def worker(
        self, problem: Problem, number: int, *, source: GradientSource | None = None
    ) -> BerrutWorker:
        """Return one worker, with the samples of all parts that it combines."""
        if not 0 <= number < self.workers:
            raise InputError(f"worker {number}; expected 0 to {self.workers - 1}")
        return BerrutWorker(problem, self, number)

    def collector(self) -> Collector:
        """Return a collector that counts."""
        return self.rule.collector()

    def enough(self, arrived: Collection[Message]) -> bool:
        """Whether N − S workers have answered."""
        return len(arrived) >= self.rule.needed

    def waits(self, arrivals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return when the last of N − S workers answered, in each step."""
        return self.rule.waits(arrivals[..., 0])

    def decode(self, arrived: Iterable[Message]) -> Decoded:
        """Return the weights of the sum of all parts' decoded gradients."""
        workers = sorted(worker for worker, _ in arrived)
        if not workers:
            return Decoded((), np.zeros(0), float(self.parts))
        weights = self.berrut.decoding(workers).sum(axis=0)
        off = self.berrut.encoding[workers].T @ weights - 1
        return Decoded(tuple((worker, 0) for worker in workers), weights, float(off @ off))


class BerrutWorker:
    """A worker that computes the gradient of its coded batch.

    Parts may differ by a sample in size; then the last ones are left out of the combination, and
    the gradient is scaled to the number of samples of the step.
    """

    def __init__(self, problem: Problem, scheme: BerrutScheme, number: int) -> None:
        self._problem, self._scheme = problem, scheme
        self._weights = scheme.berrut.encoding[number]

    def answer(self, step: int, point: NDArray[np.float64], number: int) -> NDArray[Any]:
        """Return the gradient of the coded samples and labels at a point."""
        features, labels = self.batch(step)
        gradient = self._problem.sum_of_gradients(point, features, labels)
        scale = self._problem.batch_samples / (len(labels) * self._scheme.parts)
        scaled: NDArray[Any] = gradient * scale
        return scaled

    def batch(self, step: int) -> tuple[Any, NDArray[np.float64]]:
        """Return the coded samples and labels of a step."""
        parts = [self._part(step, part) for part in range(self._scheme.parts)]
        size = min(len(targets) for _, targets in parts)
        features: Any = 0
        labels: Any = 0
        for weight, (own, targets) in zip(self._weights.tolist(), parts, strict=True):
            features = features + weight * own[:size]
            labels = labels + weight * targets[:size]
        if self._scheme.labels == "clipped":
            labels = clipped(labels, [targets[:size] for _, targets in parts])
        return features, labels

    def _part(self, step: int, part: int) -> tuple[Any, NDArray[Any]]:
        """Return the samples of one part that the step looks at, and their labels."""
        problem = self._problem
        features, targets = problem.part(part)
        rows = np.arange(len(targets))
        if problem.batches is not None:
            rows = problem.batches.rows(step, part, len(targets))
        if self._scheme.pairing == "classes":
            rows = rows[np.argsort(targets[rows], kind="stable")]
        return features[rows], problem.labels(targets[rows])


def clipped(labels: NDArray[Any], parts: list[NDArray[Any]]) -> NDArray[np.float64]:
    """Return coded labels within the range of the labels that they are made of.

    Rows of weights of classes are brought to the sum 1 again.

    Examples
    --------
    >>> classes = [np.eye(2), np.eye(2)[::-1]]
    >>> clipped(1.25 * classes[0] - 0.25 * classes[1], classes).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    inside: NDArray[np.float64] = np.clip(labels, np.min(parts, axis=0), np.max(parts, axis=0))
    if inside.ndim == 1:
        return inside
    sums = inside.sum(axis=1, keepdims=True)
    return np.where(sums > 0, inside / np.where(sums > 0, sums, 1.0), labels)
