"""Williamson matrices: four symmetric circulants of ±1 whose squares add up to 4nI."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.fields import galois_field, prime_power
from gcdesign.designs.hadamard.stored import stored, unpack_signs
from gcdesign.designs.singer import singer_powers
from gcdesign.errors import InputError


def has_williamson(n: int) -> bool:
    """Whether `williamson_rows` knows Williamson matrices of order n."""
    return n == 1 or _turyn_order(n) or str(n) in stored("williamson")


def williamson_rows(n: int) -> NDArray[np.int8]:
    """Return the first rows of Williamson matrices of order n, shape (4, n).

    Raises
    ------
    InputError
        If none are known here.

    Notes
    -----
    Source: Turyn 1972, where 2n − 1 ≡ 1 (mod 4) is a prime power; Williamson 1944 for n = 43.

    Examples
    --------
    >>> williamson_rows(3).tolist()
    [[1, -1, -1], [-1, -1, -1], [1, -1, -1], [1, -1, -1]]
    """
    if n == 1:
        return np.ones((4, 1), dtype=np.int8)
    if _turyn_order(n):
        return _turyn(n)
    if str(n) not in stored("williamson"):
        raise InputError(f"n={n}; no Williamson matrices of this order are known here")
    halves = unpack_signs(stored("williamson")[str(n)])  # entries 0 … (n − 1)/2: the rest mirrors
    return np.concatenate([halves, halves[:, :0:-1]], axis=1)


def _turyn_order(n: int) -> bool:
    return n % 2 == 1 and n > 1 and prime_power(2 * n - 1) is not None


def _turyn(n: int) -> NDArray[np.int8]:
    """Return Turyn's four rows, from the conference matrix of order 2n, q = 2n − 1.

    The points of the projective line in the order α^(4i), α^(4i + n) of a Singer cycle make it
    [[A, B], [B, −A]] with symmetric circulants, A² + B² = qI: then A + I, A − I, B, B do it.
    The entry of two points is χ of their determinant; det(1, α^e) is the coefficient of α in
    α^e, and α^(2n) is a non-square of GF(q).
    """
    q = 2 * n - 1
    field = galois_field(q)
    coefficient = singer_powers(q, 1)[:, 1]
    signs = np.where(field.log[coefficient] % 2 == 0, 1, -1) * (coefficient != 0)
    exponents = 4 * np.arange(n)

    def character(e: NDArray[np.int64]) -> NDArray[np.int64]:
        turn, place = np.divmod(e % (4 * n), 2 * n)
        values: NDArray[np.int64] = signs[place] * np.where(turn == 1, -1, 1)
        return values

    a, b = character(exponents), character(exponents + n)
    one = np.eye(1, n, dtype=np.int64)[0]
    return np.stack([a + one, a - one, b, b]).astype(np.int8)
