"""Proof from the blocks alone that a design is a t-design."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.counting import pair_count_range
from gcdesign.designs.cyclic import cyclic_base, difference_range
from gcdesign.designs.design import BlockDesign, constant
from gcdesign.errors import InputError, LimitError

MAX_SUBSETS = 200_000_000
"""Largest number of t-subsets that are counted."""


@dataclass(frozen=True)
class Verification:
    """What counting all t-subsets of the points showed.

    Attributes
    ----------
    t
        Size of the subsets counted.
    block_size
        Common block size k, or None if the blocks differ in size.
    least, most
        Least and greatest number of blocks that contain a t-subset; uncovered ones count 0.
    method
        ``"difference set"`` (all pairs proved by the differences of one block) or
        ``"all t-subsets counted"``.
    """

    t: int
    block_size: int | None
    least: int
    most: int
    method: str

    @property
    def holds(self) -> bool:
        """Whether the design is a t-design: one block size k ≥ t, and λ_t ≥ 1 constant."""
        big_enough = self.block_size is not None and self.block_size >= self.t
        return big_enough and self.least == self.most > 0

    @property
    def lambda_(self) -> int | None:
        """λ_t, the number of blocks through every t-subset, or None if it is not constant."""
        return self.least if self.holds else None


def verify(design: BlockDesign, t: int = 2) -> Verification:
    """Count in how many blocks each t-subset of the points lies.

    Parameters
    ----------
    design
        Any block design; its provenance is not looked at.
    t
        Size of the subsets, 0 ≤ t ≤ v.

    Raises
    ------
    InputError
        If t is out of range.
    LimitError
        If there are more than `MAX_SUBSETS` subsets, or incidences of subsets with blocks.

    Examples
    --------
    >>> from gcdesign.designs import BlockDesign, projective_geometry
    >>> verify(projective_geometry(4)).lambda_
    1
    >>> uncovered = BlockDesign.from_blocks([[0, 1], [1, 2], [0, 2]], points=6)
    >>> verify(uncovered, t=1).holds
    False
    """
    if not 0 <= t <= design.v:
        raise InputError(f"t={t}; expected a number from 0 to v={design.v}")
    k = constant(design.block_sizes)
    method = "all t-subsets counted"
    if t == 0:
        least = most = design.b
    elif t == 1:
        numbers = design.replication_numbers
        least, most = int(numbers.min()), int(numbers.max())
    elif t == 2:
        base = cyclic_base(design)
        if base is None:
            least, most = pair_count_range(design)
        else:
            least, most = difference_range(base, design.v)
            method = "difference set"
    else:
        counts = _subset_counts(design, t)
        least, most = int(counts.min()), int(counts.max())
    return Verification(t, k, least, most, method)


def is_resolved(design: BlockDesign) -> bool:
    """Whether a design has block classes, and each of them holds every point exactly once.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry, projective_geometry
    >>> is_resolved(affine_geometry(3)), is_resolved(projective_geometry(3))
    (True, False)
    """
    if design.block_classes is None:
        return False
    labels, position = np.unique(design.block_classes, return_inverse=True)
    cells = position.astype(np.int64)[design.block_of_incidence] * design.v + design.indices
    return len(cells) == len(labels) * design.v and len(np.unique(cells)) == len(cells)


def _subset_counts(design: BlockDesign, t: int) -> NDArray[np.int64]:
    """Return the number of blocks on each t-subset, by rank in the combinatorial number system."""
    subsets = comb(design.v, t)
    sizes, how_many = np.unique(design.block_sizes, return_counts=True)
    work = sum(comb(k, t) * n for k, n in zip(sizes.tolist(), how_many.tolist(), strict=True))
    for number, what in ((subsets, f"{t}-subsets of the points"), (work, f"{t}-subsets in blocks")):
        if number > MAX_SUBSETS:
            raise LimitError(f"{number} {what} are more than the limit {MAX_SUBSETS}: lower t")
    counts = np.zeros(subsets, dtype=np.int64)
    ranks = [np.array([comb(p, i + 1) for p in range(design.v)], dtype=np.int64) for i in range(t)]
    for size in sizes.tolist():
        if size < t:
            continue
        members = np.flatnonzero(design.block_sizes == size)
        rows = design.indices[design.indptr[members][:, None] + np.arange(size)]
        for columns in combinations(range(size), t):
            rank = sum(ranks[i][rows[:, c]] for i, c in enumerate(columns))
            np.add.at(counts, rank, 1)
    return counts
