"""Is a symmetric matrix of whole numbers positive semidefinite? Answered with certainty.

Matrices are lower triangles: row i is a list of i + 1 whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from operator import mul

from gcdesign.checker.verdicts import Budget, TooMuch

Triangle = Sequence[Sequence[int]]

EXACT_AT_ONCE = 16
"""Up to this size elimination in whole numbers comes first: it is as fast."""
MAX_MEMORY = 1 << 29
"""Bytes that the whole numbers of an exact elimination may take."""
FARTHEST = 2.0**60
"""A direction with greater entries, beside the last, which is 1, is not tried."""


def _plain_product(row: Sequence[float], other: Sequence[float]) -> float:
    total: float = sum(map(mul, row, other))
    return total


dot: Callable[[Sequence[float], Sequence[float]], float] = getattr(math, "sumprod", _plain_product)


def semidefinite(matrix: Triangle, budget: Budget) -> bool:
    """Return whether a symmetric matrix is positive semidefinite.

    Raises
    ------
    TooMuch
        If neither rounding leaves enough room nor exact elimination is within the limits.

    Examples
    --------
    >>> semidefinite([[1], [1, 1]], Budget(None)), semidefinite([[1], [2, 3]], Budget(None))
    (True, False)
    """
    kept = [i for i, row in enumerate(matrix) if row[i] != 0]
    if len(kept) < len(matrix):
        if not _zero_rows(matrix):
            return False
        matrix = [[matrix[i][j] for j in kept[: n + 1]] for n, i in enumerate(kept)]
    if not _minors(matrix, budget):
        return False
    if len(matrix) > EXACT_AT_ONCE:
        verdict = _by_floats(matrix, budget)
        if verdict is not None:
            return verdict
    return _exactly(matrix, budget)


def check_memory(rows: int, digits: int) -> None:
    """Refuse an exact elimination of so many rows, of so many binary digits on the diagonal.

    After k steps (n − k)²/2 entries of k times the digits are left: n³/13.5 digits at most.

    Raises
    ------
    TooMuch
        If that would fill the memory.
    """
    if rows**3 * digits > 108 * MAX_MEMORY:
        raise TooMuch(f"a matrix of {rows} rows is too large to be eliminated exactly")


def _zero_rows(matrix: Triangle) -> bool:
    """Return whether every row with 0 on the diagonal is 0."""
    empty = {i for i, row in enumerate(matrix) if row[i] == 0}
    return all(
        not any(row) if i in empty else not any(row[j] for j in empty if j < i)
        for i, row in enumerate(matrix)
    )


def _minors(matrix: Triangle, budget: Budget) -> bool:
    """Return whether the diagonal is positive and no minor of two rows is negative."""
    diagonal = [row[i] for i, row in enumerate(matrix)]
    for i, row in enumerate(matrix):
        budget.spend(i)
        if row[i] <= 0 or any(x * x > row[i] * d for x, d in zip(row, diagonal, strict=False)):
            return False
    return True


def _exactly(matrix: Triangle, budget: Budget) -> bool:
    """Decide by symmetric elimination in whole numbers (Bareiss 1968).

    Entries are minors, so every division leaves no remainder. Where a pivot is 0 its row must be
    0, and is left out.
    """
    rows = [list(row) for row in matrix]
    digits = max((row[i].bit_length() for i, row in enumerate(rows)), default=0)
    check_memory(len(rows), digits)
    before = 1
    while rows:
        pivot, *_ = rows.pop(0)
        column = [row.pop(0) for row in rows]
        if pivot < 0 or (pivot == 0 and any(column)):
            return False
        if pivot == 0:
            continue
        for i, row in enumerate(rows):
            budget.spend((i + 1) * (1 + pivot.bit_length() // 256))
            factor = column[i]
            rows[i] = (
                [(pivot * x - factor * c) // before for x, c in zip(row, column, strict=False)]
                if factor
                else [pivot * x // before for x in row]
            )
        before = pivot
    return True


def _by_floats(matrix: Triangle, budget: Budget) -> bool | None:
    """Decide by a Cholesky factorisation in floating point, or not at all.

    Expects `_minors` to hold, so that every entry is at most the trace, t, and the Frobenius norm
    as well. With u = 2⁻⁵³ and n rows, the factorisation of B that runs to completion is an exact
    one of B + D with |D| ≤ γ |R|ᵀ|R| for γ = (n + 4)u / (1 − (n + 4)u), in any order of summation
    (Higham, Accuracy and Stability, 2nd ed., theorem 10.3), whence the least eigenvalue of B is
    at least −γ/(1 − γ) tr B. Rounding the entries moves it by at most ut. Underflow, after
    scaling to a greatest entry between 1/2 and 1, is far below what is left when c is taken as
    4(n + 5)ut, more than twice the sum of the two; so A − cI may be factored in place of A, and
    A is positive definite if that succeeds.
    """
    n = len(matrix)
    trace = sum(row[i] for i, row in enumerate(matrix))
    shift = (4 * (n + 5) * trace >> 53) + 1
    scale = 1 << max(row[i] for i, row in enumerate(matrix)).bit_length()
    factor: list[list[float]] = []
    diagonal: list[float] = []
    for i, entries in enumerate(matrix):
        budget.spend(i * i // 2)
        row: list[float] = []
        for entry, above, pivot in zip(entries, factor, diagonal, strict=False):
            row.append((entry / scale - dot(row, above)) / pivot)
        rest = (entries[i] - shift) / scale - dot(row, row)
        if not rest > 0:
            return _negative_direction(matrix, factor, diagonal, row)
        factor.append(row)
        diagonal.append(math.sqrt(rest))
    return True


def _negative_direction(
    matrix: Triangle, factor: list[list[float]], diagonal: list[float], last: list[float]
) -> bool | None:
    """Return False if a direction in which the form is negative is found, else None.

    It is read off where the factorisation broke down, and checked in whole numbers.
    """
    rest, direction = list(last), [1.0]
    for row, pivot in zip(reversed(factor), reversed(diagonal), strict=True):
        step = rest.pop() / pivot
        direction.append(-step)
        rest = [x - step * y for x, y in zip(rest, row, strict=True)]
    if not all(abs(x) < FARTHEST for x in direction):  # nor is it where one is NaN
        return None
    rounded = [round(x * 2**40) for x in reversed(direction)]
    value = sum(
        x * (2 * sum(map(mul, row[:i], rounded)) + row[i] * x)
        for i, (x, row) in enumerate(zip(rounded, matrix, strict=False))
    )
    return False if value < 0 else None
