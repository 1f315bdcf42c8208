"""How the master receives: into rows that are there beforehand, one receive posted per worker."""

from __future__ import annotations

import time
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gcdesign.training.cluster.pauses import Pauses
from gcdesign.training.cluster.wire import NEWS_BYTES, Floats, News, Sizes, Tag

WAIT_SECONDS = 2e-3
"""After so long the master looks after other things than messages, too."""


class Letter(NamedTuple):
    """A message of a worker that has come in."""

    worker: int
    step: int
    number: int
    seconds: float
    finite: bool


class Inbox:
    """Receives of all workers' messages and news.

    Each worker has one row for each of a step's messages and one that is being received into.
    A message that is of use keeps its row until the next step; the row of one that is late is
    received into again.

    Parameters
    ----------
    comm
        The communicator.
    sizes
        The lengths of the rows.
    """

    def __init__(self, comm: Any, sizes: Sizes) -> None:
        self._mpi: Any = import_module("mpi4py.MPI")
        self._comm, self._sizes = comm, sizes
        shape = (sizes.workers, sizes.messages + 1, sizes.message_floats)
        self._rows: Floats = np.empty(shape)
        self._row = [0] * sizes.workers
        self._kept: dict[tuple[int, int], int] = {}
        self._news = np.zeros(NEWS_BYTES, np.uint8)
        self._requests: list[Any] = [self._receive(worker) for worker in range(sizes.workers)]
        self._requests.append(self._receive_news())
        self.received = [0] * sizes.workers

    def _receive(self, worker: int) -> Any:
        row = self._rows[worker, self._row[worker]]
        return self._comm.Irecv(row, source=worker + 1, tag=Tag.MESSAGE)

    def _receive_news(self) -> Any:
        return self._comm.Irecv(self._news, source=self._mpi.ANY_SOURCE, tag=Tag.NEWS)

    def new_step(self) -> None:
        """Let go of the messages that were kept."""
        self._kept.clear()

    def wait(self, step: int) -> tuple[list[Letter], list[News]]:
        """Return what has come in, when something has, or after `WAIT_SECONDS`.

        Messages of this step are kept.
        """
        pauses, end = Pauses(), time.monotonic() + WAIT_SECONDS
        while not (indices := self._mpi.Request.Testsome(self._requests)):
            if time.monotonic() > end:
                return [], []
            pauses.rest(False)
        return self._taken(indices, step)

    def _taken(self, indices: list[int], step: int) -> tuple[list[Letter], list[News]]:
        """Return what came in by some of the receives, which are posted anew."""
        letters: list[Letter] = []
        news: list[News] = []
        for index in indices:
            if index == self._sizes.workers:
                news.append(News.unpacked(self._news))
                self._requests[index] = self._receive_news()
            else:
                letters.append(self._open(index, step))
                self._requests[index] = self._receive(index)
        return letters, news

    def _open(self, worker: int, step: int) -> Letter:
        self.received[worker] += 1
        head = self._rows[worker, self._row[worker], :4].tolist()
        letter = Letter(worker, int(head[0]), int(head[1]), head[2], bool(head[3]))
        if letter.step == step and letter.finite:
            self._kept[worker, letter.number] = self._row[worker]
            used = {self._kept.get((worker, number)) for number in range(self._sizes.messages)}
            rows = range(self._sizes.messages + 1)
            self._row[worker] = next(row for row in rows if row not in used)
        return letter

    def contents(self) -> dict[tuple[int, int], NDArray[Any]]:
        """Return the messages that were kept, by worker and number: views, until `new_step`."""
        return {
            message: self._sizes.values(self._rows[message[0], row])
            for message, row in self._kept.items()
        }

    def close(self) -> None:
        """Receive no more."""
        for request in self._requests:
            request.Cancel()
            request.Wait()
