"""Pairwise balanced designs of so many points, from transversal designs cut down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gcdesign.designs.design import Provenance
from gcdesign.designs.squares.plans import transversal_plan


def cut_transversals(v: int, *, blocks: Iterable[int]) -> Iterator[tuple[Provenance, list[int]]]:
    """Yield recipes of pairwise balanced designs of v points with their block sizes, rising.

    v = mt + s + i: m groups of t points, a last one of s ≤ t, and i = 0 or 1 points in all groups.

    Parameters
    ----------
    v
        Number of points.
    blocks
        The m to try; blocks that meet all groups have m + 1 points, the others m.
    """
    for m in blocks:
        for infinity in (0, 1):
            for t in range(-(-(v - infinity) // (m + 1)), (v - infinity) // m + 1):
                last = v - infinity - m * t
                groups = m + 1 if last else m
                if groups < 3 or t < 2 or transversal_plan(groups, t) is None:
                    continue
                last = last or t
                whole = {groups - 1} if last < t else set()
                sizes = whole | {groups, t + infinity, last + infinity}
                recipe = Provenance.of(
                    "transversal-pbd", groups=groups, side=t, last=last, infinity=infinity
                )
                yield recipe, sorted(sizes - {1})
