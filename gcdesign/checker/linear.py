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

    Rows and columns are first scaled by powers of 2 to a diagonal between 1/4 and 1; since
    `_minors` holds, no entry is greater. With u = 2⁻⁵³ and n rows the trace and the Frobenius norm
    are then at most n. A factorisation of B that runs to completion is an exact one of B + D with
    |D| ≤ γ |R|ᵀ|R| for γ = (n + 4)u / (1 − (n + 4)u), in any order of summation (Higham, Accuracy
    and Stability, 2nd ed., theorem 10.3), whence the least eigenvalue of B is at least
    −γn/(1 − γ). Rounding the entries moves it by at most un. With c = 4(n + 5)un, more than twice
    the sum of the two, far more than underflow could need, A − cI is factored in place of A; if
    that succeeds, A is positive definite.
    """
    n = len(matrix)
    halves = [(row[i].bit_length() + 1) // 2 for i, row in enumerate(matrix)]
    shift = 4 * (n + 5) * n  # times u
    factor: list[list[float]] = []
    diagonal: list[float] = []
    for i, (entries, half) in enumerate(zip(matrix, halves, strict=True)):
        budget.spend(i * i // 2)
        row: list[float] = []
        for entry, other, above, pivot in zip(entries, halves, factor, diagonal, strict=False):
            row.append((entry / (1 << half + other) - dot(row, above)) / pivot)
        own = ((entries[i] << 53) - (shift << 2 * half)) / (1 << 53 + 2 * half)
        rest = own - dot(row, row)
        if not rest > 0:
            direction = _direction(factor, diagonal, row)
            return False if direction and _negative(matrix, direction, halves) else None
        factor.append(row)
        diagonal.append(math.sqrt(rest))
    return True


def _direction(
    factor: list[list[float]], diagonal: list[float], last: list[float]
) -> list[float] | None:
    """Return the direction in which the form is least where a factorisation broke down.

    The last entry is 1; None if others are far greater, or no numbers.
    """
    rest, direction = list(last), [1.0]
    for row, pivot in zip(reversed(factor), reversed(diagonal), strict=True):
        step = rest.pop() / pivot
        direction.append(-step)
        rest = [x - step * y for x, y in zip(rest, row, strict=True)]
    return direction[::-1] if all(abs(x) < FARTHEST for x in direction) else None


def _negative(matrix: Triangle, direction: list[float], halves: list[int]) -> bool:
    """Return whether the form is negative in a direction of the scaled matrix, for certain."""
    most = max(halves)
    x = [
        round(entry * 2**40) << most - half for entry, half in zip(direction, halves, strict=False)
    ]
    value: int = sum(
        entry * (2 * sum(map(mul, row[:i], x)) + row[i] * entry)
        for i, (entry, row) in enumerate(zip(x, matrix, strict=False))
    )
    return value < 0
