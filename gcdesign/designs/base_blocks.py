"""Base blocks and the designs that a group develops from them, proved by differences."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.actions import Action, Points
from gcdesign.designs.design import BlockDesign, Provenance, offsets
from gcdesign.errors import InputError

KEY_SEED = 20_071_127
"""Seed of the numbers whose sums tell blocks apart."""


@dataclass(frozen=True)
class Coverage:
    """How often two points lie together in a developed design, over all pairs.

    Attributes
    ----------
    least, most
        The least and the greatest number of blocks through two points.
    """

    least: int
    most: int

    @property
    def lambda_(self) -> int | None:
        """λ if all pairs are covered equally often, else None."""
        return self.least if self.least == self.most else None


@dataclass(frozen=True)
class BaseBlocks:
    """A family of base blocks and the group that moves them.

    The design consists of the orbits of the base blocks; a base block given twice counts twice,
    and one that the group moves to fewer places than it has elements has a short orbit.

    Attributes
    ----------
    action
        The group.
    blocks
        The base blocks, each increasing.

    Raises
    ------
    InputError
        If a block is not increasing or names a point that is not there.

    Examples
    --------
    >>> from gcdesign.designs.rings import Ring
    >>> family = BaseBlocks(Action(Ring.parse("Z13")), ((0, 1, 4), (0, 2, 7)))
    >>> family.coverage().lambda_, family.design().b
    (1, 26)
    """

    action: Action
    blocks: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        for block in self.blocks:
            if list(block) != sorted(set(block)):
                raise InputError(f"base block {block}; expected increasing points")
            if block and not (block[0] >= 0 and block[-1] < self.action.v):
                raise InputError(f"base block {block}; expected points 0 to {self.action.v - 1}")

    @cached_property
    def _orbits(self) -> tuple[Points, ...]:
        """The orbit of each base block, one row a block, in the order of the group."""
        return tuple(self._orbit(np.array(block, dtype=np.int64)) for block in self.blocks)

    def _orbit(self, block: Points) -> Points:
        # Equal blocks have equal sums of one random number a point. Were two different blocks
        # to have the same sum, one would be missing and no count would come out right.
        images = self.action.multiplier_group[:, block]
        rows = np.concatenate([self.action.translated(image) for image in images])
        keys = self._keys[rows].sum(axis=1)
        _, first = np.unique(keys, return_index=True)
        return rows[np.sort(first)]

    @cached_property
    def _keys(self) -> NDArray[np.uint64]:
        return np.random.PCG64(KEY_SEED).random_raw(self.action.v).astype(np.uint64)

    @property
    def b(self) -> int:
        """The number of blocks of the design."""
        return sum(len(orbit) for orbit in self._orbits)

    @property
    def incidences(self) -> int:
        """The number of (point, block) incidences of the design."""
        return sum(orbit.size for orbit in self._orbits)

    def design(self, provenance: Provenance | None = None) -> BlockDesign:
        """Return the developed design: the orbits of the base blocks, one after the other."""
        lengths = np.repeat([len(block) for block in self.blocks], [len(o) for o in self._orbits])
        rows = [np.sort(orbit, axis=1).reshape(-1) for orbit in self._orbits]
        indices = np.concatenate([np.empty(0, dtype=np.int64), *rows]).astype(np.int32)
        return BlockDesign.from_arrays(
            self.action.v, offsets(lengths.astype(np.int64)), indices, provenance=provenance
        )

    def coverage(self) -> Coverage:
        """Return how often pairs of points are covered, from the differences of base blocks.

        Two points in copies c and d lie in as many of all the images of a block B as there are
        pairs (x, y) of these copies with the same difference in the images of B under the
        multipliers alone. If the orbit of B has n blocks, each of them is counted |G|/n times.
        A proof for all pairs of points from k² differences for each image.

        Notes
        -----
        Source: Bose 1939, the method of (pure and mixed) differences, with short orbits.
        """
        action = self.action
        m, f, s = action.ring.order, action.copies, action.fixed
        multipliers = len(action.multiplier_group)
        moved = np.zeros((f + s, f + s, m), dtype=np.int64)
        for block, orbit in zip(self.blocks, self._orbits, strict=True):
            counts = np.zeros(moved.size, dtype=np.int64)
            for image in action.multiplier_group[:, list(block)]:
                counts += self._differences(image)
            moved += len(orbit) * counts.reshape(moved.shape)
        distinct = np.ones((f, f, m), dtype=bool)
        distinct[np.arange(f), np.arange(f), 0] = False
        apart = ~np.eye(s, dtype=bool)
        every = np.concatenate(
            [
                moved[:f, :f][distinct],
                moved[:f, f:, 0].reshape(-1),
                m * moved[f:, f:, 0][apart],
            ]
        )
        group = multipliers * m
        if not len(every):
            return Coverage(0, 0)
        return Coverage(int(every.min()) // group, -int(-every.max() // group))

    def _differences(self, image: Points) -> Points:
        """Count (slot of x, slot of y, x − y) over the pairs in a block.

        Differences with a fixed point are filed under 0.
        """
        action = self.action
        m, f = action.ring.order, action.copies
        in_copy = image < f * m
        slots = np.where(in_copy, image // m, image - f * m + f)
        elements = np.where(in_copy, image % m, 0)
        difference = action.ring.subtract(elements[:, None], elements[None, :])
        difference = np.where(in_copy[:, None] & in_copy[None, :], difference, 0)
        cells = (slots[:, None] * (f + action.fixed) + slots[None, :]) * m + difference
        counts: Points = np.bincount(cells.reshape(-1), minlength=(f + action.fixed) ** 2 * m)
        return counts
