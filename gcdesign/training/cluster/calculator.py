"""The calculating process of a worker: it computes messages and never speaks MPI.

It is a child of the worker's MPI process. If it raises, dies or falls asleep, that process is
still there to tell the master, whatever the MPI library does with ranks that fail.
"""

from __future__ import annotations

import json
import signal
import struct
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from enum import IntEnum
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import GcdesignError
from gcdesign.training.cluster.rehearsal import Rehearsal
from gcdesign.training.cluster.space import Space, make_space
from gcdesign.training.cluster.wire import MESSAGE_HEAD, Floats, Sizes
from gcdesign.training.cluster.witness import WITNESS, bear_witness, end_with_parent

if TYPE_CHECKING:
    from gcdesign.training.problems.problem import GradientSource, Problem
    from gcdesign.training.scheme import Scheme, Worker

    Make = Callable[[int], tuple[Scheme, Problem]]
    """Makes the scheme for so many workers, and the problem cut into its parts."""

BEGIN = struct.Struct("<qq")
ORDER = struct.Struct("<qqq")
NUDGE = b"n"
"""Sent when there is a newer model, to end a pause."""


class Word(IntEnum):
    """First byte of what a calculator says."""

    READY = 1
    DONE = 2
    LATE = 3
    RAISED = 4
    REFUSED = 5


class Order(NamedTuple):
    """Compute the messages of a step: from this model, into this outbox."""

    step: int
    model: int
    outbox: int


class LateError(Exception):
    """There is a newer model; what is being computed is of no use any more."""


def calculate(pipe: Connection, make: Make, rehearsals: tuple[Rehearsal, ...]) -> None:
    """Live as a calculator: build the worker, then follow orders until the pipe is closed.

    The master's needs none, and is a witness of its end.
    """
    _settle_in()
    try:
        number, workers = BEGIN.unpack(pipe.recv_bytes())
        if number == WITNESS:
            bear_witness(pipe)
            return
        scheme, problem = make(workers)
        sizes = sizes_of(scheme, problem)
        space, name = make_space(sizes)
        pipe.send_bytes(bytes([Word.READY]) + json.dumps([name, asdict(sizes)]).encode())
        shift = _Shift(scheme, problem, number, sizes, space, pipe)
        while True:
            order = pipe.recv_bytes()
            if order != NUDGE:
                shift.work(Order(*ORDER.unpack(order)), rehearsals)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except GcdesignError as error:
        _say(pipe, Word.REFUSED, str(error))
    except Exception as error:
        _say(pipe, Word.RAISED, described(error))


def sizes_of(scheme: Scheme, problem: Problem) -> Sizes:
    """Return how long models and messages are."""
    return Sizes(
        workers=scheme.workers,
        messages=scheme.messages,
        parameters=problem.size,
        length=scheme.length(problem.size),
        is_complex=scheme.is_complex,
    )


def described(error: BaseException) -> str:
    """Return what was raised and where, in one line.

    Examples
    --------
    >>> try:
    ...     1 / 0
    ... except ZeroDivisionError as error:
    ...     described(error).split(" at ")[0]
    'ZeroDivisionError: division by zero'
    """
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}: {error}{where}"


def _say(pipe: Connection, word: Word, text: str) -> None:
    with suppress(OSError):  # nobody may be there any more
        pipe.send_bytes(bytes([word]) + text.encode())


def _settle_in() -> None:
    """Leave signals to the MPI process, and end when it ends, however that is."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    end_with_parent(signal.SIGKILL)


class _Interruptible:
    """A problem whose combinations end, part by part, when there is a newer model."""

    def __init__(self, problem: Problem, newest: Floats) -> None:
        self._problem, self._newest = problem, newest

    def combination(
        self,
        step: int,
        point: NDArray[np.float64],
        parts: NDArray[np.int64],
        weights: NDArray[Any],
    ) -> NDArray[Any]:
        """Return Σ_j weights_j × (gradient of parts_j at the point)."""
        total = np.zeros(self._problem.size, dtype=weights.dtype)
        for part, weight in zip(parts.tolist(), weights.tolist(), strict=True):
            if self._newest[0] > step:
                raise LateError
            total += weight * self._problem.gradient(step, point, part)
        return total


class _Shift:
    """One worker's work on one step after the other."""

    def __init__(
        self,
        scheme: Scheme,
        problem: Problem,
        number: int,
        sizes: Sizes,
        space: Space,
        pipe: Connection,
    ) -> None:
        source: GradientSource = _Interruptible(problem, space.newest)
        self._worker: Worker = scheme.worker(problem, number, source=source)
        self._number, self._sizes, self._space, self._pipe = number, sizes, space, pipe

    def work(self, order: Order, rehearsals: tuple[Rehearsal, ...]) -> None:
        """Compute, wait as long as the model says, and hand over, message by message."""
        try:
            for number in range(self._sizes.messages):
                self._message(order, number, rehearsals)
                self._pipe.send_bytes(bytes([Word.DONE, number]))
        except LateError:
            self._pipe.send_bytes(bytes([Word.LATE]))

    def _message(self, order: Order, number: int, rehearsals: tuple[Rehearsal, ...]) -> None:
        if number == 0:
            self._begun = time.perf_counter()
        model = self._space.models[order.model]
        point = self._sizes.point(model)
        point.flags.writeable = False
        row = self._space.outboxes[order.outbox, number]
        values = self._sizes.values(row)
        values[:] = self._worker.answer(order.step, point, number)
        for rehearsal in rehearsals:
            rehearsal.strike(self._number, order.step, values)
        self._pause(float(self._sizes.holds(model)[self._number, number]), order.step)
        finite = bool(np.isfinite(values).all())
        row[:MESSAGE_HEAD] = order.step, number, time.perf_counter() - self._begun, finite

    def _pause(self, until: float, step: int) -> None:
        """Wait until so many seconds after the beginning, or until a newer model comes."""
        while (left := until - (time.perf_counter() - self._begun)) > 0:
            if self._pipe.poll(None if left == np.inf else left):
                self._pipe.recv_bytes()  # a nudge, if not one of an earlier step: orders wait
                if self._space.newest[0] > step:
                    raise LateError
        if self._space.newest[0] > step:
            raise LateError
