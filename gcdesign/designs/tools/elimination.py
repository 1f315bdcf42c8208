"""Ranks of integer matrices modulo a prime, over the rationals, and modulo powers of a prime."""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt, log2

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import InputError, LimitError

MAX_PRIME = 1 << 23
"""Products of two numbers below a prime, added `PANEL` times, must be exact in floats."""

PANEL = 64
"""Columns that are eliminated before the rest of the matrix is touched."""

MAX_MODULUS = 1 << 31
"""Products of two numbers below a prime power must be exact in 64 bits."""


def is_prime(number: int) -> bool:
    """Return whether a number, not too large, is prime.

    Examples
    --------
    >>> [n for n in range(20) if is_prime(n)]
    [2, 3, 5, 7, 11, 13, 17, 19]
    """
    return number > 1 and all(number % d for d in range(2, isqrt(number) + 1))


def rank_mod(matrix: NDArray[np.integer], p: int) -> int:
    """Return the rank of an integer matrix over GF(p).

    Panels of columns are eliminated one by one; the rest of the matrix is brought up to date by
    one product of matrices for each panel, in floats that hold every number exactly.

    Raises
    ------
    InputError
        If p is no prime, or larger than `MAX_PRIME`.

    Examples
    --------
    >>> fano = np.array([[1, 1, 0, 1, 0, 0, 0], [0, 1, 1, 0, 1, 0, 0], [0, 0, 1, 1, 0, 1, 0],
    ...                  [0, 0, 0, 1, 1, 0, 1], [1, 0, 0, 0, 1, 1, 0], [0, 1, 0, 0, 0, 1, 1],
    ...                  [1, 0, 1, 0, 0, 0, 1]])
    >>> rank_mod(fano, 2), rank_mod(fano, 3), rank_mod(fano, 5)
    (4, 6, 7)
    """
    if not 2 <= p < MAX_PRIME or not is_prime(p):
        raise InputError(f"p={p}; expected a prime below {MAX_PRIME}")
    if matrix.shape[0] < matrix.shape[1]:
        matrix = matrix.T
    if p == 2:
        return _rank_of_bits(matrix)
    work = np.mod(matrix.astype(np.int64), p).astype(np.float64)
    rank = 0
    for start in range(0, work.shape[1], PANEL):
        panel, rest = work[rank:, start : start + PANEL], work[rank:, start + PANEL :]
        rank += _eliminate_panel(panel, rest, p)
    return rank


def _eliminate_panel(panel: NDArray[np.float64], rest: NDArray[np.float64], p: int) -> int:
    """Eliminate the columns of a panel, and carry the steps over to the rest of the rows.

    The pivot rows come first. ``factors`` holds what is subtracted of each of them elsewhere.
    """
    rows, width = panel.shape
    factors = np.zeros((rows, width))
    done = 0
    for column in range(width):
        candidates = np.flatnonzero(panel[done:, column])
        if not candidates.size:
            continue
        pivot = done + int(candidates[0])
        for array in (panel, rest, factors):
            array[[done, pivot]] = array[[pivot, done]]
        inverse = pow(int(panel[done, column]), -1, p)
        factor = panel[done + 1 :, column] * inverse % p
        panel[done + 1 :] = (panel[done + 1 :] - factor[:, None] * panel[done]) % p
        factors[done + 1 :, done] = factor
        done += 1
        if done == rows:
            return done
    for row in range(1, done):
        rest[row] = (rest[row] - factors[row, :row] @ rest[:row]) % p
    if done:
        rest[done:] = (rest[done:] - factors[done:, :done] @ rest[:done]) % p
    return done


def _rank_of_bits(matrix: NDArray[np.integer]) -> int:
    """Return the rank over GF(2), of rows packed into bytes."""
    work = np.packbits((matrix & 1).astype(bool), axis=1)
    rank = 0
    for column in range(matrix.shape[1]):
        byte, bit = column >> 3, np.uint8(128 >> (column & 7))
        ones = rank + np.flatnonzero(work[rank:, byte] & bit)
        if not ones.size:
            continue
        pivot, others = work[ones[0]].copy(), ones[1:]
        work[ones[0]] = work[rank]
        work[rank] = pivot
        # The row that was moved down has a 0 here, or is the pivot itself.
        work[others, byte:] ^= pivot[byte:]
        rank += 1
    return rank


def rational_rank(matrix: NDArray[np.integer]) -> int:
    """Return the rank over the rationals, proved.

    A rank r modulo any prime is a lower bound. It is the rank if it is full, or if all minors of
    order r + 1 vanish modulo so many primes that their product exceeds Hadamard's bound on them.

    Examples
    --------
    >>> rational_rank(np.array([[1, 1, 0], [0, 1, 1], [1, 2, 1]]))
    2
    """
    best, known = 0, 0.0
    squares = [np.sort((matrix.astype(np.int64) ** 2).sum(axis=axis))[::-1] for axis in (0, 1)]
    for p in _primes():
        rank = rank_mod(matrix, p)
        best = max(best, rank)
        if best == min(matrix.shape):
            return best
        known += log2(p)
        hadamard = min(np.log2(np.maximum(s[: best + 1], 1)).sum() / 2 for s in squares)
        if known > hadamard + 1:
            return best
    raise AssertionError("there are more primes than that")


def _primes() -> Iterator[int]:
    """Yield large primes below `MAX_PRIME`, falling."""
    yield from (p for p in range(MAX_PRIME - 1, 1 << 22, -2) if is_prime(p))


def valuations(matrix: NDArray[np.integer], p: int, most: int) -> list[int]:
    """Return how often p divides the elementary divisors: entry i counts those with p^i exactly.

    Parameters
    ----------
    matrix
        A matrix of integers.
    p
        A prime.
    most
        A number such that p^(most + 1) divides no elementary divisor other than 0.

    Raises
    ------
    LimitError
        If p^(most + 1) is too large.

    Examples
    --------
    >>> valuations(np.diag([1, 2, 2, 12, 0]), 2, 3)
    [1, 2, 1, 0]
    """
    modulus = p ** (most + 1)
    if modulus > MAX_MODULUS:
        raise LimitError(f"{p}^{most + 1} is more than {MAX_MODULUS}; take a smaller design")
    work = np.mod(matrix.astype(np.int64), modulus)
    found = []
    for _ in range(most + 1):
        done, divisible = 0, []
        for column in range(work.shape[1]):
            units = np.flatnonzero(work[done:, column] % p)
            if not units.size:
                divisible.append(column)  # and stays so: what is subtracted is divisible, too
                continue
            pivot = done + int(units[0])
            work[[done, pivot]] = work[[pivot, done]]
            factor = work[done + 1 :, column] * pow(int(work[done, column]), -1, modulus) % modulus
            work[done + 1 :] = (work[done + 1 :] - factor[:, None] * work[done]) % modulus
            done += 1
        found.append(done)
        work, modulus = work[done:, divisible] // p, modulus // p
    return found
