"""Compiled local search for base blocks; compiles on import, so import it where it is used.

A base block is a union of *atoms*, the orbits of its prescribed stabiliser. A move takes atoms
out of one base block and puts others of the same total size in; the cost says how far the pairs
of points are from being covered λ times each.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.compiled import compiled


@compiled
def random_below(seed: NDArray[np.uint64], bound: int) -> np.int64:
    """Return a pseudo-random whole number from 0 to bound − 1 and move the seed on."""
    x = seed[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    seed[0] = x
    return np.int64((x >> np.uint64(16)) % np.uint64(bound))


@compiled
def flip(
    pair_orbit: NDArray[np.int32],
    atoms: NDArray[np.int32],
    atom: int,
    sign: int,
    inside: NDArray[np.int32],
    count: int,
    weight: int,
    change: NDArray[np.int64],
    touched: NDArray[np.int32],
    marked: NDArray[np.uint8],
    touches: int,
) -> tuple[int, int]:
    """Move an atom into (sign 1) or out of (sign −1) a block, and note what changes.

    ``inside`` lists the ``count`` points of the block. Returns the new count and the number of
    pair orbits touched.
    """
    for e in range(atoms.shape[1]):
        point = atoms[atom, e]
        if point < 0:
            break
        if sign < 0:
            at = 0
            while inside[at] != point:
                at += 1
            count -= 1
            inside[at] = inside[count]
        for i in range(count):
            orbit = pair_orbit[point, inside[i]]
            if marked[orbit] == 0:
                marked[orbit] = 1
                touched[touches] = orbit
                touches += 1
            change[orbit] += sign * weight
        if sign > 0:
            inside[count] = point
            count += 1
    return count, touches


@compiled
def anneal(
    pair_orbit: NDArray[np.int32],
    excess: NDArray[np.int64],
    orbit_sizes: NDArray[np.int64],
    atoms: NDArray[np.int32],
    atom_sizes: NDArray[np.int64],
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    weights: NDArray[np.int64],
    order: NDArray[np.int32],
    chosen: NDArray[np.int64],
    inside: NDArray[np.int32],
    k: int,
    moves: int,
    heat: float,
    scale: int,
    seed: NDArray[np.uint64],
) -> tuple[float, int]:
    """Move atoms at one temperature until every pair orbit is covered as often as it should be.

    Parameters
    ----------
    pair_orbit
        Shape (v, v): the orbit of each pair of points.
    excess
        Shape (orbits,): how often the pairs of an orbit are covered in all, minus λ times its
        size; kept up to date.
    atoms, atom_sizes
        Points of each atom, filled up with −1, and their numbers.
    first, last
        Shape (base blocks,): block j is made of atoms ``first[j]`` … ``last[j] − 1``.
    weights
        Shape (base blocks,): the length of the orbit of each base block.
    order, chosen
        Row j of ``order`` lists the atoms of block j; the first ``chosen[j]`` are in the block.
    inside
        Shape (base blocks, k): the points of each block.

    Returns
    -------
    tuple
        The cost at the end, 0 if a design was found, and the moves made.
    """
    blocks, orbits = len(first), len(excess)
    change = np.zeros(orbits, dtype=np.int64)
    marked = np.zeros(orbits, dtype=np.uint8)
    touched = np.zeros(orbits, dtype=np.int32)
    spare = np.zeros(k, dtype=np.int32)
    cost = 0.0
    for orbit in range(orbits):
        cost += excess[orbit] * excess[orbit] / (orbit_sizes[orbit] * scale)
    for step in range(moves):
        if cost < 1e-6:
            return 0.0, step
        j = random_below(seed, blocks)
        total, taken = last[j] - first[j], chosen[j]
        if taken == total or taken == 0:
            continue
        # Take one atom out and put one in; while the sizes differ, take or put more.
        spare[:] = inside[j]
        out, new, count, touches = taken, taken, k, 0
        weight = weights[j]
        for turn in range(16):
            if turn > 0 and count == k:
                break
            sign = -1
            if count < k and new < total:
                i = new + random_below(seed, total - new)
                if count + atom_sizes[order[j, i]] <= k:
                    sign = 1
            if sign > 0:
                atom = order[j, i]
                order[j, i] = order[j, new]
                order[j, new] = atom
                new += 1
            elif out > 0:
                i = random_below(seed, out)
                atom = order[j, i]
                out -= 1
                order[j, i] = order[j, out]
                order[j, out] = atom
            else:
                break
            count, touches = flip(
                pair_orbit, atoms, atom, sign, inside[j], count, weight,
                change, touched, marked, touches,
            )  # fmt: skip
        delta = 0.0
        for t in range(touches):
            orbit = touched[t]
            marked[orbit] = 0
            delta += (
                change[orbit] * (2 * excess[orbit] + change[orbit]) / (orbit_sizes[orbit] * scale)
            )
        accept = count == k
        if accept and delta > 0:
            accept = random_below(seed, 1 << 30) < np.exp(-delta / heat) * (1 << 30)
        if accept:
            cost += delta
            for t in range(touches):
                excess[touched[t]] += change[touched[t]]
            # In: the atoms kept (before out) and put in (taken … new − 1).
            kept = out
            for i in range(taken, new):
                atom = order[j, i]
                order[j, i] = order[j, kept]
                order[j, kept] = atom
                kept += 1
            chosen[j] = kept
        else:
            inside[j] = spare
        for t in range(touches):
            change[touched[t]] = 0
    return cost, moves
