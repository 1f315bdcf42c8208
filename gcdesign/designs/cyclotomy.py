"""Designs over GF(q) whose base blocks are unions of cyclotomic classes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.fields import galois_field, not_prime_power, prime_power
from gcdesign.errors import InputError


def cyclotomic_design(
    q: int, order: int, classes: tuple[int, ...], shifts: int = 1, zero: int = 0
) -> BlockDesign:
    """Return the translates in GF(q) of αⁱB, for i below ``shifts``.

    B is a union of cyclotomic classes C_j = αʲ⟨αᵉ⟩, with or without 0; α generates the
    multiplicative group. With one class and shifts = e it is a 2-design whatever q is.

    Parameters
    ----------
    q
        Order of the field, a prime power.
    order
        e, a divisor of q − 1: the number of classes.
    classes
        Which classes make up B, numbers below e.
    shifts
        How many base blocks there are, 1 to e.
    zero
        1 if B holds 0 as well.

    Raises
    ------
    InputError
        If q is no prime power or another number is out of range.

    Notes
    -----
    Sources: Paley 1933 (squares), Chowla 1944 and Lehmer 1953 (fourth and eighth powers), Hall
    1956 (three classes of six), Sprott 1954 and Wilson 1972 (families).

    Examples
    --------
    >>> cyclotomic_design(37, 4, (0,)).parameters.as_tuple()
    (37, 37, 9, 9, 2)
    >>> cyclotomic_design(13, 3, (0,), shifts=3).parameters.as_tuple()
    (13, 39, 12, 4, 3)
    """
    size = cyclotomic_size(q, order, classes, shifts, zero)
    provenance = Provenance.of(
        "cyclotomic", q=q, order=order, classes=tuple(classes), shifts=shifts, zero=zero
    )
    check_size(size, name=provenance.spec)
    field = galois_field(q)
    exponents = np.arange(q - 1).reshape(-1, order)[:, list(classes)].reshape(-1)
    start = np.concatenate([np.zeros(zero, dtype=np.int32), field.exp[exponents]])
    elements = np.arange(q, dtype=np.int32)
    rows = [
        field.add(field.scale(int(field.exp[i]), start)[None, :], elements[:, None])
        for i in range(shifts)
    ]
    blocks = np.sort(np.concatenate(rows), axis=1).astype(np.int32)
    return BlockDesign.from_rows(q, blocks, provenance=provenance)


def cyclotomic_size(
    q: int, order: int, classes: tuple[int, ...], shifts: int = 1, zero: int = 0
) -> Size:
    """Return the size of `cyclotomic_design`; errors as there."""
    if q < 2 or (q < 1 << 20 and prime_power(q) is None):
        raise InputError(not_prime_power(q) if q >= 2 else f"q={q}; expected a prime power")
    check_size(Size(q, 0, 0), name=f"a cyclotomic design with q={q}")
    if order < 1 or (q - 1) % order:
        raise InputError(f"order={order}; expected a divisor of q - 1 = {q - 1}")
    if not classes or len(set(classes)) < len(classes) or not 0 <= min(classes) <= max(classes):
        raise InputError(f"classes={'+'.join(map(str, classes))}; expected different numbers")
    if max(classes) >= order:
        raise InputError(f"class {max(classes)}; expected numbers below order={order}")
    if not 1 <= shifts <= order:
        raise InputError(f"shifts={shifts}; expected 1 to order={order}")
    if zero not in (0, 1):
        raise InputError(f"zero={zero}; expected 0 or 1")
    k = (q - 1) // order * len(classes) + zero
    return Size(q, q * shifts, q * shifts * k)


def cyclotomic_numbers(q: int, order: int) -> NDArray[np.int64]:
    """Return how many x in C_d have x − 1 in C_c, as entry (d, c).

    Source: Gauss; Storer, Cyclotomy and Difference Sets, 1967.

    Examples
    --------
    >>> cyclotomic_numbers(13, 3).tolist()
    [[0, 1, 2], [1, 2, 1], [2, 1, 1]]
    """
    field = galois_field(q)
    minus_one = int(field.negative(np.array([1], dtype=np.int32))[0])
    exponents = np.arange(1, q - 1)  # x = 1 leaves 0, which is in no class
    less = field.add(field.exp[exponents], np.full(1, minus_one, dtype=np.int32))
    numbers = np.zeros((order, order), dtype=np.int64)
    np.add.at(numbers, (exponents % order, field.log[less] % order), 1)
    return numbers


def covered(
    numbers: NDArray[np.int64],
    classes: tuple[int, ...],
    *,
    shifts: int,
    zero: int,
    minus_one: int,
) -> int | None:
    """Return λ of the design, from the differences by class, or None if they are uneven.

    Parameters
    ----------
    numbers
        The cyclotomic numbers.
    classes, shifts, zero
        As in `cyclotomic_design`.
    minus_one
        The class of −1.
    """
    order = len(numbers)
    once = np.zeros(order, dtype=np.int64)
    for a in classes:
        for b in classes:  # αᵇ⁺ᵉᵗ(αᵃ⁻ᵇ⁺ᵉˢ − 1): each s gives every element of one class
            once += np.roll(numbers[(a - b) % order], b)
        if zero:
            once[a] += 1
            once[(a + minus_one) % order] += 1
    total = sum(np.roll(once, i) for i in range(shifts))
    assert isinstance(total, np.ndarray)
    return int(total[0]) if (total == total[0]).all() else None
