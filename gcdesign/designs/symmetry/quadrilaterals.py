"""How many quadrilaterals each block is a side of: tells blocks apart where degrees cannot.

Where two points are in one block at most, all points and all blocks look alike to colour
refinement, and nauty has to try nearly all triples of points. But the blocks of a triple system
without symmetry are in different numbers of quadrilaterals, also known as Pasch configurations.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign

LARGEST_BLOCKS = 5
"""Blocks of more points are in so many quadrilaterals that counting takes longer than nauty."""


def quadrilaterals(design: BlockDesign) -> NDArray[np.int64]:
    """Return the number of quadrilaterals that each block is a side of, shape (b,).

    A quadrilateral is four blocks that meet in six points, two in each. All numbers are 0 if they
    are not worth counting: two points lie in several blocks, the blocks are not all of the same
    3, 4 or 5 points, or there are no more of them than points.

    Notes
    -----
    Source: Colbourn and Rosa 1999, *Triple Systems*, for Pasch configurations as an invariant.

    Examples
    --------
    >>> from gcdesign.designs.geometry import projective_geometry
    >>> quadrilaterals(projective_geometry(2, dim=3, flats=1))[:4].tolist()
    [12, 12, 12, 12]
    """
    found, sizes = np.zeros(design.b, dtype=np.int64), np.unique(design.block_sizes)
    if len(sizes) != 1 or not 3 <= sizes[0] <= LARGEST_BLOCKS or design.b <= design.v:
        return found
    rows = design.indices.reshape(design.b, -1).astype(np.int64)
    through = _block_through(rows, design.v)
    if through is None:
        return found
    points = np.concatenate([rows, np.full((1, rows.shape[1]), -1)])  # the last block is none
    for number, block in enumerate(rows):
        meets = np.zeros(design.b + 1, dtype=bool)
        meets[through[block]] = True
        meets[[number, design.b]] = False
        sides = through[:, block]
        sides[block] = design.b
        found[number] = _closed(points[sides], block, meets, through)
    return found


def _closed(
    sides: NDArray[np.int64],
    block: NDArray[np.int64],
    meets: NDArray[np.bool_],
    through: NDArray[np.int64],
) -> int:
    """Count the quadrilaterals on a block; ``sides[x, i]`` is the block of x and its i-th point.

    The fourth side joins two sides through x, away from x and the block, and meets the block. Each
    of the three vertices that are not on the block is an x once.
    """
    itself = np.arange(len(sides))[:, None, None]
    usable = (sides >= 0) & (sides != itself) & (sides != block[:, None])
    count = 0
    for i, j in zip(*np.triu_indices(len(block), 1), strict=True):
        fourth = through[sides[:, i, :, None], sides[:, j, None, :]]
        count += int((meets[fourth] & usable[:, i, :, None] & usable[:, j, None, :]).sum())
    return count // 3


def _block_through(rows: NDArray[np.int64], v: int) -> NDArray[np.int64] | None:
    """Return the block through each two points, b where there is none; None if there are more."""
    b, k = rows.shape
    first, second = (rows[:, np.array(side)] for side in np.nonzero(~np.eye(k, dtype=bool)))
    through = np.full((v, v), b, dtype=np.int64)
    through[first, second] = np.arange(b)[:, None]
    return through if (through < b).sum() == first.size else None
