"""What a prescribed group makes of a design: orbits of points and pairs, kinds of base blocks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, log

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.actions import Action, Points
from gcdesign.designs.base_blocks import BaseBlocks
from gcdesign.designs.randomness import Draws


@dataclass(frozen=True)
class Kind:
    """Base blocks that are invariant under one subgroup of the prescribed group.

    Attributes
    ----------
    orbit
        The number of blocks in the orbit of such a block: the index of the subgroup.
    atoms
        The orbits of the subgroup on the points; a block is a union of them.
    """

    orbit: int
    atoms: tuple[tuple[int, ...], ...]

    @cached_property
    def atom_of(self) -> NDArray[np.int64]:
        """The number of the atom of each point, shape (v,)."""
        result = np.zeros(sum(map(len, self.atoms)), dtype=np.int64)
        for number, atom in enumerate(self.atoms):
            result[list(atom)] = number
        return result

    def fills(self, k: int) -> bool:
        """Whether some union of atoms has k points.

        Examples
        --------
        >>> Kind(1, ((0, 1, 2), (3, 4, 5))).fills(4)
        False
        """
        reached = 1
        for atom in self.atoms:
            reached |= reached << len(atom)
        return bool(reached >> k & 1)

    def log_choices(self, k: int) -> float:
        """Return the logarithm of how many unions of atoms have k points.

        Examples
        --------
        >>> round(2.718281828 ** Kind(3, ((0,), (1,), (2,))).log_choices(2))
        3
        """
        ways = [1] + [0] * k
        for size in map(len, self.atoms):
            for n in range(k, size - 1, -1):
                ways[n] += ways[n - size]
        return log(ways[k]) if ways[k] else -inf


@dataclass(frozen=True)
class Picked:
    """A base block: a kind, and which of its atoms the block is made of.

    Attributes
    ----------
    kind
        The kind.
    chosen
        Shape (atoms,): whether the block holds an atom.
    """

    kind: Kind
    chosen: NDArray[np.bool_]

    @property
    def points(self) -> tuple[int, ...]:
        """The points of the block, increasing."""
        return tuple(np.flatnonzero(self.chosen[self.kind.atom_of]).tolist())


def picked(kind: Kind, k: int, draws: Draws) -> Picked:
    """Return a random base block of a kind that has blocks of k points.

    Atoms are taken in a random order as long as they fit and the rest can be filled up.

    Examples
    --------
    >>> len(picked(Kind(1, ((0, 1), (2, 3), (4,), (5,))), 3, Draws(1)).points)
    3
    """
    order = draws.permutation(len(kind.atoms)).tolist()
    # Bit n of rest[i]: the atoms from the i-th in this order on can make n points.
    rest = [1]
    for i in reversed(order):
        rest.append(rest[-1] | rest[-1] << len(kind.atoms[i]))
    rest.reverse()
    chosen, missing = np.zeros(len(order), dtype=bool), k
    for place, i in enumerate(order):
        size = len(kind.atoms[i])
        if size <= missing and rest[place + 1] >> (missing - size) & 1:
            chosen[i] = True
            missing -= size
    return Picked(kind, chosen)


def orbits_of(generators: Sequence[Points], v: int) -> tuple[tuple[int, ...], ...]:
    """Return the orbits of the group that some permutations generate, by their least points.

    Examples
    --------
    >>> orbits_of([np.array([1, 2, 0, 3])], 4)
    ((0, 1, 2), (3,))
    """
    label = np.arange(v)
    changed = True
    while changed:
        before = label.copy()
        for g in generators:
            np.minimum.at(label, g, label.copy())
            label = np.minimum(label, label[g])
        changed = not np.array_equal(label, before)
    order = np.argsort(label, kind="stable")
    starts = np.flatnonzero(np.diff(label[order])) + 1
    return tuple(tuple(part.tolist()) for part in np.split(order, starts))


class Prescribed:
    """A 2-(v, k, λ) design that a group is to act on.

    Parameters
    ----------
    action
        The group, small enough to be listed.
    k, lambda_
        Block size and index; b must be whole.
    """

    def __init__(self, action: Action, k: int, lambda_: int) -> None:
        self.action, self.k, self.lambda_ = action, k, lambda_
        v = action.v
        self.b = lambda_ * v * (v - 1) // (k * (k - 1))
        self.order = len(action.group)

    @cached_property
    def pairs(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The number of the orbit of each pair of points, shape (v, v), and the orbits' sizes."""
        group, v = self.action.group, self.action.v
        number = np.full((v, v), -1, dtype=np.int32)
        sizes: list[int] = []
        for a in range(v):
            while len(rest := np.flatnonzero(number[a, a + 1 :] < 0)):
                first, second = group[:, a], group[:, a + 1 + rest[0]]
                number[first, second] = number[second, first] = len(sizes)
                keys = np.minimum(first, second) * v + np.maximum(first, second)
                sizes.append(len(np.unique(keys)))
        return number, np.array(sizes, dtype=np.int64)

    def covered(self, block: Picked) -> NDArray[np.int64]:
        """Return how many pairs of each orbit all images of a base block cover together."""
        number, sizes = self.pairs
        points = np.flatnonzero(block.chosen[block.kind.atom_of])
        # Each pair is met twice, and a point with itself, number −1, is dropped.
        inside = (number[points[:, None], points] + 1).reshape(-1)
        counts = np.bincount(inside, minlength=len(sizes) + 1)[1:]
        return block.kind.orbit * (counts // 2)

    def developed(self, blocks: Iterable[tuple[Kind, tuple[int, ...]]]) -> BaseBlocks:
        """Return base blocks of given kinds as a family.

        A block is given more than once if its orbit is shorter than that of its kind.
        """
        result: list[tuple[int, ...]] = []
        for kind, points in blocks:
            length = BaseBlocks(self.action, (points,)).b
            result += [points] * (kind.orbit // length)
        return BaseBlocks(self.action, tuple(result))

    def log_moved(self, kind: Kind) -> float:
        """Return the logarithm of how many blocks of a kind are images of one of them, about.

        An image under an element of the group is of the same kind if the element permutes the
        atoms; the subgroup of the kind itself moves nothing.
        """
        atom_of = kind.atom_of
        first = np.array([atom[0] for atom in kind.atoms])[atom_of]
        labels = atom_of[self.action.group]
        permuting = int((labels == labels[:, first]).all(axis=1).sum())
        return log(max(1.0, permuting * kind.orbit / self.order))

    @cached_property
    def point_orbits(self) -> tuple[tuple[int, ...], ...]:
        """The orbits of the group on the points."""
        return orbits_of(list(self.action.group), self.action.v)

    @cached_property
    def kinds(self) -> list[Kind]:
        """Kinds of base blocks that can occur, longest orbits first.

        The subgroups are those generated by one product of multipliers and by some translations.
        """
        found: dict[tuple[tuple[int, ...], ...], Kind] = {}
        for translations in self._translation_groups():
            for power, cyclic in self._cyclic_groups():
                if not self._keeps(translations, power):
                    continue
                atoms = orbits_of([*translations, power], self.action.v)
                kind = Kind(self.order // (cyclic * max(1, len(translations))), atoms)
                if kind.orbit <= found.get(atoms, kind).orbit:
                    found[atoms] = kind
        fitting = [kind for kind in found.values() if kind.orbit <= self.b and kind.fills(self.k)]
        return sorted(fitting, key=lambda kind: -kind.orbit)

    def _cyclic_groups(self) -> list[tuple[Points, int]]:
        """Return a generator and the order of each cyclic group of multipliers."""
        found: dict[frozenset[bytes], tuple[Points, int]] = {}
        for g in self.action.multiplier_group:
            powers, power = {np.arange(len(g)).tobytes()}, g
            while power.tobytes() not in powers:
                powers.add(power.tobytes())
                power = g[power]
            found.setdefault(frozenset(powers), (g, len(powers)))
        return list(found.values())

    def _translation_groups(self) -> list[list[Points]]:
        """Return all elements of some groups of translations: for each order at most one."""
        ring, m = self.action.ring, self.action.ring.order
        table = self.action.translated(np.arange(self.action.v))
        groups: list[list[Points]] = [[]]
        for index in (d for d in range(1, m) if m % d == 0):
            elements, place, rest = np.zeros(1, dtype=np.int64), 1, index
            for n in ring.moduli:
                step = int(np.gcd(n, rest))
                digits = np.arange(0, n, step, dtype=np.int64) * place
                elements = (elements[:, None] + digits[None, :]).reshape(-1)
                rest, place = rest // step, place * n
            if rest == 1:
                groups.append([table[t] for t in elements])
        return groups

    def _keeps(self, translations: list[Points], g: Points) -> bool:
        """Whether g maps orbits of the translations to such orbits, and so normalises them."""
        if not translations:
            return True
        label = np.min(translations, axis=0)
        return all(len(np.unique(label[g[list(orbit)]])) == 1 for orbit in self._parts(label))

    @staticmethod
    def _parts(label: Points) -> list[list[int]]:
        order = np.argsort(label, kind="stable")
        return [
            part.tolist() for part in np.split(order, np.flatnonzero(np.diff(label[order])) + 1)
        ]
