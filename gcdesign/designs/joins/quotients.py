"""Partitions of the points that a group keeps, and how base blocks may meet their cells.

A group that acts on the points of a 2-(v, k, λ) design and keeps a partition into cells acts on
the cells. Two orbits of pairs of points are in one *class* if both have pairs in, or between, the
same cells. How many pairs of a class a base block covers depends only on how many of its points
lie in each cell. So a design gives whole numbers of points in cells, a row for each base block,
whose sums over each class are right: a small system of quadratic equations. Where it has no
solution, there is no such design with the group.

With two cells of equal size this is the condition of a character of order 2: r − λ is a sum of
squares, one for each base block.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.prescribed import Prescribed

MAX_QUOTIENTS = 40
"""Most partitions that are looked at for one group."""

MAX_CELLS = 20
"""Most cells of a partition that is looked at."""

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Quotient:
    """A partition of the points that a group keeps.

    Attributes
    ----------
    cell_of
        Shape (v,): the cell of each point.
    class_of
        Shape (orbits,): the class of each orbit of pairs of points.
    pair_classes
        Shape (cells, cells): the class of the pairs in a cell or between two; −1 if there are
        none.
    """

    cell_of: Integers
    class_of: Integers
    pair_classes: Integers

    @property
    def cells(self) -> int:
        """The number of cells."""
        return len(self.pair_classes)

    @property
    def classes(self) -> int:
        """The number of classes."""
        return int(self.class_of.max()) + 1

    @cached_property
    def _products(self) -> tuple[Integers, Integers, NDArray[np.float64], NDArray[np.float64]]:
        i, j = np.triu_indices(self.cells, 1)
        across = self.pair_classes[i, j]
        own = np.diag(self.pair_classes)
        each = np.arange(self.classes)
        return i, j, (across[:, None] == each).astype(float), (own[:, None] == each).astype(float)

    def covered(self, profiles: Integers) -> Integers:
        """Return the pairs of each class in blocks that have so many points in each cell.

        Parameters
        ----------
        profiles
            Shape (number, cells).

        Returns
        -------
        array
            Shape (number, classes).
        """
        i, j, across, own = self._products
        between = (profiles[:, i] * profiles[:, j]).astype(float) @ across
        within = (profiles * (profiles - 1) // 2).astype(float) @ own
        return np.rint(between + within).astype(np.int64)


def components(edges: NDArray[np.integer], count: int) -> Integers:
    """Return the connected component of each of some nodes, numbered as they first occur.

    Examples
    --------
    >>> components(np.array([[0, 2]]), 4).tolist()
    [0, 1, 0, 2]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(edges), dtype=bool), edges.T), shape=(count, count))
    label = connected_components(graph, directed=False)[1]
    first, inverse = np.unique(label, return_index=True, return_inverse=True)[1:]
    numbered: Integers = np.argsort(np.argsort(first))[inverse].astype(np.int64)
    return numbered


def quotients(wanted: Prescribed) -> list[Quotient]:
    """Return partitions that the group keeps, those with few cells first, without trivial ones.

    The orbits of pairs are graphs on the points; their components are such partitions, and so
    are the components of several of these graphs together.

    Examples
    --------
    >>> from gcdesign.designs.actions import Action
    >>> from gcdesign.designs.rings import Ring
    >>> [q.cells for q in quotients(Prescribed(Action(Ring.parse("Z6")), 3, 2))]
    [2, 3]
    """
    number, sizes = wanted.pairs
    v = wanted.action.v
    found: dict[bytes, Integers] = {}
    for orbit in range(len(sizes)):
        cells = components(np.argwhere(number == orbit), v)
        found.setdefault(cells.tobytes(), cells)
    for a, b in combinations(sorted(found.values(), key=lambda c: -int(c.max()))[:20], 2):
        joined = components(np.stack([a, b + v], axis=1), 2 * v)[a]
        found.setdefault(joined.tobytes(), joined)
        if len(found) >= 4 * MAX_QUOTIENTS:
            break
    proper = [c for c in found.values() if 1 < int(c.max()) + 1 <= MAX_CELLS]
    return [quotient(wanted, c) for c in sorted(proper, key=lambda c: int(c.max()))[:MAX_QUOTIENTS]]


def quotient(wanted: Prescribed, cell_of: Integers) -> Quotient:
    """Return the quotient by a partition that the group keeps, with the classes of pairs."""
    number, sizes = wanted.pairs
    cells = int(cell_of.max()) + 1
    x, y = np.triu_indices(wanted.action.v, 1)
    low, high = np.minimum(cell_of[x], cell_of[y]), np.maximum(cell_of[x], cell_of[y])
    orbits = number[x, y].astype(np.int64)
    met = np.unique(np.stack([orbits, len(sizes) + low * cells + high], axis=1), axis=0)
    label = components(met, len(sizes) + cells * cells)
    class_of = np.unique(label[: len(sizes)], return_inverse=True)[1]
    pair_classes = np.full((cells, cells), -1, dtype=np.int64)
    pair_classes[low, high] = pair_classes[high, low] = class_of[orbits]
    return Quotient(cell_of, class_of.astype(np.int64), pair_classes)


def whole(wanted: Prescribed) -> Quotient:
    """Return the quotient with one cell, which holds all points."""
    return quotient(wanted, np.zeros(wanted.action.v, dtype=np.int64))


def goal(wanted: Prescribed, quotient: Quotient) -> Integers:
    """Return how often the pairs of each class are to be covered in all, shape (classes,)."""
    sizes = wanted.pairs[1]
    total = np.zeros(quotient.classes, dtype=np.int64)
    np.add.at(total, quotient.class_of, wanted.lambda_ * sizes)
    return total
