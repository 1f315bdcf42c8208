"""A long search as a list of cases, worked on side by side by threads, processes or a cluster.

A case is small, plain data. The function that works on it is given a `Budget` and returns an
outcome; how far it comes in one call is its own affair, as long as it returns when the budget is
over. Results do not depend on which case is finished first: cases are known by their paths, and
the order of paths is that of a search that goes through the cases one after the other.
"""

from __future__ import annotations

import heapq
import json
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing
from dataclasses import dataclass, field
from hashlib import sha256
from threading import Event
from typing import Any, NamedTuple

from gcdesign.adversary.running.budget import Budget
from gcdesign.adversary.running.crews import POLL_SECONDS, Answer, Crew, Work, crew_for
from gcdesign.adversary.running.journal import Outcome
from gcdesign.adversary.running.settings import Watch

CasePath = tuple[int, ...]
"""The number of a case in the list; for a part of a case, its number there after it; and so on."""

Solve = Callable[[Any, Any, Budget], Outcome]

GRACE_SECONDS = 2.0
"""How long an executor is waited for when a search must stop, beyond the slice it is at."""

STATE_SECONDS = 10.0
STATE_BYTES_PER_SECOND = 1000
"""Unfinished cases go to the journal no more often than this, lest it grow too fast."""


class Finished(NamedTuple):
    """A case that was worked on, and what came of it.

    Attributes
    ----------
    path
        Where the case stands among all.
    case
        The case as it was given.
    outcome
        What the function returned, as JSON gives it back: lists, not tuples. ``outcome["done"]``
        says whether the case is finished.
    """

    path: CasePath
    case: Any
    outcome: Outcome


def run_cases(
    solve: Solve,
    shared: Any,
    cases: Iterable[Any],
    *,
    watch: Watch,
    label: str,
    enough: Callable[[Outcome], bool] | None = None,
    news: Callable[[], Any] = lambda: None,
) -> Generator[Finished, None, None]:
    """Work on all cases and yield each with its outcome, as they are finished.

    When the watch says that the search must stop, the cases that are left are yielded too, with
    ``"done": False`` in the latest outcome, so that every case is yielded once. Closing the
    generator ends the work at once; no thread is left behind.

    Parameters
    ----------
    solve
        ``solve(shared, case, budget)``: a function of a module, so that it can be sent to other
        processes. It returns a dict of JSON values and does nothing else. Members with a
        meaning here, all optional:

        ``"done"``: False if the budget was over before the end. The case is then resumed, from
        ``"state"`` if that is given, which takes the place of ``case`` in the next call.

        ``"cases"``: parts of the case that are left to be worked on, in the order of the search.
        It asks `Budget.wants_split` whether parts are welcome.
    shared
        What all cases need, such as arrays; sent once to each process.
    cases
        The cases, small plain data, in the order in which they are worked on.
    watch
        Limits, executor and journal. Cases that the journal knows are not worked on again.
    label
        Names this search in the journal and in progress; unique within the call of an engine.
    enough
        Says of a finished outcome that cases with later paths are not needed any more. They are
        dropped and not yielded; earlier ones are still finished. The first such outcome in the
        order of paths is hence the same in every run.
    news
        Asked, from any thread, for plain data that calls are to know, such as the best value
        so far; the function finds it as `Budget.news`. An outcome that rests on news is kept
        in the journal, so what the news rest on, if not on outcomes, has to be there before.

    Yields
    ------
    Finished
        Path, case and outcome.

    Examples
    --------
    >>> from gcdesign.adversary.running.settings import Settings
    >>> def square(shared, case, budget):
    ...     return {"square": case * case + shared}
    >>> watch = Watch(Settings(threads=1))
    >>> [found.outcome["square"] for found in run_cases(square, 1, [2, 3], watch=watch, label="x")]
    [5, 10]
    """
    with closing(crew_for(Work(solve, shared, watch, news))) as crew:
        yield from _Run(crew, watch, label, enough).go(cases)


@dataclass(order=True)
class _Task:
    """A case and how far it has come."""

    path: CasePath
    case: Any = field(compare=False)
    seconds: float | None = field(compare=False)
    latest: Outcome = field(compare=False, default_factory=lambda: {"done": False})
    halt: Event = field(compare=False, default_factory=Event)
    recorded: float = field(compare=False, default_factory=time.monotonic)
    recalled: bool = field(compare=False, default=False)

    @property
    def state(self) -> Any:
        """What the next call works on."""
        return self.latest.get("state", self.case)


class _Run:
    """The bookkeeping of one call."""

    def __init__(
        self, crew: Crew, watch: Watch, label: str, enough: Callable[[Outcome], bool] | None
    ) -> None:
        self._crew, self._watch, self._label, self._enough = crew, watch, label, enough
        self._queue: list[_Task] = []
        self._running: dict[Future[Answer], _Task] = {}
        self._last: CasePath | None = None
        self._done = 0
        self._open = 0

    def go(self, cases: Iterable[Any]) -> Iterator[Finished]:
        """Yield all cases."""
        self._add((), cases)
        while self._queue or self._running:
            if self._watch.stopped() is not None:
                yield from self._wind_up()
                return
            yield from self._start()
            self._tell()
            for future in self._completed(POLL_SECONDS):
                yield from self._take(future)

    def _add(self, path: CasePath, cases: Iterable[Any]) -> None:
        for number, case in enumerate(cases):
            task = _Task((*path, number), case, self._crew.seconds)
            if self._wanted(task):
                heapq.heappush(self._queue, task)
                self._open += 1

    def _wanted(self, task: _Task) -> bool:
        return self._last is None or task.path <= self._last

    def _start(self) -> Iterator[Finished]:
        """Give work to whoever is idle; yield what the journal knows already."""
        while self._queue and len(self._running) < self._crew.workers:
            task = heapq.heappop(self._queue)
            known = self._watch.journal.outcome(self._key(task))
            if known is not None and known.get("done"):
                yield from self._finish(task, known)
                continue
            if known is not None and "state" not in task.latest:
                task.latest, task.recalled = known, True
            future = self._crew.start(task.state, task.halt, task.seconds, self._is_short_of_cases)
            self._running[future] = task
            if self._watch.stopped() is not None:
                return

    def _is_short_of_cases(self) -> bool:
        return self._open < self._crew.workers

    def _completed(self, timeout: float) -> list[Future[Answer]]:
        done = wait(self._running, timeout=timeout, return_when=FIRST_COMPLETED).done
        return sorted(done, key=lambda future: self._running[future].path)

    def _take(self, future: Future[Answer]) -> Iterator[Finished]:
        """Look at what a worker hands back."""
        task = self._running.pop(future)
        outcome = self._outcome(future, task)
        if not self._wanted(task):
            return
        if outcome is None:  # it was not worked on at all
            heapq.heappush(self._queue, task)
            return
        outcome = plain({**outcome, "done": outcome.get("done", True)})
        if outcome["done"]:
            self._watch.journal.record(self._key(task), outcome)
            yield from self._finish(task, outcome)
            return
        task.latest = outcome
        if "state" in outcome:
            self._record_state(task)
        else:  # the next attempt starts from the same place, so it has to go farther
            task.seconds = self._crew.longer(task.seconds)
        heapq.heappush(self._queue, task)

    def _outcome(self, future: Future[Answer], task: _Task) -> Outcome | None:
        """Return what came of a call; who cannot go on from the journal's state says so."""
        try:
            return self._crew.outcome(future)
        except Exception as error:
            if not task.recalled:
                raise
            what = f"has a state that the search cannot go on from ({error})"
            raise self._watch.journal.damaged(self._key(task), what) from error

    def _finish(self, task: _Task, outcome: Outcome) -> Iterator[Finished]:
        self._done += 1
        self._open -= 1
        if self._enough is not None and self._enough(outcome):
            self._drop_after(task.path)
        self._add(task.path, outcome.get("cases", ()))
        yield Finished(task.path, task.case, outcome)

    def _drop_after(self, path: CasePath) -> None:
        """Give up the cases with later paths."""
        self._last = path
        self._queue = [task for task in self._queue if self._wanted(task)]
        heapq.heapify(self._queue)
        for task in self._running.values():
            if not self._wanted(task):
                task.halt.set()
        self._open = len(self._queue) + sum(map(self._wanted, self._running.values()))

    def _record_state(self, task: _Task, *, last: bool = False) -> None:
        """Note how far a case has come, if it is time for that."""
        if not self._watch.journal.on_disk:
            return
        size = len(json.dumps(task.latest))
        pause = max(STATE_SECONDS, size / STATE_BYTES_PER_SECOND)
        if last or time.monotonic() - task.recorded >= pause:
            task.recorded = time.monotonic()
            self._watch.journal.record(self._key(task), task.latest)

    def _wind_up(self) -> Iterator[Finished]:
        """Wait for the workers to hand back what they have, then yield what is not finished."""
        for task in self._running.values():
            task.halt.set()
        give_up = time.monotonic() + GRACE_SECONDS
        while self._running and not (self._crew.remote and time.monotonic() > give_up):
            for future in self._completed(POLL_SECONDS):
                yield from self._take(future)
        for task in sorted([*self._queue, *filter(self._wanted, self._running.values())]):
            if "state" in task.latest:
                self._record_state(task, last=True)
            yield Finished(task.path, task.case, task.latest)

    def _key(self, task: _Task) -> str:
        """Return what the case is called in the journal: by its place and its content."""
        content = sha256(repr(task.case).encode()).hexdigest()[:12]
        return f"{self._label}/{'.'.join(map(str, task.path))}/{content}"

    def _tell(self) -> None:
        self._watch.tell(f"{self._label}: {self._done} cases done, {self._open} open")


def plain(outcome: Outcome) -> Outcome:
    """Return an outcome as a journal gives it back.

    Raises
    ------
    TypeError, ValueError
        If it does not consist of JSON values.
    """
    found: Outcome = json.loads(json.dumps(outcome, allow_nan=False))
    return found
