"""Points and flats of projective and affine geometries."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gcdesign.designs.design import Provenance
from gcdesign.designs.existence.parameters import Bibd
from gcdesign.designs.existence.source import Known, Source
from gcdesign.designs.fields import prime_power
from gcdesign.designs.singer import point_count
from gcdesign.designs.subspaces import gaussian_binomial


def propose(wanted: Bibd, known: Known) -> Iterator[Provenance]:
    """Yield PG(m, q) and AG(m, q) with d-flats for every m, d and q that fit."""
    v, k, lambda_ = wanted
    for dim, q in _orders(v, point_count):
        for flats in range(1, dim):
            if point_count(q, flats) == k and gaussian_binomial(dim - 1, flats - 1, q) == lambda_:
                yield Provenance.of("pg", q=q, dim=dim, flats=flats)
    for dim, q in _orders(v, lambda q, dim: int(q**dim)):
        for flats in range(1, dim):
            if q**flats == k and gaussian_binomial(dim - 1, flats - 1, q) == lambda_:
                yield Provenance.of("ag", q=q, dim=dim, flats=flats)


def _orders(v: int, points: Callable[[int, int], int]) -> Iterator[tuple[int, int]]:
    """Yield the (dimension, order) with so many points, the order a prime power."""
    for dim in range(2, v.bit_length()):
        root = round(v ** (1 / dim))
        for q in range(max(2, root - 1), root + 2):
            if points(q, dim) == v and prime_power(q):
                yield dim, q


SOURCE = Source(
    name="geometry",
    reference="flats of a finite geometry (Singer 1938, Bose 1939)",
    propose=propose,
)
