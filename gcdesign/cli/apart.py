"""Work in a process of its own, which can be ended while it is inside a compiled library.

A signal waits until compiled code returns, and nauty may not return for hours.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import warnings
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import NoReturn, TypeVar

from gcdesign.errors import InputError, OutOfTimeError, SolverError

T = TypeVar("T")

PIECE = 1 << 20
"""Bytes that are read from the process at once."""


def apart(work: Callable[[], T], *, seconds: float | None = None) -> T:
    """Return what a function returns, computed in a child process.

    What it raises is raised here. An interruption ends the child. Where processes cannot be forked
    the function is called here, and a time limit is refused.

    Raises
    ------
    OutOfTimeError
        If the time was too short.
    SolverError
        If the child died without an answer.
    """
    if not hasattr(os, "fork"):
        if seconds is not None:
            raise InputError("a time limit for this command needs a system that can fork processes")
        return work()
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # idle threads of BLAS do no harm
        child = os.fork()
    if child == 0:
        os.close(reading)
        _answer(work, writing)
    os.close(writing)
    try:
        message = _read(reading, seconds)
    finally:
        os.close(reading)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    if not message:
        raise SolverError("the process that computes died without an answer: is memory short?")
    done, value = pickle.loads(message)
    if done:
        answer: T = value
        return answer
    raise value


def _answer(work: Callable[[], T], writing: int) -> NoReturn:
    """Write what a function returns or raises, pickled, and end this process."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        try:
            message = pickle.dumps((True, work()))
        except Exception as error:  # whatever it is, the parent raises it
            message = pickle.dumps((False, error))
        with os.fdopen(writing, "wb") as stream:
            stream.write(message)
    finally:
        os._exit(0)  # no buffer that was copied from the parent is written twice


def _read(reading: int, seconds: float | None) -> bytes:
    """Return all that comes, or raise if the time is over before."""
    deadline = None if seconds is None else monotonic() + seconds
    pieces: list[bytes] = []
    while True:
        remaining = None if deadline is None else max(0.0, deadline - monotonic())
        if not select.select([reading], [], [], remaining)[0]:
            raise OutOfTimeError(
                f"no answer within {seconds:g} s; take a longer --time-limit, or none"
            )
        piece = os.read(reading, PIECE)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)
