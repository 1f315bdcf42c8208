"""Square difference schemes over GF(q): any two columns differ by every element equally often."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.fields import Elements, galois_field, prime_power


def scheme_exists(rows: int, levels: int) -> bool:
    """Whether a scheme of so many rows and columns over GF(levels) can be made here.

    Examples
    --------
    >>> [n for n in range(3, 40, 3) if scheme_exists(n, 3)]
    [3, 6, 9, 18, 27, 36]
    """
    return _parts(rows, levels) is not None


def difference_scheme(rows: int, levels: int) -> Elements:
    """Return a difference scheme, shape (rows, rows), with entries of GF(levels).

    Raises
    ------
    ValueError
        If `scheme_exists` says no.

    Notes
    -----
    Source: Bose and Bush 1952 (rows a power of p); Jungnickel 1979 (twice that, p odd); Kronecker
    products of these.

    Examples
    --------
    >>> difference_scheme(3, 3).tolist()
    [[0, 0, 0], [0, 1, 2], [0, 2, 1]]
    """
    parts = _parts(rows, levels)
    if parts is None:
        raise ValueError(f"no difference scheme of {rows} rows over GF({levels}) is made here")
    field, found = galois_field(levels), np.zeros((1, 1), dtype=np.int32)
    for order, twice in parts:
        # Digits of field elements add up without carry, so dropping some is a homomorphism.
        part = (_doubled(order) if twice else _table(order)) % levels
        shape = (len(found) * len(part),) * 2
        found = field.add(found[:, None, :, None], part[None, :, None, :]).reshape(shape)
    return found


def _parts(rows: int, levels: int) -> list[tuple[int, bool]] | None:
    """Return orders of fields of the same characteristic, and whether each is taken twice."""
    power = prime_power(levels)
    if power is None or rows < 1:
        return None
    p, e = power
    exponent = twos = 0
    while rows % p == 0:
        rows, exponent = rows // p, exponent + 1
    while rows % 2 == 0:
        rows, twos = rows // 2, twos + 1
    if rows != 1 or exponent < e * max(1, twos):
        return None
    rest = p ** (exponent - e * max(0, twos - 1))
    return [(levels, True)] * (twos - 1) + [(rest, twos > 0)]


def _table(q: int) -> Elements:
    """Return xy: the differences of two columns are (y − y')x for all x."""
    elements = np.arange(q, dtype=np.int32)
    return galois_field(q).multiply(elements[:, None], elements[None, :])


def _doubled(q: int) -> NDArray[np.int32]:
    """Return a scheme of 2q rows, q odd, in four squares xij + yi² + zj² with n no square.

    Within a half of the rows differences are linear in j; between halves they are quadratic with
    leading coefficients 1 and n in the halves of the columns, and with one apex: each value is
    taken twice in all. So rows differ evenly; turned over, columns do.
    """
    field, i = galois_field(q), np.arange(q, dtype=np.int32)
    squares = field.multiply(i, i)
    n = int(np.setdiff1d(i, squares)[0])
    four = field.add(field.add(i[1:2], i[1:2]), field.add(i[1:2], i[1:2]))
    quarter = field.inverse(int(four[0]))
    product = field.multiply(i[:, None], i[None, :])

    def square(x: int, y: int, z: int) -> Elements:
        rows, columns = field.scale(y, squares), field.scale(z, squares)
        return field.add(field.scale(x, product), field.add(rows[:, None], columns[None, :]))

    ones = i[1:2]  # arrays of one element
    minus = field.negative(ones)
    first = field.scale(quarter, field.add(field.scale(field.inverse(n), ones), minus))
    second = field.scale(quarter, field.add(ones, field.scale(n, minus)))
    found: NDArray[np.int32] = np.block(
        [
            [square(1, 0, 1), square(1, int(first[0]), n)],  # (1/n − 1)/4
            [square(1, 0, 0), square(n, int(second[0]), 0)],  # (1 − n)/4
        ]
    )
    return found.T
