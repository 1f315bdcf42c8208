"""Block designs that lines of a plane cut out of a unital and of a maximal arc."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.fields import not_prime_power, prime_power
from gcdesign.designs.geometry import affine_geometry, projective_geometry
from gcdesign.designs.structures.plane_sets import hermitian_curve, maximal_arc
from gcdesign.errors import InputError


def unital(q: int) -> BlockDesign:
    """Return the Hermitian unital: the 2-(q³ + 1, q + 1, 1) design of PG(2, q²)'s secants.

    Raises
    ------
    InputError
        If q is no prime power.
    LimitError
        If it is too large.

    Notes
    -----
    Source: Bose 1959.

    Examples
    --------
    >>> unital(3).parameters.as_tuple()
    (28, 63, 9, 4, 1)
    """
    size = unital_size(q)
    check_size(size, name=f"unital:q={q}")
    rows, _ = _cut(projective_geometry(q * q), hermitian_curve(q * q), q + 1)
    return BlockDesign.from_rows(size.v, rows, provenance=Provenance.of("unital", q=q))


def unital_size(q: int) -> Size:
    """Return the size of `unital` without building it; same errors."""
    if q < 2:
        raise InputError(f"q={q}; expected a prime power")
    check_size(Size(q**3 + 1, q**4, q**6), name=f"the plane of unital:q={q}")
    if prime_power(q) is None:
        raise InputError(not_prime_power(q))
    blocks = q * q * (q * q - q + 1)
    return Size(q**3 + 1, blocks, blocks * (q + 1))


def arc_design(q: int, degree: int) -> BlockDesign:
    """Return the design of a maximal arc of degree n in AG(2, q): 2-(qn − q + n, n, 1).

    Its blocks are what the lines have of the arc; those of parallel lines are a parallel class,
    so the design is resolvable.

    Raises
    ------
    InputError
        If q is no power of 2, or the degree no power of 2 from 2 to q.

    Notes
    -----
    Source: Denniston 1969.

    Examples
    --------
    >>> design = arc_design(8, 4)
    >>> design.parameters.as_tuple(), len(design.parallel_classes)
    ((28, 63, 9, 4, 1), 9)
    """
    size = arc_size(q, degree)
    check_size(size, name=f"maximal-arc:q={q},degree={degree}")
    plane = affine_geometry(q)
    rows, lines = _cut(plane, maximal_arc(q, degree), degree)
    assert plane.block_classes is not None
    return BlockDesign.from_rows(
        size.v,
        rows,
        provenance=Provenance.of("maximal-arc", q=q, degree=degree),
        block_classes=plane.block_classes[lines],
    )


def arc_size(q: int, degree: int) -> Size:
    """Return the size of `arc_design` without building it; same errors."""
    check_size(Size(abs(q) ** 2, abs(q) ** 2, abs(q) ** 3), name=f"the plane of maximal-arc:q={q}")
    for name, value, most in (("q", q, q), ("degree", degree, q)):
        if value < 2 or value > most or value & (value - 1):
            raise InputError(f"{name}={value}; expected a power of 2, and degree at most q")
    points = q * degree - q + degree
    blocks = points * (q + 1) // degree
    return Size(points, blocks, blocks * degree)


def _cut(
    plane: BlockDesign, points: NDArray[np.int32], size: int
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return what lines have of a set, for those with ``size`` points in it, and their numbers."""
    number_of = np.full(plane.v, -1, dtype=np.int32)
    number_of[points] = np.arange(len(points), dtype=np.int32)
    lines = number_of[plane.indices.reshape(plane.b, -1)]
    chosen = np.flatnonzero((lines >= 0).sum(axis=1) == size)
    kept = lines[chosen]
    return kept[kept >= 0].reshape(len(chosen), size), chosen
