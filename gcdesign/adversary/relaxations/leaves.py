"""Exhaustive search below a bar: the leaves of a branch and bound on silent workers.

Rounding. A sweep, like a Cholesky factorisation, computes exactly for a matrix that differs from
Q by at most γ√(Q_ii Q_jj) in each entry, γ some units of rounding; a set of S workers thus sees
a change of at most Sγ diag(Q). Q is lowered by more than that before the search, so that what is
computed is not below the true value, but for `MARGIN`, which covers the rounding of c.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.relaxations.definite import EPSILON, Matrix

MARGIN = 1e-11
"""Relative amount by which the bar is lowered."""

DEEP = 3
"""Members that the compiled search chooses at once; it needs as many to choose."""


@dataclass(frozen=True)
class Found:
    """The best set above the bar: its value, up to rounding, and its workers."""

    value: float
    workers: tuple[int, ...]


def enumerate_below(
    matrix: Matrix,
    linear: Matrix,
    forced: NDArray[np.int64],
    candidates: NDArray[np.int64],
    size: int,
    bar: float,
    *,
    stop: NDArray[np.uint8] | None = None,
) -> Found | None:
    """Return the set of all forced and ``size`` candidates with the greatest c_Fᵀ(Q_FF)⁻¹c_F.

    Parameters
    ----------
    matrix, linear
        Q, positive definite, and c.
    forced, candidates
        Workers; the search is fastest with the most promising candidates last.
    size
        Number of candidates to choose.
    bar
        Only a value above it matters.
    stop
        One byte; set it to 1 elsewhere to end the search early, which then proves nothing.

    Returns
    -------
    Found or None
        None if no set exceeds the bar. The value is infinite where workers are so nearly
        dependent that nothing is known of some set.

    Examples
    --------
    >>> ones = np.array([1.0, 1.0, 0.5, 1.0])
    >>> enumerate_below(np.eye(4), ones, np.array([0]), np.array([1, 2, 3]), 2, 2.5).workers
    (0, 1, 3)
    """
    if comb(len(candidates), size) == 0:
        return None
    members = np.concatenate([candidates, forced[::-1]]).astype(np.int64)
    total = len(forced) + size
    inner = matrix[np.ix_(members, members)].copy()
    inner[np.diag_indices_from(inner)] *= 1 - 8 * total * (total + 4) * EPSILON
    outer = linear[members].copy()
    lowered = bar - MARGIN * abs(bar)
    if size >= DEEP:
        from gcdesign.adversary.relaxations.fused import search_prefixes

        flag = np.zeros(1, dtype=np.uint8) if stop is None else stop
        value, rows = search_prefixes(inner, outer, len(forced), size, lowered, flag)
    else:
        value, rows = _few(inner, outer, len(forced), size, lowered)
    if not rows.size or rows[0] < 0:
        return None
    return Found(float(value), tuple(sorted(members[rows].tolist())))


def _few(
    matrix: Matrix, linear: Matrix, forced: int, size: int, bar: float
) -> tuple[float, NDArray[np.int64]]:
    """Do the same for fewer than three to choose."""
    from itertools import combinations

    from gcdesign.adversary.relaxations.fused import set_value

    n = len(linear)
    best, chosen = bar, np.full(forced + size, -1, dtype=np.int64)
    for some in combinations(range(n - forced), size):
        rows = np.array([*range(n - forced, n), *some], dtype=np.int64)
        value = set_value(matrix, linear, rows)
        if value > best:
            best, chosen = value, rows
    return best, chosen
