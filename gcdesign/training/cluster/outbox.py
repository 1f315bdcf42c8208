"""How the master sends models: no worker ever holds up the others."""

from __future__ import annotations

from typing import Any

import numpy as np

from gcdesign.training.cluster.wire import Floats, Tag


class Outbox:
    """Rows that models are sent from, each kept as long as somebody is still being sent it.

    A worker that has not taken the last model gets the newest as soon as it has: at most one is
    on the way to each.

    Parameters
    ----------
    comm
        The communicator.
    workers
        Number of workers.
    floats
        Length of a row.

    Attributes
    ----------
    sent
        How many models each worker was sent.
    """

    def __init__(self, comm: Any, workers: int, floats: int) -> None:
        self._comm, self._floats = comm, floats
        self._rows: list[Floats] = []
        self._requests: list[Any] = [None] * workers
        self._used: list[int] = [-1] * workers
        self._newest = -1
        self._owed: set[int] = set()
        self.sent = [0] * workers

    def fresh(self) -> Floats:
        """Return a row that nobody is being sent, to be filled in and then posted."""
        self._settle()
        taken = {row for row, request in zip(self._used, self._requests, strict=True) if request}
        free = [row for row in range(len(self._rows)) if row not in taken]
        if not free:
            self._rows.append(np.empty(self._floats))
            free = [len(self._rows) - 1]
        self._newest = free[0]
        return self._rows[free[0]]

    def post(self, workers: set[int]) -> None:
        """Send the row to these workers."""
        self._owed = set(workers)
        self.push()

    def push(self) -> None:
        """Send the newest model to those who had not taken the one before it."""
        if not self._owed:
            return
        for worker in [worker for worker in self._owed if self._is_idle(worker)]:
            self._owed.discard(worker)
            self._used[worker] = self._newest
            self.sent[worker] += 1
            self._requests[worker] = self._comm.Isend(
                self._rows[self._newest], dest=worker + 1, tag=Tag.MODEL
            )

    def _is_idle(self, worker: int) -> bool:
        request = self._requests[worker]
        if request is None or request.Test():
            self._requests[worker] = None
            return True
        return False

    def _settle(self) -> None:
        for worker in range(len(self._requests)):
            self._is_idle(worker)

    def is_settled(self) -> bool:
        """Whether nothing is on the way any more."""
        self._settle()
        return not any(self._requests)
