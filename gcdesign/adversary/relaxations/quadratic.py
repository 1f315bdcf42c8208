"""The worst error as a quadratic problem in the silent workers' variables, with sparse solutions.

The error of a set F of silent workers is the greatest 2·1ᵀy − yᵀy over y with Ey zero outside F.
With z = Ey it is at most

    constant + max {2cᵀz − zᵀQz : z zero outside F} = constant + c_Fᵀ(Q_FF)⁻¹c_F

for any Q, c and constant for which constant + 2(Eᵀc − 1)ᵀy + yᵀ(I − EᵀQE)y ≥ 0 for all y. The
choice Q = (EEᵀ)⁺, c = QE1 makes that an equality; where the workers' rows are dependent, Q is
large across the range of E, which costs nothing. Here Q is a little less, so that the
inequality is proved for the floats that Q and c are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.relaxations.definite import EPSILON, Matrix, corner
from gcdesign.codes import GradientCode

DEPENDENT = 1e-10
"""Singular values of the levelled code below this part of the greatest count as 0."""

ACROSS = 1e4
"""How much greater than its mean Q is made across the range of E."""

SLACKS = (1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4)
"""Parts of it by which Q is lowered, until the inequality is proved."""


@dataclass(frozen=True, eq=False)
class SparseQuadratic:
    """Q, c and the constant of a code: a proved upper bound of every set's error.

    Attributes
    ----------
    matrix
        Q, shape (N, N), exactly symmetric.
    linear
        c, shape (N,).
    constant
        The rest.
    powers
        Shape (N,): worker w's row was multiplied by 2^powers[w]; no error changes.
    basis
        Shape (N, rank), orthonormal: the range of E; None if that is everything.
    """

    matrix: Matrix
    linear: Matrix
    constant: float
    powers: NDArray[np.int64]
    basis: Matrix | None

    @property
    def workers(self) -> int:
        """Number of workers N."""
        return len(self.linear)

    def restricted(self, chosen: NDArray[np.int64]) -> tuple[Matrix, Matrix]:
        """Return Q and c of some workers."""
        return self.matrix[np.ix_(chosen, chosen)], self.linear[chosen]

    def value(self, silent: NDArray[np.int64]) -> float:
        """Return the error of a set of silent workers, up to rounding."""
        matrix, linear = self.restricted(silent)
        return self.constant + float(linear @ np.linalg.solve(matrix, linear))


def normalised_rows(code: GradientCode) -> tuple[Matrix, NDArray[np.int64]]:
    """Return E with rows scaled by powers of 2 to lengths from about 0.7 to 1.4, and the powers.

    Nothing is rounded.

    Examples
    --------
    >>> normalised_rows(GradientCode.from_matrix(np.array([[3.0, 4.0]])))
    (array([[0.75, 1.  ]]), array([-2]))
    """
    dense = code.dense_encoding()
    greatest = np.abs(dense).max(axis=1, initial=0.0)
    level = -np.frexp(np.where(greatest > 0, greatest, 1.0))[1]
    lengths = np.linalg.norm(np.ldexp(dense, level[:, None]), axis=1)
    rest = -np.rint(np.log2(np.where(lengths > 0, lengths, 1.0))).astype(np.int64)
    powers = level.astype(np.int64) + rest
    return np.ldexp(dense, powers[:, None]), powers


def product_radius(*factors: Matrix) -> float:
    """Return how far, in the spectral norm, rounding may carry a product computed in floats.

    The error of each entry is at most γ times the entry of the product of absolute values, γ
    for the sum of the lengths; of a matrix the greatest sum of a row bounds the norm.
    """
    length = sum(f.shape[0] for f in factors[1:]) + 2 * len(factors)
    columns = np.ones(factors[-1].shape[-1])
    rows = np.ones(factors[0].shape[0])
    for one in reversed(factors):
        columns = np.abs(one) @ columns
    for one in factors:
        rows = rows @ np.abs(one)
    # The spectral norm is at most the root of the greatest sums of rows and of columns.
    norm = float(np.sqrt(columns.max(initial=0.0) * rows.max(initial=0.0)))
    return float(length * EPSILON * norm)


def sparse_quadratic(code: GradientCode) -> SparseQuadratic | None:
    """Return the quadratic problem of a code; None if rounding keeps it from being proved.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> quadratic = sparse_quadratic(GradientCode.from_design(projective_geometry(2)))
    >>> round(quadratic.value(np.array([0, 1, 2])), 6)
    1.0
    """
    encoding, powers = normalised_rows(code)
    left, sizes, right = np.linalg.svd(encoding, full_matrices=False)
    rank = int((sizes > DEPENDENT * sizes.max(initial=0.0)).sum())
    if rank == 0:
        return None
    left, sizes, right = left[:, :rank], sizes[:rank], right[:rank]
    matrix = (left / sizes**2) @ left.T
    basis = None
    if rank < len(encoding):
        basis = left
        across = ACROSS * float((1 / sizes**2).mean())
        matrix += across * (np.eye(len(encoding)) - left @ left.T)
    matrix = (matrix + matrix.T) / 2
    linear = (left / sizes) @ right.sum(axis=1)
    for slack in SLACKS:
        lowered = matrix * (1 - slack)
        constant = _constant(encoding, lowered, linear)
        if constant is not None:
            return SparseQuadratic(lowered, linear, constant, powers, basis)
    return None


def _constant(encoding: Matrix, matrix: Matrix, linear: Matrix) -> float | None:
    """Return a proved constant for Q and c as they are, or None."""
    gap = np.eye(encoding.shape[1]) - encoding.T @ matrix @ encoding
    gap = (gap + gap.T) / 2
    residual = encoding.T @ linear - 1
    return corner(
        gap,
        residual,
        radius=product_radius(encoding.T, matrix, encoding) + 4 * EPSILON * len(gap),
        vector_radius=product_radius(encoding.T, linear[:, None]) + 4 * EPSILON * len(gap),
    )
