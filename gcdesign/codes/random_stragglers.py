"""Expected errors under random stragglers: exact where that is possible, else with an interval.

In this order: a closed form; all sets, in fractions, where they are few; what an exact code was
made for; Monte Carlo with a seed. The interval of a Monte Carlo mean is the empirical Bernstein
bound, which holds for every number of trials and every distribution on [0, K]: also where no
trial saw a loss.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes import expectation
from gcdesign.codes.code import GradientCode
from gcdesign.codes.decoding import DecoderName, check_decoder, decode
from gcdesign.codes.onestep import one_step_weight, require_zero_one
from gcdesign.codes.straggling import Independent, Racks, Uniform
from gcdesign.codes.trials import OrderErrors
from gcdesign.errors import InputError

BATCH_ENTRIES = 1_000_000
"""Entries of the orders that are drawn at once."""

CHECKED_SETS = 12
"""Sets whose error is also found by least squares, to see what the trials' rounding does."""

CHECKED_STEPS = 40_000_000
"""N³ for each of those sets, where there are many numbers of stragglers to check."""

Watch = Callable[[int], bool]
"""Told the number of trials that are done; True ends them."""


@dataclass(frozen=True)
class Expectation:
    """An expected error under random stragglers, and how well it is known.

    Attributes
    ----------
    stragglers
        S; None where the number of stragglers is random.
    value
        The mean: a fraction if exact, else a float.
    lower, upper
        What it lies between: both the value if exact, up to the tolerance of floats for codes
        with real weights; else an interval that holds it with the probability ``confidence``.
    status
        ``"exact"`` or ``"estimate"``.
    method
        How it was found.
    trials
        Number of sets tried; 0 for a closed form.
    confidence
        The probability that the interval holds the mean, over the random choices; 1 if exact.
    deviation
        Standard error of the mean; 0 if exact.
    """

    stragglers: int | None
    value: Fraction | float
    lower: Fraction | float
    upper: Fraction | float
    status: str
    method: str
    trials: int
    confidence: float
    deviation: float


@dataclass(frozen=True)
class Sampling:
    """How a Monte Carlo mean is found.

    Attributes
    ----------
    trials
        Number of random sets, or orders.
    seed
        Seed of the random choices.
    confidence
        Of the intervals, each for itself.
    watch
        Told of the progress, and may end the trials early.

    Raises
    ------
    InputError
        If a value is out of its domain.
    """

    trials: int = 10_000
    seed: int = 0
    confidence: float = 0.95
    watch: Watch | None = None

    def __post_init__(self) -> None:
        if self.trials < 2:
            raise InputError(f"trials={self.trials}; expected 2 or more")
        if not 0 < self.confidence < 1:
            raise InputError(f"confidence={self.confidence}; expected more than 0 and less than 1")
        if self.seed < 0:
            raise InputError(f"seed={self.seed}; expected 0 or more")


def expected_error(
    code: GradientCode,
    stragglers: int,
    *,
    racks: Racks | None = None,
    decoder: DecoderName = "optimal",
    sampling: Sampling | None = None,
) -> Expectation:
    """Return the mean squared error of S random stragglers.

    Parameters
    ----------
    code
        The gradient code.
    stragglers
        Number of stragglers S, 0 ≤ S ≤ N.
    racks
        By default all sets of S workers are equally likely; with racks, whole racks are silent.
    decoder
        ``"optimal"``, or ``"one-step"`` for 0/1 codes.
    sampling
        Trials, seed and confidence, where neither a formula nor all sets give the mean.

    Raises
    ------
    InputError
        If S, the racks or the decoder do not fit the code.

    Notes
    -----
    Source: Charles, Papailiopoulos, Ellenberg 2017, for fractional repetition; the interval is
    that of Audibert, Munos, Szepesvári 2009, Theorem 1.

    Examples
    --------
    >>> from gcdesign.codes import load_code
    >>> expected_error(load_code("frc:workers=6,stragglers=1"), 3).value
    Fraction(6, 5)
    """
    if not 0 <= operator.index(stragglers) <= code.workers:
        raise InputError(f"stragglers={stragglers}; expected 0 to N={code.workers} workers")
    _check(code, racks or Uniform(code.workers), decoder)
    exact = _exactly(code, int(stragglers), racks, decoder)
    if exact is not None:
        return exact
    found = _means(code, racks or Uniform(code.workers), decoder, sampling or Sampling())
    return found[int(stragglers)]


def expected_error_profile(
    code: GradientCode,
    *,
    racks: Racks | None = None,
    decoder: DecoderName = "optimal",
    sampling: Sampling | None = None,
) -> tuple[Expectation, ...]:
    """Return the mean squared errors for all S = 0 … N, each as `expected_error` does.

    The trials are the same for all S: random orders in which the workers fall silent.

    Examples
    --------
    >>> from gcdesign.codes import load_code
    >>> profile = expected_error_profile(load_code("frc:workers=4,stragglers=1"))
    >>> [str(mean.value) for mean in profile]
    ['0', '0', '2/3', '2', '4']
    """
    _check(code, racks or Uniform(code.workers), decoder)
    found = [_exactly(code, s, racks, decoder) for s in range(code.workers + 1)]
    if all(found):
        return tuple(mean for mean in found if mean is not None)
    means = _means(code, racks or Uniform(code.workers), decoder, sampling or Sampling())
    return tuple(exact or mean for exact, mean in zip(found, means, strict=True))


def expected_error_independent(
    code: GradientCode,
    model: Independent,
    *,
    decoder: DecoderName = "optimal",
    sampling: Sampling | None = None,
) -> Expectation:
    """Return the mean squared error when each worker is silent by itself.

    Examples
    --------
    >>> from gcdesign.codes import load_code
    >>> code = load_code("frc:workers=4,stragglers=1")
    >>> expected_error_independent(code, Independent.alike(4, Fraction(1, 10))).value
    Fraction(1, 25)
    """
    sampling = sampling or Sampling()
    _check(code, model, decoder)
    exact = expectation.independent(code, model, decoder)
    if exact is not None:
        return _exact(None, *exact)
    along = OrderErrors(code, decoder)
    tally = _Tally(1)
    rng = np.random.default_rng(sampling.seed)
    while left := tally.left(sampling):
        orders, sizes = model.draw(rng, _batch(code, left))
        tally.add(np.take_along_axis(along.errors(orders), sizes[:, None], axis=1))
    orders, sizes = model.draw(rng, CHECKED_SETS)
    off = _rounding(code, along, orders, sizes)
    return tally.means(sampling, _range(code, decoder), np.array([off]), (None,))[0]


def _check(code: GradientCode, model: Uniform | Racks | Independent, decoder: DecoderName) -> None:
    check_decoder(decoder)
    if decoder not in ("optimal", "one-step"):
        raise InputError(f"decoder={decoder!r}; expected optimal or one-step for expected errors")
    if decoder == "one-step":
        require_zero_one(code)
    if model.workers != code.workers:
        raise InputError(
            f"a model of {model.workers} workers for a code of {code.workers}; expected as many"
        )


def _exact(
    stragglers: int | None, value: Fraction | float, method: str, tolerance: float
) -> Expectation:
    lower = max(0.0, value - tolerance) if tolerance else value
    upper = value + tolerance if tolerance else value
    return Expectation(stragglers, value, lower, upper, "exact", method, 0, 1.0, 0.0)


def _exactly(
    code: GradientCode, stragglers: int, racks: Racks | None, decoder: DecoderName
) -> Expectation | None:
    """Return the mean from a closed form or from all sets, or None."""
    found, model = None, racks or Uniform(code.workers)
    if racks is None:
        found = expectation.uniform(code, stragglers, decoder)
    found = found or expectation.of_all_sets(code, model, stragglers, decoder)
    if found is None and code.promises(stragglers):
        found = _promised(code, model, stragglers)
    return None if found is None else _exact(stragglers, *found)


def _promised(
    code: GradientCode, model: Uniform | Racks, stragglers: int
) -> tuple[float, str, float]:
    """Return what is left of a code that was made to lose nothing: rounding, on a few sets."""
    sets = max(1, min(CHECKED_SETS, CHECKED_STEPS // max(1, code.workers) ** 3))
    orders = model.orders(np.random.default_rng(stragglers), sets)
    found = [decode(code, order[:stragglers], exact=False) for order in orders]
    rounding = max(decoding.error + decoding.tolerance for decoding in found)
    mean = sum(decoding.error for decoding in found) / sets
    method = f"made for {code.tolerates} stragglers; rounding seen on {sets} sets"
    return mean, method, rounding + expectation.SUM_ROUNDING * code.parts


def _batch(code: GradientCode, left: int) -> int:
    return min(left, max(1, BATCH_ENTRIES // max(1, code.workers)))


def _means(
    code: GradientCode, model: Uniform | Racks, decoder: DecoderName, sampling: Sampling
) -> tuple[Expectation, ...]:
    """Return the Monte Carlo means for all S at once."""
    along = OrderErrors(code, decoder)
    tally = _Tally(code.workers + 1)
    rng = np.random.default_rng(sampling.seed)
    while left := tally.left(sampling):
        tally.add(along.errors(model.orders(rng, _batch(code, left))))
    sizes = np.linspace(0, code.workers, CHECKED_SETS).astype(np.int64)
    off = _rounding(code, along, model.orders(rng, CHECKED_SETS), sizes)
    offs = np.full(code.workers + 1, off)
    names = tuple(range(code.workers + 1))
    return tally.means(sampling, _range(code, decoder), offs, names)


def _rounding(
    code: GradientCode, along: OrderErrors, orders: NDArray[np.int64], sizes: NDArray[np.int64]
) -> float:
    """Return by how much the trials' errors are off, at most, on a few sets."""
    if not along.rounds:
        return 0.0
    found = np.take_along_axis(along.errors(orders), sizes[:, None], axis=1)[:, 0]
    off = 0.0
    for order, size, error in zip(orders, sizes.tolist(), found.tolist(), strict=True):
        decoding = decode(code, order[:size], exact=False)
        off = max(off, abs(decoding.error - error))
    return off


def _range(code: GradientCode, decoder: DecoderName) -> NDArray[np.float64]:
    """Return what the error does not exceed, for each S: K, but for one-step decoding."""
    if decoder == "optimal":
        return np.full(code.workers + 1, float(code.parts))
    holders = code.placement.replications
    worst = []
    for stragglers in range(code.workers + 1):
        weight = float(one_step_weight(code, stragglers))
        most = np.minimum(holders, code.workers - stragglers)
        worst.append(float(np.maximum(1.0, (weight * most - 1) ** 2).sum()))
    return np.array(worst)


class _Tally:
    """Running means and squares of the errors, one column for each mean."""

    def __init__(self, columns: int) -> None:
        self._trials = 0
        self._mean, self._squares = np.zeros(columns), np.zeros(columns)

    def left(self, sampling: Sampling) -> int:
        """Return the number of trials still to do; 0 if the watch ends them."""
        if self._trials >= 2 and sampling.watch is not None and sampling.watch(self._trials):
            return 0
        return sampling.trials - self._trials

    def add(self, errors: NDArray[np.float64]) -> None:
        """Take in a batch (Chan, Golub, LeVeque 1983)."""
        count, mean = len(errors), errors.mean(axis=0)
        total = self._trials + count
        away = mean - self._mean
        self._squares += ((errors - mean) ** 2).sum(axis=0)
        self._squares += away**2 * (self._trials * count / total)
        self._mean += away * (count / total)
        self._trials = total

    def means(
        self,
        sampling: Sampling,
        most: NDArray[np.float64],
        offs: NDArray[np.float64],
        names: tuple[int | None, ...],
    ) -> tuple[Expectation, ...]:
        """Return the means with their empirical Bernstein intervals, widened by the rounding."""
        trials, mean = self._trials, self._mean
        if len(mean) == 1:
            most = most.max(keepdims=True)
        variance = self._squares / trials
        chance = log(3 / (1 - sampling.confidence)) / trials
        half = np.sqrt(2 * variance * chance) + 3 * most * chance + offs
        lower, upper = np.maximum(mean - half, 0.0), np.minimum(mean + half, most)
        return tuple(
            Expectation(
                name,
                float(mean[i]),
                float(lower[i]),
                float(upper[i]),
                "estimate",
                f"Monte Carlo, {trials} trials",
                trials,
                sampling.confidence,
                sqrt(float(variance[i]) / trials),
            )
            for i, name in enumerate(names)
        )
