"""Multiples of a design, and unions of two on the same points."""

from __future__ import annotations

from collections.abc import Iterator

from gcdesign.designs.design import Provenance
from gcdesign.designs.existence.parameters import Bibd, divisors
from gcdesign.designs.existence.source import Known, Source

MOST_STEPS = 500
"""Unions are tried for λ up to so many times the least one: every smaller λ is asked for too."""


def propose(wanted: Bibd, known: Known) -> Iterator[Provenance]:
    """Yield multiples of the design of least λ, then unions of two with λ = μ + (λ − μ)."""
    v, k, lambda_ = wanted
    step = wanted.step
    for times in divisors(lambda_ // step)[:-1]:
        once = known(v, k, times * step)
        if once is not None:
            yield Provenance.of("multiple", once, times=lambda_ // (times * step))
    if lambda_ > MOST_STEPS * step:
        return
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
