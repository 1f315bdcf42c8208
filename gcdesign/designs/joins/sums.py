"""Exact joins of lists of base blocks: one of each, so that every pair is covered λ times."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.joins.shapes import Keys

MAX_PRODUCT = 2_000_000
"""Lists whose product is no larger become one list."""

MAX_SUMS = 10_000_000
"""Most sums of two lists that are kept."""

MAX_PAIRS = 4_000_000_000
"""Most pairs of two lists that are looked at."""

MAX_LOOKED_UP = 100_000_000
"""Most sums of two lists that are looked up in a third."""

PAIRS_AT_ONCE = 4_000_000
"""Pairs that are listed at once."""

TRIED = 100_000
"""Random pairs from which the number of near ones is taken."""


Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums of blocks, one of each of some lists.

    Attributes
    ----------
    keys
        Shape (sums,).
    places
        Shape (sums, lists): where each block is in its list.
    away
        Makes the vectors, which a join of two lists does not need.
    """

    keys: Keys
    places: NDArray[np.int32]
    away: Callable[[], Floats]

    @cached_property
    def vectors(self) -> Floats:
        """How far each sum is from its share, weighted; shape (sums, orbits)."""
        return self.away()

    @property
    def norms(self) -> Floats:
        """The squares of the vectors."""
        squares: Floats = np.einsum("ij,ij->i", self.vectors, self.vectors)
        return squares

    def __len__(self) -> int:
        return len(self.keys)


def joined(
    lists: Sequence[Sums], target: np.uint64, *, deadline: float = inf
) -> Iterator[list[int]]:
    """Yield places in the lists, one in each, whose keys sum to a target.

    Where that would be too much work, only sums that are near their share are looked at.

    Parameters
    ----------
    lists
        The lists.
    target
        What the keys should sum to.
    deadline
        When to stop, by the monotonic clock.

    Examples
    --------
    >>> places = np.arange(4, dtype=np.int32)[:, None]
    >>> part = Sums(np.arange(4, dtype=np.uint64), places, lambda: np.zeros((4, 1), np.float32))
    >>> list(joined([part, part], np.uint64(5)))
    [[2, 3], [3, 2]]
    """
    parts = [(part, [column]) for column, part in enumerate(lists)]
    parts.sort(key=lambda pair: len(pair[0]))
    while len(parts) > 1 and (len(parts) > 4 or len(parts[0][0]) * len(parts[1][0]) <= MAX_PRODUCT):
        (a, first), (b, second) = parts[:2]
        parts = [*parts[2:], (product(a, b, deadline), first + second)]
        parts.sort(key=lambda pair: len(pair[0]))
    order = [column for _, columns in parts for column in columns]
    for places in _matches([part for part, _ in parts], target, deadline):
        yield [int(places[order.index(column)]) for column in range(len(lists))]


def _matches(parts: list[Sums], target: np.uint64, deadline: float) -> Iterator[NDArray[np.int32]]:
    if any(not len(part) for part in parts):
        return
    if len(parts) == 1:
        yield from parts[0].places[parts[0].keys == target]
    elif len(parts) == 2:
        for i, j in equal_keys(target - parts[0].keys, parts[1].keys):
            yield np.concatenate([parts[0].places[i], parts[1].places[j]])
    elif len(parts) == 3:
        yield from _three(parts, target, deadline)
    else:
        yield from _four(parts, target, deadline)


def _three(parts: list[Sums], target: np.uint64, deadline: float) -> Iterator[NDArray[np.int32]]:
    a, b, c = parts
    a, b = nearest(a, b)
    cut = min(float(c.norms.max()) + 1e-3, cut_for(a, b, MAX_LOOKED_UP))
    with np.errstate(over="ignore"):
        for hits in near(a, b, cut, deadline, table_of(target - c.keys)):
            for i, j in hits:
                for h in np.flatnonzero(c.keys == target - a.keys[i] - b.keys[j]):
                    yield np.concatenate([a.places[i], b.places[j], c.places[h]])


def _four(parts: list[Sums], target: np.uint64, deadline: float) -> Iterator[NDArray[np.int32]]:
    # The shortest with the longest, so that both pairs have about as many sums.
    a, b, c, d = parts[0], parts[3], parts[1], parts[2]
    a, b = nearest(a, b)
    c, d = nearest(c, d)
    cut = cut_for(a, b, MAX_SUMS)
    places = np.concatenate(list(near(a, b, cut, deadline)))
    keys = a.keys[places[:, 0]] + b.keys[places[:, 1]]
    with np.errstate(over="ignore"):
        again = min(cut, cut_for(c, d, MAX_LOOKED_UP))
        for hits in near(c, d, again, deadline, table_of(target - keys)):
            for i, j in hits:
                for h in np.flatnonzero(keys == target - c.keys[i] - d.keys[j]):
                    p, q = places[h]
                    yield np.concatenate([a.places[p], c.places[i], d.places[j], b.places[q]])


def nearest(a: Sums, b: Sums) -> tuple[Sums, Sums]:
    """Return two lists, the longer one cut to its nearest sums if there were too many pairs."""
    if len(a) * len(b) <= MAX_PAIRS:
        return a, b
    side = int(MAX_PAIRS**0.5)
    if len(a) > side and len(b) > side:
        return first_of(a, side), first_of(b, side)
    if len(a) > len(b):
        return first_of(a, MAX_PAIRS // len(b)), b
    return a, first_of(b, MAX_PAIRS // len(a))


def first_of(part: Sums, most: int) -> Sums:
    """Return the sums nearest to their share."""
    best = np.argpartition(part.norms, most)[:most]
    return Sums(part.keys[best], part.places[best], lambda: part.vectors[best])


def product(a: Sums, b: Sums, deadline: float) -> Sums:
    """Return the sums of two lists, or those near their share if there are many."""
    a, b = nearest(a, b)
    if len(a) * len(b) <= MAX_PRODUCT:
        i, j = (x.reshape(-1) for x in np.indices((len(a), len(b))))
    else:
        i, j = np.concatenate(list(near(a, b, cut_for(a, b, MAX_PRODUCT // 4), deadline))).T
    places = np.concatenate([a.places[i], b.places[j]], axis=1)
    return Sums(a.keys[i] + b.keys[j], places, lambda: a.vectors[i] + b.vectors[j])


def equal_keys(first: Keys, second: Keys) -> list[tuple[int, int]]:
    """Return the places of keys that are in both lists."""
    order = np.argsort(second, kind="stable")
    place = np.minimum(np.searchsorted(second[order], first), len(second) - 1)
    hits = np.flatnonzero(second[order[place]] == first)
    return [(int(i), int(order[place[i]])) for i in hits]


def table_of(keys: Keys) -> Keys:
    """Return a table in which the compiled search looks keys up."""
    from gcdesign.designs.joins.kernel import fill_table

    table = np.zeros(1 << (3 * len(keys)).bit_length(), dtype=np.uint64)
    fill_table(table, keys)
    return table


def near(
    a: Sums, b: Sums, cut: float, deadline: float, table: Keys | None = None
) -> Iterator[NDArray[np.int64]]:
    """Yield pairs whose sum is near its share, and whose key is in a table if one is given.

    They come as arrays of shape (pairs, 2).
    """
    from gcdesign.designs.joins.kernel import near_pairs

    columns = np.ascontiguousarray(b.vectors.T)
    found = np.zeros((max(PAIRS_AT_ONCE, 2 * len(b)), 2), dtype=np.int64)
    lookup = np.zeros(0, dtype=np.uint64) if table is None else table
    begin, a_norms, b_norms = 0, a.norms, b.norms
    while begin < len(a) and monotonic() < deadline:
        count, begin = near_pairs(
            a.vectors, a_norms, a.keys, columns, b_norms, b.keys, cut, lookup, found, begin
        )
        yield found[:count].copy()
    yield np.zeros((0, 2), dtype=np.int64)


def cut_for(a: Sums, b: Sums, most: int) -> float:
    """Return a square below which about so many sums of two lists are."""
    if len(a) * len(b) <= most:
        return inf
    i = np.arange(TRIED) * 7_919 % len(a)
    j = np.arange(TRIED) * 104_729 // 3 % len(b)
    total = a.vectors[i] + b.vectors[j]
    squares = np.sort(np.einsum("ij,ij->i", total, total))
    place = int(TRIED * min(1.0, most / (len(a) * len(b))))
    return float(squares[min(max(place, 10), TRIED - 1)])
