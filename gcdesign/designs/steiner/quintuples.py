"""2-(5q, 5, 1) designs on five copies of GF(q)."""

from __future__ import annotations

import numpy as np

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.fields import galois_field, not_prime_power, prime_power
from gcdesign.errors import InputError


def quintuple_design(q: int) -> BlockDesign:
    """Return a 2-(5q, 5, 1) design for a prime power q ≡ 1 (mod 4).

    Points are pairs of a class modulo 5 and an element of GF(q); point (c, x) is cq + x. With i a
    square root of −1, the blocks are the translates of {(0, 0), (1, ±a), (4, ±ia)}, for one a from
    each coset of the fourth roots of unity, and the q blocks of the points with the same x. The
    differences of class ±1 are ±a, ±ia, those of class ±2 are ±(1 ± i)a, which are (1 + i) times
    the same, and so are those of class 0 but for a factor.

    Raises
    ------
    InputError
        If q is no prime power ≡ 1 (mod 4).
    LimitError
        If the design is too large.

    Notes
    -----
    Source: Bose 1939 (the method of differences).

    Examples
    --------
    >>> quintuple_design(9).parameters.as_tuple()
    (45, 99, 11, 5, 1)
    """
    size = quintuple_size(q)
    check_size(size, name=f"quintuple:q={q}")
    field, elements = galois_field(q), np.arange(q, dtype=np.int32)
    quarter = (q - 1) // 4
    a = field.exp[:quarter]
    ia = field.exp[quarter : 2 * quarter]
    zero = np.zeros(quarter, dtype=np.int32)
    base = np.stack([zero, a, field.negative(a), ia, field.negative(ia)], axis=1)
    shifted = field.add(base[:, None, :], elements[None, :, None]).reshape(-1, 5)
    classes = np.array([0, 1, 1, 4, 4], dtype=np.int32)
    rows = [np.arange(5, dtype=np.int32) * q + elements[:, None]]
    rows += [(classes + turn) % 5 * q + shifted for turn in range(5)]
    return BlockDesign.from_rows(
        size.v,
        np.sort(np.concatenate(rows), axis=1),
        provenance=Provenance.of("quintuple", q=q),
    )


def quintuple_size(q: int) -> Size:
    """Return the size of `quintuple_design` without building it; same errors."""
    if q < 5 or q % 4 != 1:
        raise InputError(f"q={q}; expected a prime power that is 1 modulo 4")
    blocks = q + 5 * q * ((q - 1) // 4)
    size = Size(5 * q, blocks, 5 * blocks)
    check_size(size, name=f"quintuple:q={q}")
    if prime_power(q) is None:
        raise InputError(not_prime_power(q))
    return size
