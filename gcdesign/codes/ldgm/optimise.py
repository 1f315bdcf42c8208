"""The best degrees for given times: linear programs on a grid, with a bound from below.

For fixed degrees of the parts, y_∞ ≤ y* means Σ_i ρ_i F_i (1 − λ(y))^(i−1) ≥ 1 − y for all y above
y*, and that is linear in ρ. Bisection finds the least y* whose program can be satisfied. A
program holds the inequality at some points only, so that one without a solution proves that no
degrees are so good; a solution is judged by density evolution, and where that gets stuck
the point becomes a row of the program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.ldgm.ensemble import Ensemble
from gcdesign.codes.ldgm.evolution import SEED, Evolution, checked_chances, evolve
from gcdesign.codes.ldgm.limit import Limit, envelope, limit
from gcdesign.codes.ldgm.program import best_shares
from gcdesign.codes.ldgm.recursion import Recursion
from gcdesign.codes.times import LoadTime
from gcdesign.designs.ensembles.degrees import Degrees
from gcdesign.errors import InputError

Objective = Literal["unrecovered", "edge"]

PRECISION = 1e-7
"""Relative width at which the bracket of y* is small enough."""

CLOSE = 1e-9
"""Relative distance at which two y count as one."""

MAX_DEGREE, MAX_COPIES = 200, 60
"""Largest degrees of workers and of parts that are tried."""

CUTS = 12
"""Most points added to one program before it counts as without a solution that is good enough."""

NEAREST = 1 - 1e-5
"""Largest y of a row: the coefficients beyond are too far apart for a solver, so that nothing is
proved there."""

NOTHING = 1e-9
"""Coefficients below this are 0."""

SPARE = 1e-9
"""Shares below this are rounding of the linear program."""

Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Optimum:
    """The best degrees found, and how much better others could be.

    Attributes
    ----------
    ensemble
        Degrees of parts and workers.
    evolution
        Where it ends; thought to have an infinitesimal share of workers of degree 1 if it has
        none (see ``infimum``).
    objective
        ``"unrecovered"``, L(y_∞), or ``"edge"``, x_∞.
    value
        The objective.
    lower
        What no degrees of the workers pass by, for these degrees of the parts and this largest
        degree: from a linear program without solution, up to its rounding.
    infimum
        Whether there is no worker of degree 1, so that ensembles only come near.
    tried
        The degrees of the parts that were tried, with the objective, or a bound that was not
        worth improving.
    limit
        The bound for all ensembles, and uncoded.
    """

    ensemble: Ensemble
    evolution: Evolution
    objective: Objective
    value: float
    lower: float
    infimum: bool
    tried: tuple[tuple[int, float, bool], ...]
    limit: Limit

    @property
    def gain(self) -> float:
        """Recovered share less that of uncoded: above 0 where coding wins."""
        return self.limit.uncoded - self.evolution.unrecovered


def optimise(
    time: LoadTime,
    deadline: float,
    *,
    rate: Fraction = Fraction(1, 2),
    largest: int = 10,
    copies: int | Degrees | None = None,
    objective: Objective = "unrecovered",
    start: float = 0.0,
) -> Optimum:
    """Find the degrees of workers, and of parts if they are free, that recover most.

    Parameters
    ----------
    time, deadline
        The workers' times by their loads, and t₀.
    rate
        K/N.
    largest
        Largest degree of a worker.
    copies
        Degree of every part, or their distribution; by default all regular ones are tried.
    objective
        Whether to minimise the unrecovered share of parts, or, as Horii et al. 2019, the
        erasure x_∞ of edges. For given degrees of the parts that is the same.
    start
        Least share of the workers that have degree 1, so that decoding starts in a graph of
        finite size.

    Raises
    ------
    InputError
        If a number is out of its domain, or no degrees have this rate.

    Examples
    --------
    >>> from gcdesign.codes.times import parse_time
    >>> best = optimise(parse_time("exp:rate=1"), 1.0, copies=3, objective="edge")
    >>> round(best.value, 4), str(best.ensemble.loads.largest)
    (0.3617, '10')
    """
    _check(rate, largest, objective, start)
    chances = checked_chances(time.cdf(deadline, np.arange(1, largest + 1)), time.written)
    best: _Found | None = None
    tried: list[tuple[int, float, bool]] = []
    for held in _candidates(copies, rate, largest):
        search = _Search(held, rate, chances, objective, start)
        found = search.run(inf if best is None else best.value)
        if len(held.shares) == 1:
            tried.append((held.largest, search.reached, found is not None))
        if found is not None and (best is None or found.value < best.value):
            best = found
    if best is None:
        raise InputError(
            f"start={start:g}: no degrees of this rate have so many workers of degree 1; expected "
            "a smaller share"
        )
    evolution = evolve(best.ensemble, time, deadline, seeded=True)
    value = evolution.unrecovered if objective == "unrecovered" else evolution.edge_erasure
    return Optimum(
        ensemble=best.ensemble,
        evolution=evolution,
        objective=objective,
        value=value,
        lower=min(best.lower, value),
        infimum=not evolution.starts and evolution.takes_off > 1,
        tried=tuple(tried),
        limit=limit(time, deadline, rate, largest=largest),
    )


@dataclass(frozen=True)
class _Found:
    ensemble: Ensemble
    value: float
    lower: float


class _Search:
    """The search for given degrees of the parts."""

    def __init__(
        self, held: Degrees, rate: Fraction, chances: Reals, objective: Objective, start: float
    ) -> None:
        self.held, self.chances, self.objective = held, chances, objective
        self.inverse_mean = 1 / (Fraction(rate) * held.mean)  # N/(K d) = 1/R'(1)
        self.least_single = start * float(self.inverse_mean)  # ρ_1 = R_1/R'(1)
        self.points = _grid()
        self.reached = inf

    def value_of(self, y: float) -> float:
        """Return the objective where edges bring nothing with chance y."""
        held = self.held
        return held.edge_value(y) if self.objective == "edge" else held.node_value(y)

    def run(self, to_beat: float) -> _Found | None:
        """Return the best degrees, or None if they are not better than what is known."""
        low = envelope(1 - self.chances, float(self.inverse_mean))
        self.reached = self.value_of(low)
        if self.reached >= to_beat:
            return None
        forced = self._forced()
        if forced is not None:
            low = self._evolved(forced)
        found = self._at(1.0) if forced is None else (forced, low)
        if found is None or found[0][0] < self.least_single * (1 - CLOSE):
            self.reached = inf
            return None
        if self.value_of(found[1]) >= to_beat:
            known = self._message_for(to_beat)
            found = self._at(known)
            if found is None or found[1] >= known:
                self.reached = to_beat
                return None
        shares, high = found
        while high - low > PRECISION * high and low < NEAREST:
            middle = min((low + high) / 2, NEAREST)
            found = self._at(middle)
            if found is not None and found[1] < high:
                shares, high = found
            if found is None or found[1] > middle * (1 + CLOSE):
                low = middle
        self.reached = self.value_of(high)
        loads = _exact_shares(shares, self.inverse_mean)
        return _Found(Ensemble(self.held, loads), self.reached, self.value_of(low))

    def _forced(self) -> Reals | None:
        """Return the shares where the rate leaves one choice: all degrees 1, or all the largest."""
        for degree in (1, len(self.chances)):
            if self.inverse_mean == Fraction(1, degree):
                shares = np.zeros(len(self.chances))
                shares[degree - 1] = 1.0
                return shares
        return None

    def _message_for(self, value: float) -> float:
        """Return the y that gives the objective a value."""
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if self.value_of(middle) < value else (low, middle)
        return low

    def _at(self, target: float) -> tuple[Reals, float] | None:
        """Return shares ρ for a target y*, and the y that density evolution gives them.

        y is above the target where no shares reach it; None where none have this rate.
        """
        best: tuple[Reals, float] | None = None
        for _ in range(CUTS):
            points = self.points[self.points > target]
            if target <= NEAREST:
                points = np.append(points, target)
            shares = best_shares(
                *self._rows(points), float(self.inverse_mean), single=self.least_single
            )
            if shares is None:
                break
            y = self._evolved(shares)
            if best is None or y < best[1]:
                best = shares, y
            reached = y <= target * (1 + CLOSE) or target > NEAREST
            if reached or np.abs(self.points - y).min() < CLOSE:
                break
            self.points = np.append(self.points, y)
        return best

    def _rows(self, points: Reals) -> tuple[Reals, Reals]:
        """Return A and b of A ρ ≥ b: Σ_i ρ_i F_i (1 − λ(y))^(i−1) ≥ 1 − y at some y.

        Divided by 1 − λ(y), so that the rows near 1 count as much as the others.
        """
        free = np.array([1 - self.held.edge_value(float(y)) for y in points])
        arriving = self.chances * free[:, None] ** (np.arange(len(self.chances)) - 1.0)
        arriving[arriving < NOTHING] = 0.0
        return arriving, (1 - points) / free

    def _evolved(self, shares: Reals) -> float:
        """Return y_∞ of shares."""
        recursion = Recursion(self.held, shares * self.chances, np.arange(len(shares)))
        start = 1.0 if shares[0] > 0 else 1 - SEED
        return recursion.message(recursion.fixed_point(start))


def _grid() -> Reals:
    """Return points of (0, 1), many near 1, where decoding starts."""
    return np.concatenate([np.linspace(0.02, 0.98, 60), 1 - np.logspace(-5, -1.8, 16)])


def _exact_shares(shares: Reals, inverse_mean: Fraction) -> Degrees:
    """Return the degrees of workers with these shares of edges, less what is rounding.

    The shares are moved a little between two degrees so that the rate is kept exactly.
    """
    kept = np.where(shares > SPARE, shares, 0.0)
    table = {int(i) + 1: Fraction(repr(float(kept[i]))) for i in np.flatnonzero(kept)}
    total = sum(table.values())
    table = {degree: share / total for degree, share in table.items()}
    off = sum(share / degree for degree, share in table.items()) - inverse_mean
    low, high = min(table), max(table)
    if off and low != high:
        step = off / (Fraction(1, low) - Fraction(1, high))
        if table[low] > step and table[high] > -step:
            table[low] -= step
            table[high] += step
    nodes = {degree: share / degree for degree, share in table.items()}
    scale = sum(nodes.values())
    return Degrees(tuple((degree, share / scale) for degree, share in sorted(nodes.items())))


def _candidates(copies: int | Degrees | None, rate: Fraction, largest: int) -> Sequence[Degrees]:
    """Return the degrees of the parts that are tried; the mean load must lie in 1 … largest."""
    if copies is None:
        low, high = 1 / rate, largest / rate
        regular = [d for d in range(2, MAX_COPIES + 1) if low <= d <= high]
        if not regular:
            raise InputError(
                f"rate={rate} leaves no degree of the parts from 2 to {MAX_COPIES} with workers "
                f"of degree 1 to {largest}; expected another rate or a larger degree"
            )
        return [Degrees.regular(d) for d in regular]
    held = Degrees.regular(copies) if isinstance(copies, int) else copies
    if held.largest < 2:
        raise InputError("parts of degree 1 are not coded; expected degree 2 or more")
    if not 1 <= rate * held.mean <= largest:
        raise InputError(
            f"parts of mean degree {float(held.mean):.6g} at rate {rate} need workers of mean "
            f"degree {float(rate * held.mean):.6g}; expected 1 to {largest}"
        )
    return [held]


def _check(rate: Fraction, largest: int, objective: str, start: float) -> None:
    if not rate > 0:
        raise InputError(f"rate={rate}; expected more than 0")
    if not 1 <= largest <= MAX_DEGREE:
        raise InputError(f"largest degree {largest}; expected 1 to {MAX_DEGREE}")
    if objective not in ("unrecovered", "edge"):
        raise InputError(f"objective={objective!r}; expected unrecovered or edge")
    if not 0 <= start <= 1:
        raise InputError(f"start={start}; expected a share of the workers, 0 to 1")
