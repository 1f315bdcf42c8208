"""McFarland's difference sets, made of hyperplanes, one in each coset of an elementary group."""

from __future__ import annotations

from gcdesign.designs.actions import Action
from gcdesign.designs.base_blocks import BaseBlocks
from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.fields import not_prime_power, prime_power
from gcdesign.designs.hyperplanes import hyperplanes, vector_ring
from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.singer import point_count
from gcdesign.errors import InputError


def construct(q: int, dim: int = 2) -> BlockDesign:
    """Return McFarland's symmetric design on GF(q)^d × Z_{n+1}.

    With d = ``dim`` and n = (q^d − 1)/(q − 1) hyperplanes H_1, …, H_n of GF(q)^d, the difference
    set is the union of H_i × {i}. v = q^d (n + 1), k = q^(d−1) n, λ = q^(d−1)(q^(d−1) − 1)/(q − 1).

    Raises
    ------
    InputError
        If q is no prime power, or dim is below 2.

    Notes
    -----
    Source: McFarland 1973.

    Examples
    --------
    >>> construct(3).parameters.as_tuple()
    (45, 45, 12, 12, 3)
    """
    check_size(size(q, dim), name=f"mcfarland:q={q},dim={dim}")
    planes = hyperplanes(q, dim)
    ring = vector_ring(q, dim, len(planes) + 1)
    block = tuple(i * q**dim + x for i, plane in enumerate(planes) for x in plane)
    provenance = Provenance.of("mcfarland", q=q, dim=dim)
    return BaseBlocks(Action(ring), (block,)).design(provenance)


def size(q: int, dim: int = 2) -> Size:
    """Return the size of the design; errors as in `construct`."""
    if dim < 2:
        raise InputError(f"dim={dim}; expected 2 or more")
    # There are more points than q and than 2^dim: both are judged before any arithmetic.
    check_size(Size(max(q, 2 ** min(dim, 64)), 0, 0), name=f"mcfarland:q={q},dim={dim}")
    if prime_power(q) is None:
        raise InputError(not_prime_power(q))
    n = point_count(q, dim - 1)
    v = q**dim * (n + 1)
    return Size(v, v, v * q ** (dim - 1) * n)


FAMILY = Family(
    name="mcfarland",
    summary="McFarland's symmetric design: one hyperplane in each coset but one",
    source="McFarland 1973",
    parameters=(
        Parameter("q", "order of the field, a prime power"),
        Parameter("dim", "dimension of the space, 2 or more (default 2)", optional=True),
    ),
    construct=construct,
    size=size,
    label=lambda q, dim: f"McFarland (q={q}, dim={dim})",
    example={"q": 2},
    domain="prime powers q, dim ≥ 2",
    point_transitive=True,
)
