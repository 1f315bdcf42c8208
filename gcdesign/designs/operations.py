"""New designs from old: dual, complement, residual and derived."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size, offsets


def transpose(design: BlockDesign) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return (indptr, blocks): the blocks through each point, in increasing order."""
    short = design.indices.astype(np.uint16) if design.v <= 1 << 16 else design.indices
    order = np.argsort(short, kind="stable")  # numpy counts 16 bits, and compares longer ones
    return offsets(design.replication_numbers), design.block_of_incidence[order]


def dual(design: BlockDesign) -> BlockDesign:
    """Exchange points and blocks: point i of the dual is block i of the design.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry
    >>> dual(affine_geometry(2)).parameters.as_tuple()
    (6, 4, 2, 3, None)
    """
    indptr, blocks = transpose(design)
    provenance = Provenance.of("dual", design.provenance)
    return BlockDesign.from_arrays(design.b, indptr, blocks, provenance=provenance)


def complement(design: BlockDesign) -> BlockDesign:
    """Replace each block by the points that it misses.

    A 2-(v, k, λ) design gives a 2-(v, v − k, b − 2r + λ) design.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> complement(projective_geometry(2)).parameters.as_tuple()
    (7, 7, 4, 4, 2)
    """
    total = design.b * design.v - design.incidences
    check_size(Size(design.v, design.b, total), name="the complement")
    missing = np.empty(total, dtype=np.int32)
    indptr = offsets(design.v - design.block_sizes)
    points = np.arange(design.v, dtype=np.int32)
    chunk = max(1, (1 << 24) // max(design.v, 1))
    for start in range(0, design.b, chunk):
        stop = min(design.b, start + chunk)
        absent = np.ones((stop - start, design.v), dtype=bool)
        part = slice(design.indptr[start], design.indptr[stop])
        absent[design.block_of_incidence[part] - start, design.indices[part]] = False
        missing[indptr[start] : indptr[stop]] = np.broadcast_to(points, absent.shape)[absent]
    provenance = Provenance.of("complement", design.provenance)
    return BlockDesign.from_arrays(design.v, indptr, missing, provenance=provenance)


def residual(design: BlockDesign, block: int = 0) -> BlockDesign:
    """Drop one block and its points: the other blocks keep the points outside it.

    Points are renumbered in order. A symmetric 2-(v, k, λ) design gives a
    2-(v − k, k − λ, λ) design.

    Raises
    ------
    InputError
        If there is no such block.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> residual(projective_geometry(3)).parameters.as_tuple()
    (9, 12, 4, 3, 1)
    """
    return _restrict(design, block, "residual")


def derived(design: BlockDesign, block: int = 0) -> BlockDesign:
    """Keep the points of one block: the other blocks become their intersections with it.

    Points are renumbered in order. A symmetric 2-(v, k, λ) design gives a
    2-(k, λ, λ − 1) design.

    Raises
    ------
    InputError
        If there is no such block.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> derived(projective_geometry(2, dim=3)).parameters.as_tuple()
    (7, 14, 6, 3, 2)
    """
    return _restrict(design, block, "derived")


def _restrict(design: BlockDesign, block: int, operation: str) -> BlockDesign:
    inside = np.zeros(design.v, dtype=bool)
    inside[design.block(block)] = True
    kept_points = inside if operation == "derived" else ~inside
    number_of = np.cumsum(kept_points, dtype=np.int32) - 1
    kept = kept_points[design.indices] & (design.block_of_incidence != block)
    sizes = np.bincount(design.block_of_incidence[kept], minlength=design.b)
    indices = number_of[design.indices[kept]].astype(np.int32)
    provenance = Provenance.of(operation, design.provenance, block=block)
    return BlockDesign.from_arrays(
        int(kept_points.sum()),
        offsets(np.delete(sizes, block)),
        indices,
        provenance=provenance,
    )
