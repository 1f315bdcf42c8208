"""Triple systems with λ = 2, 3 or 6."""

from __future__ import annotations

from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.steiner.repeated import repeated_size, triple_system

FAMILY = Family(
    name="triple-system",
    summary="triple system: any two points in 2, 3 or 6 blocks of three",
    source="Bose 1939; Hanani 1961",
    parameters=(
        Parameter("points", "number of points v"),
        Parameter("index", "blocks through two points λ: 2, 3 or 6"),
    ),
    construct=triple_system,
    size=repeated_size,
    label=lambda points, index: f"triple system ({points} points, λ = {index})",
    example={"points": 8, "index": 6},
    domain="λ = 2: v ≡ 0, 1 (mod 3), not 6 or 7; λ = 3: v odd; λ = 6: v ≥ 3",
)
