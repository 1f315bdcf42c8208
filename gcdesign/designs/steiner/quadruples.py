"""Steiner quadruple systems, 3-(v, 4, 1) designs, by doubling and Hanani's tripling."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.steiner.quadruple_bases import base_orders, base_rows
from gcdesign.designs.structures.spherical import spherical_geometry
from gcdesign.errors import InputError

Rows = NDArray[np.int32]


@dataclass(frozen=True)
class Plan:
    """How a quadruple system is made: ``"one block"``, ``"base"``, ``"spherical"``, or from a part.

    ``"double"`` and ``"triple"`` are made from the system of ``part`` points.
    """

    points: int
    method: str
    part: int = 0


def steiner_quadruple_system(points: int) -> BlockDesign:
    """Return a Steiner quadruple system of v points: three points are in one block of four.

    Parameters
    ----------
    points
        v ≡ 2 or 4 (mod 6), 4 or more.

    Raises
    ------
    InputError
        If v is not 2 or 4 modulo 6, or no construction here reaches it.
    LimitError
        If the design is too large.

    Notes
    -----
    Source: Hanani 1960, who has a system for every such v: v → 2v and v → 3v − 2 are his;
    3^d + 1 points by Witt 1938. Others are stored.

    Examples
    --------
    >>> steiner_quadruple_system(20).parameters.as_tuple()
    (20, 285, 57, 4, 9)
    """
    size = quadruple_size(points)
    rows = _rows(points)
    provenance = Provenance.of("sqs", points=points)
    return BlockDesign.from_rows(size.v, np.sort(rows, axis=1), provenance=provenance)


def quadruple_size(points: int) -> Size:
    """Return the size of `steiner_quadruple_system` without building it; same errors."""
    if points < 4 or points % 6 not in (2, 4):
        raise InputError(
            f"points={points}; a Steiner quadruple system has v ≡ 2 or 4 (mod 6) points, 4 or more"
        )
    blocks = points * (points - 1) * (points - 2) // 24
    size = Size(points, blocks, 4 * blocks)
    check_size(size, name=f"sqs:points={points}")
    if quadruple_plan(points) is None:
        raise InputError(
            f"points={points}; no construction here reaches this quadruple system, though it "
            "exists (Hanani 1960)"
        )
    return size


@lru_cache(maxsize=1 << 12)
def quadruple_plan(points: int) -> Plan | None:
    """Return how a quadruple system of v points can be made here, or None.

    Examples
    --------
    >>> quadruple_plan(22)
    Plan(points=22, method='triple', part=8)
    """
    if points % 6 not in (2, 4) or points < 4:
        return None
    if points == 4:
        return Plan(points, "one block")
    if points in base_orders():
        return Plan(points, "base")
    if points % 2 == 0 and quadruple_plan(points // 2):
        return Plan(points, "double", points // 2)
    if points % 3 == 1 and quadruple_plan((points + 2) // 3):
        return Plan(points, "triple", (points + 2) // 3)
    dim = 2
    while 3**dim + 1 < points:
        dim += 1
    return Plan(points, "spherical", dim) if 3**dim + 1 == points else None


def _rows(points: int) -> Rows:
    plan = quadruple_plan(points)
    assert plan is not None
    match plan.method:
        case "one block":
            return np.arange(4, dtype=np.int32)[None, :]
        case "base":
            return base_rows(points)
        case "double":
            return _doubled(_rows(plan.part), plan.part)
        case "triple":
            return _tripled(_rows(plan.part), plan.part)
    return spherical_geometry(3, plan.part).indices.reshape(-1, 4)


def _doubled(rows: Rows, v: int) -> Rows:
    """Two copies; across, pairs of one factor of a one-factorisation of the complete graph."""
    factors = one_factors(v)
    left, right = np.repeat(np.arange(v // 2), v // 2), np.tile(np.arange(v // 2), v // 2)
    across = np.concatenate([factors[:, left], factors[:, right] + v], axis=2).reshape(-1, 4)
    return np.concatenate([rows, rows + v, across])


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


def _tripled(rows: Rows, v: int) -> Rows:
    """Three copies of all points but the last, which stays one: 3v − 2 points.

    Point (i, x) is i(v − 1) + x, and ∞ = 3(v − 1). A block {x, y, z, t} gives the 27 blocks whose
    first coordinates add up to zero; a block {x, y, z, last} the nine with ∞ whose other three do,
    and three quadruples (a, x), (a, y), (a + 1, z), (a + 2, z) for each of x, y, z in the place
    of z, which cover the sums 1 and 2. The rest is two points in two copies next to each other,
    and a point in all three with ∞.
    """
    n = v - 1
    infinity = 3 * n
    rows = np.sort(rows, axis=1)
    inside, through = rows[rows[:, 3] < n], rows[rows[:, 3] == n, :3]
    parts = []
    for a, b, c in product(range(3), repeat=3):
        parts.append(inside + n * np.array([a, b, c, -(a + b + c) % 3]))
    for a, b in product(range(3), repeat=2):
        three = through + n * np.array([a, b, -(a + b) % 3])
        parts.append(np.append(three, np.full((len(three), 1), infinity), axis=1))
    for a, double in product(range(3), repeat=2):
        x, y, z = (through[:, (double + i) % 3] for i in (1, 2, 0))
        quad = [x + n * a, y + n * a, z + n * ((a + 1) % 3), z + n * ((a + 2) % 3)]
        parts.append(np.stack(quad, axis=1))
    first, second = np.triu_indices(n, 1)
    for i in range(3):
        j = (i + 1) % 3
        pair = [first + n * i, second + n * i, first + n * j, second + n * j]
        parts.append(np.stack(pair, axis=1))
    points = np.arange(n)
    line = [points, points + n, points + 2 * n, np.full(n, infinity)]
    parts.append(np.stack(line, axis=1))
    return np.concatenate(parts).astype(np.int32)
