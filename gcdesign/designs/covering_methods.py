"""How covering arrays are made: of few rows, as far as each construction goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.fields import is_prime, prime_power, primitive_root
from gcdesign.designs.hadamard.designs import normalised
from gcdesign.designs.hadamard.orders import hadamard_matrix, hadamard_recipe
from gcdesign.designs.orthogonal import carry_out
from gcdesign.designs.orthogonal_bounds import Shape
from gcdesign.designs.orthogonal_plans import orthogonal_plan
from gcdesign.designs.randomness import Draws
from gcdesign.designs.squares import most_columns, transversal_array
from gcdesign.designs.tuples import Array, digits, tuple_counts
from gcdesign.errors import LimitError

MAX_TUPLES = 20_000_000
"""Largest number of t-tuples of columns with levels, in any order, that are kept track of."""

MOST_ORDERS = 60
"""Random orders of the columns that the greedy method tries."""

MAX_TRIED = 200_000_000
"""How much the greedy method looks at, over all orders: tuples times rows."""

PER_COLUMN = 30_000
"""What a column of a row takes the greedy method beside its tuples, in tuples."""

MAX_ENTRIES = 50_000_000
"""Largest number of entries of an array that is built."""

Made = tuple[str, Array]

METHODS = {
    "subsets": "columns are different subsets of the rows (Kleitman and Spencer 1973)",
    "orthogonal array": "an orthogonal array of index 1",
    "fusion": "an orthogonal array with one level more, less two rows (Colbourn 2008)",
    "product": "a smaller array and a transversal design (Stevens and Mendelsohn 1999)",
    "doubling": "two smaller arrays, twice as wide (Roux 1987, Chateauneuf and Kreher 2002)",
    "Hadamard": "a Hadamard matrix",
    "cyclotomy": "cyclotomic classes of a field (Colbourn 2010)",
    "merging": "an array with as many levels everywhere, some of them merged",
    "greedy": "row by row, greedily by density (Bryce and Colbourn 2007)",
}
"""Each method in words."""


def fewest_rows(levels: tuple[int, ...], strength: int) -> Made:
    """Return the method that gives the fewest rows, and the array.

    Raises
    ------
    LimitError
        If there are too many tuples to keep track of.
    """
    if min(levels) == max(levels):
        return _uniform(len(levels), levels[0], strength)
    _, rows = _uniform(len(levels), max(levels), strength)
    merged = rows % np.array(levels, dtype=np.int32)
    greedy = _greedy(levels, strength) if sum(levels) ** strength <= MAX_TUPLES else merged
    return ("greedy", greedy) if len(greedy) < len(merged) else ("merging", merged)


@lru_cache(maxsize=64)
def _uniform(columns: int, levels: int, strength: int) -> Made:
    best: Made | None = None
    for made in _candidates(columns, levels, strength):
        if best is None or len(made[1]) < len(best[1]):
            best = made
    for method, least in (("Hadamard", _hadamard), ("cyclotomy", _cyclotomic)):
        limit = len(best[1]) if best else 2000
        rows = least(columns, levels, strength, limit) if strength > 2 else None
        best = best if rows is None else (method, rows)
    if best is None:
        raise LimitError(
            f"{columns} columns of {levels} levels have {columns * levels}^{strength} tuples in "
            f"{strength} columns; the limit is {MAX_TUPLES}: take fewer"
        )
    return best


def _candidates(columns: int, levels: int, strength: int) -> Iterator[Made]:
    """Yield arrays; one alone if it is optimal."""
    if (levels, strength) == (2, 2):
        yield "subsets", _binary(columns)
        return
    plan = orthogonal_plan(Shape(levels**strength, columns, levels, strength))
    if plan is not None:
        yield "orthogonal array", carry_out(plan)
        return
    if strength == 2:
        if prime_power(levels + 1) and columns <= levels + 2:
            yield "fusion", _fused(columns, levels)
        width = most_columns(levels) - 1
        if width >= 2:
            yield "product", _product(columns, levels, width)
    if strength == 3:
        yield "doubling", _doubled(columns, levels)
    if (columns * levels) ** strength <= MAX_TUPLES:
        yield "greedy", _greedy((levels,) * columns, strength)


def missing(
    rows: Array, levels: Sequence[int], strength: int
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return columns and a tuple of levels that they never show, or None.

    Examples
    --------
    >>> missing(np.array([[0, 0], [0, 1], [1, 0]]), (2, 2), 2)
    ((0, 1), (1, 1))
    """
    most, mixed = max(levels), min(levels) < max(levels)
    for chosen, later, counts in tuple_counts(rows, levels=most, strength=strength):
        for last, number in np.argwhere(counts == 0).tolist():
            columns, shown = (
                (*chosen, int(later[last])),
                digits(number, levels=most, strength=strength),
            )
            if not mixed or all(x < levels[c] for x, c in zip(shown, columns, strict=True)):
                return columns, shown
    return None


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


def _fused(columns: int, levels: int) -> Array:
    """Drop two rows of an array with one level more, and give that level's entries a new use.

    Level s is that of the first row, so that no other row has it twice. Where column j has it, the
    entry becomes that of the second row, whose pairs are then in rows that had s in column j.
    """
    plan = orthogonal_plan(Shape((levels + 1) ** 2, columns, levels + 1, 2))
    assert plan is not None
    rows = carry_out(plan)
    rows = (rows - rows[0] - 1) % (levels + 1)
    second = 1 + int((rows[1:] == levels).sum(axis=1).argmin())
    fused = np.where(rows == levels, rows[second] % levels, rows)  # where that is s too: any
    kept: Array = np.delete(fused, [0, second], axis=0).astype(np.int32)
    return kept


def _product(columns: int, levels: int, width: int) -> Array:
    """Repeat each column of a smaller array; below, tell the copies apart.

    Copies show equal pairs above; below stand the rows of a transversal design that are not
    constant, once those of one last symbol are made constant by a new name of each symbol.
    """
    _, above = _uniform(max(2, -(-columns // width)), levels, 2)
    design = transversal_array(width + 1, levels)
    constant = design[design[:, -1] == 0]
    below = design[design[:, -1] != 0][:, :width]
    names = np.argsort(constant[:, :width], axis=0)  # row i of the constant ones becomes i
    below = names[below, np.arange(width)]
    place = np.arange(columns)
    found = [above[:, place // width], below[:, place % width]]
    return np.concatenate(found).astype(np.int32)


def _doubled(columns: int, levels: int) -> Array:
    """Repeat each column of an array of strength 3; below, one of strength 2 and its shifts.

    The halves of the columns show equal levels above, and differ by each i ≠ 0 below.
    """
    half = -(-columns // 2)
    _, three = _uniform(max(3, half), levels, 3)
    _, two = _uniform(max(2, half), levels, 2)
    three, two = three[:, :half], two[:, :half]
    shifted = [np.hstack([two, (two + i) % levels]) for i in range(1, levels)]
    return np.concatenate([np.hstack([three, three]), *shifted])[:, :columns]


def _hadamard(columns: int, levels: int, strength: int, limit: int) -> Array | None:
    """Return the smallest Hadamard matrix, or one and its negative, that covers; or None."""
    if levels > 2:
        return None
    for runs in range(-(-(2**strength) // 4) * 4, limit, 4):
        for order, first in ((runs, 1), (runs // 2, 0)):
            if order < columns + first or hadamard_recipe(order) is None:
                continue
            signs = normalised(hadamard_matrix(order))[:, first : columns + first]
            both = signs if order == runs else np.concatenate([signs, -signs])
            rows: Array = (both == -1).astype(np.int32)
            if missing(rows, (2,) * columns, strength) is None:
                return rows
    return None


def _cyclotomic(columns: int, levels: int, strength: int, limit: int) -> Array | None:
    """Return the least circulant of classes of logarithms modulo p that covers, or None."""
    least = max(columns, levels**strength)
    for p in range(least - least % levels + 1, limit, levels):
        if p < least or not is_prime(p):
            continue
        power, root = 1, primitive_root(p)
        row = np.zeros(p, dtype=np.int32)
        for exponent in range(p - 1):
            row[power] = exponent % levels
            power = power * root % p
        rows: Array = row[(np.arange(columns)[None, :] - np.arange(p)[:, None]) % p]
        if missing(rows, (levels,) * columns, strength) is None:
            return rows
    return None


def _greedy(levels: tuple[int, ...], strength: int) -> Array:
    """Fill rows column by column, in several orders of the columns; return the fewest rows.

    The first order takes those columns first that have most to gain, the others are random.
    """
    starts = np.concatenate([[0], np.cumsum(levels)])
    everything = _all_open(np.repeat(np.arange(len(levels)), levels), strength)
    draws = Draws(0)
    best = _rows_of_density(everything.copy(), levels, starts, None)
    row = everything.size + PER_COLUMN * len(levels)
    for _ in range(min(MOST_ORDERS, MAX_TRIED // (row * len(best)))):
        rows = _rows_of_density(everything.copy(), levels, starts, draws)
        best = min(best, rows, key=len)
    return best


def _rows_of_density(
    open_tuples: NDArray[np.float64],
    levels: tuple[int, ...],
    starts: NDArray[np.int64],
    draws: Draws | None,
) -> Array:
    """Give each column in turn the level that covers most new tuples, on average.

    A pair of a column and a level has one number. Tuples with columns that are not yet filled count
    as if these were drawn at random: `chance` is how likely a row shows each pair.
    """
    fair = 1 / np.repeat(np.array(levels, dtype=np.float64), levels)
    rows = []
    while open_tuples.any():
        chance, row = fair.copy(), np.empty(len(levels), dtype=np.int32)
        weight = np.add.reduceat(_expected(open_tuples, chance), starts[:-1])
        order = np.argsort(-np.round(weight, 6), kind="stable")
        for column in order if draws is None else draws.permutation(len(levels)):
            mine = slice(starts[column], starts[column + 1])
            row[column] = np.round(_expected(open_tuples[mine], chance), 6).argmax()
            chance[mine] = 0
            chance[starts[column] + row[column]] = 1
        open_tuples[np.ix_(*[starts[:-1] + row] * open_tuples.ndim)] = 0
        rows.append(row)
    return np.array(rows, dtype=np.int32)


def _all_open(column_of: NDArray[np.int64], strength: int) -> NDArray[np.float64]:
    """Return 1 for each tuple of pairs whose columns are different, on one axis a pair."""
    axes = np.meshgrid(*[column_of] * strength, indexing="ij", sparse=True)
    different = np.ones((1,) * strength, dtype=bool)
    for one, other in combinations(axes, 2):
        different = different & (one != other)
    return different.astype(np.float64)


def _expected(open_tuples: NDArray[np.float64], chance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each entry of the first axis how many open tuples with it a row would show."""
    found = open_tuples @ chance
    while found.ndim > 1:
        found = found @ chance
    return found
