"""Compiled simulated annealing on the parts to be lost; imported only where it is worth it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.compiled import compiled

LAST_TEMPERATURE = 1e-3


@compiled
def anneal(
    pointers: NDArray[np.int64],
    holders: NDArray[np.int32],
    workers: int,
    start: NDArray[np.int64],
    t: int,
    enough: int,
    steps: int,
    warmth: float,
    rng: np.random.Generator,
) -> tuple[int, NDArray[np.int64]]:
    """Swap parts of T against others, at a falling temperature, to make |N(T)| small.

    Parameters
    ----------
    pointers, holders
        The workers that hold each part, as compressed rows.
    workers
        N.
    start
        All parts in some order.
    t
        |T|: the first t parts are T at the start.
    enough
        The search ends once |N(T)| is no greater.
    steps
        Number of swaps that are tried.
    warmth
        The temperature at the start: the increase of |N(T)| that is taken with probability 1/e.
    rng
        Source of the random choices.

    Returns
    -------
    size, parts
        The least |N(T)| found, and T.
    """
    order = start.copy()
    hits = np.zeros(workers, np.int32)
    size = 0
    for part in order[:t]:
        for place in range(pointers[part], pointers[part + 1]):
            worker = holders[place]
            size += hits[worker] == 0
            hits[worker] += 1
    best, found = size, order[:t].copy()
    rest = len(order) - t
    for step in range(steps):
        if best <= enough or t == 0 or rest == 0:
            break
        temperature = warmth * (1 - step / steps) + LAST_TEMPERATURE
        i, j = int(rng.random() * t), t + int(rng.random() * rest)
        out, new = order[i], order[j]
        change = 0
        for place in range(pointers[out], pointers[out + 1]):
            worker = holders[place]
            hits[worker] -= 1
            change -= hits[worker] == 0
        for place in range(pointers[new], pointers[new + 1]):
            worker = holders[place]
            change += hits[worker] == 0
            hits[worker] += 1
        if change <= 0 or rng.random() < np.exp(-change / temperature):
            order[i], order[j] = new, out
            size += change
            if size < best:
                best = size
                found[:] = order[:t]
            continue
        for place in range(pointers[new], pointers[new + 1]):
            hits[holders[place]] -= 1
        for place in range(pointers[out], pointers[out + 1]):
            hits[holders[place]] += 1
    return best, found
