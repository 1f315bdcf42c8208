"""Whether t parts and u workers without incidence exist in a symmetric design: exact search.

S*(t) ≤ v − u exactly if some t parts and u workers are without incidence. A pair (t, u) is
decided here for symmetric 2-designs on the condition that (t + 1, u) and (t, u + 1) are known to
be impossible, so that neither side of a solution can be enlarged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.running.budget import Budget
from gcdesign.adversary.running.cases import CasePath, run_cases
from gcdesign.adversary.running.settings import Watch
from gcdesign.codes import Placement
from gcdesign.designs.symmetry import IncidenceGraph

if TYPE_CHECKING:
    from gcdesign.adversary.symmetric.pairs_rules import Rules

MAX_BLOCK = 14
"""Largest k whose values fit the tables of masks."""

BUDGETS = 4
"""Values of m near the mean for which Σ (a − m)(a − m − 1) is held."""

LEVELS = 3
"""Workers through one part that are decided before the search proper."""

MAX_NODES = 2**62

NODES_AT_ONCE = 200
"""Nodes between two looks at the clock."""

ALL = 2**32 - 1

Masks = NDArray[np.uint32]
Change = tuple[int, NDArray[np.int32] | NDArray[np.int64] | int, int]
"""Side, members, and the mask that their values are restricted to."""

Flag = tuple[int, tuple[int, ...], int]
"""A worker, some of its parts, and one of these."""


@dataclass(frozen=True, eq=False)
class SymmetricDesign:
    """A placement that is a symmetric 2-(v, k, λ) design, prepared for searches.

    Attributes
    ----------
    placement
        The placement.
    v, k, shared
        The design's v, k and λ.
    """

    placement: Placement
    v: int
    k: int
    shared: int

    @classmethod
    def of(cls, placement: Placement, shared: tuple[int, int] | None) -> SymmetricDesign | None:
        """Return the design, or None if the placement is none or too large for the tables.

        Parameters
        ----------
        placement
            The placement.
        shared
            Least and greatest number of workers that two parts share.
        """
        load = placement.load
        if placement.workers != placement.parts or load is None or placement.replication is None:
            return None
        if shared is None or shared[0] != shared[1] or not 2 <= load <= MAX_BLOCK:
            return None
        if not 0 < shared[0] < load < placement.parts:
            return None
        return cls(placement, placement.parts, load, shared[0])

    @cached_property
    def neighbours(self) -> NDArray[np.int32]:
        """Shape (2, v, k): the parts of each worker, and the workers of each part."""
        blocks = self.placement.design.indices.reshape(self.v, self.k)
        _, holders = self.placement.holders
        return np.stack([blocks, holders.reshape(self.v, self.k)]).astype(np.int32)

    @cached_property
    def graph(self) -> IncidenceGraph:
        """The incidence graph, for questions about symmetry."""
        return IncidenceGraph(self.placement.design)

    @cached_property
    def _levels(self) -> list[list[tuple[int, tuple[int, ...]]]]:
        """Sets of parts of one worker, by their size, up to symmetry; grown on demand."""
        workers = np.unique(self.graph.group().block_orbits).tolist()
        return [[(worker, ()) for worker in workers]]

    def flags(self, count: int) -> list[Flag]:
        """Return workers with ``count`` of their parts, one of them marked, up to symmetry."""
        levels = self._levels
        while len(levels) <= count:
            levels.append(self._grow(levels[-1]))
        flags = []
        for worker, inside in levels[count]:
            orbits = self.graph.group([[worker]], [inside]).point_orbits
            marked = np.unique(orbits[list(inside)]).tolist()
            flags += [(worker, inside, point) for point in marked]
        return flags

    def _grow(
        self, smaller: list[tuple[int, tuple[int, ...]]]
    ) -> list[tuple[int, tuple[int, ...]]]:
        """Add one more part to each set, in all ways up to symmetry."""
        sets: dict[object, tuple[int, tuple[int, ...]]] = {}
        for worker, inside in smaller:
            orbits = self.graph.group([[worker]], [inside]).point_orbits
            others = np.setdiff1d(self.neighbours[0, worker], inside)
            for part in np.unique(orbits[others]).tolist():
                larger = tuple(sorted((*inside, part)))
                sets.setdefault(self.graph.canonical([[worker]], [larger]), (worker, larger))
        return list(sets.values())


@dataclass(frozen=True, eq=False)
class Case:
    """A partial solution from which the search goes on, up to symmetry.

    Attributes
    ----------
    masks
        What every worker's and part's value can still be, propagated.
    counts
        How many parts of T the decided workers hold, none less than the next.
    point
        The part of T that the decided workers share.
    inside
        The parts known to be in T, ``point`` included.
    decided
        The decided workers.
    """

    masks: Masks
    counts: tuple[int, ...] = ()
    point: int = -1
    inside: tuple[int, ...] = ()
    decided: tuple[int, ...] = ()


@dataclass(frozen=True)
class PairAnswer:
    """What a search for a pair found.

    Attributes
    ----------
    feasible
        Whether the pair exists; None if the search was ended before that was known.
    parts
        The parts of a solution.
    nodes, cases
        The size of the search.
    """

    feasible: bool | None
    parts: tuple[int, ...] = ()
    nodes: int = 0
    cases: int = 0


@dataclass(frozen=True, eq=False)
class PairSearch:
    """The search for t parts and u workers without incidence.

    It holds the design, t and u, and what follows from them.
    """

    design: SymmetricDesign
    t: int
    u: int

    @cached_property
    def rules(self) -> Rules:
        """The constants of the compiled search."""
        return make_rules(self.design, self.t, self.u)

    @cached_property
    def base(self) -> list[Case]:
        """The cases that the search splits into, none of them an image of another.

        A flag (worker, part of T on it) is chosen so that no worker holds more parts of T, and
        so that no other choice has a better second worker through the part. The workers through
        that part are then decided one by one, those with more parts of T first.
        """
        root = self.root
        if root is None:
            return []
        if self.design.shared > 1:
            return [root]
        cases = list(self.flagged(root))
        for _ in range(1, LEVELS):
            cases = self._distinct(child for case in cases for child in self.children(case))
        return cases

    def rules_of(self, case: Case) -> Rules:
        """Return the constants with what the choice of the flag adds in one case."""
        if len(case.counts) < 2:
            return self.rules
        return self.rules._replace(longest=case.counts[0], second=case.counts[1])

    @property
    def root(self) -> Case | None:
        """The case in which nothing is decided, None if that is a dead end."""
        free = Case(np.full((2, self.design.v), (2 << self.design.k) - 1, np.uint32))
        return self._settled(free, [])

    def _settled(self, case: Case, changes: list[Change]) -> Case | None:
        """Restrict masks and propagate; None for a dead end."""
        from gcdesign.adversary.symmetric.pairs_rules import settle

        masks = case.masks.copy()
        for side, members, mask in changes:
            masks[side, members] &= np.uint32(mask)
        if not masks.all() or not settle(masks, self.rules_of(case)):
            return None
        return replace(case, masks=masks)

    def flagged(self, root: Case) -> Iterator[Case]:
        """Choose a worker with the most parts of T, T on it, and one part of T there."""
        possible = np.bitwise_or.reduce(root.masks[0])
        everyone = np.arange(self.design.v)
        for count in range(self.design.k, 0, -1):
            if not possible >> np.uint32(count) & np.uint32(1):
                continue
            for worker, inside, point in self.design.flags(count):
                case = Case(root.masks, (count,), point, inside, (worker,))
                changes = [(0, everyone, _at_most(count)), *self._decide(case, worker)]
                settled = self._settled(case, changes)
                if settled is not None:
                    yield settled

    def children(self, case: Case) -> Iterator[Case]:
        """Choose, among the workers through the part that are left, one with most parts of T."""
        through = self.design.neighbours[1, case.point]
        left = np.setdiff1d(through, case.decided)
        cells = [[case.point], sorted(set(case.inside) - {case.point})]
        orbits = self.design.graph.group([case.decided], cells).block_orbits
        for worker in np.unique(orbits[left]).tolist():
            for count in range(case.counts[-1], 0, -1):
                if case.masks[0, worker] >> np.uint32(count) & np.uint32(1):
                    yield from self._children(case, worker, count, left)

    def _children(
        self, case: Case, worker: int, count: int, left: NDArray[np.int32]
    ) -> Iterator[Case]:
        parts = self.design.neighbours[0, worker]
        here = case.masks[1, parts]
        known = parts[here == 1].tolist()
        open_ = parts[(here != 1) & (here & 1 == 1)].tolist()
        if not 0 <= count - len(known) <= len(open_):
            return
        for chosen in combinations(open_, count - len(known)):
            inside = tuple(sorted({*case.inside, *known, *chosen}))
            decided = (*case.decided, worker)
            child = Case(case.masks, (*case.counts, count), case.point, inside, decided)
            changes = [(0, left[left != worker], _at_most(count)), *self._decide(child, worker)]
            settled = self._settled(child, changes)
            if settled is not None:
                yield settled

    def _decide(self, case: Case, worker: int) -> list[Change]:
        """Return the changes that fix T on a worker as the case has it."""
        parts = self.design.neighbours[0, worker]
        inside = np.isin(parts, case.inside)
        exactly = 1 << case.counts[-1]
        return [(0, worker, exactly), (1, parts[inside], 1), (1, parts[~inside], ~1 & ALL)]

    def _distinct(self, cases: Iterator[Case]) -> list[Case]:
        """Leave out images of cases under automorphisms of the design."""
        seen: dict[tuple[object, ...], Case] = {}
        for case in cases:
            cells = [[case.point], sorted(set(case.inside) - {case.point})]
            key = (case.counts, *self.design.graph.canonical([case.decided], cells))
            seen.setdefault(key, case)
        return list(seen.values())


def _at_most(count: int) -> int:
    """Return the mask of the values from 0 to ``count``."""
    return (2 << count) - 1


def make_rules(design: SymmetricDesign, t: int, u: int) -> Rules:
    """Return the constants of the search for t parts and u workers."""
    from gcdesign.adversary.symmetric.pairs_rules import Rules

    k, most = design.k, (design.k + 1) ** 2
    masks = np.arange(1 << (k + 1), dtype=np.uint32)
    values = np.arange(k + 1)
    holds = (masks[:, None] >> values.astype(np.uint32)) & 1 == 1
    budgets = np.empty((2, BUDGETS), np.int64)
    least = np.empty((2, BUDGETS, len(masks)), np.int32)
    affordable = np.empty((2, BUDGETS, most + 1), np.uint32)
    for side, (size, zeros) in enumerate(((t, u), (u, t))):
        total, squares = size * k, size * k + design.shared * size * (size - 1)
        hit = design.v - zeros
        first = max(1, total // max(1, hit) - 1)
        for place in range(BUDGETS):
            m = first + place
            budgets[side, place] = squares - (2 * m + 1) * total + m * (m + 1) * hit
            cost = (values - m) * (values - m - 1)
            cost[0] = most  # the budget is about the other values
            least[side, place] = np.where(holds, cost, most).min(axis=1)
            within = cost[None, :] <= np.arange(most + 1)[:, None]
            within[:, 0] = True
            affordable[side, place] = (within.astype(np.uint32) << values.astype(np.uint32)).sum(1)
    completions = np.array([[comb(n, r) for r in range(k + 1)] for n in range(k + 1)], float)
    sizes = np.array([u, t], np.int64)
    return Rules(
        design.neighbours,
        sizes,
        design.shared,
        k - design.shared,
        budgets,
        least,
        affordable,
        holds.argmax(axis=1).astype(np.int8),
        (k - holds[:, ::-1].argmax(axis=1)).astype(np.int8),
        holds.sum(axis=1).astype(np.int8),
        completions,
        -1,
        -1,
    )


def search_pair(search: PairSearch, *, watch: Watch, nodes: int = MAX_NODES) -> PairAnswer:
    """Decide whether t parts and u workers without incidence exist.

    Parameters
    ----------
    search
        What is searched for; (t + 1, u) and (t, u + 1) must be impossible.
    watch
        Limits, executor and journal.
    nodes
        Nodes after which the search is given up.

    Examples
    --------
    >>> from gcdesign.adversary.running.settings import Settings
    >>> from gcdesign.designs import projective_geometry
    >>> plane = SymmetricDesign.of(Placement(projective_geometry(5)), (1, 1))
    >>> search_pair(PairSearch(plane, 7, 9), watch=Watch(Settings())).feasible
    False
    """
    cases = [_plain(case) for case in search.base]
    shared = search.rules, nodes
    label = f"{search.t} × {search.u} apart, {nodes} nodes"
    visited, decided, found = 0, True, list[tuple[CasePath, tuple[int, ...]]]()
    run = run_cases(solve_case, shared, cases, watch=watch, label=label, enough=_has_parts)
    with closing(run):
        for path, _, outcome in run:
            visited += int(outcome.get("nodes", 0))
            if _has_parts(outcome):
                found.append((path, tuple(outcome["parts"])))
            decided &= outcome["done"] and not outcome.get("too_long")
            if visited > nodes and not found:
                return PairAnswer(None, (), visited, len(cases))
    if found:
        return PairAnswer(True, min(found)[1], visited, len(cases))
    return PairAnswer(False if decided else None, (), visited, len(cases))


def _has_parts(outcome: Mapping[str, Any]) -> bool:
    return bool(outcome.get("parts"))


def _plain(case: Case) -> dict[str, Any]:
    """Return a case as plain data: its masks are the bottom of a stack of open nodes."""
    longest, second = case.counts[:2] if len(case.counts) > 1 else (-1, -1)
    return {"stack": _text(case.masks), "longest": longest, "second": second}


def _text(masks: Masks) -> str:
    return masks.astype("<u4").tobytes().hex()


def solve_case(
    shared: tuple[Rules, int], case: Mapping[str, Any], budget: Budget
) -> dict[str, Any]:
    """Search below the open nodes of one case until it is decided or the budget is over."""
    from gcdesign.adversary.symmetric.pairs_kernel import EXHAUSTED, FOUND, advance

    rules, most = shared
    v = rules.neighbours.shape[1]
    longest, second = int(case["longest"]), int(case["second"])
    if not -1 <= second <= longest <= rules.neighbours.shape[2]:
        raise ValueError("no counts of parts")
    rules = rules._replace(longest=longest, second=second)
    nodes = np.frombuffer(bytes.fromhex(case["stack"]), "<u4").reshape(-1, 2, v)
    if len(nodes) > 2 * v + 2 or not nodes.all() or nodes.max() >= len(rules.options):
        raise ValueError("no stack of open nodes")
    stack = np.empty((len(nodes) + 2 * v + 2, 2, v), np.uint32)
    stack[: len(nodes)] = nodes
    top, visited = len(nodes), int(case.get("nodes", 0))
    unwritten = np.zeros(1, np.int64)
    while True:
        state, top, more = advance(stack, top, rules, NODES_AT_ONCE, unwritten)
        visited += more
        budget.count(more)
        if state == FOUND:
            return {"parts": np.flatnonzero(stack[top, 1] == 1).tolist(), "nodes": visited}
        if state == EXHAUSTED:
            return {"nodes": visited}
        if visited > most:
            return {"too_long": True, "nodes": visited}
        left = {**case, "stack": _text(stack[:top]), "nodes": visited}
        if budget.over():
            return {"done": False, "state": left, "nodes": visited}
        if budget.wants_split and top > 1:
            parts = [{**case, "stack": _text(node), "nodes": 0} for node in stack[:top][::-1]]
            return {"cases": parts, "nodes": visited}
