"""Compiled moves on Steiner triple systems.

A state holds for every pair of points the third points of its blocks: one, or two for the pairs of
the one block that counts −1 (the *debt*), if there is one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gcdesign.compiled import compiled

NONE = -1


@compiled
def draw(random: Any, bound: int) -> Any:
    """Return a number below a bound, and move the generator (splitmix64) on."""
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    z = random[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return np.int64((z >> np.uint64(11)) % np.uint64(bound))


@compiled
def put(third: Any, x: int, y: int, z: int) -> None:
    """Add the third point z to the pair x, y."""
    place = 0 if third[x, y, 0] == NONE else 1
    third[x, y, place] = third[y, x, place] = z


@compiled
def drop(third: Any, x: int, y: int, z: int) -> None:
    """Take the third point z from the pair x, y."""
    if third[x, y, 0] == z:
        third[x, y, 0] = third[y, x, 0] = third[x, y, 1]
    third[x, y, 1] = third[y, x, 1] = NONE


@compiled
def add(third: Any, debt: Any, x: int, y: int, z: int) -> None:
    """Add a block, or pay the debt with it."""
    if debt[0] != NONE and x + y + z == debt[0] + debt[1] + debt[2]:
        paid = 0
        for i in range(3):
            if x == debt[i] or y == debt[i] or z == debt[i]:
                paid += 1
        if paid == 3:
            debt[0] = NONE
            return
    put(third, x, y, z)
    put(third, x, z, y)
    put(third, y, z, x)


@compiled
def remove(third: Any, debt: Any, x: int, y: int, z: int) -> None:
    """Remove a block, or run into debt with it if it is not there."""
    if third[x, y, 0] != z and third[x, y, 1] != z:
        debt[0], debt[1], debt[2] = x, y, z
        return
    drop(third, x, y, z)
    drop(third, x, z, y)
    drop(third, y, z, x)


@compiled
def choose(third: Any, random: Any, x: int, y: int) -> int:
    """Return the third point of one of the blocks on a pair."""
    place = draw(random, 2) if third[x, y, 1] != NONE else 0
    return int(third[x, y, place])


@compiled
def move(third: Any, random: Any, moves: int) -> None:
    """Make so many moves, and then as many more as it takes to be out of debt."""
    v = third.shape[0]
    debt = np.full(3, NONE, dtype=np.int64)
    done = 0
    while done < moves or debt[0] != NONE:
        if debt[0] == NONE:
            x, y, z = draw(random, v), draw(random, v), draw(random, v)
            if x in (y, z) or y == z or third[x, y, 0] == z:
                continue
        else:
            x, y, z = debt[0], debt[1], debt[2]
        a, b, c = (
            choose(third, random, y, z),
            choose(third, random, x, z),
            choose(third, random, x, y),
        )
        remove(third, debt, y, z, a)
        remove(third, debt, x, z, b)
        remove(third, debt, x, y, c)
        add(third, debt, x, y, z)
        add(third, debt, x, b, c)
        add(third, debt, a, y, c)
        add(third, debt, a, b, z)
        remove(third, debt, a, b, c)
        done += 1
