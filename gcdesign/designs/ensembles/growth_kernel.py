"""Compiled progressive edge growth, imported only where a graph is grown."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.compiled import compiled

Ints = NDArray[np.int64]
Reals = NDArray[np.float64]


@compiled
def measure(
    part: int,
    made: int,
    part_at: Ints,
    part_has: Ints,
    of_part: Ints,
    worker_at: Ints,
    worker_has: Ints,
    of_worker: Ints,
    seen_part: Ints,
    depth: Ints,
    queue: Ints,
) -> None:
    """Set ``depth`` to each worker's distance from a part, in workers passed; far if unreached.

    Breadth first over the edges that there are; parts seen are marked with ``made``.
    """
    depth[:] = len(depth) + 1
    head, tail = 0, 0
    for at in range(part_at[part], part_at[part] + part_has[part]):
        w = of_part[at]
        if depth[w] > len(depth):
            depth[w] = 0
            queue[tail] = w
            tail += 1
    while head < tail:
        w = queue[head]
        head += 1
        for at in range(worker_at[w], worker_at[w] + worker_has[w]):
            p = of_worker[at]
            if seen_part[p] == made:
                continue
            seen_part[p] = made
            for other in range(part_at[p], part_at[p] + part_has[p]):
                u = of_part[other]
                if depth[u] > len(depth):
                    depth[u] = depth[w] + 1
                    queue[tail] = u
                    tail += 1


@compiled
def farthest(made: int, depth: Ints, loads: Ints, worker_has: Ints, chances: Reals) -> int:
    """Return the farthest worker with room; of equal ones the emptiest, then by chance."""
    workers = len(depth)
    best = -1
    for w in range(workers):
        room = loads[w] - worker_has[w]
        if room == 0:
            continue
        if best < 0 or depth[w] > depth[best]:
            best = w
        elif depth[w] == depth[best]:
            # The emptiest first, as a share of what it is to hold.
            ours, theirs = room * loads[best], (loads[best] - worker_has[best]) * loads[w]
            turned = chances[(w + made) % workers] > chances[(best + made) % workers]
            if ours > theirs or (ours == theirs and turned):
                best = w
    return best


@compiled
def grow(order: Ints, held: Ints, loads: Ints, chances: Reals) -> Ints:
    """Return pairs (worker, part): each new edge goes as far away as there is room.

    Parameters
    ----------
    order
        Shape (K,): the parts, in the order in which they get their edges.
    held, loads
        Shapes (K,) and (N,): degrees of parts and workers.
    chances
        Shape (N,): random numbers that break ties, turned by one place after each edge.

    Notes
    -----
    An edge closes no cycle if its worker is not reached from the part yet; otherwise one of
    length 1 + its distance. Where only neighbours have room an edge is repeated.
    """
    parts, workers = len(held), len(loads)
    edges = loads.sum()
    part_at, worker_at = np.zeros(parts + 1, np.int64), np.zeros(workers + 1, np.int64)
    for p in range(parts):
        part_at[p + 1] = part_at[p] + held[p]
    for w in range(workers):
        worker_at[w + 1] = worker_at[w] + loads[w]
    of_part, of_worker = np.empty(edges, np.int64), np.empty(edges, np.int64)
    part_has, worker_has = np.zeros(parts, np.int64), np.zeros(workers, np.int64)
    depth = np.empty(workers, np.int64)
    seen_part = np.empty(parts, np.int64)
    queue = np.empty(workers, np.int64)
    seen_part[:] = -1
    pairs = np.empty((edges, 2), np.int64)
    made = 0
    for part in order:
        for _ in range(held[part]):
            seen_part[part] = made
            measure(
                part,
                made,
                part_at,
                part_has,
                of_part,
                worker_at,
                worker_has,
                of_worker,
                seen_part,
                depth,
                queue,
            )
            best = farthest(made, depth, loads, worker_has, chances)
            of_part[part_at[part] + part_has[part]] = best
            of_worker[worker_at[best] + worker_has[best]] = part
            part_has[part] += 1
            worker_has[best] += 1
            pairs[made, 0], pairs[made, 1] = best, part
            made += 1
    return pairs
