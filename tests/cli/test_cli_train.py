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
        u = old + (b - old) * (t + 2) / 2
    return b


def model(path: str) -> NDArray[np.float64]:
    with np.load(path) as file:
        found: NDArray[np.float64] = file["parameters"][0]
    return found


def one_line(answer: CompletedProcess[str]) -> str:
    """Return the line that tells why a job ended; a launcher may have added some of its own."""
    told = [line for line in answer.stderr.splitlines() if line.startswith("gcdesign: ")]
    assert len(told) == 1, answer.stderr
    assert "Traceback" not in answer.stderr
    return told[0]


def test_the_model_is_that_of_one_machine_while_some_never_answer_and_some_are_killed(
    train: Mpiexec, document: Document, data: Any
) -> None:
    asked = ("--stragglers", "4", "--slow", "2,9", "--delay", "inf", "--steps", "100")
    faults = ("--fault", "kill:worker=5,step=3", "--fault", "kill:worker=0,step=60")
    killed = (*faults, "--tolerate-failures")
    answer = train(12, *asked, *killed, "-o", "model.npz", "--json")
    found = document(answer)
    assert answer.returncode == 0
    assert (found["run"]["steps"], found["run"]["workers"], found["run"]["heard"]) == (100, 12, 8)
    assert [one["worker"] for one in found["lost"]] == [0, 5]
    for one in found["lost"]:  # in a later step if it was late for its own
        assert re.fullmatch(r"died in step \d+: killed by SIGKILL", one["reason"])
    expected = alone(data, 100)
    assert np.linalg.norm(model("model.npz") - expected) <= 1e-8 * np.linalg.norm(expected)


@pytest.mark.parametrize(
    "scheme",
    [
        ("--scheme", "cyclic-mds", "--stragglers", "2"),  # complex messages
        ("--scheme", "partial-cyclic:alpha=3"),  # two messages
    ],
    ids=lambda scheme: str(scheme[1]),
)
def test_other_kinds_of_messages(train: Mpiexec, data: Any, scheme: tuple[str, ...]) -> None:
    delayed = ("--delay", "0.02", "--steps", "20", "-o", "model.npz")
    assert train(4, *scheme, *delayed).returncode == 0
    expected = alone(data, 20)
    assert np.linalg.norm(model("model.npz") - expected) <= 1e-8 * np.linalg.norm(expected)


FAILURES = {
    "raise": r"worker 1 failed in step 3: RuntimeError: rehearsed failure .*",
    "kill": r"worker 1 died in step 3: killed by SIGKILL; .*",
    "sleep": r"worker 1 fell silent in step 3: no sign for 1 s; .*",
    "nan": r"worker 1 sent NaN or infinity in step 3; .*",
}


@pytest.mark.parametrize("kind", FAILURES)
def test_a_failure_ends_the_run_and_is_told(train: Mpiexec, kind: str) -> None:
    begun = time.monotonic()
    fault = ("--fault", f"{kind}:worker=1,step=3", "--patience", "1")
    answer = train(3, "--scheme", "naive", *fault)
    assert answer.returncode == 3
    assert answer.stdout == ""
    assert re.fullmatch(f"gcdesign: {FAILURES[kind]}", one_line(answer))
    assert time.monotonic() - begun < SOON


@pytest.mark.parametrize("kind", ["raise", "sleep", "nan"])
def test_a_failure_is_tolerated_if_the_code_allows_it(
    train: Mpiexec, document: Document, data: Any, kind: str
) -> None:
    fault = ("--fault", f"{kind}:worker=1,step=3", "--tolerate-failures", "--not-finite", "exclude")
    slow = ("--patience", "1", "--model", "fixed:time=0.04")  # 30 steps of 0.08 s
    if kind == "nan":  # is heard only if worker 0 is not there before
        slow = ("--slow", "0", "--delay", "0.5")
    answer = train(3, *fault, *slow, "--steps", "30", "-o", "model.npz", "--json", "--quiet")
    assert answer.returncode == 0, answer.stderr
    found = document(answer)
    assert found["excluded"] == ([{"worker": 1, "messages": 1}] if kind == "nan" else [])
    assert [one["worker"] for one in found["lost"]] == ([] if kind == "nan" else [1])
    expected = alone(data, 30)
    assert np.linalg.norm(model("model.npz") - expected) <= 1e-8 * np.linalg.norm(expected)


def test_what_the_code_does_not_allow_is_not_tolerated(train: Mpiexec) -> None:
    fault = ("--fault", "kill:worker=2,step=1", "--tolerate-failures")
    answer = train(3, "--scheme", "naive", *fault)
    assert answer.returncode == 3
    assert "naive (N=3) cannot do without workers 2" in one_line(answer)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--scheme", "naive"), r"step 0: naive \(N=3\) waits for ever; workers 0 never answer"),
        (
            (
                "--fault",
                "kill:worker=2,step=3",
                "--tolerate-failures",
                "--model",
                "fixed:time=0.02",
            ),
            r"worker 2 died in step \d+: killed by SIGKILL; .* cannot do without workers 0, 2",
        ),
    ],
    ids=["naive", "one lost beside"],
)
def test_workers_who_never_answer_are_not_waited_for_in_vain(
    train: Mpiexec, options: tuple[str, ...], message: str
) -> None:
    begun = time.monotonic()
    answer = train(3, *options, "--slow", "0", "--delay", "inf", "--steps", "20")
    assert answer.returncode == 3
    assert re.fullmatch(f"gcdesign: {message}", one_line(answer))
    assert time.monotonic() - begun < SOON


def test_a_checkpoint_of_other_data_in_a_file_of_the_same_name_is_refused(
    train: Mpiexec, data: Any
) -> None:
    kept = ("--checkpoint", "run.npz", "--steps", "3")
    assert train(3, *kept).returncode == 0
    np.savez("data.npz", features=data[0], targets=1 - data[1])
    answer = train(3, *kept)
    assert answer.returncode == 2
    assert "run.npz is of a run with data=" in one_line(answer)


def children(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def mpi_processes(launcher: int) -> list[int]:
    """Return the processes that the launcher started on this machine."""
    found = children(launcher)
    if any("python" in Path(f"/proc/{one}/exe").resolve().name for one in found):
        return found
    return [process for one in found for process in mpi_processes(one)]


class Started:
    """A job that goes on until something happens to it."""

    def __init__(self, mpi_command: MpiCommand, *more: str) -> None:
        endless = ("--steps", "1000000", "--checkpoint", "run.npz", "--checkpoint-every", "5")
        command, settings = mpi_command(4, "-m", "gcdesign", *asked(*endless, *more))
        self.process = subprocess.Popen(
            command, **settings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        give_up = time.monotonic() + PATIENCE
        while not Path("run.npz").exists():
            assert time.monotonic() < give_up
            assert self.process.poll() is None, self.process.communicate()
            time.sleep(0.05)

    def ended(self) -> CompletedProcess[str]:
        try:
            out, err = self.process.communicate(timeout=SOON)
        finally:
            self.process.kill()
        return CompletedProcess((), self.process.returncode, out, err)


def goes_on(train: Mpiexec, data: Any) -> None:
    """Say that the checkpoint can be gone on from, to the same model as without interruption."""
    with np.load("run.npz") as file:
        done = len(file["history.seconds"])
    again = ("--checkpoint", "run.npz", "--steps", str(done + 10), "-o", "model.npz")
    assert train(3, *again).returncode == 0
    expected = alone(data, done + 10)
    assert np.linalg.norm(model("model.npz") - expected) <= 1e-8 * np.linalg.norm(expected)


def test_ctrl_c_keeps_the_state(mpi_command: MpiCommand, train: Mpiexec, data: Any) -> None:
    job = Started(mpi_command)
    job.process.send_signal(signal.SIGINT)
    answer = job.ended()
    assert answer.returncode in (3, 1)  # Open MPI makes it 1
    assert re.search(r"ended early, after \d+ of 1000000 steps", answer.stdout)
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
    if "mpiexec noticed" not in answer.stderr:  # Open MPI hears nobody out
        assert "the same command goes on from the last state in run.npz" in one_line(answer)
    goes_on(train, data)


@PROC
def test_a_stopped_mpi_process_is_missed(mpi_command: MpiCommand, data: Any) -> None:
    job = Started(mpi_command, "--patience", "1")
    os.kill(mpi_processes(job.process.pid)[2], signal.SIGSTOP)
    answer = job.ended()
    assert answer.returncode != 0
    assert "not heard from for 1 s; --tolerate-failures goes on without it" in one_line(answer)


@PROC
def test_a_stopped_mpi_process_is_tolerated(mpi_command: MpiCommand, data: Any) -> None:
    """It cannot take leave, so the job is aborted, but only once all is done."""
    slow = ("--model", "fixed:time=0.04", "--steps", "60", "--json", "--quiet")
    job = Started(mpi_command, "--patience", "1", "--tolerate-failures", *slow)
    os.kill(mpi_processes(job.process.pid)[2], signal.SIGSTOP)
    answer = job.ended()
    found = json.loads(answer.stdout)
    assert found["run"]["finished"]
    assert [one["reason"] for one in found["lost"]] == ["not heard from for 1 s"]
    assert "do not end: all processes are aborted" in one_line(answer)
    assert answer.returncode == 0


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
        (("--data", "none.npz"), "none.npz: cannot be read"),
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
