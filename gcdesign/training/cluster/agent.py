"""The MPI process of a worker: it passes models in and messages out, and watches the calculator.

It never computes, so it hears the master at once, whatever its calculator does, and stays when
that one fails. It waits by testing with growing pauses: a blocking MPI call would keep a core busy.
"""

from __future__ import annotations

import json
import select
import signal
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.training.cluster.calculator import BEGIN, NUDGE, ORDER, Order, Word
from gcdesign.training.cluster.pauses import Attention, Pauses
from gcdesign.training.cluster.space import MODELS, OUTBOXES, Space, open_space
from gcdesign.training.cluster.wire import NEWS_BYTES, News, Sizes, Tag

BEATS = 5
"""How often it says that it is alive within the patience of the master."""

JOIN_SECONDS = 2.0
MASTER = 0


class Agent:
    """A worker's process among those of MPI.

    Parameters
    ----------
    comm
        The communicator; worker i is rank i + 1.
    process, pipe
        The calculator, which has been started, and the pipe to it.
    patience
        Seconds without a sign after which the calculator counts as asleep.
    """

    def __init__(
        self, comm: Any, process: BaseProcess, pipe: Connection, *, patience: float
    ) -> None:
        self._comm, self._process, self._patience = comm, process, patience
        self._pipe: Connection | None = pipe
        self._number = comm.Get_rank() - 1
        self._workers = comm.Get_size() - 1
        self._end = np.zeros(1, np.int64)
        self._ending = comm.Irecv(self._end, source=MASTER, tag=Tag.END)
        self._letters: list[tuple[Any, NDArray[np.uint8]]] = []
        self._desk: _Desk | None = None
        self._sent = 0
        self._next_beat = 0.0
        self._pauses = Pauses()

    def run(self) -> None:
        """Serve the master until it says that the run is over."""
        self._send(BEGIN.pack(self._number, self._workers))
        try:
            while not self._ending.Test():
                heard = self._hear_calculator() + self._hear_master()
                self._order()
                self._beat()
                self._pauses.rest(heard > 0, self._pipe)
        finally:
            self._dismiss()
        self._leave()

    # -- the calculator ------------------------------------------------------------------------

    def _hear_calculator(self) -> int:
        """Take in what the calculator says; return how much that was."""
        heard = 0
        while self._pipe is not None and select.select([self._pipe], [], [], 0)[0]:
            heard += 1
            try:
                said = self._pipe.recv_bytes()
            except (EOFError, ConnectionResetError):
                self._lose("died", how_it_ended(self._process))
            else:
                self._take(Word(said[0]), said[1:])
        if self._pipe is not None and self._desk is not None and self._desk.overdue(self._patience):
            self._lose("silent", f"no sign for {self._patience:g} s")
        return heard

    def _take(self, word: Word, rest: bytes) -> None:
        if word is Word.READY:
            name, fields = json.loads(rest)
            sizes = Sizes(**fields)
            self._desk = _Desk(self._comm, self._number, open_space(name, sizes), sizes)
            numbers = (sizes.model_floats, sizes.message_floats)
            self._tell(News("ready", self._number, numbers=numbers))
        elif word in (Word.RAISED, Word.REFUSED):
            self._lose("raised", rest.decode(), refused=word is Word.REFUSED)
        elif self._desk is not None:
            number = rest[0] if word is Word.DONE else None
            self._sent += self._desk.put_out(number)

    def _order(self) -> None:
        order = None if self._desk is None else self._desk.next_order()
        if order is not None:
            self._send(ORDER.pack(*order))

    def _send(self, data: bytes) -> None:
        if self._pipe is not None:
            with suppress(OSError):  # it is dead, as the pipe will tell
                self._pipe.send_bytes(data)

    def _lose(self, kind: str, text: str, *, refused: bool = False) -> None:
        step = -1 if self._desk is None else self._desk.step
        self._dismiss()
        self._tell(News(kind, self._number, step=step, text=text, refused=refused))

    def _dismiss(self) -> None:
        """End the calculator, whatever it does."""
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
        if self._process.is_alive():
            self._process.kill()
        self._process.join(JOIN_SECONDS)

    # -- the master ----------------------------------------------------------------------------

    def _hear_master(self) -> int:
        """Take in a newer model; return whether one came."""
        if self._desk is None or not self._desk.receive():
            return 0
        if self._desk.is_to_be_nudged():
            self._send(NUDGE)
        return 1

    def _beat(self) -> None:
        if time.monotonic() > self._next_beat:
            self._next_beat = time.monotonic() + self._patience / BEATS
            self._tell(News("alive", self._number))

    def _tell(self, news: News) -> None:
        self._letters = [(request, data) for request, data in self._letters if not request.Test()]
        data = news.packed()
        assert len(data) == NEWS_BYTES
        self._letters.append((self._comm.Isend(data, dest=MASTER, tag=Tag.NEWS), data))

    def _leave(self) -> None:
        """Wait for what is under way, and take leave; the master still receives."""
        if self._desk is not None:
            self._desk.close(models=int(self._end[0]))
        self._tell(News("bye", self._number, numbers=(self._sent,)))
        for request, _ in self._letters:
            wait_for(request)


class _Desk:
    """The shared memory of a worker: which rows are in use for what.

    A model is received into one row while the newest waits in another and the calculator works
    on a third; the messages of one step are sent while those of the next are filled in.
    """

    def __init__(self, comm: Any, number: int, space: Space, sizes: Sizes) -> None:
        self._comm, self._number, self._space, self._sizes = comm, number, space, sizes
        self._order: Order | None = None
        self._waiting: int | None = None
        self._sending: list[list[Any]] = [[] for _ in range(OUTBOXES)]
        self._clock, self._limit = Attention(), float("inf")
        self._nudged = False
        self._received = 0
        self._receiving = self._receive_into(0)

    @property
    def step(self) -> int:
        """The step that is worked on, or was last asked for."""
        return int(self._space.newest[0]) if self._order is None else self._order.step

    def is_to_be_nudged(self) -> bool:
        """Whether the calculator is late and was not told so, which it is now."""
        if self._order is None or self._nudged:
            return False
        self._nudged = True
        self._limit = self._clock.now()
        return True

    def _receive_into(self, row: int) -> Any:
        self._row = row
        return self._comm.Irecv(self._space.models[row], source=MASTER, tag=Tag.MODEL)

    def receive(self) -> bool:
        """Return whether a newer model came, and receive the next one."""
        if not self._receiving.Test():
            return False
        self._received += 1
        self._waiting = self._row
        self._space.newest[0] = self._space.models[self._row, 0]
        taken = {self._waiting, None if self._order is None else self._order.model}
        self._receiving = self._receive_into(next(r for r in range(MODELS) if r not in taken))
        return True

    def next_order(self) -> Order | None:
        """Return what to do next: the newest model, if there is an outbox for its messages."""
        if self._waiting is None or self._order is not None:
            return None
        outbox = next((box for box in range(OUTBOXES) if self._is_free(box)), None)
        if outbox is None:
            return None
        step = int(self._space.models[self._waiting, 0])
        held = self._sizes.holds(self._space.models[self._waiting])[self._number]
        self._limit = self._clock.now() + float(held.max(initial=0.0))
        self._order, self._waiting = Order(step, self._waiting, outbox), None
        self._nudged = False
        return self._order

    def _is_free(self, box: int) -> bool:
        self._sending[box] = [request for request in self._sending[box] if not request.Test()]
        return not self._sending[box]

    def put_out(self, number: int | None) -> int:
        """Send a message that is done, None for no more; return how many were sent."""
        order = self._order
        assert order is not None
        if number is None or number == self._sizes.messages - 1:
            self._order = None
        if number is None or order.step < self._space.newest[0]:
            return 0  # nobody waits for it any more
        row = self._space.outboxes[order.outbox, number]
        self._sending[order.outbox].append(self._comm.Isend(row, dest=MASTER, tag=Tag.MESSAGE))
        return 1

    def overdue(self, patience: float) -> bool:
        """Whether the calculator should have said something long ago."""
        now = self._clock.now()  # also without an order: it is to notice gaps
        return self._order is not None and now > self._limit + patience

    def close(self, *, models: int) -> None:
        """Finish sending, and receive no more models than so many in all."""
        for request in [request for box in self._sending for request in box]:
            wait_for(request)
        while self._received < models and wait_for(self._receiving):
            self._received += 1
            self._receiving = self._receive_into(self._row)
        self._receiving.Cancel()
        self._receiving.Wait()


def wait_for(request: Any, seconds: float = 30.0) -> bool:
    """Wait for a request without keeping a core busy; return whether it was completed in time."""
    pauses, end = Pauses(), time.monotonic() + seconds
    while not request.Test():
        if time.monotonic() > end:
            return False
        pauses.rest(False)
    return True


def how_it_ended(process: BaseProcess) -> str:
    """Say how a process ended, whose pipe is closed."""
    process.join(JOIN_SECONDS)
    code = process.exitcode
    if code is None:
        return "closed its pipe"
    if code < 0:
        with suppress(ValueError):
            return f"killed by {signal.Signals(-code).name}"
    return f"ended with exit code {code}"
