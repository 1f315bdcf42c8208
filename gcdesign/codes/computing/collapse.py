"""The collapse of Lagrange coding over the reals, beside Berrut's code that has none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gcdesign.codes.computing.berrut import BerrutCode
from gcdesign.codes.computing.functions import Computation, sample_inputs
from gcdesign.codes.computing.lagrange import LagrangeCode
from gcdesign.codes.computing.lebesgue import amplification
from gcdesign.codes.computing.thresholds import recovery_threshold
from gcdesign.errors import InputError

SIZE = 10


@dataclass(frozen=True)
class CollapseRow:
    """Three codes with the same numbers of workers, inputs and sets of stragglers.

    Attributes
    ----------
    parts, workers, stragglers
        K, N and S: Lagrange's threshold is N − S.
    condition
        Condition number of the Vandermonde matrix of the textbook's decoder, median.
    textbook_error, lagrange_error, berrut_error
        Relative errors of the decoded f, median over the sets of stragglers: of Lagrange coding
        with equispaced nodes, decoded by solving a Vandermonde system; of `LagrangeCode` with
        Chebyshev nodes, decoded in Chebyshev's basis; and of Berrut's code.
    lagrange_amplification, berrut_amplification
        How much errors in results are magnified, median.
    """

    parts: int
    workers: int
    stragglers: int
    condition: float
    textbook_error: float
    lagrange_error: float
    berrut_error: float
    lagrange_amplification: float
    berrut_amplification: float


def collapse_table(
    function: Computation,
    *,
    parts: Sequence[int],
    share: float = 0.25,
    dtype: str = "float64",
    trials: int = 20,
    seed: int = 0,
) -> list[CollapseRow]:
    """Measure both codes for growing K, where a share of the workers are missing at random.

    Parameters
    ----------
    function
        A polynomial, for Lagrange coding is for these.
    parts
        The numbers K.
    share
        The share of stragglers; N is the least at which the rest reach Lagrange's threshold.
    dtype
        Type of inputs and results, ``"float32"`` or ``"float64"``.
    trials
        Random sets of stragglers.
    seed
        Seed of inputs and sets.

    Raises
    ------
    InputError
        If f is no polynomial, or a number is out of range.
    """
    if function.degree is None:
        raise InputError(f"{function.text} is no polynomial; Lagrange coding needs one")
    if not 0 <= share < 1 or trials < 1:
        raise InputError(f"share={share:g}, trials={trials}; expected 0 ≤ share < 1 and a trial")
    return [
        _Comparison(function, function.degree, k, share, dtype, seed).row(trials) for k in parts
    ]


class _Comparison:
    """The codes for one K, their inputs and what the workers return."""

    def __init__(
        self, function: Computation, degree: int, parts: int, share: float, dtype: str, seed: int
    ) -> None:
        self.degree, self.needed = degree, recovery_threshold(parts, degree)
        workers = int(np.ceil(self.needed / (1 - share) - 1e-9))
        self.textbook = LagrangeCode(
            parts, workers, part_nodes="equispaced", worker_nodes="equispaced"
        )
        self.lagrange, self.berrut = LagrangeCode(parts, workers), BerrutCode(parts, workers)
        square = function.name == "gram"
        inputs = sample_inputs(parts, SIZE, seed=seed, dtype=dtype, square=square)
        self.truth = function.apply(inputs.astype(np.float64))
        self.returned = [
            function.apply(code.encode(inputs))
            for code in (self.textbook, self.lagrange, self.berrut)
        ]
        self.rng = np.random.default_rng([seed, parts])

    def row(self, trials: int) -> CollapseRow:
        """Return the medians over random sets of stragglers."""
        workers, parts = self.berrut.workers, self.berrut.parts
        rows = [self._one() for _ in range(trials)]
        medians = np.median(np.array(rows), axis=0).tolist()
        return CollapseRow(parts, workers, workers - self.needed, *medians)

    def _one(self) -> tuple[float, ...]:
        kept = np.sort(self.rng.permutation(self.berrut.workers)[: self.needed]).tolist()
        textbook, lagrange, berrut = (
            {worker: values[worker] for worker in kept} for values in self.returned
        )
        vandermonde = np.vander(self.textbook.beta[kept], increasing=True)
        powers = np.vander(self.textbook.alpha, self.needed, increasing=True)
        solved = np.linalg.solve(vandermonde, _flat(textbook))
        return (
            float(np.linalg.cond(vandermonde)),
            self._error((powers @ solved).reshape(self.truth.shape)),
            self._error(self.lagrange.decode(lagrange, degree=self.degree)),
            self._error(self.berrut.decode(berrut)),
            self.lagrange.amplification(kept, self.degree),
            amplification(self.berrut, kept),
        )

    def _error(self, found: Any) -> float:
        difference = np.linalg.norm(found.astype(np.float64) - self.truth)
        return float(difference / np.linalg.norm(self.truth))


def _flat(results: dict[int, Any]) -> Any:
    return np.stack([value.reshape(-1) for value in results.values()])
