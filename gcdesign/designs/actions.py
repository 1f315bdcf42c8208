"""Groups that act on the points of a design: translations of copies of a ring, and multipliers.

The points are f copies of a ring and s fixed points. Translations move all copies at once; a
multiplier multiplies by a unit of the ring and permutes copies and fixed points among themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.rings import Ring
from gcdesign.errors import InputError, LimitError

MAX_GROUP_ENTRIES = 1 << 25
"""Largest number of entries, group order times points, for which a group is written out."""

Points = NDArray[np.int64]


@dataclass(frozen=True)
class Multiplier:
    """Multiplication by a unit, with a permutation of the slots.

    Attributes
    ----------
    unit
        An element of the ring that has an inverse.
    slots
        Slot i, a copy of the ring or a fixed point, goes to ``slots[i]``; empty means that
        every slot stays.
    """

    unit: int
    slots: tuple[int, ...] = ()


@dataclass(frozen=True)
class Action:
    """f copies of the additive group of a ring, s fixed points, and multipliers.

    Point (copy c, element x) is c · m + x for a ring of order m, and fixed point j is f · m + j.

    Attributes
    ----------
    ring
        The ring whose additive group translates the copies.
    copies, fixed
        The numbers f and s; slots 0 … f − 1 are copies and f … f + s − 1 fixed points.
    multipliers
        They generate, with the translations, the whole group.

    Examples
    --------
    >>> action = Action(Ring.parse("Z7"), multipliers=(Multiplier(2),))
    >>> action.v, len(action.group)
    (7, 21)
    """

    ring: Ring
    copies: int = 1
    fixed: int = 0
    multipliers: tuple[Multiplier, ...] = ()

    def __post_init__(self) -> None:
        if self.copies < 1 or self.fixed < 0:
            raise InputError(
                f"copies={self.copies}, fixed={self.fixed}; expected copies ≥ 1 and fixed ≥ 0"
            )
        for multiplier in self.multipliers:
            if not self.ring.is_unit(multiplier.unit):
                raise InputError(f"multiplier {multiplier.unit} is no unit of {self.ring}")
            slots, f = multiplier.slots, self.copies
            whole = list(range(f + self.fixed))
            if slots and (sorted(slots) != whole or sorted(slots[:f]) != whole[:f]):
                raise InputError(
                    f"multiplier slots {slots}; expected a permutation of {f} copies and "
                    f"{self.fixed} fixed points among themselves"
                )

    @property
    def v(self) -> int:
        """The number of points."""
        return self.copies * self.ring.order + self.fixed

    def permutation(self, multiplier: Multiplier) -> Points:
        """Return a multiplier as a permutation of the points, shape (v,)."""
        m, f = self.ring.order, self.copies
        slots = np.array(multiplier.slots or range(f + self.fixed), dtype=np.int64)
        copies = slots[:f, None] * m + self.ring.times(multiplier.unit)
        return np.concatenate([copies.reshape(-1), slots[f:] - f + f * m])

    @cached_property
    def multiplier_group(self) -> Points:
        """All products of multipliers as permutations of the points, identity first."""
        identity = tuple(range(self.v))
        found, fresh = {identity: None}, [identity]
        generators = [self.permutation(multiplier) for multiplier in self.multipliers]
        while fresh:
            products = [tuple(g[np.array(h)].tolist()) for h in fresh for g in generators]
            fresh = [h for h in dict.fromkeys(products) if h not in found]
            found.update(dict.fromkeys(fresh))
            if len(found) * self.v > MAX_GROUP_ENTRIES:
                raise LimitError(f"the multipliers generate more than {len(found)} permutations")
        return np.array(list(found), dtype=np.int64)

    def translated(self, points: Points) -> Points:
        """Return all translates: row t holds the points moved by element t, unsorted."""
        m, f = self.ring.order, self.copies
        elements = np.arange(m, dtype=np.int64)[:, None]
        moved = self.ring.add(points[None, :] % m, elements) + points[None, :] // m * m
        return np.where(points[None, :] < f * m, moved, points[None, :])

    @cached_property
    def group(self) -> Points:
        """All elements of the group as permutations of the points, shape (|G|, v)."""
        order = len(self.multiplier_group) * self.ring.order
        if order * self.v > MAX_GROUP_ENTRIES:
            raise LimitError(f"a group of order {order} on {self.v} points is too large to list")
        return np.concatenate([self.translated(g) for g in self.multiplier_group])

    def orbit(self, block: Points) -> Points:
        """Return the distinct images of a block under the whole group, rows increasing."""
        return orbit_rows(
            np.concatenate([self.translated(g[block]) for g in self.multiplier_group])
        )


def orbit_rows(rows: Points) -> Points:
    """Return distinct rows, each sorted, in lexicographic order."""
    return np.unique(np.sort(rows, axis=1), axis=0)
