"""What all benchmarks share: CPU time of processes, alternating pairs, rows of the table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

WARM_UPS = 2
"""Runs of both sides before the first that counts; they write the .pyc files."""


@dataclass(frozen=True)
class Row:
    """One line of the table: gcdesign beside a reference, measured in one run.

    Attributes
    ----------
    group
        Which benchmark it belongs to.
    subject, reference
        What gcdesign did, and what it is held against.
    unit
        Unit of the two medians.
    subject_median, reference_median
        Medians over the samples.
    ratio, least, most
        Median, least and greatest of the ratios subject : reference, pair by pair.
    target
        The greatest ratio aimed at, or None.
    samples
        Number of pairs.
    note
        What a reader must know beside the numbers.
    """

    group: str
    subject: str
    reference: str
    unit: str
    subject_median: float
    reference_median: float
    ratio: float
    least: float
    most: float
    target: float | None
    samples: int
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the median ratio keeps the target; None where there is none."""
        return None if self.target is None else self.ratio <= self.target


Pair = tuple[float, float]


def row(
    group: str,
    subject: str,
    reference: str,
    unit: str,
    pairs: Sequence[Pair],
    *,
    target: float | None = None,
    note: str = "",
) -> Row:
    """Summarise pairs (subject, reference) of one run."""
    ratios = [ours / theirs for ours, theirs in pairs]
    return Row(
        group,
        subject,
        reference,
        unit,
        median(ours for ours, _ in pairs),
        median(theirs for _, theirs in pairs),
        median(ratios),
        min(ratios),
        max(ratios),
        target,
        len(pairs),
        note,
    )


def alternate(
    ours: Callable[[], float],
    theirs: Callable[[], float],
    *,
    samples: int,
    warm_ups: int = WARM_UPS,
) -> list[Pair]:
    """Measure A B A B …, so that a change of the machine's pace meets both sides."""
    for _ in range(warm_ups):
        ours()
        theirs()
    return [(ours(), theirs()) for _ in range(samples)]


def environment() -> dict[str, str]:
    """Return the environment of the measured processes: as here, but .pyc files are kept."""
    unwanted = ("PYTHONDONTWRITEBYTECODE", "PYTHONPROFILEIMPORTTIME", "PYTHONVERBOSE")
    return {name: value for name, value in os.environ.items() if name not in unwanted}


@dataclass(frozen=True)
class Process:
    """A whole process that ended: wall-clock and CPU seconds, and its standard output."""

    wall: float
    cpu: float
    output: str


def whole_process(
    command: Sequence[str], *, folder: Path | None = None, accepted: Sequence[int] = (0,)
) -> Process:
    """Run a command; its CPU time is user and system, of all its threads.

    Raises
    ------
    RuntimeError
        If the command ends with an exit code that is not accepted.
    """
    with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        start = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, env=environment(), stdout=output)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in accepted:
            raise RuntimeError(f"exit code {process.returncode}: {' '.join(command)}")
        output.seek(0)
        return Process(wall, usage.ru_utime + usage.ru_stime, output.read())


def process_cpu(command: Sequence[str], *, folder: Path) -> float:
    """Return the CPU milliseconds of one whole process."""
    return 1000 * whole_process(command, folder=folder).cpu


def child(script: str, *arguments: str) -> dict[str, Any]:
    """Run ``script --child …`` of this folder in a fresh interpreter and read its JSON line."""
    path = Path(__file__).with_name(script)
    command = [sys.executable, str(path), "--child", *arguments]
    answer = subprocess.run(
        command, env=environment(), stdout=subprocess.PIPE, text=True, check=True
    )
    result: dict[str, Any] = json.loads(answer.stdout)
    return result


class Server:
    """A process that answers requests with forks of itself, see ``forking.py``.

    One thread of BLAS, so that a fork has all that its parent had.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            command,
            env=environment() | {"OPENBLAS_NUM_THREADS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def ask(self, **request: Any) -> dict[str, Any]:
        """Send one request and wait for its answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer


def print_rows(rows: Sequence[Row]) -> None:
    """Print rows as they are measured, one line each."""
    for line in rows:
        verdict = {None: "", True: f", target {line.target}: met", False: f", TARGET {line.target}"}
        print(
            f"{line.subject}: {line.subject_median:.4g} {line.unit} against "
            f"{line.reference_median:.4g} ({line.reference}); ratio {line.ratio:.3g} "
            f"[{line.least:.3g}, {line.most:.3g}]{verdict[line.met]}"
            + (f"; {line.note}" if line.note else ""),
            flush=True,
        )
