"""Difference sets by theorem, and radical difference families."""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt

from gcdesign.designs.design import Provenance
from gcdesign.designs.existence.parameters import Bibd
from gcdesign.designs.existence.source import Known, Source
from gcdesign.designs.fields import prime_power
from gcdesign.designs.singer import point_count

MAX_Q = 2000
"""Largest field in which radical families are looked for."""


def propose(wanted: Bibd, known: Known) -> Iterator[Provenance]:
    """Yield McFarland's, Menon's, Spence's and twin prime difference sets, and radical families."""
    if wanted.is_symmetric:
        yield from _symmetric(wanted)
    elif wanted.lambda_ == 1 and wanted.v <= MAX_Q and prime_power(wanted.v):
        yield from _radical(wanted)


def _symmetric(wanted: Bibd) -> Iterator[Provenance]:
    v, k, lambda_ = wanted
    q = isqrt(v + 1) - 1
    if (v, k) == (q * (q + 2), (v - 1) // 2) and prime_power(q) and prime_power(q + 2):
        yield Provenance.of("twin-primes", q=q)
    for dim in range(2, v.bit_length()):
        for q in _orders(v, dim):
            n = point_count(q, dim - 1)
            if (v, k) == (q**dim * (n + 1), q ** (dim - 1) * n):
                yield Provenance.of("mcfarland", q=q, dim=dim)
        power = 3**dim
        if (v, k) == (power * (power - 1) // 2, power // 3 * (power + 1) // 2):
            yield Provenance.of("spence", dim=dim)
    u = isqrt(v) // 2
    if (v, k, lambda_) == (4 * u * u, 2 * u * u - u, u * u - u) and _products(u):
        yield Provenance.of("menon", u=u)


def _orders(v: int, dim: int) -> list[int]:
    """Return the prime powers q near the root of v in q^d(n + 1), about q^(2d − 1)."""
    root = round(v ** (1 / (2 * dim - 1)))
    return [q for q in range(max(2, root - 2), root + 2) if prime_power(q)]


def _products(u: int) -> bool:
    """Whether u = 2^a 3^b with b ≤ a + 1."""
    a = b = 0
    while u and u % 2 == 0:
        u, a = u // 2, a + 1
    while u and u % 3 == 0:
        u, b = u // 3, b + 1
    return u == 1 and b <= a + 1


def _radical(wanted: Bibd) -> Iterator[Provenance]:
    from gcdesign.designs.families.radical import multipliers

    v, k = wanted[:2]
    if (v - 1) % (k * (k - 1)) == 0 and multipliers(v, k) is not None:
        yield Provenance.of("radical", q=v, size=k)


SOURCE = Source(
    name="difference sets",
    reference="McFarland 1973, Menon 1962, Spence 1977, twin primes; radical families (Bose 1939)",
    propose=propose,
    cost=1,
)
