"""The proof that parts and workers apart do not exist, written down so that anyone can check it.

It is the tree of a search like that of `pairs`, without the last reductions:
images of cases are left out only under symmetries that keep what has been decided before, so
that a checker needs no more than those symmetries to see that nothing is missing. The form is
that of the kind ``apart`` in ``docs/certificates.md``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gcdesign.adversary.evidence import Lemma, Proof
from gcdesign.adversary.symmetric.pairs import LEVELS, Case, PairSearch

MOST_STEPS = 200_000
"""Steps of a tree that is written down; a larger one rests on the search."""

Tree = dict[str, Any] | list[int]


class TooLong(Exception):  # noqa: N818 - it is caught where it is thrown from, and no error
    """The tree has more steps than are written down."""


def proof_of(
    search: PairSearch, larger_parts: Lemma | None, larger_workers: Lemma | None
) -> Proof | None:
    """Return the proof that a pair does not exist, or None if it would be too long.

    Parameters
    ----------
    search
        The search, which found nothing.
    larger_parts, larger_workers
        What shows that nothing can be added to either side.

    Examples
    --------
    >>> from gcdesign.adversary.symmetric.pairs import SymmetricDesign
    >>> from gcdesign.codes import Placement
    >>> from gcdesign.designs import projective_geometry
    >>> plane = SymmetricDesign.of(Placement(projective_geometry(3)), (1, 1))
    >>> proof_of(PairSearch(plane, 5, 3), None, None)["by"]
    'apart'
    """
    try:
        tree = _Writer(search).root()
    except TooLong:
        return None
    return {
        "by": "apart",
        "u": search.u,
        "larger_parts": larger_parts,
        "larger_workers": larger_workers,
        "tree": tree,
    }


class _Writer:
    """Writes the tree of one search."""

    def __init__(self, search: PairSearch) -> None:
        self._search = search
        self._graph = search.design.graph
        self._left = MOST_STEPS

    def root(self) -> Tree:
        root = self._search.root
        if root is None:
            return [-1]
        if self._search.design.shared > 1:
            return self._explored(root)
        flags = [
            [case.decided[0], list(case.inside), case.point, self._below(case)]
            for case in self._search.flagged(root)
        ]
        return {"group": self._graph.group().points.tolist(), "flags": flags}

    def _below(self, case: Case) -> Tree:
        if len(case.counts) == LEVELS:
            return self._explored(case)
        cells = [[case.point], sorted(set(case.inside) - {case.point})]
        group = self._graph.group([case.decided], cells).points.tolist()
        entries = []
        for child in self._distinct(case):
            worker = child.decided[-1]
            parts = self._search.design.neighbours[0, worker]
            inside = np.intersect1d(parts, child.inside).tolist()
            entries.append([worker, inside, self._below(child)])
        return {"group": group, "next": entries}

    def _distinct(self, case: Case) -> list[Case]:
        """Return the children of a case up to symmetries that keep the case."""
        seen: dict[tuple[object, ...], Case] = {}
        for child in self._search.children(case):
            new = sorted(set(child.inside) - set(case.inside))
            cells = [[case.point], sorted(set(case.inside) - {case.point}), new]
            key = self._graph.canonical([case.decided, child.decided[-1:]], cells)
            seen.setdefault((child.counts, *key), child)
        return list(seen.values())

    def _explored(self, case: Case) -> list[int]:
        """Return the tree below a case, as the compiled search writes it."""
        from gcdesign.adversary.symmetric.pairs_kernel import EXHAUSTED, advance

        v = case.masks.shape[1]
        stack = np.empty((2 * v + 2, 2, v), np.uint32)
        stack[0] = case.masks
        log = np.zeros(self._left + 1, np.int64)
        state, _, _ = advance(stack, 1, self._search.rules_of(case), self._left, log)
        steps = int(log[0])
        if state != EXHAUSTED or steps > self._left:
            raise TooLong
        self._left -= steps
        codes: list[int] = log[1 : steps + 1].tolist()
        return codes
