"""Exhaustive search in compiled chunks: all sets of one size whose error may pass a bar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.running.chunks import Stop, run_chunks
from gcdesign.adversary.running.settings import Watch
from gcdesign.adversary.worst_error.targets import Found, Leaders, Target, Task, silent_sets

MAX_SETS = 100_000_000_000
"""Largest number of sets that one question may search: one to two minutes on two cores."""

CHUNK_SETS = 1_000_000_000
"""Sets of one chunk, where they can be split so far."""

SPLIT = 64
"""Chunks to aim at for fewer sets."""


@dataclass(frozen=True)
class Passing:
    """The sets of one size that may pass a bar.

    Attributes
    ----------
    ranked
        Keys and sets of silent workers, greatest key first. A key is `want` times an end of the
        error: the upper end where the greatest is sought, the lower end for the least.
    bar
        No other set has a greater key: the bar that was asked for, or a higher one if more sets
        than can be kept passed that.
    complete
        Whether every set was searched.
    """

    ranked: tuple[Found, ...]
    bar: float
    complete: bool


def split(below: int, size: int, most: int) -> list[Task]:
    """Split the sets of a size among the first elements into tasks of up to ``most`` sets.

    Examples
    --------
    >>> split(6, 4, most=10)
    [((5,), 5), ((4,), 4), ((3,), 3)]
    """
    tasks: list[Task] = []
    stack: list[Task] = [((), below)]
    while stack:
        known, left = stack.pop()
        more = size - len(known)
        if more <= 3 or comb(left, more) <= most:
            tasks.append((known, left))
        else:
            stack += [((*known, q), q) for q in range(more - 1, left)]
    return sorted(tasks, key=lambda task: -_count(task, size))


def _count(task: Task, size: int) -> int:
    known, below = task
    return comb(below, size - len(known))


def _grouped(tasks: Sequence[Task], size: int) -> list[list[Task]]:
    """Put small tasks together, up to the size of the largest."""
    groups: list[list[Task]] = []
    room = 0
    for task in tasks:
        sets = _count(task, size)
        if not groups or sets > room:
            groups.append([])
            room = _count(tasks[0], size)
        groups[-1].append(task)
        room -= sets
    return groups


def visit_chunk(
    target: Target, size: int, bar: float, tasks: Sequence[Task], stop: Stop
) -> tuple[list[Found], float, bool]:
    """Search the sets of some tasks; return those that pass, the bar, and if it came to the end.

    The form is plain arrays and numbers, so that a chunk may run in another process.
    """
    leaders = Leaders.empty(size, bar)
    complete = target.visit(tasks, leaders, stop)
    return leaders.found(), float(leaders.bar[0]), complete


def search_target(
    target: Target,
    size: int,
    bar: float,
    *,
    watch: Watch,
    tell: Callable[[int], object] | None = None,
    forced: Sequence[int] = (),
    candidates: Sequence[int] | None = None,
) -> Passing:
    """Return every set of a size whose key may be above the bar.

    Parameters
    ----------
    target
        The form.
    size
        Size of the sets in the form's terms.
    bar
        `want` times the error that is to be passed.
    watch
        Threads and time.
    tell
        Told the number of sets searched.
    forced, candidates
        Only sets of the forced elements and some candidates are searched; by default all.
    """
    order, below = _order(target, forced, candidates)
    arranged = target.permuted(order)
    given = tuple(range(below, below + len(forced)))
    most = max(1, min(CHUNK_SETS, comb(below, size - len(forced)) // SPLIT))
    tasks = [((*given, *known), p) for known, p in split(below, size - len(forced), most)]
    jobs = [(arranged, size, bar, part) for part in _grouped(tasks, size)]
    found: list[Found] = []
    searched, answered, ended, highest = 0, 0, True, bar
    for number, (leaders, reached, complete) in run_chunks(visit_chunk, jobs, watch):
        found += [(key, tuple(order[list(members)].tolist())) for key, members in leaders]
        ended, highest = ended and complete, max(highest, reached)
        sets = sum(_count(task, size) for task in jobs[number][-1])
        watch.count(sets)
        searched += sets
        answered += 1
        if tell is not None:
            tell(searched)
    found.sort(reverse=True)
    silent = silent_sets(target, (members for _, members in found))
    ranked = tuple((key, workers) for (key, _), workers in zip(found, silent, strict=True))
    return Passing(ranked, highest, ended and answered == len(jobs))


def _order(
    target: Target, forced: Sequence[int], candidates: Sequence[int] | None
) -> tuple[NDArray[np.int64], int]:
    """Return candidates, those of greatest promise last, then the forced and all others."""
    promise = target.promise()
    chosen = [w for w in range(target.size) if w not in set(forced)]
    if candidates is not None:
        chosen = list(candidates)
    chosen.sort(key=lambda w: (promise[w], w))
    rest = sorted(set(range(target.size)).difference(chosen, forced))
    return np.array([*chosen, *forced, *rest], dtype=np.int64), len(chosen)
