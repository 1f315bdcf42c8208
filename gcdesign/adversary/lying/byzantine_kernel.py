"""The compiled branch and bound behind `gcdesign.adversary.lying.byzantine`; loads numba."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.compiled import compiled

Ints = NDArray[np.int64]

DEPTH, CORRUPTED, BEST, NODES, DONE = range(5)
"""Entries of the state: the place in the tree, the parts corrupted there, the best so far."""


@compiled
def _may_still(hits: Ints, need: Ints, later: Ints, picks: int, copies: int, tally: Ints) -> int:
    """Return an upper bound on the parts that ``picks`` more workers corrupt.

    They add at most ``copies`` copies, a part needs its missing ones, and no part gets more than
    it has later holders, or than there are picks; the parts that miss least come first.
    """
    tally[:] = 0
    for part in range(len(hits)):
        missing = need[part] - hits[part]
        if 0 < missing <= picks and missing <= later[part]:
            tally[missing] += 1
    parts = 0
    for missing in range(1, picks + 1):
        taken = min(tally[missing], copies // missing)
        parts += taken
        copies -= taken * missing
        if taken < tally[missing]:
            break
    return parts


@compiled
def search(
    indptr: Ints,
    indices: Ints,
    need: Ints,
    later: Ints,
    most_copies: Ints,
    chosen: Ints,
    hits: Ints,
    best_set: Ints,
    state: Ints,
    nodes: int,
) -> None:
    """Go on with a depth-first search over sets of q workers for at most so many nodes.

    Parameters
    ----------
    indptr, indices
        The parts of each worker.
    need
        Shape (K,): copies that corrupt a part.
    later
        Shape (N + 1, K): holders of each part among the workers from w on.
    most_copies
        Shape (N + 1, q + 1): the most copies that so many workers from w on hold.
    chosen, hits, best_set, state
        The search itself, kept between calls: the path, shape (q,); the copies that it holds of
        each part; the best set found; and the state.
    nodes
        Number of nodes to visit before returning.
    """
    workers, q = len(indptr) - 1, len(chosen)
    tally = np.zeros(q + 1, np.int64)
    depth, corrupted, best = state[DEPTH], state[CORRUPTED], state[BEST]
    visited = 0
    while depth >= 0 and visited < nodes:
        worker = chosen[depth]
        if worker <= workers - (q - depth):
            visited += 1
            for at in range(indptr[worker], indptr[worker + 1]):
                part = indices[at]
                hits[part] += 1
                corrupted += hits[part] == need[part]
            picks = q - depth - 1
            if picks == 0:
                if corrupted > best:
                    best = corrupted
                    best_set[:] = chosen
            else:
                copies = most_copies[worker + 1, picks]
                after = later[worker + 1]
                if corrupted + _may_still(hits, need, after, picks, copies, tally) > best:
                    depth += 1
                    chosen[depth] = worker + 1
                    continue
        else:
            depth -= 1
            if depth < 0:
                break
        worker = chosen[depth]
        for at in range(indptr[worker], indptr[worker + 1]):
            part = indices[at]
            corrupted -= hits[part] == need[part]
            hits[part] -= 1
        chosen[depth] += 1
    state[DEPTH], state[CORRUPTED], state[BEST] = depth, corrupted, best
    state[NODES] += visited
    state[DONE] = depth < 0
