"""Wilson's fundamental construction with weight k − 1, on transversal designs cut down."""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt

from gcdesign.designs.design import Provenance
from gcdesign.designs.existence.parameters import Bibd
from gcdesign.designs.existence.source import Known, Source
from gcdesign.designs.existence.transversals import cut_transversals


def propose(wanted: Bibd, known: Known) -> Iterator[Provenance]:
    """Yield v = (k − 1)u + 1 with λ = 1, from pairwise balanced designs of u points.

    Each block size s of theirs needs a 2-((k − 1)s + 1, k, 1) design.
    """
    v, k, lambda_ = wanted
    if lambda_ != 1 or k < 3 or wanted.is_symmetric or (v - 1) % (k - 1):
        return
    w = k - 1
    for pbd, sizes in _pairwise_balanced((v - 1) // w, k, known):
        recipe = Provenance.of("weight", pbd, times=w)
        for size in sizes:
            part = known(w * size + 1, k, 1)
            if part is None:
                break
            filler = Provenance.of("grouped", part, point=0)
            recipe = Provenance.of("fill", recipe, other=filler.spec)
        else:
            yield recipe


def _pairwise_balanced(u: int, k: int, known: Known) -> Iterator[tuple[Provenance, list[int]]]:
    """Yield pairwise balanced designs of u points and their block sizes, k and more."""
    for size in range(k, isqrt(u) + 2):
        blocks = known(u, size, 1)
        if blocks is not None:
            yield blocks, [size]
    yield from cut_transversals(u, blocks=(k,))


SOURCE = Source(
    name="weighting",
    reference="points of a pairwise balanced design get weight (Hanani 1961, Wilson 1972)",
    propose=propose,
    cost=3,
)
