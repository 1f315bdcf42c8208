"""2-(5q, 5, 1) designs."""

from __future__ import annotations

from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.steiner.quintuples import quintuple_design, quintuple_size

FAMILY = Family(
    name="quintuple",
    summary="2-(5q, 5, 1) design on five copies of GF(q)",
    source="Bose 1939 (the method of differences)",
    parameters=(Parameter("q", "a prime power, 1 modulo 4"),),
    construct=quintuple_design,
    size=quintuple_size,
    label=lambda q: f"2-({5 * q},5,1) design on 5 copies of GF({q})",
    example={"q": 5},
    domain="prime powers q ≡ 1 (mod 4)",
    point_transitive=True,
)
