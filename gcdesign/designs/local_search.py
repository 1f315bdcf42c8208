"""Local search for base blocks under a prescribed group; its inner loop is compiled.

With the trivial group, Z1 with v copies, this is simulated annealing on the incidence matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.base_blocks import BaseBlocks
from gcdesign.designs.compositions import composition
from gcdesign.designs.prescribed import Kind, Picked, Prescribed, picked
from gcdesign.designs.randomness import Draws
from gcdesign.designs.search_kernel import Blocks, Orbits, anneal

HEATS = (0.5, 1.0)
"""Least and greatest temperature, drawn anew for each run and kept all through it.

One pair of points that a full orbit of blocks covers once too often costs 1. Cooling was slower on
the designs tried.
"""

MAX_TABLE = 1 << 26
"""Most entries in the tables of pairs that a run keeps."""


def anneal_once(
    wanted: Prescribed, draws: Draws, *, moves: int, kinds: Sequence[Kind] = ()
) -> BaseBlocks | None:
    """Anneal from one random start.

    Parameters
    ----------
    wanted
        The design and its group.
    draws
        Random choices; equal streams give equal results.
    moves
        Exchanges of atoms between a base block and its complement.
    kinds
        The kind of each base block, with b blocks in all; by default chosen at random.

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
    start = [picked(kind, wanted.k, draws) for kind in kinds or composition(wanted, draws)]
    if not start:
        return None
    unit = gcd(*(block.kind.orbit for block in start))
    excess = sum((wanted.covered(block) for block in start), -wanted.lambda_ * wanted.pairs[1])
    if (excess % unit).any():
        return None
    loose = [block for block in start if 0 < block.chosen.sum() < len(block.chosen)]
    if loose:
        blocks = _blocks(wanted, loose, excess // unit, unit)
        if blocks is None:
            return None
        low, high = HEATS
        heat = low + (high - low) * float(draws.uniform(1)[0])
        seed = 1 + draws.below(1 << 50, 1).astype(np.uint64)
        anneal(_orbits(wanted), blocks, moves, heat * (wanted.order / unit) ** 2, seed)
        loose = _after(loose, blocks)
        excess = blocks.excess
    fast = [block for block in start if not 0 < block.chosen.sum() < len(block.chosen)]
    if excess.any():
        return None
    return wanted.developed((block.kind, block.points) for block in loose + fast)


def _orbits(wanted: Prescribed) -> Orbits:
    """Return the orbits; an orbit of few pairs weighs as much as one of many that is as far off."""
    number, sizes = wanted.pairs
    return Orbits(number, wanted.order // sizes)


def _blocks(
    wanted: Prescribed, start: list[Picked], excess: NDArray[np.int64], unit: int
) -> Blocks | None:
    """Return the arrays of one run, or None if they would be too large."""
    sizes = wanted.pairs[1]
    distinct = list(dict.fromkeys(block.kind for block in start))
    atoms = [atom for kind in distinct for atom in kind.atoms]
    ends = np.cumsum([0, *(len(kind.atoms) for kind in distinct)])
    begins = dict(zip(distinct, ends.tolist(), strict=False))
    most = max(len(kind.atoms) for kind in distinct)
    if len(start) * most * len(sizes) > MAX_TABLE:
        return None
    table = np.full((len(atoms), max(map(len, atoms))), -1, dtype=np.int32)
    for row, atom in zip(table, atoms, strict=True):
        row[: len(atom)] = atom
    first = np.array([begins[block.kind] for block in start], dtype=np.int64)
    order = np.zeros((len(start), most), dtype=np.int32)
    pairs = np.zeros((len(start), most, len(sizes)), dtype=np.int32)
    for j, block in enumerate(start):
        inside = np.flatnonzero(block.chosen)
        outside = np.flatnonzero(~block.chosen)
        order[j, : len(block.chosen)] = first[j] + np.concatenate([inside, outside])
        pairs[j, : len(block.chosen)] = _pairs(wanted, block)
    return Blocks(
        atoms=table,
        sizes=np.array([len(atom) for atom in atoms], dtype=np.int64),
        first=first,
        last=first + np.array([len(block.chosen) for block in start], dtype=np.int64),
        lengths=np.array([block.kind.orbit // unit for block in start], dtype=np.int64),
        order=order,
        held=np.array([block.chosen.sum() for block in start], dtype=np.int64),
        pairs=pairs,
        excess=excess,
    )


def _pairs(wanted: Prescribed, block: Picked) -> NDArray[np.int64]:
    """Return how each atom meets a block, itself left out, and itself: pairs by orbit."""
    number, sizes = wanted.pairs
    points = block.points
    rows = []
    for atom in map(list, block.kind.atoms):
        met = number[np.ix_(atom, [y for y in points if y not in atom])].reshape(-1)
        own = number[atom][:, atom][np.triu_indices(len(atom), 1)]
        rows.append(np.bincount(np.concatenate([met, own]), minlength=len(sizes)))
    return np.array(rows)


def _after(start: list[Picked], blocks: Blocks) -> list[Picked]:
    """Return the blocks as annealing left them."""
    result = []
    for j, block in enumerate(start):
        chosen = np.zeros(len(block.chosen), dtype=bool)
        chosen[blocks.order[j, : blocks.held[j]] - blocks.first[j]] = True
        result.append(Picked(block.kind, chosen))
    return result
