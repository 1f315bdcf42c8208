"""Case trees over parts: every attack that is smaller than claimed is refuted in some leaf."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import nlargest, nsmallest

from gcdesign.checker.case import Case
from gcdesign.checker.document import bits
from gcdesign.checker.reading import Json, distinct, items, members, shown, whole
from gcdesign.checker.sharing import PASSES, Levelling
from gcdesign.checker.verdicts import Budget, Refused
from gcdesign.checker.walking import walk

FIRST_PASSES = 4
"""Passes that share costs before pairs are counted, which takes longer where parts are many."""


@dataclass(frozen=True)
class Node:
    """What is known at a node, as bits.

    Attributes
    ----------
    inside, outside
        Parts that are in T, and parts that are not.
    silenced
        The workers that hold one of the former.
    """

    inside: int
    outside: int
    silenced: int


Children = list[tuple[Json, Node, str]]


def refuted_everywhere(case: Case, tree: Json, least: int) -> None:
    """Check along a tree of cases that no η parts have fewer workers than ``least``.

    Raises
    ------
    Refused
        At the first node that is not as it must be.
    """
    walk(case, tree, Node(0, 0, 0), Refutation(case, least).visit)


@dataclass(frozen=True)
class Refutation:
    """What stays the same on the way through the tree.

    Attributes
    ----------
    case
        The proof.
    least
        The bound that it is to show.
    known
        Permutations that were found to be induced by automorphisms.
    """

    case: Case
    least: int
    known: set[tuple[int, ...]] = field(default_factory=set)

    def visit(self, value: Json, node: Node) -> Children:
        """Check a node and return its children."""
        self.case.budget.spend(self.case.code.parts)
        if type(value) is int and value == 0:
            if not self.refuted(node):
                raise Refused("", "this case is not refuted")
            return []
        if isinstance(value, list):
            first, held, free = items(value, "", length=3)
            part = self.undecided(first, "[0]", node)
            out = Node(node.inside, node.outside | 1 << part, node.silenced)
            return [(free, out, "[2]"), (held, self.with_part(node, part), "[1]")]
        if isinstance(value, dict):
            return self.by_orbit(value, node)
        raise Refused("", f"{shown(value)}; expected 0, a list or an object")

    def undecided(self, value: Json, place: str, node: Node) -> int:
        """Return the part that a node decides."""
        part = whole(value, place, most=self.case.code.parts - 1)
        if (node.inside | node.outside) >> part & 1:
            raise Refused(place, f"part {part} is decided already")
        return part

    def with_part(self, node: Node, part: int) -> Node:
        """Return a node with one part more in T."""
        holders = self.case.code.holders[part]
        return Node(node.inside | 1 << part, node.outside, node.silenced | holders)

    def by_orbit(self, value: dict[str, Json], node: Node) -> Children:
        """Split by whether T meets an orbit, in which case it may be assumed to hold the part."""
        members(value, "", needed=("orbit", "part", "in", "out"))
        part = self.undecided(value["part"], ".part", node)
        moves = [
            self.automorphism(move, f".orbit[{i}]", node)
            for i, move in enumerate(items(value["orbit"], ".orbit"))
        ]
        out = Node(node.inside, node.outside | _orbit(part, moves), node.silenced)
        return [(value["out"], out, ".out"), (value["in"], self.with_part(node, part), ".in")]

    def automorphism(self, value: Json, place: str, node: Node) -> tuple[int, ...]:
        """Return a permutation of the parts that keeps the multiset of blocks, and the node."""
        code = self.case.code
        move = distinct(value, place, below=code.parts, length=code.parts)
        self.case.budget.spend(code.parts)
        if move not in self.known:
            self.case.budget.spend(sum(code.loads))
            images = Counter(bits([move[part] for part in block]) for block in code.blocks)
            if images != Counter(code.masks):
                raise Refused(place, "it is no automorphism")
            self.known.add(move)
        for decided in (node.inside, node.outside):
            if bits([move[part] for part in ones(decided)]) != decided:
                raise Refused(place, "it does not keep the parts that are decided")
        return move

    def refuted(self, node: Node) -> bool:
        """Return whether no η parts with so few workers fit, by the four rules of the page."""
        code = self.case.code
        decided = node.inside | node.outside
        more = self.case.asked - node.inside.bit_count()
        short = self.least - node.silenced.bit_count()
        held = {
            part: code.holders[part] & ~node.silenced
            for part in range(code.parts)
            if not decided >> part & 1
        }
        if more < 0 or short <= 0:
            return True
        more = max(more - sum(not workers for workers in held.values()), 0)
        held = {p: workers for p, workers in held.items() if 0 < workers.bit_count() < short}
        return more > len(held) or self.refuted_by_count(node, held, more, short - 1)

    def refuted_by_count(self, node: Node, held: dict[int, int], more: int, few: int) -> bool:
        """Return whether so many of the parts have more than ``few`` of the workers that are left.

        ``held`` has the workers of each part that may be chosen.
        """
        code, budget = self.case.code, self.case.budget
        choice = bits(list(held))
        needed = sum(nsmallest(more, (workers.bit_count() for workers in held.values())))
        masks = [
            mask & choice
            for worker, mask in enumerate(code.masks)
            if mask & choice and not node.silenced >> worker & 1
        ]
        if sum(nlargest(few, (mask.bit_count() for mask in masks))) < needed:
            return True
        levelling = Levelling([list(ones(mask)) for mask in masks], held, more)
        if levelling.exceeds(few, FIRST_PASSES, budget):
            return True
        meetings = most_meetings(list(held.values()), more, budget)
        return any(
            2 * m * needed - meetings > few * m * (m + 1)
            for m in range(1, max(code.loads, default=0) + 1)
        ) or levelling.exceeds(few, PASSES, budget)


def most_meetings(holders: list[int], size: int, budget: Budget) -> int:
    """Return a bound on the ordered pairs of ``size`` parts that meet, summed over workers."""
    shared = []
    for index, held in enumerate(holders):
        budget.spend(len(holders) // 2)
        with_others = [(held & other).bit_count() for other in holders]
        with_others[index] = 0
        shared.append(sum(nlargest(size - 1, with_others)))
    return sum(nlargest(size, shared))


def _orbit(part: int, moves: list[tuple[int, ...]]) -> int:
    """Return the orbit of a part as bits; permutations of a finite set need no inverses."""
    found, todo = {part}, [part]
    while todo:
        part = todo.pop()
        for move in moves:
            if move[part] not in found:
                found.add(move[part])
                todo.append(move[part])
    return bits(list(found))


def ones(mask: int) -> Iterator[int]:
    """Yield the positions of the bits that are set.

    Examples
    --------
    >>> list(ones(9))
    [0, 3]
    """
    text = f"{mask:b}"[::-1]
    found = text.find("1")
    while found >= 0:
        yield found
        found = text.find("1", found + 1)
