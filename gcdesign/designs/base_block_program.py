"""Base blocks under a prescribed group as an integer program, solved by CP-SAT.

With a cyclic group of prime order on copies of Z_p this is the incidence matrix with a prescribed
automorphism; with the trivial group, Z1 with v copies, the incidence matrix itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING

from gcdesign.designs.base_blocks import BaseBlocks
from gcdesign.designs.prescribed import Kind, Prescribed
from gcdesign.designs.tools.solving import Limits, solve

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


def solve_base_blocks(
    wanted: Prescribed, kinds: Sequence[Kind], *, seconds: float, seed: int = 1, workers: int = 1
) -> tuple[bool, BaseBlocks | None]:
    """Look for one base block of each given kind that make the design.

    Parameters
    ----------
    wanted
        The design and its group.
    kinds
        The kind of each base block; their orbits must have b blocks in all.
    seconds, seed, workers
        Limits and settings of the solver.

    Returns
    -------
    tuple
        Whether the solver came to its end, and the base blocks if it found some. An end without
        base blocks proves that there are none of these kinds.

    Examples
    --------
    >>> from gcdesign.designs.actions import Action
    >>> from gcdesign.designs.rings import Ring
    >>> wanted = Prescribed(Action(Ring.parse("Z7")), 3, 1)
    >>> _, found = solve_base_blocks(wanted, wanted.kinds, seconds=10)
    >>> found.coverage().lambda_
    1
    """
    program = _Program(wanted, kinds)
    variables = [x for taken in program.taken for _, x in taken]
    clock = Limits(seconds=seconds, threads=workers, seed=seed).clock()
    solved = solve(program.model, variables, clock=clock)
    if solved.status in ("impossible", "unknown"):
        return solved.status == "impossible", None
    values = iter(solved.values)
    blocks = [
        tuple(sorted(p for atom, _ in taken if next(values) for p in atom))
        for taken in program.taken
    ]
    return True, BaseBlocks(wanted.action, tuple(blocks))


class _Program:
    """One 0/1 variable for each atom of each base block, and one for each two in one block."""

    def __init__(self, wanted: Prescribed, kinds: Sequence[Kind]) -> None:
        from ortools.sat.python import cp_model

        self.wanted, self.model = wanted, cp_model.CpModel()
        self.taken: list[list[tuple[tuple[int, ...], cp_model.IntVar]]] = [
            [(atom, self.model.new_bool_var("")) for atom in kind.atoms] for kind in kinds
        ]
        number, sizes = wanted.pairs
        cover: list[list[tuple[int, cp_model.IntVar]]] = [[] for _ in sizes]
        for kind, taken in zip(kinds, self.taken, strict=True):
            self.model.add(sum(len(atom) * x for atom, x in taken) == wanted.k)
            for (first, x), (second, y) in combinations_with_replacement(taken, 2):
                if len(first) + len(second) > wanted.k and x is not y:
                    self.model.add_at_most_one(x, y)
                    continue
                pairs = (
                    combinations(first, 2) if x is y else ((p, q) for p in first for q in second)
                )
                counts = Counter(int(number[p, q]) for p, q in pairs)
                both = x if x is y else self._both(x, y)
                for orbit, times in counts.items():
                    cover[orbit].append((times * kind.orbit, both))
        for terms, size in zip(cover, sizes.tolist(), strict=True):
            self.model.add(sum(times * x for times, x in terms) == wanted.lambda_ * size)
        self._replication(kinds)

    def _both(self, x: cp_model.IntVar, y: cp_model.IntVar) -> cp_model.IntVar:
        both = self.model.new_bool_var("")
        self.model.add_implication(both, x)
        self.model.add_implication(both, y)
        self.model.add_bool_or(~x, ~y, both)
        return both

    def _replication(self, kinds: Sequence[Kind]) -> None:
        """Every point lies in r blocks: implied, but it helps."""
        wanted = self.wanted
        r = wanted.lambda_ * (wanted.action.v - 1) // (wanted.k - 1)
        for orbit in wanted.point_orbits:
            points = set(orbit)
            terms = [
                kind.orbit * len(points.intersection(atom)) * x
                for kind, taken in zip(kinds, self.taken, strict=True)
                for atom, x in taken
            ]
            self.model.add(sum(terms) == r * len(orbit))
