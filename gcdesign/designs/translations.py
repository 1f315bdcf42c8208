"""Translations that carry a design to itself: then one point speaks for all.

The points 0, …, v − 1 are taken for Z_v, or for the vectors over Z_p whose digits they are if
v = pⁿ. Both groups are transitive, so pairs need to be counted at one point only.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, constant
from gcdesign.designs.fields import prime_power

KEY_SEED = 20_110_301
"""Seed of the numbers whose sums tell blocks apart."""


def has_translations(design: BlockDesign) -> bool:
    """Whether Z_v, or Z_pⁿ on the digits of points, carries the multiset of blocks to itself.

    Blocks must be of one size. Rows are paired off by sums of random numbers and then compared
    in full, so that True is proved.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry, projective_geometry
    >>> has_translations(affine_geometry(4)), has_translations(projective_geometry(3, dim=3))
    (True, True)
    >>> has_translations(BlockDesign.from_blocks([[0, 1], [1, 2]]))
    False
    """
    k = constant(design.block_sizes)
    if not k:
        return False
    rows = design.indices.reshape(-1, k)
    keys = np.random.PCG64(KEY_SEED).random_raw(design.v).astype(np.uint64)
    order = np.argsort(sums := _sums(keys, rows), kind="stable")
    return any(
        all(_carries(move, rows, keys, order, sums) for move in generators)
        for generators in _groups(design.v)
    )


def _groups(v: int) -> Iterator[list[NDArray[np.int32]]]:
    """Yield generators of the transitive groups that are tried, as permutations of the points."""
    points = np.arange(v, dtype=np.int32)
    yield [(points + 1) % v]
    power = prime_power(v)
    if power is not None and power[1] > 1:
        p, n = power
        yield [
            points + np.where(points // p**i % p == p - 1, (1 - p) * p**i, p**i).astype(np.int32)
            for i in range(n)
        ]


def _carries(
    move: NDArray[np.int32],
    rows: NDArray[np.int32],
    keys: NDArray[np.uint64],
    order: NDArray[np.int64],
    sums: NDArray[np.uint64],
) -> bool:
    moved = _sums(keys[move], rows)
    there = np.argsort(moved, kind="stable")
    if not np.array_equal(moved[there], sums[order]):
        return False
    step = max(1, (1 << 22) // rows.shape[1])
    for start in range(0, len(rows), step):
        images = np.sort(move[rows[there[start : start + step]]], axis=1)
        if not np.array_equal(images, rows[order[start : start + step]]):
            return False
    return True


def _sums(keys: NDArray[np.uint64], rows: NDArray[np.int32]) -> NDArray[np.uint64]:
    """Return the sum of the keys of each row."""
    step = max(1, (1 << 22) // rows.shape[1])
    parts = [keys[rows[start : start + step]].sum(axis=1) for start in range(0, len(rows), step)]
    return np.concatenate(parts)
