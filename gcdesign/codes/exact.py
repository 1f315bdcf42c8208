"""Optimal decoding in exact rational arithmetic, for integer encoding matrices."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAX_SURVIVORS = 250
"""Largest number of survivors for which the normal equations are solved in fractions."""


def whole_rows(encoding: NDArray[np.float64]) -> NDArray[Any]:
    """Return each row times a power of 2 that makes it whole, as Python integers.

    Floats are fractions over powers of 2, so nothing is rounded; and a worker that sends a
    multiple of its row is decoded with the same error.

    Examples
    --------
    >>> whole_rows(np.array([[0.5, 1.0], [3.0, 0.25]])).tolist()
    [[1, 2], [12, 1]]
    """
    rows = np.empty(encoding.shape, dtype=object)
    for number, row in enumerate(encoding.tolist()):
        ratios = [value.as_integer_ratio() for value in row]
        scale = max((below for _, below in ratios), default=1)
        rows[number] = [above * (scale // below) for above, below in ratios]
    return rows


def least_squares(rows: NDArray[Any]) -> tuple[list[Fraction], Fraction]:
    """Minimise ‖rowsᵀ v − 1‖² over rational v, exactly.

    Parameters
    ----------
    rows
        Shape (f, K), whole numbers, also as objects: the rows of the surviving workers.

    Returns
    -------
    v, error
        One minimiser (dependent rows get weight 0) and the minimum, K − gᵀv with
        g = rows · 1, since v solves the normal equations.

    Examples
    --------
    >>> least_squares(np.array([[1, 1, 0], [0, 1, 1]]))
    ([Fraction(2, 3), Fraction(2, 3)], Fraction(1, 3))
    """
    from sympy import ZZ
    from sympy.polys.matrices import DomainMatrix

    f, parts = rows.shape
    if f == 0:
        return [], Fraction(parts)
    sums = rows.sum(axis=1)
    augmented = np.column_stack([rows @ rows.T, sums]).tolist()
    system = DomainMatrix([[ZZ(x) for x in row] for row in augmented], (f, f + 1), ZZ)
    reduced, denominator, pivots = system.rref_den()
    solution = [Fraction(0)] * f
    for row, pivot in enumerate(pivots):
        solution[pivot] = Fraction(int(reduced[row, f].element), int(denominator))
    captured = sum((int(s) * v for s, v in zip(sums, solution, strict=True)), Fraction(0))
    return solution, parts - captured


def error_of_gram(
    gram: list[list[int]], sums: list[int], parts: int, alive: Sequence[int]
) -> Fraction:
    """Return K − gᵀG⁻¹g for the survivors, by fraction-free elimination of their Gram matrix.

    The quickest way to the errors of many small sets, where no weights are wanted.

    Parameters
    ----------
    gram, sums, parts
        EEᵀ and E1 of all workers, whole numbers, and K.
    alive
        The surviving workers.

    Notes
    -----
    Source: Bareiss 1968. A pivot of 0 in a positive semidefinite matrix has a row of zeros: that
    worker depends on those before, and is left out.

    Examples
    --------
    >>> error_of_gram([[2, 1], [1, 2]], [2, 2], 3, [0, 1])
    Fraction(1, 3)
    """
    rows = [[*(gram[i][j] for j in alive), sums[i]] for i in alive]
    rows.append([*(sums[j] for j in alive), parts])
    before = 1
    while len(rows) > 1:
        first, *rest = rows
        pivot = first[0]
        if pivot == 0:
            rows = [row[1:] for row in rest]
            continue
        rows = [
            [(pivot * x - row[0] * y) // before for x, y in zip(row[1:], first[1:], strict=True)]
            for row in rest
        ]
        before = pivot
    return Fraction(rows[0][0], before)
