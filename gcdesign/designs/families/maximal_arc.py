"""Designs of maximal arcs."""

from __future__ import annotations

from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.structures.plane_designs import arc_design, arc_size

FAMILY = Family(
    name="maximal-arc",
    summary="resolvable 2-(qn - q + n, n, 1) design of a maximal arc of degree n in AG(2,q)",
    source="Denniston 1969",
    parameters=(
        Parameter("q", "order of the plane, a power of 2"),
        Parameter("degree", "degree n of the arc, a power of 2 up to q"),
    ),
    construct=arc_design,
    size=arc_size,
    label=lambda q, degree: f"maximal arc of degree {degree} in AG(2,{q})",
    example={"q": 4, "degree": 2},
    domain="powers of 2, 2 ≤ degree ≤ q",
)
