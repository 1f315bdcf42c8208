"""Steiner triple systems."""

from __future__ import annotations

from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.steiner.triples import steiner_triple_system, triple_system_size

FAMILY = Family(
    name="sts",
    summary="Steiner triple system: any two points in one block of three",
    source="Bose 1939; Skolem 1958",
    parameters=(Parameter("points", "number of points v, 1 or 3 modulo 6"),),
    construct=steiner_triple_system,
    size=triple_system_size,
    label=lambda points: f"STS({points})",
    example={"points": 9},
    domain="v ≡ 1, 3 (mod 6), v ≥ 3",
)
