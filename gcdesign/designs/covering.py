"""Covering arrays: in any t columns every tuple of levels stands in some row.

As tests: rows are runs, columns factors, which may have different numbers of levels. An array of
few rows is wanted; how few is open for most parameters, so each comes with a lower bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, prod

from gcdesign.designs.covering_methods import (
    MAX_ENTRIES,
    METHODS,
    binary_runs,
    fewest_rows,
    missing,
)
from gcdesign.designs.orthogonal_bounds import Shape, refuted
from gcdesign.designs.tuples import MAX_COUNTED, Array
from gcdesign.errors import InputError, LimitError

__all__ = ["METHODS", "CoveringArray", "binary_runs", "covering_array", "least_rows", "missing"]


@dataclass(frozen=True, eq=False)
class CoveringArray:
    """A covering array with the bound on its size.

    Attributes
    ----------
    rows
        Shape (runs, columns).
    levels
        For each column, how many levels it has; entries are 0 to that number less 1.
    strength
        t.
    bound
        No covering array for these has fewer rows.
    because
        What proves the bound.
    method
        One of `METHODS`.
    """

    rows: Array
    levels: tuple[int, ...]
    strength: int
    bound: int
    because: str
    method: str


def covering_array(
    columns: int, levels: int | Sequence[int], *, strength: int = 2
) -> CoveringArray:
    """Return a covering array, checked tuple by tuple.

    Parameters
    ----------
    columns
        k.
    levels
        s, for all columns, or one number for each.
    strength
        t, 2 ≤ t ≤ k.

    Raises
    ------
    InputError
        If there are fewer columns or levels, or not as many levels as columns.
    LimitError
        If there are too many tuples to keep track of.

    Notes
    -----
    Source: Katona 1973, Kleitman and Spencer 1973 (two levels, optimal); an orthogonal array
    where there is one; Colbourn 2008 (fusion); else the greedy density method of Bryce and
    Colbourn 2007, one row after another, which never needs more than about sᵗ ln(C(k, t)sᵗ) rows.

    Examples
    --------
    >>> found = covering_array(10, 2)
    >>> len(found.rows), found.bound
    (6, 6)
    >>> len(covering_array(5, 4).rows), len(covering_array(3, (3, 2, 2)).rows)
    (16, 6)
    """
    each = _checked(columns, levels, strength)
    bound, because = least_rows(each, strength)
    method, rows = fewest_rows(each, strength)
    wrong = missing(rows, each, strength)
    if wrong is not None:  # a bug, and no answer
        raise AssertionError(f"columns {wrong[0]} never show {wrong[1]}")
    return CoveringArray(rows, each, strength, bound, because, method)


def _checked(columns: int, levels: int | Sequence[int], strength: int) -> tuple[int, ...]:
    """Return the levels of each column, once they make a question that is not too large."""
    if strength < 2:
        raise InputError(f"strength={strength}; expected 2 or more")
    if columns < strength:
        raise InputError(f"{columns} columns; expected {strength} or more, as many as the strength")
    few = levels if isinstance(levels, int) else min(levels, default=2)
    if few < 2:
        raise InputError(f"levels={few}; expected 2 or more in every column")
    most = levels if isinstance(levels, int) else max(levels, default=2)
    if most ** min(strength, 64) * columns > MAX_ENTRIES:
        raise LimitError(
            f"{columns} columns and at least {most}^{strength} rows; the limit is {MAX_ENTRIES} "
            "entries: take fewer"
        )
    if comb(columns, strength) * most**strength > MAX_COUNTED:
        raise LimitError(
            f"{columns} columns of {most} levels have {comb(columns, strength)} × "
            f"{most}^{strength} tuples to cover; the limit is {MAX_COUNTED}: take fewer"
        )
    each = (levels,) * columns if isinstance(levels, int) else tuple(levels)
    if len(each) != columns:
        raise InputError(f"{len(each)} numbers of levels for {columns} columns; expected as many")
    return each


def least_rows(levels: Sequence[int], strength: int) -> tuple[int, str]:
    """Return a proved lower bound on the rows of a covering array, and what proves it.

    Examples
    --------
    >>> least_rows((4, 3, 2), 2)
    (12, '4·3 pairs of two columns')
    >>> least_rows((3,) * 5, 2)[0], least_rows((2,) * 11, 3)[0]
    (10, 12)
    """
    return _least(tuple(sorted(levels, reverse=True)), strength)


@lru_cache(maxsize=1 << 12)
def _least(levels: tuple[int, ...], strength: int) -> tuple[int, str]:
    """Bound arrays whose levels do not increase: one with fewer columns or levels is no larger."""
    words = {2: "pairs", 3: "triples"}.get(strength, f"{strength}-tuples")
    numbers = {2: "two", 3: "three"}.get(strength, str(strength))
    most = levels[:strength]
    found = [(prod(most), f"{'·'.join(map(str, most))} {words} of {numbers} columns")]
    for s in sorted({*levels}):
        k = sum(level >= s for level in levels)
        excluded = refuted(Shape(s**strength, k, s, strength)) if k >= strength else None
        if excluded:
            why = f"{s**strength} rows would be an orthogonal array; {excluded[0]}: {excluded[1]}"
            found.append((s**strength + 1, why))
    if strength > 2:
        rows, why = _least(levels[1:], strength - 1)
        found.append((levels[0] * rows, f"{levels[0]} times {rows}, for the other columns: {why}"))
    elif len(levels) > 2:
        found.append((binary_runs(len(levels)), "two levels (Katona 1973)"))
    return max(found, key=lambda one: one[0])
