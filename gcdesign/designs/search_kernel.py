"""Compiled local search for base blocks; compiles on import, so import it where it is used.

A base block is a union of *atoms*, the orbits of its prescribed stabiliser. A move takes atoms
out of one base block and puts others of the same total size in; the cost says how far the pairs
of points are from being covered λ times each.

For every atom, in a base block or not, a table holds how its points meet the others in that block:
so many pairs of each orbit. What a move changes is then a difference of rows, and the tables
change with the few moves that are made.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gcdesign.compiled import compiled

MAX_MOVED = 12
"""Most atoms that one move takes out, and most that it puts in."""

MAX_TRIES = 24
"""Most draws of atoms in one move."""

Integers = NDArray[np.int64]
Numbers = NDArray[np.int32]
Number = int | np.int64


class Orbits(NamedTuple):
    """The orbits of a group on pairs of points.

    Attributes
    ----------
    number
        Shape (v, v): the orbit of each pair of points.
    weights
        Shape (orbits,): what the square of an orbit's excess counts.
    """

    number: Numbers
    weights: Integers


class Blocks(NamedTuple):
    """Base blocks, and what changes in them while they are annealed.

    Attributes
    ----------
    atoms, sizes
        Points of each atom, filled up with −1, and their numbers.
    first, last
        Shape (base blocks,): block j is made of atoms ``first[j]`` … ``last[j] − 1``.
    lengths
        Shape (base blocks,): the length of the orbit of each base block.
    order, held
        Row j of ``order`` lists the atoms of block j; the first ``held[j]`` are in the block.
    pairs
        Shape (base blocks, atoms, orbits): pairs of a point of an atom and another of the
        block, or of the atom itself, in each orbit; atoms count from ``first[j]``.
    excess
        Shape (orbits,): how often the pairs of an orbit are covered in all, minus λ times its
        size.
    """

    atoms: Numbers
    sizes: Integers
    first: Integers
    last: Integers
    lengths: Integers
    order: Numbers
    held: Integers
    pairs: Numbers
    excess: Integers


@compiled
def random_below(seed: NDArray[np.uint64], bound: Number) -> np.int64:
    """Return a pseudo-random whole number from 0 to bound − 1 and move the seed on."""
    x = seed[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    seed[0] = x
    return np.int64(((x >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@compiled
def among(atoms: Numbers, count: int, atom: int) -> bool:
    """Whether an atom is one of the first ``count``."""
    found = False
    for i in range(count):
        found |= atoms[i] == atom
    return found


@compiled
def propose(
    order: Numbers, sizes: Integers, held: Number, free: Number, j: Number,
    out: Numbers, new: Numbers, seed: NDArray[np.uint64],
) -> tuple[int, int]:  # fmt: skip
    """Choose atoms of block j to take out and to put in, of one total size.

    One atom goes; then others come, or more go, until the sizes agree. Now and then one is
    taken that is larger than what is missing. Returns the numbers of atoms, or zeros if the
    sizes never agreed.
    """
    out[0] = order[j, random_below(seed, held)]
    leaving, coming, missing = 1, 0, sizes[out[0]]
    for _ in range(MAX_TRIES):
        if missing > 0:
            atom = order[j, held + random_below(seed, free)]
            if coming == MAX_MOVED or among(new, coming, atom):
                continue
            if sizes[atom] <= missing or random_below(seed, 3) == 0:
                new[coming] = atom
                coming += 1
                missing -= sizes[atom]
        else:
            atom = order[j, random_below(seed, held)]
            if leaving == MAX_MOVED or among(out, leaving, atom):
                continue
            if sizes[atom] <= -missing or random_below(seed, 3) == 0:
                out[leaving] = atom
                leaving += 1
                missing += sizes[atom]
        if missing == 0:
            return leaving, coming
    return 0, 0


@compiled
def add_pairs(
    change: Integers, number: Numbers, atoms: Numbers, first: Number, second: Number, sign: int
) -> None:
    """Count the pairs between two atoms, with a sign, by orbit."""
    for a in range(atoms.shape[1]):
        x = atoms[first, a]
        if x < 0:
            break
        for c in range(atoms.shape[1]):
            y = atoms[second, c]
            if y < 0:
                break
            change[number[x, y]] += sign


@compiled
def add_row(change: Integers, pairs: Numbers, j: Number, place: Number, sign: int) -> None:
    """Add a row of the table of block j, with a sign."""
    for o in range(len(change)):
        change[o] += sign * pairs[j, place, o]


@compiled
def add_corrections(
    change: Integers, number: Numbers, atoms: Numbers,
    out: Numbers, new: Numbers, leaving: int, coming: int,
) -> None:  # fmt: skip
    """Correct a sum of rows of the table for the pairs among the atoms of a move.

    Pairs between an atom that comes and one that goes are counted and will not be there; those
    between two that come are not counted; those between two that go are counted twice.
    """
    for i in range(coming):
        for h in range(leaving):
            add_pairs(change, number, atoms, new[i], out[h], -1)
        for h in range(i):
            add_pairs(change, number, atoms, new[i], new[h], 1)
    for i in range(1, leaving):
        for h in range(i):
            add_pairs(change, number, atoms, out[i], out[h], 1)


@compiled
def rise(change: Integers, excess: Integers, weights: Integers, length: int) -> int:
    """Return how much the cost rises by a change."""
    total = 0
    for o in range(len(change)):
        step = length * change[o]
        total += step * (2 * excess[o] + step) * weights[o]
    return total


@compiled
def accepted(delta: int, heat: float, seed: NDArray[np.uint64]) -> bool:
    """Whether a move is made: always downhill, uphill by Metropolis's rule."""
    if delta <= 0:
        return True
    if delta > 16 * heat:
        return False
    return bool(random_below(seed, 1 << 30) < np.exp(-delta / heat) * (1 << 30))


@compiled
def meet(orbits: Orbits, blocks: Blocks, j: Number, atom: Number, sign: int) -> None:
    """Bring the table of block j up to date with an atom that came (1) or left (−1)."""
    first = blocks.first[j]
    for other in range(first, blocks.last[j]):
        if other != atom:
            row = blocks.pairs[j, other - first]
            add_pairs(row, orbits.number, blocks.atoms, other, atom, sign)


@compiled
def exchange(
    orbits: Orbits, blocks: Blocks, j: Number, out: Numbers, new: Numbers, leaving: int, coming: int
) -> None:
    """Take atoms out of block j and put others in."""
    order, held = blocks.order[j], blocks.held[j]
    for i in range(leaving):
        meet(orbits, blocks, j, out[i], -1)
        held -= 1
        swap(order, place_of(order, out[i]), held)
    # Those that go now stand first after the block, so that those that come are further on.
    for i in range(coming):
        meet(orbits, blocks, j, new[i], 1)
        swap(order, place_of(order, new[i]), held)
        held += 1
    blocks.held[j] = held


@compiled
def place_of(order: Numbers, atom: int) -> int:
    """Return where an atom stands."""
    i = 0
    while order[i] != atom:
        i += 1
    return i


@compiled
def swap(order: Numbers, i: int, j: int) -> None:
    """Let two atoms change places."""
    atom = order[i]
    order[i] = order[j]
    order[j] = atom


@compiled
def anneal(
    orbits: Orbits, blocks: Blocks, moves: int, heat: float, seed: NDArray[np.uint64]
) -> Number:
    """Move atoms at one temperature until every pair orbit is covered as often as it should be.

    Parameters
    ----------
    orbits, blocks
        The orbits of the group, and base blocks that have an atom in and one out each; they are
        changed.
    moves
        Most moves tried.
    heat
        The temperature, in units of the cost.
    seed
        Shape (1,): the state of the random numbers, not 0.

    Returns
    -------
    Number
        The cost at the end, 0 if a design was found.
    """
    # The inner loop hands plain arrays on: each tuple of arrays costs as much as a move.
    atoms, sizes, order, held = blocks.atoms, blocks.sizes, blocks.order, blocks.held
    first, last, pairs, excess = blocks.first, blocks.last, blocks.pairs, blocks.excess
    out, new = np.zeros(MAX_MOVED, dtype=np.int32), np.zeros(MAX_MOVED, dtype=np.int32)
    change = np.zeros(len(excess), dtype=np.int64)
    cost: Number = int(np.sum(excess * excess * orbits.weights))
    for _ in range(moves):
        if cost == 0:
            break
        j = random_below(seed, len(first))
        free = last[j] - first[j] - held[j]
        leaving, coming = propose(order, sizes, held[j], free, j, out, new, seed)
        if coming == 0:
            continue
        change[:] = 0
        for i in range(coming):
            add_row(change, pairs, j, new[i] - first[j], 1)
        for i in range(leaving):
            add_row(change, pairs, j, out[i] - first[j], -1)
        add_corrections(change, orbits.number, atoms, out, new, leaving, coming)
        delta = rise(change, excess, orbits.weights, blocks.lengths[j])
        if accepted(delta, heat, seed):
            exchange(orbits, blocks, j, out, new, leaving, coming)
            excess += blocks.lengths[j] * change
            cost += delta
    return cost
