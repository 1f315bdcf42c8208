"""Ctrl-C, time limits and closed pipes: the best bracket, or silence, never a traceback."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from gcdesign.cli.apart import apart
from gcdesign.cli.progress import long_work
from gcdesign.errors import InputError, OutOfTimeError, SolverError

Run = Callable[..., CompletedProcess[str]]
Document = Callable[[CompletedProcess[str]], dict[str, Any]]

LONG = ("attack", "pg:q=11", "--eta", "15")
"""This takes more than minutes to prove."""

ABORTED = 130
READER_GONE = 141


def test_the_first_interruption_stops_and_the_second_aborts() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with long_work(quiet=True) as (_, stop):
            os.kill(os.getpid(), signal.SIGINT)
            assert stop.wait(5)
            with pytest.raises(KeyboardInterrupt):
                interrupt_and_wait()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ignored_interruptions_are_heard_while_solving_only(number: signal.Signals) -> None:
    before = signal.signal(number, signal.SIG_IGN)
    try:
        with long_work(quiet=True) as (_, stop):
            os.kill(os.getpid(), number)
            assert stop.wait(5)
        assert signal.getsignal(number) is signal.SIG_IGN
    finally:
        signal.signal(number, before)


def interrupt_and_wait() -> None:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(5)


def test_ctrl_c_while_solving_prints_the_bracket(on_terminal: Run) -> None:
    answer = on_terminal(*LONG, until="between")
    assert answer.returncode == 3
    found = re.match(r"(\d+) ≤ S\*\(15\) ≤ (\d+) +bracket", answer.stdout)
    assert found is not None
    assert 80 <= int(found[1]) < int(found[2]) <= 133
    assert "Stopped before proof: interrupted" in answer.stdout
    assert "Traceback" not in answer.stderr


def test_ctrl_c_while_solving_prints_the_bracket_as_json(
    on_terminal: Run, document: Document
) -> None:
    answer = on_terminal(*LONG, "--json", until="between")
    assert answer.returncode == 3
    found = document(answer)
    assert (found["status"], found["stopped"]) == ("bracket", "interrupted")
    assert found["lower"] < found["upper"] == len(found["workers"])
    assert found["seconds"] < 30


def test_ctrl_c_while_enumerating_prints_the_bracket(
    on_terminal: Run, document: Document, regular_matrix: str
) -> None:
    """8 of 60 workers: over two billion sets."""
    asked = ("attack", regular_matrix, "--stragglers", "8", "--json")
    answer = on_terminal(*asked, until="sets searched: between")
    assert answer.returncode == 3
    found = document(answer)
    assert (found["status"], found["stopped"]) == ("bracket", "interrupted")
    assert 1 <= found["lower"] < found["upper"] < 60, "one part is lost, and the bounds hold"
    assert len(found["workers"]) == 8


def test_ctrl_c_twice_aborts(on_terminal: Run, folder: Path) -> None:
    answer = on_terminal(*LONG, until="between", again=0.002)
    assert "Traceback" not in answer.stderr
    if answer.returncode == ABORTED:  # perhaps while the bracket was being printed
        assert "gcdesign: interrupted" in answer.stderr
    else:  # the bracket was there before the second one, which may have hit Python's own end
        assert answer.returncode in (3, -signal.SIGINT)
        assert "Stopped before proof: interrupted" in answer.stdout
    assert list(folder.iterdir()) == []


def test_ctrl_c_outside_a_search(folder: Path) -> None:
    """It comes when the curves are done and about to be written."""
    code = (
        "import os, signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from gcdesign.cli import main\n"
        "import gcdesign.cli.output as output\n"
        "def late(*_, **__): os.kill(os.getpid(), signal.SIGINT)\n"
        "output.write_output = late\n"
        "main(['curve', 'pg:q=2', '-o', 'out.csv'])\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert (answer.returncode, answer.stdout) == (ABORTED, "")
    assert answer.stderr.strip() == "gcdesign: interrupted; nothing was half written"
    assert list(folder.iterdir()) == []


def test_a_time_limit_hands_back_the_bracket(spawn: Run, document: Document) -> None:
    answer = spawn(*LONG, "--time-limit", "1", "--json", "--quiet")
    assert (answer.returncode, answer.stderr) == (3, "")
    found = document(answer)
    assert (found["status"], found["stopped"]) == ("bracket", "time limit of 1 s")
    assert found["lower"] < found["upper"] == len(found["workers"])
    assert found["settings"]["time_limit"] == 1


@pytest.mark.parametrize(
    "asked",
    [("--eta", "10"), ("--profile",), ("--stragglers", "20"), ("--error", "5")],
    ids=lambda asked: asked[0],
)
def test_no_time_at_all(
    run: Run, document: Document, regular_matrix: str, asked: tuple[str, ...]
) -> None:
    answer = run("attack", regular_matrix, *asked, "--time-limit", "0", "--json")
    assert (answer.returncode, answer.stderr) == (3, "")
    assert document(answer)["status"] == "bracket"


@pytest.mark.parametrize(
    "line", ["build pg --q 32 -o -", "attack pg:q=3 --profile --json", "info pg:q=2", "--help"]
)
def test_a_reader_that_has_gone(folder: Path, line: str) -> None:
    command = [sys.executable, "-m", "gcdesign", *line.split()]
    reader, writer = os.pipe()
    os.close(reader)
    answer = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (answer.returncode, answer.stderr) == (READER_GONE, b"")


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_leaves_early(folder: Path, unbuffered: str) -> None:
    """In the middle of one large write, of which the system then reports a part as done."""
    command = [sys.executable, "-m", "gcdesign", "build", "pg", "--q", "64", "-o", "-"]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(os.environ) | {"PYTHONUNBUFFERED": unbuffered},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"{\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == READER_GONE


def test_closed_streams(spawn: Run, folder: Path) -> None:
    """No file that is written takes the place of a closed stream."""
    closed = 'exec "$@" >&- 2>&-'
    assert spawn("build", "pg", "--q", "2", through=closed).returncode == 0
    assert (folder / "pg-q2.json").read_text().startswith("{\n")
    assert spawn("info", "pg:q=6", through=closed).returncode == 2


# --- work in a process of its own ---------------------------------------------------------


def test_what_is_done_apart_comes_back() -> None:
    assert apart(lambda: list(range(300_000)))[-1] == 299_999


def test_errors_made_apart_are_raised_here() -> None:
    def fails() -> None:
        raise InputError("q=6; expected a prime power")

    with pytest.raises(InputError, match="q=6"):
        apart(fails)


def test_compiled_code_is_ended_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python hears no signal while it computes this power."""
    children: list[int] = []
    fork = os.fork

    def noted() -> int:
        children.append(fork())
        return children[-1]

    monkeypatch.setattr(os, "fork", noted)
    with pytest.raises(OutOfTimeError, match="no answer within"):
        apart(lambda: 3 ** (1 << 28) % 7, seconds=0.2)
    (child,) = children
    with pytest.raises(ChildProcessError):
        os.waitpid(child, os.WNOHANG)


def test_a_process_that_dies_is_told() -> None:
    with pytest.raises(SolverError, match="died without an answer"):
        apart(lambda: os._exit(9))


@pytest.mark.parametrize("command", [("group",), ("isomorphic", "random-sts:points=301,seed=2")])
def test_too_little_time_for_a_group(run: Run, command: tuple[str, ...]) -> None:
    answer = run(*command, "random-sts:points=301,seed=1", "--time-limit", "0")
    assert (answer.returncode, answer.stdout) == (3, "")
    assert answer.stderr.splitlines() == [
        "gcdesign: no answer within 0 s; take a longer --time-limit, or none"
    ]
