"""Designs of Hadamard matrices."""

from __future__ import annotations

from collections.abc import Iterator

from gcdesign.designs.design import Provenance
from gcdesign.designs.existence.parameters import Bibd
from gcdesign.designs.existence.source import Known, Source


def propose(wanted: Bibd, known: Known) -> Iterator[Provenance]:
    """Yield the symmetric (4m − 1, 2m − 1, m − 1) design and the 3-design on 4m points."""
    v, k, lambda_ = wanted
    if (k, lambda_) == ((v - 1) // 2, (v - 3) // 4) and v % 4 == 3 and _known(v + 1):
        yield Provenance.of("hadamard", order=v + 1)
    if (k, lambda_) == (v // 2, v // 2 - 1) and v % 4 == 0 and _known(v):
        yield Provenance.of("hadamard-three", order=v)


def _known(order: int) -> bool:
    from gcdesign.designs.hadamard.orders import MAX_ORDER, hadamard_recipe

    return 8 <= order <= MAX_ORDER and hadamard_recipe(order) is not None


SOURCE = Source(
    name="Hadamard",
    reference="a Hadamard matrix (Todd 1933, Hughes 1965)",
    propose=propose,
    cost=1,
)
