"""How a search is to be run, and the watch that says when it must stop."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Event
from types import MappingProxyType
from typing import Literal

from gcdesign.adversary.results import Value
from gcdesign.errors import InputError

Method = Literal["exact", "greedy", "bounds"]
Progress = Callable[[str, Value, Value], None]
"""Called with what is being done and the bracket so far, as it closes."""


@dataclass(frozen=True)
class Settings:
    """Settings of a search.

    Attributes
    ----------
    method
        ``"exact"`` searches until proof, ``"greedy"`` sets a quick attack against the bounds,
        ``"bounds"`` computes bounds alone, with the plainest attack for the other end.
    time_limit
        Seconds until the best bracket is handed back; None for no limit.
    threads
        Threads of the solver; by default all cores.
    seed
        Seed of every random choice.
    progress
        Told of each step of the bracket.
    stop
        Set it from elsewhere to have the best bracket handed back.

    Raises
    ------
    InputError
        If a value is out of its domain.
    """

    method: Method = "exact"
    time_limit: float | None = None
    threads: int | None = None
    seed: int = 0
    progress: Progress | None = None
    stop: Event | None = None

    def __post_init__(self) -> None:
        if self.method not in ("exact", "greedy", "bounds"):
            raise InputError(f"method={self.method!r}; expected exact, greedy or bounds")
        if self.time_limit is not None and not self.time_limit >= 0:
            raise InputError(f"time_limit={self.time_limit}; expected 0 seconds or more")
        if self.threads is not None and self.threads < 1:
            raise InputError(f"threads={self.threads}; expected 1 or more")
        if not 0 <= self.seed < 2**31:
            raise InputError(f"seed={self.seed}; expected 0 to 2147483647")

    @property
    def thread_count(self) -> int:
        """Number of threads to use."""
        return self.threads or os.cpu_count() or 1

    def record(self) -> Mapping[str, int | float | str | None]:
        """Return the settings as they are kept in a result."""
        kept: dict[str, int | float | str | None] = {
            "method": self.method,
            "seed": self.seed,
            "threads": self.thread_count,
            "time_limit": self.time_limit,
        }
        return MappingProxyType(kept)


CLOCK_SLACK = 0.01
"""Seconds by which a solver's own clock may run ahead of ours."""


class Watch:
    """A running clock for one call: elapsed time, and whether it must stop."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._start = time.perf_counter()

    @property
    def elapsed(self) -> float:
        """Seconds since the watch was started."""
        return time.perf_counter() - self._start

    @property
    def remaining(self) -> float | None:
        """Seconds left, or None without a limit."""
        limit = self.settings.time_limit
        return None if limit is None else max(0.0, limit - self.elapsed)

    def stopped(self) -> str | None:
        """Why the search must stop now, or None."""
        if self.settings.stop is not None and self.settings.stop.is_set():
            return "interrupted"
        limit = self.settings.time_limit
        if limit is not None and self.elapsed >= limit - CLOCK_SLACK:
            return f"time limit of {limit:g} s"
        return None

    def report(self, doing: str, lower: Value, upper: Value) -> None:
        """Tell the progress callback, if there is one."""
        if self.settings.progress is not None:
            self.settings.progress(doing, lower, upper)
