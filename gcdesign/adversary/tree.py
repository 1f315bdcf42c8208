"""Branch and bound over sets of silent workers, with a bound from elsewhere at each node.

A node has some workers forced to be silent, some candidates, and a number to go. It is settled by
a bound below the bar or, where its sets are few, by trying them all. Otherwise its candidates are
put in an order, those likely to be in a bad set first, and it splits by the first of them that is
silent: the child t has candidate t forced and only later ones left. Once the bound holds for the
candidates from some place on, the children from there on are settled at once; so the place is
sought first, by a few bounds. At the root a group of automorphisms allows more: a set that meets
an orbit may be moved so that it has the orbit's first worker.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

from gcdesign.adversary.exhaustion import Passing, search_target
from gcdesign.adversary.settings import Watch
from gcdesign.adversary.targets import Found, Target

NodeBound = Callable[
    [Sequence[int], Sequence[int], int, float, Any], tuple[float, Any, Sequence[int]]
]
"""``bound(forced, candidates, to_go, bar, state)``: returns an upper bound on the error of the
forced workers and any ``to_go`` candidates, what a bound on a child may start from, and the
candidates in the order in which to branch. It may stop as soon as it is below the bar."""

FEW_SETS = 300_000_000
"""Sets of a node up to which they are all tried."""

CUT_STEPS = 1.6
"""Factor between places that are tried for the cut of a node's children."""


@dataclass(frozen=True)
class Tree:
    """The outcome of a search: the sets that pass the bar, and the work."""

    passing: Passing
    nodes: int
    sets: int


def search_tree(
    target: Target,
    size: int,
    bar: float,
    node_bound: NodeBound,
    *,
    judge: Callable[[tuple[int, ...]], float],
    watch: Watch,
    orbits: Sequence[Sequence[int]] = (),
    few: int = FEW_SETS,
) -> Tree:
    """Return every set of silent workers whose error may pass the bar.

    Parameters
    ----------
    target
        A form for the greatest error of sets of silent workers.
    size
        S.
    bar
        The error to be passed. It rises with sets that are found to pass it.
    node_bound
        See `NodeBound`.
    judge
        Given a set that may pass, the bar that it sets for others: what its error proves.
    watch
        Threads and time.
    orbits
        Orbits of workers under a group of automorphisms of the code; none if it is not known.
    few
        Number of sets of a node up to which they are all tried.
    """
    search = _TreeSearch(target, size, bar, node_bound, judge, watch, few)
    everyone = list(range(target.size))
    if orbits:
        search.by_orbits(everyone, orbits)
    else:
        search.node([], everyone, None)
    ranked = tuple(sorted(search.found, reverse=True))
    return Tree(Passing(ranked, search.bar, search.complete), search.nodes, search.sets)


class _TreeSearch:
    """A depth-first search; its fields are what has been found and done so far."""

    def __init__(
        self,
        target: Target,
        size: int,
        bar: float,
        node_bound: NodeBound,
        judge: Callable[[tuple[int, ...]], float],
        watch: Watch,
        few: int,
    ) -> None:
        self._target, self._size, self._node_bound = target, size, node_bound
        self._judge, self._watch, self._few = judge, watch, few
        self.bar, self.found, self.complete = bar, list[Found](), True
        self.nodes = self.sets = 0

    def by_orbits(self, everyone: list[int], orbits: Sequence[Sequence[int]]) -> None:
        """Branch on the first orbit that a set meets, with one worker of it forced."""
        left = everyone
        for orbit in orbits:
            first = orbit[0]
            self.node([first], [w for w in left if w != first], None)
            left = [w for w in left if w not in set(orbit)]
        self.node([], left, None)

    def node(self, forced: list[int], candidates: list[int], state: Any) -> None:
        """Settle one node, by its bound, by trying all, or by its children."""
        if self._is_over(forced, candidates):
            return
        upper, state, order = self._bound(forced, candidates, state)
        if upper <= self.bar:
            return
        ordered = list(order)
        cut = self._cut(forced, ordered, state)
        for place in range(cut):
            self.node([*forced, ordered[place]], ordered[place + 1 :], state)

    def _is_over(self, forced: list[int], candidates: list[int]) -> bool:
        """Whether a node needs no bound: no sets, time is up, or few enough to try all."""
        sets = comb(len(candidates), self._size - len(forced))
        if sets == 0:
            return True
        if self._watch.stopped() or not self.complete:
            self.complete = False
            return True
        if sets > self._few:
            return False
        self._try_all(forced, candidates)
        return True

    def _bound(
        self, forced: list[int], candidates: list[int], state: Any
    ) -> tuple[float, Any, Sequence[int]]:
        self.nodes += 1
        found = self._node_bound(forced, candidates, self._size - len(forced), self.bar, state)
        most = max(found[0], self.bar)
        self._watch.report(f"branch and bound: {self.nodes} nodes", self.bar, most)
        return found

    def _cut(self, forced: list[int], ordered: list[int], state: Any) -> int:
        """Return a place from which on the children are settled together, and settle them."""
        to_go, place, open_ = self._size - len(forced), max(3, len(ordered) // 6), 0
        most = len(ordered) - to_go + 1
        while place < most:
            rest = ordered[place:]
            if comb(len(rest), to_go) <= self._few:
                break
            upper, _, _ = self._bound(forced, rest, state)
            if upper <= self.bar:
                return self._refined(forced, ordered, state, open_, place)
            if self._watch.stopped():
                break
            open_, place = place, int(place * CUT_STEPS) + 2
        place = min(place, most)
        self._is_over(forced, ordered[place:])
        return place

    def _refined(
        self, forced: list[int], ordered: list[int], state: Any, open_: int, settled: int
    ) -> int:
        """Try one place between one that is open and one that is settled."""
        middle = (open_ + settled) // 2
        if settled - open_ > 6 and self._bound(forced, ordered[middle:], state)[0] <= self.bar:
            return middle
        return settled

    def _try_all(self, forced: list[int], candidates: list[int]) -> None:
        passing = search_target(
            self._target,
            self._size,
            self.bar,
            watch=self._watch,
            forced=forced,
            candidates=candidates,
        )
        self.sets += comb(len(candidates), self._size - len(forced))
        self.complete = self.complete and passing.complete
        self.found += passing.ranked
        self.bar = max(self.bar, passing.bar, *(self._judge(w) for _, w in passing.ranked[:4]))
