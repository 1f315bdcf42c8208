"""Difference families of one block and its multiples by a subgroup of a field's units."""

from __future__ import annotations

from math import lgamma, log

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.fields import Field, galois_field, not_prime_power, prime_power
from gcdesign.errors import InputError, LimitError

MAX_Q = 1 << 16
"""Largest field."""

MAX_SIZE = 9
"""Largest block that `wilson_base` looks for."""

BATCH, BATCHES = 1024, 24
"""Blocks tried at once, and how often, by `wilson_base`."""


def wilson_family(q: int, order: int, base: tuple[int, ...], half: int = 0) -> BlockDesign:
    """Return the translates of the multiples Bh of a block by the e-th powers h of GF(q).

    If the differences of B fall into each coset of the e-th powers equally often, it is a
    2-(q, k, k(k − 1)/e) design with b = q(q − 1)/e. If −1 is an e-th power, h and −h give the same
    differences, and one of them is enough: ``half`` = 1 takes the first half of the powers, for
    half the λ.

    Parameters
    ----------
    q
        A prime power.
    order
        e, a divisor of q − 1.
    base
        The elements of B, all different.
    half
        1 for half of the powers, which needs −1 among them; else 0.

    Raises
    ------
    InputError
        If q, e or B is none of this. Whether B is even is not judged.
    LimitError
        If the design is too large.

    Notes
    -----
    Source: Wilson 1972; for e = 2 and q ≡ 3 (mod 4) every B will do.

    Examples
    --------
    >>> wilson_family(23, 2, (0, 1, 2, 3)).parameters.as_tuple()
    (23, 253, 44, 4, 6)
    """
    size = wilson_size(q, order, base, half)
    field = galois_field(q)
    powers = field.exp[: q - 1 : order][: (q - 1) // (order * (1 + half))]
    multiples = field.multiply(np.array(base, dtype=np.int32)[None, :], powers[:, None])
    shifts = np.arange(q, dtype=np.int32)[None, :, None]
    rows = field.add(multiples[:, None, :], shifts).reshape(-1, len(base))
    provenance = Provenance.of("wilson", q=q, order=order, base=tuple(base), half=half)
    return BlockDesign.from_rows(size.v, np.sort(rows, axis=1), provenance=provenance)


def wilson_size(q: int, order: int, base: tuple[int, ...], half: int = 0) -> Size:
    """Return the size of `wilson_family` without building it; same errors."""
    if q < 3:
        raise InputError(f"q={q}; expected a prime power, 3 or more")
    if q > MAX_Q:
        raise LimitError(f"q={q}; the limit is {MAX_Q}")
    if prime_power(q) is None:
        raise InputError(not_prime_power(q))
    if order < 1 or (q - 1) % order:
        raise InputError(f"order={order}; expected a divisor of q - 1 = {q - 1}")
    if half not in (0, 1) or (half and (q % 2 == 0 or (q - 1) // 2 % order)):
        raise InputError(f"half={half}; expected 0, or 1 where -1 is one of the powers")
    if len(set(base)) < len(base) or not all(0 <= x < q for x in base) or len(base) < 2:
        raise InputError(f"base={'+'.join(map(str, base))}; expected different elements of GF({q})")
    blocks = q * ((q - 1) // (order * (1 + half)))
    size = Size(q, blocks, blocks * len(base))
    check_size(size, name=f"wilson:q={q},order={order}")
    return size


def wilson_base(q: int, order: int, size: int) -> tuple[int, ...] | None:
    """Return a block whose differences fall into each coset of the e-th powers equally often.

    Some ten thousand blocks through 0 and 1 are tried, the same in every run; None if there is
    none among them, or if none is to be hoped for.

    Examples
    --------
    >>> wilson_base(61, 10, 5) is None
    False
    """
    field = galois_field(q)
    minus = 0 if q % 2 == 0 else (q - 1) // 2 % order
    pairs = size * (size - 1) // 2
    if q < size or 2 * pairs % order or (minus == 0 and pairs % order):
        return None
    free = pairs if minus == 0 else 2 * pairs  # coset numbers are drawn for so many, or for half
    share = free // order
    log_chance = lgamma(free + 1) - order * lgamma(share + 1) - free * log(order)
    if size > MAX_SIZE or log_chance * pairs / free < -log(BATCH * BATCHES):
        return None
    bits = np.random.PCG64(q)
    for _ in range(BATCHES):
        drawn = (bits.random_raw(BATCH * size) % np.uint64(q)).astype(np.int32)
        blocks = drawn.reshape(BATCH, size)
        blocks[:, :2] = [0, 1]
        found = _even(field, blocks, order, minus)
        if found is not None:
            return tuple(sorted(found.tolist()))
    return None


def _even(
    field: Field, blocks: NDArray[np.int32], order: int, minus: int
) -> NDArray[np.int32] | None:
    """Return the first of some blocks with even differences and no element twice, or None."""
    one, other = np.triu_indices(blocks.shape[1], 1)
    differences = field.add(blocks[:, one], field.negative(blocks[:, other]))
    cosets = field.log[differences] % order
    cosets = np.concatenate([cosets, (cosets + minus) % order], axis=1)
    cosets = np.sort(cosets, axis=1).reshape(len(blocks), order, -1)
    even = (cosets == np.arange(order)[None, :, None]).all(axis=(1, 2))
    good = np.flatnonzero(even & (differences != 0).all(axis=1))
    return blocks[good[0]] if good.size else None
