"""Compiled inner loops of the exact search for S*(η): parts in or out, workers dead or alive.

Everything is integer arithmetic on flat arrays, so that the state of a search can be kept,
copied and taken up again. This module imports numba; `branching` imports
it when a search is worth it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gcdesign.compiled import compiled

OPEN, IN, OUT = 0, 1, 2
RUNNING, FOUND, EXHAUSTED = 0, 1, 2
UNIT = 720_720
"""What one worker costs, in the units of its shares: every number up to 16 divides it."""

ROUNDS = 3
"""Passes over the workers that level their shares, at one node."""

DEAD, WANTED, LEFT, TRAIL, DEPTH, NODES, STATUS = range(7)
"""Places in `State.numbers`: |N(In)|, parts still to take, open parts, length of the trail,
depth of the stack, nodes visited, and RUNNING, FOUND or EXHAUSTED."""


class Tables(NamedTuple):
    """The placement, both ways round. ``slots`` says where a part stands in its worker's row."""

    part_ptr: NDArray[np.int64]
    part_workers: NDArray[np.int32]
    slots: NDArray[np.int64]
    worker_ptr: NDArray[np.int64]
    worker_parts: NDArray[np.int32]
    pairs: NDArray[np.int64]
    """Entry n: the most ordered pairs of n parts on common workers; −1 where not counted."""


class State(NamedTuple):
    """Where a search stands: decisions, counts, and a stack of branches."""

    role: NDArray[np.int8]
    hits: NDArray[np.int32]
    """Parts of In that each worker holds."""
    cap: NDArray[np.int32]
    """Open parts that each worker holds."""
    fresh: NDArray[np.int32]
    """Holders of each part that are not dead yet."""
    shares: NDArray[np.int64]
    """Per incidence: how much of the worker's cost the part carries."""
    trail: NDArray[np.int32]
    """Decisions in order: j for In, ~j for Out."""
    stack: NDArray[np.int32]
    """Rows (length of the trail below, part, whether its Out branch has begun)."""
    price: NDArray[np.int64]
    scratch: NDArray[np.int64]
    row: NDArray[np.int64]
    worth: NDArray[np.float64]
    numbers: NDArray[np.int64]


@compiled
def take(tables: Tables, state: State, part: int) -> None:
    """Put an open part into In."""
    numbers = state.numbers
    state.role[part] = IN
    numbers[WANTED] -= 1
    numbers[LEFT] -= 1
    for e in range(tables.part_ptr[part], tables.part_ptr[part + 1]):
        worker = tables.part_workers[e]
        if state.hits[worker] == 0:
            numbers[DEAD] += 1
            for f in range(tables.worker_ptr[worker], tables.worker_ptr[worker + 1]):
                state.fresh[tables.worker_parts[f]] -= 1
        state.hits[worker] += 1
        state.cap[worker] -= 1
        state.shares[tables.slots[e]] = 0
    state.trail[numbers[TRAIL]] = part
    numbers[TRAIL] += 1


@compiled
def leave(tables: Tables, state: State, part: int) -> None:
    """Put an open part into Out."""
    numbers = state.numbers
    state.role[part] = OUT
    numbers[LEFT] -= 1
    for e in range(tables.part_ptr[part], tables.part_ptr[part + 1]):
        state.cap[tables.part_workers[e]] -= 1
        state.shares[tables.slots[e]] = 0
    state.trail[numbers[TRAIL]] = ~part
    numbers[TRAIL] += 1


@compiled
def undo(tables: Tables, state: State, length: int) -> None:
    """Take back decisions until the trail has this length."""
    numbers = state.numbers
    while numbers[TRAIL] > length:
        numbers[TRAIL] -= 1
        part = state.trail[numbers[TRAIL]]
        inside = part >= 0
        if not inside:
            part = ~part
        state.role[part] = OPEN
        numbers[LEFT] += 1
        for e in range(tables.part_ptr[part], tables.part_ptr[part + 1]):
            worker = tables.part_workers[e]
            state.cap[worker] += 1
            if inside:
                state.hits[worker] -= 1
                if state.hits[worker] == 0:
                    numbers[DEAD] -= 1
                    for f in range(tables.worker_ptr[worker], tables.worker_ptr[worker + 1]):
                        state.fresh[tables.worker_parts[f]] += 1
        if inside:
            numbers[WANTED] += 1


@compiled
def sum_of_least(values: NDArray[np.int64], count: int, n: int) -> int:
    """Return the sum of the n least of the first ``count`` values, which it reorders."""
    low, high = 0, count - 1
    while low < high:
        pivot = values[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while values[i] < pivot:
                i += 1
            while values[j] > pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if n - 1 <= j:
            high = j
        elif n - 1 >= i:
            low = i
        else:
            break
    total = 0
    for i in range(n):
        total += values[i]
    return total


@compiled
def level(tables: Tables, state: State, worker: int) -> None:
    """Share one worker's cost among its open parts anew, so that the cheapest gain most."""
    start, stop = tables.worker_ptr[worker], tables.worker_ptr[worker + 1]
    row, count = state.row, 0
    for f in range(start, stop):
        part = tables.worker_parts[f]
        if state.role[part] == OPEN:
            without = state.price[part] - state.shares[f]
            at = count
            while at > 0 and row[at - 1] > without:
                row[at] = row[at - 1]
                at -= 1
            row[at] = without
            count += 1
    total, i = UNIT + row[0], 1
    while i < count and row[i] * i < total:
        total += row[i]
        i += 1
    height = total // i
    for f in range(start, stop):
        part = tables.worker_parts[f]
        if state.role[part] == OPEN:
            without = state.price[part] - state.shares[f]
            share = max(height - without, 0)
            state.shares[f] = share
            state.price[part] = without + share


@compiled
def level_all(tables: Tables, state: State) -> int:
    """Level every worker's shares once; return what the parts still wanted cost."""
    for worker in range(len(state.hits)):
        if state.hits[worker] == 0 and state.cap[worker] > 0:
            level(tables, state, worker)
    count = 0
    for part in range(len(state.role)):
        if state.role[part] == OPEN:
            state.scratch[count] = state.price[part]
            count += 1
    return sum_of_least(state.scratch, count, state.numbers[WANTED])


@compiled
def settle(tables: Tables, state: State, limit: int) -> None:
    """Take what costs nothing, leave what costs too much."""
    numbers = state.numbers
    for part in range(len(state.role)):
        if state.role[part] == OPEN:
            if state.fresh[part] == 0:
                if numbers[WANTED] > 0:
                    take(tables, state, part)
            elif numbers[DEAD] + state.fresh[part] > limit:
                leave(tables, state, part)


@compiled
def pairs_refute(tables: Tables, state: State, budget: int) -> bool:
    """Whether counting pairs shows that the parts still wanted cost more than the budget.

    With A the copies that n parts have on workers not dead, and P their pairs on common
    workers, at least (2mA − P)/(m(m + 1)) of those workers are hit, for every m.
    """
    wanted, count = state.numbers[WANTED], 0
    pairs = tables.pairs[wanted]
    if pairs < 0:
        return False
    for part in range(len(state.role)):
        if state.role[part] == OPEN:
            state.scratch[count] = state.fresh[part]
            count += 1
    copies = sum_of_least(state.scratch, count, wanted)
    most = 0
    for m in range(1, len(state.row) + 1):
        most = max(most, 2 * m * copies - budget * m * (m + 1))
    return bool(most > pairs)


@compiled
def refuted(tables: Tables, state: State, limit: int) -> bool:
    """Whether no choice of open parts stays within ``limit`` dead workers.

    Every worker that is not dead shares its cost among its open parts. Whatever the shares,
    the n cheapest open parts bound what any n of them cost: the dual of the linear program.
    """
    numbers = state.numbers
    if numbers[DEAD] > limit or numbers[WANTED] > numbers[LEFT]:
        return True
    budget = limit - numbers[DEAD]
    if pairs_refute(tables, state, budget):
        return True
    state.price[:] = 0
    for worker in range(len(state.hits)):
        if state.hits[worker] == 0 and state.cap[worker] > 0:
            for f in range(tables.worker_ptr[worker], tables.worker_ptr[worker + 1]):
                if state.role[tables.worker_parts[f]] == OPEN:
                    state.price[tables.worker_parts[f]] += state.shares[f]
    before = 0
    for _ in range(ROUNDS):
        bound = level_all(tables, state)
        if bound > budget * UNIT:
            return True
        if before > 0 and budget * UNIT - bound > bound - before:
            return False
        before = bound
    return False


@compiled
def next_part(tables: Tables, state: State) -> int:
    """Return the open part whose workers lose most choice by its decision."""
    for worker in range(len(state.hits)):
        cap = state.cap[worker]
        alive = state.hits[worker] == 0 and cap > 1
        state.worth[worker] = 1.0 / (cap * (cap - 1)) if alive else 0.0
    best, chosen = -1.0, -1
    for part in range(len(state.role)):
        if state.role[part] == OPEN:
            score = 0.0
            for e in range(tables.part_ptr[part], tables.part_ptr[part + 1]):
                score += state.worth[tables.part_workers[e]]
            score *= state.fresh[part] * state.fresh[part]
            if score > best:
                best, chosen = score, part
    return chosen


@compiled
def visit(tables: Tables, state: State, limit: int) -> int:
    """Look at the node as it stands: −1 if it is refuted, −2 if In is an attack, else a part."""
    state.numbers[NODES] += 1
    settle(tables, state, limit)
    if state.numbers[WANTED] <= 0 and state.numbers[DEAD] <= limit:
        return -2
    if refuted(tables, state, limit):
        return -1
    return next_part(tables, state)


@compiled
def back_up(tables: Tables, state: State) -> bool:
    """Go to the next Out branch; False if there is none."""
    numbers = state.numbers
    while numbers[DEPTH] > 0:
        top = state.stack[numbers[DEPTH] - 1]
        undo(tables, state, top[0])
        if top[2] == 0:
            top[2] = 1
            leave(tables, state, top[1])
            return True
        numbers[DEPTH] -= 1
    return False


@compiled
def follow(tables: Tables, state: State, part: int) -> None:
    """Go on from a node that was looked at: down to its In branch, or back."""
    numbers = state.numbers
    if part == -2:
        numbers[STATUS] = FOUND
    elif part == -1:
        if not back_up(tables, state):
            numbers[STATUS] = EXHAUSTED
    else:
        frame = state.stack[numbers[DEPTH]]
        frame[0], frame[1], frame[2] = numbers[TRAIL], part, 0
        numbers[DEPTH] += 1
        take(tables, state, part)


@compiled
def advance(tables: Tables, state: State, limit: int, nodes: int) -> None:
    """Go on for so many nodes, or until an attack within ``limit`` is found or none is left."""
    numbers = state.numbers
    until = numbers[NODES] + nodes
    while numbers[STATUS] == RUNNING and numbers[NODES] < until:
        follow(tables, state, visit(tables, state, limit))
