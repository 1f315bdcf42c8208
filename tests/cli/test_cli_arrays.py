"""The command array: what it says, what it writes, and what it refuses."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable
from itertools import combinations, product
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from jsonschema import Draft202012Validator

Run = Callable[..., CompletedProcess[str]]
Document = Callable[[CompletedProcess[str]], dict[str, Any]]

SCHEMA = Path(__file__).parents[2] / "docs" / "schemas" / "array-1.json"


def read(text: str) -> list[tuple[int, ...]]:
    return [tuple(map(int, row)) for row in csv.reader(text.splitlines())]


def shown(rows: list[tuple[int, ...]], columns: tuple[int, ...]) -> Counter[tuple[int, ...]]:
    return Counter(tuple(row[c] for c in columns) for row in rows)


@pytest.mark.parametrize(
    ("asked", "code", "status", "least"),
    [
        ("--runs 18 --factors 7 --levels 3", 0, "exists", 18),
        ("--runs 18 --factors 8 --levels 3", 1, "impossible", 27),
        ("--runs 20 --factors 5 --levels 3", 1, "impossible", 18),
        ("--runs 72 --factors 7 --levels 6", 3, "unknown", 72),
        ("--factors 4 --levels 6", 0, "exists", 72),
        ("--factors 4 --levels 3^4 --strength 3", 0, "exists", 27),
    ],
)
def test_orthogonal_arrays(
    run: Run, document: Document, asked: str, code: int, status: str, least: int
) -> None:
    answer = run("array", "orthogonal", *asked.split(), "--json")
    found = document(answer)
    assert (answer.returncode, found["status"], found["least_runs"]) == (code, status, least)
    assert (found["recipe"] is not None, found["theorem"] is not None) == (code == 0, code == 1)
    page = run("array", "orthogonal", *asked.split())
    assert page.returncode == code
    assert found["reason"] in page.stdout


def test_an_orthogonal_array_in_files(run: Run, folder: Path) -> None:
    asked = ("array", "orthogonal", "--factors", "5", "--levels", "4", "--strength", "3")
    printed = run(*asked, "-o", "-")
    assert "OA(64,5,4,3): exists" in printed.stderr
    rows = read(printed.stdout)
    every = dict.fromkeys(product(range(4), repeat=3), 1)
    assert all(shown(rows, chosen) == every for chosen in combinations(range(5), 3))
    assert run(*asked, "-o", "runs.csv").returncode == 0
    assert (folder / "runs.csv").read_text() == printed.stdout
    assert run(*asked, "-o", "runs.json").returncode == 0
    found = json.loads((folder / "runs.json").read_text())
    Draft202012Validator(json.loads(SCHEMA.read_text())).validate(found)
    assert [tuple(row) for row in found["runs"]] == rows
    assert (found["kind"], found["levels"], found["strength"]) == ("orthogonal", [4] * 5, 3)


def test_nothing_is_written_where_there_is_no_array(run: Run, folder: Path) -> None:
    asked = ("array", "orthogonal", "--runs", "36", "--factors", "4", "--levels", "6")
    for output in ("none.csv", "-"):
        answer = run(*asked, "-o", output)
        assert (answer.returncode, answer.stderr) == (1, "")
        assert "does not exist" in answer.stdout
    assert not list(folder.iterdir())


@pytest.mark.parametrize(
    ("asked", "levels", "status"),
    [
        ("--factors 10 --levels 2", (2,) * 10, "exact"),
        ("--levels 4,3^2,2^3", (4, 3, 3, 2, 2, 2), "exact"),
        ("--factors 6 --levels 3", (3,) * 6, "bracket"),
        ("--factors 11 --levels 2 --strength 3", (2,) * 11, "exact"),
    ],
)
def test_covering_arrays(
    run: Run, document: Document, folder: Path, asked: str, levels: tuple[int, ...], status: str
) -> None:
    found = document(run("array", "covering", *asked.split(), "-o", "tests.csv", "--json"))
    rows = read((folder / "tests.csv").read_text())
    assert (found["status"], tuple(found["levels"])) == (status, levels)
    assert found["lower"] <= found["upper"] == len(rows)
    assert (found["lower"] == found["upper"]) == (status == "exact")
    for chosen in combinations(range(len(levels)), found["strength"]):
        assert set(shown(rows, chosen)) == set(product(*(range(levels[c]) for c in chosen)))
    page = run("array", "covering", *asked.split()).stdout
    assert f"{len(rows)} rows" in page
    assert status in page


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("orthogonal --factors 5 --levels 4,2^4", "array covering takes mixed levels"),
        ("orthogonal --levels 3", "say how many factors"),
        ("orthogonal --factors 3 --levels 3,3", "--levels has 2 numbers for --factors 3"),
        ("orthogonal --factors 3", "Missing option '--levels'"),
        ("orthogonal --factors 3 --levels 3^", "'3^'; expected a number of levels"),
        ("orthogonal --factors 3 --levels x", "'x'; expected a number of levels"),
        ("orthogonal --factors 3 --levels 2^0,3", "expected a number of levels"),
        ("orthogonal --factors 3 --levels 2^9999999", "expected a number of levels"),
        ("orthogonal --factors 3 --levels 1", "levels=1; expected 2 or more"),
        ("orthogonal --factors 0 --levels 2", ": 0 columns; expected 2 columns or more"),
        ("orthogonal --factors -4 --levels 2", ": -4 columns; expected 2 columns or more"),
        ("orthogonal --factors 3 --levels 2 --runs 0", "0 runs"),
        ("orthogonal --factors 3 --levels 2 --runs -8", "-8 runs"),
        ("orthogonal --factors 3 --levels 2 --strength 1", "strength=1; expected 2 or more"),
        ("orthogonal --factors 3 --levels 2 --strength 4", "expected 4 columns or more"),
        ("orthogonal --factors 999999999 --levels 2", "take fewer"),
        ("orthogonal --factors 99 --levels 9 --strength 77", "take fewer"),
        ("orthogonal --factors 9 --levels 2 --runs 99999999", "the limit is"),
        ("orthogonal --factors 3 --levels 2 -o runs.xml", "written as .csv or .json"),
        ("orthogonal --factors 3 --levels 2 -o no/runs.csv", "no such directory"),
        ("orthogonal --factors 3 --levels 2 -o old.csv", "--force"),
        ("orthogonal --factors 3 --levels 2 -o - --json", "both want standard output"),
        ("covering --levels 3", "say how many factors"),
        ("covering --factors 3 --levels 1", "levels=1; expected 2 or more in every column"),
        ("covering --levels 3,1,2", "levels=1"),
        ("covering --factors 1 --levels 3", ": 1 columns; expected 2 or more"),
        ("covering --factors 5 --levels 3 --strength 0", "strength=0"),
        ("covering --factors 99999999 --levels 3", "take fewer"),
        ("covering --factors 40 --levels 9 --strength 6", "take fewer"),
        ("covering --levels 3,3,2 -o old.csv", "--force"),
        ("nothing", "no command is called 'nothing'"),
    ],
)
def test_refusals(run: Run, folder: Path, asked: str, words: str) -> None:
    (folder / "old.csv").write_text("mine\n")
    answer = run("array", *asked.split())
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith("gcdesign: ")
    assert answer.stderr.count("\n") == 1
    assert words in answer.stderr
    assert (folder / "old.csv").read_text() == "mine\n"
