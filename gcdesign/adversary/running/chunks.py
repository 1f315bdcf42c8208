"""Work in chunks: functions of plain data, run in threads here, or anywhere by an executor."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.running.settings import Watch

Answer = TypeVar("Answer")
Stop = NDArray[np.uint8]

AHEAD = 2
"""Jobs given to an executor for each of its workers."""

POLL = 0.05
"""Seconds between two looks at the watch."""


def run_chunks(
    function: Callable[..., Answer], jobs: Sequence[tuple[Any, ...]], watch: Watch
) -> Iterator[tuple[int, Answer]]:
    """Yield the number and the answer of each job as it ends; jobs get a stop flag as well.

    Compiled functions leave the interpreter free, so threads use all cores. When the watch ends
    the work, or the caller does, the flag is set and no thread is left behind. The workers of an
    executor do not see the flag: they end the chunks that they are at.
    """
    if watch.settings.executor is not None:
        yield from _elsewhere(watch.settings.executor, function, jobs, watch)
        return
    stop: Stop = np.zeros(1, dtype=np.uint8)
    with ThreadPoolExecutor(min(watch.settings.thread_count, len(jobs))) as pool:
        try:
            yield from _as_they_end(pool, function, jobs, stop, watch)
        finally:
            stop[0] = 1
            pool.shutdown(wait=True, cancel_futures=True)


def _as_they_end(
    pool: Executor,
    function: Callable[..., Answer],
    jobs: Sequence[tuple[Any, ...]],
    stop: Stop,
    watch: Watch,
) -> Iterator[tuple[int, Answer]]:
    running = {pool.submit(function, *job, stop): number for number, job in enumerate(jobs)}
    while running:
        done, _ = wait(running, timeout=POLL, return_when=FIRST_COMPLETED)
        if watch.stopped():
            stop[0] = 1
        for future in done:
            yield running.pop(future), future.result()


def _elsewhere(
    executor: Executor,
    function: Callable[..., Answer],
    jobs: Sequence[tuple[Any, ...]],
    watch: Watch,
) -> Iterator[tuple[int, Answer]]:
    """Do the same on an executor, a few jobs ahead of its workers."""
    todo = list(enumerate(jobs))[::-1]
    running: dict[Future[Answer], int] = {}
    try:
        while (todo and not watch.stopped()) or running:
            while todo and len(running) < AHEAD * watch.settings.thread_count:
                number, job = todo.pop()
                future = executor.submit(function, *job, np.zeros(1, dtype=np.uint8))
                running[future] = number
            for future in wait(running, timeout=POLL, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
            if watch.stopped():
                break
    finally:
        for future in running:
            future.cancel()
