"""Steiner quadruple systems, 3-(v, 4, 1) designs, for every order, by candelabra."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.actions import Action, Multiplier
from gcdesign.designs.base_blocks import BaseBlocks
from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.rings import Ring
from gcdesign.designs.steiner.candelabra import candelabrum, filled, four_groups, weighted
from gcdesign.errors import InputError

Rows = NDArray[np.int32]

WEIGHTS = ((2, 2), (3, 1), (12, 2))
"""Group and stem sizes whose candelabra of three groups take v points to g(v − 1) + s points."""

FOURTEEN = (
    (0, 1, 2, 4),
    (0, 1, 5, 9),
    (0, 1, 7, 8),
    (0, 1, 10, 11),
    (0, 1, 12, 13),
    (0, 8, 9, 11),
    (7, 8, 9, 12),
)
"""Base blocks on 14 points under Z_7 and the multiplier 2, by ``find_quadruple_systems.py``."""


@dataclass(frozen=True)
class Plan:
    """How a quadruple system is made.

    Attributes
    ----------
    points
        Their number v.
    method
        ``"one block"``, ``"base"`` for base blocks, ``"groups"`` for three or four groups and a
        stem, ``"weights"`` for the points of a smaller system taken so many times.
    groups, size, stem
        The number of groups, their size g and that of the stem. With weights there is a group for
        each point but one of a system on groups + 1 points.
    """

    points: int
    method: str
    groups: int = 0
    size: int = 0
    stem: int = 0


def steiner_quadruple_system(points: int) -> BlockDesign:
    """Return a Steiner quadruple system of v points: three points are in one block of four.

    Parameters
    ----------
    points
        v ≡ 2 or 4 (mod 6), 4 or more.

    Raises
    ------
    InputError
        If v is not 2 or 4 modulo 6.
    LimitError
        If the design is too large.

    Notes
    -----
    Source: Hanani 1960, who has a system for every such v; see
    `gcdesign.designs.steiner.candelabra`.

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
    return size


@lru_cache(maxsize=1 << 12)
def quadruple_plan(points: int) -> Plan | None:
    """Return how a quadruple system of v points is made here; None if there is none.

    Examples
    --------
    >>> quadruple_plan(22)
    Plan(points=22, method='weights', groups=7, size=3, stem=1)
    """
    if points % 6 not in (2, 4) or points < 4:
        return None
    return next(_plans(points))


def _plans(v: int) -> Iterator[Plan]:
    """Yield plans, the simplest first; Hanani's theorem says that there is one."""
    if v == 4:
        yield Plan(v, "one block")
    if v == 14:
        yield Plan(v, "base")
    for size, stem in WEIGHTS:
        groups, rest = divmod(v - stem, size)
        if not rest and quadruple_plan(groups + 1):
            yield Plan(v, "weights", groups, size, stem)
    for groups, stem in ((4, 2), (3, 2), (3, 4)):
        size, rest = divmod(v - stem, groups)
        fits = size % 2 == 0 if groups == 4 else size % 6 == stem
        if not rest and fits and quadruple_plan(size + stem):
            yield Plan(v, "groups", groups, size, stem)


def _rows(points: int) -> Rows:
    plan = quadruple_plan(points)
    assert plan is not None
    match plan.method:
        case "one block":
            return np.arange(4, dtype=np.int32)[None, :]
        case "base":
            action = Action(Ring.parse("Z7"), copies=2, multipliers=(Multiplier(2),))
            return BaseBlocks(action, FOURTEEN).design().indices.reshape(-1, 4)
    g, s = plan.size, plan.stem
    if plan.method == "weights":
        outside = weighted(_rows(plan.groups + 1), plan.groups, g, s)
    else:
        outside = four_groups(g) if plan.groups == 4 else candelabrum(g, s)
    return np.concatenate([outside, filled(_rows(g + s), plan.groups, g, s)])
