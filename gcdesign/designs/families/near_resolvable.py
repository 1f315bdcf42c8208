"""Near-resolvable designs."""

from __future__ import annotations

from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.steiner.near_resolvable import near_resolvable_design, near_resolvable_size

FAMILY = Family(
    name="near-resolvable",
    summary="near-resolvable 2-(q, k, k - 1) design: each near parallel class misses one point",
    source="Bose 1939; Furino, Miao, Yin 1996",
    parameters=(
        Parameter("q", "number of points, a prime power"),
        Parameter("size", "block size k, a divisor of q - 1"),
    ),
    construct=near_resolvable_design,
    size=near_resolvable_size,
    label=lambda q, size: f"near-resolvable 2-({q},{size},{size - 1}) design",
    example={"q": 7, "size": 3},
    domain="prime powers q, size divides q - 1",
    point_transitive=True,
)
