"""Planes: Hughes planes."""

from __future__ import annotations

from gcdesign.designs.planes.hughes import hughes_plane, hughes_size
from gcdesign.designs.registry import Family, Parameter

FAMILY = Family(
    name="hughes-plane",
    summary="Hughes plane of order q*q, which is no translation plane",
    source="Hughes 1957",
    parameters=(Parameter("q", "an odd prime power"),),
    construct=hughes_plane,
    size=hughes_size,
    label=lambda q: f"Hughes plane of order {q * q}",
    example={"q": 3},
    domain="odd prime powers q",
)
