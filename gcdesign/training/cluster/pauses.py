"""Looking at what MPI has received: pauses in between, and a clock for what is missed."""

from __future__ import annotations

import select
import time
from typing import Any

SHORTEST = 20e-6
LONGEST = 500e-6

LONGEST_GAP = 0.5
"""Seconds between two looks of somebody who pays attention, on a busy machine."""


class Pauses:
    """Pauses that double from `SHORTEST` to `LONGEST`, and begin anew when something happened."""

    def __init__(self) -> None:
        self._seconds = SHORTEST

    def rest(self, heard: bool, pipe: Any = None) -> None:
        """Pause, unless something was heard; what comes through the pipe ends the pause."""
        if heard:
            self._seconds = SHORTEST
            return
        if pipe is None:
            time.sleep(self._seconds)
        else:
            select.select([pipe], [], [], self._seconds)
        self._seconds = min(LONGEST, 2 * self._seconds)


class Attention:
    """A clock that goes on only while its owner looks at it.

    Who was busy with something else, or was stopped with the whole job, must not blame others for
    their silence in the meantime.

    Examples
    --------
    >>> clock = Attention()
    >>> before = clock.now()
    >>> clock.now() - before <= LONGEST_GAP
    True
    """

    def __init__(self) -> None:
        self._last = time.monotonic()
        self._now = 0.0

    def now(self) -> float:
        """Return the seconds of attention since this clock was made."""
        time_now = time.monotonic()
        self._now += min(LONGEST_GAP, time_now - self._last)
        self._last = time_now
        return self._now
