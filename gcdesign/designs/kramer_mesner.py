"""Designs with a prescribed group by the method of Kramer and Mesner, solved by CP-SAT."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import comb

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.base_blocks import BaseBlocks
from gcdesign.designs.prescribed import Kind, Prescribed
from gcdesign.designs.randomness import Draws
from gcdesign.designs.tools.solving import Limits, solve

MAX_COLUMNS = 4000
"""Most orbits of blocks that are offered to the solver."""


def kramer_mesner(
    wanted: Prescribed,
    *,
    seconds: float,
    seed: int = 1,
    columns: int = MAX_COLUMNS,
    workers: int = 1,
) -> tuple[bool, BaseBlocks | None]:
    """Look for a multiset of orbits of blocks that cover each orbit of pairs λ times.

    Parameters
    ----------
    wanted
        The design and its group.
    seconds, workers
        Limits and settings of the solver.
    seed
        Decides which orbits are offered, if not all are, and the solver's choices.
    columns
        Most orbits of blocks; where there are more, some of each kind are drawn.

    Returns
    -------
    tuple
        Whether the solver had all orbits and came to its end, and the base blocks if it found
        some. An end without base blocks proves that there is no design with this group.

    Notes
    -----
    Source: Kramer, Mesner 1976, t-designs on hypergraphs.

    Examples
    --------
    >>> from gcdesign.designs.actions import Action, Multiplier
    >>> from gcdesign.designs.rings import Ring
    >>> frobenius = Action(Ring.parse("Z7"), multipliers=(Multiplier(2),))
    >>> kramer_mesner(Prescribed(frobenius, 3, 1), seconds=10)[1].coverage().lambda_
    1
    >>> six = Action(Ring.parse("Z6"), fixed=1)
    >>> kramer_mesner(Prescribed(six, 3, 1), seconds=10)  # no automorphism has order 6
    (True, None)
    """
    from ortools.sat.python import cp_model

    every, matrix, blocks = _columns(wanted, columns, Draws(seed))
    if not len(blocks) or not matrix.any(axis=0).all():
        return every, None
    model = cp_model.CpModel()
    most = wanted.lambda_ // matrix.max(axis=1)
    times = [model.new_int_var(0, int(n), "") for n in most]
    for column in matrix.T:
        used = np.flatnonzero(column).tolist()
        model.add(sum(int(column[i]) * times[i] for i in used) == wanted.lambda_)
    clock = Limits(seconds=seconds, threads=workers, seed=seed).clock()
    solved = solve(model, times, clock=clock)
    if solved.status in ("impossible", "unknown"):
        return every and solved.status == "impossible", None
    chosen = [b for b, count in zip(blocks, solved.values, strict=True) for _ in range(count)]
    return True, BaseBlocks(wanted.action, tuple(chosen))


def _columns(
    wanted: Prescribed, most: int, draws: Draws
) -> tuple[bool, NDArray[np.int64], list[tuple[int, ...]]]:
    """Return orbits of blocks: whether all are there, how they cover pairs, and one of each.

    Of orbits that cover pairs equally, one is kept.
    """
    number, sizes = wanted.pairs
    i, j = np.triu_indices(wanted.k, 1)
    found: dict[bytes, tuple[NDArray[np.int64], tuple[int, ...]]] = {}
    v = wanted.action.v
    every = comb(v, wanted.k) <= 2 * most
    single = Kind(wanted.order, tuple((p,) for p in range(v)))
    kinds = [single] if every else wanted.kinds
    share = max(1, most // max(1, len(kinds)))
    for kind in kinds:
        counter = _Unions(kind, wanted.k)
        whole = every or counter.total <= 2 * share
        wanted_blocks = counter.all() if whole else counter.some(draws)
        for block in islice(wanted_blocks, 2 * most if every else 2 * share):
            points = np.array(block, dtype=np.int64)
            counts = np.bincount(number[points[i], points[j]], minlength=len(sizes))
            column = counts * BaseBlocks(wanted.action, (block,)).b // sizes
            if column.max() <= wanted.lambda_:
                found.setdefault(column.tobytes(), (column, block))
    columns = [column for column, _ in found.values()]
    matrix = np.array(columns, dtype=np.int64).reshape(len(columns), len(sizes))
    return every, matrix, [block for _, block in found.values()]


class _Unions:
    """The unions of atoms with k points in all, counted and drawn evenly."""

    def __init__(self, kind: Kind, k: int) -> None:
        self.atoms, self.k = kind.atoms, k
        # ways[i][n]: choices of atoms from the i-th on with n points in all.
        self.ways = [[0] * (k + 1) for _ in range(len(self.atoms) + 1)]
        self.ways[-1][0] = 1
        for i in range(len(self.atoms) - 1, -1, -1):
            size = len(self.atoms[i])
            for n in range(k + 1):
                with_it = self.ways[i + 1][n - size] if n >= size else 0
                self.ways[i][n] = self.ways[i + 1][n] + with_it

    @property
    def total(self) -> int:
        """How many there are."""
        return self.ways[0][self.k]

    def all(self) -> Iterator[tuple[int, ...]]:
        """Yield every union."""
        return (self.unrank(rank) for rank in range(self.total))

    def some(self, draws: Draws) -> Iterator[tuple[int, ...]]:
        """Yield random unions for ever."""
        while True:
            high, low = (int(x) for x in draws.below(1 << 50, 2))
            yield self.unrank(((high << 50) + low) % self.total)

    def unrank(self, rank: int) -> tuple[int, ...]:
        """Return one union by its number."""
        block: list[int] = []
        rest = self.k
        for i, atom in enumerate(self.atoms):
            without = self.ways[i + 1][rest]
            if rank >= without:
                rank -= without
                block += atom
                rest -= len(atom)
        return tuple(sorted(block))
