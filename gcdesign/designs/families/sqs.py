"""Steiner quadruple systems."""

from __future__ import annotations

from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.steiner.quadruples import quadruple_size, steiner_quadruple_system

FAMILY = Family(
    name="sqs",
    summary="Steiner quadruple system: any three points in one block of four",
    source="Hanani 1960",
    parameters=(Parameter("points", "number of points v, 2 or 4 modulo 6"),),
    construct=steiner_quadruple_system,
    size=quadruple_size,
    label=lambda points: f"SQS({points})",
    example={"points": 10},
    domain="v ≡ 2, 4 (mod 6), v ≥ 4",
)
