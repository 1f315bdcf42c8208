"""Repeated blocks and points that no block tells apart, put together before symmetry is asked for.

Where m blocks are equal, or m points lie in the same blocks, m! trivial permutations go with every
other automorphism. What is left has neither, and remembers how many stood for one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, offsets
from gcdesign.designs.operations import dual


@dataclass(frozen=True, eq=False)
class Classes:
    """Members 0, …, n − 1 in classes of equals.

    Attributes
    ----------
    class_of
        Shape (n,): the class of each member; classes are numbered by their least members.
    sizes
        Shape (number of classes,).
    """

    class_of: NDArray[np.int64]
    sizes: NDArray[np.int64]

    @cached_property
    def members(self) -> NDArray[np.int64]:
        """Shape (n,): the members, class by class, increasing within each."""
        return np.argsort(self.class_of, kind="stable")

    @cached_property
    def rank(self) -> NDArray[np.int64]:
        """Shape (n,): the place of each member within its class."""
        result = np.empty(len(self.class_of), dtype=np.int64)
        result[self.members] = (
            np.arange(len(result)) - offsets(self.sizes)[self.class_of[self.members]]
        )
        return result

    @property
    def first(self) -> NDArray[np.int64]:
        """Shape (number of classes,): the least member of each class."""
        first: NDArray[np.int64] = self.members[offsets(self.sizes)[:-1]]
        return first

    @property
    def permutations(self) -> int:
        """Number of permutations of the members that keep every class."""
        return prod(factorial(size) for size in self.sizes.tolist())

    def lift(self, image: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the permutation of the members that one of the classes gives.

        Each class goes to one of the same size, its members in order.
        """
        places = offsets(self.sizes)[image[self.class_of]] + self.rank
        lifted: NDArray[np.int64] = self.members[places]
        return lifted

    def cells(self, *, keys: NDArray[np.int64]) -> list[list[int]]:
        """Return the classes by size and a further key, in increasing order of the pair."""
        order = np.lexsort((keys, self.sizes))
        changes = (np.diff(self.sizes[order]) != 0) | (np.diff(keys[order]) != 0)
        return [part.tolist() for part in np.split(order, np.flatnonzero(changes) + 1) if len(part)]

    def swaps(self) -> NDArray[np.int64]:
        """Return permutations of the members that generate all those that keep every class."""
        members, n = self.members, len(self.class_of)
        equal = np.flatnonzero(np.diff(self.class_of[members]) == 0)
        result = np.tile(np.arange(n), (len(equal), 1))
        rows = np.arange(len(equal))
        result[rows, members[equal]] = members[equal + 1]
        result[rows, members[equal + 1]] = members[equal]
        return result


@dataclass(frozen=True, eq=False)
class Reduced:
    """A design without repeated blocks and twin points, and how it comes from a design.

    Attributes
    ----------
    design
        One block for each class of equal blocks, one point for each class of twins.
    points, blocks
        The classes of points and of blocks.
    """

    design: BlockDesign
    points: Classes
    blocks: Classes

    @classmethod
    def of(cls, design: BlockDesign) -> Reduced:
        """Reduce a design.

        Examples
        --------
        >>> reduced = Reduced.of(BlockDesign.from_blocks([[0, 1], [2], [0, 1]]))
        >>> reduced.design.blocks(), reduced.blocks.sizes.tolist(), reduced.points.sizes.tolist()
        ([[0], [1]], [2, 1], [2, 1])
        """
        blocks, points = equal_blocks(design), equal_blocks(dual(design))
        if len(blocks.sizes) == design.b and len(points.sizes) == design.v:
            return cls(design, points, blocks)
        kept = np.zeros(design.v, dtype=bool)
        kept[points.first] = True
        rows = [design.block(block) for block in blocks.first.tolist()]
        number = points.class_of
        small = BlockDesign.from_blocks(
            [number[row[kept[row]]].tolist() for row in rows], points=len(points.sizes)
        )
        return cls(small, points, blocks)

    def cells(self) -> tuple[list[list[int]], list[list[int]]]:
        """Return cells of blocks and of points that every automorphism keeps."""
        sizes, degrees = self.design.block_sizes, self.design.replication_numbers
        return self.blocks.cells(keys=sizes), self.points.cells(keys=degrees)


def equal_blocks(design: BlockDesign) -> Classes:
    """Return which blocks are equal.

    Examples
    --------
    >>> equal_blocks(BlockDesign.from_blocks([[0, 1], [2], [0, 1]])).class_of.tolist()
    [0, 1, 0]
    """
    seen: dict[bytes, int] = {}
    flat, ends = design.indices.tobytes(), (design.indptr * design.indices.itemsize).tolist()
    labels = [seen.setdefault(flat[start:stop], len(seen)) for start, stop in pairwise(ends)]
    class_of = np.array(labels, dtype=np.int64)
    return Classes(class_of, np.bincount(class_of, minlength=len(seen)).astype(np.int64))
