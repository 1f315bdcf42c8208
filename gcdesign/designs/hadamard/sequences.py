"""T-sequences: four disjoint sequences of 0 and ±1 that fill t places.

Their non-periodic autocorrelations add up to zero; for T-matrices it is enough that the periodic
ones do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.hadamard.stored import stored, unpack_signs
from gcdesign.errors import InputError

Rows = NDArray[np.int8]

_GOLAY = {1: ("+", "+"), 10: ("++-+-+--++", "++-+++++--")}
"""Golay pairs from which doubling makes those that are used here."""


def has_t_rows(t: int) -> bool:
    """Whether `t_rows` knows T-matrices of order t."""
    return t == 1 or str(t) in stored("t_matrices") or _turyn_type_length(t) or _golay_length(t)


def t_rows(t: int) -> Rows:
    """Return the first rows of T-matrices of order t, shape (4, t).

    Raises
    ------
    InputError
        If none are known here.

    Notes
    -----
    Source: Turyn 1974 (from Golay pairs of length (t − 1)/2, and from Turyn-type sequences of
    length (t + 1)/3); the sequences are those of Best, Đoković, Kharaghani and Ramp 2013 and,
    for t = 107, Kharaghani and Tayfeh-Rezaie 2005. Sawade 1985 for t = 67; t = 7, 13 and 19 were
    found by trying all unions of cosets of a subgroup.

    Examples
    --------
    >>> t_rows(5).tolist()
    [[1, 0, 0, 0, 0], [0, 1, 1, 0, 0], [0, 0, 0, 1, -1], [0, 0, 0, 0, 0]]
    """
    if t == 1:
        return np.array([[1], [0], [0], [0]], dtype=np.int8)
    if str(t) in stored("t_matrices"):
        return unpack_signs(stored("t_matrices")[str(t)])
    if _golay_length(t):
        return _from_golay(*golay_pair((t - 1) // 2))
    if _turyn_type_length(t):
        return _from_turyn_type(stored("turyn_type")[str((t + 1) // 3)])
    raise InputError(f"t={t}; no T-sequences of this length are known here")


def golay_pair(length: int) -> Rows:
    """Return two ±1 sequences whose non-periodic autocorrelations add up to zero, shape (2, g).

    Lengths 2^a and 10 · 2^a: (A, B) gives (AB, A−B).

    Raises
    ------
    InputError
        If the length is neither.
    """
    if length in _GOLAY:
        return unpack_signs(_GOLAY[length])
    if not _golay_length(2 * length + 1):
        raise InputError(f"length={length}; Golay pairs here have length 2^a or 10 * 2^a")
    a, b = golay_pair(length // 2)
    return np.stack([np.concatenate([a, b]), np.concatenate([a, -b])])


def _golay_length(t: int) -> bool:
    """Whether t = 2g + 1 with g = 2^a or 10 · 2^a."""
    g = (t - 1) // 2
    odd = g // (g & -g) if g > 0 else 0
    return t % 2 == 1 and (odd == 1 or (odd == 5 and g % 2 == 0))


def _from_golay(a: NDArray[np.int8], b: NDArray[np.int8]) -> Rows:
    """(1, 0, 0), (0, A, 0), (0, 0, B), 0."""
    rows = np.zeros((4, 1 + 2 * len(a)), dtype=np.int8)
    rows[0, 0], rows[1, 1 : 1 + len(a)], rows[2, 1 + len(a) :] = 1, a, b
    return rows


def _turyn_type_length(t: int) -> bool:
    return t % 3 == 2 and str((t + 1) // 3) in stored("turyn_type")


def _from_turyn_type(digits: str) -> Rows:
    """Return T-sequences of length 3n − 1 from Turyn-type ones X, Y, Z, W of length n, n − 1.

    N_X + N_Y + 2N_Z + 2N_W = 0, so ZW, Z−W, X, Y have autocorrelations that add up to zero, and
    half sums and half differences of two sequences make them disjoint.

    A hexadecimal digit holds one place of the four sequences, the first in its highest bit, a 1
    for −1; the last digit holds three.
    """
    n = len(digits)
    values = np.array([int(digit, 16) for digit in digits])
    bits = (values[:, None] >> np.array([3, 2, 1, 0])) & 1
    bits[-1, :3] = (values[-1] >> np.array([2, 1, 0])) & 1
    x, y, z, w = (1 - 2 * bits.T).astype(np.int8)
    rows = np.zeros((4, 3 * n - 1), dtype=np.int8)
    rows[0, :n], rows[1, n : 2 * n - 1] = z, w[:-1]
    rows[2, 2 * n - 1 :], rows[3, 2 * n - 1 :] = (x + y) // 2, (x - y) // 2
    return rows
