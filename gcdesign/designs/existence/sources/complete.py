"""All subsets of one size."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

from gcdesign.designs.design import MAX_INCIDENCES, Provenance
from gcdesign.designs.existence.parameters import Bibd
from gcdesign.designs.existence.source import Known, Source


def propose(wanted: Bibd, known: Known) -> Iterator[Provenance]:
    """Yield the complete design, if λ = C(v − 2, k − 2) and it is not too large to build."""
    v, k, lambda_ = wanted
    if wanted.b * k <= MAX_INCIDENCES and comb(v - 2, k - 2) == lambda_:
        yield Provenance.of("complete", points=v, size=k)


SOURCE = Source(name="complete", reference="all subsets of one size", propose=propose)
