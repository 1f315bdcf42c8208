"""Radical difference families: base blocks are cosets of roots of unity, λ = 1."""

from __future__ import annotations

from functools import lru_cache
from itertools import count

import numpy as np

from gcdesign.designs.actions import Action
from gcdesign.designs.base_blocks import BaseBlocks
from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.fields import galois_field, not_prime_power, prime_power
from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.rings import Ring
from gcdesign.errors import InputError

MAX_TRIED = 3000
"""Most partial covers that are tried for one family."""

MAX_ORDER = 2000
"""Largest field in which families are looked for."""


def construct(q: int, size: int) -> BlockDesign:
    """Return the 2-(q, k, 1) design of a radical difference family over GF(q).

    The base blocks are cosets of the group of k-th roots of unity for odd k, and cosets of the
    (k − 1)-th roots, with 0, for even k. Their differences are cosets as well, and the family
    exists if and only if those of one block tile the cyclic group of all cosets.

    Raises
    ------
    InputError
        If there is no such family.
    LimitError
        If the design is too large.

    Notes
    -----
    Source: Bose 1939 for k = 4 and 5, Netto 1893 for k = 3, Wilson 1972, Buratti 1995 in general.

    Examples
    --------
    >>> construct(q=41, size=5).parameters.as_tuple()
    (41, 82, 10, 5, 1)
    """
    check_size(size_of(q, size), name=f"radical:q={q},size={size}")
    starts = multipliers(q, size)
    if starts is None:
        raise InputError(
            f"q={q}, size={size}; the differences of one block were not found to tile GF({q})"
        )
    powers, zero, cosets = galois_field(q).exp[: q - 1], *_shape(q, size)
    blocks = tuple(
        tuple(sorted([0] * zero + powers[start::cosets].tolist())) for start in sorted(starts)
    )
    provenance = Provenance.of("radical", q=q, size=size)
    return BaseBlocks(Action(Ring((("F", q),))), blocks).design(provenance)


def _shape(q: int, k: int) -> tuple[int, int]:
    """Return whether blocks hold 0, and the number of cosets of the roots."""
    zero = int(k % 2 == 0)
    return zero, (q - 1) // (k - zero)


@lru_cache(maxsize=4096)
def multipliers(q: int, k: int) -> tuple[int, ...] | None:
    """Return exponents i whose cosets α^i R are base blocks, or None if there are none.

    Examples
    --------
    >>> multipliers(13, 3), multipliers(13, 4), multipliers(37, 4)
    ((0, 1), (0,), None)
    """
    size_of(q, k)
    field = galois_field(q)
    zero, cosets = _shape(q, k)
    # The differences are the cosets of α^(i·cosets) − 1, and with 0 those of 1 and −1.
    minus_one = field.negative(field.exp[:1])
    differences = field.add(field.exp[cosets : q - 1 : cosets], minus_one)
    if zero:
        differences = np.concatenate([differences, field.exp[:1], minus_one])
    found = (field.log[differences] % cosets).tolist()
    return tiling(tuple(found), cosets)


def tiling(tile: tuple[int, ...], n: int) -> tuple[int, ...] | None:
    """Return shifts of a tile, one number a cell, that cover Z_n exactly, or None if none is found.

    The search ends after `MAX_TRIED` partial covers.

    Examples
    --------
    >>> tiling((0, 1), 6), tiling((0, 2), 6)
    ((0, 2, 4), None)
    """
    if len(set(tile)) < len(tile) or n % len(tile):
        return None
    shape = sorted((x - tile[0]) % n for x in tile)
    tried = count()

    def cover(free: frozenset[int], shifts: tuple[int, ...]) -> tuple[int, ...] | None:
        if not free or next(tried) > MAX_TRIED:
            return None if free else shifts
        hole = min(free)
        for x in shape:
            placed = frozenset((hole - x + y) % n for y in shape)
            if placed <= free:
                found = cover(free - placed, (*shifts, (hole - x - tile[0]) % n))
                if found is not None:
                    return found
        return None

    found = cover(frozenset(range(n)), ())
    return None if found is None else tuple(sorted((s + tile[0]) % n for s in found))


def size_of(q: int, size: int) -> Size:
    """Return the size of the design; errors as in `construct`."""
    if q > MAX_ORDER:
        raise InputError(f"q={q}; expected at most {MAX_ORDER}")
    if prime_power(q) is None:
        raise InputError(not_prime_power(q))
    if size < 3 or (q - 1) % (size * (size - 1)):
        raise InputError(f"q={q}, size={size}; expected k ≥ 3 and q ≡ 1 mod k(k − 1)")
    b = q * (q - 1) // (size * (size - 1))
    return Size(q, b, b * size)


FAMILY = Family(
    name="radical",
    summary="2-(q, k, 1) design: base blocks are cosets of roots of unity",
    source="Bose 1939; Netto 1893; Wilson 1972; Buratti 1995",
    parameters=(
        Parameter("q", "number of points, a prime power ≡ 1 mod k(k − 1)"),
        Parameter("size", "block size k"),
    ),
    construct=construct,
    size=size_of,
    label=lambda q, size: f"radical 2-({q}, {size}, 1) design",
    example={"q": 13, "size": 4},
    domain="prime powers q ≡ 1 mod k(k − 1) for which a tiling exists",
    point_transitive=True,
)
