"""What a set of stragglers loses, and which of the sets that a search found is the worst."""

from __future__ import annotations

from fractions import Fraction
from math import inf, prod
from typing import Literal

from gcdesign.adversary.results import Extreme, Value
from gcdesign.adversary.running.settings import Watch
from gcdesign.adversary.worst_error.enumeration import Extremes, Ranked, count_sets
from gcdesign.adversary.worst_error.exhaustion import Passing
from gcdesign.codes import GradientCode, decode
from gcdesign.codes.exact import least_squares, whole_rows
from gcdesign.codes.onestep import one_step_error, one_step_weight

Decoder = Literal["optimal", "one-step"]

TOLERANCE = 1e-9
"""An error counts as exact if it is known to within this, times K."""

QUICK_SURVIVORS = 60
"""Number of survivors up to which fractions are as quick as anything."""

FEW_SETS = 16
"""If there are no more sets than this, all are decoded to find the mildest."""


def settled_error(code: GradientCode, workers: tuple[int, ...]) -> Fraction:
    """Return the error of one set in fractions, the weights taken as the floats they are."""
    alive = ~code.placement.mask(workers)
    return least_squares(whole_rows(code.dense_encoding()[alive]))[1]


class Judge:
    """Decodes single sets of stragglers, one code and decoder at a time."""

    def __init__(self, code: GradientCode, decoder: Decoder, watch: Watch) -> None:
        self.slack = TOLERANCE * max(1, code.parts)
        self._code, self._decoder, self._watch = code, decoder, watch

    def measure(self, workers: tuple[int, ...]) -> tuple[Value, float]:
        """Return the error of one set, as a fraction where that is possible, and its tolerance."""
        if self._decoder == "one-step":
            return one_step_error(self._code, self._code.placement.mask(workers)), 0.0
        exact = self._is_quick(workers) or not self._watch.stopped()
        decoding = decode(self._code, workers, exact=exact)
        if decoding.error_exact is not None:
            return decoding.error_exact, 0.0
        return decoding.error, decoding.tolerance

    def settled(self, workers: tuple[int, ...]) -> Fraction | None:
        """Return what `settled_error` does; None where too many workers survive for that."""
        return settled_error(self._code, workers) if self._is_quick(workers) else None

    def _is_quick(self, workers: tuple[int, ...]) -> bool:
        return self._code.workers - len(workers) <= QUICK_SURVIVORS

    def _ceiling(self, workers: tuple[int, ...]) -> float:
        """Return what the error of a set does not exceed: what some weights achieve, in floats."""
        if self._decoder == "one-step" or self._is_quick(workers):
            return inf
        decoding = decode(self._code, workers, exact=False)
        return decoding.error + decoding.tolerance

    def proved(self, workers: tuple[int, ...]) -> tuple[Value, float]:
        """Return what a set proves err_S to be at least: less than its error if that is unsure."""
        error, tolerance = self.measure(workers)
        return (error, tolerance) if tolerance <= self.slack else (max(0, error - tolerance), 0.0)

    def worst(
        self, ranked: Ranked, stragglers: int, *, rest: float | None = None
    ) -> tuple[Extreme, float, float]:
        """Return the worst set of a complete search.

        Parameters
        ----------
        ranked
            The leading sets and the upper ends of their errors; no other set exceeds the last.
        stragglers
            S, the size of all of them.
        rest
            What no other set exceeds, if that is not the last of these upper ends.

        Returns
        -------
        worst, tolerance, gap
            The worst set with its error, the tolerance of that, and how much worse some other
            set could be.
        """
        worst, tolerance, others = Extreme(-1, ()), 0.0, 0.0
        if rest is None:
            rest = 0.0 if self._all_in(ranked, stragglers) else ranked[-1][0]
        for upper, workers in ranked:
            if upper <= worst.value + self.slack and not self._is_open(
                worst.value, stragglers, upper, rest, workers
            ):
                others = max(others, upper)
                break
            ceiling = self._ceiling(workers) if worst.workers else inf
            if ceiling <= worst.value + self.slack:
                others = max(others, ceiling)
                continue
            value, unsure = self.measure(workers)
            if unsure > self.slack:
                others = max(others, min(upper, float(value) + unsure))
                value, unsure = self.proved(workers)
            if value > worst.value:
                worst, tolerance = Extreme(value, workers), unsure
        else:
            others = max(others, rest)
        clear = self._is_clear(worst.value, stragglers, others)
        return worst, tolerance, 0.0 if clear else max(0.0, others - float(worst.value))

    def _is_open(
        self, value: Value, stragglers: int, upper: float, rest: float, workers: tuple[int, ...]
    ) -> bool:
        """Whether decoding a set that is worse by a hair at most, and those after it, settles it.

        ``rest`` is what no set behind them exceeds.
        """
        return (
            not self._is_clear(value, stragglers, upper)
            and self._is_clear(value, stragglers, rest)
            and self._is_quick(workers)
        )

    def _is_clear(self, value: Value, stragglers: int, others: float) -> bool:
        """Whether no set that costs at most ``others`` costs more than ``value``."""
        if others <= 0 or others == inf or isinstance(value, float):
            return others <= value
        gap = Fraction(others) - value
        return gap <= 0 or gap < self._grain(value, stragglers)

    def worst_passing(
        self, reached: Extreme, passing: Passing, stragglers: int
    ) -> tuple[Extreme, float, float]:
        """Return the worst of a set that was known and those that passed a bar, as `worst` does."""
        ranked = ((inf, reached.workers), *passing.ranked, (passing.bar, reached.workers))
        return self.worst(ranked, stragglers, rest=passing.bar)

    def least_passing(self, reached: Extreme, passing: Passing) -> Extreme | None:
        """Return the least harmful of a set that was known and those below a bar, if certain."""
        best = reached
        for lower, workers in passing.ranked:
            if -lower >= best.value - self.slack:
                break
            value, unsure = self.measure(workers)
            if unsure > self.slack:
                return None
            best = min(best, Extreme(value, workers), key=lambda one: one.value)
        return best if -passing.bar >= best.value - self.slack else None

    def least(self, found: Extremes, stragglers: int) -> Extreme | None:
        """Return the least harmful set, if it is certain that there is none milder."""
        workers = found.mildest[0][1]
        value, _ = self.measure(workers)
        if value == 0 or found.least >= value - self.slack:
            return Extreme(value, workers)
        if len(found.mildest) > FEW_SETS or not self._all_in(found.mildest, stragglers):
            return None
        measured = [(*self.measure(workers), workers) for _, workers in found.mildest]
        value, _, workers = min(measured, key=lambda one: one[0])
        clear = max(tolerance for _, tolerance, _ in measured) <= self.slack
        return Extreme(value, workers) if clear else None

    def _all_in(self, ranked: Ranked, stragglers: int) -> bool:
        return count_sets(self._code.workers, stragglers) == len(ranked)

    def _grain(self, value: int | Fraction, stragglers: int) -> Fraction:
        """Return the least that the error of another set of S workers can differ by, if it does.

        An optimal error is a fraction over the determinant of the Gram matrix of independent
        survivors, which is at most the product of their loads; a one-step error is one over the
        square of ρ's denominator. Fractions differ by 1 over a common denominator or more.
        """
        if self._decoder == "one-step":
            return Fraction(1, one_step_weight(self._code, stragglers).denominator ** 2)
        rank = min(self._code.workers - stragglers, self._code.parts)
        loads = sorted(self._code.placement.loads.tolist())[-rank:] if rank else []
        return Fraction(1, Fraction(value).denominator * prod(max(1, load) for load in loads))
