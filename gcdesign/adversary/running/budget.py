"""What a step of a long search may spend: time, nodes and memory."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MEMORY_MARGIN = 16
"""A search ends when less than one part in so many of its memory limit is left."""

STATM = Path("/proc/self/statm")


def resident_bytes() -> int | None:
    """Return the memory that this process holds, or None where the system does not say.

    Where only the greatest amount so far is known (macOS), that is returned.
    """
    try:
        return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        pass
    if sys.platform == "win32":
        return None
    from resource import RUSAGE_SELF, getrusage

    peak = getrusage(RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def memory_is_short(limit: int | None) -> bool:
    """Whether this process has all but used up a limit."""
    return limit is not None and (resident_bytes() or 0) >= limit - limit // MEMORY_MARGIN


@dataclass(frozen=True)
class Allowance:
    """What one call may spend, as it is sent to another process; None where there is no limit.

    Attributes
    ----------
    seconds
        Time for this call.
    nodes
        Nodes of the search tree for this call.
    memory
        Bytes that the process may hold.
    split
        Whether there are fewer open cases than workers.
    news
        What is known by now, plain data.
    """

    seconds: float | None = None
    nodes: int | None = None
    memory: int | None = None
    split: bool = False
    news: Any = None


def _never() -> bool:
    return False


class Budget:
    """Tells the function that works on a case when it must stop, and counts its nodes.

    The clock runs from when the budget is made, in the process that spends it.

    Parameters
    ----------
    allowance
        What may be spent.
    stopped
        Asked as well whether it is time to stop.
    wants_split
        Asked whether there are idle workers; by default as the allowance says.
    count
        Told of the nodes as they are counted.
    news
        Asked what is known by now; by default what the allowance says.

    Examples
    --------
    >>> budget = Budget(Allowance(nodes=1000))
    >>> budget.count(600), budget.over(), budget.nodes_left
    (None, False, 400)
    >>> budget.count(500), budget.over()
    (None, True)
    """

    def __init__(
        self,
        allowance: Allowance | None = None,
        *,
        stopped: Callable[[], bool] = _never,
        wants_split: Callable[[], bool] | None = None,
        count: Callable[[int], None] | None = None,
        news: Callable[[], Any] | None = None,
    ) -> None:
        self._allowance = allowance or Allowance()
        self._stopped = stopped
        self._wants_split = wants_split
        self._count = count
        self._news = news
        self._start = time.perf_counter()
        self.nodes = 0
        self.short_of_memory = False
        """Whether it was for want of memory that the call had to end."""

    def count(self, nodes: int) -> None:
        """Count nodes of the search tree, of which a limit may be set."""
        self.nodes += nodes
        if self._count is not None:
            self._count(nodes)

    @property
    def seconds_left(self) -> float | None:
        """Seconds left for this call, None without a limit."""
        seconds = self._allowance.seconds
        return None if seconds is None else max(0.0, seconds - time.perf_counter() + self._start)

    @property
    def nodes_left(self) -> int | None:
        """Nodes left for this call, None without a limit."""
        nodes = self._allowance.nodes
        return None if nodes is None else max(0, nodes - self.nodes)

    @property
    def wants_split(self) -> bool:
        """Whether workers are idle, so that a case does well to hand back parts of itself."""
        return self._allowance.split if self._wants_split is None else self._wants_split()

    @property
    def news(self) -> Any:
        """What was known when this call began, or is known by now; None if nothing is told.

        To keep answers the same in every run, leave out only what is worse than the news.
        """
        return self._allowance.news if self._news is None else self._news()

    def over(self) -> bool:
        """Whether the call must end now, with what it has.

        Ask often, every hundredth to tenth of a second: a kernel that is compiled does some
        thousand nodes at a time, and its caller asks in between.
        """
        if self._stopped() or self.seconds_left == 0 or self.nodes_left == 0:
            return True
        self.short_of_memory |= memory_is_short(self._allowance.memory)
        return self.short_of_memory
