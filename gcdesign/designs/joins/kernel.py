"""Compiled walks among base blocks of one kind; compiles on import, so import it where it is used.

A walk keeps how many atoms of each type the block has: a move swaps an atom of the block with one
outside of the same type. Every block that it looks at and that is near enough to its share of the
pairs is listed, once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.compiled import compiled
from gcdesign.designs.search_kernel import random_below

WARM = 2000
"""Moves of a walk while it cools."""

COOLING = 4.0
"""How many times as hot as later a walk begins."""

MIX = np.uint64(0x9E3779B97F4A7C15)
"""Odd number that spreads keys over a table."""

Keys = NDArray[np.uint64]
Floats = NDArray[np.float32]
Small = NDArray[np.int16]
Integers = NDArray[np.int64]
Steps = NDArray[np.int32]


@compiled
def place_in(table: Keys, key: np.uint64) -> np.uint64:
    """Return the place of a key in a table of a power of two of places, or a free one for it."""
    last = np.uint64(len(table) - 1)
    place = (key * MIX) >> np.uint64(20) & last
    while table[place] != 0 and table[place] != key:
        place = (place + np.uint64(1)) & last
    return place


@compiled
def new_key(table: Keys, key: np.uint64) -> bool:
    """Put a key into a table; False if it is there."""
    key = key if key else MIX  # a free place is 0
    place = place_in(table, key)
    new = table[place] == 0
    table[place] = key
    return bool(new)


@compiled
def start(order: Integers, ends: Integers, seed: Keys) -> None:
    """Shuffle the atoms of each type; type t has those from ``ends[t]`` to ``ends[t + 1]``."""
    for t in range(len(ends) - 1):
        for i in range(ends[t + 1] - 1, ends[t], -1):
            j = ends[t] + random_below(seed, i + 1 - ends[t])
            order[i], order[j] = order[j], order[i]


@compiled
def rise(
    excess: Steps, weights: Integers, step: np.int32, gained: Small, lost: Small, met: Small
) -> np.int64:
    """Return how much the cost rises by a swap that gains, loses and must not count pairs.

    Whole numbers: processors add several at once, and all of them get the same.
    """
    total = np.int64(0)
    for o in range(len(excess)):
        change = np.int32(step * np.int32(gained[o] - lost[o] - met[o]))
        total += np.int64(2 * excess[o] + change) * np.int64(change) * weights[o]
    return total


@compiled
def walk(
    own: Small, cross: Small, own_keys: Keys, cross_keys: Keys,
    order: Integers, ends: Integers, held: Integers, slots: Integers, slot_type: Integers,
    goal: Steps, weights: Integers, step: np.int32, heat: float, moves: int, cut: float,
    table: Keys, keys: Keys, costs: Floats, members: Keys, found: int, seed: Keys,
) -> int:  # fmt: skip
    """Walk from a random block and list what is near enough.

    Parameters
    ----------
    own, cross
        Shapes (atoms, orbits) and (atoms, atoms, orbits): pairs in an atom and between two.
    own_keys, cross_keys
        The same, as keys: their sums tell counts apart.
    order, ends, held
        Atoms by type, where each type ends, and how many of each type a block has.
    slots, slot_type
        Places in ``order`` of atoms in the block that may move, and their types.
    goal, weights
        Shape (orbits,): the share of the block, and what a squared excess counts.
    step
        What one pair of the block counts.
    heat, moves, cut
        Temperature of the walk, number of moves, and the cost below which blocks are listed.
    table, keys, costs, members, found
        Keys seen, and the list so far: key, cost and atoms, as bits, of each block.

    Returns
    -------
    int
        The new length of the list, which may be full.
    """
    orbits = own.shape[1]
    start(order, ends, seed)
    pairs, pair_keys = own.copy(), own_keys.copy()
    inside = np.zeros(members.shape[1], dtype=np.uint64)
    excess = -goal.copy()
    key = np.uint64(0)
    for t in range(len(held)):
        for i in range(ends[t], ends[t] + held[t]):
            atom = order[i]
            inside[atom >> 6] |= np.uint64(1) << np.uint64(atom & 63)
            key += pair_keys[atom]
            for o in range(orbits):
                excess[o] += step * np.int32(pairs[atom, o])
            add_atom(pairs, pair_keys, cross[atom], cross_keys[atom])
    cost = np.int64(0)
    for o in range(orbits):
        cost += np.int64(excess[o]) * np.int64(excess[o]) * weights[o]
    for move in range(moves):
        now = heat * COOLING ** (1 - move / WARM) if move < WARM else heat
        s = random_below(seed, len(slots))
        t = slot_type[s]
        free = ends[t] + held[t]
        other = free + random_below(seed, ends[t + 1] - free)
        out, new = order[slots[s]], order[other]
        delta = rise(excess, weights, step, pairs[new], pairs[out], cross[new, out])
        changed = pair_keys[new] - pair_keys[out] - cross_keys[new, out]
        near = cost + delta < cut and move >= WARM and found < len(keys)
        if near and new_key(table, key + changed):
            keys[found], costs[found] = key + changed, cost + delta
            members[found] = inside
            members[found, out >> 6] ^= np.uint64(1) << np.uint64(out & 63)
            members[found, new >> 6] ^= np.uint64(1) << np.uint64(new & 63)
            found += 1
        if delta > 0:
            if delta > 16 * now:
                continue
            if random_below(seed, 1 << 30) >= np.exp(-delta / now) * (1 << 30):
                continue
        for o in range(orbits):
            excess[o] += step * np.int32(pairs[new, o] - pairs[out, o] - cross[new, out, o])
        cost += delta
        key += changed
        inside[out >> 6] ^= np.uint64(1) << np.uint64(out & 63)
        inside[new >> 6] ^= np.uint64(1) << np.uint64(new & 63)
        order[slots[s]], order[other] = new, out
        exchange(pairs, pair_keys, cross[new], cross_keys[new], cross[out], cross_keys[out])
    return found


@compiled
def add_atom(pairs: Small, pair_keys: Keys, cross: Small, cross_keys: Keys) -> None:
    """Bring the pairs of all atoms with a block up to date with an atom that came."""
    for x in range(pairs.shape[0]):
        pair_keys[x] += cross_keys[x]
        for o in range(pairs.shape[1]):
            pairs[x, o] += cross[x, o]


@compiled
def exchange(
    pairs: Small, pair_keys: Keys,
    came: Small, came_keys: Keys, left: Small, left_keys: Keys,
) -> None:  # fmt: skip
    """Bring the pairs of all atoms with a block up to date with a swap."""
    for x in range(pairs.shape[0]):
        pair_keys[x] += came_keys[x] - left_keys[x]
        for o in range(pairs.shape[1]):
            pairs[x, o] += came[x, o] - left[x, o]


@compiled
def every(
    cross_keys: Keys, own_keys: Keys, atoms: Integers, ends: Integers, held: Integers,
    keys: Keys, members: Keys,
) -> int:  # fmt: skip
    """List all blocks with so many atoms of each type; returns how many.

    The lists must be long enough. Type t has the atoms from ``ends[t]`` to ``ends[t + 1]``.
    """
    size = 0
    for t in range(len(held)):
        size += held[t]
    chosen, kind = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    i = 0
    for t in range(len(held)):
        for j in range(held[t]):
            chosen[i], kind[i] = ends[t] + j, t
            i += 1
    count = 0
    while True:
        key = np.uint64(0)
        for a in range(size):
            x = atoms[chosen[a]]
            key += own_keys[x]
            members[count, x >> 6] |= np.uint64(1) << np.uint64(x & 63)
            for b in range(a):
                key += cross_keys[x, atoms[chosen[b]]]
        keys[count] = key
        count += 1
        # The last atom that can move on does, and those after it start anew.
        a = size - 1
        while a >= 0:
            after = 0
            while a + after + 1 < size and kind[a + after + 1] == kind[a]:
                after += 1
            if chosen[a] + after + 1 < ends[kind[a] + 1]:
                break
            a -= 1
        if a < 0:
            return count
        chosen[a] += 1
        place = chosen[a]
        for b in range(a + 1, size):
            if kind[b] == kind[a]:
                place += 1
            elif kind[b] != kind[b - 1]:
                place = ends[kind[b]]
            else:
                place += 1
            chosen[b] = place


@compiled
def counted(own: Small, cross: Small, members: Keys, result: Steps) -> None:
    """Count the pairs of each orbit in blocks that are given by the bits of their atoms."""
    n = own.shape[0]
    inside = np.zeros(n, dtype=np.int64)
    for row in range(len(members)):
        size = 0
        for x in range(n):
            if members[row, x >> 6] >> np.uint64(x & 63) & np.uint64(1):
                inside[size] = x
                size += 1
        for a in range(size):
            for o in range(own.shape[1]):
                result[row, o] += own[inside[a], o]
            for b in range(a):
                for o in range(own.shape[1]):
                    result[row, o] += cross[inside[a], inside[b], o]


BAND = 512
"""Columns whose products are added up at once."""


@compiled
def near_pairs(
    first: Floats, first_norms: Floats, first_keys: Keys,
    second: Floats, second_norms: Floats, second_keys: Keys,
    cut: float, table: Keys, pairs: Integers, begin: int,
) -> tuple[int, int]:  # fmt: skip
    """List pairs of rows whose sum is short, and whose keys' sum is in a table if there is one.

    Parameters
    ----------
    first, second
        Shapes (rows, orbits) and (orbits, columns).
    first_norms, second_norms
        Their squares.
    first_keys, second_keys
        Their keys.
    cut
        The greatest square of a sum.
    table
        Keys as `new_key` puts them; of length 0 for all pairs.
    pairs
        Shape (most, 2): is filled with rows and columns.
    begin
        The row to begin with.

    Returns
    -------
    tuple
        The number of pairs, and the row to go on with.
    """
    found, columns = 0, second.shape[1]
    total = np.zeros(BAND, dtype=np.float32)
    for i in range(begin, len(first)):
        if found + columns > len(pairs):
            return found, i
        limit = np.float32((cut - first_norms[i]) / 2)
        for low in range(0, columns, BAND):
            width = min(BAND, columns - low)
            for j in range(width):
                total[j] = second_norms[low + j] / 2
            for o in range(first.shape[1]):
                factor = first[i, o]
                row = second[o, low : low + width]
                for j in range(width):
                    total[j] += factor * row[j]
            near = 0
            for j in range(width):
                near += total[j] <= limit
            if near == 0:
                continue
            for j in range(width):
                if total[j] <= limit:
                    key = first_keys[i] + second_keys[low + j]
                    if len(table) == 0 or has_key(table, key):
                        pairs[found, 0], pairs[found, 1] = i, low + j
                        found += 1
    return found, len(first)


@compiled
def has_key(table: Keys, key: np.uint64) -> bool:
    """Whether a key is in a table."""
    key = key if key else MIX
    return bool(table[place_in(table, key)] != 0)


@compiled
def fill_table(table: Keys, keys: Keys) -> None:
    """Put keys into a table."""
    for key in keys:
        new_key(table, key)
