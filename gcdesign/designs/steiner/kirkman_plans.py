"""How a Kirkman triple system on 2r + 1 points is made, for each r ≡ 1 (mod 3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from gcdesign.designs.design import Provenance
from gcdesign.designs.fields import prime_power
from gcdesign.designs.squares.plans import transversal_plan


@dataclass(frozen=True)
class Plan:
    """How it is made.

    Attributes
    ----------
    r
        The number of classes; the system has 2r + 1 points.
    method
        ``"plane"``, ``"three copies"``, ``"two copies"`` or ``"balanced"``.
    balanced
        For ``"balanced"``, the recipe of a pairwise balanced design on r points whose block sizes
        all have a plan.
    """

    r: int
    method: str
    balanced: Provenance | None = None


@lru_cache(maxsize=1 << 12)
def kirkman_plan(r: int) -> Plan | None:
    """Return how a Kirkman system with r classes can be made here, or None.

    Examples
    --------
    >>> kirkman_plan(7).method, kirkman_plan(10).method
    ('two copies', 'three copies')
    >>> kirkman_plan(22).balanced.spec
    'completed(kts:points=15)'
    """
    if r < 4 or r % 3 != 1:
        return None
    if r == 4:
        return Plan(r, "plane")
    if (2 * r + 1) % 18 == 3 and prime_power((2 * r + 1) // 3):
        return Plan(r, "three copies")
    if r % 6 == 1 and prime_power(r):
        return Plan(r, "two copies")
    for recipe in _balanced(r):
        return Plan(r, "balanced", recipe)
    return None


def _balanced(r: int) -> Iterator[Provenance]:
    """Yield pairwise balanced designs on r points, of block sizes that have a plan."""
    grouped = _with_light_point(r)
    if grouped is not None:
        yield grouped[0]
    for k in range(4, r // 3 + 1, 3):
        for infinity in (0, 1):
            side, rest = divmod(r - infinity, k)
            if (
                not rest
                and side > 1
                and kirkman_plan(k)
                and kirkman_plan(side + infinity)
                and transversal_plan(k, side)
            ):
                yield Provenance.of(
                    "transversal-pbd", groups=k, side=side, last=side, infinity=infinity
                )


@lru_cache(maxsize=1 << 12)
def _with_light_point(r: int) -> tuple[Provenance, int] | None:
    """Return a pairwise balanced design on r points and a point all of whose blocks have size 4."""
    from gcdesign.designs.existence.asking import known

    if r % 12 in (1, 4):
        design = known(r, 4, 1)
        if design is not None:
            return design, 0
    part = (r - 1) // 3
    if r % 9 == 4 and kirkman_plan(part):
        return Provenance.of("completed", Provenance.of("kts", points=2 * part + 1)), 0
    for recipe in _weighted(part):
        return recipe, r - 1
    return None


def _weighted(u: int) -> Iterator[Provenance]:
    """Yield pairwise balanced designs on 3u + 1 points: u points of weight 3, and ∞.

    Each block size s of the design on u points needs one on 3s + 1 points with a light point.
    """
    for side in range(4, u // 4 + 1):
        last = u - 4 * side
        if last > side or transversal_plan(5 if last else 4, side) is None:
            continue
        sizes = {side, last} | ({5} if last else {4}) | ({4} if last < side else set())
        parts = {size: _with_light_point(3 * size + 1) for size in sorted(sizes - {0, 1})}
        if None in parts.values():
            continue
        groups = 5 if last else 4
        pbd = Provenance.of(
            "transversal-pbd", groups=groups, side=side, last=last or side, infinity=0
        )
        recipe = Provenance.of("weight", pbd, times=3)
        for part in parts.values():
            assert part is not None
            filler = Provenance.of("grouped", part[0], point=part[1])
            recipe = Provenance.of("fill", recipe, other=filler.spec)
        yield recipe
