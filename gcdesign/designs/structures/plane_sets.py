"""Sets of points in PG(2, q) and AG(2, q): conics, hyperovals, arcs, Baer subplanes, unitals.

Points of PG(2, q) are numbered along the Singer cycle, as `projective_geometry` numbers them.
"""

from __future__ import annotations

from functools import reduce
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.fields import Elements, Field, galois_field, not_prime_power, prime_power
from gcdesign.designs.singer import point_count, singer_points
from gcdesign.errors import InputError

Points = NDArray[np.int32]


def conic(q: int) -> Points:
    """Return the points of the conic y² = xz of PG(2, q): q + 1 points, no three on a line.

    Examples
    --------
    >>> len(conic(5))
    6
    """
    field = _field(q)
    x, y, z = singer_points(q, 2).T
    return _where(field.multiply(y, y) == field.multiply(x, z))


def hyperoval(q: int) -> Points:
    """Return the conic y² = xz with its nucleus (0, 1, 0), for even q: each line has 0 or 2 points.

    Raises
    ------
    InputError
        If q is no power of 2.

    Examples
    --------
    >>> len(hyperoval(4))
    6
    """
    _even(q)
    nucleus = _where((singer_points(q, 2) == [0, 1, 0]).all(axis=1))
    return np.union1d(conic(q), nucleus).astype(np.int32)


def baer_subplane(q: int) -> Points:
    """Return a subplane of order √q of PG(2, q): each line has 1 or √q + 1 of its points.

    It is the multiples of q − √q + 1 on the Singer cycle; its shifts part the plane.

    Raises
    ------
    InputError
        If q is no square of a prime power.

    Examples
    --------
    >>> baer_subplane(4).tolist()
    [0, 3, 6, 9, 12, 15, 18]
    """
    root = _square_root(q)
    return np.arange(0, point_count(q, 2), q - root + 1, dtype=np.int32)


def cyclic_arc(q: int) -> Points:
    """Return the multiples of q + √q + 1: for q > 4 a complete arc of q − √q + 1 points.

    Raises
    ------
    InputError
        If q is no square of a prime power.

    Notes
    -----
    Source: Kestenband 1981; Boros and Szőnyi 1986.

    Examples
    --------
    >>> cyclic_arc(9).tolist()
    [0, 13, 26, 39, 52, 65, 78]
    """
    root = _square_root(q)
    return np.arange(0, point_count(q, 2), q + root + 1, dtype=np.int32)


def hermitian_curve(q: int) -> Points:
    """Return the points of x^(√q + 1) + y^(√q + 1) + z^(√q + 1) = 0 in PG(2, q).

    A unital: q√q + 1 points, and each line has 1 or √q + 1 of them.

    Raises
    ------
    InputError
        If q is no square of a prime power.

    Examples
    --------
    >>> len(hermitian_curve(9))
    28
    """
    root, field = _square_root(q), _field(q)
    return _where(hermitian_form(field, singer_points(q, 2), root) == 0)


def hermitian_form(field: Field, coordinates: Elements, root: int) -> Elements:
    """Return the sum of the (√q + 1)-th powers of the last axis."""
    norms = field.power(root + 1)[coordinates]
    return reduce(field.add, np.moveaxis(norms, -1, 0))


def maximal_arc(q: int, degree: int) -> Points:
    """Return a maximal arc of degree n in AG(2, q), q even: each line has 0 or n of its points.

    The points (x, y), numbered xq + y as `affine_geometry` numbers them, at which an irreducible
    quadratic form x² + xy + cy² takes a value below n; the elements below n = 2^h are an additive
    group. It has q(n − 1) + n points.

    Raises
    ------
    InputError
        If q is no power of 2, or the degree no power of 2 from 2 to q.

    Notes
    -----
    Source: Denniston 1969.

    Examples
    --------
    >>> len(maximal_arc(8, 4))
    28
    """
    _even(q)
    if not 2 <= degree <= q or degree & (degree - 1):
        raise InputError(f"degree={degree}; expected a power of 2 from 2 to q={q}")
    field, elements = _field(q), np.arange(q, dtype=np.int32)
    values = field.add(field.multiply(elements, elements), elements)
    c = next(c for c in range(1, q) if c not in set(values.tolist()))  # x² + x + c has no root
    x, y = elements[:, None], elements[None, :]
    form = field.add(field.multiply(x, x), field.multiply(x, y))
    form = field.add(form, field.scale(c, field.multiply(y, y)))
    return _where((form < degree).reshape(-1))


def _where(chosen: NDArray[np.bool_]) -> Points:
    return np.flatnonzero(chosen).astype(np.int32)


def _field(q: int) -> Field:
    if prime_power(q) is None:
        raise InputError(not_prime_power(q))
    return galois_field(q)


def _even(q: int) -> None:
    if q < 2 or q & (q - 1):
        raise InputError(f"q={q}; expected a power of 2")


def _square_root(q: int) -> int:
    root = isqrt(max(q, 0))
    if root * root != q or prime_power(root) is None:
        raise InputError(f"q={q}; expected the square of a prime power")
    return root
