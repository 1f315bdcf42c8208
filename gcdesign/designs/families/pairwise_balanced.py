"""Pairwise balanced placements: any two parts share exactly d²/N workers."""

from __future__ import annotations

import numpy as np

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.geometry import affine_geometry, affine_size
from gcdesign.designs.operations import transpose
from gcdesign.designs.registry import Family, Parameter


def construct(q: int, dim: int = 2) -> BlockDesign:
    """Return the points of AG(m, q) as workers and one hyperplane of each direction as parts.

    N = q^m, K = (q^m − 1)/(q − 1), R = d = q^(m−1). Hyperplanes of different directions meet in
    q^(m−2) = d²/N points, so the placement is pairwise balanced: the mean squared error of a
    stochastic gradient code on it is as small as its replication allows. All the hyperplanes
    pass through the origin, worker 0, who holds everything.

    Parameters
    ----------
    q
        Order of the field, a prime power.
    dim
        Dimension m ≥ 2.

    Raises
    ------
    InputError, LimitError
        As in `gcdesign.designs.geometry.affine_geometry`.

    Notes
    -----
    Source: pairwise balance is that of Bitar, Wootters, El Rouayheb 2020; this placement with it
    is derived here from affine geometry.
    """
    check_size(size(q, dim), name=f"pairwise-balanced:q={q},dim={dim}")
    geometry = affine_geometry(q, dim)
    chosen = np.arange(0, geometry.b, q)  # parallel hyperplanes are consecutive, q of them
    planes = geometry.indices.reshape(geometry.b, -1)[chosen]
    indptr, parts = transpose(BlockDesign.from_rows(geometry.v, planes))
    provenance = Provenance.of("pairwise-balanced", q=q, dim=dim)
    return BlockDesign.from_arrays(len(planes), indptr, parts, provenance=provenance)


def size(q: int, dim: int = 2) -> Size:
    """Return the size of the placement; errors as in `construct`."""
    points, planes, incidences = affine_size(q, dim)
    return Size(planes // q, points, incidences // q)


FAMILY = Family(
    name="pairwise-balanced",
    summary="pairwise balanced: parts are hyperplanes through a point of AG(dim,q)",
    source="Bitar, Wootters, El Rouayheb 2020 (pairwise balance); affine geometry",
    parameters=(
        Parameter("q", "order of the field, a prime power"),
        Parameter("dim", "dimension, 2 or more (default 2)", optional=True),
    ),
    construct=construct,
    size=size,
    label=lambda q, dim: f"pairwise balanced ({q}^{dim} workers)",
    example={"q": 3},
    domain="prime powers q, dim ≥ 2",
    point_transitive=True,
)
