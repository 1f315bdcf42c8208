"""Local search for base blocks under a prescribed group; its inner loop is compiled.

With the trivial group, Z1 with v copies, this is simulated annealing on the incidence matrix.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.base_blocks import BaseBlocks
from gcdesign.designs.prescribed import Kind, Prescribed
from gcdesign.designs.randomness import Draws

HEAT = 0.6
"""Temperature, the same for the whole run: cooling was slower on the five designs tried.

One pair of points that a full orbit of blocks covers once too often costs 1.
"""

MAX_BASE_BLOCKS = 400
"""Most base blocks of one start."""


@dataclass
class Start:
    """Arrays for one run of `gcdesign.designs.search_kernel.anneal`; see there."""

    kinds: list[Kind]
    atoms: NDArray[np.int32]
    atom_sizes: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    order: NDArray[np.int32]
    chosen: NDArray[np.int64]
    inside: NDArray[np.int32]


def anneal_once(wanted: Prescribed, draws: Draws, *, moves: int) -> BaseBlocks | None:
    """Anneal from one random start.

    Parameters
    ----------
    wanted
        The design and its group.
    draws
        Random choices; equal streams give equal results.
    moves
        Moves of atoms between a base block and its complement.

    Returns
    -------
    BaseBlocks or None
        Base blocks of the design, if the run found one.

    Examples
    --------
    >>> from gcdesign.designs.actions import Action
    >>> from gcdesign.designs.rings import Ring
    >>> found = anneal_once(Prescribed(Action(Ring.parse("Z7")), 3, 1), Draws(1), moves=1000)
    >>> found.coverage().lambda_
    1
    """
    from gcdesign.designs.search_kernel import anneal

    kinds = _composition(wanted, draws)
    start = None if kinds is None else _start(wanted, kinds, draws)
    if start is None:
        return None
    number, sizes = wanted.pairs
    weights = np.array([kind.orbit for kind in start.kinds], dtype=np.int64)
    excess = -wanted.lambda_ * sizes
    i, j = np.triu_indices(wanted.k, 1)
    for block, weight in zip(start.inside, weights, strict=True):
        np.add.at(excess, number[block[i], block[j]], weight)
    seed = 1 + draws.below(1 << 50, 1).astype(np.uint64)
    anneal(
        number, excess, sizes, start.atoms, start.atom_sizes, start.first, start.last, weights,
        start.order, start.chosen, start.inside, wanted.k, moves, HEAT, wanted.order, seed,
    )  # fmt: skip
    if excess.any():
        return None
    return _repeated(wanted, start, [tuple(sorted(block.tolist())) for block in start.inside])


def _composition(wanted: Prescribed, draws: Draws) -> list[Kind] | None:
    """Return kinds of base blocks with b blocks in all, mostly of one kind.

    A symmetric design mostly gets one base block for each orbit of points, of equal length:
    a cyclic group has as many orbits of each length on points as on blocks (Brauer).
    """
    if wanted.b == wanted.action.v and draws.below(4, 1)[0]:
        return _like_points(wanted)
    kinds = wanted.kinds
    for _ in range(30 if kinds else 0):
        rest, result = wanted.b, list[Kind]()
        main = kinds[int(draws.below(len(kinds), 1)[0])]
        while rest > 0 and len(result) < MAX_BASE_BLOCKS:
            fitting = [kind for kind in kinds if kind.orbit <= rest]
            if not fitting:
                break
            usual = main.orbit <= rest and draws.below(10, 1)[0] < 8
            kind = main if usual else fitting[int(draws.below(len(fitting), 1)[0])]
            result.append(kind)
            rest -= kind.orbit
        if rest == 0:
            return sorted(result, key=lambda kind: -kind.orbit)
    return None


def _like_points(wanted: Prescribed) -> list[Kind] | None:
    result = []
    for orbit in wanted.point_orbits:
        kinds = [kind for kind in wanted.kinds if kind.orbit == len(orbit)]
        if not kinds:
            return None
        # A stabiliser of a point fixes that point.
        result.append(next((k for k in kinds if any(len(a) == 1 for a in k.atoms)), kinds[0]))
    return result


def _start(wanted: Prescribed, kinds: list[Kind], draws: Draws) -> Start | None:
    """Return random base blocks of the given kinds."""
    distinct = list(dict.fromkeys(kinds))
    atoms = [atom for kind in distinct for atom in kind.atoms]
    ends = np.cumsum([0, *(len(kind.atoms) for kind in distinct)])
    begins = dict(zip(distinct, ends.tolist(), strict=False))
    table = np.full((len(atoms), max(map(len, atoms))), -1, dtype=np.int32)
    for row, atom in zip(table, atoms, strict=True):
        row[: len(atom)] = atom
    sizes = np.array([len(atom) for atom in atoms], dtype=np.int64)
    first = np.array([begins[kind] for kind in kinds], dtype=np.int64)
    last = first + np.array([len(kind.atoms) for kind in kinds], dtype=np.int64)
    order = np.zeros((len(kinds), int((last - first).max())), dtype=np.int32)
    chosen = np.zeros(len(kinds), dtype=np.int64)
    inside = np.zeros((len(kinds), wanted.k), dtype=np.int32)
    for j in range(len(kinds)):
        shuffled = first[j] + draws.permutation(int(last[j] - first[j]))
        picked = _pick(sizes[shuffled], wanted.k, draws)
        if picked is None:
            return None
        order[j, : len(shuffled)] = np.concatenate([shuffled[picked], shuffled[~picked]])
        chosen[j] = picked.sum()
        inside[j] = np.concatenate([atoms[atom] for atom in shuffled[picked]])
    return Start(kinds, table, sizes, first, last, order, chosen, inside)


def _pick(sizes: NDArray[np.int64], k: int, draws: Draws) -> NDArray[np.bool_] | None:
    """Return a random choice of atoms with k points in all."""
    for _ in range(40):
        rest, picked = k, np.zeros(len(sizes), dtype=bool)
        for i in draws.permutation(len(sizes)):
            if sizes[i] <= rest:
                picked[i] = True
                rest -= int(sizes[i])
        if rest == 0:
            return picked
    return None


def _repeated(wanted: Prescribed, start: Start, blocks: list[tuple[int, ...]]) -> BaseBlocks:
    """Give a block more than once if its orbit is shorter than that of its kind."""
    result: list[tuple[int, ...]] = []
    for kind, block in zip(start.kinds, blocks, strict=True):
        length = BaseBlocks(wanted.action, (block,)).b
        result += [block] * (kind.orbit // length)
    return BaseBlocks(wanted.action, tuple(result))
