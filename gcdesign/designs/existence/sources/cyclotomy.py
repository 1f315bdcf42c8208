"""Difference sets and families that are unions of cyclotomic classes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from gcdesign.designs.design import Provenance
from gcdesign.designs.existence.parameters import Bibd
from gcdesign.designs.existence.source import Known, Source
from gcdesign.designs.fields import prime_power

MAX_Q = 4096
"""Largest field whose classes are tried."""

MAX_ORDER = 8
"""Most classes of which several are united."""


def propose(wanted: Bibd, known: Known) -> Iterator[Provenance]:
    """Yield one class or more of GF(v), with or without 0, and as many shifts as b asks for."""
    q, k, lambda_ = wanted
    shifts, rest = divmod(wanted.b, q)
    if rest or q > MAX_Q or prime_power(q) is None:
        return
    for zero in (0, 1):
        for order in (e for e in range(max(shifts, 2), q) if (q - 1) % e == 0):
            count, left = divmod(k - zero, (q - 1) // order)
            if left or not count or (count > 1 and order > MAX_ORDER):
                continue
            for classes in _evenly(q, order, count, shifts, zero, lambda_):
                yield Provenance.of(
                    "cyclotomic", q=q, order=order, classes=classes, shifts=shifts, zero=zero
                )


def _evenly(
    q: int, order: int, count: int, shifts: int, zero: int, lambda_: int
) -> Iterator[tuple[int, ...]]:
    """Yield the unions of so many classes whose differences are covered λ times."""
    from gcdesign.designs.cyclotomy import covered, cyclotomic_numbers

    numbers = cyclotomic_numbers(q, order)
    minus_one = 0 if q % 2 == 0 else (q - 1) // 2 % order
    for others in combinations(range(1, order), count - 1):
        classes = (0, *others)
        if covered(numbers, classes, shifts=shifts, zero=zero, minus_one=minus_one) == lambda_:
            yield classes


SOURCE = Source(
    name="cyclotomy",
    reference="cyclotomic classes of a finite field (Paley 1933, Lehmer 1953, Wilson 1972)",
    propose=propose,
    cost=1,
)
