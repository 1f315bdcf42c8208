"""The compiled search for S*(η), written down: larger trees than plain Python can make."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gcdesign.adversary.running.settings import Watch
from gcdesign.adversary.thresholds.branching import Case, slice_of, tables_of
from gcdesign.adversary.thresholds.trees import (
    CaseProof,
    CaseSearch,
    FoundError,
    LimitError,
    Node,
    Tree,
    proof_of,
)
from gcdesign.codes import Placement

DEEPEST = 400
"""Most branches on one path: a certificate's values are nested up to 500 levels."""


def record_cases(
    placement: Placement,
    eta: int,
    lower: int,
    *,
    nodes: int,
    pairs: Sequence[int] | None = None,
    watch: Watch,
) -> CaseProof:
    """Prove that every η parts have at least ``lower`` holders, or find η parts with fewer.

    The top of the tree splits by orbits of the placement's automorphisms; where there are none
    left, the compiled search takes over.

    Parameters
    ----------
    placement
        Who holds what.
    eta
        Number of parts to lose, at least 1.
    lower
        The number of workers to be proved necessary, at least 1.
    nodes
        Most nodes to visit.
    pairs
        As for `gcdesign.adversary.thresholds.branching.search_threshold`.
    watch
        Ends the search at its limits.

    Examples
    --------
    >>> from gcdesign.adversary.running.settings import Settings
    >>> from gcdesign.designs import BlockDesign
    >>> path = Placement(BlockDesign.from_blocks([[0, 1], [1, 2], [2, 3], [3]], points=4))
    >>> watch = Watch(Settings())
    >>> record_cases(path, 2, 2, nodes=100, watch=watch).proof
    {'by': 'cases', 'tree': 0}
    >>> record_cases(path, 2, 3, nodes=100, watch=watch).parts
    (0, 1)
    """
    search = _Recording(placement, eta, lower, nodes, watch)
    search.read_tables(pairs)
    return proof_of(search, symmetric=True)


class _Recording(CaseSearch):
    """A search whose nodes without symmetry are left to the compiled search."""

    def read_tables(self, pairs: Sequence[int] | None) -> None:
        """Take the placement as the compiled search reads it."""
        self._tables = tables_of(self.placement, self.eta, pairs)

    def below(self, node: Node) -> Tree:
        """Return a tree made from the log of a compiled search."""
        from gcdesign.adversary.thresholds.recording_kernel import record

        decisions = (*node.inside, *(~part for part in node.outside))
        case = Case(self._tables, self.eta, self.lower - 1, decisions)
        self.visited -= 1  # the node itself is visited again
        log = np.zeros(max(self.nodes - self.visited, 0), dtype=np.int32)
        while not case.finished:
            if case.nodes == len(log) or (self.watch is not None and self.watch.stopped()):
                self.visited += case.nodes
                raise LimitError
            record(self._tables, case.state, case.limit, log, slice_of(self._tables))
        self.visited += case.nodes
        if case.parts is not None:
            raise FoundError(case.parts)
        return _tree_of(log[: case.nodes].tolist(), DEEPEST - len(decisions))


def _tree_of(log: list[int], deepest: int) -> Tree:
    """Return the tree whose nodes are listed from the root, In branches first."""
    stack: list[tuple[Tree, int]] = []
    for part in reversed(log):
        if part < 0:
            stack.append((0, 0))
            continue
        (taken, first), (left, second) = stack.pop(), stack.pop()
        depth = 1 + max(first, second)
        if depth > deepest:
            raise LimitError
        stack.append(([part, taken, left], depth))
    ((tree, _),) = stack
    return tree
