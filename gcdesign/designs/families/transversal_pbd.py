"""Pairwise balanced designs from transversal designs."""

from __future__ import annotations

from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.squares.designs import pbd_size, transversal_pbd

FAMILY = Family(
    name="transversal-pbd",
    summary="pairwise balanced: a transversal design with a short last group, groups as blocks",
    source="Hanani 1961; Wilson 1972, An Existence Theory for Pairwise Balanced Designs",
    parameters=(
        Parameter("groups", "number of groups k, 3 or more"),
        Parameter("side", "points in each group n"),
        Parameter("last", "points that stay in the last group, 0 to n"),
        Parameter("infinity", "1 for one more point in every group (default 0)", optional=True),
    ),
    construct=transversal_pbd,
    size=pbd_size,
    label=lambda groups, side, last, infinity: (
        f"PBD of TD({groups},{side}), last group {last}" + (", one point more" * infinity)
    ),
    example={"groups": 4, "side": 3, "last": 1},
    domain="as transversal",
)
