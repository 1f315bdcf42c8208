"""Designs whose blocks are filled with smaller designs."""

from __future__ import annotations

from collections.abc import Iterator

from gcdesign.designs.design import MAX_POINTS, Provenance
from gcdesign.designs.existence.parameters import Bibd, divisors
from gcdesign.designs.existence.source import Known, Source


def propose(wanted: Bibd, known: Known) -> Iterator[Provenance]:
    """Yield a 2-(v, u, μ) design whose blocks are filled with a 2-(u, k, λ/μ) design."""
    v, k, lambda_ = wanted
    # Beyond what can be built, the sizes of blocks to be filled are too many to try.
    if wanted.is_symmetric or wanted.b > MAX_POINTS:
        return
    for outer in divisors(lambda_):
        for size in range(k + 1, v // 2 + 1):
            if not (
                Bibd(v, size, outer).divides
                and Bibd(v, size, outer).b >= v
                and Bibd(size, k, lambda_ // outer).divides
            ):
                continue
            inner = known(size, k, lambda_ // outer)
            blocks = inner and known(v, size, outer)
            if inner is not None and blocks is not None:
                yield Provenance.of("fill", blocks, other=inner.spec)


SOURCE = Source(
    name="filling",
    reference="blocks of a design filled with smaller designs",
    propose=propose,
    cost=4,
)
