"""Affine geometries: points of AG(m, q) against d-flats, with parallel classes."""

from __future__ import annotations

from gcdesign.designs.geometry import affine_geometry, affine_size
from gcdesign.designs.near import near_geometries
from gcdesign.designs.registry import Family, Parameter

PARAMETERS = (
    Parameter("q", "order of the field, a prime power"),
    Parameter("dim", "dimension, 2 or more (default 2, the plane)", optional=True),
    Parameter("flats", "dimension of the flats (default dim-1, hyperplanes)", optional=True),
)


def label(q: int, dim: int, flats: int) -> str:
    """Return ``"AG(2,5)"``; flats other than hyperplanes are named."""
    return f"AG({dim},{q})" + ("" if flats == dim - 1 else f", {flats}-flats")


FAMILY = Family(
    name="ag",
    summary="affine geometry AG(dim,q): points against flats",
    source="Kadhe, Koyluoglu, Ramchandran 2019, Table III",
    parameters=PARAMETERS,
    construct=affine_geometry,
    size=affine_size,
    label=label,
    example={"q": 3},
    domain="prime powers q, dim ≥ 2, 1 ≤ flats < dim",
    point_transitive=True,
    near=near_geometries("ag", affine_size),
)
