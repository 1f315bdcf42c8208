"""Proofs in floating point, and in whole numbers, that a symmetric matrix is positive semidefinite.

If a Cholesky factorisation of A − cI runs to its end in floating point, and c is more than all
that rounding may have done, then A is positive definite. For n rows c ≥ γ/(1 − γ) tr A is enough,
γ = (n + 1)u/(1 − (n + 1)u) and u = 2⁻⁵³, in whatever order the sums are taken. What is used here
is more than twice that, which also covers the rounding of the subtraction.

Source: Rump, Verification of positive definiteness, BIT 46 (2006), Theorem 2.3 and Corollary 2.4.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

EPSILON = 2.0**-52
UNDERFLOW = 1e-280
WIDENINGS = (1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3)
"""Relative amounts by which a computed corner is enlarged until it is proved."""


def shift(matrix: Matrix, radius: float = 0.0) -> float:
    """Return what is to be taken off the diagonal: rounding of the factors, and ``radius``."""
    n = len(matrix)
    rounding = (n + 3) * EPSILON * float(np.abs(np.diagonal(matrix)).sum())
    return rounding + radius * (1 + 4 * EPSILON) + UNDERFLOW


def factor(matrix: Matrix, radius: float = 0.0) -> Matrix | None:
    """Return a Cholesky factor of the matrix less its `shift`, or None if there is none.

    Where there is one, every symmetric matrix within ``radius``, in the spectral norm, of this
    one is positive definite.

    Examples
    --------
    >>> factor(np.array([[2.0, 1.0], [1.0, 2.0]])) is None
    False
    >>> factor(np.ones((2, 2))) is None
    True
    """
    lowered = matrix.copy()
    lowered[np.diag_indices_from(lowered)] -= shift(matrix, radius)
    try:
        return np.asarray(np.linalg.cholesky(lowered), dtype=np.float64)
    except np.linalg.LinAlgError:
        return None


def bordered(matrix: Matrix, vector: Matrix, corner: float) -> Matrix:
    """Return [[matrix, vector], [vectorᵀ, corner]]."""
    n = len(matrix)
    whole = np.empty((n + 1, n + 1))
    whole[:n, :n], whole[:n, n], whole[n, :n], whole[n, n] = matrix, vector, vector, corner
    return whole


def corner(
    matrix: Matrix, vector: Matrix, *, radius: float = 0.0, vector_radius: float = 0.0
) -> float | None:
    """Return a proved b with [[A, v], [vᵀ, b]] positive definite, nearly the least.

    Parameters
    ----------
    matrix, vector
        Shapes (n, n) and (n,).
    radius, vector_radius
        How far the true A and v may be from these, in norm.

    Returns
    -------
    float or None
        None if A could not be proved positive definite.

    Examples
    --------
    >>> round(corner(np.diag([1.0, 4.0]), np.array([1.0, 2.0])), 9)
    2.0
    """
    total = radius + vector_radius
    lower = factor(matrix, total)
    if lower is None:
        return None
    half = np.linalg.solve(lower, vector)
    least = float(half @ half)
    for more in WIDENINGS:
        candidate = least * (1 + more) + more * 1e-3 + 2 * total
        if proves_corner(matrix, vector, candidate, radius=radius, vector_radius=vector_radius):
            return candidate
    return None


def proves_corner(
    matrix: Matrix,
    vector: Matrix,
    value: float,
    *,
    radius: float = 0.0,
    vector_radius: float = 0.0,
) -> bool:
    """Whether [[A, v], [vᵀ, value]] is proved positive definite.

    Examples
    --------
    >>> proves_corner(np.diag([1.0, 4.0]), np.array([1.0, 2.0]), 1.9)
    False
    """
    return factor(bordered(matrix, vector, value), radius + vector_radius) is not None


def rounded_up(value: float, digits: int = 12) -> Fraction:
    """Return a short fraction that is no less: a multiple of 10^−digits.

    Examples
    --------
    >>> rounded_up(0.25), rounded_up(1 / 3, 3)
    (Fraction(1, 4), Fraction(167, 500))
    """
    return Fraction(ceil(Fraction(value) * 10**digits), 10**digits)


def is_semidefinite(rows: list[list[int]]) -> bool:
    """Whether a symmetric matrix of whole numbers is positive semidefinite, decided exactly.

    Fraction-free elimination: a zero pivot needs a zero row, a negative one decides.

    Examples
    --------
    >>> is_semidefinite([[1, 1], [1, 1]]), is_semidefinite([[0, 1], [1, 5]])
    (True, False)
    """
    left = [list(row) for row in rows]
    before = 1
    while left:
        at = max(range(len(left)), key=lambda i: left[i][i])
        pivot = left[at][at]
        if min(left[i][i] for i in range(len(left))) < 0:
            return False
        if pivot == 0:
            return all(entry == 0 for row in left for entry in row)
        across = left.pop(at)
        column = across[:at] + across[at + 1 :]
        left = [
            [
                (pivot * entry - column[i] * other) // before
                for entry, other in zip(row[:at] + row[at + 1 :], column, strict=True)
            ]
            for i, row in enumerate(left)
        ]
        before = pivot
    return True
