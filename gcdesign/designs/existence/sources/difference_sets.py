"""Difference sets that are made of hyperplanes, of twin prime powers, or as products."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from math import isqrt

from gcdesign.designs.design import Provenance
from gcdesign.designs.existence.parameters import Bibd
from gcdesign.designs.existence.source import Known, Source
from gcdesign.designs.registry import Family
from gcdesign.errors import InputError


def propose(wanted: Bibd, known: Known) -> Iterator[Provenance]:
    """Yield the members of McFarland's, Spence's, Menon's and the twin prime series that fit."""
    if not wanted.is_symmetric:
        return
    for name, values in _members(wanted):
        family: Family = import_module(f"gcdesign.designs.families.{name.replace('-', '_')}").FAMILY
        try:
            size = family.size_of(values)
        except InputError:
            continue
        if (size.v, size.incidences) == (wanted.v, wanted.v * wanted.k):
            yield Provenance(name, tuple(values.items()))


def _members(wanted: Bibd) -> Iterator[tuple[str, dict[str, int]]]:
    """Yield families with the only parameters that v allows."""
    v = wanted.v
    if isqrt(v + 1) ** 2 == v + 1:
        yield "twin-primes", {"q": isqrt(v + 1) - 1}
    if v % 4 == 0 and isqrt(v) ** 2 == v:
        yield "menon", {"u": isqrt(v) // 2}
    for dim in range(2, v.bit_length()):
        if 3**dim * (3**dim - 1) // 2 == v:
            yield "spence", {"dim": dim}
        # v = q^d ((q^d − 1)/(q − 1) + 1) lies between q^(2d−1) and (2q)^(2d−1).
        q = 2
        while q ** (2 * dim - 1) < v:
            if q**dim * ((q**dim - 1) // (q - 1) + 1) == v:
                yield "mcfarland", {"q": q, "dim": dim}
            q += 1


SOURCE = Source(
    name="difference sets",
    reference="Menon 1962, Stanton and Sprott 1958, McFarland 1973, Spence 1977",
    propose=propose,
    cost=1,
)
