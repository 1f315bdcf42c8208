"""Multiples of a design, and unions of two on the same points."""

from __future__ import annotations

from collections.abc import Iterator

from gcdesign.designs.design import MAX_POINTS, Provenance
from gcdesign.designs.existence.parameters import Bibd, divisors
from gcdesign.designs.existence.source import Known, Source

MOST_STEPS = 500
"""Unions are tried for λ up to so many times the least one: every smaller λ is asked for too."""


def propose(wanted: Bibd, known: Known) -> Iterator[Provenance]:
    """Yield multiples of the design of least λ, then unions of two with λ = μ + (λ − μ)."""
    v, k, lambda_ = wanted
    step = wanted.step
    # Beyond what can be built, only copies of the least design are tried.
    parts = divisors(lambda_ // step)[:-1] if wanted.b <= MAX_POINTS else [1] * (lambda_ > step)
    for times in parts:
        once = known(v, k, times * step)
        if once is not None:
            yield Provenance.of("multiple", once, times=lambda_ // (times * step))
    if lambda_ > MOST_STEPS * step or wanted.b > MAX_POINTS:
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
