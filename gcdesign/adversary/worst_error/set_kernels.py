"""Compiled judgement of one set of a quadratic form, in double precision.

First by the value of the form, then by what decoding weights that follow from it really lose;
what may pass the bar all the same is kept.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.compiled import compiled

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Arrays = tuple[Floats, Floats, Floats, Floats]
"""Q, c, and each worker's row of the encoding matrix with its norm."""

Numbers = tuple[float, float, float, float]
"""Base, want, relative and absolute margin; see `limit`."""

Kept = tuple[Floats, Ints, Ints, Floats]
"""Keys, sets, tally (kept, tested, solved) and bar, all written to."""

REFINEMENTS = 4
"""Times that decoding weights are improved to show that a set does not pass the bar."""


@compiled
def solve(matrix: Floats, vector: Floats, chosen: Ints, x: Floats) -> float:
    """Solve Q_TT x = c_T for T = chosen by Cholesky; return c_Tᵀx = φ(T)."""
    size = len(chosen)
    lower = np.empty((size, size))
    value = 0.0
    for i in range(size):
        for j in range(i):
            rest = matrix[chosen[i], chosen[j]]
            for k in range(j):
                rest -= lower[i, k] * lower[j, k]
            lower[i, j] = rest / lower[j, j]
        pivot, rest = matrix[chosen[i], chosen[i]], vector[chosen[i]]
        for k in range(i):
            pivot -= lower[i, k] * lower[i, k]
            rest -= lower[i, k] * x[k]
        lower[i, i] = np.sqrt(max(pivot, 1e-300))
        x[i] = rest / lower[i, i]
        value += x[i] * x[i]
    for back in range(size):
        i = size - 1 - back
        rest = x[i]
        for k in range(i + 1, size):
            rest -= lower[k, i] * x[k]
        x[i] = rest / lower[i, i]
    return value


@compiled
def loss(form: Arrays, weights: Floats, rest: Floats) -> float:
    """Return what decoding weights lose at most, rounding included; write 1 − Eᵀv to ``rest``."""
    _, _, rows, norms = form
    n, parts = rows.shape
    size = np.sqrt(parts)
    for j in range(parts):
        rest[j] = 1.0
    for i in range(n):
        weight = weights[i]
        if weight != 0.0:
            size += abs(weight) * norms[i]
            row = rows[i]
            for j in range(parts):
                rest[j] -= weight * row[j]
    error = 0.0
    for j in range(parts):
        error += rest[j] * rest[j]
    drift = 2.0**-52 * (n + parts) * size
    return (np.sqrt(error) + drift) ** 2 * (1 + 2.0**-50 * parts)


@compiled
def ceiling(form: Arrays, chosen: Ints, alive: bool, enough: float) -> float:
    """Return what decoding weights lose that are nearly the best: the error is at most that.

    With x from Q_TT x = c_T, survivors T have the weights x, and those beside silent workers T
    c − Q_T x. The ridge in Q and rounding are taken out by solving again for what is left, until
    the loss is ``enough``.
    """
    matrix, vector, rows, _ = form
    n, parts = rows.shape
    weights, rest, x = np.zeros(n), np.ones(parts), np.empty(len(chosen))
    right, least = np.empty(n), np.inf
    for step in range(1 + REFINEMENTS):
        for i in range(n):
            total, row = 0.0, rows[i]
            for j in range(parts):
                total += row[j] * rest[j]
            right[i] = total
        if not alive:
            right = vector.copy() if step == 0 else product(matrix, right)
        solve(matrix, right, chosen, x)
        if not alive:
            for k in range(len(chosen)):
                row, times = matrix[chosen[k]], x[k]
                for i in range(n):
                    right[i] -= row[i] * times
            for i in range(n):
                weights[i] += right[i]
        for k in range(len(chosen)):
            weights[chosen[k]] = weights[chosen[k]] + x[k] if alive else 0.0
        least = min(least, loss(form, weights, rest))
        if least <= enough:
            break
    return least


@compiled
def product(matrix: Floats, vector: Floats) -> Floats:
    """Return the product of a symmetric matrix and a vector."""
    n = len(vector)
    answer = np.zeros(n)
    for i in range(n):
        times, row = vector[i], matrix[i]
        for j in range(n):
            answer[j] += times * row[j]
    return answer


@compiled
def limit(bar: float, sign: float, numbers: Numbers) -> float:
    """Return the value that φ has to pass, upwards or downwards, for a set to pass the bar."""
    base, want, relative, absolute = numbers
    return (sign * (bar - want * base) - sign * absolute) / (1 + sign * relative)


@compiled
def least(keys: Floats) -> int:
    """Return the place of the least key."""
    place = 0
    for i in range(len(keys)):
        if keys[i] < keys[place]:
            place = i
    return place


@compiled
def keep(key: float, chosen: Ints, leaders: Kept) -> None:
    """Keep a set among the leaders; once they are full, only better ones are let in."""
    keys, sets, tally, bar = leaders
    place = tally[0]
    if place < len(keys):
        tally[0] += 1
    else:
        place = least(keys)
    keys[place] = key
    for k in range(len(chosen)):
        sets[place, k] = chosen[k]
    if tally[0] == len(keys):
        bar[0] = max(bar[0], keys[least(keys)])


@compiled
def weigh(form: Arrays, numbers: Numbers, sign: float, chosen: Ints, leaders: Kept) -> None:
    """Decide one set in double precision, and keep it if it may pass the bar."""
    matrix, vector, _, _ = form
    bar, tally = leaders[3], leaders[2]
    tally[2] += 1
    x = np.empty(len(chosen))
    value = solve(matrix, vector, chosen, x)
    if sign * (value - limit(bar[0], sign, numbers)) <= 0:
        return
    base, want, relative, absolute = numbers
    key = want * base + sign * value * (1 + sign * relative) + absolute
    if want > 0:
        key = min(key, ceiling(form, chosen, sign < 0, bar[0]))
    if key > bar[0]:
        keep(key, chosen, leaders)
