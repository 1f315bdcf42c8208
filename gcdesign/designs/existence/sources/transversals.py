"""Transversal designs whose blocks and groups are filled with designs."""

from __future__ import annotations

from collections.abc import Iterator

from gcdesign.designs.design import Provenance
from gcdesign.designs.existence.parameters import Bibd
from gcdesign.designs.existence.source import Known, Source
from gcdesign.designs.existence.transversals import cut_transversals


def propose(wanted: Bibd, known: Known) -> Iterator[Provenance]:
    """Yield pairwise balanced designs of v points, each block filled with a 2-(s, k, λ) design."""
    v, k, lambda_ = wanted
    if k < 3 or wanted.is_symmetric:
        return
    for pbd, sizes in cut_transversals(v, blocks=range(k, int(v**0.5) + 2)):
        recipe = pbd
        for (
            size
        ) in sizes:  # from the smallest: blocks of k points are filled before others bring some
            if size == k and lambda_ == 1:
                continue
            part = known(size, k, lambda_)
            if part is None:
                break
            recipe = Provenance.of("fill", recipe, other=part.spec)
        else:
            yield recipe


SOURCE = Source(
    name="transversal designs",
    reference="blocks and groups of a transversal design filled (Hanani 1961, Wilson 1972)",
    propose=propose,
    cost=4,
)
