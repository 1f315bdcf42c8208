"""Multiples of a design, and unions of two on the same points."""

from __future__ import annotations

from collections.abc import Iterator

from gcdesign.designs.design import Provenance
from gcdesign.designs.existence.parameters import Bibd
from gcdesign.designs.existence.source import Known, Source


def propose(wanted: Bibd, known: Known) -> Iterator[Provenance]:
    """Yield multiples of the design of least λ, then unions of two with λ = μ + (λ − μ)."""
    v, k, lambda_ = wanted
    step = wanted.step
    for part in range(step, lambda_ // 2 + 1, step):
        if lambda_ % part == 0:
            once = known(v, k, part)
            if once is not None:
                yield Provenance.of("multiple", once, times=lambda_ // part)
    for part in range(step, lambda_ // 2 + 1, step):
        smaller = known(v, k, part)
        larger = smaller and known(v, k, lambda_ - part)
        if smaller is not None and larger is not None:
            yield Provenance.of("union", larger, other=smaller.spec)


SOURCE = Source(
    name="sums",
    reference="a union of designs on the same points",
    propose=propose,
    cost=3,
)
