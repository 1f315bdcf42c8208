"""``gcdesign families``: the list, one family, and the page that is written from the same."""

from __future__ import annotations

import runpy
import shlex
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from gcdesign.codes.registry import all_names, code_family_names, declared

Run = Callable[..., CompletedProcess[str]]
Document = Callable[[CompletedProcess[str]], dict[str, Any]]

ROOT = Path(__file__).parents[2]


def test_the_list_has_every_family(run: Run, document: Document) -> None:
    found = document(run("families", "--json"))["families"]
    assert [entry["name"] for entry in found] == all_names()
    kinds = {entry["name"]: entry["makes"] for entry in found}
    assert {name for name, makes in kinds.items() if makes == "code"} == set(code_family_names())
    page = run("families")
    assert page.returncode == 0
    lines = page.stdout.splitlines()
    assert [line.split()[0] for line in lines[1 : len(found) + 1]] == all_names()


@pytest.mark.parametrize("name", all_names())
def test_one_family_and_its_example(run: Run, document: Document, name: str) -> None:
    [entry] = document(run("families", name, "--json"))["families"]
    family = declared(name)
    for key in ("name", "summary", "domain", "source"):
        assert entry[key] == getattr(family, key)
    assert [p["name"] for p in entry["parameters"]] == [p.name for p in family.parameters]
    page = run("families", name).stdout
    for text in (entry["domain"], entry["source"], entry["example"]["command"]):
        assert text in page
    in_place = document(run("info", entry["example"]["in_place"], "--json"))
    assert in_place["placement"]["workers"] > 0
    program, *arguments = shlex.split(entry["example"]["command"])
    assert program == "gcdesign"
    unbroken = run("build", name, "--help").stdout.replace(" \\\n    ", " ")
    assert f"  {entry['example']['command']}\n" in unbroken
    assert document(run(*arguments, "--json"))["placement"] == in_place["placement"]


def test_an_unknown_family(run: Run) -> None:
    answer = run("families", "nofamily")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "no family is called 'nofamily'; expected one of: adjacency" in answer.stderr


def test_the_page_is_what_the_script_writes() -> None:
    page = runpy.run_path(str(ROOT / "scripts" / "make_families_page.py"))["page"]()
    assert page == (ROOT / "docs" / "families.md").read_text(encoding="utf-8"), (
        "run scripts/make_families_page.py"
    )


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (
            "build circulant --workers 7 --offsets 0+x",
            "offsets=0+x; expected whole numbers such as 0+1",
        ),
        ("build graph-code --graph ()", "graph=(); expected a graph, such as petersen"),
        ("build product --left pg:q=2 --right nope", "no family is called 'nope'"),
        ("build lps --p 4 --q 13", "the nearest: p=5"),
    ],
)
def test_refusals_of_other_kinds_of_values(run: Run, line: str, problem: str) -> None:
    answer = run(*line.split())
    assert (answer.returncode, answer.stdout) == (2, "")
    assert problem in answer.stderr
    assert answer.stderr.count("\n") == 1
