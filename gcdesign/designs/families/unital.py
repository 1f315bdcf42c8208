"""Hermitian unitals."""

from __future__ import annotations

from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.structures.plane_designs import unital, unital_size

FAMILY = Family(
    name="unital",
    summary="Hermitian unital: 2-(q^3 + 1, q + 1, 1) design of the secants in PG(2,q^2)",
    source="Bose 1959",
    parameters=(Parameter("q", "a prime power; the plane has order q*q"),),
    construct=unital,
    size=unital_size,
    label=lambda q: f"Hermitian unital ({q})",
    example={"q": 2},
    domain="prime powers q",
    point_transitive=True,
)
