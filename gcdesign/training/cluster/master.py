"""The master's side of a real cluster: it asks, collects, and decides about what fails."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import InputError, RunError
from gcdesign.training.cluster.inbox import Inbox, Letter
from gcdesign.training.cluster.outbox import Outbox
from gcdesign.training.cluster.pauses import Pauses
from gcdesign.training.cluster.wire import News, Sizes, Tag
from gcdesign.training.master import Answer

if TYPE_CHECKING:
    from gcdesign.training.scheme import Collector, Scheme

END_SECONDS = 5.0
"""How long the workers' processes have for taking leave."""

CHECK_SECONDS = 0.1
"""How often the master looks whether workers are heard of."""

START_FACTOR = 10
"""A worker has so many times the patience for making its problem."""


@dataclass(frozen=True)
class Policy:
    """What to do about failures.

    Attributes
    ----------
    tolerate
        Whether a worker that is lost counts as a straggler for good, as long as the scheme
        can do without it; otherwise the run ends.
    not_finite
        ``"fatal"`` ends the run when a message holds NaN or infinity, ``"exclude"`` leaves that
        message out.
    patience
        Seconds without a sign of a worker after which it is lost.
    """

    tolerate: bool = False
    not_finite: Literal["fatal", "exclude"] = "fatal"
    patience: float = 30.0

    def __post_init__(self) -> None:
        if not (np.isfinite(self.patience) and self.patience > 0):
            raise InputError(f"patience={self.patience}; expected seconds, more than 0")
        if self.not_finite not in ("fatal", "exclude"):
            raise InputError(f"not_finite={self.not_finite!r}; expected 'fatal' or 'exclude'")


@dataclass
class Counts:
    """What happened beside the steps.

    Attributes
    ----------
    lost
        The workers that are lost, each with the reason.
    excluded
        Messages that were left out as they were not finite, by worker.
    late
        Messages that came after their step was over.
    """

    lost: dict[int, str] = field(default_factory=dict)
    excluded: dict[int, int] = field(default_factory=dict)
    late: int = 0


class MpiCluster:
    """N workers in MPI processes of their own, as `gcdesign.training.train` asks them.

    Parameters
    ----------
    comm
        The communicator: this is rank 0, worker i is rank i + 1.
    scheme, sizes
        The scheme and the lengths of rows.
    policy
        What to do about failures.
    holds
        Called with the step: when each message may go at the earliest, in seconds after the
        beginning, shape (N, messages); None for at once.
    notice
        Called with one line about a worker that is lost or excluded.
    """

    def __init__(
        self,
        comm: Any,
        scheme: Scheme,
        sizes: Sizes,
        *,
        policy: Policy,
        holds: Callable[[int], NDArray[np.float64]] | None = None,
        notice: Callable[[str], None] = lambda line: None,
    ) -> None:
        self._comm, self._scheme, self._sizes = comm, scheme, sizes
        self._policy, self._holds, self._notice = policy, holds, notice
        self._inbox = Inbox(comm, sizes)
        self._outbox = Outbox(comm, sizes.workers, sizes.model_floats)
        self._heard = [time.monotonic()] * sizes.workers
        self._next_check = 0.0
        self._absent: set[int] = set()
        self._byes: dict[int, int] = {}
        self.counts = Counts()

    # -- steps ---------------------------------------------------------------------------------

    def start(self) -> None:
        """Wait until all workers are ready.

        Raises
        ------
        InputError
            If a worker refuses what it was given.
        RunError
            If a worker is lost.
        """
        ready: set[int] = set()
        limit = START_FACTOR * self._policy.patience
        pauses, end = Pauses(), time.monotonic() + limit
        while len(ready | self.counts.lost.keys()) < self._sizes.workers:
            _, news = self._inbox.look(-1)
            for one in news:
                self._note(one, -1)
                if one.kind == "ready":
                    self._check_sizes(one)
                    ready.add(one.worker)
            self._check_beats(-1)
            if time.monotonic() > end:
                missing = sorted(set(range(self._sizes.workers)) - ready)
                raise RunError(
                    f"workers {missing} are not ready after {limit:g} s; a greater --patience "
                    "gives them longer"
                )
            pauses.rest(bool(news))

    def ask(self, step: int, point: NDArray[np.float64], collector: Collector) -> Answer:
        """Send a point, and receive until the collector is ready or the deadline is over.

        Raises
        ------
        RunError
            If the run cannot go on.
        """
        self._inbox.new_step()
        self._absent = set(self.counts.lost)
        self._post(step, point)
        begun, pauses = time.perf_counter(), Pauses()
        arrivals = np.full((self._sizes.workers, self._sizes.messages), np.nan)
        deadline = self._scheme.deadline
        seconds = 0.0
        while not collector.ready:
            letters, news = self._inbox.look(step)
            seconds = time.perf_counter() - begun
            for letter in letters:
                if self._is_of_use(letter, step) and not collector.ready:
                    arrivals[letter.worker, letter.number] = seconds
                    collector.add((letter.worker, letter.number))
            for one in news:
                self._note(one, step)
            if deadline is not None and seconds >= deadline:
                break
            self._outbox.push()
            self._check_beats(step)
            pauses.rest(bool(letters or news))
        return Answer(self._inbox.contents(), seconds, arrivals)

    def _post(self, step: int, point: NDArray[np.float64]) -> None:
        row = self._outbox.fresh()
        row[0] = step
        self._sizes.holds(row)[:] = 0.0 if self._holds is None else self._holds(step)
        self._sizes.point(row)[:] = point
        self._outbox.post(set(range(self._sizes.workers)) - self.counts.lost.keys())

    def _is_of_use(self, letter: Letter, step: int) -> bool:
        """Whether a message is of this step and finite; what to do if not."""
        self._heard[letter.worker] = time.monotonic()
        if letter.step != step:
            self.counts.late += 1
            return False
        if letter.finite:
            return True
        found = f"worker {letter.worker} sent NaN or infinity in step {step}"
        if self._policy.not_finite == "fatal":
            raise RunError(f"{found}; --not-finite exclude leaves such messages out")
        excluded = self.counts.excluded
        if letter.worker not in excluded:
            self._notice(f"{found}; left out")
        excluded[letter.worker] = excluded.get(letter.worker, 0) + 1
        self._absent.add(letter.worker)
        self._check_hope(step, found)
        return False

    # -- failures ------------------------------------------------------------------------------

    def _note(self, news: News, step: int) -> None:
        self._heard[news.worker] = time.monotonic()
        if news.kind == "bye":
            self._byes[news.worker] = news.numbers[0]
        elif news.kind in ("raised", "died", "silent"):
            if news.refused:
                raise InputError(f"worker {news.worker}: {news.text}")
            where = "before the first step" if news.step < 0 else f"in step {news.step}"
            self._lose(news.worker, f"{WORDS[news.kind]} {where}: {news.text}", step)

    def _check_beats(self, step: int) -> None:
        now = time.monotonic()
        if now < self._next_check:
            return
        self._next_check = now + CHECK_SECONDS
        limit = now - self._policy.patience
        for worker, heard in enumerate(self._heard):
            if heard < limit and worker not in self.counts.lost:
                self._lose(worker, f"not heard from for {self._policy.patience:g} s", step)

    def _lose(self, worker: int, reason: str, step: int) -> None:
        if worker in self.counts.lost:
            return
        self.counts.lost[worker] = reason
        self._absent.add(worker)
        line = f"worker {worker} {reason}"
        if not self._policy.tolerate:
            raise RunError(f"{line}; --tolerate-failures goes on without it")
        self._check_hope(step, line)
        self._notice(f"{line}; going on without it")

    def _check_hope(self, step: int, line: str) -> None:
        if self._scheme.hopeless(self._absent):
            raise RunError(
                f"{line}; {self._scheme.label} cannot do without workers "
                f"{', '.join(map(str, sorted(self._absent)))}"
            )

    def _check_sizes(self, news: News) -> None:
        if news.numbers != (self._sizes.model_floats, self._sizes.message_floats):
            raise InputError(
                f"worker {news.worker} has a problem of another size; give all ranks the same data"
            )

    # -- the end -------------------------------------------------------------------------------

    def close(self) -> None:
        """End the workers' processes, after receiving all that they have sent.

        Raises
        ------
        UnendedError
            If one does not take leave in time: then the whole MPI job has to be aborted.
        """
        counts = [np.array([sent], np.int64) for sent in self._outbox.sent]
        requests = [
            self._comm.Isend(count, dest=worker + 1, tag=Tag.END)
            for worker, count in enumerate(counts)
        ]
        pauses, end = Pauses(), time.monotonic() + END_SECONDS
        while not (self._is_empty() and all(request.Test() for request in requests)):
            letters, news = self._inbox.look(-1)
            self.counts.late += len(letters)
            for one in news:
                if one.kind == "bye":
                    self._byes[one.worker] = one.numbers[0]
            if time.monotonic() > end:
                raise UnendedError(sorted(set(range(self._sizes.workers)) - self._byes.keys()))
            pauses.rest(bool(letters or news))
        self._inbox.close()

    def _is_empty(self) -> bool:
        """Whether all have taken leave, and all that they sent is here."""
        return (
            len(self._byes) == self._sizes.workers
            and all(self._inbox.received[worker] >= sent for worker, sent in self._byes.items())
            and self._outbox.is_settled()
        )


WORDS = {"raised": "failed", "died": "died", "silent": "fell silent"}


class UnendedError(Exception):
    """Some workers' processes do not take leave.

    Parameters
    ----------
    workers
        Which.
    """

    def __init__(self, workers: list[int]) -> None:
        super().__init__(f"workers {workers} do not end")
        self.workers = workers
