"""The master's side of a real cluster: it asks, collects, and decides about what fails."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import InputError, RunError
from gcdesign.training.cluster.ending import end_workers
from gcdesign.training.cluster.inbox import Inbox, Letter
from gcdesign.training.cluster.outbox import Outbox
from gcdesign.training.cluster.pauses import Attention
from gcdesign.training.cluster.wire import News, Sizes
from gcdesign.training.master import Answer

if TYPE_CHECKING:
    from gcdesign.training.scheme import Collector, Scheme

GRACE_SECONDS = 2.0
"""How long a step may go on when the run is to stop, so that its end can be saved."""

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
    stop
        Asked while a step lasts; once true, the step has `GRACE_SECONDS` to come to its end.
    wait_all
        Whether a step lasts until all workers have answered, to know how long each takes.

    Attributes
    ----------
    counts
        What happened beside the steps.
    times
        For each step, when each worker's last message was here, shape (N,): NaN for one that was
        not waited for, infinite for one that is lost or held back for ever.
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
        stop: Callable[[], bool] = lambda: False,
        wait_all: bool = False,
    ) -> None:
        self._comm, self._scheme, self._sizes = comm, scheme, sizes
        self._policy, self._holds, self._notice = policy, holds, notice
        self._stop, self._wait_all = stop, wait_all
        self._inbox = Inbox(comm, sizes)
        self._outbox = Outbox(comm, sizes.workers, sizes.model_floats)
        self._clock = Attention()
        self._heard = [0.0] * sizes.workers
        self._next_check = self._stopped = 0.0
        self._absent: set[int] = set()
        self._never: set[int] = set()
        self.counts = Counts()
        self.times: list[NDArray[np.float64]] = []

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
        end = time.monotonic() + limit
        while len(ready | self.counts.lost.keys()) < self._sizes.workers:
            _, news = self._inbox.wait(-1)
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

    def ask(self, step: int, point: NDArray[np.float64], collector: Collector) -> Answer:
        """Send a point, and receive until the collector is ready or the deadline is over.

        Raises
        ------
        RunError
            If the run cannot go on.
        """
        self._inbox.new_step()
        self._absent = set(self.counts.lost) | self._held_for_ever(step)
        self._post(step, point)
        begun = time.perf_counter()
        arrivals = np.full((self._sizes.workers, self._sizes.messages), np.nan)
        decided: float | None = None
        while decided is None or (self._wait_all and self._is_awaited(arrivals)):
            letters, news = self._inbox.wait(step)
            now = time.perf_counter() - begun
            for letter in letters:
                if self._is_of_use(letter, step):
                    arrivals[letter.worker, letter.number] = now
                    if decided is None and collector.add((letter.worker, letter.number)):
                        decided = now
            for one in news:
                self._note(one, step)
            if decided is None and self._is_over(now, step):
                decided = now
            self._outbox.push()
            self._check_beats(step)
        arrivals[list(self._never | self.counts.lost.keys())] = np.inf
        self.times.append(arrivals[:, -1])
        return Answer(self._inbox.contents(), decided, arrivals)

    def state(self) -> dict[str, NDArray[np.float64]]:
        """Return nothing: workers that begin anew need no memory of steps before."""
        return {}

    def restore(self, state: dict[str, NDArray[np.float64]]) -> None:
        """Do nothing, as there is nothing to restore."""

    def _is_over(self, seconds: float, step: int) -> bool:
        """Whether what has arrived must do."""
        if self._stop():
            self._stopped = self._stopped or time.monotonic()
            if time.monotonic() - self._stopped > GRACE_SECONDS:
                raise RunError(f"interrupted in step {step}, which does not come to its end")
        return self._scheme.deadline is not None and seconds >= self._scheme.deadline

    def _is_awaited(self, arrivals: NDArray[np.float64]) -> bool:
        """Whether somebody has not answered who still may."""
        open_ends = set(np.flatnonzero(np.isnan(arrivals[:, -1])).tolist())
        return bool(open_ends - self._absent)

    def _held_for_ever(self, step: int) -> set[int]:
        """Return the workers that are not to answer in this step; refuse it if they must."""
        self._never = set[int]()
        if self._holds is not None:
            self._never.update(np.flatnonzero(np.isinf(self._holds(step)).any(axis=1)).tolist())
        silent = self._never | self.counts.lost.keys()
        if self._never and self._scheme.hopeless(silent):
            raise RunError(
                f"step {step}: {self._scheme.label} waits for ever; workers "
                f"{', '.join(map(str, sorted(silent)))} never answer"
            )
        return self._never

    def _post(self, step: int, point: NDArray[np.float64]) -> None:
        row = self._outbox.fresh()
        row[0] = step
        self._sizes.holds(row)[:] = 0.0 if self._holds is None else self._holds(step)
        self._sizes.point(row)[:] = point
        self._outbox.post(set(range(self._sizes.workers)) - self.counts.lost.keys())

    def _is_of_use(self, letter: Letter, step: int) -> bool:
        """Whether a message is of this step and finite; what to do if not."""
        self._heard[letter.worker] = self._clock.now()
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
        self._heard[news.worker] = self._clock.now()
        if news.kind in ("raised", "died", "silent"):
            if news.refused:
                raise InputError(f"worker {news.worker}: {news.text}")
            where = "before the first step" if news.step < 0 else f"in step {news.step}"
            self._lose(news.worker, f"{WORDS[news.kind]} {where}: {news.text}", step)

    def _check_beats(self, step: int) -> None:
        now = self._clock.now()
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

    def close(self) -> None:
        """End the workers' processes, after receiving all that they have sent.

        Raises
        ------
        UnendedError
            If one does not take leave in time: then the whole MPI job has to be aborted.
        """
        self.counts.late += end_workers(self._comm, self._inbox, self._outbox)


WORDS = {"raised": "failed", "died": "died", "silent": "fell silent"}
