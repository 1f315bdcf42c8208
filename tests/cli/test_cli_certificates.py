"""``gcdesign attack --certificate``: the file that ``gcdesign verify`` checks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

Run = Callable[..., CompletedProcess[str]]


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="ascii"))


@pytest.mark.parametrize("asked", [("--eta", "3"), ("--profile",)])
def test_an_answer_is_written_and_verified(run: Run, folder: Path, asked: tuple[str, ...]) -> None:
    plain = run("attack", "pg:q=2", *asked, "--json")
    answer = run("attack", "pg:q=2", *asked, "--json", "--certificate", "fano.json")
    assert (answer.returncode, answer.stderr) == (0, "")
    assert json.loads(answer.stdout).keys() == json.loads(plain.stdout).keys()
    claims = read(folder / "fano.json")["claims"]
    assert len(claims) == (8 if "--profile" in asked else 1)
    assert run("verify", "fano.json", "pg:q=2").stdout.startswith("fano.json: proved\n")
    assert run("verify", "fano.json", "ag:q=2").returncode == 1


def test_what_cannot_be_written_is_refused_before_the_search(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gcdesign.adversary.thresholds.threshold", None)
    (folder / "here.json").write_text("precious")
    for name, told in (("here.json", "--force"), ("no/where.json", "no such directory: no")):
        answer = run("attack", "pg:q=2", "--eta", "3", "--certificate", name)
        assert (answer.returncode, answer.stdout) == (2, "")
        assert name in answer.stderr
        assert told in answer.stderr
    assert (folder / "here.json").read_text() == "precious"
    monkeypatch.undo()


def test_an_existing_file_is_replaced_when_asked(run: Run, folder: Path) -> None:
    (folder / "here.json").write_text("old")
    asked = ("attack", "pg:q=2", "--eta", "3", "--certificate", "here.json", "--force")
    assert run(*asked).returncode == 0
    assert read(folder / "here.json")["claims"][0]["lower"] == 6


def test_wrong_usage(run: Run, folder: Path) -> None:
    for options, told in (
        (("--force",), "--force replaces the file of --certificate"),
        (("--certificate", "-"), "standard output"),
        (("--certificate", "."), "directory"),
    ):
        answer = run("attack", "pg:q=2", "--eta", "3", *options)
        assert (answer.returncode, answer.stdout) == (2, "")
        assert told in answer.stderr
    assert list(folder.iterdir()) == []


def test_a_reader_that_leaves_early_takes_nothing_from_the_file(spawn: Run, folder: Path) -> None:
    asked = ("attack", "pg:q=2", "--profile", "--certificate", "fano.json")
    spawn(*asked, through='"$@" | true')
    assert len(read(folder / "fano.json")["claims"]) == 8


def test_a_bracket_is_written_too(run: Run, folder: Path) -> None:
    asked = ("attack", "pg:q=7", "--eta", "10", "--method", "bounds")
    assert run(*asked, "--certificate", "bracket.json").returncode == 0
    (claim,) = read(folder / "bracket.json")["claims"]
    assert claim["lower"] < claim["upper"]
    assert run("verify", "bracket.json").stdout.startswith("bracket.json: proved\n")
