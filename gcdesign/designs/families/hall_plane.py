"""Planes: Hall planes."""

from __future__ import annotations

from gcdesign.designs.planes.translation import hall_plane, hall_size
from gcdesign.designs.registry import Family, Parameter

FAMILY = Family(
    name="hall-plane",
    summary="Hall plane of order q*q, which is not Desarguesian",
    source="Hall 1943",
    parameters=(Parameter("q", "a prime power, 3 or more"),),
    construct=hall_plane,
    size=hall_size,
    label=lambda q: f"Hall plane of order {q * q}",
    example={"q": 3},
    domain="prime powers q ≥ 3",
)
