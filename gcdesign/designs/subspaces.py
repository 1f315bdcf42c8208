"""All subspaces of GF(q)^n of one dimension, by reduced row echelon form, vectorised."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.fields import Elements, Field


def gaussian_binomial(n: int, d: int, q: int) -> int:
    """Return the number of d-dimensional subspaces of GF(q)^n.

    Examples
    --------
    >>> gaussian_binomial(4, 2, 2)
    35
    """
    numerator = denominator = 1
    for i in range(d):
        numerator *= q ** (n - i) - 1
        denominator *= q ** (d - i) - 1
    return numerator // denominator


def vectors(q: int, n: int) -> Elements:
    """Return all vectors of GF(q)^n, shape (q^n, n), in lexicographic order: row i has rank i."""
    ranks = np.arange(q**n, dtype=np.int64)
    return (ranks[:, None] // powers(q, n) % q).astype(np.int32)


def powers(q: int, n: int) -> NDArray[np.int64]:
    """Return (q^(n−1), …, q, 1), the place values that turn a vector into its rank."""
    return np.array([q**j for j in range(n - 1, -1, -1)], dtype=np.int64)


def normalised(coefficients: Elements) -> Elements:
    """Return the rows whose first non-zero entry is 1: one for each projective point."""
    leading = np.take_along_axis(coefficients, (coefficients != 0).argmax(axis=1)[:, None], axis=1)
    kept: Elements = coefficients[leading[:, 0] == 1]
    return kept


def echelon_bases(q: int, n: int, d: int, *, chunk: int) -> Iterator[tuple[Elements, list[int]]]:
    """Yield reduced bases of all d-dimensional subspaces of GF(q)^n with their pivot columns.

    Each item holds at most ``chunk`` bases with the same pivots, shape (count, d, n).
    """
    for pivots in combinations(range(n), d):
        free = [(i, c) for i, p in enumerate(pivots) for c in range(p + 1, n) if c not in pivots]
        total = q ** len(free)
        for start in range(0, total, chunk):
            ranks = np.arange(start, min(total, start + chunk), dtype=np.int64)
            bases = np.zeros((len(ranks), d, n), dtype=np.int32)
            bases[:, range(d), pivots] = 1
            for (i, c), place in zip(free, powers(q, len(free)).tolist(), strict=True):
                bases[:, i, c] = ranks // place % q
            yield bases, list(pivots)


def combine(field: Field, coefficients: Elements, bases: Elements) -> Elements:
    """Return all combinations: (points, d) coefficients and (count, d, n) bases.

    The result has shape (count, points, n).
    """
    total = np.zeros((len(bases), len(coefficients), bases.shape[2]), dtype=np.int32)
    for i in range(bases.shape[1]):
        term = field.multiply(coefficients[None, :, i, None], bases[:, None, i, :])
        total = field.add(total, term)
    return total
