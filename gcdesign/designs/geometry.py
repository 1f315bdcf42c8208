"""Finite geometries as block designs: points against d-flats of PG(m, q) and AG(m, q)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.cyclic import cyclic_blocks
from gcdesign.designs.design import MAX_POINTS, BlockDesign, Provenance, Size, check_size
from gcdesign.designs.fields import (
    Elements,
    galois_field,
    not_prime_power,
    prime_power,
)
from gcdesign.designs.singer import point_count, singer_difference_set, singer_points
from gcdesign.designs.subspaces import (
    combine,
    echelon_bases,
    gaussian_binomial,
    normalised,
    powers,
    vectors,
)
from gcdesign.errors import InputError, LimitError

Mask = NDArray[np.bool_]

CHUNK_ENTRIES = 1 << 20
"""Coordinates held at once while flats are listed; keeps the peak near the result's size."""


def projective_geometry(q: int, dim: int = 2, flats: int | None = None) -> BlockDesign:
    """Return the points of PG(dim, q) against its d-flats.

    Points are numbered along a Singer cycle. Hyperplanes are the shifts of one difference
    set, block i being ``(D + i) mod v``; other flats are listed by echelon form.

    Parameters
    ----------
    q
        Order of the field, a prime power.
    dim
        Projective dimension m ≥ 2.
    flats
        Projective dimension d of the blocks, 1 ≤ d < m; by default hyperplanes, d = m − 1.

    Returns
    -------
    BlockDesign
        For hyperplanes a symmetric 2-design with v = b = (q^(m+1) − 1)/(q − 1),
        k = r = (q^m − 1)/(q − 1) and λ = (q^(m−1) − 1)/(q − 1); a 2-design in any case.

    Raises
    ------
    InputError
        If q is no prime power, or ``dim`` or ``flats`` is out of range.
    LimitError
        If the design is too large.

    Notes
    -----
    Source: Singer 1938; as gradient codes Kadhe, Koyluoglu, Ramchandran 2019, Table III.

    Examples
    --------
    >>> projective_geometry(5).parameters.as_tuple()
    (31, 31, 6, 6, 1)
    >>> projective_geometry(2, dim=3, flats=1).parameters.as_tuple()
    (15, 35, 7, 3, 1)
    """
    flats = _check(q, dim, flats)
    size = projective_size(q, dim, flats)
    provenance = Provenance.of("pg", q=q, dim=dim, flats=flats)
    check_size(size, name=provenance.spec)
    if flats == dim - 1:
        rows = cyclic_blocks(singer_difference_set(q, dim), size.v)
    else:
        rows = projective_flats(q, dim, flats, size.b)
    return BlockDesign.from_rows(size.v, rows, provenance=provenance)


def affine_geometry(q: int, dim: int = 2, flats: int | None = None) -> BlockDesign:
    """Return the points of AG(dim, q) against its d-flats, with their parallel classes.

    Point i is the vector whose coordinates are the base-q digits of i, most significant
    first. Parallel flats are consecutive blocks.

    Parameters
    ----------
    q, dim
        As in `projective_geometry`.
    flats
        Affine dimension d of the blocks, 1 ≤ d < m; by default hyperplanes, d = m − 1.

    Returns
    -------
    BlockDesign
        For hyperplanes an affine resolvable 2-design with v = q^m, k = q^(m−1),
        b = q(q^m − 1)/(q − 1), r = (q^m − 1)/(q − 1) and λ = (q^(m−1) − 1)/(q − 1).

    Raises
    ------
    InputError, LimitError
        As in `projective_geometry`.

    Notes
    -----
    Source: Kadhe, Koyluoglu, Ramchandran 2019, Table III. Its printed row for AG has a slip:
    the number of blocks of AG(2, q) is q² + q.

    Examples
    --------
    >>> plane = affine_geometry(3)
    >>> plane.parameters.as_tuple(), len(plane.parallel_classes)
    ((9, 12, 4, 3, 1), 4)
    """
    flats = _check(q, dim, flats)
    size = affine_size(q, dim, flats)
    provenance = Provenance.of("ag", q=q, dim=dim, flats=flats)
    check_size(size, name=provenance.spec)
    directions = gaussian_binomial(dim, flats, q)
    rows = _affine_flats(q, dim, flats, directions)
    classes = np.repeat(np.arange(directions, dtype=np.int32), q ** (dim - flats))
    return BlockDesign.from_rows(size.v, rows, provenance=provenance, block_classes=classes)


def projective_size(q: int, dim: int = 2, flats: int | None = None) -> Size:
    """Return the size of `projective_geometry` without building it; same errors.

    Examples
    --------
    >>> projective_size(5)
    Size(v=31, b=31, incidences=186)
    """
    flats = _check(q, dim, flats)
    blocks = gaussian_binomial(dim + 1, flats + 1, q)
    return Size(point_count(q, dim), blocks, blocks * point_count(q, flats))


def affine_size(q: int, dim: int = 2, flats: int | None = None) -> Size:
    """Return the size of `affine_geometry` without building it; same errors.

    Examples
    --------
    >>> affine_size(3)
    Size(v=9, b=12, incidences=36)
    """
    flats = _check(q, dim, flats)
    directions = gaussian_binomial(dim, flats, q)
    return Size(q**dim, directions * q ** (dim - flats), directions * q**dim)


def projective_flats(
    q: int, dim: int, flats: int, count: int, *, chosen: Callable[[Elements], Mask] | None = None
) -> Elements:
    """Return the points of d-flats of PG(dim, q), one increasing row for each, by echelon form.

    Parameters
    ----------
    q, dim, flats
        As in `projective_geometry`.
    count
        How many flats there are, of those chosen.
    chosen
        Which flats to take, of reduced bases of shape (any number, d + 1, dim + 1); by default all.
    """
    field, n, d = galois_field(q), dim + 1, flats + 1
    place = powers(q, n)
    number_of = np.zeros(q**n, dtype=np.int32)
    points = singer_points(q, dim)
    number_of[points @ place] = np.arange(len(points), dtype=np.int32)
    coefficients = normalised(vectors(q, d)[1:])
    rows = np.empty((count, len(coefficients)), dtype=np.int32)
    start = 0
    chunk = max(1, CHUNK_ENTRIES // (len(coefficients) * n))
    for some, _ in echelon_bases(q, n, d, chunk=chunk):
        bases = some if chosen is None else some[chosen(some)]
        ranks = combine(field, coefficients, bases) @ place
        rows[start : start + len(bases)] = np.sort(number_of[ranks], axis=1)
        start += len(bases)
    return rows


def _affine_flats(q: int, dim: int, flats: int, directions: int) -> Elements:
    field, place = galois_field(q), powers(q, dim)
    coefficients = vectors(q, flats)
    representatives = vectors(q, dim - flats)
    size, per_class = q**flats, q ** (dim - flats)
    rows = np.empty((directions, per_class, size), dtype=np.int32)
    start = 0
    chunk = max(1, CHUNK_ENTRIES // (size * per_class * dim))
    for bases, pivots in echelon_bases(q, dim, flats, chunk=chunk):
        free = [c for c in range(dim) if c not in pivots]
        shifts = np.zeros((per_class, dim), dtype=np.int32)
        shifts[:, free] = representatives
        spans = combine(field, coefficients, bases)
        cosets = field.add(spans[:, None, :, :], shifts[None, :, None, :])
        rows[start : start + len(bases)] = np.sort(cosets @ place, axis=2)
        start += len(bases)
    return rows.reshape(directions * per_class, size)


def _check(q: int, dim: int, flats: int | None) -> int:
    """Return the dimension of the flats, once the parameters are known to be good."""
    if dim < 2:
        raise InputError(f"dim={dim}; a geometry with blocks needs dimension 2 or more")
    flats = dim - 1 if flats is None else flats
    if not 1 <= flats < dim:
        raise InputError(f"flats={flats}; expected a dimension from 1 to {dim - 1} (dim - 1)")
    if q < 2:
        raise InputError(f"q={q}; expected a prime power, 2 or more")
    if dim * (q.bit_length() - 1) >= MAX_POINTS.bit_length():
        raise LimitError(
            f"q^dim is above the limit of {MAX_POINTS} points: take a smaller q or dim"
        )
    check_size(Size(q**dim, 0, 0), name=f"a geometry with q={q}, dim={dim}")
    if prime_power(q) is None:
        known = plane_existence(q) if dim == 2 else ""
        raise InputError(not_prime_power(q) + (f"; {known}" if known else ""))
    return flats


def plane_existence(order: int) -> str:
    """Say what is known about projective planes of an order that is no prime power.

    An affine plane of the same order exists if and only if the projective one does.

    Notes
    -----
    Bruck and Ryser 1949: if order ≡ 1, 2 (mod 4) and a plane exists, the order is a sum of two
    squares. Lam, Thiel, Swiercz 1989: there is no plane of order 10.

    Examples
    --------
    >>> plane_existence(6)
    'no plane of order 6 exists at all (Bruck–Ryser: 6 ≡ 2 mod 4 is no sum of two squares)'
    >>> plane_existence(12)
    'whether any plane of order 12 exists is open'
    """
    if order == 10:
        return "no plane of order 10 exists at all (computer search of Lam, Thiel, Swiercz 1989)"
    if order % 4 in (1, 2) and not _sum_of_two_squares(order):
        return (
            f"no plane of order {order} exists at all (Bruck–Ryser: {order} ≡ {order % 4} mod 4 "
            "is no sum of two squares)"
        )
    return f"whether any plane of order {order} exists is open"


def _sum_of_two_squares(n: int) -> bool:
    roots: NDArray[np.int64] = np.arange(int(n**0.5) + 2, dtype=np.int64)
    squares = roots * roots
    return bool(np.isin(n - squares, squares).any())
