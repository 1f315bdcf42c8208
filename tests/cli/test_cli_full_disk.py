"""A full disk and a full standard output: one line, exit code 2, nothing half written."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

Run = Callable[..., CompletedProcess[str]]

WRITERS = {  # each writes more than 16 KiB
    "build": ("build", "pg", "--q", "16", "-o", "out.json"),
    "transform": ("transform", "dual", "pg:q=16", "-o", "out.mtx"),
    "export": ("export", "pg:q=16", "-o", "out.csv"),
    "curve": ("curve", "pg:q=2", "-o", "out.png"),
    "simulate": ("simulate", "--times-only", "--steps", "1000", "-o", "out.csv"),
}


def assert_one_line(answer: CompletedProcess[str], reason: str) -> None:
    assert (answer.returncode, answer.stdout or "") == (2, "")
    assert answer.stderr.startswith("gcdesign: ")
    assert answer.stderr.count("\n") == 1
    assert reason in answer.stderr


@pytest.mark.parametrize("name", WRITERS)
def test_full_disk(run: Run, small_disk: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(small_disk)
    answer = run(*WRITERS[name])
    assert_one_line(answer, "no space left on device")
    assert list(small_disk.iterdir()) == []
    old = small_disk / WRITERS[name][-1]
    old.write_text("precious")
    assert_one_line(run(*WRITERS[name], "--force"), "no space left on device")
    assert [path.read_text() for path in small_disk.iterdir()] == ["precious"]


def test_a_disk_with_room_for_the_design_only(
    run: Run, small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The design is written; that it cannot be remembered is a notice."""
    monkeypatch.chdir(small_disk)
    (small_disk / "filler").write_bytes(bytes(3 << 12))
    answer = run("build", "pg", "--q", "3")
    assert answer.returncode == 0
    assert "PG(2,3)" in answer.stdout
    assert answer.stderr.startswith("gcdesign: not remembered as the design last built here")
    assert answer.stderr.count("\n") == 1
    assert sorted(path.name for path in small_disk.iterdir()) == ["filler", "pg-q3.json"]


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_standard_output_into_a_file_on_a_full_disk(
    spawn: Run, small_disk: Path, unbuffered: str
) -> None:
    """A part of the first write still fits: the rest must not be lost without a word."""
    environment = dict(os.environ) | {"PYTHONUNBUFFERED": unbuffered}
    for line in ("curve --q 8 --json", "build pg --q 16 -o -"):
        with (small_disk / "out").open("w") as target:
            answer = spawn(*line.split(), stdout=target, env=environment)
        assert_one_line(answer, "No space left on device")
        assert (small_disk / "out").stat().st_size == 16384


def test_a_limit_on_file_sizes(spawn: Run, folder: Path) -> None:
    """What a full disk does, where no disk may be mounted."""
    answer = spawn("build", "pg", "--q", "32", through='ulimit -f 32; exec "$@"')
    assert_one_line(answer, "file too large")
    assert list(folder.iterdir()) == []


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(
    "line",
    [
        "--help",
        "info pg:q=2",
        "attack pg:q=2 --eta 3",
        "attack pg:q=2 --profile --json",
        "build pg --q 2 -o -",
        "curve pg:q=2 -o -",
    ],
)
def test_full_standard_output(spawn: Run, folder: Path, line: str) -> None:
    with FULL.open("w") as full:
        answer = spawn(*line.split(), stdout=full)
    assert_one_line(answer, "No space left on device")
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
def test_full_standard_error(spawn: Run, folder: Path) -> None:
    """A notice or an error that cannot be said changes nothing."""
    with FULL.open("w") as full:
        options: dict[str, Any] = {"stderr": full}
        assert spawn("export", "pg:q=2", "-o", "plane.csv", **options).returncode == 0
        assert spawn("info", "pg:q=6", **options).returncode == 2
    assert (folder / "plane.csv").is_file()


def test_a_disk_that_fills_up_keeps_the_last_checkpoint(
    run: Run, small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(small_disk)
    options = ("simulate", "--data", "mixture:samples=60,features=300", "--checkpoint", "run.npz")
    assert run(*options, "--steps", "5").returncode == 0
    before = (small_disk / "run.npz").read_bytes()
    answer = run(*options, "--steps", "300", "--json")
    assert answer.returncode == 0
    assert "no space left on device" in answer.stderr
    assert "the run goes on, and the file is as it was" in answer.stderr
    assert [path.read_bytes() for path in small_disk.iterdir()] == [before]
    assert run(*options, "--steps", "6").returncode == 0
