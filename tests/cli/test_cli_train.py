"""``gcdesign train`` on a real ``mpiexec``: the model, and every way in which a worker can fail."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

Mpiexec = Callable[..., CompletedProcess[str]]
MpiCommand = Callable[..., tuple[list[str], dict[str, Any]]]
Document = Callable[[CompletedProcess[str]], dict[str, Any]]
Run = Callable[..., CompletedProcess[str]]

PATIENCE = 60.0
SOON = 15.0
"""Seconds in which a job that is to end has ended, on a machine that is busy with other things."""

SAMPLES, FEATURES, RATE = 96, 5, 0.4


@pytest.fixture
def data(folder: Path) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Samples with 0/1 targets, also in ``data.npz``."""
    rng = np.random.default_rng(7)
    features = rng.normal(size=(SAMPLES, FEATURES))
    targets = (rng.random(SAMPLES) < 1 / (1 + np.exp(-features.sum(axis=1)))).astype(float)
    np.savez("data.npz", features=features, targets=targets)
    return features, targets


@pytest.fixture
def train(mpiexec: Mpiexec, data: object) -> Mpiexec:
    """Run ``gcdesign train`` with so many workers on ``data.npz``."""

    def run(workers: int, *arguments: str) -> CompletedProcess[str]:
        return mpiexec(workers + 1, "-m", "gcdesign", *asked(*arguments))

    return run


def asked(*arguments: str, command: tuple[str, ...] = ("train",)) -> tuple[str, ...]:
    usual = ("--data", "data.npz", "--test-share", "0", "--penalty", "0.01", "--rate", str(RATE))
    return (*command, *usual, "--evaluate-every", "0", *arguments)


def alone(data: tuple[NDArray[np.float64], NDArray[np.float64]], steps: int) -> NDArray[np.float64]:
    """Accelerated gradient on one machine."""
    x, y = data
    b = u = np.zeros(FEATURES)
    for t in range(steps):
        g = x.T @ (1 / (1 + np.exp(-x @ b)) - y) / SAMPLES + 0.02 * b
        ahead = (1 - 2 / (t + 2)) * b + 2 / (t + 2) * u
        b, old = ahead - RATE * g, b
        u = b + (b - old) * (t + 2) / 2
    return b


def model(path: str) -> NDArray[np.float64]:
    with np.load(path) as file:
        found: NDArray[np.float64] = file["parameters"][0]
    return found


def one_line(answer: CompletedProcess[str]) -> str:
    """Return the line that tells why a job ended; a launcher may have added some of its own."""
    if "mpiexec noticed" not in answer.stderr:  # Open MPI hears nobody out
        assert "the same command goes on from the last state in run.npz" in one_line(answer)
    goes_on(train, data)


PROC = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="no /proc to find processes in"
)


@PROC
def test_a_killed_mpi_process_ends_the_job_and_leaves_the_state(
    mpi_command: MpiCommand, train: Mpiexec, data: Any
) -> None:
    """MPI itself does not survive this: the launcher ends the job."""
    job = Started(mpi_command)
    os.kill(mpi_processes(job.process.pid)[2], signal.SIGKILL)
    answer = job.ended()
    assert answer.returncode != 0
    told = [line for line in answer.stderr.splitlines() if "gcdesign: the launcher ended" in line]
    assert len(told) == 1 or "OMPI" in answer.stderr or "mpiexec noticed" in answer.stderr
    assert all(
        line.endswith("the same command goes on from the last state in run.npz") for line in told
    )
    goes_on(train, data)


@PROC
def test_a_stopped_mpi_process_is_missed(mpi_command: MpiCommand, data: Any) -> None:
    job = Started(mpi_command, "--patience", "1")
    os.kill(mpi_processes(job.process.pid)[2], signal.SIGSTOP)
    answer = job.ended()
    assert answer.returncode != 0
    assert "not heard from for 1 s; --tolerate-failures goes on without it" in one_line(answer)


def test_a_full_disk_at_a_checkpoint(
    train: Mpiexec, data: Any, small_disk: Path, folder: Path
) -> None:
    file = small_disk / "run.npz"
    kept = ("--checkpoint", str(file), "--checkpoint-every", "50", "--steps", "600")
    answer = train(3, *kept)
    assert answer.returncode == 0
    assert "the run goes on, and the file is as it was" in answer.stderr
    (folder / "run.npz").write_bytes(file.read_bytes())
    goes_on(train, data)


def test_a_recorded_trace_is_replayed(mpiexec: Mpiexec, run: Run, folder: Path) -> None:
    recorded = ("trace", "record", "--delay", "0.05", "--steps", "8", "-o", "times.csv")
    answer = mpiexec(4, "-m", "gcdesign", *recorded)
    assert answer.returncode == 0, answer.stderr
    rows = [line.split(",") for line in Path("times.csv").read_text().splitlines()]
    times = np.array(rows[-8:], dtype=float)
    assert times.shape == (8, 3)
    assert ((times >= 0.05).sum(axis=1) >= 1).all(), "one is late in every step, and is waited for"
    replayed = run("simulate", "--model", "trace:file=times.csv", "--workers", "3", "--json")
    assert replayed.returncode == 0


def test_errors_are_told_once(train: Mpiexec) -> None:
    for arguments, reason in (
        (("--stragglers", "7"), "stragglers=7"),
        (("--delay", "x"), "'x'; expected a number"),
        (("--workers", "5"), "workers=5, and there are 4 processes"),
        (("--fault", "kill:worker=3,step=1"), "fault of worker 3; expected 0 to 2"),
        (("--data", "none.npz"), "none.npz cannot be read"),
    ):
        answer = train(3, *arguments)
        assert (answer.returncode, answer.stdout) == (2, "")
        assert reason in one_line(answer)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((), "this is one process; start several with mpiexec -n 13 gcdesign train"),
        (("--scheme", "naive", "--scheme", "cyclic"), "a real run has one"),
        (("--fault", "explode:worker=1,step=2"), "expected raise, kill, sleep or nan"),
        (("--fault", "kill:worker=1"), "as in kill:worker=3,step=10"),
        (("--patience", "0"), "expected a number above 0"),
    ],
)
def test_refusals(
    run: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], reason: str
) -> None:
    for name in ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS"):
        monkeypatch.delenv(name, raising=False)
    answer = run("train", *arguments)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert reason in answer.stderr


def test_the_json_says_what_a_simulation_says(train: Mpiexec, run: Run, document: Document) -> None:
    found = document(train(3, "--steps", "5", "--json"))
    simulated = json.loads(run(*asked("--steps", "5", "--json", command=("simulate",))).stdout)
    assert found["run"].keys() == simulated["runs"][0].keys()
    losses = [one["evaluations"][-1]["loss"] for one in (found["run"], simulated["runs"][0])]
    assert losses[0] == pytest.approx(losses[1], rel=1e-9)
