"""How long a master waits: the mean of the time at which the m-th of N workers is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import exp, inf

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.times.laws import Exponential, Pareto, ShiftedExponential
from gcdesign.codes.times.load import LoadTime
from gcdesign.errors import InputError, LimitError

Floats = NDArray[np.float64]

MAX_WORKERS = 20_000
MAX_STEPS = 200_000
"""Greatest number of different times at which workers with recorded times can be done."""

RELATIVE = 1e-9
"""Tolerance of each piece of the integral; the integrand is good to about 1e-13."""


@dataclass(frozen=True)
class Wait:
    """A mean waiting time.

    Attributes
    ----------
    value
        The mean; ``inf`` where it does not exist.
    tolerance
        What the value may be off by: the integrator's own estimate, or rounding for a closed form.
    method
        ``"closed form"``, ``"finite sum"`` or ``"integral"``.
    """

    value: float
    tolerance: float
    method: str


def expected_wait(time: LoadTime, loads: Sequence[int], needed: int) -> Wait:
    """Return the mean time until ``needed`` of the workers are done, all independent.

    With exponential times and equal loads L it is (L/μ)(H_N − H_{N−m}) for N workers and m
    needed: Horii et al. 2019 use it for Reed–Solomon codes. Every other mean is the integral of
    the probability that fewer than m workers are done.

    Parameters
    ----------
    time
        The time of a worker, by its load.
    loads
        The load of each of the N workers.
    needed
        How many must be done, from 0 to N.

    Raises
    ------
    InputError
        If ``needed`` is not from 0 to N, or a load is negative.
    LimitError
        If the workers are too many.

    Examples
    --------
    >>> from gcdesign.codes.times.laws import Exponential
    >>> round(expected_wait(LoadTime(Exponential(rate=1)), [2] * 240, 239).value, 4)
    10.1199
    """
    if not 0 <= needed <= len(loads):
        raise InputError(f"needed={needed}; expected 0 to {len(loads)}, the number of workers")
    if any(load < 0 for load in loads):
        raise InputError(f"load {min(loads)}; expected 0 or more")
    if len(loads) > MAX_WORKERS:
        raise LimitError(f"{len(loads)} workers; expected {MAX_WORKERS} at most")
    idle = sum(load == 0 for load in loads)
    if needed <= idle:
        return Wait(0.0, 0.0, "closed form")
    groups = Counter(load for load in loads if load)
    return _wait(time, groups, needed - idle)


def _wait(time: LoadTime, groups: Counter[int], needed: int) -> Wait:
    """Return the mean for workers that all hold something, and one at least that is needed."""
    workers = sum(groups.values())
    if isinstance(time.law, Pareto) and time.law.shape * (workers - needed + 1) <= 1:
        return Wait(inf, 0.0, "closed form")
    if len(groups) == 1 and isinstance(time.law, Exponential | ShiftedExponential):
        (load,) = groups
        harmonic = sum(Fraction(1, i) for i in range(workers - needed + 1, workers + 1))
        shift = time.law.shift if isinstance(time.law, ShiftedExponential) else 0.0
        value = float(time.stretch(shift + float(harmonic) / time.law.rate, load))
        return Wait(value, value * 1e-15, "closed form")
    steps = time.law.steps
    return _integral(time, groups, needed) if steps is None else _sum(time, groups, needed, steps)


def too_few(time: LoadTime, groups: Counter[int], needed: int, t: float) -> float:
    """Return the probability that fewer than ``needed`` workers are done at a time.

    It is found from the probabilities of being late, so that it stays good to many digits far
    out in the tail.
    """
    from scipy.stats import binom

    most = sum(groups.values()) - needed
    late = {load: float(time.late(t, load)) for load in groups}
    if len(groups) == 1:
        ((load, count),) = groups.items()
        return float(binom.sf(most, count, late[load]))
    counts = np.ones(1)
    for load, count in groups.items():
        counts = np.convolve(counts, binom.pmf(np.arange(count + 1), count, late[load]))
    return min(float(counts[most + 1 :].sum()), 1.0)


def _sum(time: LoadTime, groups: Counter[int], needed: int, steps: Floats) -> Wait:
    """Sum over the times at which anybody can be done; between them nothing changes."""
    if steps.size * len(groups) > MAX_STEPS:
        raise LimitError(f"{steps.size} recorded times for {len(groups)} loads; give fewer")
    times = np.unique([time.stretch(steps, load) for load in groups])
    before = np.concatenate([[0.0], times[:-1]])
    # Half way, so that rounding in work·L + L·X does not put a time on the wrong side of a step.
    middles = ((before + times) / 2).tolist()
    chances = np.array([too_few(time, groups, needed, t) for t in middles])
    value = float((chances * (times - before)).sum())
    return Wait(value, value * 1e-12, "finite sum")


def _integral(time: LoadTime, groups: Counter[int], needed: int) -> Wait:
    """Integrate piece by piece between quantiles; far out, over the logarithm of the time."""
    from scipy.integrate import quad

    earliest = np.sort([float(time.quantile(0.0, load)) for load in groups.elements()])
    start = float(earliest[needed - 1])
    shares = np.concatenate([2.0 ** np.arange(-30, 0), 1 - 2.0 ** np.arange(-2, -31, -1)])
    cuts = np.unique([time.quantile(shares, load) for load in groups])
    cuts = np.concatenate([[start], cuts[cuts > start]])
    # Two cuts that differ by rounding alone leave an interval that no integrator can halve.
    cuts = cuts[np.diff(cuts, prepend=-1.0) > 1e-9 * cuts]
    chances = np.array([too_few(time, groups, needed, t) for t in cuts.tolist()])
    cuts = np.concatenate([cuts[:1], cuts[1:][chances[1:] > 1e-20]])
    total, error, last = start, 0.0, float(cuts[-1])

    def chance(t: float) -> float:
        return too_few(time, groups, needed, t)

    def stretched(s: float) -> float:
        return chance(last * exp(s)) * last * exp(s) if s < 700 else 0.0

    for begin, end in [*pairwise(cuts.tolist()), (0.0, inf)]:
        values = stretched if end == inf else chance
        # With full output it returns its doubts, in the tolerance, instead of warning.
        value, off, *_ = quad(
            values, begin, end, epsabs=RELATIVE * total, epsrel=RELATIVE, limit=400, full_output=1
        )
        total, error = total + value, error + off
    return Wait(total, error, "integral")
