"""Unitals, arcs, quintuples; quadruple systems, spherical geometries, Witt's as 2-designs."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

from gcdesign.designs.design import Provenance
from gcdesign.designs.existence.parameters import Bibd
from gcdesign.designs.existence.source import Known, Source
from gcdesign.designs.fields import prime_power
from gcdesign.designs.steiner.quadruples import quadruple_plan
from gcdesign.designs.steiner.witt import SIZES


def propose(wanted: Bibd, known: Known) -> Iterator[Provenance]:
    """Yield the members of these families with the wanted parameters."""
    v, k, lambda_ = wanted
    q = k - 1
    if lambda_ == 1 and v == q**3 + 1 and prime_power(q):
        yield Provenance.of("unital", q=q)
    if lambda_ == 1 and not k & (k - 1) and k > 2 and (v - k) % (k - 1) == 0:
        order = (v - k) // (k - 1)
        if order >= k and not order & (order - 1):
            yield Provenance.of("maximal-arc", q=order, degree=k)
    if k == 5 and lambda_ == 1 and v % 20 == 5 and v > 5 and prime_power(v // 5):
        yield Provenance.of("quintuple", q=v // 5)
    if k == 4 and 2 * lambda_ == v - 2 and quadruple_plan(v) is not None:
        yield Provenance.of("sqs", points=v)
    yield from _spherical(wanted)
    if v in SIZES:
        t, size, _ = SIZES[v]
        if k == size and lambda_ * comb(k - 2, t - 2) == comb(v - 2, t - 2):
            yield Provenance.of("witt", points=v)


def _spherical(wanted: Bibd) -> Iterator[Provenance]:
    """Yield spherical geometries: v = q^d + 1, k = q + 1, λ = (q^d − 1)/(q − 1)."""
    v, k, lambda_ = wanted
    q, dim = k - 1, 2
    while q > 1 and q**dim < v - 1:
        dim += 1
    if q > 1 and q**dim == v - 1 and lambda_ == (v - 2) // (q - 1) and prime_power(q):
        yield Provenance.of("spherical", q=q, dim=dim)


SOURCE = Source(
    name="Steiner systems",
    reference="unitals and arcs (Bose 1959, Denniston 1969), Steiner systems (Witt 1938)",
    propose=propose,
    cost=1,
)
