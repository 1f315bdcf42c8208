"""Difference families over a field: a block and its multiples by a subgroup."""

from __future__ import annotations

from collections.abc import Iterator

from gcdesign.designs.design import Provenance
from gcdesign.designs.existence.parameters import Bibd
from gcdesign.designs.existence.source import Known, Source
from gcdesign.designs.fields import prime_power

MAX_Q = 4096
"""Largest field in which a block is looked for."""


def propose(wanted: Bibd, known: Known) -> Iterator[Provenance]:
    """Yield 2-(q, k, λ) with λe = k(k − 1), or half of that where −1 is an e-th power."""
    q, k, lambda_ = wanted
    cosets, rest = divmod(k * (k - 1), lambda_)
    if rest or k < 3 or q > MAX_Q or prime_power(q) is None:
        return
    from gcdesign.designs.steiner.wilson import wilson_base

    for half in (1, 0) if q % 2 else (0,):
        order = cosets // (1 + half)
        if cosets % (1 + half) or (q - 1) % order or (half and (q - 1) // 2 % order):
            continue
        base = wilson_base(q, order, k)
        if base is not None:
            yield Provenance.of("wilson", q=q, order=order, base=base, half=half)


SOURCE = Source(
    name="multiples of a block",
    reference="a block and its multiples in a field (Wilson 1972)",
    propose=propose,
    cost=2,
)
