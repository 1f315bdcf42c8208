"""How a search is to be run, and the watch that says when it must stop."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Event, Lock
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from gcdesign.adversary.results import Value
from gcdesign.adversary.running.budget import memory_is_short, resident_bytes
from gcdesign.adversary.running.journal import Journal
from gcdesign.errors import InputError

if TYPE_CHECKING:
    from concurrent.futures import Executor

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
        Threads of the solver, or workers of the executor; by default all cores.
    seed
        Seed of every random choice.
    progress
        Told of each step of the bracket.
    stop
        Set it from elsewhere to have the best bracket handed back.
    node_limit
        Nodes of search trees until the best bracket is handed back: sets tried by an exhaustive
        search, conflicts met by the solver; None for no limit.
    memory_limit
        Bytes of memory that the program may hold; the best bracket is handed back before it
        holds more. Workers of an executor share it equally. None for no limit.
    executor
        Where the cases of a search are worked on; by default threads of this process.
    journal
        File to keep a journal in, and to go on from; see `gcdesign.adversary.running.journal`.
    proofs
        Whether to spend time on writing searches down, so that a certificate can be checked
        without trust in them.

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
    node_limit: int | None = None
    memory_limit: int | None = None
    executor: Executor | None = None
    journal: str | os.PathLike[str] | None = None
    proofs: bool = False

    def __post_init__(self) -> None:
        if self.method not in ("exact", "greedy", "bounds"):
            raise InputError(f"method={self.method!r}; expected exact, greedy or bounds")
        if self.time_limit is not None and not self.time_limit >= 0:
            raise InputError(f"time_limit={self.time_limit}; expected 0 seconds or more")
        if self.threads is not None and self.threads < 1:
            raise InputError(f"threads={self.threads}; expected 1 or more")
        if not 0 <= self.seed < 2**31:
            raise InputError(f"seed={self.seed}; expected 0 to 2147483647")
        if self.node_limit is not None and self.node_limit < 0:
            raise InputError(f"node_limit={self.node_limit}; expected 0 nodes or more")
        if self.memory_limit is not None and self.memory_limit < 0:
            raise InputError(f"memory_limit={self.memory_limit}; expected 0 bytes or more")
        if self.memory_limit is not None and resident_bytes() is None:
            raise InputError("memory_limit: this system does not say what memory is in use")

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
            "node_limit": self.node_limit,
            "memory_limit": self.memory_limit,
            "executor": None if self.executor is None else type(self.executor).__name__,
        }
        return MappingProxyType(kept)


CLOCK_SLACK = 0.01
"""Seconds by which a solver's own clock may run ahead of ours."""


class Watch:
    """A running clock for one call: what was spent, and whether it must stop.

    Parameters
    ----------
    settings
        The limits.
    journal
        Where outcomes are kept; by default nowhere.
    """

    def __init__(self, settings: Settings, journal: Journal | None = None) -> None:
        self.settings = settings
        self.journal = journal or Journal()
        self._start = time.perf_counter()
        self._lock = Lock()
        self._nodes = 0
        self._halted: str | None = None
        self._bracket: tuple[Value, Value] | None = None

    @property
    def elapsed(self) -> float:
        """Seconds since the watch was started."""
        return time.perf_counter() - self._start

    @property
    def remaining(self) -> float | None:
        """Seconds left, or None without a limit."""
        limit = self.settings.time_limit
        return None if limit is None else max(0.0, limit - self.elapsed)

    @property
    def nodes(self) -> int:
        """Nodes counted so far."""
        return self._nodes

    @property
    def nodes_left(self) -> int | None:
        """Nodes left, or None without a limit."""
        limit = self.settings.node_limit
        return None if limit is None else max(0, limit - self._nodes)

    def count(self, nodes: int) -> None:
        """Count nodes of a search tree; may be called from any thread."""
        with self._lock:
            self._nodes += nodes

    def halt(self, reason: str) -> None:
        """Say that the search must stop, and why; the first reason stays."""
        self._halted = self._halted or reason

    def halt_for_memory(self) -> None:
        """Say that the search must stop because its memory limit is reached."""
        self.halt(f"memory limit of {bytes_text(self.settings.memory_limit or 0)}")

    def stopped(self) -> str | None:
        """Why the search must stop now, or None."""
        settings = self.settings
        if settings.stop is not None and settings.stop.is_set():
            return "interrupted"
        limit = settings.time_limit
        if limit is not None and self.elapsed >= limit - CLOCK_SLACK:
            return f"time limit of {limit:g} s"
        if self.nodes_left == 0:
            return f"node limit of {settings.node_limit}"
        if self._halted is None and memory_is_short(settings.memory_limit):
            self.halt_for_memory()
        return self._halted

    def report(self, doing: str, lower: Value, upper: Value) -> None:
        """Tell the progress callback, if there is one."""
        self._bracket = lower, upper
        self.tell(doing)

    def tell(self, doing: str) -> None:
        """Tell the progress callback what is being done; the bracket is the one last reported."""
        if self.settings.progress is not None and self._bracket is not None:
            self.settings.progress(doing, *self._bracket)


def bytes_text(size: int) -> str:
    """Return a number of bytes in the largest unit that divides it.

    Examples
    --------
    >>> bytes_text(4 << 30), bytes_text(1500)
    ('4 GiB', '1500 bytes')
    """
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if size and size % unit == 0:
            return f"{size // unit} {name}"
    return f"{size} bytes"
