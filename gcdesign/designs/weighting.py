"""Wilson's fundamental construction in two operations, and the completion of parallel classes.

In a pairwise balanced design each point becomes w points, and its blocks B × w are filled with
group divisible designs whose groups are the points' copies; one new point completes the groups.
"""

from __future__ import annotations

import numpy as np

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size, constant, offsets
from gcdesign.designs.operations import transpose
from gcdesign.errors import InputError


def weight(design: BlockDesign, times: int) -> BlockDesign:
    """Give each point x the weight w: it becomes the points wx, …, wx + w − 1; ∞ = wv is new.

    Blocks B become B × w, in order, followed by a block of x's copies and ∞ for each x. If the
    design is pairwise balanced, filling its blocks with designs from `grouped`, of 2-(v', w + 1, 1)
    designs, gives a 2-(wv + 1, w + 1, 1) design.

    Raises
    ------
    InputError
        If the weight is below 1.

    Notes
    -----
    Source: Wilson 1972 (the fundamental construction), Hanani 1961.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry
    >>> weight(affine_geometry(2), 3).block_sizes.tolist()
    [6, 6, 6, 6, 6, 6, 4, 4, 4, 4]
    """
    if times < 1:
        raise InputError(f"times={times}; expected 1 or more")
    check_size(weight_size(Size(design.v, design.b, design.incidences), times), name="the design")
    copies = np.arange(times, dtype=np.int32)
    heavy = (design.indices[:, None] * times + copies).reshape(-1)
    infinity = np.full((design.v, 1), design.v * times, dtype=np.int32)
    own = np.arange(design.v * times, dtype=np.int32).reshape(design.v, times)
    groups = np.concatenate([own, infinity], axis=1)
    sizes = np.concatenate([design.block_sizes * times, np.full(design.v, times + 1)])
    return BlockDesign.from_arrays(
        design.v * times + 1,
        offsets(sizes),
        np.concatenate([heavy, groups.reshape(-1)]),
        provenance=Provenance.of("weight", design.provenance, times=times),
    )


def weight_size(size: Size, times: int) -> Size:
    """Return the size of `weight` of a design of this size."""
    w = abs(times)
    return Size(size.v * w + 1, size.b + size.v, size.incidences * w + size.v * (w + 1))


def grouped(design: BlockDesign, point: int = 0) -> BlockDesign:
    """Remove a point and the blocks through it, whose other points become consecutive groups.

    A 2-(v, k, 1) design gives a group divisible design of type (k − 1)^((v − 1)/(k − 1)): two
    points of one group are in no block, others in one.

    Raises
    ------
    InputError
        If there is no such point, or the blocks through it do not part the others into groups of
        one size.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry, intersection_numbers
    >>> grouped(affine_geometry(3)).parameters.as_tuple()
    (8, 8, 3, 3, None)
    """
    if not 0 <= point < design.v:
        raise InputError(f"point {point} of {design.v}; expected 0 to {design.v - 1}")
    indptr, blocks = transpose(design)
    through = blocks[indptr[point] : indptr[point + 1]]
    k = constant(design.block_sizes[through])
    rows = [block[block != point] for block in map(design.block, through.tolist())]
    order = np.concatenate([np.zeros(0, dtype=np.int32), *rows])
    if k is None or len(order) != design.v - 1 or len(np.unique(order)) != design.v - 1:
        raise InputError(f"the blocks through point {point} do not part the others into groups")
    number_of = np.empty(design.v, dtype=np.int32)
    number_of[order] = np.arange(len(order), dtype=np.int32)
    kept = np.ones(design.b, dtype=bool)
    kept[through] = False
    indices = number_of[design.indices[kept[design.block_of_incidence]]]
    block_of = np.repeat(np.arange(int(kept.sum())), design.block_sizes[kept])
    return BlockDesign.from_arrays(
        design.v - 1,
        offsets(design.block_sizes[kept]),
        indices[np.lexsort((indices, block_of))],
        provenance=Provenance.of("grouped", design.provenance, point=point),
    )


def completed(design: BlockDesign) -> BlockDesign:
    """Add a point at infinity for each parallel class, on its blocks, and the block of these.

    A resolvable 2-(v, k, 1) design gives a pairwise balanced design on v + r points with blocks of
    k + 1 points and one of r; the affine plane gives the projective plane.

    Raises
    ------
    InputError
        If the design comes without parallel classes.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry
    >>> completed(affine_geometry(4)).parameters.as_tuple()
    (21, 21, 5, 5, 1)
    """
    if design.block_classes is None:
        raise InputError("completed needs a design with parallel classes, such as ag:q=3")
    _, classes = np.unique(design.block_classes, return_inverse=True)
    count = int(classes.max(initial=-1)) + 1
    new = design.v + np.arange(count, dtype=np.int32)
    indices = np.insert(design.indices, design.indptr[1:], new[classes])
    return BlockDesign.from_arrays(
        design.v + count,
        offsets(np.append(design.block_sizes + 1, count)),
        np.concatenate([indices, new]),
        provenance=Provenance.of("completed", design.provenance),
    )


def completed_size(size: Size) -> Size:
    """Return bounds on the size of `completed`: there are at most as many classes as blocks."""
    return Size(size.v + size.b, size.b + 1, size.incidences + 2 * size.b)
