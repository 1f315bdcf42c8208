"""Faults on purpose: what a run does when a worker fails can be tried before it matters."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import InputError

Kind = Literal["raise", "kill", "sleep", "nan"]


@dataclass(frozen=True)
class Rehearsal:
    """One worker fails in one step.

    Attributes
    ----------
    kind
        ``raise`` an exception, ``kill`` the process with SIGKILL, ``sleep`` for ever, or send
        ``nan``.
    worker, step
        Which worker fails, and in which step, both counted from 0; if it is late and leaves that
        step out, it fails in the next one that it comes to, or sends no ``nan``.
    """

    kind: Kind
    worker: int
    step: int

    def check(self, workers: int) -> None:
        """Refuse a worker that there is not.

        Raises
        ------
        InputError
            If its number is too large.
        """
        if self.worker >= workers:
            raise InputError(f"fault of worker {self.worker}; expected 0 to {workers - 1}")

    def strike(self, worker: int, step: int, values: NDArray[Any]) -> None:
        """Fail, if it is this worker's turn; ``values`` are what it is about to send."""
        if worker != self.worker or step < self.step:
            return
        if self.kind == "nan" and step == self.step:
            values[0] = np.nan
        if self.kind == "raise":
            raise RuntimeError(f"rehearsed failure of worker {worker} in step {step}")
        if self.kind == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        while self.kind == "sleep":
            time.sleep(3600)


def parse_rehearsal(text: str) -> Rehearsal:
    """Return the fault that a text asks for.

    Raises
    ------
    InputError
        If it asks for none.

    Examples
    --------
    >>> parse_rehearsal("kill:worker=3,step=10")
    Rehearsal(kind='kill', worker=3, step=10)
    """
    kind, _, rest = text.partition(":")
    settings = dict(piece.partition("=")[::2] for piece in rest.split(","))
    try:
        worker, step = int(settings.pop("worker")), int(settings.pop("step"))
    except (KeyError, ValueError):
        worker = step = -1
    if kind not in get_args(Kind) or settings or worker < 0 or step < 0:
        raise InputError(
            f"fault {text!r}; expected raise, kill, sleep or nan, as in kill:worker=3,step=10"
        )
    return Rehearsal(kind, worker, step)  # type: ignore[arg-type]
