"""Triple systems: k = 3, for every λ that the number of points allows."""

from __future__ import annotations

from collections.abc import Iterator

from gcdesign.designs.design import Provenance
from gcdesign.designs.existence.parameters import Bibd
from gcdesign.designs.existence.source import Known, Source
from gcdesign.designs.steiner.repeated import has_triple_system


def propose(wanted: Bibd, known: Known) -> Iterator[Provenance]:
    """Yield Steiner triple systems, and those with λ = 2, 3 and 6."""
    v, k, lambda_ = wanted
    if k != 3:
        return
    if lambda_ == 1:
        yield Provenance.of("sts", points=v)
    elif lambda_ in (2, 3, 6) and has_triple_system(v, lambda_):
        yield Provenance.of("triple-system", points=v, index=lambda_)


SOURCE = Source(
    name="triple systems",
    reference="Bose 1939, Skolem 1958, Hanani 1961",
    propose=propose,
)
