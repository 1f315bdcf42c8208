"""Candelabra: what makes a large Steiner quadruple system from smaller ones.

A candelabrum has some groups of g points and a stem of s points. Its quadruples hold each three
points once that do not lie in one group and the stem. With a quadruple system on each group and the
stem it is a quadruple system. Point (i, x) of group i is ig + x, the stem comes last.
"""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int32]


def one_factors(v: int) -> Rows:
    """Return a one-factorisation of the complete graph on v points, v even: (v − 1, v/2, 2).

    Round robin: point v − 1 stays, the others turn.

    Examples
    --------
    >>> one_factors(4).tolist()
    [[[3, 0], [1, 2]], [[3, 1], [2, 0]], [[3, 2], [0, 1]]]
    """
    n = v - 1
    turn, step = np.arange(n)[:, None], np.arange(1, v // 2)[None, :]
    pairs = np.stack([(turn + step) % n, (turn - step) % n], axis=2)
    first = np.stack([np.full((n, 1), n), turn], axis=2)
    return np.concatenate([first, pairs], axis=1).astype(np.int32)


def candelabrum(g: int, s: int) -> Rows:
    """Return the quadruples of a candelabrum of three groups of g points and a stem of s."""
    if (g, s) == (12, 2):
        return _three_twelves()
    return _three_threes() if (g, s) == (3, 1) else three_groups(g, s)


def weighted(rows: Rows, groups: int, g: int, s: int) -> Rows:
    """Return a candelabrum with a group of g points for each point but the last of a system.

    A quadruple with the last point becomes a candelabrum of three groups, another one all
    quadruples of its groups whose places add up to zero in Z_g.

    Notes
    -----
    Source: Hanani 1960, v → 2v, 3v − 2 and 12v − 10 with (g, s) = (2, 2), (3, 1), (12, 2).
    """
    last = (rows == groups).any(axis=1)
    inside = rows[~last]
    through = rows[last][rows[last] != groups].reshape(-1, 3)
    places = np.stack([place.reshape(-1) for place in np.indices((g, g, g))], axis=1)
    places = np.append(places, -places.sum(axis=1, keepdims=True) % g, axis=1)
    spread = inside[:, None, :] * g + places
    part = candelabrum(g, s)
    moved = through[:, np.minimum(part // g, 2)] * g + part % g
    stem = part - 3 * g
    candelabra = np.where(stem >= 0, stem + groups * g, moved)
    parts = [spread.reshape(-1, 4), candelabra.reshape(-1, 4)]
    return np.concatenate(parts).astype(np.int32)


def filled(rows: Rows, groups: int, g: int, s: int) -> Rows:
    """Return a quadruple system on each group and the stem; a quadruple in the stem comes once."""
    if s == 4:  # the points of the first quadruple go to the end
        number = np.empty(g + s, dtype=np.int32)
        number[np.append(np.setdiff1d(np.arange(g + s), rows[0]), rows[0])] = np.arange(g + s)
        rows = number[rows]
    stem = (rows >= g).all(axis=1)
    first = np.arange(groups)[:, None, None] * g
    copies = np.where(rows < g, rows + first, rows + (groups - 1) * g)[:, ~stem]
    parts = [rows[stem] + (groups - 1) * g, copies.reshape(-1, 4)]
    return np.concatenate(parts).astype(np.int32)


def _three_threes() -> Rows:
    """Return a candelabrum of three groups of three points and a stem of one: 27 quadruples."""
    found = []
    for a, b in product(range(3), repeat=2):
        x, y, z = (3 * ((b + step) % 3) for step in range(3))
        here, there, last = a, (a + 1) % 3, (a + 2) % 3
        found.append([a, 3 + b, 6 - (a + b) % -3, 9])
        found.append([x + here, y + here, z + there, z + last])
        found.append([x + here, y + here, x + there, y + there])
    return np.array(found, dtype=np.int32)


def _three_twelves() -> Rows:
    """Return a candelabrum of three groups of twelve points and a stem of two: 1836 quadruples.

    Notes
    -----
    Source: Hanani 1960, within his system on 38 points.
    """

    def at(group: int, place: int) -> int:
        return group % 3 * 12 + place % 12

    found = []
    for y, z in product(range(12), repeat=2):
        found += [[36 + a, at(0, 3 * a - y - z), at(1, y), at(2, z)] for a in range(2)]
        for i in range(3):  # three sums and the difference 3 for each group
            pair = [at(i, i + 4 - y - z), at(i, i + 7 - y - z)]
            found.append([*pair, at(i + 1, y), at(i + 2, z)])
    for i, x, e in product(range(3), range(12), (0, 6)):  # the sums that are left
        for move, low, high in ((0, 1, -1), (0, 2, -2), (-3, 1, 2), (3, -1, -2)):
            pair = [at(i + 2, e - 2 * x + low), at(i + 2, e - 2 * x + high)]
            found.append([at(i, x), at(i + 1, x + e + move), *pair])
    for i, x, e in product(range(3), range(12), (0, 3, 6, 9)):  # equal differences
        for d in (1, 2, 4, 6):
            if d < 6 or (x < 6 and e < 6):
                found.append([at(i, x), at(i, x + d), at(i + 1, x + e), at(i + 1, x + e + d)])
    for i, j in permutations(range(3), 2):  # 6 with 4 and with 2
        for x, e, d in product(range(0, 12, 2), (0, 3), (1, 2)):
            pair = [at(i, x + e), at(i, x + e + 6)]
            found.append([*pair, at(j, x + d), at(j, x + 6 - d)])
    for i, j in ((0, 1), (0, 2), (1, 2)):  # the difference 5
        for x, y, d in product(range(0, 12, 2), range(0, 12, 2), (5, -5)):
            found.append([at(i, x), at(i, x + d), at(j, y), at(j, y + d)])
    return np.array(found, dtype=np.int32)


def three_groups(g: int, s: int) -> Rows:
    """Return the quadruples of a candelabrum of three groups, g = 6d + s with s = 2 or 4.

    (0, x), (1, y), (2, z) lie with stem point a if x + y + z = a in Z_g. The other sums are cut
    into three intervals of 2d, one for each group i: the j-th sum from either end of it are the
    two points of group i that lie with the points y and z of the next groups, less y + z. These
    pairs have the differences 1, 3, …, 2d − 1; pairs with another difference lie with such of the
    next group, by one-factors.

    Notes
    -----
    Source: Hanani 1960, v → 3v − 4 and 3v − 8, here for all v ≡ 4 and 2 (mod 6).
    """
    d = (g - s) // 6
    first, second = np.divmod(np.arange(g * g), g)
    parts = [
        np.stack([first, second + g, (a - first - second) % g + 2 * g, np.full(g * g, 3 * g + a)])
        for a in range(s)
    ]
    factors = _factors_without(g, d)
    for i in range(3):
        here, next_, last = (g * ((i + step) % 3) for step in range(3))
        for j in range(d):
            low, high = (s + 2 * d * i + e - first - second for e in (j, 2 * d - 1 - j))
            parts.append(np.stack([low % g + here, high % g + here, first + next_, second + last]))
        parts.append(_pairs_with_pairs(factors + here, factors + next_).T)
    return np.concatenate(parts, axis=1).T.astype(np.int32)


def four_groups(g: int) -> Rows:
    """Return the quadruples of a candelabrum of four groups of g = 2k and a stem of two points.

    Group (h, i) is 2h + i, point (c, a) of Z_k × Z_2 is c + ak. For c + c' + c'' = 0 the points
    (c, a) of group (h, 0), (c', a') of (h, 1) and (c'', a'') of (1 − h, a + a') lie with the stem
    point a + a'' + h. Two points (c, a) and (c', a') of (h, 0) and (h, 1) lie with pairs of the
    other two groups: those that reflect in c'' = −c − c', in group (1 − h, a + a'), which leave
    out just (c'', 0) and (c'', 1); and those that reflect between c'' and c'' + 1 in the other.

    Notes
    -----
    Source: Hanani 1960, v → 4v − 6, with reflections in the place of his systems of pairs.
    """
    k = g // 2
    c, c_, a, a_ = (x.reshape(-1) for x in np.indices((k, k, 2, 2)))
    third = (-c - c_) % k
    step = np.arange(k)[:, None]
    parts = []
    for h in range(2):
        one, two = c + a * k + 2 * h * g, c_ + a_ * k + (2 * h + 1) * g
        groups = [(2 - 2 * h + (a + a_ + e) % 2) * g for e in range(2)]
        for b in range(2):
            parts.append(np.stack([one, two, third + b * k + groups[0], 4 * g + (a + b + h) % 2]))
        for e, steps in ((0, step[1:]), (1, step)):
            low, high = (third + e + steps) % g, (third - steps) % g
            pair = [low + groups[e], high + groups[e]]
            parts.append(np.stack(np.broadcast_arrays(one, two, *pair)).reshape(4, -1))
        factors = one_factors(g) + 2 * h * g
        parts.append(_pairs_with_pairs(factors, factors + g).T)
    return np.concatenate(parts, axis=1).T.astype(np.int32)


def _pairs_with_pairs(one: Rows, other: Rows) -> Rows:
    """Return each pair of a factor with each pair of the same factor of the other: (n, 4)."""
    pairs = np.broadcast_arrays(one[:, :, None], other[:, None])
    return np.concatenate(pairs, axis=3).reshape(-1, 4)


def _factors_without(g: int, d: int) -> Rows:
    """Return one-factors of the pairs in Z_g, g even, whose difference is not 1, 3, …, 2d − 1.

    Shape (factors, g/2, 2). Pairs within the even and within the odd residues come from factors
    of half as many points; if that is odd each leaves out one point, and these two have the
    difference g/2.
    """
    half, even = g // 2, 2 * np.arange(g // 2)
    if half % 2:
        inner = one_factors(half + 1)
        inner = 2 * inner[inner[:, :, 0] < half].reshape(half, half // 2, 2)  # new point: first
        alone = 2 * np.arange(half)[:, None]
        parts = [
            np.concatenate(
                [inner, (inner + half) % g, np.stack([alone, (alone + half) % g], axis=2)], axis=1
            )
        ]
    else:
        inner = 2 * one_factors(half)
        parts = [np.concatenate([inner, inner + 1], axis=1)]
    for difference in range(2 * d + 1, half + 1, 2):
        signs = (1,) if difference == half else (1, -1)
        if difference == half and half % 2:
            continue
        parts.append(np.stack([np.stack([even, (even + e * difference) % g], 1) for e in signs]))
    return np.concatenate(parts).astype(np.int32)
