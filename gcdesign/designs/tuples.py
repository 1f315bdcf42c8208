"""Which tuples of levels stand in any t columns of an array, and how often."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import LimitError

MAX_COUNTED = 4_000_000_000
"""Most tuples that are counted: rows times sets of columns."""

Array = NDArray[np.int32]
"""Shape (runs, columns), entries from 0."""

Counts = NDArray[np.int64]


def tuple_counts(
    rows: Array, *, levels: int, strength: int
) -> Iterator[tuple[tuple[int, ...], NDArray[np.int64], Counts]]:
    """Yield t − 1 columns, the columns after them, and the counts for each of these as the last.

    The counts have the shape (columns after them, levelsᵗ): the tuple (a, b, …, z) has the place
    of its digits as a number to the base ``levels``.

    Raises
    ------
    LimitError
        If there is more to count than `MAX_COUNTED`.

    Examples
    --------
    >>> rows = np.array([[0, 0], [0, 1], [1, 0]])
    >>> [(c, n.tolist()) for c, _, n in tuple_counts(rows, levels=2, strength=2)]
    [((0,), [[1, 1, 1, 0]])]
    """
    runs, columns = rows.shape
    if comb(columns, strength) * runs > MAX_COUNTED:
        raise LimitError(
            f"a check would count {comb(columns, strength)} × {runs} tuples; the limit is "
            f"{MAX_COUNTED}: take fewer columns"
        )
    tuples = int(levels**strength)
    place = levels ** np.arange(strength - 1, 0, -1, dtype=np.int64)
    for chosen in combinations(range(columns), strength - 1):
        later = np.arange(max(chosen, default=-1) + 1, columns)
        if later.size:
            numbers = (rows[:, chosen] @ place)[:, None] + rows[:, later]
            numbers = numbers + tuples * np.arange(len(later))
            counts = np.bincount(numbers.ravel(), minlength=tuples * len(later))
            yield chosen, later, counts.reshape(len(later), tuples)


def digits(number: int, *, levels: int, strength: int) -> tuple[int, ...]:
    """Return the tuple with a place among the counts.

    Examples
    --------
    >>> digits(5, levels=2, strength=4)
    (0, 1, 0, 1)
    """
    return tuple(number // levels**i % levels for i in range(strength - 1, -1, -1))
