"""Compiled search over the sets of one size for the greatest Σ_T h_i + Σ_{T×T} H_ij.

``twice`` is 2H with zeros on its diagonal and ``gains`` h + diag H, so a set grows by
gains_j + Σ_{i in T} twice_ij when j joins. In whole numbers below 2⁵³ every sum is exact.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.running.chunks import Stop
from gcdesign.compiled import compiled

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Kept = tuple[Floats, Ints, Ints, Floats]
"""Keys, sets, tally (kept, tested, nodes) and bar, all written to."""


@compiled
def keep_set(key: float, chosen: Ints, leaders: Kept) -> None:
    """Keep a set among the leaders; once they are full, only better ones are let in."""
    keys, sets, tally, bar = leaders
    place = tally[0]
    if place < len(keys):
        tally[0] += 1
    else:
        place = 0
        for i in range(len(keys)):
            if keys[i] < keys[place]:
                place = i
    keys[place] = key
    for k in range(len(chosen)):
        sets[place, k] = chosen[k]
    if tally[0] == len(keys):
        least = keys[0]
        for i in range(len(keys)):
            least = min(least, keys[i])
        bar[0] = max(bar[0], least)


@compiled
def degree_bound(gains: Floats, tops: Floats, p: int, more: int, best: Floats) -> float:
    """Return what ``more`` candidates below p add at most.

    Each of them adds its gain and H with the others, at most its greatest entries of H.
    """
    for k in range(more):
        best[k] = -np.inf
    for j in range(p):
        value = gains[j] + tops[j]
        if value > best[more - 1]:
            k = more - 1
            while k > 0 and best[k - 1] < value:
                best[k] = best[k - 1]
                k -= 1
            best[k] = value
    total = 0.0
    for k in range(more):
        total += best[k]
    return total


@compiled
def visit_pairs(
    twice: Floats, gain: Floats, base: float, p: int, chosen: Ints, leaders: Kept
) -> None:
    """Test all pairs below p."""
    tally, bar = leaders[2], leaders[3]
    for i in range(p - 1, 0, -1):
        row, need = twice[i], bar[0] - base - gain[i]
        passed = 0
        for j in range(i):
            passed += gain[j] + row[j] > need
        if passed:
            chosen[-2] = i
            for j in range(i):
                value = base + gain[i] + (gain[j] + row[j])
                if value > bar[0]:
                    chosen[-1] = j
                    keep_set(value, chosen, leaders)
    tally[1] += p * (p - 1) // 2


@compiled
def visit_quadratic(
    twice: Floats,
    gains: Floats,
    tops: Floats,
    chosen: Ints,
    known: int,
    p: int,
    leaders: Kept,
    stop: Stop,
) -> bool:
    """Visit all sets of chosen[:known] with others below p; False if it was stopped.

    Parameters
    ----------
    tops
        Shape (N + 1, S, N): entry (p, r, j) is the sum of the r greatest H_jl over l < p.
    leaders
        Keys, sets, tally (kept, tested, nodes) and the bar, all written to.
    """
    n = len(gains)
    to_go = len(chosen) - known
    levels, bases = np.zeros((to_go + 1, n)), np.zeros(to_go + 1)
    nexts, best = np.full(to_go + 1, p - 1), np.zeros(to_go + 1)
    for j in range(n):
        levels[0, j] = gains[j]
    for k in range(known):
        bases[0] += levels[0, chosen[k]]
        for j in range(n):
            levels[0, j] += twice[chosen[k], j]
    if to_go < 2:
        for last in range(p if to_go else 1):
            value = bases[0]
            if to_go:
                chosen[-1] = last
                value += levels[0, last]
            if value > leaders[3][0]:
                keep_set(value, chosen, leaders)
    level = 0 if to_go >= 2 and p >= to_go else -1
    while level >= 0:
        if stop[0]:
            return False
        more, q = to_go - level, nexts[level]
        size = p if level == 0 else chosen[known + level - 1]
        if q == size - 1:
            leaders[2][2] += 1
            most = degree_bound(levels[level], tops[size, more - 1], size, more, best)
            if bases[level] + most <= leaders[3][0]:
                level -= 1
                continue
        if more == 2:
            visit_pairs(twice, levels[level], bases[level], size, chosen, leaders)
            level -= 1
            continue
        if q < more - 1:
            level -= 1
            continue
        nexts[level] = q - 1
        chosen[known + level] = q
        row, old, new = twice[q], levels[level], levels[level + 1]
        for j in range(q):
            new[j] = old[j] + row[j]
        bases[level + 1] = bases[level] + old[q]
        nexts[level + 1] = q - 1
        level += 1
    return True


@compiled
def climb_quadratic(twice: Floats, gains: Floats, starts: Ints, values: Floats, stop: Stop) -> None:
    """Improve each start in place by the best swaps; -1 marks elements still to be chosen."""
    count, size = starts.shape
    n = len(gains)
    gain, inside = np.zeros(n), np.zeros(n, dtype=np.int64)
    for number in range(count):
        if stop[0]:
            values[number] = np.nan
            continue
        members, value = starts[number], 0.0
        for j in range(n):
            gain[j], inside[j] = gains[j], 0
        for k in range(size):
            new = members[k]
            if new < 0:
                for j in range(n):
                    if inside[j] == 0 and (new < 0 or gain[j] > gain[new]):
                        new = j
            members[k], inside[new] = new, 1
            value += gain[new]
            for j in range(n):
                gain[j] += twice[new, j]
        while True:
            place, new, best = -1, -1, 1e-12 * (abs(value) + 1)
            for a in range(size):
                row, lost = twice[members[a]], gain[members[a]] + best
                passed = 0
                for j in range(n):
                    passed += gain[j] - row[j] > lost
                if passed:
                    for j in range(n):
                        more = gain[j] - row[j] - gain[members[a]]
                        if more > best and inside[j] == 0:
                            place, new, best = a, j, more
            if place < 0:
                break
            old = members[place]
            members[place], inside[old], inside[new] = new, 0, 1
            for j in range(n):
                gain[j] += twice[new, j] - twice[old, j]
            value += best
        values[number] = value
