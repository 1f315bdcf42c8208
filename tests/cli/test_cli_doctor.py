"""``gcdesign doctor``: it says what is there, and notices what is not."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from subprocess import CompletedProcess
from typing import Any

import pytest

from gcdesign import __version__
from gcdesign.cli import doctor

Run = Callable[..., CompletedProcess[str]]
Document = Callable[[CompletedProcess[str]], dict[str, Any]]


def test_a_sound_machine(run: Run, document: Document) -> None:
    answer = run("doctor", "--json")
    assert answer.returncode == 0
    found = document(answer)
    assert found["healthy"]
    findings = {finding["name"]: finding for finding in found["findings"]}
    assert findings["numpy"]["detail"] == version("numpy")
    assert {name for name, f in findings.items() if f["kind"] == "test"} == set(doctor.QUESTIONS)
    assert {"dask", "mpi", "torch"} <= findings.keys()
    assert not {"test", "lint"} & findings.keys()


def test_a_wrong_answer_and_a_crash_are_broken(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash() -> int:
        raise ImportError("no such\nlibrary")

    monkeypatch.setitem(doctor.QUESTIONS, "solver", ("1 + 1", lambda: 3, 2))
    monkeypatch.setitem(doctor.QUESTIONS, "search", ("1 + 1", crash, 2))
    answer = run("doctor")
    assert answer.returncode == 1
    assert "BROKEN  1 + 1 = 3; it is 2" in answer.stdout
    assert "BROKEN  ImportError: no such library" in answer.stdout
    assert answer.stdout.endswith("something is broken: see above\n")


def test_what_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    versions = {"numpy": ""}
    monkeypatch.setattr(
        doctor, "_version", lambda name: versions.get(name, "" if "mpi" in name else "1")
    )
    found = {finding.name: finding for finding in doctor._libraries()}
    assert (found["numpy"].state, found["numpy"].remedy) == ("broken", "pip install numpy")
    assert (found["mpi"].state, found["mpi"].remedy) == ("absent", "pip install 'gcdesign[mpi]'")
    assert found["dask"].state == "ok"


def test_without_installation(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(doctor, "version", unknown)
    monkeypatch.setattr(doctor, "requires", unknown)
    answer = run("doctor")
    assert answer.returncode == 0, answer.stdout
    assert f"{__version__}, not installed: run from " in answer.stdout
