"""One attempt at a design: a solution of a quotient, lists of base blocks for it, their join."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, gcd, inf, log

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.base_blocks import BaseBlocks
from gcdesign.designs.joins.equations import Equations
from gcdesign.designs.joins.lists import BlockList, Scale, all_blocks, near_blocks, scale
from gcdesign.designs.joins.shapes import Shape, pair_keys, shape, shares, tables
from gcdesign.designs.joins.sums import MAX_PAIRS, Floats, Sums, joined
from gcdesign.designs.prescribed import Kind
from gcdesign.designs.randomness import Draws

ALL = 200_000
"""Most blocks of a shape, at full effort, for which all are listed and not only near ones."""

LENGTHS = (1_000_000, 1_500_000, 60_000, 50_000, 25_000)
"""Most blocks of a list at full effort, by how many other lists it is joined with."""

LEAST = 60_000
"""Fewest blocks of a list at full effort that is joined with one or two others."""

WALKS = 20_000
"""Walks at full effort that make a list of up to `WALKED` blocks; longer ones get more."""

WALKED = 400_000

FULL = 4
"""Full effort. With less the lists are shorter; with more there are more walks."""


def is_large(kind: Kind, k: int) -> bool:
    """Whether there are so many blocks of a kind that only near ones are listed."""
    return kind.log_choices(k) > log(ALL)


def join_once(
    equations: Equations, draws: Draws, *, effort: int = 1, deadline: float = inf
) -> BaseBlocks | None:
    """Draw a solution of the equations of a quotient, and join lists of base blocks for it.

    Parameters
    ----------
    equations
        Equations that are solvable: they know the design, its group and the kinds.
    draws
        Random choices; equal streams give equal results unless the time ends.
    effort
        From 1; the work grows with its square, and at `FULL` the lists have their full length.
    deadline
        When to stop, by the monotonic clock.

    Returns
    -------
    BaseBlocks or None
        Base blocks of the design, if some were found.

    Examples
    --------
    >>> from gcdesign.designs.actions import Action
    >>> from gcdesign.designs.joins.equations import equations
    >>> from gcdesign.designs.joins.quotients import whole
    >>> from gcdesign.designs.prescribed import Prescribed
    >>> from gcdesign.designs.rings import Ring
    >>> wanted = Prescribed(Action(Ring.parse("Z19")), 3, 1)
    >>> system = equations(wanted, whole(wanted), [wanted.kinds[0]] * 3)
    >>> join_once(system, Draws(1)).coverage().lambda_
    1
    """
    wanted, kinds = equations.wanted, equations.kinds
    shapes = _shapes(equations, draws)
    lanes = len(shapes[0].mean)
    goal = np.zeros(lanes)
    goal[: len(wanted.pairs[1])] = wanted.lambda_ * wanted.pairs[1]
    lister = _Lister(shapes, scale(wanted, lanes, gcd(*(kind.orbit for kind in kinds))), effort)
    lists, parts = list[BlockList](), list[Sums]()
    found: dict[int, BlockList] = {}
    for each, share in zip(shapes, shares(shapes, goal), strict=True):
        if id(each) not in found:
            found[id(each)] = lister.listed(each, share, draws, deadline)
        lists.append(found[id(each)])
        parts.append(sums_of(lists[-1], each, share, lister.scale))
    key = (np.rint(goal).astype(np.uint64) * pair_keys(lanes)).sum(dtype=np.uint64)
    for places in joined(parts, key, deadline=deadline):
        chosen = zip(kinds, lists, places, strict=True)
        return wanted.developed(
            (kind, _points(kind, listed.members[i])) for kind, listed, i in chosen
        )
    return None


def _shapes(equations: Equations, draws: Draws) -> list[Shape]:
    """Return the shape of each base block for a random solution; equal ones are one object."""
    made: dict[tuple[Kind, int], Shape] = {}
    result = []
    for kind, place in zip(equations.kinds, equations.draw(draws), strict=True):
        if (kind, place) not in made:
            profiles, table = equations.listed[kind], tables(equations.wanted, kind)
            made[kind, place] = shape(kind, table, profiles.type_of, profiles.counts[place], draws)
        result.append(made[kind, place])
    return result


@dataclass(frozen=True)
class _Lister:
    """How long the lists of base blocks are to be."""

    shapes: list[Shape]
    scale: Scale
    effort: int

    @property
    def log_all(self) -> float:
        """The logarithm of the most blocks that are all listed."""
        return log(ALL) + 2 * log(min(self.effort, FULL) / FULL)

    @property
    def most(self) -> int:
        """The length of a list that is not of all blocks.

        Two long lists and what the short ones together make: the pairs that are looked at are
        those of one long list and the short ones.
        """
        logs = [each.log_blocks for each in self.shapes]
        short = sum(x for x in logs if x <= self.log_all)
        long = sum(x > self.log_all for x in logs)
        if long <= 2:
            pairs = MAX_PAIRS / exp(min(short, 50.0) if long == 2 else min(short, 50.0) / 2)
            full = max(LEAST, min(LENGTHS[max(0, long - 1)], int(pairs)))
        else:
            full = LENGTHS[min(long - 1 + (short > 3.5), len(LENGTHS) - 1)]
        return full * min(self.effort, FULL) // FULL

    def listed(
        self, each: Shape, share: NDArray[np.float64], draws: Draws, deadline: float
    ) -> BlockList:
        if each.log_blocks <= self.log_all:
            return all_blocks(each)
        most = self.most
        walks = int(WALKS * (self.effort / FULL) ** 2 * max(1.0, most / WALKED))
        return near_blocks(
            each, share, self.scale, draws, most=most, walks=walks, deadline=deadline
        )


def sums_of(listed: BlockList, shape: Shape, share: NDArray[np.float64], scale: Scale) -> Sums:
    """Return the blocks of a list with how far each is from its share."""
    places = np.arange(len(listed.keys), dtype=np.int32)[:, None]

    def away() -> Floats:
        from gcdesign.designs.joins.kernel import counted

        counts = np.zeros((len(places), len(share)), dtype=np.int32)
        counted(shape.table.own, shape.table.cross, listed.members, counts)
        scaled = (shape.kind.orbit * counts - share) * (np.sqrt(scale.weights) / scale.order)
        return scaled.astype(np.float32)

    return Sums(listed.keys, places, away)


def _points(kind: Kind, members: NDArray[np.uint64]) -> tuple[int, ...]:
    """Return the points of a block that is given by the bits of its atoms."""
    inside = [x for x in range(len(kind.atoms)) if int(members[x >> 6]) >> (x & 63) & 1]
    return tuple(sorted(point for x in inside for point in kind.atoms[x]))
