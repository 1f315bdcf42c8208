"""Compiled search for S*(η) that writes down where it branches, and rests on nothing but the node.

Its nodes are refuted by the rules of the proof ``cases`` in ``docs/certificates.md`` as a checker
applies them, which knows no shares from nodes before.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.thresholds.branching_kernel import (
    DEAD,
    LEFT,
    NODES,
    RUNNING,
    STATUS,
    UNIT,
    WANTED,
    State,
    Tables,
    follow,
    level_all,
    next_part,
    pairs_refute,
    settle,
)
from gcdesign.compiled import compiled

PASSES = 16
"""How often a checker levels all shares."""


@compiled
def refuted_alone(tables: Tables, state: State, limit: int) -> bool:
    """Whether a checker that levels shares from nothing refutes the node.

    Each pass gains less than the one before, as a rule: where that would not do, it gives up.
    """
    numbers = state.numbers
    if numbers[DEAD] > limit or numbers[WANTED] > numbers[LEFT]:
        return True
    budget = limit - numbers[DEAD]
    if pairs_refute(tables, state, budget):
        return True
    state.price[:] = 0
    state.shares[:] = 0
    before = 0
    for left in range(PASSES - 1, -1, -1):
        bound = level_all(tables, state)
        if bound > budget * UNIT:
            return True
        if before > 0 and budget * UNIT - bound > left * (bound - before):
            return False
        before = bound
    return False


@compiled
def record(tables: Tables, state: State, limit: int, log: NDArray[np.int32], nodes: int) -> None:
    """Go on as `advance` does, and note for each node the part it branches on, or −1."""
    numbers = state.numbers
    until = min(numbers[NODES] + nodes, len(log))
    while numbers[STATUS] == RUNNING and numbers[NODES] < until:
        settle(tables, state, limit)
        if numbers[WANTED] <= 0 and numbers[DEAD] <= limit:
            part = -2
        elif refuted_alone(tables, state, limit):
            part = -1
        else:
            part = next_part(tables, state)
        log[numbers[NODES]] = part
        numbers[NODES] += 1
        follow(tables, state, part)
