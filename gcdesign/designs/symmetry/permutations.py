"""Permutation groups from generators: orbits, exact order, elements.

nauty tells generators, and the order as a float. The order is made exact by a stabiliser chain:
whatever the generators at its levels are, the product P of its orbit lengths divides the order,
so P is the order as soon as 2P is more than it can be.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log, prod

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import LimitError

Permutation = NDArray[np.int64]

MAX_SIFTS = 5_000
"""Random elements that are sifted before the chain counts as a failure; some ten are usual."""


BATCH = 4096
"""Elements that are listed at once."""


def orbit_labels(generators: NDArray[np.int64], degree: int) -> NDArray[np.int64]:
    """Return the least member of the orbit of each of 0, …, degree − 1.

    Examples
    --------
    >>> orbit_labels(np.array([[1, 0, 2, 3], [0, 1, 3, 2]]), 4)
    array([0, 0, 2, 2])
    """
    labels = np.arange(degree)
    while True:
        before = labels
        for generator in generators:  # lower the labels along each, forwards and back
            labels = np.minimum(labels, labels[generator])
            labels[generator] = np.minimum(labels[generator], labels)
        labels = labels[labels]
        if np.array_equal(labels, before):
            return labels


def inverse(permutation: Permutation) -> Permutation:
    """Return the inverse permutation."""
    result = np.empty_like(permutation)
    result[permutation] = np.arange(len(permutation))
    return result


class Level:
    """One level of a stabiliser chain: a base point and the orbit that is known of it.

    ``parent`` and ``step`` are the Schreier tree, shape (n,): point p is reached from ``parent[p]``
    by the generator ``step[p]``; outside the orbit ``parent`` is −1.
    """

    def __init__(self, base: int, generators: list[Permutation], degree: int) -> None:
        self.base, self.generators, self.degree = base, generators, degree
        self.grow()

    def grow(self) -> None:
        """Compute the orbit of the base point anew, breadth first."""
        self.parent = np.full(self.degree, -1, dtype=np.int64)
        self.step = np.zeros(self.degree, dtype=np.int64)
        self.parent[self.base] = self.base
        generators = np.array(self.generators, dtype=np.int64).reshape(-1, self.degree)
        frontier, orbit = np.array([self.base]), [self.base]
        while len(frontier):
            images = generators[:, frontier].ravel()
            fresh, places = np.unique(images, return_index=True)
            new = self.parent[fresh] < 0
            fresh, places = fresh[new], places[new]
            self.step[fresh], origins = np.divmod(places, len(frontier))
            self.parent[fresh] = frontier[origins]
            frontier = fresh
            orbit += fresh.tolist()
        self.orbit = orbit

    def carrier(self, point: int) -> Permutation:
        """Return a product of generators that carries the base point to a point of its orbit."""
        word = []
        while point != self.base:
            word.append(int(self.step[point]))
            point = int(self.parent[point])
        result = np.arange(self.degree)
        for number in reversed(word):
            result = self.generators[number][result]
        return result


class StabiliserChain:
    """A base and strong generators of a permutation group, by random Schreier–Sims.

    Parameters
    ----------
    generators
        Shape (g, n).
    log_order
        Natural logarithm of the order, known to well within log 2.

    Raises
    ------
    LimitError
        If random elements do not complete the chain, which means that ``log_order`` is wrong.

    Notes
    -----
    Source: C. C. Sims, 1970; J. S. Leon, *On an algorithm for finding a base and a strong
    generating set*, 1980. That P divides the order: the group at each level is a subgroup of
    the stabiliser above it, and every index is a whole number.

    Examples
    --------
    >>> rotation, reflection = [1, 2, 3, 4, 0], [0, 4, 3, 2, 1]
    >>> StabiliserChain(np.array([rotation, reflection]), log(10)).order
    10
    """

    def __init__(self, generators: NDArray[np.int64], log_order: float) -> None:
        self.degree = generators.shape[1]
        self.levels: list[Level] = []
        moving = generators[(generators != np.arange(self.degree)).any(axis=1)]
        self._start(list(moving))
        self._complete(moving, log_order)

    @property
    def order(self) -> int:
        """The order of the group, exactly."""
        return prod(len(level.orbit) for level in self.levels)

    def _start(self, generators: list[Permutation]) -> None:
        """Choose base points that few generators move: nauty's are nearly strong then."""
        while generators:
            moved = np.array([g != np.arange(self.degree) for g in generators]).sum(axis=0)
            base = int(np.argmin(np.where(moved == 0, len(generators) + 1, moved)))
            self.levels.append(Level(base, list(generators), self.degree))
            generators = [g for g in generators if g[base] == base]

    def _complete(self, generators: NDArray[np.int64], log_order: float) -> None:
        if self._is_complete(log_order):
            return
        draws = _RandomElements(generators)
        for _ in range(MAX_SIFTS):
            if self._is_complete(log_order):
                return
            depth, rest = self.sift(draws.next())
            if (rest == np.arange(self.degree)).all():
                continue
            if depth == len(self.levels):
                base = int(np.argmax(rest != np.arange(self.degree)))
                self.levels.append(Level(base, [], self.degree))
            for level in self.levels[: depth + 1]:  # each group must hold the one below it
                level.generators.append(rest)
                level.grow()
        raise LimitError(
            f"no stabiliser chain after {MAX_SIFTS} elements: please report the design"
        )

    def _is_complete(self, log_order: float) -> bool:
        short = log_order - sum(log(len(level.orbit)) for level in self.levels)
        return abs(short) < 0.5 * log(2)

    def sift(self, element: Permutation) -> tuple[int, Permutation]:
        """Return the level that an element drops out at, and what is left of it there.

        An element of the group leaves the identity at the last level.
        """
        for depth, level in enumerate(self.levels):
            image = int(element[level.base])
            if level.parent[image] < 0:
                return depth, element
            element = inverse(level.carrier(image))[element]
        return len(self.levels), element

    def random(self, rng: np.random.Generator) -> Permutation:
        """Return an element, all with the same probability."""
        result = np.arange(self.degree)
        for level in reversed(self.levels):
            point = level.orbit[int(rng.integers(len(level.orbit)))]
            result = level.carrier(point)[result]
        return result

    def elements(self) -> Iterator[NDArray[np.int64]]:
        """Yield all elements in batches, shape (batch, n), each batch from one lowest coset."""
        batch = np.arange(self.degree)[None]
        split = len(self.levels)
        while split and prod(len(level.orbit) for level in self.levels[split - 1 :]) <= BATCH:
            split -= 1
        for level in reversed(self.levels[split:]):
            carriers = np.array([level.carrier(p) for p in level.orbit])
            batch = carriers[:, batch].reshape(-1, self.degree)
        yield from self._cosets(batch, split)

    def _cosets(self, batch: NDArray[np.int64], depth: int) -> Iterator[NDArray[np.int64]]:
        if depth == 0:
            yield batch
            return
        level = self.levels[depth - 1]
        for point in level.orbit:
            yield from self._cosets(level.carrier(point)[batch], depth - 1)


class _RandomElements:
    """Nearly uniform elements by product replacement, from a fixed seed."""

    def __init__(self, generators: NDArray[np.int64]) -> None:
        self._rng = np.random.default_rng(0)
        count = max(10, len(generators) + 1)
        self._pool = (
            [generators[i % len(generators)] for i in range(count)] if len(generators) else []
        )
        for _ in range(4 * count if self._pool else 0):
            self.next()

    def next(self) -> Permutation:
        one, other = self._rng.choice(len(self._pool), 2, replace=False).tolist()
        factor = self._pool[other]
        if self._rng.integers(2):
            factor = inverse(factor)
        pair = (self._pool[one], factor) if self._rng.integers(2) else (factor, self._pool[one])
        product: Permutation = pair[0][pair[1]]
        self._pool[one] = product
        return product
