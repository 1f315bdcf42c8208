"""Transversal designs."""

from __future__ import annotations

from gcdesign.designs.near import near_members
from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.squares.designs import transversal_design, transversal_size

FAMILY = Family(
    name="transversal",
    summary="transversal design: blocks meet each group once, pairs across groups are in one block",
    source="Bose and Shrikhande 1960; Wilson 1974; orthogonal Latin squares",
    parameters=(
        Parameter("groups", "number of groups k, 2 or more"),
        Parameter("side", "points in each group n; k - 2 orthogonal Latin squares of this side"),
    ),
    construct=transversal_design,
    size=transversal_size,
    label=lambda groups, side: f"TD({groups},{side})",
    example={"groups": 4, "side": 3},
    domain="groups up to side + 1 for prime powers, fewer for other sides",
    near=near_members(
        "transversal",
        transversal_size,
        lambda workers, load: ({"groups": load, "side": side} for side in _near_sides(workers)),
    ),
)


def _near_sides(workers: int) -> range:
    """Sides whose square is about the number of workers."""
    return range(max(2, int((3 * workers / 4) ** 0.5)), int((1.1 * workers) ** 0.5) + 2)
