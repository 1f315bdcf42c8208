"""Compiled inactivation: the order in which parts are peeled where peeling alone is stuck."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.ldgm.peeling_kernel import LABEL, ONE
from gcdesign.compiled import compiled

Ints = NDArray[np.int64]
Small = NDArray[np.int32]
Flags = NDArray[np.bool_]


@compiled
def inactivate(
    state: Ints, part_ptr: Ints, holders: Small, candidates: Small
) -> tuple[Small, Small]:
    """Peel; where that is stuck, call a part known though it is not, and go on.

    Parameters
    ----------
    state
        Shape (N,): as `states` makes it; used up.
    part_ptr, holders
        The workers of each part.
    candidates
        The parts that some answering worker holds, those to be given up first in front.

    Returns
    -------
    tuple
        Parts in the order in which they count as known, and the worker that gives each; −1 for
        parts that are given up.
    """
    workers, parts = len(state), len(part_ptr) - 1
    queue = np.empty(workers, np.int32)
    tail = 0
    for worker in range(workers):
        if state[worker] >> 32 == 1:
            queue[tail] = worker
            tail += 1
    known = np.zeros(parts, np.bool_)
    order, by = np.empty(parts, np.int32), np.empty(parts, np.int32)
    head, done, found, given = 0, 0, 0, 0
    while True:
        while head < tail or done < found:
            while head < tail:
                own = state[queue[head]]
                part = own & LABEL
                if own >> 32 == 1 and not known[part]:
                    known[part] = True
                    order[found], by[found] = part, queue[head]
                    found += 1
                head += 1
            while done < found:
                part = np.int64(order[done])
                done += 1
                for place in range(part_ptr[part], part_ptr[part + 1]):
                    holder = holders[place]
                    own = (state[holder] - ONE) ^ part
                    state[holder] = own
                    if own >> 32 == 1:
                        queue[tail] = holder
                        tail += 1
        while given < len(candidates) and known[candidates[given]]:
            given += 1
        if given == len(candidates):
            break
        part = candidates[given]
        known[part] = True
        order[found], by[found] = part, -1
        found += 1
    return order[:found].copy(), by[:found].copy()
