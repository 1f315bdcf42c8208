"""Symmetric designs from blocks and how they meet, and from affine designs."""

from __future__ import annotations

from collections.abc import Iterator

from gcdesign.designs.design import Provenance
from gcdesign.designs.existence.parameters import Bibd
from gcdesign.designs.existence.source import Known, Source
from gcdesign.designs.fields import prime_power
from gcdesign.designs.squares.plans import transversal_plan


def propose(wanted: Bibd, known: Known) -> Iterator[Provenance]:
    """Yield McFarland's and Menon's parameters, the Gewirtz graph's biplane, Higman's design."""
    v, k, lambda_ = wanted
    q = lambda_
    if (v, k) == (q * q * (q + 2), q * (q + 1)) and prime_power(q):
        yield Provenance.of("wallis", Provenance.of("ag", q=q, dim=2, flats=1))
    yield from _menon(wanted)
    if wanted == (56, 11, 2):
        missing = Provenance.of("point-residual", Provenance.of("witt", points=22), point=0)
        yield Provenance.of("meeting", missing, meets=(0, 6))
    if wanted == (176, 50, 14):
        octads = Provenance.of("witt", points=24)
        yield Provenance.of("between", octads, pair=(0, 1), meets=(0, 4))


def _menon(wanted: Bibd) -> Iterator[Provenance]:
    """Yield (4u², 2u² − u, u² − u) from u − 2 Latin squares of order 2u."""
    v, k, lambda_ = wanted
    u = k - 2 * lambda_
    if u < 2 or (v, k, lambda_) != (4 * u * u, 2 * u * u - u, u * u - u):
        return
    if transversal_plan(u, 2 * u) is not None:
        array = Provenance.of("transversal", groups=u, side=2 * u)
        yield Provenance.of("meeting", array, meets=(1,))


SOURCE = Source(
    name="meeting blocks",
    reference="how blocks of a net or a Witt design meet (Wallis 1971, Higman 1969)",
    propose=propose,
    cost=1,
)
