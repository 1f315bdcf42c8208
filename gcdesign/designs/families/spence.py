"""Spence's difference sets, made of hyperplanes over GF(3) and one complement."""

from __future__ import annotations

from gcdesign.designs.actions import Action
from gcdesign.designs.base_blocks import BaseBlocks
from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.hyperplanes import hyperplanes, vector_ring
from gcdesign.designs.registry import Family, Parameter
from gcdesign.errors import InputError


def construct(dim: int) -> BlockDesign:
    """Return Spence's symmetric design on GF(3)^d × Z_n with n = (3^d − 1)/2.

    With hyperplanes H_1, …, H_n, the difference set is the complement of H_1 in one coset and H_i
    in the i-th. v = 3^d n, k = 3^(d−1)(3^d + 1)/2, λ = 3^(d−1)(3^(d−1) + 1)/2.

    Raises
    ------
    InputError
        If dim is below 2.

    Notes
    -----
    Source: Spence 1977. For dim = 2 the difference set is one of Menon's, (36, 15, 6).

    Examples
    --------
    >>> construct(2).parameters.as_tuple()
    (36, 36, 15, 15, 6)
    """
    check_size(size(dim), name=f"spence:dim={dim}")
    first, *rest = hyperplanes(3, dim)
    outside = sorted(set(range(3**dim)) - set(first))
    block = tuple(i * 3**dim + x for i, part in enumerate([outside, *rest]) for x in part)
    ring = vector_ring(3, dim, len(rest) + 1)
    return BaseBlocks(Action(ring), (block,)).design(Provenance.of("spence", dim=dim))


def size(dim: int) -> Size:
    """Return the size of the design; errors as in `construct`."""
    if dim < 2:
        raise InputError(f"dim={dim}; expected 2 or more")
    check_size(Size(3 ** min(dim, 40), 0, 0), name=f"spence:dim={dim}")
    v = 3**dim * (3**dim - 1) // 2
    return Size(v, v, v * 3 ** (dim - 1) * (3**dim + 1) // 2)


FAMILY = Family(
    name="spence",
    summary="Spence's symmetric design: hyperplanes over GF(3) and one complement",
    source="Spence 1977",
    parameters=(Parameter("dim", "dimension of the space over GF(3), 2 or more"),),
    construct=construct,
    size=size,
    label=lambda dim: f"Spence (dim={dim})",
    example={"dim": 2},
    domain="dim ≥ 2",
    point_transitive=True,
)
