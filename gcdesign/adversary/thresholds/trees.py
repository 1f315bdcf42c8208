"""Exact search for S*(η) in plain Python that keeps its tree: a proof that anyone can check.

The rules that refute a node are the first three of the proof ``cases`` in
``docs/certificates.md``, without settling: enough for small trees and quick without compiled code.
`gcdesign.adversary.thresholds.recording` goes further.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gcdesign.adversary.evidence import Proof
from gcdesign.adversary.running.settings import Watch
from gcdesign.adversary.thresholds.orbits import Symmetries, symmetries
from gcdesign.codes import Placement

Tree = Any
"""0, ``[part, tree, tree]``, or an orbit node."""

ORBIT_DEPTH = 3
"""How many parts may be in T by symmetry."""


@dataclass(frozen=True)
class CaseProof:
    """How a search that keeps its tree ended.

    Attributes
    ----------
    proof
        The proof of S*(η) ≥ the number asked for, or None.
    parts
        η parts with fewer holders, or None. Both are None if the limit of nodes came first.
    nodes
        Nodes visited.
    """

    proof: Proof | None
    parts: tuple[int, ...] | None
    nodes: int


def prove_by_cases(
    placement: Placement,
    eta: int,
    lower: int,
    *,
    nodes: int,
    symmetric: bool = True,
    watch: Watch | None = None,
) -> CaseProof:
    """Prove that every η parts have at least ``lower`` holders, or find η parts with fewer.

    Parameters
    ----------
    placement
        Who holds what.
    eta
        Number of parts to lose.
    lower
        The number of workers to be proved necessary.
    nodes
        Most nodes to visit.
    symmetric
        Whether to look for automorphisms.
    watch
        Ends the search at its time limit.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry
    >>> found = prove_by_cases(Placement(affine_geometry(2)), 2, 5, nodes=100)
    >>> found.proof
    {'by': 'cases', 'tree': 0}
    >>> prove_by_cases(Placement(affine_geometry(2)), 2, 6, nodes=100).parts
    (0, 1)
    """
    return proof_of(CaseSearch(placement, eta, lower, nodes, watch), symmetric=symmetric)


def proof_of(search: CaseSearch, *, symmetric: bool) -> CaseProof:
    """Run a search from its root."""
    try:
        tree = search.tree(Node((), (), 0, search.every_part), symmetric)
    except FoundError as found:
        return CaseProof(None, found.parts, search.visited)
    except LimitError:
        return CaseProof(None, None, search.visited)
    return CaseProof({"by": "cases", "tree": tree}, None, search.visited)


class FoundError(Exception):
    """A set of parts within the limit: the claim is false."""

    def __init__(self, parts: tuple[int, ...]) -> None:
        super().__init__(parts)
        self.parts = parts


class LimitError(Exception):
    """Too many nodes."""


@dataclass(frozen=True)
class Node:
    """Parts in T and out of it; silenced workers and open parts as bits of whole numbers."""

    inside: tuple[int, ...]
    outside: tuple[int, ...]
    dead: int
    open: int


class CaseSearch:
    """One search: the placement as bits, the claim, and a count of nodes."""

    def __init__(
        self, placement: Placement, eta: int, lower: int, nodes: int, watch: Watch | None
    ) -> None:
        self.visited = 0
        self.every_part = (1 << placement.parts) - 1
        self.placement = placement
        self.eta, self.lower, self.nodes = eta, lower, nodes
        self._holders = [_bits(placement.holders_of(j).tolist()) for j in range(placement.parts)]
        self._blocks = [_bits(block) for block in placement.design.blocks()]
        self._greatest_load = max(map(len, placement.design.blocks()), default=0)
        self.watch = watch

    def tree(self, node: Node, symmetric: bool) -> Tree:
        """Return a tree that refutes the node; below a node without symmetry none is looked for."""
        self.visited += 1
        late = self.watch is not None and self.visited % 64 == 0 and self.watch.stopped()
        if self.visited > self.nodes or late:
            raise LimitError
        if self._refuted(node):
            return 0
        if len(node.inside) == self.eta:
            raise FoundError(tuple(sorted(node.inside)))
        if symmetric and len(node.inside) <= ORBIT_DEPTH:
            known = symmetries(self.placement, [node.inside, node.outside])
            orbit = self._orbit(node, known)
            if len(orbit) > 1:
                return self._by_orbit(node, orbit, known)
        return self.below(node)

    def below(self, node: Node) -> Tree:
        """Return a tree for a node that is neither refuted nor split by symmetry."""
        part = self._next(node)
        taken = self.tree(self._take(node, part), False)
        return [part, taken, self.tree(self._leave(node, (part,)), False)]

    def _by_orbit(self, node: Node, orbit: tuple[int, ...], known: Symmetries) -> Tree:
        return {
            "orbit": [list(generator) for generator in known.generators],
            "part": orbit[0],
            "in": self.tree(self._take(node, orbit[0]), True),
            "out": self.tree(self._leave(node, orbit), True),
        }

    def _take(self, node: Node, part: int) -> Node:
        dead, left = node.dead | self._holders[part], node.open & ~(1 << part)
        return Node((*node.inside, part), node.outside, dead, left)

    @staticmethod
    def _leave(node: Node, parts: tuple[int, ...]) -> Node:
        left = node.open & ~_bits(parts)
        return Node(node.inside, (*node.outside, *parts), node.dead, left)

    @staticmethod
    def _orbit(node: Node, known: Symmetries) -> tuple[int, ...]:
        """Return the largest orbit of open parts."""
        return max((o for o in known.orbits if node.open >> o[0] & 1), key=len, default=())

    def _refuted(self, node: Node) -> bool:
        """Whether one of the three rules refutes the node."""
        wanted, dead = self.eta - len(node.inside), node.dead.bit_count()
        parts = _members(node.open)
        if wanted > len(parts) or dead >= self.lower:
            return True
        alive = ~node.dead
        fresh = sorted((self._holders[part] & alive).bit_count() for part in parts)
        copies, budget = sum(fresh[:wanted]), self.lower - dead
        caps = sorted(
            (
                (block & node.open).bit_count()
                for w, block in enumerate(self._blocks)
                if alive >> w & 1
            ),
            reverse=True,
        )
        if sum(caps[: budget - 1]) < copies:
            return True
        return self._refuted_by_pairs(parts, alive, wanted, copies, budget)

    def _refuted_by_pairs(
        self, parts: list[int], alive: int, wanted: int, copies: int, budget: int
    ) -> bool:
        """Whether (2mA − P)/(m(m + 1)) exceeds budget − 1 for some m: the third rule."""
        spare = max(
            (
                2 * m * copies - (budget - 1) * m * (m + 1)
                for m in range(1, self._greatest_load + 1)
            ),
            default=-1,
        )
        if spare <= 0:
            return False
        holders = [self._holders[part] & alive for part in parts]
        most = []
        for i, mine in enumerate(holders):
            shared = [(mine & other).bit_count() for j, other in enumerate(holders) if j != i]
            shared.sort(reverse=True)
            most.append(sum(shared[: max(wanted - 1, 0)]))
        most.sort(reverse=True)
        return spare > sum(most[:wanted])

    def _next(self, node: Node) -> int:
        """Return the open part whose workers lose most choice by its decision."""
        alive = ~node.dead
        worth = [0.0] * len(self._blocks)
        for w, block in enumerate(self._blocks):
            cap = (block & node.open).bit_count()
            if alive >> w & 1 and cap > 1:
                worth[w] = 1 / (cap * (cap - 1))

        def score(part: int) -> float:
            fresh = _members(self._holders[part] & alive)
            return len(fresh) ** 2 * sum(worth[w] for w in fresh)

        return max(_members(node.open), key=score)


def _bits(members: tuple[int, ...] | list[int]) -> int:
    return sum(1 << member for member in members)


def _members(bits: int) -> list[int]:
    found = []
    while bits:
        least = bits & -bits
        found.append(least.bit_length() - 1)
        bits ^= least
    return found
