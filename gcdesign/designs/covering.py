"""Covering arrays of strength 2: in any two columns every pair of levels stands in some row.

As tests: rows are runs, columns factors. An array of few rows is wanted; how few is open for most
parameters, so each comes with a lower bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.squares.arrays import transversal_array
from gcdesign.designs.squares.plans import transversal_plan
from gcdesign.errors import InputError, LimitError

MAX_PAIRS = 20_000_000
"""Largest number of pairs of levels, over all pairs of columns, that are kept track of."""

Array = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class CoveringArray:
    """A covering array with the bound on its size.

    Attributes
    ----------
    rows
        Shape (runs, columns).
    levels
        Entries are 0 to levels − 1.
    bound
        No covering array of so many columns and levels has fewer rows.
    method
        ``"binary"`` (optimal), ``"orthogonal array"`` (optimal) or ``"greedy"``.
    """

    rows: Array
    levels: int
    bound: int
    method: str


def covering_array(columns: int, levels: int) -> CoveringArray:
    """Return a covering array of strength 2.

    Parameters
    ----------
    columns, levels
        k ≥ 2 and s ≥ 2.

    Raises
    ------
    InputError
        If there are fewer columns or levels.
    LimitError
        If there are too many pairs to keep track of.

    Notes
    -----
    Source: Katona 1973, Kleitman and Spencer 1973 (two levels, optimal); an orthogonal array
    where there is one; else the greedy density method of Bryce and Colbourn 2007, one row after
    another, which never needs more than about s² ln(C(k, 2)s²) rows.

    Examples
    --------
    >>> found = covering_array(10, 2)
    >>> len(found.rows), found.bound
    (6, 6)
    >>> len(covering_array(5, 4).rows)
    16
    """
    if columns < 2 or levels < 2:
        raise InputError(f"columns={columns}, levels={levels}; expected 2 or more of both")
    if comb(columns, 2) * levels**2 > MAX_PAIRS:
        raise LimitError(f"{columns} columns of {levels} levels are too many: take fewer")
    if levels == 2:
        rows = _binary(columns)
        return CoveringArray(rows, levels, len(rows), "binary")
    if transversal_plan(columns, levels) is not None:
        return CoveringArray(
            transversal_array(columns, levels), levels, levels**2, "orthogonal array"
        )
    bound = max(levels**2 + (columns > levels + 1), binary_runs(columns))
    return CoveringArray(_greedy(columns, levels), levels, bound, "greedy")


def binary_runs(columns: int) -> int:
    """Return the least number of rows for two levels: the least N with C(N − 1, ⌈N/2⌉) ≥ k.

    Examples
    --------
    >>> [binary_runs(k) for k in (3, 4, 10, 11)]
    [4, 5, 6, 7]
    """
    runs = 4
    while comb(runs - 1, -(-runs // 2)) < columns:
        runs += 1
    return runs


def _binary(columns: int) -> Array:
    """Return columns that are different ⌈N/2⌉-subsets of the rows but the first.

    None holds another, any two meet, and the first row is in none.
    """
    runs = binary_runs(columns)
    rows = np.zeros((runs, columns), dtype=np.int32)
    subsets = combinations(range(1, runs), -(-runs // 2))
    for column, subset in zip(range(columns), subsets, strict=False):
        rows[list(subset), column] = 1
    return rows


def _greedy(columns: int, levels: int) -> Array:
    """Fill rows column by column with the level that covers most new pairs, on average.

    Pairs with columns that are not yet filled count as if these were drawn at random.
    """
    open_pairs = np.ones((columns, levels, columns, levels), dtype=np.float32)
    for column in range(columns):
        open_pairs[column, :, column, :] = 0
    rows = []
    while open_pairs.any():
        row = np.full(columns, -1)
        weight = open_pairs.sum(axis=(1, 2, 3))
        for column in np.argsort(-weight, kind="stable"):
            filled = np.flatnonzero(row >= 0)
            free = np.flatnonzero(row < 0)
            gain = open_pairs[column][:, filled, row[filled]].sum(axis=1)
            gain = gain + open_pairs[column][:, free].sum(axis=(1, 2)) / levels
            row[column] = int(gain.argmax())
        places = np.arange(columns)
        open_pairs[places[:, None], row[:, None], places[None, :], row[None, :]] = 0
        rows.append(row)
    return np.array(rows, dtype=np.int32)
