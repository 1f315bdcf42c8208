"""Compiled swap annealing on the set T of parts to be lost: better attacks, quickly.

This module compiles on import; import it inside the function that needs it.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.running.settings import Watch
from gcdesign.adversary.thresholds.greedy import PartAttack
from gcdesign.codes import Placement
from gcdesign.compiled import compiled

HEAT = 1.2
"""Temperature at the start of a run, in workers."""

RUNS = 8
"""Runs from different starts and seeds, where no other number is asked for."""

SWAP_WORK = 30_000_000
"""Most visits of incidences in one run."""

SWAPS_PER_PART = 3000
"""Swaps in one run of a small placement, times K."""

CHUNKS = 8
"""A run looks at the clock so many times."""


@compiled
def random_below(seed: NDArray[np.uint64], bound: int) -> int:
    """Return a pseudo-random whole number from 0 to bound − 1 and move the seed on."""
    x = seed[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    seed[0] = x
    return int((x >> np.uint64(16)) % np.uint64(bound))


@compiled
def swap_runs(
    part_ptr: NDArray[np.int64],
    part_workers: NDArray[np.int32],
    worker_ptr: NDArray[np.int64],
    worker_parts: NDArray[np.int32],
    order: NDArray[np.int64],
    place: NDArray[np.int64],
    hits: NDArray[np.int64],
    best: NDArray[np.int64],
    size: int,
    best_size: int,
    target: int,
    seed: NDArray[np.uint64],
    swaps: int,
    hot: float,
    cold: float,
) -> tuple[int, int]:
    """Swap parts of T for others while cooling; T is the first len(best) entries of ``order``.

    ``place`` is the inverse of ``order`` and ``hits`` counts the parts of T on each worker.
    Returns |N(T)| at the end and the least one met, whose T goes to ``best``.
    """
    eta, parts = len(best), len(order)
    for step in range(swaps):
        heat = hot + (cold - hot) * step / swaps
        i = random_below(seed, eta)
        out = order[i]
        near = order[random_below(seed, eta)]
        j = eta + random_below(seed, parts - eta)
        copies = part_ptr[near + 1] - part_ptr[near]
        if copies > 0 and random_below(seed, 4) > 0:
            # A part that shares a worker with T is more promising than any other.
            worker = part_workers[part_ptr[near] + random_below(seed, copies)]
            load = worker_ptr[worker + 1] - worker_ptr[worker]
            found = place[worker_parts[worker_ptr[worker] + random_below(seed, load)]]
            if found < eta:
                continue
            j = found
        new = order[j]
        change = 0
        for e in range(part_ptr[out], part_ptr[out + 1]):
            hits[part_workers[e]] -= 1
            if hits[part_workers[e]] == 0:
                change -= 1
        for e in range(part_ptr[new], part_ptr[new + 1]):
            if hits[part_workers[e]] == 0:
                change += 1
            hits[part_workers[e]] += 1
        chance = np.exp(-change / heat) * 1_000_000 if change > 0 else 1_000_000.0
        if change <= 0 or random_below(seed, 1_000_000) < chance:
            order[i], order[j] = new, out
            place[new], place[out] = i, j
            size += change
            if size < best_size:
                best_size = size
                best[:] = order[:eta]
                if size <= target:
                    break
        else:
            for e in range(part_ptr[new], part_ptr[new + 1]):
                hits[part_workers[e]] -= 1
            for e in range(part_ptr[out], part_ptr[out + 1]):
                hits[part_workers[e]] += 1
    return size, best_size


def annealed_parts(
    placement: Placement, parts: tuple[int, ...], *, target: int, seed: int, watch: Watch
) -> tuple[int, ...]:
    """Return the best set of as many parts that one annealing run from these parts meets."""
    eta = len(parts)
    if not 0 < eta < placement.parts:
        return parts
    inside = np.array(parts, dtype=np.int64)
    outside = np.setdiff1d(np.arange(placement.parts), inside)
    order = np.concatenate([inside, outside])
    place = np.empty_like(order)
    place[order] = np.arange(placement.parts)
    part_ptr, part_workers = placement.holders
    hits = np.zeros(placement.workers, dtype=np.int64)
    for part in parts:
        hits[placement.holders_of(part)] += 1
    size = best_size = int((hits > 0).sum())
    best = inside.copy()
    state = np.array([2 * seed + 88_172_645_463_325_253], dtype=np.uint64)
    copies = max(1, placement.design.incidences // placement.parts)
    swaps = min(SWAP_WORK // (4 * copies), SWAPS_PER_PART * placement.parts) // CHUNKS
    for chunk in range(CHUNKS):
        if watch.stopped() or best_size <= target:
            break
        size, best_size = swap_runs(
            part_ptr.astype(np.int64),
            part_workers,
            placement.design.indptr.astype(np.int64),
            placement.design.indices,
            order,
            place,
            hits,
            best,
            size,
            best_size,
            target,
            state,
            swaps,
            HEAT * (CHUNKS - chunk) / CHUNKS + 0.02,
            HEAT * (CHUNKS - chunk - 1) / CHUNKS + 0.02,
        )
    return tuple(sorted(best.tolist()))


def starts(placement: Placement, attack: PartAttack, runs: int, seed: int) -> list[tuple[int, ...]]:
    """Return the given attack, then random unions of workers' parts, as places to start from."""
    rng = np.random.default_rng(seed)
    eta = len(attack.parts)
    found = [attack.parts]
    while len(found) < runs:
        some = rng.permutation(placement.workers)[: eta + 1]
        pieces = [placement.design.block(int(worker)) for worker in some]
        order = np.concatenate([*pieces, rng.permutation(placement.parts)])
        _, first = np.unique(order, return_index=True)
        found.append(tuple(order[np.sort(first)[:eta]].tolist()))
    return found


def anneal(
    placement: Placement, attack: PartAttack, *, target: int, watch: Watch, runs: int = RUNS
) -> PartAttack:
    """Return the best attack of several runs, one thread each; the given one if none is better.

    Parameters
    ----------
    placement
        Who holds what.
    attack
        The attack to improve; its number of parts is kept.
    target
        A proved lower bound: an attack with that many workers cannot be improved.
    watch
        Seed, threads and time limit.
    runs
        Runs from different starts: the attack, then random unions of workers' parts.
    """
    seed, threads = watch.settings.seed, watch.settings.thread_count
    begin = starts(placement, attack, runs, seed)
    placement.holders  # noqa: B018 - computed once, before the threads ask for it

    def run(number: int) -> PartAttack:
        parts = annealed_parts(
            placement, begin[number], target=target, seed=seed * RUNS + number, watch=watch
        )
        return PartAttack.on(placement, np.array(parts, dtype=np.int64))

    best = attack
    with ThreadPoolExecutor(max_workers=threads) as pool:
        for first in range(0, runs, threads):
            if len(best.workers) <= target or watch.stopped():
                break
            found = list(pool.map(run, range(first, min(runs, first + threads))))
            best = min(best, *found, key=lambda one: len(one.workers))
    return best
