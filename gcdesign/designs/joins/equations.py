"""The equations of a quotient: which profiles of all base blocks together make a design's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.joins.profiles import Profiles, profiles
from gcdesign.designs.joins.quotients import Integers, Quotient, goal
from gcdesign.designs.prescribed import Kind, Prescribed
from gcdesign.designs.randomness import Draws

MAX_SUMS = 300_000
"""Most sums of profiles of some base blocks that are kept."""

MAX_PRODUCTS = 6_000_000
"""Most sums that are made at once."""

KEY_SEED = 18_931_117
"""Seed of the numbers whose sums tell sums of profiles apart."""


@dataclass(frozen=True, eq=False)
class Totals:
    """Distinct sums of profiles, and in how many ways they come about.

    Attributes
    ----------
    keys
        Numbers that tell the sums apart, increasing; the key of a sum is the sum of keys.
    covered
        Shape (sums, classes): the pairs of each class.
    ways
        The number of choices of blocks, as a float.
    complete
        Whether no sum was left out.
    """

    keys: NDArray[np.uint64]
    covered: Integers
    ways: NDArray[np.float64]
    complete: bool = True

    def ways_of(self, keys: NDArray[np.uint64]) -> NDArray[np.float64]:
        """Return the ways of each key, 0 for those that are not there."""
        if not len(self.keys):
            return np.zeros(len(keys))
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[place] == keys, self.ways[place], 0.0)


class Equations:
    """The equations of a quotient for base blocks of given kinds.

    Parameters
    ----------
    wanted
        The design and its group.
    quotient
        The partition.
    kinds
        The kind of each base block.
    listed
        The profiles of each kind.
    """

    def __init__(
        self,
        wanted: Prescribed,
        quotient: Quotient,
        kinds: Sequence[Kind],
        listed: dict[Kind, Profiles],
    ) -> None:
        self.wanted, self.quotient = wanted, quotient
        self.kinds, self.listed = tuple(kinds), listed
        self._goal = goal(wanted, quotient)

    @cached_property
    def _single(self) -> dict[Kind, Totals]:
        return {kind: _totals(self.listed[kind]) for kind in dict.fromkeys(self.kinds)}

    @cached_property
    def _order(self) -> list[int]:
        """The base blocks, those with few sums of their own first."""
        sums = [len(self._single[kind].keys) for kind in self.kinds]
        return sorted(range(len(sums)), key=lambda i: sums[i])

    @cached_property
    def _levels(self) -> list[Totals]:
        """What the first n base blocks sum up to, for every n but the last."""
        nothing = np.zeros((1, len(self._goal)), dtype=np.int64)
        levels = [Totals(_keys(nothing), nothing, np.ones(1))]
        for i in self._order[:-1]:
            levels.append(_added(levels[-1], self._single[self.kinds[i]], self._goal))
        return levels

    @cached_property
    def solvable(self) -> bool | None:
        """Whether some profiles have the right sums; None if there were too many to tell."""
        last = self._single[self.kinds[self._order[-1]]]
        if self._levels[-1].ways_of(_keys(self._goal[None, :]) - last.keys).any():
            return True
        return False if all(level.complete for level in self._levels) else None

    def draw(self, draws: Draws) -> list[int]:
        """Return a profile for each base block, solutions in proportion to their blocks.

        Only for equations that are solvable.
        """
        chosen = [0] * len(self.kinds)
        key = _keys(self._goal[None, :])
        for level, i in zip(reversed(self._levels), reversed(self._order), strict=True):
            single, own = self._single[self.kinds[i]], self.listed[self.kinds[i]]
            place = _drawn(level.ways_of(key - single.keys) * single.ways, draws)
            key = key - single.keys[place]
            alike = np.flatnonzero((own.covered == single.covered[place]).all(axis=1))
            chosen[i] = int(alike[_drawn(own.ways[alike], draws)])
        return chosen


def equations(wanted: Prescribed, quotient: Quotient, kinds: Sequence[Kind]) -> Equations | None:
    """Return the equations of a quotient, or None if some kind has too many profiles."""
    listed: dict[Kind, Profiles] = {}
    for kind in dict.fromkeys(kinds):
        found = profiles(wanted, kind, quotient)
        if found is None:
            return None
        listed[kind] = found
    return Equations(wanted, quotient, kinds, listed)


def excluded(wanted: Prescribed, kinds: Sequence[Kind], quotients: Sequence[Quotient]) -> bool:
    """Whether some quotient proves that no design has base blocks of these kinds.

    Examples
    --------
    No 2-(46, 10, 7) design is cyclic with three full orbits of blocks and a short one: with its
    even and odd points told apart, 7 would be a sum of three squares.

    >>> from gcdesign.designs.actions import Action
    >>> from gcdesign.designs.joins.quotients import quotients
    >>> from gcdesign.designs.rings import Ring
    >>> wanted = Prescribed(Action(Ring.parse("Z46")), 10, 7)
    >>> full, short = wanted.kinds
    >>> excluded(wanted, [full] * 3 + [short], quotients(wanted))
    True
    """
    for quotient in quotients:
        system = equations(wanted, quotient, kinds)
        if system is not None and system.solvable is False:
            return True
    return False


def _drawn(ways: NDArray[np.float64], draws: Draws) -> int:
    total = np.cumsum(ways)
    place = np.searchsorted(total, total[-1] * float(draws.uniform(1)[0]), side="right")
    return int(min(place, np.flatnonzero(ways)[-1]))


def _keys(covered: Integers) -> NDArray[np.uint64]:
    classes = int(covered.shape[1])
    weights = np.random.PCG64(KEY_SEED).random_raw(classes).astype(np.uint64)
    keys: NDArray[np.uint64] = (covered.astype(np.uint64) * weights).sum(axis=1, dtype=np.uint64)
    return keys


def _totals(listed: Profiles) -> Totals:
    keys, first, inverse = np.unique(_keys(listed.covered), return_index=True, return_inverse=True)
    ways = np.bincount(inverse, weights=listed.ways, minlength=len(keys)).astype(np.float64)
    return Totals(keys, listed.covered[first], ways)


def _added(level: Totals, single: Totals, goal: Integers) -> Totals:
    """Return the sums of one of these and one of those that are nowhere too large."""
    level = _heaviest(level, MAX_PRODUCTS // max(1, len(single.keys)))
    fits = np.ones((len(level.keys), len(single.keys)), dtype=bool)
    for c, most in enumerate(goal):
        fits &= level.covered[:, c, None] + single.covered[None, :, c] <= most
    a, b = np.nonzero(fits)
    keys, first, inverse = np.unique(
        level.keys[a] + single.keys[b], return_index=True, return_inverse=True
    )
    products = level.ways[a] * single.ways[b]
    ways = np.bincount(inverse, weights=products, minlength=len(keys)).astype(np.float64)
    covered = level.covered[a[first]] + single.covered[b[first]]
    return _heaviest(Totals(keys, covered, ways, level.complete), MAX_SUMS)


def _heaviest(totals: Totals, most: int) -> Totals:
    """Keep the sums that come about in the most ways, if there are too many."""
    if len(totals.keys) <= most:
        return totals
    kept = np.sort(np.argsort(-totals.ways, kind="stable")[:most])
    return Totals(totals.keys[kept], totals.covered[kept], totals.ways[kept], False)
