"""Generalised quadrangles: points and lines of which no three make a triangle.

In a quadrangle of order (s, t) lines have s + 1 points, points are on t + 1 lines, and a point off
a line is joined to exactly one of its points.
"""

from __future__ import annotations

from functools import reduce

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.fields import Elements, galois_field, not_prime_power, prime_power
from gcdesign.designs.geometry import Mask, projective_flats
from gcdesign.designs.singer import point_count, singer_points
from gcdesign.designs.structures.plane_sets import hermitian_form, hyperoval
from gcdesign.designs.subspaces import vectors
from gcdesign.errors import InputError


def quadrangle_size(s: int, t: int) -> Size:
    """Return the size of a generalised quadrangle of order (s, t).

    Examples
    --------
    >>> quadrangle_size(2, 2)
    Size(v=15, b=15, incidences=45)
    """
    points, lines = (s + 1) * (s * t + 1), (t + 1) * (s * t + 1)
    return Size(points, lines, lines * (s + 1))


def symplectic_quadrangle(q: int) -> BlockDesign:
    """Return W(q): the points of PG(3, q) and the lines that a symplectic form makes isotropic.

    Of order (q, q); its dual is Q(4, q), points and lines of a parabolic quadric.

    Raises
    ------
    InputError
        If q is no prime power.
    LimitError
        If it is too large.

    Notes
    -----
    Source: Payne and Thas, Finite Generalized Quadrangles, 3.1.1.

    Examples
    --------
    >>> symplectic_quadrangle(2).parameters.as_tuple()
    (15, 15, 3, 3, None)
    """
    size = symplectic_size(q)
    field = galois_field(q)

    def isotropic(bases: Elements) -> Mask:
        a, b = bases[:, 0], bases[:, 1]
        over = field.multiply(a[:, ::2], b[:, 1::2])  # a₀b₁ and a₂b₃
        back = field.multiply(a[:, 1::2], b[:, ::2])
        zero: Mask = field.add(over[:, 0], over[:, 1]) == field.add(back[:, 0], back[:, 1])
        return zero

    lines = projective_flats(q, 3, 1, size.b, chosen=isotropic)
    provenance = Provenance.of("symplectic-quadrangle", q=q)
    return BlockDesign.from_rows(size.v, lines, provenance=provenance)


def symplectic_size(q: int) -> Size:
    """Return the size of `symplectic_quadrangle` without building it; same errors."""
    _check(q, name="symplectic-quadrangle", space=q)
    return quadrangle_size(q, q)


def hermitian_quadrangle(q: int) -> BlockDesign:
    """Return H(3, q²): points and lines of a Hermitian surface of PG(3, q²), of order (q², q).

    Its dual is Q⁻(5, q), points and lines of an elliptic quadric.

    Raises
    ------
    InputError
        If q is no prime power.
    LimitError
        If it is too large.

    Notes
    -----
    Source: Payne and Thas, Finite Generalized Quadrangles, 3.1.1.

    Examples
    --------
    >>> hermitian_quadrangle(2).parameters.as_tuple()
    (45, 27, 3, 5, None)
    """
    size = hermitian_size(q)
    field = galois_field(q * q)
    conjugate = field.power(q)

    def isotropic(bases: Elements) -> Mask:
        a, b = bases[:, 0], bases[:, 1]
        zero = np.ones(len(bases), dtype=np.bool_)
        for x, y in ((a, a), (a, b), (b, b)):
            products = field.multiply(x, conjugate[y])
            zero &= reduce(field.add, products.T) == 0
        return zero

    lines = projective_flats(q * q, 3, 1, size.b, chosen=isotropic)
    on_surface = hermitian_form(field, singer_points(q * q, 3), q) == 0
    rows: NDArray[np.int32] = (np.cumsum(on_surface, dtype=np.int32) - 1)[lines]
    provenance = Provenance.of("hermitian-quadrangle", q=q)
    return BlockDesign.from_rows(size.v, rows, provenance=provenance)


def hermitian_size(q: int) -> Size:
    """Return the size of `hermitian_quadrangle` without building it; same errors."""
    _check(q, name="hermitian-quadrangle", space=q * q)
    return quadrangle_size(q * q, q)


def hyperoval_quadrangle(q: int) -> BlockDesign:
    """Return T₂*(O): the points of AG(3, q), q even, and the lines that a hyperoval directs.

    Of order (q − 1, q + 1). The lines of one direction are a parallel class.

    Raises
    ------
    InputError
        If q is no power of 2.
    LimitError
        If it is too large.

    Notes
    -----
    Source: Ahrens and Szekeres 1969, Hall 1971.

    Examples
    --------
    >>> hyperoval_quadrangle(4).parameters.as_tuple()
    (64, 96, 6, 4, None)
    """
    size = hyperoval_quadrangle_size(q)
    field = galois_field(q)
    directions = singer_points(q, 2)[hyperoval(q)]
    scalars = vectors(q, 1)
    place = np.array([q * q, q, 1])
    points = vectors(q, 3)
    rows = []
    for direction in directions:
        ends = field.multiply(scalars, direction[None, :])
        lines = field.add(points[:, None, :], ends[None, :, :]) @ place
        rows.append(np.sort(lines[lines.min(axis=1) == np.arange(q**3)], axis=1))
    return BlockDesign.from_rows(
        size.v,
        np.concatenate(rows).astype(np.int32),
        provenance=Provenance.of("hyperoval-quadrangle", q=q),
        block_classes=np.repeat(np.arange(q + 2, dtype=np.int32), q * q),
    )


def hyperoval_quadrangle_size(q: int) -> Size:
    """Return the size of `hyperoval_quadrangle` without building it; same errors."""
    if q < 2 or q & (q - 1):
        raise InputError(f"q={q}; expected a power of 2")
    size = quadrangle_size(q - 1, q + 1)
    check_size(size, name=f"hyperoval-quadrangle:q={q}")
    return size


def _check(q: int, *, name: str, space: int) -> None:
    """Refuse what is no prime power, and what would need too large a space around it."""
    if q < 2:
        raise InputError(f"q={q}; expected a prime power")
    lines = (space**2 + 1) * point_count(space, 2)
    check_size(Size(point_count(space, 3), lines, lines * (space + 1)), name=f"{name}:q={q}")
    if prime_power(q) is None:
        raise InputError(not_prime_power(q))
