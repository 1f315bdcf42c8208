"""Kirkman triple systems."""

from __future__ import annotations

from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.steiner.kirkman import kirkman_size, kirkman_triple_system

FAMILY = Family(
    name="kts",
    summary="Kirkman triple system: blocks of three in parallel classes",
    source="Ray-Chaudhuri and Wilson 1971",
    parameters=(Parameter("points", "number of points v, 3 modulo 6"),),
    construct=kirkman_triple_system,
    size=kirkman_size,
    label=lambda points: f"KTS({points})",
    example={"points": 15},
    domain="v ≡ 3 (mod 6), v ≥ 9",
)
