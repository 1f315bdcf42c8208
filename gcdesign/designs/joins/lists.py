"""Lists of base blocks of one kind and profile that come near their share of the pairs."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.joins.quotients import Integers
from gcdesign.designs.joins.shapes import Keys, Shape
from gcdesign.designs.prescribed import Prescribed
from gcdesign.designs.randomness import Draws

WALK = 6000
"""Moves of one walk."""

HEATS = (0.35, 1.0)
"""Least and greatest temperature of a walk; one full orbit of pairs too many costs 1."""

IDLE = 30
"""Walks in a row without a new block after which there seem to be no more."""

FINE = 512
"""About so many steps of the counts are one full orbit."""


@dataclass(frozen=True, eq=False)
class BlockList:
    """Some base blocks of one shape, in no order.

    Attributes
    ----------
    keys
        Shape (blocks,): the keys of the pairs that all images cover.
    members
        Shape (blocks, words): bit x of the words says whether atom x is in the block.
    """

    keys: Keys
    members: Keys


def all_blocks(shape: Shape) -> BlockList:
    """List all blocks of a shape, those that cover equally many pairs of each orbit once."""
    from gcdesign.designs.joins.kernel import every

    table = shape.table
    most = round(np.exp(shape.log_blocks)) + 1
    keys = np.zeros(most, dtype=np.uint64)
    members = np.zeros((most, _words(shape)), dtype=np.uint64)
    found = every(
        table.cross_keys, table.own_keys, shape.atoms, shape.ends, shape.held, keys, members
    )
    keys, first = np.unique(keys[:found], return_index=True)
    return BlockList(keys, members[first])


def near_blocks(
    shape: Shape,
    share: NDArray[np.float64],
    scale: Scale,
    draws: Draws,
    *,
    most: int,
    walks: int,
    deadline: float = inf,
) -> BlockList:
    """List blocks of a shape near their share of the pairs.

    Parameters
    ----------
    shape, share
        The blocks, and how many pairs of each orbit their images should cover.
    scale
        What a squared excess counts.
    draws
        Random choices.
    most, walks
        The greatest number of blocks, and how many walks look for them.
    deadline
        When to stop, by the monotonic clock.
    """
    found = _Found.empty(shape, most)
    free = np.diff(shape.ends) > shape.held
    starts = zip(shape.ends, shape.held * free, strict=False)
    slots = np.concatenate([np.arange(a, a + h) for a, h in starts]).astype(np.int64)
    slot_type = np.repeat(np.arange(len(shape.held)), shape.held * free)
    seed = 1 + draws.below(1 << 50, 1).astype(np.uint64)
    idle = 0
    for _ in range(walks if len(slots) else 0):
        if monotonic() > deadline or idle == IDLE:
            break
        low, high = HEATS
        heat = low * (high / low) ** float(draws.uniform(1)[0])
        before = found.count
        found.walk(shape, slots, slot_type, share, scale, heat, seed)
        idle = 0 if found.count > before else idle + 1
        if found.count >= 2 * most:
            found.keep(most)
    found.keep(most)
    return found.listed()


@dataclass(frozen=True)
class Scale:
    """Whole numbers in which excesses are counted while walking.

    Attributes
    ----------
    weights
        Shape (lanes,): what a squared excess counts; an orbit of few pairs weighs as much as one
        of many that is as far off.
    steps
        Steps of one pair.
    order
        The order of the group; a cost of 1 is one pair too many in the orbit of a full orbit.
    """

    weights: Integers
    steps: float
    order: int

    @property
    def one(self) -> float:
        """The cost, in squared steps, of covering a full orbit of pairs once too often."""
        return (self.steps * self.order) ** 2


def scale(wanted: Prescribed, lanes: int, unit: int) -> Scale:
    """Return the scale for base blocks whose orbits have multiples of so many blocks."""
    sizes = wanted.pairs[1]
    weights = np.zeros(lanes, dtype=np.int64)
    weights[: len(sizes)] = wanted.order // sizes
    return Scale(weights, max(1, FINE * unit // wanted.order) / unit, wanted.order)


@dataclass
class _Found:
    """The list while it is made, with room for twice as many blocks as will be kept."""

    keys: Keys
    costs: NDArray[np.float32]
    members: Keys
    seen: Keys
    count: int = 0
    listed_since: int = 0
    cut: float = inf

    @classmethod
    def empty(cls, shape: Shape, most: int) -> _Found:
        room = 2 * most + WALK
        return cls(
            np.zeros(room, dtype=np.uint64),
            np.zeros(room, dtype=np.float32),
            np.zeros((room, _words(shape)), dtype=np.uint64),
            np.zeros(1 << (4 * room).bit_length(), dtype=np.uint64),
        )

    def walk(
        self, shape: Shape, slots: Integers, slot_type: Integers,
        share: NDArray[np.float64], scale: Scale, heat: float, seed: Keys,
    ) -> None:  # fmt: skip
        """Walk once, and list what is near enough."""
        from gcdesign.designs.joins.kernel import walk

        table = shape.table
        count = walk(
            table.own, table.cross, table.own_keys, table.cross_keys,
            shape.atoms.copy(), shape.ends, shape.held, slots, slot_type,
            np.rint(scale.steps * share).astype(np.int32), scale.weights,
            np.int32(round(scale.steps * shape.kind.orbit)), heat * scale.one, WALK, self.cut,
            self.seen, self.keys, self.costs, self.members, self.count, seed,
        )  # fmt: skip
        self.listed_since += count - self.count
        self.count = count

    def keep(self, most: int) -> None:
        """Drop all but the nearest blocks; no other will be listed that is not nearer."""
        from gcdesign.designs.joins.kernel import fill_table

        if self.count <= most:
            return
        best = np.argpartition(self.costs[: self.count], most)[:most]
        for column in (self.keys, self.costs, self.members):
            column[:most] = column[best]
        self.count, self.cut = most, float(self.costs[:most].max())
        if 2 * self.listed_since > len(self.seen):
            self.seen[:] = 0
            fill_table(self.seen, self.keys[:most])
            self.listed_since = most

    def listed(self) -> BlockList:
        return BlockList(self.keys[: self.count].copy(), self.members[: self.count].copy())


def _words(shape: Shape) -> int:
    return -(-len(shape.table.own) // 64)
