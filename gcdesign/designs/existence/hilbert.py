"""Hilbert symbols: which conics have a rational point, and where they fail to."""

from __future__ import annotations

from gcdesign.designs.fields import prime_factors


def hilbert_symbol(a: int, b: int, p: int) -> int:
    """Return the Hilbert symbol (a, b)_p: 1 if z² = ax² + by² has a point over Q_p, else −1.

    Parameters
    ----------
    a, b
        Whole numbers other than 0.
    p
        A prime, or 0 for the real numbers.

    Notes
    -----
    Source: Serre, A Course in Arithmetic, III, theorem 1.

    Examples
    --------
    >>> hilbert_symbol(-1, -1, 2), hilbert_symbol(-1, -1, 0), hilbert_symbol(5, 2, 5)
    (-1, -1, -1)
    """
    if p == 0:
        return -1 if a < 0 and b < 0 else 1
    (m, u), (n, w) = _split(a, p), _split(b, p)
    if p == 2:
        exponent = (u - 1) // 2 * ((w - 1) // 2) + m * (w * w - 1) // 8 + n * (u * u - 1) // 8
        return -1 if exponent % 2 else 1
    sign = -1 if m * n * (p - 1) // 2 % 2 else 1
    return sign * (_legendre(u, p) if n % 2 else 1) * (_legendre(w, p) if m % 2 else 1)


def failing_prime(a: int, b: int) -> int | None:
    """Return a p where z² = ax² + by² has no point (0: the reals), or None if it has one over Q.

    By Hasse and Minkowski a conic has a rational point if it has one over every Q_p and the reals.

    Examples
    --------
    >>> failing_prime(6, -1), failing_prime(2, -1)
    (3, None)
    """
    primes = [*(p for p in prime_factors(abs(a * b)) if p != 2), 2, 0]
    return next((p for p in primes if hilbert_symbol(a, b, p) == -1), None)


def _split(n: int, p: int) -> tuple[int, int]:
    """Return (m, u) with n = p^m · u and p not dividing u."""
    m = 0
    while n % p == 0:
        n //= p
        m += 1
    return m, n


def _legendre(a: int, p: int) -> int:
    return 1 if pow(a, (p - 1) // 2, p) == 1 else -1
