"""Long runs: a journal to resume from, limits, and who works; by the command line alone."""

from __future__ import annotations

import json
import os
import random
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

Run = Callable[..., CompletedProcess[str]]
Mpiexec = Callable[..., CompletedProcess[str]]
Document = Callable[[CompletedProcess[str]], dict[str, Any]]

PATIENCE = 60.0
TWO_PROCESSES = ("--executor", "processes", "--threads", "2")
CHANGING = re.compile(r"\d+\.\d\d s, seed|\x1b\[\d*m")


def write_matrix(size: int) -> str:
    """Write a random 0/1 matrix without structure and return the file's name."""
    rng = random.Random(3)
    rows = [",".join(str(int(rng.random() < 0.3)) for _ in range(size)) for _ in range(size)]
    Path("matrix.csv").write_text("\n".join(rows) + "\n")
    return "matrix.csv"


@pytest.fixture
def matrix(folder: Path) -> str:
    """A matrix, 16 x 16, whose profile is quick."""
    return write_matrix(16)


@pytest.fixture
def long_matrix(folder: Path) -> str:
    """A matrix, 20 x 20, whose profile takes a second or two, most of it for S = 8 … 12."""
    return write_matrix(20)


def profile(matrix: str, *more: str) -> tuple[str, ...]:
    """Return a question of an exhaustive search for each S."""
    return ("attack", matrix, "--stragglers", "all", "--decoder", "one-step", "--quiet", *more)


def steady(text: str) -> str:
    return CHANGING.sub("", text)


def wait_until(condition: Callable[[], bool]) -> None:
    give_up = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < give_up
        time.sleep(0.01)


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "gcdesign", *arguments]


def test_killed_and_resumed(spawn: Run, folder: Path, long_matrix: str) -> None:
    """Killed when six of the searches are in the journal, and the great ones still to come."""
    journal = folder / "run.jsonl"
    asked = profile(long_matrix, "--threads", "1", "--resume", "run.jsonl")
    with subprocess.Popen(command(*asked), stdout=subprocess.PIPE) as process:
        wait_until(lambda: journal.exists() and journal.read_bytes().count(b"\n") > 6)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    before = journal.read_bytes()
    resumed = spawn(*asked)
    assert journal.read_bytes().startswith(before[: before.rindex(b"\n") + 1])
    assert (resumed.returncode, resumed.stderr) == (0, "")
    assert steady(resumed.stdout) == steady(spawn(*profile(long_matrix)).stdout)
    keys = [json.loads(line).get("key") for line in journal.read_bytes().splitlines()]
    assert len(keys) == len(set(keys)) == 22, "nothing was searched twice"


def test_another_question(run: Run, folder: Path) -> None:
    assert run("attack", "pg:q=3", "--eta", "5", "--resume", "run.jsonl").returncode == 0
    before = (folder / "run.jsonl").read_bytes()
    answer = run("attack", "pg:q=3", "--eta", "4", "--resume", "run.jsonl")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr == (
        "gcdesign: run.jsonl is the journal of another question: its asked is 5, not 4; "
        "name another file\n"
    )
    (folder / "notes.txt").write_text("mine\n")
    answer = run("attack", "pg:q=3", "--eta", "4", "--resume", "notes.txt")
    assert answer.returncode == 2
    assert "notes.txt is no journal of gcdesign" in answer.stderr
    assert (folder / "run.jsonl").read_bytes() == before
    assert (folder / "notes.txt").read_text() == "mine\n"


def test_a_forged_attack(run: Run, folder: Path) -> None:
    asked = ("attack", "pg:q=7", "--eta", "10", "--resume", "run.jsonl", "--time-limit", "0")
    assert run(*asked).returncode == 3
    forged = {"key": "η=10", "outcome": {"lower": 41, "proof": "?", "parts": list(range(9))}}
    with (folder / "run.jsonl").open("a") as journal:
        journal.write(json.dumps(forged) + "\n")
    answer = run(*asked)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "the journal's outcome for η=10 names no 10 parts of 57" in answer.stderr


@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_everybody_finds_the_same(spawn: Run, matrix: str, executor: str) -> None:
    alone = spawn(*profile(matrix, "--threads", "1"))
    answer = spawn(*profile(matrix, "--threads", "2", "--executor", executor))
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "17 of 17 values exact" in answer.stdout
    assert steady(answer.stdout) == steady(alone.stdout)


def test_limits_of_nodes(run: Run, document: Document, matrix: str) -> None:
    """S = 0 … 3 have 1 + 16 + 120 + 560 sets; there are 65536 in all."""
    asked = profile(matrix, "--node-limit", "10000", "--threads", "1", "--json")
    first, second = document(run(*asked)), document(run(*asked))
    assert first | {"seconds": 0} == second | {"seconds": 0}
    assert first["settings"]["node_limit"] == 10000
    assert set(first["stopped"]) == {None, "node limit of 10000"}
    assert first["statuses"][:4] == ["exact"] * 4
    assert run(*asked).returncode == 3


@pytest.mark.parametrize("asked", [("--eta", "20"), ("--profile",)], ids=lambda asked: asked[0])
def test_a_limit_of_nodes_of_a_search(
    run: Run, document: Document, regular_matrix: str, asked: tuple[str, ...]
) -> None:
    limits = ("--node-limit", "1", "--threads", "1", "--json")
    answer = run("attack", regular_matrix, *asked, *limits)
    assert (answer.returncode, answer.stderr) == (3, "")
    found = document(answer)
    assert found["status"] == "bracket"
    stopped = found["stopped"]
    assert set(stopped if isinstance(stopped, list) else [stopped]) <= {None, "node limit of 1"}


def test_a_limit_of_memory(run: Run, document: Document) -> None:
    """This process holds more already."""
    answer = run("attack", "pg:q=7", "--eta", "10", "--memory-limit", "8M", "--json")
    assert (answer.returncode, answer.stderr) == (3, "")
    found = document(answer)
    assert (found["status"], found["stopped"]) == ("bracket", "memory limit of 8 MiB")
    assert found["settings"]["memory_limit"] == 8 << 20
    assert found["lower"] < found["upper"] == len(found["workers"])


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        ("--memory-limit", "much", "an amount of memory such as 4G"),
        ("--memory-limit", "", "an amount of memory such as 4G"),
        ("--memory-limit", "-1G", "an amount of memory such as 4G"),
        ("--memory-limit", "infG", "an amount of memory such as 4G"),
        ("--executor", "slurm", "threads, processes, dask, dask:ADDRESS or mpi"),
        ("--executor", "dask:", "threads, processes, dask, dask:ADDRESS or mpi"),
        ("--executor", "processes:4", "threads, processes, dask, dask:ADDRESS or mpi"),
    ],
)
def test_refusals(run: Run, option: str, value: str, expected: str) -> None:
    answer = run("attack", "pg:q=3", "--eta", "4", option, value)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert expected in answer.stderr


@pytest.mark.parametrize(("kind", "package"), [("dask", "distributed"), ("mpi", "mpi4py.MPI")])
def test_what_is_not_installed(
    run: Run, monkeypatch: pytest.MonkeyPatch, kind: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    answer = run("attack", "pg:q=3", "--eta", "4", "--executor", kind)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert f"--executor {kind} cannot be used here" in answer.stderr
    assert f"pip install 'gcdesign[{kind}]'" in answer.stderr


def test_ctrl_c_ends_the_processes_too(long_matrix: str, folder: Path) -> None:
    """Sent to all of them, as a terminal does, once they have brought the first outcomes."""
    asked = profile(
        long_matrix, "--executor", "processes", "--threads", "2", "--resume", "run.jsonl"
    )
    journal = folder / "run.jsonl"
    process = subprocess.Popen(
        command(*asked, "--json"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        wait_until(lambda: journal.exists() and journal.read_bytes().count(b"\n") > 2)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert (process.returncode, err) == (3, "")
    found = json.loads(out)
    assert found["status"] == "bracket"
    assert set(found["stopped"]) == {None, "interrupted"}


def test_processes_end_with_a_program_that_is_killed(long_matrix: str, folder: Path) -> None:
    """They hold its standard output open, so its end is seen when all of them are gone."""
    asked = profile(
        long_matrix, "--executor", "processes", "--threads", "2", "--resume", "run.jsonl"
    )
    journal = folder / "run.jsonl"
    process = subprocess.Popen(command(*asked), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    wait_until(lambda: journal.exists() and journal.read_bytes().count(b"\n") > 2)
    process.kill()
    process.communicate(timeout=PATIENCE)


def test_progress_counts_the_cases(on_terminal: Run) -> None:
    asked = ("attack", "pg:q=9", "--eta", "15")
    answer = on_terminal(*asked, "--threads", "2", until="cases done")
    assert re.search(r"apart.*: \d+ cases done, \d+ open", answer.stderr)
    assert answer.returncode in (0, 3)


def test_a_local_dask_cluster(spawn: Run, matrix: str) -> None:
    pytest.importorskip("distributed")
    asked = profile(matrix, "--json")
    alone = json.loads(spawn(*asked).stdout)
    answer = spawn(*asked, "--executor", "dask", "--threads", "2")
    assert answer.returncode == 0
    found = json.loads(answer.stdout)
    assert found["settings"]["executor"] == "ClientExecutor"
    changing = {"seconds": 0, "settings": {}}
    assert found | changing == alone | changing


def test_a_dask_scheduler(spawn: Run, document: Document, matrix: str, scheduler: str) -> None:
    asked = profile(matrix, "--executor", f"dask:{scheduler}", "--json")
    found = document(spawn(*asked))
    assert found["status"] == "exact"
    assert found["settings"]["threads"] == 2, "as many as the cluster has workers"


def test_no_dask_scheduler(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("gcdesign.cli.executors.CONNECT_SECONDS", 0.2)
    answer = run("attack", "pg:q=3", "--eta", "4", "--executor", "dask:tcp://127.0.0.1:9")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in answer.stderr


def test_mpi(spawn: Run, matrix: str, mpiexec: Mpiexec) -> None:
    asked = profile(matrix, "--json")
    alone = json.loads(spawn(*asked).stdout)
    program = ("-m", "mpi4py.futures", "-m", "gcdesign")
    answer = mpiexec(3, *program, *asked, "--executor", "mpi")
    assert answer.returncode == 0
    found = json.loads(answer.stdout)
    assert (found["settings"]["executor"], found["settings"]["threads"]) == ("MPIPoolExecutor", 2)
    changing = {"seconds": 0, "settings": {}}
    assert found | changing == alone | changing
