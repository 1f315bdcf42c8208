"""Orbits of workers, and of pairs of workers, under automorphisms of a code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MAX_ELEMENTS = 20_000
"""Largest group whose elements are listed."""


@dataclass(frozen=True, eq=False)
class Group:
    """A permutation group on the workers as the list of its elements, shape (order, N)."""

    elements: NDArray[np.int64]

    @classmethod
    def generated(
        cls, generators: Iterable[Sequence[int]], workers: int, limit: int = MAX_ELEMENTS
    ) -> Group | None:
        """Return the group that permutations of the workers generate; None if it is too large.

        Examples
        --------
        >>> len(Group.generated([(1, 2, 3, 0), (0, 3, 2, 1)], 4).elements)
        8
        """
        steps = [np.array(generator, dtype=np.int64) for generator in generators]
        identity = np.arange(workers)
        seen = {identity.tobytes()}
        elements = [identity]
        for element in elements:
            for step in steps:
                product = step[element]
                key = product.tobytes()
                if key not in seen:
                    if len(elements) >= limit:
                        return None
                    seen.add(key)
                    elements.append(product)
        return cls(np.array(elements))

    def fixing(self, *sets: Sequence[int]) -> Group:
        """Return the subgroup that maps each of the sets to itself."""
        kept = self.elements
        for members in sets:
            rows = np.array(sorted(members), dtype=np.int64)
            images = np.sort(kept[:, rows], axis=1)
            kept = kept[(images == rows).all(axis=1)]
        return Group(kept)

    def orbits(self, members: Sequence[int]) -> list[NDArray[np.int64]]:
        """Return the orbits of a set that the group maps to itself, in increasing order.

        Examples
        --------
        >>> [orbit.tolist() for orbit in Group(np.array([[0, 1, 2], [1, 0, 2]])).orbits([0, 1, 2])]
        [[0, 1], [2]]
        """
        least = self.elements.min(axis=0)
        rows = np.array(sorted(members), dtype=np.int64)
        return [rows[least[rows] == first] for first in np.unique(least[rows])]


def pair_orbits(generators: Iterable[Sequence[int]], workers: int) -> NDArray[np.int64]:
    """Return a matrix of labels: the orbit of each ordered pair of workers, counted from 0.

    Examples
    --------
    >>> pair_orbits([(1, 2, 3, 0)], 4)
    array([[0, 1, 2, 3],
           [3, 0, 1, 2],
           [2, 3, 0, 1],
           [1, 2, 3, 0]])
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    size = workers * workers
    here = np.arange(size, dtype=np.int64).reshape(workers, workers)
    ends = [here.ravel()]
    for generator in generators:
        image = np.array(generator, dtype=np.int64)
        ends.append((image[:, None] * workers + image[None, :]).ravel())
    starts = np.tile(here.ravel(), len(ends))
    links = (np.ones(len(starts), dtype=bool), (starts, np.concatenate(ends)))
    labels = connected_components(coo_array(links, shape=(size, size)), directed=False)[1]
    return np.asarray(labels.reshape(workers, workers), dtype=np.int64)
