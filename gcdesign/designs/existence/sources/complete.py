"""All subsets of one size."""

from __future__ import annotations

from collections.abc import Iterator

from gcdesign.designs.design import MAX_INCIDENCES, MAX_POINTS, Provenance
from gcdesign.designs.existence.parameters import Bibd
from gcdesign.designs.existence.source import Known, Source


def propose(wanted: Bibd, known: Known) -> Iterator[Provenance]:
    """Yield the complete design, if λ = C(v − 2, k − 2) and it is not too large to build."""
    v, k, _ = wanted
    small = wanted.b <= MAX_POINTS and wanted.b * k <= MAX_INCIDENCES
    if small and wanted.times_complete == 1:
        yield Provenance.of("complete", points=v, size=k)


SOURCE = Source(name="complete", reference="all subsets of one size", propose=propose)
