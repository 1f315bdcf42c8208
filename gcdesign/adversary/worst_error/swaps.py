"""Multistart swap attacks: thousands of starts a second, in compiled chunks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb

import numpy as np

from gcdesign.adversary.running.chunks import Stop, run_chunks
from gcdesign.adversary.running.settings import Watch
from gcdesign.adversary.worst_error.targets import Found, Sets, Target, silent_sets

MOST_STARTS = 64_000
"""Starts of one attack. For 10 of 91 workers 16,000 can be too few; this takes a second."""

WORK = 8_000_000_000
"""Numbers touched by one attack at most: a few seconds on one core."""

PER_SET = 4
"""Starts for each set there is, at most."""

CHUNKS = 16
"""Parts that the starts are split into."""

KEPT = 4
"""Sets that a chunk hands back."""


def climb_chunk(
    target: Target, size: int, count: int, seed: Sequence[int], given: Sets, stop: Stop
) -> list[Found]:
    """Return the best sets of one chunk of starts, with `want` times their errors.

    Parameters
    ----------
    target
        The form; plain arrays and numbers, so that a chunk may run in another process.
    size, count
        Size of the sets, and number of starts beside those given.
    seed
        Seed of the random starts: every fourth one is filled up greedily from half its size.
    given
        Shape (·, size): starts, with -1 for elements still to be chosen.
    stop
        Set it to 1 to end the work.
    """
    rng = np.random.default_rng(seed)
    drawn = rng.random((count, target.size)).argsort(axis=1)[:, :size]
    drawn[::4, (size + 1) // 2 :] = -1
    starts = np.ascontiguousarray(np.concatenate([given, drawn]), dtype=np.int64)
    values = target.climb(starts, stop)
    done = np.flatnonzero(~np.isnan(values))
    best = done[np.argsort(-values[done], kind="stable")][:KEPT]
    sets = (tuple(members) for members in np.sort(starts[best], axis=1).tolist())
    return list(zip(values[best].tolist(), sets, strict=True))


def start_count(workers: int, size: int) -> int:
    """Return how many starts an attack on sets of a size takes.

    Examples
    --------
    >>> start_count(91, 10), start_count(2000, 40), start_count(6, 2)
    (64000, 1666, 60)
    """
    few = MOST_STARTS if min(size, workers - size) > 20 else PER_SET * comb(workers, size)
    room = max(CHUNKS, WORK // (max(1, size) * workers * (size + 20)))
    return min(MOST_STARTS, few, room)


def attack_target(
    target: Target, size: int, *, starts: Sequence[Sequence[int]], watch: Watch
) -> Iterator[Found]:
    """Yield the sets of silent workers that an attack finds, better and better.

    Parameters
    ----------
    target
        The form.
    size
        Size of the sets in the form's terms, at least 1 and below the number of workers.
    starts
        Sets to start from beside greedy and random ones, with up to ``size`` elements.
    watch
        Seed, threads and time.
    """
    given = np.full((1 + len(starts), size), -1, dtype=np.int64)
    for row, start in enumerate(starts, 1):
        given[row, : len(start)] = start
    each = -(-start_count(target.size, size) // CHUNKS)
    seed = watch.settings.seed
    jobs = [
        (target, size, each, (seed, chunk), given if chunk == 0 else given[:0])
        for chunk in range(CHUNKS)
    ]
    best = -np.inf
    for _, found in run_chunks(climb_chunk, jobs, watch):
        for key, members in found:
            if key > best:
                best = key
                yield key, silent_sets(target, [members])[0]
