"""Miyamoto's Hadamard matrices of order 4q, from a conference and a smaller Hadamard matrix."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.hadamard.paley import Signs, conference_matrix

_CORNER = np.array([[1, 1, 1, 1], [-1, 1, 1, -1], [-1, -1, 1, 1], [-1, 1, -1, 1]])


def miyamoto(q: int, smaller: NDArray[np.int8]) -> Signs:
    """Return a Hadamard matrix of order 4q, for a prime power q ≡ 1 (mod 4).

    Parameters
    ----------
    q
        The prime power; there is a symmetric conference matrix of order q + 1.
    smaller
        A Hadamard matrix of order q − 1.

    Notes
    -----
    Source: Miyamoto 1991, Theorem 1. With m = (q − 1)/2, the 4 × 4 blocks of side 2m are
    [[U + V, U − V], [U − V, U + V]], bordered by rows of ones, all with the signs of a skew
    Hadamard matrix of order 4. U comes from the conference matrix with its first two rows and
    columns removed, V from the identity and the quarters of the smaller Hadamard matrix.
    """
    m = (q - 1) // 2
    u, v = _from_conference(q), _from_quarters(smaller.astype(np.int64))
    inner = np.zeros((8 * m, 8 * m), dtype=np.int64)
    for i in range(4):
        for j in range(4):
            here = np.s_[i * m : (i + 1) * m, j * m : (j + 1) * m]
            block = np.kron(np.ones((2, 2), int), u[here])
            block = block + np.kron(np.array([[1, -1], [-1, 1]]), v[here])
            inner[i * 2 * m : (i + 1) * 2 * m, j * 2 * m : (j + 1) * 2 * m] = block * _CORNER[i, j]
    border = np.kron(_CORNER - 2 * np.eye(4, dtype=int), np.ones((2 * m, 1), int))
    top = np.kron(_CORNER - 2 * np.eye(4, dtype=int), np.ones((1, 2 * m), int))
    return np.block([[_CORNER, top], [border, inner]]).astype(np.int8)


def _from_conference(q: int) -> NDArray[np.int64]:
    conference = conference_matrix(q + 1).astype(np.int64)
    rest = np.arange(2, q + 1)
    rest = np.concatenate([rest[conference[1, rest] == 1], rest[conference[1, rest] == -1]])
    core, m = conference[np.ix_(rest, rest)], (q - 1) // 2
    core[:m, :m] *= -1
    return np.kron(np.eye(2, dtype=int), core)


def _from_quarters(smaller: NDArray[np.int64]) -> NDArray[np.int64]:
    quarters, m = smaller.copy(), len(smaller) // 2
    quarters[m:, :m] *= -1
    one = np.eye(2 * m, dtype=np.int64)
    return np.block([[one, quarters], [quarters.T, one]])
