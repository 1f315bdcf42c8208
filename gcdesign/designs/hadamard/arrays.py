"""Circulant matrices and the arrays of Williamson, Goethals and Seidel, Cooper and Wallis."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.hadamard.paley import Signs

Matrix = NDArray[np.int8]

_QUATERNIONS = (
    ((0, 1), (1, 1), (2, 1), (3, 1)),
    ((1, -1), (0, 1), (3, 1), (2, -1)),
    ((2, -1), (3, -1), (0, 1), (1, 1)),
    ((3, -1), (2, 1), (1, -1), (0, 1)),
)
"""Which Williamson matrix, with which sign, goes with T-matrix i in each of the four sums."""


def circulant(row: NDArray[np.int8]) -> Matrix:
    """Return the circulant matrix with this first row: entry (i, j) is ``row[j − i]``."""
    n = len(row)
    places = np.arange(n)
    matrix: Matrix = row[(places[None, :] - places[:, None]) % n]
    return matrix


def goethals_seidel(four: Sequence[Matrix], *, block: int = 1) -> Signs:
    """Return the Goethals–Seidel array of four matrices that are circulant in blocks.

    A Hadamard matrix of order 4n if the four are n × n, with AAᵀ + BBᵀ + CCᵀ + DDᵀ = 4nI.

    Parameters
    ----------
    four
        A, B, C, D: circulant matrices of blocks; the blocks are symmetric and commute, so that
        the transpose of each is the circulant of the same blocks in the other direction.
    block
        Side of the blocks.

    Notes
    -----
    Source: Goethals and Seidel 1967.
    """
    a, b, c, d = four
    turns = len(a) // block

    def reversed_columns(matrix: Matrix) -> Matrix:
        columns = matrix.reshape(len(matrix), turns, block)[:, ::-1]
        return columns.reshape(len(matrix), -1)

    br, cr, dr = (reversed_columns(matrix) for matrix in (b, c, d))
    bt, ct, dt = (reversed_columns(matrix.T) for matrix in (b, c, d))
    return np.block([[a, br, cr, dr], [-br, a, dt, -ct], [-cr, -dt, a, bt], [-dr, ct, -bt, a]])


def cooper_wallis(t_rows: NDArray[np.int8], williamson: NDArray[np.int8]) -> Signs:
    """Return the Hadamard matrix of order 4tn of T-matrices and Williamson matrices.

    Parameters
    ----------
    t_rows
        Shape (4, t): first rows of circulant T-matrices, disjoint, with ΣXᵢXᵢᵀ = tI.
    williamson
        Shape (4, n): first rows of symmetric circulant ±1 matrices whose squares add up to 4nI.

    Notes
    -----
    Source: Cooper and Wallis 1972, Turyn 1974.
    """
    x = [circulant(row) for row in t_rows]
    w = [circulant(row) for row in williamson]
    four = [
        sum(sign * np.kron(x[i], w[which]) for i, (which, sign) in enumerate(row))
        for row in _QUATERNIONS
    ]
    return goethals_seidel([np.asarray(m, dtype=np.int8) for m in four], block=len(w[0]))
