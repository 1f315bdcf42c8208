"""Progress of long work on standard error, and an orderly end on Ctrl-C."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock
from typing import TYPE_CHECKING, Any, Literal, cast

from gcdesign.cli.executors import open_executor
from gcdesign.cli.streams import is_terminal, say

if TYPE_CHECKING:
    from pathlib import Path
    from types import FrameType

    from rich.progress import Progress

    from gcdesign.adversary import Settings

SILENT_SECONDS = 0.5
"""Quick work shows nothing."""

INTERRUPTIONS = (signal.SIGINT, signal.SIGTERM)
"""Ctrl-C, and what ``kill``, ``timeout`` and batch systems send before they kill."""

LINE_SECONDS = 10.0
"""Time between lines where standard error is no terminal."""


class BracketDisplay:
    """Shows what is being done and how far: as a bracket that closes, a callback for `Settings`."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._start = self._last = time.perf_counter()
        self._live: Progress | None = None
        self._lock = Lock()

    def __call__(self, doing: str, lower: Any, upper: Any) -> None:
        """Show one step; called from the solver's threads too."""
        self._tell(f"{doing}: between {_short(lower)} and {_short(upper)}")

    def share(self, doing: str, done: float) -> None:
        """Show what is being done and the fraction that is done; called from anywhere too."""
        self._tell(f"{doing}: {done:.0%}")

    def _tell(self, text: str) -> None:
        now = time.perf_counter()
        if self._quiet or now - self._start < SILENT_SECONDS:
            return
        with self._lock:
            if is_terminal(sys.stderr):
                self._show(text)
            elif now - self._last >= LINE_SECONDS:
                self._last = now
                say(f"{text} after {now - self._start:.0f} s")

    def _show(self, text: str) -> None:
        if self._live is None:
            from rich.console import Console
            from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

            columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
            self._live = Progress(*columns, console=Console(stderr=True), transient=True)
            self._live.add_task(text, total=None)
            self._live.start()
        self._live.update(self._live.task_ids[0], description=text)

    def close(self) -> None:
        """Take the display away."""
        with self._lock:
            if self._live is not None:
                self._live.stop()


def _short(value: Any) -> str:
    return str(value) if isinstance(value, int) else f"{float(value):.4g}"


@contextmanager
def long_work(*, quiet: bool) -> Iterator[tuple[BracketDisplay, Event]]:
    """Yield a progress display and an event that Ctrl-C or ``kill`` sets; a second one aborts.

    Also in a script's background jobs, which inherit that interruptions are ignored: who sends
    one there means it, and the best bracket is not lost.
    """
    stop = Event()
    display = BracketDisplay(quiet=quiet)

    def on_interrupt(_signal: int, _frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = {number: signal.signal(number, on_interrupt) for number in INTERRUPTIONS}
    try:
        yield display, stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        display.close()


@contextmanager
def searching(
    *,
    method: str,
    time_limit: float | None,
    threads: int | None,
    seed: int,
    quiet: bool,
    node_limit: int | None = None,
    memory_limit: int | None = None,
    executor: str = "threads",
    journal: Path | None = None,
    proofs: bool = False,
) -> Iterator[Settings]:
    """Yield the settings of a search that shows its progress and can be interrupted."""
    from gcdesign.adversary import Settings

    with long_work(quiet=quiet) as (display, stop), open_executor(executor, threads) as crew:
        yield Settings(
            method=cast(Literal["exact", "greedy", "bounds"], method),
            time_limit=time_limit,
            threads=crew.workers,
            seed=seed,
            progress=display,
            stop=stop,
            node_limit=node_limit,
            memory_limit=memory_limit,
            executor=crew.executor,
            journal=journal,
            proofs=proofs,
        )
