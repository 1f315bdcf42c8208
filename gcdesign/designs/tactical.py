"""Designs from tactical decompositions: orbit matrices first, then the blocks themselves.

Let a group of order m move the points in f orbits of length m and s fixed points, and the blocks
in F orbits of length m and S fixed blocks, and let multipliers fix every orbit. How many blocks of
each orbit pass through a point of each orbit is the orbit matrix; its rows have constant products
with each other. A search for such matrices is small. Each one is then *indexed*: every entry
becomes a set of group elements, a union of orbits of the multipliers, so that all translates of
the rows have the right products. Both steps look for mutually fitting rows, one in each class.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import inf, prod
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.actions import Action
from gcdesign.designs.base_blocks import BaseBlocks
from gcdesign.designs.randomness import Draws

Rows = NDArray[np.int32]

MAX_ROWS = 400_000
"""Most rows of orbit matrices that are listed."""

MAX_INDEXED = 400_000
"""Most ways to index one row that are listed."""


@dataclass(frozen=True)
class Decomposition:
    """The orbits that are prescribed for a 2-(v, k, λ) design.

    Attributes
    ----------
    action
        The group on the points; its multipliers fix every copy and every fixed point.
    k, lambda_
        Block size and index.
    block_orbits, fixed_blocks
        The numbers F and S.

    Examples
    --------
    >>> from gcdesign.designs.rings import Ring
    >>> d = Decomposition.of(Action(Ring.parse("Z7")), 3, 1)
    >>> d.block_orbits, d.fixed_blocks, d.r
    (1, 0, 3)
    """

    action: Action
    k: int
    lambda_: int
    block_orbits: int
    fixed_blocks: int

    @classmethod
    def of(cls, action: Action, k: int, lambda_: int, *, fixed_blocks: int = -1) -> Decomposition:
        """Prescribe as few fixed blocks as divisibility allows, or a number of them."""
        v, m = action.v, action.ring.order
        b = lambda_ * v * (v - 1) // (k * (k - 1))
        if fixed_blocks < 0:
            fixed_blocks = action.fixed if b == v else b % m
        return cls(action, k, lambda_, (b - fixed_blocks) // m, fixed_blocks)

    @property
    def r(self) -> int:
        """Blocks through a point."""
        return self.lambda_ * (self.action.v - 1) // (self.k - 1)

    @cached_property
    def multiplier_orbits(self) -> list[list[int]]:
        """The orbits of the multipliers on the group; that of 0 comes first."""
        m, seen, orbits = self.action.ring.order, set[int](), []
        for x in range(m):
            if x not in seen:
                orbit = sorted(set(self.action.multiplier_group[:, x].tolist()))
                seen.update(orbit)
                orbits.append(orbit)
        return orbits

    @cached_property
    def ways(self) -> list[int]:
        """How many unions of orbits of the multipliers have 0, 1, … elements."""
        ways = [1] + [0] * self.action.ring.order
        for orbit in self.multiplier_orbits:
            for n in range(len(ways) - 1, len(orbit) - 1, -1):
                ways[n] += ways[n - len(orbit)]
        return ways

    def choices(self, size: int) -> list[list[int]]:
        """Return the unions of orbits of the multipliers with so many elements."""

        def unions(first: int, rest: int) -> Iterator[list[int]]:
            if rest == 0:
                yield []
            for i in range(first, len(orbits) if rest > 0 else 0):
                for union in unions(i + 1, rest - len(orbits[i])):
                    yield orbits[i] + union

        orbits = self.multiplier_orbits
        return list(unions(0, size))

    @cached_property
    def weights(self) -> Rows:
        """What one common block counts in a product of rows, column by column."""
        ones = [1] * self.block_orbits + [self.action.ring.order] * self.fixed_blocks
        return np.array(ones, dtype=np.int32)

    def rows(self) -> Rows:
        """Return all possible rows of the orbit matrix for an orbit of points."""
        m = self.action.ring.order
        values = [a for a, ways in enumerate(self.ways) if ways and a <= self.k]
        return self._solutions(values, self.lambda_ * (m - 1) + self.r)

    def fixed_rows(self) -> Rows:
        """Return all possible rows for a fixed point, entries 0 and m for orbits of blocks."""
        m = self.action.ring.order
        if not self.action.fixed:
            return np.empty((0, len(self.weights)), dtype=np.int32)
        return self._solutions([0, m], m * self.r)

    def _solutions(self, values: list[int], norm: int) -> Rows:
        """Return all rows with sum r and weighted square norm as given, meeting in the middle."""
        m, columns = self.action.ring.order, self.block_orbits
        half = columns // 2
        plain = {a: (a, a * a) for a in values}
        left = _sums([plain] * half, self.r, norm)
        right = _sums(
            [plain] * (columns - half) + [{0: (0, 0), 1: (1, m)}] * self.fixed_blocks, self.r, norm
        )
        found = [
            first + second
            for (total, square), firsts in left.items()
            for second in right.get((self.r - total, norm - square), ())
            for first in firsts
        ]
        return np.array(found, dtype=np.int32).reshape(len(found), len(self.weights))

    def matrices(
        self, draws: Draws, *, starts: int, nodes: int, deadline: float = inf
    ) -> Iterator[Rows]:
        """Yield orbit matrices, fixed points last, one from each of some random searches.

        Parameters
        ----------
        draws
            Random choices.
        starts, nodes
            The number of searches, and the rows that each may try. One that comes to its end
            without a matrix ends all: there is none.
        deadline
            When to stop, on the clock of `time.monotonic`.
        """
        rows, fixed = self.rows(), self.fixed_rows()
        room = np.full(len(self.weights), self.k, dtype=np.int32)
        for _ in range(starts if len(rows) else 0):
            search = _MatrixSearch(self, draws, nodes, deadline)
            matrix = search.extend([], [], fixed, rows, room)
            if matrix is not None:
                yield matrix
            elif search.nodes > 0 or monotonic() > deadline:
                return

    def index(
        self, matrix: Rows, draws: Draws, *, nodes: int, deadline: float = inf
    ) -> BaseBlocks | None:
        """Return base blocks with this orbit matrix, or None if the search finds none.

        Parameters
        ----------
        matrix
            An orbit matrix.
        draws, nodes, deadline
            As in `matrices`.
        """
        search = _IndexSearch(self, draws, nodes, deadline)
        candidates = search.candidates(matrix)
        if candidates is None:
            return None
        incidence = search.extend({}, candidates)
        return None if incidence is None else search.base_blocks(matrix, incidence)


class _MatrixSearch:
    """One random search for an orbit matrix, row by row."""

    def __init__(self, wanted: Decomposition, draws: Draws, nodes: int, deadline: float) -> None:
        self.wanted, self.draws, self.nodes, self.deadline = wanted, draws, nodes, deadline
        self.m = wanted.action.ring.order
        self.product = wanted.lambda_ * self.m

    def extend(
        self, fixed: list[Rows], plain: list[Rows], more_fixed: Rows, more: Rows, room: Rows
    ) -> Rows | None:
        """Add rows until the matrix is complete: those of fixed points, then those of orbits.

        ``more_fixed`` and ``more`` are the rows that fit all chosen ones; ``room`` says how many
        points each block still takes.
        """
        action = self.wanted.action
        left_fixed, left = action.fixed - len(fixed), action.copies - len(plain)
        if not left_fixed and not left:
            return np.array(plain + fixed, dtype=np.int32) if not room.any() else None
        if len(more_fixed) < left_fixed or len(more) < left:
            return None
        pool = more_fixed if left_fixed else more
        order = self.draws.permutation(len(pool))
        for place, choice in enumerate(order):
            self.nodes -= 1
            if self.nodes <= 0 or monotonic() > self.deadline:
                return None
            row, later = pool[choice], pool[order[place + 1 :]]
            points = row * self.wanted.weights // (self.m if left_fixed else 1)
            rest = room - points
            found = self.extend(
                [*fixed, row] if left_fixed else fixed,
                plain if left_fixed else [*plain, row],
                self._fitting(later, row, rest, self.m) if left_fixed else more_fixed,
                self._fitting(more if left_fixed else later, row, rest, 1),
                rest,
            )
            if found is not None:
                return found
        return None

    def _fitting(self, rows: Rows, row: Rows, room: Rows, divisor: int) -> Rows:
        weights = self.wanted.weights
        rows = rows[rows @ (row * weights) == self.product]
        fitting: Rows = rows[(rows * weights <= room * divisor).all(axis=1)]
        return fitting


class _IndexSearch:
    """One search for an incidence matrix with a given orbit matrix.

    A row of it lists the blocks through the first point of an orbit: block t of orbit j is the
    base block moved by t.
    """

    def __init__(self, wanted: Decomposition, draws: Draws, nodes: int, deadline: float) -> None:
        self.wanted, self.draws, self.nodes, self.deadline = wanted, draws, nodes, deadline
        ring = wanted.action.ring
        self.m = ring.order
        every = np.arange(self.m, dtype=np.int64)
        leaders = [orbit[0] for orbit in wanted.multiplier_orbits]
        self.moves = [ring.subtract(every, np.array([t])) for t in leaders]

    def moved(self, rows: Rows, move: NDArray[np.int64]) -> Rows:
        """Return rows moved by an element: those of a translate of the point."""
        split = self.wanted.block_orbits * self.m
        shape = (len(rows), self.wanted.block_orbits, self.m)
        plain = rows[:, :split].reshape(shape)[:, :, move]
        return np.concatenate([plain.reshape(len(rows), split), rows[:, split:]], axis=1)

    def candidates(self, matrix: Rows) -> dict[int, Rows] | None:
        """Return, for each orbit of points, the rows that fit all their own translates."""
        found = {}
        for number, entries in enumerate(matrix):
            rows = self._indexed(entries, fixed=number >= self.wanted.action.copies)
            if rows is None:
                return None
            for move in self.moves[1:] if number < self.wanted.action.copies else ():
                rows = rows[(rows * self.moved(rows, move)).sum(axis=1) == self.wanted.lambda_]
            if not len(rows):
                return None
            found[number] = rows
        return found

    def _indexed(self, entries: Rows, *, fixed: bool) -> Rows | None:
        m, wanted = self.m, self.wanted
        split = wanted.block_orbits
        sizes = entries[:split].tolist()
        if prod(1 if fixed else wanted.ways[size] for size in sizes) > MAX_INDEXED:
            return None
        choices = [[list(range(size))] if fixed else wanted.choices(size) for size in sizes]
        rows = np.zeros((1, 0), dtype=np.int32)
        for options in choices:
            columns = np.zeros((len(options), m), dtype=np.int32)
            for column, elements in zip(columns, options, strict=True):
                column[elements] = 1
            rows = np.concatenate(
                [np.repeat(rows, len(columns), axis=0), np.tile(columns, (len(rows), 1))], axis=1
            )
        ends = np.tile(entries[split:], (len(rows), 1))
        return np.concatenate([rows, ends], axis=1)

    def extend(self, chosen: dict[int, Rows], open_: dict[int, Rows]) -> dict[int, Rows] | None:
        """Choose a row for each orbit that is left, the one with the fewest candidates first."""
        if not open_:
            return chosen
        number = min(open_, key=lambda i: len(open_[i]))
        rows = open_[number]
        for choice in self.draws.permutation(len(rows)):
            self.nodes -= 1
            if self.nodes <= 0 or monotonic() > self.deadline:
                return None
            row = rows[choice : choice + 1]
            rest = {i: self._fitting(open_[i], row) for i in open_ if i != number}
            if all(len(r) for r in rest.values()):
                found = self.extend({**chosen, number: row[0]}, rest)
                if found is not None:
                    return found
        return None

    def _fitting(self, rows: Rows, row: Rows) -> Rows:
        for move in self.moves:
            rows = rows[rows @ self.moved(row, move)[0] == self.wanted.lambda_]
        return rows

    def base_blocks(self, matrix: Rows, incidence: dict[int, Rows]) -> BaseBlocks:
        """Return the base blocks: one of each orbit of blocks, and the fixed blocks."""
        wanted, m = self.wanted, self.m
        f, split = wanted.action.copies, wanted.block_orbits
        ring = wanted.action.ring
        every = np.arange(m, dtype=np.int64)
        negative = ring.subtract(np.zeros(1, dtype=np.int64), every)
        blocks = []
        for j in range(split + wanted.fixed_blocks):
            block: list[int] = []
            for i in range(f + wanted.action.fixed):
                row = incidence[i]
                if j >= split:
                    held = range(m) if i < f else range(1)
                    elements = list(held) if matrix[i, j] else []
                elif i < f:
                    # Point x of copy i lies in block 0 of orbit j if block −x holds its point 0.
                    elements = np.flatnonzero(row[j * m : (j + 1) * m][negative]).tolist()
                else:
                    elements = [0] if matrix[i, j] else []
                block += [(i * m if i < f else f * m + i - f) + x for x in elements]
            blocks.append(tuple(sorted(block)))
        return BaseBlocks(wanted.action, tuple(blocks))


def _sums(
    columns: list[dict[int, tuple[int, int]]], most: int, norm: int
) -> dict[tuple[int, int], list[tuple[int, ...]]]:
    """Return all choices of one entry a column, by their sum and their square norm.

    Nothing, if there are more than `MAX_ROWS`.
    """
    states: dict[tuple[int, int], list[tuple[int, ...]]] = {(0, 0): [()]}
    for column in columns:
        fresh: dict[tuple[int, int], list[tuple[int, ...]]] = defaultdict(list)
        for (total, square), choices in states.items():
            for entry, (add, add_square) in column.items():
                if total + add <= most and square + add_square <= norm:
                    fresh[total + add, square + add_square] += [(*c, entry) for c in choices]
        states = fresh
        if sum(map(len, states.values())) > MAX_ROWS:
            return {}
    return states
