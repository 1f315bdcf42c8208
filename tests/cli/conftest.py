"""Ways to run the command line: in this process, in one of its own, and on a terminal.

All of them work in an empty directory of the test's own and return a `CompletedProcess`.
"""

from __future__ import annotations

import io
import json
import os
import random
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gcdesign.cli import main

ROOT = Path(__file__).parents[2]
SCHEMAS = {
    path.stem.removesuffix("-1"): json.loads(path.read_text(encoding="utf-8"))
    for path in (ROOT / "docs" / "schemas").glob("*-1.json")
}
PATIENCE = 60.0
"""Seconds after which a process that should long be done counts as hung."""

PROMPT = 15.0
"""Seconds in which an interrupted command must end; on an idle machine it takes one or two."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(
    folder: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., CompletedProcess[str]]:
    """Run ``gcdesign`` in this process."""

    def call(*arguments: str, stdin: bytes = b"") -> CompletedProcess[str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        capsysbinary.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        out, err = capsysbinary.readouterr()
        assert isinstance(ended.value.code, int)
        return CompletedProcess(arguments, ended.value.code, out.decode(), err.decode())

    return call


@pytest.fixture
def spawn(folder: Path) -> Callable[..., CompletedProcess[str]]:
    """Run ``python -m gcdesign`` in a process of its own; keywords go to `subprocess.run`.

    ``through`` is a command of the shell that runs it, as ``"$@"``.
    """

    def call(*arguments: str, through: str | None = None, **options: Any) -> CompletedProcess[str]:
        settings: dict[str, Any] = {
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "text": True,
            "encoding": "utf-8",
            "timeout": PATIENCE,
            "env": _plain_environment(),
        }
        command = [sys.executable, "-m", "gcdesign", *arguments]
        if through is not None:
            command = ["sh", "-c", through, "sh", *command]
        return subprocess.run(command, check=False, **(settings | options))

    return call


@pytest.fixture
def on_terminal(folder: Path) -> Iterator[Callable[..., CompletedProcess[str]]]:
    """Run ``python -m gcdesign`` with one stream on a terminal, and interrupt it if asked.

    ``stream`` is what the terminal shows. Once ``until`` has appeared on it, SIGINT is sent,
    and once more after ``again`` seconds if that is given.
    """
    pty = pytest.importorskip("pty", reason="no pseudo-terminals on this system")
    started: list[subprocess.Popen[bytes]] = []

    def call(
        *arguments: str,
        stream: str = "stderr",
        until: str | None = None,
        again: float | None = None,
        **environment: str,
    ) -> CompletedProcess[str]:
        ours, theirs = pty.openpty()
        other = "stdout" if stream == "stderr" else "stderr"
        process = subprocess.Popen(
            [sys.executable, "-m", "gcdesign", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=theirs if stream == "stdout" else subprocess.PIPE,
            stderr=theirs if stream == "stderr" else subprocess.PIPE,
            env=_plain_environment() | environment,
        )
        started.append(process)
        os.close(theirs)
        shown = b"".join(_watch(process, ours, until, again))
        os.close(ours)
        pipe = getattr(process, other)
        with pipe:
            quiet = pipe.read().decode()
        code = process.wait(PATIENCE)
        texts = {stream: shown.decode(), other: quiet}
        return CompletedProcess(arguments, code, texts["stdout"], texts["stderr"])

    yield call
    for process in started:
        process.kill()
        process.wait()


def _plain_environment() -> dict[str, str]:
    """Return the environment without what changes colours and buffers."""
    kept = {name: value for name, value in os.environ.items() if "COLOR" not in name}
    return kept | {"TERM": "xterm-256color", "PYTHONUNBUFFERED": ""}


def _watch(
    process: subprocess.Popen[bytes], terminal: int, until: str | None, again: float | None
) -> Iterator[bytes]:
    """Yield what the terminal shows until the process ends; interrupt it when it is time."""
    give_up = time.monotonic() + PATIENCE
    seen = b""
    while time.monotonic() < give_up:
        if until is not None and until.encode() in seen:
            process.send_signal(signal.SIGINT)
            give_up = time.monotonic() + PROMPT
            if again is not None:
                time.sleep(again)
                process.send_signal(signal.SIGINT)
            until = None
        if not select.select([terminal], [], [], 0.02)[0]:
            continue
        try:
            piece = os.read(terminal, 1 << 16)
        except OSError:  # Linux says so when the last writer has gone
            return
        if not piece:
            return
        seen += piece
        yield piece
    process.kill()
    pytest.fail(f"hung; it had shown {seen[-500:]!r}")


@pytest.fixture
def small_disk(folder: Path) -> Iterator[Path]:
    """A file system of 16 KiB in the memory."""
    disk = folder / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=16k", "gcdesign-test", str(disk)]
    try:
        mounted = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount command")
    if mounted.returncode:
        pytest.skip(f"mounting a small tmpfs is not permitted: {mounted.stderr.strip()}")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


@pytest.fixture
def scheduler(folder: Path) -> Iterator[str]:
    """The address of a Dask scheduler with two worker processes, on this machine."""
    pytest.importorskip("distributed")
    code = (
        "from distributed import LocalCluster\n"
        "if __name__ == '__main__':\n"
        "    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as one:\n"
        "        print(one.scheduler_address, flush=True)\n"
        "        input()\n"
    )
    (folder / "cluster.py").write_text(code)
    with subprocess.Popen(
        [sys.executable, "cluster.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.communicate("\n", timeout=PATIENCE)


@pytest.fixture
def document() -> Callable[[CompletedProcess[str]], dict[str, Any]]:
    """Read the JSON that a command printed, and check it against the schema that it names."""

    def read(answer: CompletedProcess[str]) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(answer.stdout, parse_constant=_no_constant)
        name, version = found["schema"].removeprefix("gcdesign.").split("/")
        assert version == "1"
        Draft202012Validator(SCHEMAS[name]).validate(found)
        return found

    return read


def _no_constant(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


@pytest.fixture
def certificate(folder: Path) -> dict[str, Any]:
    """A certificate about the Fano plane, of four claims, the last of which rests on search.

    It is written to ``fano.cert.json``.
    """
    text = (ROOT / "tests" / "data" / "fano.cert.json").read_text(encoding="utf-8")
    (folder / "fano.cert.json").write_text(text, encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@pytest.fixture
def regular_matrix(folder: Path) -> str:
    """A random 0/1 matrix, 60 x 60, with four ones in each row and column; the file's name."""
    size, rng = 60, random.Random(20)
    rows: list[set[int]] = [set() for _ in range(size)]
    while len(rows[0]) < 4:
        columns = rng.sample(range(size), size)
        for row in range(size):  # swap away what a row has already
            while columns[row] in rows[row]:
                other = rng.randrange(size)
                if columns[other] not in rows[row] and columns[row] not in rows[other]:
                    columns[row], columns[other] = columns[other], columns[row]
        for held, column in zip(rows, columns, strict=True):
            held.add(column)
    text = "".join(",".join(str(int(c in held)) for c in range(size)) + "\n" for held in rows)
    (folder / "regular.csv").write_text(text)
    return "regular.csv"
