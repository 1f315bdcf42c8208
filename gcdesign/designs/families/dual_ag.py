"""Duals of affine geometries: the flats of AG(m, q) become points, its points become blocks."""

from __future__ import annotations

from dataclasses import replace

from gcdesign.designs.design import BlockDesign, Size
from gcdesign.designs.families import ag
from gcdesign.designs.geometry import affine_geometry, affine_size
from gcdesign.designs.near import near_geometries
from gcdesign.designs.operations import dual
from gcdesign.designs.registry import Family


def construct(q: int, dim: int = 2, flats: int | None = None) -> BlockDesign:
    """Return the dual of AG(dim, q); arguments and errors as in `affine_geometry`.

    Notes
    -----
    Source: Kadhe, Koyluoglu, Ramchandran 2019, Table III: N = q^m workers, each pair of
    which shares λ = (q^(m−1) − 1)/(q − 1) parts.
    """
    geometry = affine_geometry(q, dim, flats)
    assert geometry.provenance is not None  # set by every constructor of a family
    provenance = replace(geometry.provenance, family="dual-ag")
    return dual(geometry).with_provenance(provenance)


def size(q: int, dim: int = 2, flats: int | None = None) -> Size:
    """Return the size of the dual of AG(dim, q)."""
    v, b, incidences = affine_size(q, dim, flats)
    return Size(b, v, incidences)


def label(q: int, dim: int, flats: int) -> str:
    """Return ``"dual AG(2,5)"``."""
    return f"dual {ag.label(q, dim, flats)}"


FAMILY = Family(
    name="dual-ag",
    summary="dual of the affine geometry AG(dim,q): flats against points",
    source="Kadhe, Koyluoglu, Ramchandran 2019, Table III",
    parameters=ag.PARAMETERS,
    construct=construct,
    size=size,
    label=label,
    example={"q": 4},
    domain="prime powers q, dim ≥ 2, 1 ≤ flats < dim",
    point_transitive=True,
    near=near_geometries("dual-ag", size),
)
