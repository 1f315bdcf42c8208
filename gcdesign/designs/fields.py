"""Arithmetic in GF(q) by tables, light enough for the hot path.

Elements are the integers 0, …, q − 1. For q = p^e the base-p digits of an element are the
coefficients of a polynomial in x (least significant first), reduced modulo a primitive
polynomial, so that x itself, the integer p, generates the multiplicative group. The
primitive polynomials are those of `galois` (Conway polynomials where it has them), stored
once for q ≤ 4096 by ``scripts/make_primitive_polynomials.py``; larger fields ask `galois`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pkgutil import get_data

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import InputError, LimitError

Elements = NDArray[np.int32]

MAX_ORDER = 1 << 20
"""Largest field order for which tables are made."""


WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
PROVED_BELOW = 3_317_044_064_679_887_385_961_981


def prime_factors(n: int) -> list[int]:
    """Return the distinct prime factors of n ≥ 1, in increasing order, by trial division.

    Examples
    --------
    >>> prime_factors(360)
    [2, 3, 5]
    """
    factors, divisor = [], 2
    while divisor * divisor <= n:
        if n % divisor == 0:
            factors.append(divisor)
            while n % divisor == 0:
                n //= divisor
        divisor += 1 if divisor == 2 else 2
    return [*factors, n] if n > 1 else factors


def is_prime(n: int) -> bool:
    """Return whether n is prime, for n of any size.

    Below 3·10²⁴ it is a proof: no composite there passes the test of Miller and Rabin to the
    first 13 primes (Sorenson and Webster 2015). Beyond, sympy decides.

    Examples
    --------
    >>> [n for n in range(30) if is_prime(n)]
    [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]
    >>> is_prime(2**61 - 1), is_prime((2**31 - 1) * (2**29 + 11))
    (True, False)
    """
    if n < 2 or any(n % p == 0 for p in WITNESSES):
        return n in WITNESSES
    if n >= PROVED_BELOW:
        from sympy import isprime

        return bool(isprime(n))
    odd = n - 1
    twos = (odd & -odd).bit_length() - 1
    odd >>= twos
    return all(_passes(n, pow(p, odd, n), twos) for p in WITNESSES)


def _passes(n: int, power: int, twos: int) -> bool:
    """Whether a^odd, squared again and again, runs into 1 as it does modulo a prime."""
    if power in (1, n - 1):
        return True
    for _ in range(twos - 1):
        power = power * power % n
        if power == n - 1:
            return True
    return False


def prime_power(q: int) -> tuple[int, int] | None:
    """Return (p, e) with q = p^e and p prime, or None if q is no prime power.

    Examples
    --------
    >>> prime_power(243), prime_power(7), prime_power(6), prime_power(1)
    ((3, 5), (7, 1), None, None)
    >>> prime_power(10**18), prime_power(1_000_000_007**2)
    (None, (1000000007, 2))
    """
    for p in WITNESSES:
        if q >= 2 and q % p == 0:
            e = 1
            while p**e < q:
                e += 1
            return (p, e) if p**e == q else None
    for e in range(1, q.bit_length() if q >= 2 else 0):
        root = _root(q, e)
        if root**e == q and is_prime(root):
            return root, e
    return None


def _root(q: int, e: int) -> int:
    """Return the whole number nearest to the e-th root of q, from below where it is no root."""
    low, high = 1, 1 << (q.bit_length() // e + 1)
    while low < high - 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**e <= q else (low, middle)
    return low


def nearest_prime_powers(q: int) -> tuple[int, ...]:
    """Return the prime powers next below and next above q, for error messages.

    Examples
    --------
    >>> nearest_prime_powers(6), nearest_prime_powers(-3)
    ((5, 7), (2,))
    """
    below = next((n for n in range(q - 1, 1, -1) if prime_power(n)), None)
    above = next(n for n in range(max(q + 1, 2), max(2 * q, 4)) if prime_power(n))
    return (above,) if below is None else (below, above)


@lru_cache(maxsize=1)
def _stored_polynomials() -> dict[str, list[int]]:
    data = get_data("gcdesign.designs", "data/primitive_polynomials.json") or b""
    polynomials: dict[str, list[int]] = json.loads(data)["polynomials"]
    return polynomials


def primitive_polynomial(p: int, e: int) -> tuple[int, ...]:
    """Return the e low coefficients, constant first, of a monic primitive polynomial of GF(p^e).

    Examples
    --------
    >>> primitive_polynomial(2, 3)  # x^3 + x + 1
    (1, 1, 0)
    """
    if e == 1:
        return ((-primitive_root(p)) % p,)
    stored = _stored_polynomials().get(str(p**e))
    if stored is None:
        import galois

        galois.GF(p, compile="python-calculate")  # compiling would take seconds
        try:
            polynomial = galois.conway_poly(p, e)
        except LookupError:
            polynomial = galois.primitive_poly(p, e)
        stored = [int(c) for c in polynomial.coefficients(order="asc")][:-1]
    return tuple(stored)


def primitive_root(p: int) -> int:
    """Return the least primitive root modulo a prime p.

    Examples
    --------
    >>> [primitive_root(p) for p in (2, 3, 5, 7, 41)]
    [1, 2, 2, 3, 6]
    """
    cofactors = [(p - 1) // r for r in prime_factors(p - 1)]
    return next(g for g in range(1, p) if all(pow(g, c, p) != 1 for c in cofactors))


@dataclass(frozen=True, eq=False)
class Field:
    """GF(q) with vectorised addition and multiplication of integer arrays.

    Make one with `galois_field`. ``exp`` holds the powers twice, so that a sum of two
    logarithms needs no reduction, and then zeros: ``log[0]`` is 2(q − 1), so that a sum with it
    leads to a zero. Its shape is (4(q − 1) + 1,).
    """

    order: int
    characteristic: int
    degree: int
    exp: Elements
    log: Elements

    @property
    def places(self) -> tuple[int, ...]:
        """The place values 1, p, …, p^(e−1) of the digits of an element."""
        return tuple(self.characteristic**i for i in range(self.degree))

    def add(self, a: Elements, b: Elements) -> Elements:
        """Return a + b, element by element, with broadcasting."""
        p = self.characteristic
        if p == 2:
            return np.bitwise_xor(a, b)
        if self.degree == 1:
            return (a + b) % p
        total = np.zeros(np.broadcast(a, b).shape, dtype=np.int32)
        for place in self.places:
            total += (a // place + b // place) % p * place
        return total

    def negative(self, a: Elements) -> Elements:
        """Return −a, element by element."""
        minus_one = 1 if self.characteristic == 2 else int(self.exp[(self.order - 1) // 2])
        return self.scale(minus_one, a)

    def multiply(self, a: Elements, b: Elements) -> Elements:
        """Return a · b, element by element, with broadcasting."""
        product: Elements = self.exp[self.log[a] + self.log[b]]
        return product

    def scale(self, scalar: int, a: Elements) -> Elements:
        """Return scalar · a for one scalar: a single table look-up per element."""
        product: Elements = self.times(scalar)[a]
        return product

    def times(self, scalar: int) -> Elements:
        """Return the table of scalar · a for every element a."""
        table: Elements = self.exp[self.log + self.log[scalar]]
        return table

    def power(self, exponent: int) -> Elements:
        """Return the table of a^exponent for every element a; the exponent is positive."""
        table: Elements = self.exp[self.log * exponent % (self.order - 1)]
        table[0] = 0
        return table

    def inverse(self, a: int) -> int:
        """Return 1/a for one element a ≠ 0."""
        return int(self.exp[(self.order - 1 - self.log[a]) % (self.order - 1)])


@lru_cache(maxsize=32)
def galois_field(q: int) -> Field:
    """Return GF(q) with its tables.

    Raises
    ------
    InputError
        If q is no prime power.
    LimitError
        If q is above `MAX_ORDER`.

    Examples
    --------
    >>> gf4 = galois_field(4)
    >>> int(gf4.multiply(np.int32(2), np.int32(3))), int(gf4.add(np.int32(2), np.int32(3)))
    (1, 1)
    """
    if q > MAX_ORDER:
        raise LimitError(f"GF({q}) is larger than the limit {MAX_ORDER}")
    decomposition = prime_power(q)
    if decomposition is None:
        raise InputError(not_prime_power(q))
    p, e = decomposition
    exp = np.zeros(4 * (q - 1) + 1, dtype=np.int32)
    exp[: q - 1] = exp[q - 1 : 2 * (q - 1)] = _powers(p, e)
    log = np.full(q, 2 * (q - 1), dtype=np.int32)
    log[exp[: q - 1]] = np.arange(q - 1, dtype=np.int32)
    for table in (exp, log):
        table.flags.writeable = False
    return Field(q, p, e, exp, log)


def _powers(p: int, e: int) -> list[int]:
    """Return x^0, …, x^(q − 2) modulo the primitive polynomial, as integers."""
    low, top = primitive_polynomial(p, e), p ** (e - 1)
    reductions = [
        [(-lead * c) % p for c in low] for lead in range(p)
    ]  # lead · x^e written in lower powers
    value, powers = 1, []
    for _ in range(p**e - 1):
        powers.append(value)
        lead, rest = divmod(value, top)
        value, place = rest * p, 1
        if lead:
            shifted, value = value, 0
            for digit in reductions[lead]:
                value += (shifted // place + digit) % p * place
                place *= p
    return powers


def not_prime_power(q: int) -> str:
    """Return the message for a q that is no prime power."""
    choices = " or ".join(str(n) for n in nearest_prime_powers(q))
    return f"q={q} is no prime power, and GF(q) exists only for those; the nearest: {choices}"
