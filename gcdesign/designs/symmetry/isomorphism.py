"""Isomorphism of designs, with the map, and canonical forms."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.counting import ranges
from gcdesign.designs.design import BlockDesign, offsets
from gcdesign.designs.symmetry.incidence_graph import IncidenceGraph
from gcdesign.designs.symmetry.twins import Reduced
from gcdesign.errors import SolverError


@dataclass(frozen=True, eq=False)
class Isomorphism:
    """A map from one design to another that carries blocks to blocks.

    Attributes
    ----------
    points
        Shape (v,): where each point goes.
    blocks
        Shape (b,): where each block goes; the points of block i go to those of ``blocks[i]``.
    """

    points: NDArray[np.int64]
    blocks: NDArray[np.int64]

    def holds(self, one: BlockDesign, other: BlockDesign) -> bool:
        """Whether it really carries one design to the other, each block and each copy."""
        for image, count in ((self.points, other.v), (self.blocks, other.b)):
            if not np.array_equal(np.sort(image), np.arange(count)):
                return False
        images = self.blocks[one.block_of_incidence] * other.v + self.points[one.indices]
        there = other.block_of_incidence.astype(np.int64) * other.v + other.indices
        return np.array_equal(np.sort(images), there)


def isomorphism(one: BlockDesign, other: BlockDesign) -> Isomorphism | None:
    """Return a map of points and blocks that carries one design to the other, or None.

    Repeated blocks must be repeated as often. The order of the blocks plays no part. A map is
    checked block by block; that there is none rests on nauty's canonical forms, unless simple
    counts differ.

    Raises
    ------
    InputError
        If pynauty is not installed.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> fano = BlockDesign.from_blocks([[0, 1, 2], [0, 3, 4], [0, 5, 6], [1, 3, 5],
    ...                                 [1, 4, 6], [2, 3, 6], [2, 4, 5]])
    >>> isomorphism(projective_geometry(2), fano).holds(projective_geometry(2), fano)
    True
    >>> isomorphism(fano, BlockDesign.from_blocks([[0, 1, 2]] * 7, points=7)) is None
    True
    """
    if _counts(one) != _counts(other):
        return None
    forms = [_Canonical.of(design) for design in (one, other)]
    if forms[0].design != forms[1].design:
        return None
    points, blocks = (np.empty(n, dtype=np.int64) for n in (one.v, one.b))
    points[forms[0].points], blocks[forms[0].blocks] = forms[1].points, forms[1].blocks
    found = Isomorphism(points, blocks)
    if not found.holds(one, other):
        raise SolverError(
            "nauty's canonical forms give no isomorphism: please report these designs"
        )
    return found


def canonical_form(design: BlockDesign) -> BlockDesign:
    """Return an isomorphic design that is the same for all designs isomorphic to this one.

    Its blocks are in increasing order, repeated ones as often as before. It depends on the
    version of nauty.

    Raises
    ------
    InputError
        If pynauty is not installed.

    Examples
    --------
    >>> one, other = ([[0, 1], [1, 2], [0, 1]], [[1, 0], [2, 0], [2, 0]])
    >>> forms = [canonical_form(BlockDesign.from_blocks(blocks)) for blocks in (one, other)]
    >>> forms[0] == forms[1], forms[0].b
    (True, 3)
    """
    return _Canonical.of(design).design


def certificate(design: BlockDesign) -> str:
    """Return a short text that two designs share if they are isomorphic, and only then.

    It is the SHA-256 of the canonical form.

    Examples
    --------
    >>> from gcdesign.designs import dual, projective_geometry
    >>> certificate(projective_geometry(3)) == certificate(dual(projective_geometry(3)))
    True
    """
    form = canonical_form(design)
    sizes = f"{form.v} {form.b} ".encode()
    return sha256(sizes + form.indptr.tobytes() + form.indices.tobytes()).hexdigest()


def _counts(design: BlockDesign) -> tuple[int, int, list[int], list[int]]:
    sizes, degrees = np.sort(design.block_sizes), np.sort(design.replication_numbers)
    return design.v, design.b, sizes.tolist(), degrees.tolist()


@dataclass(frozen=True, eq=False)
class _Canonical:
    """A canonical form, and which point and block of the design stands at each place of it."""

    design: BlockDesign
    points: NDArray[np.int64]
    blocks: NDArray[np.int64]

    @classmethod
    def of(cls, design: BlockDesign) -> _Canonical:
        reduced = Reduced.of(design)
        _, order = IncidenceGraph(reduced.design).labelling(*reduced.cells())
        of_points = reduced.points
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        points = np.lexsort((of_points.rank, place[of_points.class_of]))
        new = np.empty(design.v, dtype=np.int64)
        new[points] = np.arange(design.v)
        named = new[design.indices]
        named = named[np.lexsort((named, design.block_of_incidence))]
        flat, starts, sizes = named.tolist(), design.indptr[:-1], design.block_sizes
        rows = [flat[start:stop] for start, stop in pairwise(design.indptr.tolist())]
        blocks = np.array(sorted(range(design.b), key=rows.__getitem__), dtype=np.int64)
        indices = named[ranges(starts[blocks], sizes[blocks])].astype(np.int32)
        form = BlockDesign.from_arrays(design.v, offsets(sizes[blocks]), indices)
        return cls(form, points, blocks)
