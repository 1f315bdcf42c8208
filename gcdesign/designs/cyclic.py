"""Cyclic designs: every block is a shift of the first, and its differences prove the design."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, constant

CHUNK_ENTRIES = 1 << 22
"""Differences held at once."""


def cyclic_blocks(difference_set: NDArray[np.int32], v: int) -> NDArray[np.int32]:
    """Return the shifts ``(D + i) mod v``, shape (v, k), each row increasing.

    Row i is a window of the sorted sequence D − v, D, moved by i, so one gather and one
    addition in place make the whole array with no further memory.
    """
    k = len(difference_set)
    twice = np.concatenate([difference_set - v, difference_set])
    windows = np.lib.stride_tricks.sliding_window_view(twice, k)
    shifts = np.arange(v, dtype=np.int32)
    rows = np.empty((v, k), dtype=np.int32)
    first = np.searchsorted(twice, -shifts)
    np.take(np.ascontiguousarray(windows), first, axis=0, out=rows, mode="clip")
    rows += shifts[:, None]
    return rows


def cyclic_base(design: BlockDesign) -> NDArray[np.int32] | None:
    """Return block 0 if every block i is ``(block 0 + i) mod v`` and b = v, else None."""
    k = constant(design.block_sizes)
    if k is None or k == 0 or design.b != design.v:
        return None
    base = design.block(0)
    rows = design.indices.reshape(design.b, k)
    # The last row decides cheaply for almost every design that is not cyclic.
    last = np.sort((base.astype(np.int64) + design.v - 1) % design.v)
    if not np.array_equal(rows[-1], last):
        return None
    return base if np.array_equal(rows, cyclic_blocks(base, design.v)) else None


def difference_range(base: NDArray[np.int32], v: int) -> tuple[int, int]:
    """Return the least and the greatest number of times that a difference ≠ 0 mod v occurs.

    If both are λ, ``base`` is a (v, k, λ) difference set, and its shifts are a symmetric
    2-design: a proof for all pairs of points and of blocks from k² differences.
    """
    counts = np.zeros(v, dtype=np.int64)
    rows = max(1, CHUNK_ENTRIES // len(base))
    for start in range(0, len(base), rows):
        differences = np.subtract.outer(base[start : start + rows], base) % v
        counts += np.bincount(differences.ravel(), minlength=v)
    return (int(counts[1:].min()), int(counts[1:].max())) if v > 1 else (0, 0)
