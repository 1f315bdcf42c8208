"""Compiled search over the sets of one size of a quadratic form; see `forms` for what it is.

The value of a set T is φ(T) = c_Tᵀ (Q_TT)⁻¹ c_T. Depth first: an element is added by one step of
elimination on the candidates before it. With three to go nothing is eliminated any more: each
first element gives one row, and each pair of the others a few operations in single precision.

Single precision only ever clears a pair. With a_i = g_i/√d_i and the correlation ϱ of two
candidates the pair adds more than n exactly if

    t = a_i² + a_l² − 2ϱ a_i a_l − n(1 − ϱ²) > 0.

ϱ = (M_il − M_iq M_lq/M_qq)/√(d_i d_l) is a difference of two numbers up to √(M_ii M_ll), so it is
wrong by at most δ = 8 · 2⁻²⁴ · max M_ii/d_i, and t, whose derivative in ϱ is at most 4n where
a² ≤ n, by 4nδ and the rounding of a few terms up to n: pairs are cleared below −(4δ + 2⁻¹⁸)n. An
element with a² near n or beyond, or with d_i too small for this, is decided by itself. What is
not cleared is solved in double precision, and then measured by the decoding vector it gives.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.running.chunks import Stop
from gcdesign.adversary.worst_error.set_kernels import (
    Arrays,
    Floats,
    Ints,
    Kept,
    Numbers,
    limit,
    weigh,
)
from gcdesign.compiled import compiled

Singles = NDArray[np.float32]

Node = tuple[Floats, Floats, Floats, Singles, tuple[Singles, Singles, Singles, Singles], float]
"""What is left of Q and c, its diagonal, it in single precision, room for four rows, and φ."""

LANES = 16
"""Rows are padded to a multiple of this, so that no loop has a remainder."""

NEAR = 1e-3
"""How near to n a single a² may come, in parts of n, for its pairs to be tested at all."""

LEAST_PIVOT = 1e-5
"""Part of M_ii below which d_i is left to double precision."""

FEW_SPARE = 8
"""With at most so many candidates more than are to go, choosing them all is tried first."""

SINGLE = 2.0**-24


@compiled
def eliminate(old: Floats, gain: Floats, q: int, new: Floats, less: Floats) -> None:
    """Write the lower triangle of what is left of the candidates below q once q is chosen."""
    row = old[q]
    for i in range(q):
        times = row[i] / row[q]
        less[i] = gain[i] - times * gain[q]
        mine, left = old[i], new[i]
        for j in range(i + 1):
            left[j] = mine[j] - times * row[j]


@compiled
def gain_of_all(left: Floats, gain: Floats, p: int, scratch: Floats, got: Floats) -> float:
    """Return what choosing all candidates below p adds: no fewer of them add more."""
    total = 0.0
    for i in range(p):
        for j in range(i):
            rest = left[i, j]
            for k in range(j):
                rest -= scratch[i, k] * scratch[j, k]
            scratch[i, j] = rest * scratch[j, j]
        pivot, rest = left[i, i], gain[i]
        for k in range(i):
            pivot -= scratch[i, k] * scratch[i, k]
            rest -= scratch[i, k] * got[k]
        scratch[i, i] = 1 / np.sqrt(max(pivot, 1e-300))
        got[i] = rest * scratch[i, i]
        total += got[i] * got[i]
    return total


@compiled
def settle(
    state: Node,
    row: Floats,
    pivot: float,
    need: float,
    edge: float,
    sign: float,
    p: int,
    pass_all: bool,
) -> float:
    """Put aside the elements that are decided by themselves; return max M_ii/d_i of the others.

    Their pairs are all hits, or none is: ϱ is put to 0, and a² to one side of n.
    """
    _, _, diagonal, _, (x, a, a2, b), _ = state
    worst = 1.0
    for i in range(p):
        rest = diagonal[i] - row[i] / pivot * row[i]
        unsure = rest <= LEAST_PIVOT * diagonal[i]
        square = np.float64(a[i]) * np.float64(a[i])
        if pass_all or unsure or square >= edge:
            far = sign > 0 or not unsure
            x[i], b[i], a[i] = 0.0, 0.0, (2.0 * np.sqrt(need) if far else 0.0)
            a2[i] = sign * a[i] * a[i]
        else:
            worst = max(worst, diagonal[i] / rest)
    return worst


@compiled
def pairs(
    form: Arrays,
    numbers: Numbers,
    sign: float,
    state: Node,
    q: int,
    p: int,
    chosen: Ints,
    leaders: Kept,
) -> None:
    """Test all pairs below p, with q chosen as well if it is not negative."""
    left, gain, diagonal, single, (x, a, a2, b), base = state
    tally, bar = leaders[2], leaders[3]
    need = limit(bar[0], sign, numbers) - base
    pivot, times = 1.0, 0.0
    if q >= 0:
        pivot, times = left[q, q], gain[q]
        need -= times * times / pivot
    if sign < 0 and need <= 0:
        return
    pass_all = need <= 0
    need = max(need, 1e-30)
    special, crowded = 0, 0
    edge, turn = (1 - NEAR * sign) * need, np.float32(sign)
    row = left[q if q >= 0 else p]
    for i in range(p):
        share = row[i] / pivot
        rest = diagonal[i] - share * row[i]
        root = 1 / np.sqrt(rest)
        got = (gain[i] - share * times) * root
        x[i], b[i], a[i] = share, root, got
        a2[i] = sign * got * got
        special += (rest <= LEAST_PIVOT * diagonal[i]) | (got * got >= edge)
        crowded += diagonal[i] > 8 * rest
    worst = 8.0
    if special or crowded or pass_all:
        worst = settle(state, row, pivot, need, edge, sign, p, pass_all)
    width = (p + LANES - 1) // LANES * LANES
    for i in range(p, width):
        x[i], b[i], a[i], a2[i] = 0.0, 0.0, 0.0, -1e30
    allowed = np.float32((32 * SINGLE * worst + 2.0**-18) * need)
    few = np.float32(need)
    line = single[q if q >= 0 else p]
    for i in range(1, p):
        mine, share = single[i], x[i]
        square = turn * few * b[i] * b[i]
        cross = np.float32(-2) * turn * a[i] * b[i]
        first = a2[i] - turn * few + allowed
        passed = 0
        for j in range((i + LANES - 1) // LANES * LANES):
            u = b[j] * (mine[j] - share * line[j])
            passed += (a2[j] + first) + u * (square * u + cross * a[j]) > np.float32(0)
        if passed:
            chosen[-2] = i
            for j in range(i):
                u = b[j] * (mine[j] - share * line[j])
                if (a2[j] + first) + u * (square * u + cross * a[j]) > np.float32(0):
                    chosen[-1] = j
                    weigh(form, numbers, sign, chosen, leaders)
    tally[1] += p * (p - 1) // 2


@compiled
def begin(matrix: Floats, vector: Floats, known: Ints, p: int, left: Floats, gain: Floats) -> float:
    """Write what is left of the candidates below p once all the known are chosen; return φ."""
    size = len(known)
    lower, rows, got = np.empty((size, size)), np.empty((size, p)), np.empty(size)
    for i in range(p):
        gain[i] = vector[i]
        for j in range(i + 1):
            left[i, j] = matrix[i, j]
    value = 0.0
    for k in range(size):
        row, pivot, got[k] = matrix[known[k]], matrix[known[k], known[k]], vector[known[k]]
        for i in range(p):
            rows[k, i] = row[i]
        for m in range(k):
            rest = row[known[m]]
            for o in range(m):
                rest -= lower[k, o] * lower[m, o]
            share = rest / lower[m, m]
            lower[k, m] = share
            pivot -= share * share
            got[k] -= share * got[m]
            for i in range(p):
                rows[k, i] -= share * rows[m, i]
        root = np.sqrt(max(pivot, 1e-300))
        lower[k, k] = root
        got[k] /= root
        value += got[k] * got[k]
        for i in range(p):
            rows[k, i] /= root
        for i in range(p):
            gain[i] -= got[k] * rows[k, i]
            for j in range(i + 1):
                left[i, j] -= rows[k, i] * rows[k, j]
    return value


@compiled
def visit(
    form: Arrays,
    numbers: Numbers,
    sign: float,
    chosen: Ints,
    known: int,
    p: int,
    leaders: Kept,
    allowance: int,
    stop: Stop,
) -> bool:
    """Visit all sets of chosen[:known] with others below p; return whether it came to the end.

    Parameters
    ----------
    form
        Q, c, and each element's row of the encoding matrix with its norm.
    numbers, sign
        See `limit`.
    chosen
        Of the size of the sets; its first ``known`` elements are given, none of them below p.
    p
        Elements below p are candidates.
    leaders
        Keys, sets, tally (kept, tested, solved) and the bar, all written to.
    allowance
        Number of sets that may be solved in double precision.
    stop
        One flag that another thread may set.
    """
    matrix, vector = form[0], form[1]
    to_go = len(chosen) - known
    depth = max(1, to_go - 2)
    width = (p + LANES) // LANES * LANES
    left, gain = np.zeros((depth, p + 1, p)), np.zeros((depth, p))
    bases, nexts = np.zeros(depth), np.full(depth, p - 1)
    diagonal = np.zeros(p)
    single = np.zeros((p + 1, width), dtype=np.float32)
    line = (
        np.zeros(width, dtype=np.float32),
        np.zeros(width, dtype=np.float32),
        np.zeros(width, dtype=np.float32),
        np.zeros(width, dtype=np.float32),
    )
    scratch, got = np.empty((FEW_SPARE + to_go, FEW_SPARE + to_go)), np.empty(FEW_SPARE + to_go)
    bases[0] = begin(matrix, vector, chosen[:known], p, left[0], gain[0])
    for last in range((p if to_go else 1) if to_go < 2 else 0):
        if to_go:
            chosen[-1] = last
        weigh(form, numbers, sign, chosen, leaders)
    level = 0 if to_go >= 2 and p >= to_go else -1
    while level >= 0:
        if stop[0] or leaders[2][2] > allowance:
            return False
        more, q = to_go - level, nexts[level]
        here, gains, base = left[level], gain[level], bases[level]
        size = p if level == 0 else chosen[known + level - 1]
        if sign > 0 and q == size - 1 and size <= more + FEW_SPARE:
            most = base + gain_of_all(here, gains, size, scratch, got)
            if most <= limit(leaders[3][0], sign, numbers):
                level -= 1
                continue
        if more <= 3:
            for i in range(size):
                for j in range(i):
                    single[i, j] = here[i, j]
                single[i, i] = 0.0
                diagonal[i] = here[i, i]
            state = (here, gains, diagonal, single, line, base)
            for step in range(size if more == 3 else 1):
                first = size - 1 - step if more == 3 else -1
                if more == 3:
                    chosen[-3] = first
                pairs(form, numbers, sign, state, first, size - step - (more - 2), chosen, leaders)
            level -= 1
            continue
        if q < more - 1:
            level -= 1
            continue
        nexts[level] = q - 1
        bases[level + 1] = base + gains[q] * gains[q] / here[q, q]
        if sign < 0 and bases[level + 1] >= limit(leaders[3][0], sign, numbers):
            continue
        chosen[known + level] = q
        eliminate(here, gains, q, left[level + 1], gain[level + 1])
        nexts[level + 1] = q - 1
        level += 1
    return True
