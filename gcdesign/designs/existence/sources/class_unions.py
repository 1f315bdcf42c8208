"""Unions of blocks in the parallel classes of a resolvable design."""

from __future__ import annotations

from collections.abc import Iterator

from gcdesign.designs.design import Provenance
from gcdesign.designs.existence.parameters import Bibd
from gcdesign.designs.existence.source import Known, Source
from gcdesign.designs.fields import prime_power
from gcdesign.designs.subspaces import gaussian_binomial


def propose(wanted: Bibd, known: Known) -> Iterator[Provenance]:
    """Yield unions in the classes of affine geometries."""
    v, k = wanted[:2]
    place = prime_power(v)
    if place is None or wanted.is_symmetric:
        return
    p, exponent = place
    for e in (e for e in range(1, exponent) if exponent % e == 0):
        q, dim = p**e, exponent // e
        for flats in range(1, dim):
            classes = gaussian_binomial(dim, flats, q)
            per_class, rest = q ** (dim - flats), k % q**flats
            size = k // q**flats
            if rest or not 2 <= size <= per_class // 2 or wanted.r % classes:
                continue
            # λ = λ₀ρ + (r₀ − λ₀)μ with ρ = r/r₀ and μ = ρ(l − 1)/(n − 1)
            mu, left = divmod(wanted.r // classes * (size - 1), per_class - 1)
            inner = None if left else known(per_class, size, mu)
            if inner is not None:
                geometry = Provenance.of("ag", q=q, dim=dim, flats=flats)
                yield Provenance.of("class-unions", geometry, other=inner.spec)


SOURCE = Source(
    name="class unions",
    reference="unions of parallel flats (Shrikhande and Raghavarao 1963)",
    propose=propose,
    cost=2,
)
