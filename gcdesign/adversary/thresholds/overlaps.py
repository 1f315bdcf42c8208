"""How many workers parts share, summed so that counting pairs bounds S*(η) on any placement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes import Placement
from gcdesign.designs.counting import concurrence_rows

MAX_DENSE_PARTS = 3000
"""Up to this many parts the rows are counted without scipy."""

MAX_ENTRIES = 50_000_000
"""Largest table of shared workers, and largest Σ L_w², that is taken on."""


@dataclass(frozen=True, eq=False)
class Overlaps:
    """The numbers of workers that each part shares with others.

    Attributes
    ----------
    parts
        K.
    constant
        λ, if any two parts share exactly λ workers; ``sums`` is empty then.
    sums
        Shape (K, width + 1): entry (p, i) is the sum of the i greatest numbers of workers that
        part p shares with another part. They do not grow beyond the width.
    """

    parts: int
    constant: int | None
    sums: NDArray[np.int32]

    def most(self, eta: int) -> int:
        """Return P(η), an upper bound on the ordered pairs of η parts on common workers.

        For a part p let s_p be the sum of its η − 1 greatest numbers; P is the sum of the η
        greatest s_p. For 0 ≤ η ≤ K.

        Examples
        --------
        >>> from gcdesign.designs import affine_geometry
        >>> overlaps_of(Placement(affine_geometry(3)), (1, 1)).most(4)
        12
        """
        if self.constant is not None or eta < 2:
            return (self.constant or 0) * eta * max(eta - 1, 0)
        each = self.sums[:, min(eta - 1, self.sums.shape[1] - 1)]
        return int(np.partition(each, self.parts - eta)[self.parts - eta :].sum(dtype=np.int64))


def overlaps_of(placement: Placement, shared: tuple[int, int] | None) -> Overlaps | None:
    """Return the overlaps of a placement, or None where that would take too long.

    Parameters
    ----------
    placement
        Who holds what.
    shared
        Least and greatest number of workers that two parts share, if known.

    Examples
    --------
    >>> from gcdesign.designs import BlockDesign
    >>> placement = Placement(BlockDesign.from_blocks([[0, 1], [0, 1], [1, 2]], points=3))
    >>> overlaps_of(placement, None).sums.tolist()
    [[0, 2, 2], [0, 2, 3], [0, 1, 1]]
    """
    parts = placement.parts
    if shared is not None and shared[0] == shared[1]:
        return Overlaps(parts, shared[0], np.zeros((parts, 1), dtype=np.int32))
    if int((placement.loads**2).sum()) > MAX_ENTRIES:
        return None
    rows = _dense_rows(placement) if parts <= MAX_DENSE_PARTS else _sparse_rows(placement)
    ordered: list[NDArray[np.int32]] = []
    width = 0
    for counts in rows:
        used = int(np.count_nonzero(counts, axis=1).max(initial=0))
        ordered.append(-np.sort(-counts, axis=1)[:, :used])
        width = max(width, used)
        if parts * width > MAX_ENTRIES:
            return None
    sums = np.zeros((parts, width + 1), dtype=np.int32)
    start = 0
    for piece in ordered:
        sums[start : start + len(piece), 1 : piece.shape[1] + 1] = piece
        start += len(piece)
    np.cumsum(sums, axis=1, out=sums)
    return Overlaps(parts, None, sums)


def _dense_rows(placement: Placement) -> Iterator[NDArray[np.int32]]:
    """Yield batches of rows: entry (p, i) is the number of workers that p shares with part i."""
    for start, rows in concurrence_rows(placement.design):
        own = np.arange(len(rows))
        rows[own, start + own] = 0
        yield rows.astype(np.int32)


def _sparse_rows(placement: Placement) -> Iterator[NDArray[np.int32]]:
    """Yield batches of rows that hold each part's non-zero numbers, in any order, then zeros."""
    incidence = placement.design.incidence.astype(np.int32)
    transposed = incidence.T.tocsr()
    step = 4096
    for start in range(0, placement.parts, step):
        product = (transposed[start : start + step] @ incidence).tocsr()
        row_of = np.repeat(np.arange(product.shape[0]), np.diff(product.indptr))
        data = np.where(product.indices == start + row_of, 0, product.data)
        width = int(np.diff(product.indptr).max(initial=0))
        rows = np.zeros((product.shape[0], width), dtype=np.int32)
        rows[row_of, np.arange(len(data)) - product.indptr[row_of]] = data
        yield rows
