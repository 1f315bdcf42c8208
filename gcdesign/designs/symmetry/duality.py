"""Dualities: maps that exchange points and blocks, and polarities among them."""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign
from gcdesign.designs.operations import dual
from gcdesign.designs.symmetry.automorphisms import reduced_group
from gcdesign.designs.symmetry.isomorphism import isomorphism

Permutation = NDArray[np.int64]

MAX_ELEMENTS = 1_000_000
"""Largest group whose elements are all tried, to prove that there is no polarity."""

DRAWN = 40
"""Correlations whose powers are tried first."""


def self_duality(design: BlockDesign) -> tuple[Permutation, Permutation] | None:
    """Return a correlation, (points → blocks, blocks → points), or None if there is none.

    It carries incidence to incidence: point p is on block B exactly if point
    ``blocks_to_points[B]`` is on block ``points_to_blocks[p]``.

    Raises
    ------
    InputError
        If pynauty is needed, and not installed.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> to_blocks, to_points = self_duality(projective_geometry(3))
    >>> len(to_blocks), len(to_points)
    (13, 13)
    """
    if design.b != design.v:
        return None
    negatives = -np.arange(design.v, dtype=np.int64) % design.v
    if is_correlation(design, negatives, negatives):
        return negatives, negatives  # a cyclic design: block B holds point p if p − B is in D
    found = isomorphism(dual(design), design)  # points of the dual are blocks
    return None if found is None else (found.blocks, found.points)


def is_correlation(design: BlockDesign, to_blocks: Permutation, to_points: Permutation) -> bool:
    """Whether two maps, points → blocks and blocks → points, carry incidence to incidence."""
    n = design.v
    held = design.block_of_incidence.astype(np.int64) * n + design.indices
    images = to_blocks[design.indices] * n + to_points[design.block_of_incidence]
    return bool(np.array_equal(held, np.sort(images)))


@dataclass(frozen=True, eq=False)
class Polarity:
    """A correlation of order 2: point p is on the block of point q exactly if q is on that of p.

    Attributes
    ----------
    to_blocks
        Shape (v,): the block of each point.
    absolute
        The points that are on their own blocks, in increasing order.
    """

    to_blocks: Permutation
    absolute: NDArray[np.int64]

    @classmethod
    def of(cls, design: BlockDesign, to_blocks: Permutation) -> Polarity:
        """Return a polarity with its absolute points."""
        own = to_blocks[design.indices] == design.block_of_incidence
        return cls(to_blocks, np.sort(design.indices[own]).astype(np.int64))


@dataclass(frozen=True)
class PolaritySearch:
    """What was found out about polarities.

    Attributes
    ----------
    status
        ``"exists"``, ``"impossible"`` (proved) or ``"unknown"``.
    reason
        How that is known, or what was tried.
    polarity
        One, if there is any.
    """

    status: Literal["exists", "impossible", "unknown"]
    reason: str
    polarity: Polarity | None = None


def find_polarity(design: BlockDesign) -> PolaritySearch:
    """Look for a polarity among the correlations.

    All correlations are the automorphisms followed by one of them. Some are drawn and their powers
    tried; then, in a group of at most `MAX_ELEMENTS`, all of them.

    Raises
    ------
    InputError
        If pynauty is needed, and not installed.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry, projective_geometry
    >>> find_polarity(projective_geometry(4)).polarity.absolute.size
    5
    >>> find_polarity(affine_geometry(3)).status
    'impossible'
    """
    if design.b != design.v:
        return PolaritySearch("impossible", f"v = {design.v} points and b = {design.b} blocks")
    duality = self_duality(design)
    if duality is None:
        return PolaritySearch("impossible", "not isomorphic to its dual")
    to_blocks, to_points = duality
    if np.array_equal(to_points[to_blocks], np.arange(design.v)):
        return PolaritySearch("exists", "a self-duality of order 2", Polarity.of(design, to_blocks))
    reduced, chain, _ = reduced_group(design)
    if max(reduced.points.sizes.max(), reduced.blocks.sizes.max()) > 1:
        return PolaritySearch("unknown", "points or blocks are repeated, and nothing was tried")
    matrix = design.dense_incidence().astype(bool)
    rng = np.random.default_rng(0)
    for _ in range(DRAWN):
        found = _odd_power(matrix, to_blocks[chain.random(rng)])
        if found is not None:
            return PolaritySearch("exists", "a power of a self-duality", Polarity.of(design, found))
    if chain.order > MAX_ELEMENTS:
        reason = f"{DRAWN} of {chain.order} correlations and their powers were tried"
        return PolaritySearch("unknown", reason)
    for batch in chain.elements():
        found = _symmetric(matrix, to_blocks[batch])
        if found is not None:
            return PolaritySearch("exists", "one of all self-dualities", Polarity.of(design, found))
    return PolaritySearch("impossible", f"none of all {chain.order} correlations has order 2")


def _odd_power(matrix: NDArray[np.bool_], to_blocks: Permutation) -> Permutation | None:
    """Return the power of a correlation that is a polarity, if it has one.

    Row p of ``matrix[to_blocks]`` is the block of p. The square of the correlation c sends q to
    the point whose column is the row of q. If the square has odd order m, c^m is a polarity.
    """
    images = matrix[to_blocks]
    column = {images[:, r].tobytes(): r for r in range(len(images))}
    square = np.array([column[row.tobytes()] for row in images], dtype=np.int64)
    order = _order(square)
    if order % 2 == 0:
        return None
    points = np.arange(len(square))
    for bit in bin((order - 1) // 2)[2:]:
        points = points[points]
        points = square[points] if bit == "1" else points
    return to_blocks[points]


def _order(permutation: Permutation) -> int:
    order, seen = 1, np.zeros(len(permutation), dtype=bool)
    for start in range(len(permutation)):
        length, point = 0, start
        while not seen[point]:
            seen[point] = True
            length, point = length + 1, int(permutation[point])
        order = lcm(order, max(length, 1))
    return order


def _symmetric(matrix: NDArray[np.bool_], to_blocks: NDArray[np.int64]) -> Permutation | None:
    """Return one of some correlations, shape (batch, v), under which p ~ q exactly if q ~ p."""
    first = matrix[to_blocks[:, 0]]
    alike = (first == matrix[to_blocks, 0]).all(axis=1)
    for found in to_blocks[alike]:
        images = matrix[found]
        if np.array_equal(images, images.T):
            result: Permutation = found
            return result
    return None
