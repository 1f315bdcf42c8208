"""How a Kirkman triple system on 2r + 1 points is made, for each r ≡ 1 (mod 3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from gcdesign.designs.design import Provenance
from gcdesign.designs.fields import prime_power
from gcdesign.designs.registry import parse_spec
from gcdesign.designs.squares.plans import transversal_plan

FOUR_AND_SEVEN = {
    34: (
        "developed:group=F27,blocks=27+28+29+30+31+32+33/0+1+3+9/0+12+24+27/0+10+20+28/0+4+8+29/"
        "0+13+26+30/0+17+22+31/0+16+23+32/0+14+25+33,fixed=7"
    ),
    70: (
        "developed:group=Z21,blocks=63+64+65+66+67+68+69/0+39+52+63/11+21+60+64/19+32+42+65/"
        "0+32+58+66/17+21+53+67/12+38+42+68/0+13+16+48/7+21+34+37/28+42+55+58/0+11+15+61/"
        "20+21+32+36/41+42+53+57/0+12+40+41/21+33+61+62/0+20+42+54/0+19+36+60/19+21+40+57/"
        "16+40+42+61/0+7+14+69/21+28+35+69/42+49+56+69,copies=3,fixed=7"
    ),
}
"""Pairwise balanced designs with one block of 7 points and all others of 4, by number of points.

On 34 points: the translates of 0 and the three unit vectors in AG(3, 3), and the lines in the seven
directions that these do not have, each with a new point for its direction. On 70 points: found by
``scripts/find_balanced_designs.py``.
"""


@dataclass(frozen=True)
class Plan:
    """How it is made.

    Attributes
    ----------
    r
        The number of classes; the system has 2r + 1 points.
    method
        ``"plane"``, ``"three copies"``, ``"two copies"``, ``"balanced"`` or ``"multiple"``.
    balanced
        For ``"balanced"``, the recipe of a pairwise balanced design on r points whose block sizes
        all have a plan.
    part, times
        For ``"multiple"``, the number of classes of a smaller system whose points are taken so
        many times.
    """

    r: int
    method: str
    balanced: Provenance | None = None
    part: int = 0
    times: int = 1


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
    return _multiple(r)


def _multiple(r: int) -> Plan | None:
    """Return how the system is made of one on w points, each taken n times, with wn = 2r + 1."""
    for n in range(3, (2 * r + 1) // 9 + 1, 2):
        w, rest = divmod(2 * r + 1, n)
        parts = (kirkman_plan((w - 1) // 2), kirkman_plan((3 * n - 1) // 2))
        if not rest and all(parts) and transversal_plan(4, n):
            return Plan(r, "multiple", part=(w - 1) // 2, times=n)
    return None


def _balanced(r: int) -> Iterator[Provenance]:
    """Yield pairwise balanced designs on r points, of block sizes that have a plan."""
    if r in FOUR_AND_SEVEN:
        yield parse_spec(FOUR_AND_SEVEN[r])
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
