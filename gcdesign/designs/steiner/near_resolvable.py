"""Near-resolvable designs: each near parallel class misses one point."""

from __future__ import annotations

import numpy as np

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.fields import galois_field, not_prime_power, prime_power
from gcdesign.errors import InputError


def near_resolvable_design(q: int, size: int) -> BlockDesign:
    """Return the near-resolvable 2-(q, k, k − 1) design of the cosets of the k-th roots of unity.

    The blocks are x + aH for all x of GF(q) and one a from each coset of H, the subgroup of order
    k. Those with the same x, (q − 1)/k consecutive blocks, are a near parallel class: they part
    all points but x.

    Parameters
    ----------
    q
        A prime power.
    size
        k ≥ 2, a divisor of q − 1.

    Raises
    ------
    InputError
        If q is no prime power, or k does not divide q − 1.
    LimitError
        If the design is too large.

    Notes
    -----
    Source: Bose 1939 (the method of differences); Furino, Miao, Yin 1996, for the classes.

    Examples
    --------
    >>> near_resolvable_design(7, 3).parameters.as_tuple()
    (7, 14, 6, 3, 2)
    """
    found = near_resolvable_size(q, size)
    field, cosets = galois_field(q), (q - 1) // size
    exponents = np.arange(cosets)[:, None] + cosets * np.arange(size)
    shifts = np.arange(q, dtype=np.int32)[:, None, None]
    rows = np.sort(field.add(field.exp[exponents][None], shifts).reshape(-1, size), axis=1)
    provenance = Provenance.of("near-resolvable", q=q, size=size)
    return BlockDesign.from_rows(found.v, rows, provenance=provenance)


def near_resolvable_size(q: int, size: int) -> Size:
    """Return the size of `near_resolvable_design` without building it; same errors."""
    if size < 2 or q < 3 or (q - 1) % size:
        raise InputError(f"q={q}, size={size}; expected a size of 2 or more that divides q - 1")
    blocks = q * (q - 1) // size
    found = Size(q, blocks, blocks * size)
    check_size(found, name=f"near-resolvable:q={q},size={size}")
    if prime_power(q) is None:
        raise InputError(not_prime_power(q))
    return found
