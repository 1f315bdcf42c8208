"""Thresholds and worst errors that take a search: what is proved, how soon, against an aim.

Every line is a whole ``gcdesign attack … --json``, with its imports, after a run that leaves the
compiled code in the cache. Its CPU time is also held against that of a whole process that imports
CP-SAT and solves one plain program, measured just before. ``python benchmarks/exact.py --long``
takes hours: it adds the questions that are given up to half an hour each.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import solvers
from measuring import Process, whole_process

DATA = Path(__file__).with_name("data")
YARDSTICK = ("pg:q=5", "3")
"""A threshold whose plain program CP-SAT solves, imports and reading included."""

LEAST_STOP = 120
"""Seconds after which a question with a shorter aim is stopped: late answers are shown too."""

MARGIN = 10
"""Seconds that a longer question keeps for its imports and for writing the answer."""

ANSWERED = (0, 3)
"""Exit codes of an answer: proved, or a bracket."""


@dataclass(frozen=True)
class Task:
    """Questions about one code, and what is aimed at.

    Attributes
    ----------
    source, label
        The code, for the command and for a reader.
    questions
        Options of the command, one run each.
    seconds
        Wall-clock time aimed at, for each run.
    open
        How many values may stay open.
    gap
        How wide an open bracket may be: workers for S*(η), per cent of the attack for err_S.
    long
        Whether it is left out unless asked for.
    """

    source: str
    label: str
    questions: tuple[str, ...]
    seconds: int
    open: int = 0
    gap: float = 0
    long: bool = False

    @property
    def unit(self) -> str:
        """Unit of a gap."""
        return " workers" if self.questions[0].startswith(("--profile", "--eta")) else "%"

    @property
    def asked(self) -> str:
        """What is asked, for a reader."""
        first, last = self.questions[0].split(), self.questions[-1].split()
        if first[0] == "--profile":
            return "S\\*(η), all η"
        if first[0] == "--eta":
            return f"S\\*({first[1]})"
        return f"err_{first[1]}" + (f" … err_{last[1]}" if len(self.questions) > 1 else "")

    @property
    def aim(self) -> str:
        """What is aimed at, for a reader."""
        many = len(self.questions) > 1 or self.questions == PROFILE
        some = f"at most {self.open} open, " if many else ""
        proved = f"{some}within {self.gap:g}{self.unit}" if self.open else "exact"
        return f"{proved}, {self.seconds} s"


PROFILE = ("--profile",)
SMALL = "random 6-regular, N = K = 31"
SPARSE = "random 4-regular, N = K = 60"
REGULAR = "random 10-regular, N = K = 91"
TASKS = (
    Task("pg:q=5", "PG(2,5)", PROFILE, 2),
    Task("pg:q=7", "PG(2,7)", PROFILE, 2),
    Task("pg:q=8", "PG(2,8)", PROFILE, 5),
    Task("regular-60-4", SPARSE, ("--eta 20",), 60),
    Task("regular-31-6", SMALL, ("--stragglers 12",), 3),
    Task("regular-91-10", REGULAR, ("--stragglers 7",), 300),
    Task("pg:q=9", "PG(2,9)", PROFILE, 300, long=True),
    Task("pg:q=11", "PG(2,11)", PROFILE, 1800, open=24, gap=4, long=True),
    Task("regular-91-10", REGULAR, ("--stragglers 8",), 300, long=True),
    Task("regular-91-10", REGULAR, ("--stragglers 10",), 300, long=True),
    Task("regular-91-10", REGULAR, ("--stragglers 20",), 300, open=1, gap=25, long=True),
    Task(
        "lps-13-5",
        "half of LPS(13,5), N = K = 60",
        tuple(f"--stragglers {s}" for s in range(1, 31)),
        300,
        open=10,
        gap=3,
        long=True,
    ),
    Task(
        "lps-5-13",
        "half of LPS(5,13), N = K = 1092",
        ("--stragglers 20",),
        300,
        open=1,
        gap=60,
        long=True,
    ),
)


@dataclass(frozen=True)
class Line:
    """One line of the table.

    Attributes
    ----------
    question, aim, found
        What was asked of which code, what was aimed at, and what was proved.
    wall, cpu
        Seconds of the longest run, and CPU seconds of all runs.
    ratio
        CPU time over that of the yardstick.
    load
        Processes that wanted a core when the runs began, as a mean over a minute.
    met
        Whether the aim was reached, the time too.
    """

    question: str
    aim: str
    found: str
    wall: float
    cpu: float
    ratio: float
    load: float
    met: bool


def measure(*, long: bool = False) -> list[Line]:
    """Measure all questions, or those alone that take a minute at most."""
    lines = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for task in TASKS:
            if long or not task.long:
                lines.append(measure_task(task, folder=folder))
                print(markdown(lines[-1:])[-1], flush=True)
    return lines


def measure_task(task: Task, *, folder: Path) -> Line:
    """Run the questions of one task; a short one runs twice, so that all code is compiled."""
    source = find_source(task.source, folder)
    if not task.long:
        ask(task, source, folder=folder)
    load = os.getloadavg()[0]
    yardstick = solvers.command(solvers.OURS, solvers.write_programs(*YARDSTICK, folder))
    plain = whole_process(yardstick)
    runs = ask(task, source, folder=folder)
    brackets = list(chain.from_iterable(read_brackets(run.output) for run in runs))
    wall, cpu = max(run.wall for run in runs), sum(run.cpu for run in runs)
    gaps = [gap_of(bracket, task.unit) for bracket in brackets if bracket[0] != bracket[1]]
    return Line(
        f"{task.asked} of {task.label}",
        task.aim,
        describe(brackets, gaps, task.unit),
        wall,
        cpu,
        cpu / plain.cpu,
        load,
        len(gaps) <= task.open and max(gaps, default=0) <= task.gap and wall <= task.seconds,
    )


def find_source(source: str, folder: Path) -> str:
    """Return what the command is given: a name in place, a file of ours, or one made here."""
    if source.startswith("pg:"):
        return source
    if not source.startswith("lps"):
        return str(DATA / f"{source}.mtx")
    import numpy as np
    from ramanujan import lps_half

    _, p, q = source.split("-")
    path = folder / f"{source}.csv"
    np.savetxt(path, lps_half(int(p), int(q)), fmt="%d", delimiter=",")
    return str(path)


def ask(task: Task, source: str, *, folder: Path) -> list[Process]:
    """Run the command once for each question."""
    stop = max(LEAST_STOP, task.seconds - MARGIN)
    start = [sys.executable, "-m", "gcdesign", "attack", source]
    end = ["--time-limit", str(stop), "--json", "--quiet"]
    return [
        whole_process([*start, *question.split(), *end], folder=folder, accepted=ANSWERED)
        for question in task.questions
    ]


Bracket = tuple[float, float]


def read_brackets(output: str) -> list[Bracket]:
    """Return the proved ends of all values of one answer; both are equal where it is exact."""
    answer: dict[str, Any] = json.loads(output)
    lower, upper = answer["lower"], answer["upper"]
    if isinstance(lower, list):
        return list(zip(lower, upper, strict=True))
    return [(lower, lower if answer["status"] == "exact" else upper)]


def gap_of(bracket: Bracket, unit: str) -> float:
    """Return how wide a bracket is."""
    lower, upper = bracket
    if unit != "%":
        return upper - lower
    return 100 * (upper / lower - 1) if lower else float("inf")


def describe(brackets: Sequence[Bracket], gaps: Sequence[float], unit: str) -> str:
    """Say what was proved."""
    if len(brackets) > 1:
        exact = f"{len(brackets) - len(gaps)} of {len(brackets)} exact"
        return exact + (f", the widest gap {max(gaps):.3g}{unit}" if gaps else "")
    lower, upper = brackets[0]
    if not gaps:
        return f"{lower:.6g}, exact"
    return f"[{lower:.6g}, {upper:.6g}], gap {gaps[0]:.3g}{unit}"


def markdown(lines: Sequence[Line]) -> list[str]:
    """Return the lines of the table in Markdown, its head first."""
    head = [
        "| question | aim | found | wall s | CPU s | CPU against CP-SAT | load | aim met |",
        "|---|---|---|---:|---:|---:|---:|---|",
    ]
    return head + [
        f"| {line.question} | {line.aim} | {line.found} | {line.wall:.3g} | {line.cpu:.3g} "
        f"| {line.ratio:.2g} | {line.load:.1f} | {'yes' if line.met else '**no**'} |"
        for line in lines
    ]


if __name__ == "__main__":
    measure(long="--long" in sys.argv[1:])
