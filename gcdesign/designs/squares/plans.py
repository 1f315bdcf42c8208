"""Which construction gives a transversal design with so many groups of a size.

A transversal design TD(k, n) has k groups of n points, and n² blocks that meet each group once;
two points of different groups are in one block. It is the same as k − 2 mutually orthogonal Latin
squares of side n, and as an orthogonal array of k columns with n symbols.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from gcdesign.designs.fields import prime_power
from gcdesign.designs.squares.matrices import new_symbols, stored_columns

MAX_SIDE = 2048
"""Largest side that is planned for; n² rows of k symbols are built."""

EVERY_SIDE = 1 << 20
"""How many columns a side of 1 may have: as many as anybody asks for."""


@dataclass(frozen=True)
class Plan:
    """How a transversal array is made.

    Attributes
    ----------
    columns, side
        k and n.
    method
        ``"field"``, ``"product"``, ``"difference"``, ``"wilson"``, ``"plane"`` or ``"one point"``.
    parameters
        Wilson: (m, t, u) with n = mt + u; plane: its order, whether it is affine, and how many
        points are left out.
    parts
        The smaller arrays that it is made of.
    """

    columns: int
    side: int
    method: str
    parameters: tuple[int, ...] = ()
    parts: tuple[Plan, ...] = ()

    def __str__(self) -> str:
        inside = ", ".join([*map(str, self.parameters), *map(str, self.parts)])
        return f"TD({self.columns},{self.side}) by {self.method}" + (f"({inside})" * bool(inside))


@lru_cache(maxsize=1 << 14)
def transversal_plan(columns: int, side: int) -> Plan | None:
    """Return how a TD(columns, side) can be made here, or None.

    Examples
    --------
    >>> print(transversal_plan(4, 20))
    TD(4,20) by product(TD(4,4) by field, TD(4,5) by field)
    """
    if columns < 2 or not 1 <= side <= MAX_SIDE or (side > 1 and columns > side + 1):
        return None
    return next(_plans(columns, side), None)


@lru_cache(maxsize=1 << 11)
def most_columns(side: int) -> int:
    """Return the largest k for which a TD(k, side) can be made here.

    Examples
    --------
    >>> [most_columns(n) for n in (2, 6, 9, 12)]
    [3, 3, 10, 7]
    """
    if side == 1:
        return EVERY_SIDE
    columns = 3
    while transversal_plan(columns + 1, side) is not None:
        columns += 1
    return columns


def _plans(k: int, n: int) -> Iterator[Plan]:
    """Yield plans, the quickest first."""
    if n == 1:
        yield Plan(k, n, "one point")
    elif prime_power(n):
        if k <= n + 1:
            yield Plan(k, n, "field")
    else:
        yield from _products(k, n)
        if k <= stored_columns(n):
            new = new_symbols(n)
            parts = tuple(_all_plans([(k, new)] if new else []))
            yield Plan(k, n, "difference", (), parts)
        yield from _planes(k, n)
        yield from _wilson(k, n)
        if k <= 3:
            yield Plan(k, n, "cyclic")


def _products(k: int, n: int) -> Iterator[Plan]:
    for a in range(2, int(n**0.5) + 1):
        if n % a == 0:
            parts = tuple(_all_plans([(k, a), (k, n // a)]))
            if len(parts) == 2:
                yield Plan(k, n, "product", (), parts)


def _planes(k: int, n: int) -> Iterator[Plan]:
    """Yield a projective or affine plane without some points of an arc, whose lines are filled.

    Lines lose at most two points.
    """
    for q in range(int(n**0.5) - 1, int(n**0.5) + 3):
        for affine in (0, 1):
            gone = q * q + (1 - affine) * (q + 1) - n
            if not 0 <= gone <= q + 1 or prime_power(q) is None:
                continue
            sizes = [(k + 1, q + 1 - affine - lost) for lost in range(min(gone, 2) + 1)]
            parts = tuple(_all_plans(sizes))
            if len(parts) == len(sizes):
                yield Plan(k, n, "plane", (q, affine, gone), parts)


def _wilson(k: int, n: int) -> Iterator[Plan]:
    """Yield n = mt + u from a TD(k + 1, t) one of whose groups is cut down to u points."""
    for m in range(max(k - 1, 2), n):
        for t in range(-(-n // (m + 1)), n // m + 1):
            u = n - m * t
            if u == 0 or t < k:
                continue
            needed = [(k, u), (k, m), (k, m + 1), (k + 1, t)]
            parts = tuple(_all_plans(needed))
            if len(parts) == len(needed):
                yield Plan(k, n, "wilson", (m, t, u), parts)


def _all_plans(needed: list[tuple[int, int]]) -> Iterator[Plan]:
    """Yield the plans of some (columns, side), up to the first that has none."""
    for columns, side in needed:
        plan = transversal_plan(columns, side)
        if plan is None:
            return
        yield plan
