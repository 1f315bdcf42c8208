"""Ranks and the Smith form of the incidence matrix: invariants that tell designs apart."""

from __future__ import annotations

from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign
from gcdesign.designs.tools.elimination import rank_mod, rational_rank, valuations
from gcdesign.errors import InputError, LimitError

MAX_ENTRIES = 30_000_000
"""Largest incidence matrix, points times blocks, that is eliminated."""


def _matrix(design: BlockDesign) -> NDArray[np.int8]:
    if design.v * design.b > MAX_ENTRIES:
        raise LimitError(
            f"a matrix of {design.b} × {design.v} entries; ranks take up to {MAX_ENTRIES}"
        )
    return design.dense_incidence()


def p_rank(design: BlockDesign, p: int) -> int:
    """Return the rank of the incidence matrix over GF(p).

    Raises
    ------
    InputError
        If p is no prime, or too large.
    LimitError
        If the design is too large for a dense matrix.

    Notes
    -----
    Source: E. F. Assmus, J. D. Key, *Designs and their Codes*, 1992. For a 2-design only primes
    that divide r − λ are of interest: for others the rank is v − 1 or v.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> p_rank(projective_geometry(9), 3)
    37
    """
    return rank_mod(_matrix(design), p)


def incidence_rank(design: BlockDesign) -> int:
    """Return the rank of the incidence matrix over the rationals, proved.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry, dual
    >>> incidence_rank(affine_geometry(3)), incidence_rank(dual(affine_geometry(3)))
    (9, 9)
    """
    return rational_rank(_matrix(design))


def prime_factors(number: int) -> dict[int, int]:
    """Return the primes that divide a positive number, with their exponents.

    Examples
    --------
    >>> prime_factors(360)
    {2: 3, 3: 2, 5: 1}
    """
    found: dict[int, int] = {}
    divisor = 2
    while divisor * divisor <= number:
        while number % divisor == 0:
            found[divisor] = found.get(divisor, 0) + 1
            number //= divisor
        divisor += 1
    if number > 1:
        found[number] = found.get(number, 0) + 1
    return found


def factored(number: int) -> str:
    """Return a number's factors as text.

    Examples
    --------
    >>> factored(168)
    '2^3·3·7'
    """
    factors = prime_factors(number).items()
    return "·".join(str(p) if e == 1 else f"{p}^{e}" for p, e in factors)


def smith_form(design: BlockDesign) -> dict[int, int]:
    """Return the elementary divisors of a 2-design's incidence matrix, with their multiplicities.

    Each divides r k (r − λ): N Nᵀ = (r − λ) I + λ J gives N Nᵀ (r k I − λ J) = r k (r − λ) I.

    Raises
    ------
    InputError
        If it is no 2-design with k < v.
    LimitError
        If powers of primes get too large.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> smith_form(projective_geometry(2))
    {1: 4, 2: 2, 6: 1}
    """
    _, _, r, k, lambda_ = design.parameters.as_tuple()
    if r is None or k is None or not lambda_ or r == lambda_:
        raise InputError("the Smith form is for 2-designs: equal blocks, equal λ, and k < v")
    divisors = [1] * design.v
    matrix = _matrix(design)
    for p, most in prime_factors(r * k * (r - lambda_)).items():
        counts = valuations(matrix, p, most)
        ends = list(accumulate(counts))
        for place in range(design.v):
            divisors[place] *= p ** next(i for i, end in enumerate(ends) if place < end)
    found: dict[int, int] = {}
    for divisor in divisors:
        found[divisor] = found.get(divisor, 0) + 1
    return found
