"""How a nearly Kirkman triple system on v points is made, for v a multiple of 6."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pkgutil import get_data

from gcdesign.designs.squares.plans import transversal_plan
from gcdesign.designs.steiner.kirkman_plans import kirkman_plan

WEIGHT = 3
"""Points of the trivial Kirkman system: one triple, which is its only class."""


@dataclass(frozen=True)
class Plan:
    """How it is made.

    Attributes
    ----------
    points
        v.
    method
        ``"base classes"``, ``"kirkman multiple"``, ``"multiple"`` or ``"frame"``.
    part
        The number of points of the smaller nearly Kirkman system that fills groups; 0 if none does.
    times
        For multiples, how often each point of the system outside is taken; for ``"frame"`` the
        number of groups, u ≡ 1 (mod 3).
    """

    points: int
    method: str
    part: int = 0
    times: int = 1


@lru_cache(maxsize=1)
def base_classes() -> dict[int, list[list[list[int]]]]:
    """Return the stored base classes by number of points: classes, triples, points."""
    data = get_data("gcdesign.designs", "data/nearly_kirkman.json") or b""
    entries: dict[str, list[str]] = json.loads(data)["systems"]
    return {
        int(v): [[list(map(int, t.split("+"))) for t in c.split("/")] for c in classes]
        for v, classes in entries.items()
    }


@lru_cache(maxsize=1 << 12)
def nearly_kirkman_plan(v: int) -> Plan | None:
    """Return how a nearly Kirkman system on v points can be made here, or None.

    Examples
    --------
    >>> [nearly_kirkman_plan(v).method for v in (18, 54, 66)]
    ['base classes', 'kirkman multiple', 'frame']
    >>> nearly_kirkman_plan(12) is None
    True
    """
    if v < 18 or v % 6:
        return None
    if v in base_classes():
        return Plan(v, "base classes")
    return _kirkman_multiple(v) or _multiple(v) or _frame(v)


def _kirkman_multiple(v: int) -> Plan | None:
    """Take each point of a Kirkman system on w points, or of one triple, n times: v = wn."""
    for w in range(WEIGHT, v // 18 + 1, 6):
        n, rest = divmod(v, w)
        outside = w == WEIGHT or kirkman_plan((w - 1) // 2) is not None
        if not rest and outside and nearly_kirkman_plan(n) and transversal_plan(4, n):
            return Plan(v, "kirkman multiple", part=n, times=n)
    return None


def _multiple(v: int) -> Plan | None:
    """Take each point of a nearly Kirkman system n times: groups of 2n points are filled."""
    for n in range(9, v // 18 + 1, 3):
        outside, rest = divmod(v, n)
        parts = (nearly_kirkman_plan(outside), nearly_kirkman_plan(2 * n))
        if not rest and all(parts) and transversal_plan(4, n):
            return Plan(v, "multiple", part=2 * n, times=n)
    return None


def _frame(v: int) -> Plan | None:
    """Take each point of a transversal design with u groups of m points twice: v = 2um + 2."""
    for u in range(4, (v - 2) // 16 + 1, 3):
        m, rest = divmod(v - 2, 2 * u)
        parts = not rest and nearly_kirkman_plan(2 * m + 2) and kirkman_plan(u)
        if parts and transversal_plan(u, m):
            return Plan(v, "frame", part=2 * m + 2, times=u)
    return None
