"""Spherical geometries, with the inversive planes."""

from __future__ import annotations

from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.structures.spherical import spherical_geometry, spherical_size

FAMILY = Family(
    name="spherical",
    summary="3-(q^d + 1, q + 1, 1) design: images of a line; for d = 2 the inversive plane",
    source="Witt 1938",
    parameters=(
        Parameter("q", "a prime power"),
        Parameter("dim", "d, 2 or more (default 2)", optional=True),
    ),
    construct=spherical_geometry,
    size=spherical_size,
    label=lambda q, dim: f"spherical geometry ({q}^{dim} + 1 points)",
    example={"q": 3},
    domain="prime powers q, d ≥ 2",
    point_transitive=True,
)
