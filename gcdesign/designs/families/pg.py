"""Projective geometries: points of PG(m, q) against d-flats."""

from __future__ import annotations

from gcdesign.designs.geometry import projective_geometry, projective_size
from gcdesign.designs.near import near_geometries
from gcdesign.designs.registry import Family, Parameter


def label(q: int, dim: int, flats: int) -> str:
    """Return ``"PG(2,5)"``; flats other than hyperplanes are named."""
    return f"PG({dim},{q})" + ("" if flats == dim - 1 else f", {flats}-flats")


FAMILY = Family(
    name="pg",
    summary="projective geometry PG(dim,q): points against flats",
    source="Singer 1938; Kadhe, Koyluoglu, Ramchandran 2019, Table III",
    parameters=(
        Parameter("q", "order of the field, a prime power"),
        Parameter("dim", "dimension, 2 or more (default 2, the plane)", optional=True),
        Parameter("flats", "dimension of the blocks (default dim-1, hyperplanes)", optional=True),
    ),
    construct=projective_geometry,
    size=projective_size,
    label=label,
    example={"q": 5},
    domain="prime powers q, dim ≥ 2, 1 ≤ flats < dim",
    point_transitive=True,
    near=near_geometries("pg", projective_size),
)
