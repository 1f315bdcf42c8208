"""Nearly Kirkman triple systems."""

from __future__ import annotations

from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.steiner.nearly_kirkman import nearly_kirkman_size, nearly_kirkman_system

FAMILY = Family(
    name="nkts",
    summary="nearly Kirkman triple system: triples in parallel classes, but for v/2 pairs",
    source="Kotzig, Rosa 1974; Baker, Wilson 1977; Brouwer 1978; Rees, Stinson 1987",
    parameters=(Parameter("points", "number of points v, a multiple of 6, 18 or more"),),
    construct=nearly_kirkman_system,
    size=nearly_kirkman_size,
    label=lambda points: f"NKTS({points})",
    example={"points": 18},
    domain="v ≡ 0 (mod 6), v ≥ 18",
)
