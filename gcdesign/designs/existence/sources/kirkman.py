"""Pairwise balanced designs with block sizes 4, 7, 10, …, filled."""

from __future__ import annotations

from collections.abc import Iterator

from gcdesign.designs.design import Provenance
from gcdesign.designs.existence.parameters import Bibd
from gcdesign.designs.existence.source import Known, Source


def propose(wanted: Bibd, known: Known) -> Iterator[Provenance]:
    """Yield 2-(v, 4, λ) for even λ and v ≡ 1 (mod 3), from those behind Kirkman's systems.

    A Kirkman system with a new point for each class has blocks of 4 points and one of v/3.
    """
    v, k, lambda_ = wanted
    if k != 4 or lambda_ % 2 or v % 9 != 4 or v < 22:
        return
    from gcdesign.designs.steiner.kirkman_plans import kirkman_plan

    part = (v - 1) // 3
    if kirkman_plan(part) is None:
        return
    four, inner = known(4, 4, lambda_), known(part, 4, lambda_)
    if four is not None and inner is not None:
        recipe = Provenance.of("completed", Provenance.of("kts", points=2 * part + 1))
        recipe = Provenance.of("fill", recipe, other=four.spec)
        yield Provenance.of("fill", recipe, other=inner.spec)


SOURCE = Source(
    name="completed triple systems",
    reference="a Kirkman system with points at infinity (Ray-Chaudhuri and Wilson 1971)",
    propose=propose,
    cost=3,
)
