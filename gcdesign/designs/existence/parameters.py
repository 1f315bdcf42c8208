"""The parameters of a balanced incomplete block design, and what follows from them."""

from __future__ import annotations

from fractions import Fraction
from math import gcd, isqrt
from typing import NamedTuple

from gcdesign.errors import InputError, LimitError

MAX_V = 1_000_000
"""Largest number of points that a question may have."""

MAX_LAMBDA = 10**12
"""Largest λ of a question, whose divisors are looked for."""


def divisors(n: int) -> list[int]:
    """Return the divisors of n ≥ 1, in increasing order.

    Examples
    --------
    >>> divisors(12)
    [1, 2, 3, 4, 6, 12]
    """
    small = [d for d in range(1, isqrt(n) + 1) if n % d == 0]
    return small + [n // d for d in reversed(small) if d * d != n]


class Bibd(NamedTuple):
    """The parameters 2-(v, k, λ) of a design: any two of v points share λ blocks of size k.

    Examples
    --------
    >>> fano = Bibd(7, 3, 1)
    >>> fano.b, fano.r, fano.is_symmetric
    (7, 3, True)
    """

    v: int
    k: int
    lambda_: int

    @property
    def exact_r(self) -> Fraction:
        """λ(v − 1)/(k − 1), whether it is whole or not."""
        return Fraction(self.lambda_ * (self.v - 1), self.k - 1)

    @property
    def exact_b(self) -> Fraction:
        """λv(v − 1)/(k(k − 1)), whether it is whole or not."""
        return self.exact_r * self.v / self.k

    @property
    def r(self) -> int:
        """Blocks through a point, rounded down if the parameters are not admissible."""
        return self.lambda_ * (self.v - 1) // (self.k - 1)

    @property
    def b(self) -> int:
        """Number of blocks, rounded down if the parameters are not admissible."""
        return self.lambda_ * self.v * (self.v - 1) // (self.k * (self.k - 1))

    @property
    def divides(self) -> bool:
        """Whether r and b are whole numbers."""
        v, k, lambda_ = self
        return not lambda_ * (v - 1) % (k - 1) and not lambda_ * v * (v - 1) % (k * (k - 1))

    @property
    def is_symmetric(self) -> bool:
        """Whether b = v."""
        return self.divides and self.b == self.v

    @property
    def is_quasi_residual(self) -> bool:
        """Whether r = k + λ, as in the residual of a symmetric design."""
        return self.divides and self.r == self.k + self.lambda_

    @property
    def complement(self) -> Bibd:
        """The parameters of the complement, (v, v − k, b − 2r + λ)."""
        return Bibd(self.v, self.v - self.k, self.b - 2 * self.r + self.lambda_)

    @property
    def times_complete(self) -> int:
        """How often all k-subsets of the points are such a design; 0 if none is a multiple of them.

        Examples
        --------
        >>> Bibd(1000, 2, 7).times_complete, Bibd(6, 3, 4).times_complete
        (7, 1)
        >>> Bibd(9, 3, 1).times_complete, Bibd(10**6, 5 * 10**5, 9).times_complete
        (0, 0)
        """
        v, k, lambda_ = self
        needed = 1  # C(v − 2, k − 2), given up where it is larger than λ
        for taken in range(min(k - 2, v - k)):
            needed = needed * (v - 2 - taken) // (taken + 1)
            if needed > lambda_:
                return 0
        return 0 if lambda_ % needed else lambda_ // needed

    @property
    def step(self) -> int:
        """The least λ for which r and b are whole with this v and k; all others are multiples.

        Examples
        --------
        >>> Bibd(8, 3, 1).step
        6
        """
        pairs, rays = self.v * (self.v - 1), self.k * (self.k - 1)
        by_b = rays // gcd(pairs, rays)
        by_r = (self.k - 1) // gcd(self.v - 1, self.k - 1)
        return by_b * by_r // gcd(by_b, by_r)

    def __str__(self) -> str:
        return f"({self.v},{self.k},{self.lambda_})"


def asked(v: int, k: int, lambda_: int) -> Bibd:
    """Return the parameters, once they make a question.

    Raises
    ------
    InputError
        If k is not between 2 and v, or λ is not positive.
    LimitError
        If v is beyond `MAX_V`, or λ beyond `MAX_LAMBDA`.
    """
    for name, value, least in (("v", v, 2), ("k", k, 2), ("lambda", lambda_, 1)):
        if value < least:
            raise InputError(f"{name}={value}; expected {least} or more")
    if k > v:
        raise InputError(f"k={k}; a block cannot hold more than all v={v} points")
    if v > MAX_V:
        raise LimitError(f"v={v}; the limit is {MAX_V} points: take a smaller one")
    if lambda_ > MAX_LAMBDA:
        raise LimitError(f"lambda={lambda_}; the limit is {MAX_LAMBDA}: take a smaller one")
    return Bibd(v, k, lambda_)
