"""Difference sets of twin prime powers."""

from __future__ import annotations

import numpy as np

from gcdesign.designs.actions import Action
from gcdesign.designs.base_blocks import BaseBlocks
from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.fields import galois_field, prime_power
from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.rings import Ring
from gcdesign.errors import InputError


def construct(q: int) -> BlockDesign:
    """Return the symmetric design of the twin prime powers q and q + 2, both odd.

    The points are GF(q) × GF(q + 2); the difference set holds (x, 0) for all x, and (x, y) if
    both are squares or both are non-squares. v = q(q + 2), k = (v − 1)/2, λ = (v − 3)/4.

    Raises
    ------
    InputError
        If q and q + 2 are not both odd prime powers.

    Notes
    -----
    Source: Stanton, Sprott 1958.

    Examples
    --------
    >>> construct(3).parameters.as_tuple()
    (15, 15, 7, 7, 3)
    """
    check_size(size(q), name=f"twin-primes:q={q}")
    first, second = _characters(q), _characters(q + 2)
    product = first[None, :] * second[:, None]
    product[0] = 1
    block = tuple(np.flatnonzero(product.reshape(-1) == 1).tolist())
    ring = Ring((("F", q), ("F", q + 2)))
    return BaseBlocks(Action(ring), (block,)).design(Provenance.of("twin-primes", q=q))


def _characters(q: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return 1 for squares, −1 for non-squares and 0 for 0, for each element of GF(q)."""
    values = np.full(q, -1, dtype=np.int64)
    values[galois_field(q).exp[: q - 1 : 2]] = 1
    values[0] = 0
    return values


def size(q: int) -> Size:
    """Return the size of the design; errors as in `construct`."""
    check_size(Size(max(q, 0), 0, 0), name=f"twin-primes:q={q}")
    if q < 3 or q % 2 == 0 or prime_power(q) is None or prime_power(q + 2) is None:
        raise InputError(f"q={q}; expected q and q + 2 to be odd prime powers, such as 3, 5, 7, 9")
    v = q * (q + 2)
    return Size(v, v, v * (v - 1) // 2)


FAMILY = Family(
    name="twin-primes",
    summary="symmetric design of twin prime powers q and q + 2",
    source="Stanton, Sprott 1958",
    parameters=(Parameter("q", "the smaller of two odd prime powers"),),
    construct=construct,
    size=size,
    label=lambda q: f"twin prime powers {q} and {q + 2}",
    example={"q": 3},
    domain="odd q with q and q + 2 prime powers",
    point_transitive=True,
)
