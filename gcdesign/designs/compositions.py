"""Which kinds of base blocks a design under a group may consist of, and what promises most.

The kinds' orbits have b blocks in all. Of base blocks chosen at random the pairs in each orbit are
counted: what all of them leave over modulo something should be right, and from their covariance
follows about how many choices make a design. All of it guides a search and proves nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, lgamma, log, pi

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.prescribed import Kind, Prescribed, picked
from gcdesign.designs.randomness import Draws

MAX_BASE_BLOCKS = 400
"""Most base blocks of one design."""

TRIED = 24
"""Random compositions drawn for one group."""

FEW = 9
"""Most base blocks of the compositions that are listed and not drawn."""

LISTED = 40
"""Most ways to make b of a few orbit lengths that are listed."""

NODES = 20_000
"""Steps after which this listing is given up for a number of base blocks."""

KEPT = 6
"""Most compositions kept for one group."""

FIRST_SAMPLES = 16
"""Random choices of base blocks whose remainders are looked at first."""

EXTRA_SAMPLES = 20
"""Random choices of base blocks that are counted, beyond one for each orbit of pairs."""

LEAST_VARIANCE = 0.16
"""Variance below which a whole number counts as certain."""


@dataclass(frozen=True)
class Plan:
    """Kinds of base blocks with b blocks in all.

    Attributes
    ----------
    kinds
        One for each base block, longest orbits first.
    forecast
        The logarithm of about how many choices of such base blocks make a design.
    """

    kinds: tuple[Kind, ...]
    forecast: float


def plans(wanted: Prescribed, draws: Draws) -> list[Plan]:
    """Return the most promising of some random compositions, none that seems to be excluded.

    Examples
    --------
    >>> from gcdesign.designs.actions import Action
    >>> from gcdesign.designs.rings import Ring
    >>> wanted = Prescribed(Action(Ring.parse("Z15")), 3, 1)
    >>> [kind.orbit for kind in plans(wanted, Draws(1))[0].kinds]
    [15, 15, 5]
    """
    drawn = dict.fromkeys(composition(wanted, draws) for _ in range(TRIED))
    drawn |= dict.fromkeys(few(wanted, draws))
    found = [Plan(kinds, forecast(wanted, kinds, draws)) for kinds in drawn if kinds]
    fitting = [plan for plan in found if plan.forecast > -inf]
    return sorted(fitting, key=lambda plan: -plan.forecast)[:KEPT]


def composition(wanted: Prescribed, draws: Draws) -> tuple[Kind, ...]:
    """Return kinds of base blocks with b blocks in all, mostly of one kind; none if none was met.

    A symmetric design mostly gets one base block for each orbit of points, of equal length:
    a cyclic group has as many orbits of each length on points as on blocks (Brauer).
    """
    if wanted.b == wanted.action.v and draws.below(4, 1)[0]:
        return _like_points(wanted)
    kinds = wanted.kinds
    for _ in range(30 if kinds else 0):
        rest, result = wanted.b, list[Kind]()
        main = kinds[int(draws.below(len(kinds), 1)[0])]
        while rest > 0 and len(result) < MAX_BASE_BLOCKS:
            fitting = [kind for kind in kinds if kind.orbit <= rest]
            if not fitting:
                break
            usual = main.orbit <= rest and draws.below(10, 1)[0] < 8
            kind = main if usual else fitting[int(draws.below(len(fitting), 1)[0])]
            result.append(kind)
            rest -= kind.orbit
        if rest == 0:
            return tuple(sorted(result, key=lambda kind: (-kind.orbit, kinds.index(kind))))
    return ()


def few(wanted: Prescribed, draws: Draws) -> list[tuple[Kind, ...]]:
    """Return compositions of few base blocks, the kinds of each orbit length drawn at random.

    Examples
    --------
    >>> from gcdesign.designs.actions import Action
    >>> from gcdesign.designs.rings import Ring
    >>> wanted = Prescribed(Action(Ring.parse("Z15")), 3, 1)
    >>> [[kind.orbit for kind in kinds] for kinds in few(wanted, Draws(1))]
    [[15, 15, 5], [15, 5, 5, 5, 5], [5, 5, 5, 5, 5, 5, 5]]
    """
    of_length: dict[int, list[Kind]] = {}
    for kind in wanted.kinds:
        of_length.setdefault(kind.orbit, []).append(kind)
    return [
        tuple(of_length[n][int(draws.below(len(of_length[n]), 1)[0])] for n in lengths)
        for lengths in _sums(wanted.b, sorted(of_length, reverse=True))
    ]


def _sums(total: int, lengths: list[int]) -> list[tuple[int, ...]]:
    """Return ways to write a number as a sum of few lengths, those of fewest terms first."""
    found: list[tuple[int, ...]] = []
    nodes = 0

    def extend(first: int, rest: int, chosen: tuple[int, ...], terms: int) -> None:
        nonlocal nodes
        nodes += 1
        if len(found) == LISTED or nodes > NODES:
            return
        if not terms:
            if not rest:
                found.append(chosen)
            return
        for place in range(first, len(lengths)):
            if lengths[place] * terms < rest:
                return
            if lengths[place] <= rest:
                extend(place, rest - lengths[place], (*chosen, lengths[place]), terms - 1)

    for terms in range(1, FEW + 1):
        nodes = 0
        extend(0, total, (), terms)
    return found


def _like_points(wanted: Prescribed) -> tuple[Kind, ...]:
    result = []
    for orbit in wanted.point_orbits:
        kinds = [kind for kind in wanted.kinds if kind.orbit == len(orbit)]
        if not kinds:
            return ()
        # A stabiliser of a point fixes that point.
        result.append(next((k for k in kinds if any(len(a) == 1 for a in k.atoms)), kinds[0]))
    return tuple(result)


def forecast(wanted: Prescribed, kinds: Sequence[Kind], draws: Draws) -> float:
    """Return the logarithm of about how many choices of base blocks make a design.

    An estimate, and no proof. It is minus infinity where the counts of the choices that were drawn
    all leave another remainder than λ does. For the chance that they are right they are taken to be
    normally distributed on their lattice.
    """
    sizes = wanted.pairs[1]
    counts = _counts(wanted, kinds, draws, FIRST_SAMPLES)
    if _excluded(wanted, counts):
        return -inf
    counts = np.concatenate([counts, _counts(wanted, kinds, draws, len(sizes) + EXTRA_SAMPLES)])
    step = np.gcd.reduce(counts - counts[0], axis=0)
    missing = wanted.lambda_ * sizes - counts[0]
    moving = step > 0
    scaled = (counts[:, moving] - counts[0, moving]) / step[moving]
    chance = _log_chance(scaled, missing[moving] / step[moving])
    return (
        chance
        + sum(kind.log_choices(wanted.k) - wanted.log_moved(kind) for kind in kinds)
        - sum(lgamma(times + 1) for times in Counter(kinds).values())
    )


def _counts(
    wanted: Prescribed, kinds: Sequence[Kind], draws: Draws, samples: int
) -> NDArray[np.int64]:
    """Return how many pairs of each orbit random base blocks cover, one row a choice."""
    rows = [
        [wanted.covered(picked(kind, wanted.k, draws)) for kind in kinds] for _ in range(samples)
    ]
    counts: NDArray[np.int64] = np.array(rows, dtype=np.int64).sum(axis=1)
    return counts


def _excluded(wanted: Prescribed, counts: NDArray[np.int64]) -> bool:
    """Whether what all these counts have in common is not so for λ."""
    step = np.gcd.reduce(counts - counts[0], axis=0)
    missing = wanted.lambda_ * wanted.pairs[1] - counts[0]
    return bool((missing % np.maximum(step, 1)).any() or missing[step == 0].any())


def _log_chance(samples: NDArray[np.float64], target: NDArray[np.float64]) -> float:
    """Return the logarithm of the chance of a target, coordinate by coordinate.

    Coordinates are taken in the order of what variance the ones before leave; those that the
    others determine must be right.
    """
    variance = np.atleast_2d(np.cov(samples, rowvar=False)) if samples.size else np.zeros((0, 0))
    left = target - samples.mean(axis=0)
    total, open_ = 0.0, np.ones(len(target), dtype=bool)
    while open_.any():
        pivot = int(np.argmax(np.where(open_, np.diag(variance), -1.0)))
        spread = float(variance[pivot, pivot])
        if spread < 1e-7:
            break
        off = min(200.0, left[pivot] ** 2 / (2 * spread))
        total += min(0.0, -off - log(2 * pi * max(spread, LEAST_VARIANCE)) / 2)
        slope = variance[:, pivot] / spread
        left = left - slope * left[pivot]
        variance = variance - np.outer(slope, variance[pivot])
        open_[pivot] = False
    return -inf if (np.abs(left[open_]) > 1e-3).any() else float(total)
