"""Counting pairs from the blocks alone: how often two points, or two blocks, come together.

Everything works on rows of the concurrence matrix, a few at a time, so that memory stays
small whatever the design.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.cyclic import cyclic_base, difference_range
from gcdesign.designs.design import BlockDesign, constant
from gcdesign.designs.operations import transpose
from gcdesign.designs.translations import has_translations

CHUNK_ENTRIES = 1 << 22

MANY_PAIRS = 1 << 29
"""Pairs in blocks that take seconds to count; a symmetry is looked for before."""

MARKED_AT_ONCE = 1 << 22
"""Largest table of pairs that stays in the cache while pairs are marked all over it."""


def concurrence_rows(design: BlockDesign) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Yield (first point, rows): rows of the v × v matrix that counts common blocks.

    The diagonal holds the replication numbers.
    """
    v = design.v
    dual_ptr, dual_blocks = transpose(design)
    weight = np.zeros(len(dual_blocks) + 1, dtype=np.int64)
    np.cumsum(design.block_sizes[dual_blocks], out=weight[1:])
    start = 0
    while start < v:
        stop = min(v, start + max(1, CHUNK_ENTRIES // v))
        budget = weight[dual_ptr[start]] + CHUNK_ENTRIES
        within = int(np.searchsorted(weight[dual_ptr[start : stop + 1]], budget, side="right"))
        stop = max(start + 1, start + within - 1)
        blocks = dual_blocks[dual_ptr[start] : dual_ptr[stop]]
        sizes = design.block_sizes[blocks]
        partners = design.indices[ranges(design.indptr[blocks], sizes)]
        own = np.repeat(np.arange(stop - start), np.diff(dual_ptr[start : stop + 1]))
        cells = np.repeat(own, sizes) * v + partners
        counts: NDArray[np.int64] = np.bincount(cells, minlength=(stop - start) * v)
        yield start, counts.reshape(stop - start, v)
        start = stop


def ranges(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the concatenation of ``range(start, start + length)``."""
    total = int(lengths.sum())
    jumps = np.repeat(starts - np.concatenate([[0], np.cumsum(lengths)[:-1]]), lengths)
    jumps += np.arange(total, dtype=np.int64)
    return jumps


def pair_count_range(design: BlockDesign) -> tuple[int, int]:
    """Return the least and the greatest number of blocks through two distinct points.

    Pairs that no block covers count as 0. A cyclic design is judged by the differences of
    one block, a large one that translations carry to itself by the pairs of one point, any other
    by counting all its pairs. With fewer than two points, (0, 0).

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> pair_count_range(projective_geometry(3))
    (1, 1)
    """
    if design.v < 2:
        return 0, 0
    base = cyclic_base(design)
    if base is not None:
        return difference_range(base, design.v)
    if int((design.block_sizes**2).sum()) > MANY_PAIRS and has_translations(design):
        blocks = design.indices.reshape(design.b, -1)
        partners = np.bincount(blocks[blocks[:, 0] == 0].reshape(-1), minlength=design.v)[1:]
        return int(partners.min()), int(partners.max())
    if _every_pair_once(design):
        return 1, 1
    least, most = design.b, 0
    for start, rows in concurrence_rows(design):
        off_diagonal = np.ones(rows.shape, dtype=bool)
        off_diagonal[np.arange(len(rows)), start + np.arange(len(rows))] = False
        least = min(least, int(rows.min(where=off_diagonal, initial=design.b)))
        most = max(most, int(rows.max(where=off_diagonal, initial=0)))
    return least, most


def _every_pair_once(design: BlockDesign) -> bool:
    """Whether two points are always in exactly one block; if not, nothing is said about why.

    If r(k − 1) = v − 1, and the blocks through each point hold all points, none is held twice.
    Marking is quicker than counting.
    """
    r, k = constant(design.replication_numbers), constant(design.block_sizes)
    if r is None or k is None or r * (k - 1) != design.v - 1:
        return False
    if design.v**2 <= MARKED_AT_ONCE:
        return _all_pairs_marked(design.indices.reshape(-1, k), design.v)
    rows, through = design.indices.reshape(-1, k), transpose(design)[1].reshape(-1, r)
    chunk = max(1, (CHUNK_ENTRIES >> 5) // (r * k))  # what stays in the cache
    for start in range(0, design.v, chunk):
        partners = rows[through[start : start + chunk]].reshape(-1, r * k).astype(np.intp)
        partners += np.arange(len(partners))[:, None] * design.v
        seen = np.zeros(len(partners) * design.v, dtype=bool)
        seen[partners.reshape(-1)] = True
        if not seen.all():
            return False
    return True


def _all_pairs_marked(rows: NDArray[np.int32], v: int) -> bool:
    """Whether the pairs in increasing rows are all v(v − 1)/2 there are."""
    columns = rows.T.astype(np.intp, order="C")
    seen = np.zeros(v * v, dtype=bool)
    for one, other in combinations(columns, 2):
        seen[one * v + other] = True
    return int(np.count_nonzero(seen)) == v * (v - 1) // 2


def pair_count_histogram(design: BlockDesign) -> dict[int, int]:
    """Return how many unordered pairs of points lie in 0, 1, 2, … common blocks."""
    totals: Counter[int] = Counter()
    for start, rows in concurrence_rows(design):
        later = np.arange(design.v)[None, :] > start + np.arange(len(rows))[:, None]
        values, counts = np.unique(rows[later], return_counts=True)
        totals.update(dict(zip(values.tolist(), counts.tolist(), strict=True)))
    return dict(sorted(totals.items()))


def intersection_numbers(design: BlockDesign) -> dict[int, int]:
    """Return how many unordered pairs of blocks meet in 0, 1, 2, … points.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry
    >>> intersection_numbers(affine_geometry(3))
    {0: 12, 1: 54}
    """
    from gcdesign.designs.operations import dual

    return pair_count_histogram(dual(design))
