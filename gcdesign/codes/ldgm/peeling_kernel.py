"""Compiled peeling: linear in the number of edges. Imported only where a graph is peeled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.compiled import compiled

Ints = NDArray[np.int64]
Small = NDArray[np.int32]
Flags = NDArray[np.bool_]
Reals = NDArray[np.float64]


# What a worker still misses is one number: how many unknown parts it has, times 2^32, plus the
# exclusive or of their numbers, from which the last one is read without a search. A silent worker
# has SILENT more. One number is one access to memory, which is what peeling spends its time on.
ONE = 1 << 32
LABEL = ONE - 1
SILENT = 1 << 62


@compiled
def states(silent: Flags, indptr: Ints, parts_of: Small) -> Ints:
    """Return what each worker misses before anything is known, shape (N,)."""
    found = np.empty(len(indptr) - 1, np.int64)
    for worker in range(len(found)):
        labels = np.int64(0)
        for at in range(indptr[worker], indptr[worker + 1]):
            labels ^= parts_of[at]
        count = indptr[worker + 1] - indptr[worker]
        found[worker] = (count << 32) + labels + (SILENT if silent[worker] else 0)
    return found


@compiled
def peel_rounds(state: Ints, part_ptr: Ints, holders: Small) -> tuple[Small, Small, Small]:
    """Peel in rounds: all parts that can be recovered at once, then those that come of them.

    Parameters
    ----------
    state
        Shape (N,): as `states` makes it; used up.
    part_ptr, holders
        The workers of each part.

    Returns
    -------
    tuple
        Parts in the order in which they are recovered, the worker that gave each, and how many
        are recovered after each round.
    """
    workers, parts = len(state), len(part_ptr) - 1
    queue = np.empty(workers, np.int32)  # each worker comes to one unknown part at most once
    tail = 0
    for worker in range(workers):
        if state[worker] >> 32 == 1:
            queue[tail] = worker
            tail += 1
    known = np.zeros(parts, np.bool_)
    recovered, by = np.empty(parts, np.int32), np.empty(parts, np.int32)
    after = np.empty(parts + 1, np.int32)
    head, done, found, rounds = 0, 0, 0, 0
    while head < tail:
        for at in range(head, tail):
            own = state[queue[at]]
            part = own & LABEL
            if own >> 32 == 1 and not known[part]:
                known[part] = True
                recovered[found], by[found] = part, queue[at]
                found += 1
        head = tail
        for at in range(done, found):
            part = np.int64(recovered[at])
            for place in range(part_ptr[part], part_ptr[part + 1]):
                holder = holders[place]
                own = (state[holder] - ONE) ^ part
                state[holder] = own
                if own >> 32 == 1:
                    queue[tail] = holder
                    tail += 1
        if found > done:
            after[rounds] = found
            rounds += 1
        done = found
    return recovered[:found].copy(), by[:found].copy(), after[:rounds].copy()


@compiled
def count_arrivals(arrivals: Small, state: Ints, part_ptr: Ints, holders: Small) -> Small:
    """Return how many parts are recovered after each arrival, of workers that come one by one.

    ``state`` is that of silent workers; used up.
    """
    parts = len(part_ptr) - 1
    known = np.zeros(parts, np.bool_)
    recovered, after = np.empty(parts, np.int32), np.empty(len(arrivals), np.int32)
    done, found = 0, 0
    for step in range(len(arrivals)):
        own = state[arrivals[step]] - SILENT
        state[arrivals[step]] = own
        if own >> 32 == 1:
            known[own & LABEL] = True
            recovered[found] = own & LABEL
            found += 1
        while done < found:
            part = np.int64(recovered[done])
            done += 1
            for place in range(part_ptr[part], part_ptr[part + 1]):
                holder = holders[place]
                own = (state[holder] - ONE) ^ part
                state[holder] = own
                if own >> 32 == 1 and not known[own & LABEL]:
                    known[own & LABEL] = True
                    recovered[found] = own & LABEL
                    found += 1
        after[step] = found
    return after


@compiled
def substitute(
    recovered: Small,
    by: Small,
    indptr: Ints,
    parts_of: Small,
    weights: Reals,
    sums: Reals,
    values: Reals,
) -> None:
    """Fill in the recovered rows of ``values``: each sum less what is known of it.

    Parameters
    ----------
    recovered, by
        Parts in order, and the worker that gives each.
    indptr, parts_of
        The parts of each worker.
    weights
        Shape (incidences,) or (0,), which stands for all ones.
    sums
        Shape (N, d): what each worker sent.
    values
        Shape (K, d).
    """
    width = sums.shape[1]
    for step in range(len(recovered)):
        part, worker = recovered[step], by[step]
        own = 1.0
        for j in range(width):
            values[part, j] = sums[worker, j]
        for at in range(indptr[worker], indptr[worker + 1]):
            other = parts_of[at]
            weight = weights[at] if len(weights) else 1.0
            if other == part:
                own = weight
            else:
                for j in range(width):
                    values[part, j] -= weight * values[other, j]
        if own != 1.0:
            for j in range(width):
                values[part, j] /= own
