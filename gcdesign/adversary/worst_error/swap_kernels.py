"""Compiled local search on a quadratic form: fill a set up greedily, then swap the best pair.

The value is φ(T) = c_Tᵀ (Q_TT)⁻¹ c_T, as in `forms`. Kept for a set T: P = (Q_TT)⁻¹, y = P c_T,
the shares W = P Q_T, and for every element the rest d = Q_jj − Q_jT W_j of its diagonal and the
rest g = c_j − W_jᵀc_T of its entry. An element j adds g_j²/d_j; taking a out gives back y_a²/P_aa
and changes d_j by W_aj²/P_aa and g_j by W_aj y_a/P_aa. Both are updates of rank one.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.running.chunks import Stop
from gcdesign.compiled import compiled

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
State = tuple[Floats, Floats, Floats, Floats, Floats, Floats]
"""P, y, W, d, g, and room for one row."""

DEPENDENT = 1e-9
"""Part of Q_jj below which d_j is rounding: such an element is never taken."""

GAIN = 1e-9
"""Relative gain below which a swap is none."""

MOST_SWAPS = 1000


@compiled
def put(matrix: Floats, vector: Floats, state: State, members: Ints, size: int, new: int) -> float:
    """Take an element in as the last of the set; return what φ grows by."""
    inverse, solution, shares, rest, open_, column = state
    n = len(vector)
    row = matrix[new]
    for j in range(n):
        column[j] = row[j]
    for a in range(size):
        times, share = matrix[members[a], new], shares[a]
        for j in range(n):
            column[j] -= times * share[j]
    pivot, got = rest[new], open_[new]
    ratio = got / pivot
    for a in range(size):
        share = shares[a]
        mine = share[new]
        for b in range(size):
            inverse[a, b] += mine * shares[b, new] / pivot
        inverse[a, size] = inverse[size, a] = -mine / pivot
        solution[a] -= mine * ratio
    for a in range(size):
        share = shares[a]
        times = share[new] / pivot
        for j in range(n):
            share[j] -= times * column[j]
    inverse[size, size], solution[size], members[size] = 1 / pivot, ratio, new
    last = shares[size]
    for j in range(n):
        share = column[j] / pivot
        last[j] = share
        rest[j] -= share * column[j]
        open_[j] -= share * got
    return got * ratio


@compiled
def take(state: State, members: Ints, size: int, out: int) -> float:
    """Take out the element at a place, which the last one gets; return what φ falls by."""
    inverse, solution, shares, rest, open_, _ = state
    pivot, got = inverse[out, out], solution[out]
    ratio = got / pivot
    mine = shares[out]
    n = len(mine)
    for j in range(n):
        rest[j] += mine[j] * mine[j] / pivot
        open_[j] += mine[j] * ratio
    for a in range(size):
        if a != out:
            times, share = inverse[a, out] / pivot, shares[a]
            for j in range(n):
                share[j] -= times * mine[j]
            for b in range(size):
                if b != out:
                    inverse[a, b] -= times * inverse[out, b]
            solution[a] -= inverse[a, out] * ratio
    last = size - 1
    if out != last:
        members[out], solution[out] = members[last], solution[last]
        for j in range(n):
            mine[j] = shares[last, j]
        for b in range(size):
            inverse[out, b] = inverse[last, b]
        for b in range(size):
            inverse[b, out] = inverse[b, last]
        inverse[out, out] = inverse[last, last]
    return got * ratio


@compiled
def best_to_add(matrix: Floats, sign: float, inside: Ints, rest: Floats, open_: Floats) -> int:
    """Return the element that adds most, or least if sign < 0; dependent ones come last."""
    best, most = -1, -np.inf
    for j in range(len(rest)):
        if inside[j] == 0:
            clear = rest[j] > DEPENDENT * matrix[j, j]
            value = sign * open_[j] * open_[j] / rest[j] if clear else -1e300
            if value > most:
                best, most = j, value
    return best


@compiled
def best_swap(
    matrix: Floats, sign: float, inside: Ints, state: State, size: int, value: float, values: Floats
) -> tuple[int, int]:
    """Return the place to empty, the element to put there, and the φ that follows."""
    inverse, solution, shares, rest, open_, _ = state
    n = len(rest)
    place, element, best = -1, -1, sign * value + GAIN * abs(value)
    for a in range(size):
        pivot, got, share = inverse[a, a], solution[a], shares[a]
        without = value - got * got / pivot
        ratio = got / pivot
        passed = 0
        for j in range(n):
            added = open_[j] + share[j] * ratio
            below = rest[j] + share[j] * share[j] / pivot
            clear = below > DEPENDENT * matrix[j, j]
            values[j] = sign * (without + added * added / below) if clear else -np.inf
        for j in range(n):
            passed += values[j] > best
        if passed:
            for j in range(n):
                if values[j] > best and inside[j] == 0:
                    place, element, best = a, j, values[j]
    return place, element


@compiled
def climb(
    matrix: Floats, vector: Floats, sign: float, starts: Ints, values: Floats, stop: Stop
) -> None:
    """Improve each start in place, as far as -1 says that its elements are still to be chosen.

    Parameters
    ----------
    starts
        Shape (starts, S): distinct elements, then -1 for those to be filled in greedily.
    values
        Shape (starts,): gets φ of each set; NaN where it was stopped first.
    """
    count, size = starts.shape
    n = len(vector)
    state = (
        np.zeros((size, size)),
        np.zeros(size),
        np.zeros((size, n)),
        np.zeros(n),
        np.zeros(n),
        np.zeros(n),
    )
    members, inside = np.zeros(size, dtype=np.int64), np.zeros(n, dtype=np.int64)
    tried = np.zeros(n)
    for number in range(count):
        if stop[0]:
            values[number] = np.nan
            continue
        for j in range(n):
            state[3][j], state[4][j], inside[j] = matrix[j, j], vector[j], 0
        value = 0.0
        for k in range(size):
            new = starts[number, k]
            if new < 0 or state[3][new] <= DEPENDENT * matrix[new, new]:
                new = best_to_add(matrix, sign, inside, state[3], state[4])
            inside[new] = 1
            state[3][new] = max(state[3][new], DEPENDENT * matrix[new, new])
            value += put(matrix, vector, state, members, k, new)
        for _ in range(MOST_SWAPS):
            place, new = best_swap(matrix, sign, inside, state, size, value, tried)
            if place < 0:
                break
            inside[members[place]] = 0
            value -= take(state, members, size, place)
            inside[new] = 1
            value += put(matrix, vector, state, members, size - 1, new)
        for k in range(size):
            starts[number, k] = members[k]
        values[number] = value
