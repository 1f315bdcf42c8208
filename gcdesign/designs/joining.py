"""New designs from several: unions, multiples, blocks filled with designs, points removed."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import (
    BlockDesign,
    Provenance,
    Size,
    check_size,
    constant,
    offsets,
)
from gcdesign.errors import InputError


def union(design: BlockDesign, other: BlockDesign) -> BlockDesign:
    """Put the blocks of two designs on the same points together; repeated blocks stay.

    A 2-(v, k, λ) and a 2-(v, k, μ) design give a 2-(v, k, λ + μ) design.

    Raises
    ------
    InputError
        If the numbers of points differ.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> union(projective_geometry(2), projective_geometry(2)).parameters.as_tuple()
    (7, 14, 6, 3, 2)
    """
    if design.v != other.v:
        raise InputError(f"designs on {design.v} and on {other.v} points; expected the same points")
    check_size(Size(design.v, design.b + other.b, design.incidences + other.incidences))
    return BlockDesign.from_arrays(
        design.v,
        np.concatenate([design.indptr, other.indptr[1:] + design.incidences]),
        np.concatenate([design.indices, other.indices]),
        provenance=_with_other("union", design, other),
    )


def multiple(design: BlockDesign, times: int) -> BlockDesign:
    """Take every block several times: a 2-(v, k, λ) design gives a 2-(v, k, nλ) design.

    Raises
    ------
    InputError
        If it is not to be taken at least once.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry
    >>> multiple(affine_geometry(3), 2).parameters.as_tuple()
    (9, 24, 8, 3, 2)
    """
    if times < 1:
        raise InputError(f"times={times}; expected 1 or more")
    check_size(Size(design.v, design.b * times, design.incidences * times), name="the multiple")
    return BlockDesign.from_arrays(
        design.v,
        offsets(np.tile(design.block_sizes, times)),
        np.tile(design.indices, times),
        provenance=Provenance.of("multiple", design.provenance, times=times),
    )


def supplement(design: BlockDesign) -> BlockDesign:
    """Take the other subsets: all k-subsets of the points that are no block.

    A simple 2-(v, k, λ) design gives a 2-(v, k, C(v − 2, k − 2) − λ) design.

    Raises
    ------
    InputError
        If the blocks differ in size or a block is repeated.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> supplement(projective_geometry(2)).parameters.as_tuple()
    (7, 28, 12, 3, 4)
    """
    k = constant(design.block_sizes)
    blocks = set(map(tuple, design.blocks()))
    if k is None or len(blocks) < design.b:
        raise InputError("supplement needs blocks of one size, none of them repeated")
    b = comb(design.v, k) - design.b
    check_size(Size(design.v, b, b * k), name="the supplement")
    others = (row for row in combinations(range(design.v), k) if row not in blocks)
    rows = np.fromiter((p for row in others for p in row), dtype=np.int32, count=b * k)
    provenance = Provenance.of("supplement", design.provenance)
    return BlockDesign.from_rows(design.v, rows.reshape(b, k), provenance=provenance)


def fill(design: BlockDesign, other: BlockDesign) -> BlockDesign:
    """Replace each block of as many points as ``other`` has by a copy of ``other`` on it.

    Blocks of other sizes stay and come first. If every block of a pairwise balanced design
    (each pair of points in one block) is filled with a 2-(s, k, λ) design on its s points, the
    outcome is a 2-(v, k, λ) design.

    Raises
    ------
    InputError
        If no block has so many points.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry, projective_geometry
    >>> fill(projective_geometry(2, 3, 2), projective_geometry(2)).parameters.as_tuple()
    (15, 105, 21, 3, 3)
    """
    chosen = np.flatnonzero(design.block_sizes == other.v)
    if not len(chosen):
        raise InputError(f"no block has {other.v} points, as the design to fill in has")
    kept = design.block_sizes[design.block_of_incidence] != other.v
    added = len(chosen) * other.incidences
    check_size(Size(design.v, design.b + len(chosen) * other.b, design.incidences + added))
    rows = design.indices[design.indptr[chosen][:, None] + np.arange(other.v)]
    sizes = np.delete(design.block_sizes, chosen)
    return BlockDesign.from_arrays(
        design.v,
        offsets(np.concatenate([sizes, np.tile(other.block_sizes, len(chosen))])),
        np.concatenate([design.indices[kept], rows[:, other.indices].reshape(-1)]),
        provenance=_with_other("fill", design, other),
    )


def point_derived(design: BlockDesign, point: int = 0) -> BlockDesign:
    """Keep the blocks through a point, without it: a t-design gives a (t − 1)-design.

    A 3-(v, k, λ) design gives a 2-(v − 1, k − 1, λ) design.

    Raises
    ------
    InputError
        If there is no such point.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry
    >>> point_derived(affine_geometry(2, 3)).parameters.as_tuple()
    (7, 7, 3, 3, 1)
    """
    return _at_point(design, point, "point-derived")


def point_residual(design: BlockDesign, point: int = 0) -> BlockDesign:
    """Keep the blocks that miss a point: a t-design gives a (t − 1)-design.

    Raises
    ------
    InputError
        If there is no such point.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry
    >>> point_residual(affine_geometry(2, 3)).parameters.as_tuple()
    (7, 7, 4, 4, 2)
    """
    return _at_point(design, point, "point-residual")


def _at_point(design: BlockDesign, point: int, operation: str) -> BlockDesign:
    if not 0 <= point < design.v:
        raise InputError(f"point {point} of {design.v}; expected 0 to {design.v - 1}")
    through = np.zeros(design.b, dtype=bool)
    through[design.block_of_incidence[design.indices == point]] = True
    kept = through if operation == "point-derived" else ~through
    entries = kept[design.block_of_incidence] & (design.indices != point)
    indices = design.indices[entries]
    return BlockDesign.from_arrays(
        design.v - 1,
        offsets(design.block_sizes[kept] - through[kept]),
        (indices - (indices > point)).astype(np.int32),
        provenance=Provenance.of(operation, design.provenance, point=point),
    )


def restriction(design: BlockDesign, kept: tuple[int, ...]) -> BlockDesign:
    """Keep some points only: blocks become what they have of them, renumbered in order.

    Raises
    ------
    InputError
        If a point is out of range or named twice.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> restriction(projective_geometry(2), (0, 1, 2)).block_sizes.tolist()
    [2, 2, 1, 0, 1, 1, 2]
    """
    wrong = next((p for p in kept if not 0 <= p < design.v), None)
    if wrong is not None:
        raise InputError(f"point {wrong} of {design.v}; expected 0 to {design.v - 1}")
    inside = np.zeros(design.v, dtype=bool)
    inside[list(kept)] = True
    if int(inside.sum()) < len(kept):
        raise InputError("a point is named twice; each may be kept once")
    entries: NDArray[np.bool_] = inside[design.indices]
    number_of = np.cumsum(inside, dtype=np.int32) - 1
    sizes = np.bincount(design.block_of_incidence[entries], minlength=design.b)
    return BlockDesign.from_arrays(
        len(kept),
        offsets(sizes),
        number_of[design.indices[entries]].astype(np.int32),
        provenance=Provenance.of("restriction", design.provenance, kept=tuple(kept)),
    )


def _with_other(operation: str, design: BlockDesign, other: BlockDesign) -> Provenance | None:
    """Return the provenance of an operation on two designs, if the second one has one."""
    if other.provenance is None:
        return None
    return Provenance.of(operation, design.provenance, other=other.provenance.spec)
