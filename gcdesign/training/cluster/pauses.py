"""Pauses between looks at what MPI has received: short at first, longer when nothing happens."""

from __future__ import annotations

import select
import time
from typing import Any

SHORTEST = 20e-6
LONGEST = 500e-6


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
