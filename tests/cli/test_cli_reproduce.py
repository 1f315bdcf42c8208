"""``gcdesign reproduce``: its page, its files, its refusals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

Run = Callable[..., CompletedProcess[str]]
Document = Callable[[CompletedProcess[str]], dict[str, Any]]

SMALL = ("reproduce", "kadhe-fig1a", "--set", "q=2")


def test_picture_and_table_are_written_and_never_replaced(run: Run, folder: Path) -> None:
    answer = run(*SMALL)
    assert answer.returncode == 0
    assert "error of AG(2,q) depends on: differs" in answer.stdout
    assert answer.stderr == "gcdesign: written: kadhe-fig1a.svg and kadhe-fig1a.csv\n"
    assert (folder / "kadhe-fig1a.svg").read_bytes().startswith(b"<?xml")
    before = (folder / "kadhe-fig1a.csv").read_bytes()
    again = run(*SMALL, "--format", "png")
    assert again.returncode == 2
    assert "kadhe-fig1a.csv: it exists" in again.stderr
    assert not (folder / "kadhe-fig1a.png").exists()
    assert run(*SMALL, "--force", "--seed", "3").returncode == 0
    assert (folder / "kadhe-fig1a.csv").read_bytes() == before


def test_the_documents(run: Run, document: Document, folder: Path) -> None:
    found = document(run(*SMALL, "--no-files", "--json"))
    assert found["schema"] == "gcdesign.reproduce/1"
    assert found["files"] == []
    assert not list(folder.iterdir())
    listed = document(run("reproduce", "--json"))
    assert listed["schema"] == "gcdesign.experiments/1"
    names = [entry["name"] for entry in listed["experiments"]]
    assert names == sorted(names)
    assert {"kadhe-fig1a", "kadhe-fig1b"} <= set(names)
    assert run("reproduce").stdout.count("Figure 1(") == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["kadhe-fig2"], "no experiment is called 'kadhe-fig2'"),
        (["kadhe-fig1a", "--set", "q"], "expected NAME=VALUE"),
        (["kadhe-fig1a", "--set", "q=five"], "expected a number"),
        (["kadhe-fig1a", "--set", "p=5"], "has no setting 'p'"),
        (["kadhe-fig1a", "--set", "q=6"], "q=6"),
        (["kadhe-fig1a", "--folder", "gone"], "no such directory"),
        (["kadhe-fig1a", "--format", "jpg"], "jpg"),
    ],
)
def test_refusals(run: Run, folder: Path, arguments: list[str], says: str) -> None:
    answer = run("reproduce", *arguments)
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert says in answer.stderr
    assert answer.stderr.count("\n") == 1
    assert not list(folder.iterdir())
