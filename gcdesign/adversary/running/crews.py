"""Those who work on the cases of a search: this thread, some threads, or an executor's workers."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from hashlib import sha256
from itertools import count
from threading import Event, Lock
from typing import Any, NamedTuple, Protocol

from gcdesign.adversary.running.budget import Allowance, Budget
from gcdesign.adversary.running.journal import Outcome
from gcdesign.adversary.running.settings import Watch

POLL_SECONDS = 0.05
SLICE_SECONDS = 0.5
"""How long a worker elsewhere, who cannot be spoken to, works before it hands back."""

JOURNAL_SLICE_SECONDS = 10.0
"""How long a thread works before it hands back a state for the journal."""

KEPT = 4
"""Searches whose shared data a worker elsewhere keeps."""


class Answer(NamedTuple):
    """What a worker hands back.

    Attributes
    ----------
    outcome
        The outcome, or None if the worker does not have what the cases share.
    nodes
        Nodes that were not counted yet.
    short_of_memory
        Whether the worker ended for want of memory.
    error
        What the function raised, or None.
    """

    outcome: Outcome | None
    nodes: int = 0
    short_of_memory: bool = False
    error: Exception | None = None


class Crew(Protocol):
    """What `run_cases` needs of those who do the work."""

    workers: int
    seconds: float | None
    """How long a call takes at most, at first."""
    remote: bool
    """Whether workers may be out of reach when the search must stop."""

    def start(
        self, case: Any, halt: Event, seconds: float | None, is_short_of_cases: Callable[[], bool]
    ) -> Future[Answer]:
        """Have a case worked on."""

    def outcome(self, future: Future[Answer]) -> Outcome | None:
        """Return what came of it, None if it was not worked on."""

    def longer(self, seconds: float | None) -> float | None:
        """Return how long the next call takes, if the last one came to nothing."""

    def close(self) -> None:
        """End all work."""


class Work(NamedTuple):
    """What a crew works with, whichever case it is.

    Attributes
    ----------
    solve, shared
        The function, and what all cases share.
    watch
        Limits, executor and journal.
    news
        Asked what is known by now.
    """

    solve: Callable[..., Outcome]
    shared: Any
    watch: Watch
    news: Callable[[], Any]


def crew_for(work: Work) -> Crew:
    """Return the crew that the settings ask for."""
    settings = work.watch.settings
    if settings.executor is not None:
        return _Remote(work, settings.executor)
    return _Single(work) if settings.thread_count == 1 else _Threads(work)


class _Single:
    """The calling thread, which does one case after the other."""

    workers = 1
    remote = False

    def __init__(self, job: Work) -> None:
        self._job = job
        self.seconds = JOURNAL_SLICE_SECONDS if job.watch.journal.on_disk else None

    def start(
        self, case: Any, halt: Event, seconds: float | None, is_short_of_cases: Callable[[], bool]
    ) -> Future[Answer]:
        future: Future[Answer] = Future()
        try:
            future.set_result(self._work(case, halt, seconds, is_short_of_cases))
        except Exception as error:
            future.set_exception(error)
        return future

    def _work(
        self, case: Any, halt: Event, seconds: float | None, is_short_of_cases: Callable[[], bool]
    ) -> Answer:
        solve, shared, watch, news = self._job
        budget = Budget(
            Allowance(seconds),
            stopped=lambda: halt.is_set() or watch.stopped() is not None,
            wants_split=is_short_of_cases,
            count=watch.count,
            news=news,
        )
        return Answer(solve(shared, case, budget))

    def outcome(self, future: Future[Answer]) -> Outcome | None:
        return future.result().outcome

    def longer(self, seconds: float | None) -> float | None:
        return None

    def close(self) -> None:
        pass


class _Threads(_Single):
    """Threads of this process; compiled code runs on several cores."""

    def __init__(self, job: Work) -> None:
        super().__init__(job)
        self.workers = job.watch.settings.thread_count
        self._pool = ThreadPoolExecutor(self.workers)
        self._halts: dict[Future[Answer], Event] = {}

    def start(
        self, case: Any, halt: Event, seconds: float | None, is_short_of_cases: Callable[[], bool]
    ) -> Future[Answer]:
        future = self._pool.submit(self._work, case, halt, seconds, is_short_of_cases)
        self._halts[future] = halt
        return future

    def outcome(self, future: Future[Answer]) -> Outcome | None:
        del self._halts[future]
        return super().outcome(future)

    def close(self) -> None:
        for halt in self._halts.values():
            halt.set()
        self._pool.shutdown(cancel_futures=True)


class _Remote:
    """Workers of an executor, in other processes or on other machines.

    They cannot be told to stop, so they work in short slices. What the cases share goes with the
    first calls, one for each worker; who has not got it says so and is sent it.
    """

    remote = True
    seconds: float | None = SLICE_SECONDS

    def __init__(self, job: Work, executor: Executor) -> None:
        self._watch, self._news, self._executor = job.watch, job.news, executor
        self.workers = job.watch.settings.thread_count
        parcel = (job.solve, job.shared)
        self._parcel = pickle.dumps(parcel, protocol=pickle.HIGHEST_PROTOCOL)
        self._token = sha256(self._parcel).hexdigest()
        self._to_send = self.workers
        self._serial = count()
        self._futures: set[Future[Answer]] = set()

    def start(
        self, case: Any, halt: Event, seconds: float | None, is_short_of_cases: Callable[[], bool]
    ) -> Future[Answer]:
        parcel = self._parcel if self._to_send > 0 else None
        self._to_send -= 1
        try:
            future = self._executor.submit(
                work_remotely,
                self._token,
                parcel,
                case,
                self._allowance(seconds, is_short_of_cases()),
                next(self._serial),
            )
        except Exception as error:
            future = Future()
            future.set_exception(error)
        self._futures.add(future)
        return future

    def _allowance(self, seconds: float | None, split: bool) -> Allowance:
        watch = self._watch
        remaining, nodes, memory = watch.remaining, watch.nodes_left, watch.settings.memory_limit
        if remaining is not None:
            seconds = min(remaining, seconds or remaining)
        return Allowance(
            seconds,
            None if nodes is None else max(1, nodes // self.workers),
            None if memory is None else memory // self.workers,
            split,
            self._news(),
        )

    def outcome(self, future: Future[Answer]) -> Outcome | None:
        self._futures.discard(future)
        failure = CancelledError() if future.cancelled() else future.exception()
        if failure is not None:  # a worker died, or the executor is gone
            reason = str(failure) or type(failure).__name__
            self._watch.halt(f"the executor failed: {reason}")
            return None
        answer = future.result()
        if answer.error is not None:
            raise answer.error
        self._watch.count(answer.nodes)
        if answer.short_of_memory:
            self._watch.halt_for_memory()
        if answer.outcome is None:
            self._to_send = max(1, self._to_send + 1)
        return answer.outcome

    def longer(self, seconds: float | None) -> float | None:
        return 2 * (seconds or SLICE_SECONDS)

    def close(self) -> None:
        for future in self._futures:
            future.cancel()


class _Parcels:
    """What this process, as a worker, was sent for the latest searches."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[str, tuple[Callable[..., Outcome], Any]] = OrderedDict()

    def open(self, token: str, parcel: bytes | None) -> tuple[Callable[..., Outcome], Any] | None:
        """Return function and shared data; None if they were never sent."""
        with self._lock:
            if token not in self._kept:
                if parcel is None:
                    return None
                self._kept[token] = pickle.loads(parcel)
            self._kept.move_to_end(token)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return self._kept[token]


_PARCELS = _Parcels()
"""Kept between calls, for a process that works for an executor has no other memory of them."""


def work_remotely(
    token: str, parcel: bytes | None, case: Any, allowance: Allowance, serial: int
) -> Answer:
    """Work on a case in another process, for as long as the allowance says.

    The serial number makes each call different, for executors that remember what was computed.
    """
    opened = _PARCELS.open(token, parcel)
    if opened is None:
        return Answer(None)
    solve, shared = opened
    budget = Budget(allowance)
    try:
        outcome = solve(shared, case, budget)
    except Exception as error:
        return Answer(None, error=error)
    return Answer(outcome, budget.nodes, budget.short_of_memory)
