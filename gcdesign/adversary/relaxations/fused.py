"""Compiled search of all sets: the last three members of a set are chosen at once.

Members are chosen from the end of the list of candidates to its front, so that what is left is
always a prefix. Each choice is swept out of Q and c (Schur complements); adding worker j then
adds g_j²/s_j to the error, s and g being what is left of Q_jj and c_j. With three to go, one
sweep for the first; then a pair (i, l) adds

    (a_i² + a_l² − 2ρ a_i a_l)/(1 − ρ²),   a = g/√s,  ρ = s_il/√(s_i s_l),

and that it exceeds what is needed is tested for a row of l at once, in single precision and
without a division. The test errs on the safe side by more than its rounding; what passes is
recomputed in double precision.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.compiled import compiled

WILD = 1e-7
"""What is left of a diagonal entry, over the entry, below which single precision is no use."""

SINGLE = 2.0**-23
"""Twice the unit roundoff of single precision."""


@compiled
def set_value(
    matrix: NDArray[np.float64], linear: NDArray[np.float64], chosen: NDArray[np.int64]
) -> float:
    """Return c_Fᵀ(Q_FF)⁻¹c_F by a Cholesky factorisation; infinite where it breaks down."""
    n = len(chosen)
    lower = np.empty((n, n))
    half = np.empty(n)
    total = 0.0
    for i in range(n):
        for j in range(i + 1):
            entry = matrix[chosen[i], chosen[j]]
            for k in range(j):
                entry -= lower[i, k] * lower[j, k]
            if i > j:
                lower[i, j] = entry / lower[j, j]
            elif entry > 0:
                lower[i, i] = np.sqrt(entry)
            else:
                return np.inf
        entry = linear[chosen[i]]
        for k in range(i):
            entry -= lower[i, k] * half[k]
        half[i] = entry / lower[i, i]
        total += half[i] * half[i]
    return total


@compiled
def sweep(
    matrix: NDArray[np.float64],
    linear: NDArray[np.float64],
    pivot: int,
    left: int,
    matrix_out: NDArray[np.float64],
    linear_out: NDArray[np.float64],
) -> float:
    """Choose ``pivot``: write what is left of the first ``left`` rows, return what it adds."""
    inverse = 1.0 / matrix[pivot, pivot]
    across = linear[pivot]
    for i in range(left):
        factor = matrix[pivot, i] * inverse
        linear_out[i] = linear[i] - factor * across
        for j in range(left):
            matrix_out[i, j] = matrix[i, j] - factor * matrix[pivot, j]
    return float(across * across * inverse)


@compiled
def sweep_single(
    matrix: NDArray[np.float64],
    linear: NDArray[np.float64],
    first: int,
    need: float,
    across: NDArray[np.float32],
    slope: NDArray[np.float32],
    inverse: NDArray[np.float32],
) -> float:
    """Choose ``first``: write what is left of the rows before it, in single precision.

    Of row i: its factor, its slope over its root, and the inverse of the root of its diagonal.
    Returns what the rounding may be off by where a pair still has to add ``need``.
    """
    pivot = 1.0 / matrix[first, first]
    gain = linear[first]
    spread, steepest, wild = 1.0, 0.0, False
    for i in range(first):
        factor = matrix[first, i] * pivot
        rest = matrix[i, i] - factor * matrix[first, i]
        if not rest > WILD * matrix[i, i]:  # beyond single precision: let all pass
            wild = True
            across[i] = inverse[i] = slope[i] = np.float32(0.0)
            continue
        root = 1.0 / np.sqrt(rest)
        up = (linear[i] - factor * gain) * root
        across[i], inverse[i], slope[i] = np.float32(factor), np.float32(root), np.float32(up)
        spread = max(spread, matrix[i, i] / rest)
        steepest = max(steepest, up * up)
    # ρ errs by at most 8 units times the growth of the rows; so does what it multiplies.
    slack = SINGLE * (8.0 * spread + 8.0) * 4.0 * (steepest + abs(need))
    return 1e30 if wild or not slack < 1e30 else slack


@compiled
def search_triples(
    matrix: NDArray[np.float64],
    linear: NDArray[np.float64],
    left: int,
    value: float,
    bar: float,
    chosen: NDArray[np.int64],
    original: NDArray[np.float64],
    original_linear: NDArray[np.float64],
    room: NDArray[np.float32],
    best_set: NDArray[np.int64],
) -> float:
    """Try all triples of the first ``left`` candidates; return the best value above the bar.

    ``chosen`` is the set so far with room for three more; ``original`` is Q as it was for the
    recomputation; the best set goes to ``best_set``.
    """
    size = len(chosen)
    single = room[:, :left]
    across, slope, inverse = room[left], room[left + 1], room[left + 2]
    best = bar
    for i in range(left):
        for j in range(left):
            single[i, j] = np.float32(matrix[i, j])
    for first in range(left - 1, 1, -1):
        if not matrix[first, first] > 0.0:  # nothing is known of sets with these members
            chosen[size - 3], chosen[size - 2], chosen[size - 1] = first, 1, 0
            best_set[:] = chosen
            return np.inf
        gain = linear[first]
        need = best - value - gain * gain * (1.0 / matrix[first, first])
        slack = sweep_single(matrix, linear, first, need, across, slope, inverse)
        # If nothing more is needed, no rounding may keep a set from passing.
        single_need = np.float32(max(need, 0.0))
        for i in range(1, first):
            own, own_across, own_inverse = slope[i], across[i], inverse[i]
            base = np.float32(own * own - single_need + np.float32(slack))
            twice = np.float32(-2.0) * own
            hits = 0
            for k in range(i):
                cosine = (single[i, k] - own_across * single[first, k]) * (own_inverse * inverse[k])
                test = cosine * (single_need * cosine + twice * slope[k]) + (
                    slope[k] * slope[k] + base
                )
                hits += test > np.float32(0.0)
            if hits == 0:
                continue
            for k in range(i):
                cosine = (single[i, k] - own_across * single[first, k]) * (own_inverse * inverse[k])
                test = cosine * (single_need * cosine + twice * slope[k]) + (
                    slope[k] * slope[k] + base
                )
                if test > np.float32(0.0):
                    chosen[size - 3], chosen[size - 2], chosen[size - 1] = first, i, k
                    found = set_value(original, original_linear, chosen)
                    if found > best:
                        best = found
                        best_set[:] = chosen
    return best


@compiled
def search_prefixes(
    matrix: NDArray[np.float64],
    linear: NDArray[np.float64],
    forced: int,
    size: int,
    bar: float,
    stop: NDArray[np.uint8],
) -> tuple[float, NDArray[np.int64]]:
    """Search the sets of the last ``forced`` rows and ``size`` ≥ 3 of the others.

    Returns
    -------
    best, chosen
        The greatest value above the bar and its rows; the bar and −1 if there is none.
    """
    n = len(linear)
    most = n - forced
    chosen = np.empty(forced + size, dtype=np.int64)
    best_set = np.full(forced + size, -1, dtype=np.int64)
    matrices = np.empty((size - 1, n, n))
    linears = np.empty((size - 1, n))
    values = np.zeros(size)
    matrices[0], linears[0] = matrix, linear
    value = 0.0
    for i in range(forced):
        chosen[i] = n - 1 - i
        if not matrices[0, n - 1 - i, n - 1 - i] > 0.0:
            for row in range(forced + size):
                chosen[row] = n - 1 - row if row < forced else row - forced
            return np.inf, chosen
        value += sweep(matrices[0], linears[0], n - 1 - i, n - 1 - i, matrices[0], linears[0])
    values[0] = value
    room = np.empty((n + 3, n), dtype=np.float32)
    best, depth = bar, 0
    following = np.full(size, most - 1, dtype=np.int64)
    left = np.full(size, most, dtype=np.int64)
    while depth >= 0:
        togo = size - depth
        if togo == 3:
            best = search_triples(
                matrices[depth],
                linears[depth],
                left[depth],
                values[depth],
                best,
                chosen,
                matrix,
                linear,
                room,
                best_set,
            )
            depth -= 1
            continue
        pivot = following[depth]
        if pivot < togo - 1 or stop[0]:
            depth -= 1
            continue
        following[depth] = pivot - 1
        chosen[forced + depth] = pivot
        if not matrices[depth, pivot, pivot] > 0.0:  # as above: any set with these members
            for i in range(togo - 1):
                chosen[forced + depth + 1 + i] = i
            return np.inf, chosen
        values[depth + 1] = values[depth] + sweep(
            matrices[depth],
            linears[depth],
            pivot,
            pivot,
            matrices[depth + 1],
            linears[depth + 1],
        )
        following[depth + 1] = pivot - 1
        left[depth + 1] = pivot
        depth += 1
    return best, best_set
