"""Translation planes from spread sets: lines y = xM + b for the matrices M of the set, and x = c.

A spread set of order n is n square matrices, with zero and one among them, whose differences are
all non-singular. The Desarguesian plane comes from a field of matrices.
"""

from __future__ import annotations

import numpy as np

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.fields import Elements, galois_field, not_prime_power, prime_power
from gcdesign.errors import InputError

SPREAD_SETS = (
    (
        "semifield plane, 2-rank 98",
        "0000 8421 f9a8 7d89 2a3d ae1c d395 57b4 b67f 325e 4fd7 cbf6 9c42 1863 65ea e1cb",
    ),
    (
        "semifield plane, 2-rank 98",
        "0000 8421 38c9 bce8 7d13 f932 45da c1fb 27a4 a385 1f6d 9b4c 5ab7 de96 627e e65f",
    ),
    (
        "2-rank 100",
        "0000 8421 ebf9 a3e2 f18a 3ec8 174f cda3 2894 46d5 bc36 5a67 7f5b 65bc 927d d91e",
    ),
    (
        "2-rank 102",
        "0000 8421 3eb4 fc42 67a3 d2e5 16fb 938f c897 afce b96a 5d76 4ad8 7139 e51c 2b5d",
    ),
    (
        "2-rank 106",
        "0000 8421 dae2 41a3 7854 ec35 93f8 3d87 17d9 a2b6 c54a 561b 6b9c fe6d bfce 297f",
    ),
    (
        "2-rank 106",
        "0000 8421 3e67 f182 13e9 62d3 d7bf 29c4 ba95 ad36 9f58 561a c54b 78ac ebfd 4c7e",
    ),
)
"""Translation planes of order 16: a name, and the matrices over GF(2) in hexadecimal, their first
row in the last digit."""


def spread_plane(product: Elements, addition: Elements, provenance: Provenance) -> BlockDesign:
    """Return the projective plane of a spread set.

    Parameters
    ----------
    product
        Shape (n, n): entry (x, m) is x times matrix m, elements being numbered from 0.
    addition
        Shape (n, n): the sums of elements.
    provenance
        Of the plane.

    Returns
    -------
    BlockDesign
        Point (x, y) is xn + y, the point at infinity of slope m is n² + m, and n² + n that of the
        lines x = c. First the lines of each slope, then those, then the line at infinity.
    """
    n = len(product)
    x, new = np.arange(n, dtype=np.int32), n * n + np.arange(n + 1, dtype=np.int32)
    sloped = x[None, None, :] * n + addition[product.T[:, None, :], x[None, :, None]]
    sloped = np.concatenate([sloped, np.broadcast_to(new[:n, None, None], (n, n, 1))], axis=2)
    upright = np.concatenate([x[:, None] * n + x[None, :], np.full((n, 1), n * n + n)], axis=1)
    rows = np.concatenate([sloped.reshape(-1, n + 1), upright, new[None, :]]).astype(np.int32)
    return BlockDesign.from_rows(n * n + n + 1, rows, provenance=provenance)


def plane_size(order: int) -> Size:
    """Return the size of a projective plane of an order."""
    points = order * order + order + 1
    return Size(points, points, points * (order + 1))


def hall_plane(q: int) -> BlockDesign:
    """Return the Hall plane of order q².

    Its spread set is the matrices aI over GF(q), and all 2 × 2 matrices with one irreducible
    characteristic polynomial t² − st + d.

    Raises
    ------
    InputError
        If q is no prime power, or 2: of order 4 there is only one plane.
    LimitError
        If the plane is too large.

    Notes
    -----
    Source: Hall 1943.

    Examples
    --------
    >>> hall_plane(3).parameters.as_tuple()
    (91, 91, 10, 10, 1)
    """
    size = hall_size(q)
    check_size(size, name=f"hall-plane:q={q}")
    field, elements = galois_field(q), np.arange(q, dtype=np.int32)
    s, d = _irreducible(q)
    a, b = np.repeat(elements, q - 1), np.tile(elements[1:], q)
    e = field.add(np.full_like(a, s), field.negative(a))  # the trace is a + e = s
    bc = field.add(field.multiply(a, e), field.negative(np.full_like(a, d)))
    c = field.multiply(bc, field.exp[(q - 1 - field.log[b]) % (q - 1)])
    zero = np.zeros_like(elements)
    scalars = np.stack([elements, zero, zero, elements], axis=1)
    matrices = np.concatenate([scalars, np.stack([a, b, c, e], axis=1)]).reshape(-1, 2, 2)
    return spread_plane(*_tables(q, matrices), Provenance.of("hall-plane", q=q))


def hall_size(q: int) -> Size:
    """Return the size of `hall_plane` without building it; same errors."""
    if q < 3:
        raise InputError(f"q={q}; expected a prime power, 3 or more")
    size = plane_size(q * q)
    check_size(size, name=f"hall-plane:q={q}")
    if prime_power(q) is None:
        raise InputError(not_prime_power(q))
    return size


def _irreducible(q: int) -> tuple[int, int]:
    """Return (s, d) with t² − st + d irreducible over GF(q)."""
    field, t = galois_field(q), np.arange(q, dtype=np.int32)
    for s in range(q):
        values = field.add(field.multiply(t, t), field.negative(field.scale(s, t)))
        for d in range(1, q):
            if not (field.add(values, np.full(1, d, dtype=np.int32)) == 0).any():
                return s, d
    raise AssertionError(f"no irreducible polynomial of degree 2 over GF({q})")


def _tables(q: int, matrices: Elements) -> tuple[Elements, Elements]:
    """Return the product and addition tables of pairs over GF(q): (x, y) is xq + y."""
    field = galois_field(q)
    pairs = np.arange(q * q, dtype=np.int32)
    high, low = pairs // q, pairs % q
    columns = [
        field.add(
            field.multiply(high[:, None], matrices[None, :, 0, j]),
            field.multiply(low[:, None], matrices[None, :, 1, j]),
        )
        for j in range(2)
    ]
    addition = field.add(high[:, None], high[None, :]) * q + field.add(low[:, None], low[None, :])
    return columns[0] * q + columns[1], addition


def translation_plane(order: int, number: int) -> BlockDesign:
    """Return one of the translation planes of order 9 or 16 that are not Desarguesian.

    Of order 9 there is one, the Hall plane; of order 16 there are seven: those of `SPREAD_SETS`
    and, last, the Hall plane. The operation dual gives others that are no translation planes.

    Parameters
    ----------
    order
        9 or 16.
    number
        1, or 1 to 7.

    Raises
    ------
    InputError
        If there is no such plane here.

    Notes
    -----
    Source: Dempwolff and Reifart 1983, for how many there are; the spread sets were found by
    ``scripts/find_spread_sets.py``.

    Examples
    --------
    >>> translation_plane(16, 3).parameters.as_tuple()
    (273, 273, 17, 17, 1)
    """
    translation_size(order, number)
    provenance = Provenance.of("translation-plane", order=order, number=number)
    if order == 9 or number > len(SPREAD_SETS):
        return hall_plane(round(order**0.5)).with_provenance(provenance)
    codes = np.array([int(code, 16) for code in SPREAD_SETS[number - 1][1].split()])
    x = np.arange(16)
    product = np.zeros((16, 16), dtype=np.int32)
    for bit in range(4):
        product ^= ((x[:, None] >> bit) & 1) * ((codes[None, :] >> 4 * bit) & 15)
    return spread_plane(product, (x[:, None] ^ x[None, :]).astype(np.int32), provenance)


def translation_size(order: int, number: int) -> Size:
    """Return the size of `translation_plane` without building it; same errors."""
    most = {9: 1, 16: len(SPREAD_SETS) + 1}
    if order not in most:
        raise InputError(f"order={order}; translation planes are stored for orders 9 and 16")
    if not 1 <= number <= most[order]:
        raise InputError(f"number={number}; expected 1 to {most[order]} for order {order}")
    return plane_size(order)
