"""Singer cycles: the points of PG(m, q) as the powers of one element of GF(q^(m+1)).

Multiplication by a generator α permutes the v = (q^(m+1) − 1)/(q − 1) points in one cycle, so
with point i = ⟨α^i⟩ every hyperplane is a shift of one cyclic difference set (Singer 1938).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from gcdesign.designs.fields import Elements, Field, galois_field, prime_factors

Polynomial = list[int]


def point_count(q: int, m: int) -> int:
    """Return the number of points of PG(m, q), (q^(m+1) − 1)/(q − 1).

    Examples
    --------
    >>> point_count(5, 2), point_count(2, 3)
    (31, 15)
    """
    return int((q ** (m + 1) - 1) // (q - 1))


@lru_cache(maxsize=64)
def singer_polynomial(field: Field, m: int) -> tuple[int, ...]:
    """Return the low coefficients, constant first, of a monic f of degree m + 1 over GF(q).

    The class of x modulo f has order v modulo scalars. That proves f irreducible: the units
    of any other quotient ring of the same size, taken modulo scalars, are fewer than v.

    The search is deterministic. Candidate n has constant term 1 + n mod (q − 1) and the
    base-q digits of n as its other coefficients, which runs through all of them since
    q − 1 and q are coprime.
    """
    q = field.order
    v = point_count(q, m)
    cofactors = [v // r for r in prime_factors(v)]
    for number in range((q - 1) * q**m):
        low = [1 + number % (q - 1), *(number // q**j % q for j in range(m))]
        ring = _QuotientRing(field, low)
        if ring.is_scalar(ring.power_of_x(v)) and not any(
            ring.is_scalar(ring.power_of_x(c)) for c in cofactors
        ):
            return tuple(low)
    raise AssertionError(f"no Singer polynomial of degree {m + 1} over GF({q})")  # contradicts 1938


class _QuotientRing:
    """GF(q)[x] modulo a monic polynomial, on plain integers: few operations, no arrays."""

    def __init__(self, field: Field, low: Sequence[int]) -> None:
        self._exp: list[int] = field.exp.tolist()
        self._log: list[int] = field.log.tolist()
        self._p, self._places = field.characteristic, field.places
        self._minus_low = field.negative(np.array(low, dtype=np.int32)).tolist()

    @staticmethod
    def is_scalar(element: Polynomial) -> bool:
        return not any(element[1:])

    def times_x(self, a: Polynomial) -> Polynomial:
        """Return x · a."""
        return self._add_multiple([0, *a[:-1]], a[-1], self._minus_low)

    def multiply(self, a: Polynomial, b: Polynomial) -> Polynomial:
        """Return a · b by Horner's rule."""
        result = [0] * len(a)
        for coefficient in reversed(b):
            result = self._add_multiple(self.times_x(result), coefficient, a)
        return result

    def _add(self, a: int, b: int) -> int:
        p = self._p
        if p == 2:
            return a ^ b
        return sum((a // place + b // place) % p * place for place in self._places)

    def _add_multiple(self, a: Polynomial, scalar: int, b: Polynomial) -> Polynomial:
        if scalar == 0:
            return a
        shift, exp, log = self._log[scalar], self._exp, self._log
        return [self._add(x, exp[shift + log[y]]) if y else x for x, y in zip(a, b, strict=True)]

    def power_of_x(self, exponent: int) -> Polynomial:
        """Return x^exponent by squaring, most significant bit first."""
        result = [1, *([0] * (len(self._minus_low) - 1))]
        for bit in f"{exponent:b}":
            result = self.multiply(result, result)
            if bit == "1":
                result = self.times_x(result)
        return result


def _cycle(field: Field, m: int, start: Elements) -> Elements:
    """Return the linear recurring sequences of the Singer polynomial, one row per start.

    ``start`` has shape (rows, m + 1) and the result (rows, v). A known prefix of m + n terms
    is extended by n terms at once through s[i + m + n] = Σ_j c_j s[i + j], where Σ c_j x^j is
    x^(m + n) modulo the polynomial; then n doubles.
    """
    v = point_count(field.order, m)
    ring = _QuotientRing(field, singer_polynomial(field, m))
    terms = np.empty((len(start), v), dtype=np.int32)
    terms[:, : m + 1] = start
    known = m + 1
    while known < v:
        fresh = min(known - m, v - known)
        block = np.zeros((len(start), fresh), dtype=np.int32)
        for j, c in enumerate(ring.power_of_x(known)):
            block = field.add(block, field.scale(c, terms[:, j : j + fresh]))
        terms[:, known : known + fresh] = block
        known += fresh
    return terms


def singer_difference_set(q: int, m: int) -> Elements:
    """Return the difference set of the hyperplanes of PG(m, q), sorted, containing 0 … m − 1.

    Shape ((q^m − 1)/(q − 1),). Block i of the design is ``(D + i) mod v``.

    Examples
    --------
    >>> singer_difference_set(5, 2).tolist()
    [0, 1, 6, 18, 22, 29]
    """
    field = galois_field(q)
    top_coefficient = np.zeros((1, m + 1), dtype=np.int32)
    top_coefficient[0, m] = 1
    return np.flatnonzero(_cycle(field, m, top_coefficient)[0] == 0).astype(np.int32)


def singer_powers(q: int, m: int) -> Elements:
    """Return the coefficients of α^i, constant first, for i = 0, …, v − 1; shape (v, m + 1).

    α^v is in GF(q), and of no smaller power: for m = 1 and odd q it is a non-square.
    """
    return _cycle(galois_field(q), m, np.eye(m + 1, dtype=np.int32)).T


def singer_points(q: int, m: int) -> Elements:
    """Return the coordinates of the points of PG(m, q), shape (v, m + 1), in Singer order.

    Row i holds the coefficients of α^i, scaled so that the first non-zero one is 1.
    """
    field, coordinates = galois_field(q), singer_powers(q, m)
    leading = coordinates[np.arange(len(coordinates)), (coordinates != 0).argmax(axis=1)]
    inverses = field.exp[(q - 1 - field.log[leading]) % (q - 1)]
    return field.multiply(coordinates, inverses[:, None])
