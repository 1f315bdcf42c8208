"""Tools on any design: group, isomorphic, resolve, sets, extend, and info with structure."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import ceil, lgamma, log
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

Run = Callable[..., CompletedProcess[str]]
Document = Callable[[CompletedProcess[str]], dict[str, Any]]


def refusal(answer: CompletedProcess[str]) -> str:
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith("gcdesign: ")
    assert answer.stderr.count("\n") == 1
    return answer.stderr


def test_generators_of_a_group(run: Run, document: Document) -> None:
    found = document(run("group", "pg:q=3", "--json"))
    assert (found["order"], found["block_swaps"]) == ("5616", "1")
    assert found["duality"] is None
    run("export", "pg:q=3", "-o", "plane.json")
    blocks = [set(block) for block in json.loads(Path("plane.json").read_text())["blocks"]]
    for points, images in zip(found["point_generators"], found["block_generators"], strict=True):
        for block, image in zip(blocks, images, strict=True):
            assert {points[p] for p in block} == blocks[image]


def test_repeated_blocks_have_no_say_in_the_order(
    run: Run, document: Document, folder: Path
) -> None:
    (folder / "twice.blocks").write_text("0 1\n0 1\n2 3\n2 3\n")
    found = document(run("group", "twice.blocks", "--duality", "--json"))
    assert (found["order"], found["block_swaps"]) == ("8", "4")
    assert found["point_orbits"] == [[0, 1, 2, 3]]
    assert found["block_orbits"] == [[0, 1, 2, 3]]
    page = run("group", "twice.blocks", "--duality").stdout
    assert "4 permutations of equal blocks besides" in page


def test_orders_of_any_length(run: Run, document: Document, folder: Path) -> None:
    """2000 copies of 7 blocks are swapped in 2000!^7 ways: Python does not print that by itself."""
    line = ("group", "multiple(pg:q=2,times=2000)")
    digits = document(run(*line, "--json"))["block_swaps"]
    assert len(digits) == ceil(7 * lgamma(2001) / log(10))
    assert len(digits) - len(digits.rstrip("0")) == 7 * sum(2000 // 5**i for i in range(1, 5))
    page = run(*line).stdout
    assert f"({len(digits)} digits) permutations of equal blocks besides" in page
    assert max(map(len, page.splitlines())) < 120


def test_orbits_of_many(run: Run) -> None:
    page = run("group", "regular:workers=31,load=6,seed=1").stdout
    assert "order 1, 0 generators" in page
    assert "31 orbits of 1 (0), 1 (1)" in page
    assert ", …" in page


def test_a_polarity(run: Run, document: Document) -> None:
    found = document(run("group", "pg:q=2", "--duality", "--json"))["duality"]
    assert (found["self_dual"], found["polarity"]) == (True, "exists")
    assert len(found["absolute_points"]) == 3
    none = document(run("group", "ag:q=3", "--duality", "--json"))["duality"]
    assert (none["self_dual"], none["polarity"]) == (False, "impossible")
    assert "self-dual    no" in run("group", "ag:q=3", "--duality").stdout


def test_isomorphic(run: Run, document: Document, folder: Path) -> None:
    (folder / "fano.blocks").write_text("0 1 2\n0 3 4\n0 5 6\n1 3 5\n1 4 6\n2 3 6\n2 4 5\n")
    found = document(run("isomorphic", "pg:q=2", "fano.blocks", "--json"))
    assert found["isomorphic"] is True
    assert found["certificates"][0] == found["certificates"][1]
    lines = [
        set(map(int, line.split())) for line in (folder / "fano.blocks").read_text().splitlines()
    ]
    run("export", "pg:q=2", "-o", "plane.json")
    blocks = json.loads(Path("plane.json").read_text())["blocks"]
    for block, image in zip(blocks, found["blocks"], strict=True):
        assert {found["points"][p] for p in block} == lines[image]
    answer = run("isomorphic", "pg:q=2", "ag:q=2", "--json")
    assert answer.returncode == 1
    assert document(answer)["points"] is None
    assert "standard input holds only one" in refusal(run("isomorphic", "-", "-"))


def test_a_resolution_is_kept_in_the_file(run: Run, document: Document, folder: Path) -> None:
    (folder / "pairs.blocks").write_text("0 1\n0 2\n0 3\n1 2\n1 3\n2 3\n")
    found = document(run("resolve", "pairs.blocks", "-o", "rounds.json", "--json"))
    assert found["status"] == "exists"
    assert found["classes"] == [[0, 5], [1, 4], [2, 3]]
    assert found["file"] == "rounds.json"
    written = json.loads((folder / "rounds.json").read_text())
    assert written["block_classes"] == [0, 1, 2, 2, 1, 0]
    again = run("resolve")  # the one last built
    assert "the design comes with it" in again.stdout
    piped = run("resolve", "pairs.blocks", "-o", "-")
    assert json.loads(piped.stdout)["block_classes"] == [0, 1, 2, 2, 1, 0]


def test_no_resolution(run: Run, document: Document, folder: Path) -> None:
    answer = run("resolve", "pg:q=2", "-o", "none.json", "--json")
    assert answer.returncode == 1
    found = document(answer)
    assert (found["status"], found["classes"], found["file"]) == ("impossible", None, None)
    assert not (folder / "none.json").exists()
    assert "k = 3 does not divide v = 7" in run("resolve", "pg:q=2").stdout
    late = run("resolve", "random-sts:points=45", "--time-limit", "0", "--json")
    assert (late.returncode, document(late)["status"]) == (3, "unknown")


def test_sets(run: Run, document: Document) -> None:
    arc = document(run("sets", "pg:q=4", "--arc", "2", "--json"))
    assert (arc["lower"], arc["upper"], arc["status"], arc["degree"]) == (6, 6, "exact", 2)
    assert len(arc["points"]) == 6
    none = run("sets", "pg:q=2", "--blocking", "--json")
    assert (none.returncode, document(none)["status"]) == (1, "impossible")
    open_ = run("sets", "pg:q=8", "--blocking", "--time-limit", "0", "--json")
    assert (open_.returncode, document(open_)["status"]) == (3, "bracket")
    assert document(open_)["lower"] == 12
    for options in ((), ("--arc", "2", "--blocking")):
        assert "one of --arc N, --transversal and --blocking" in refusal(
            run("sets", "pg:q=2", *options)
        )
    assert "degree=-1" in refusal(run("sets", "pg:q=2", "--arc", "-1"))


def test_extend(run: Run, document: Document, folder: Path) -> None:
    found = document(run("extend", "pg:q=2", "-o", "larger.json", "--json"))
    assert (found["status"], found["larger"]["v"], found["larger"]["b"]) == ("exists", 8, 14)
    assert run("check", "larger.json", "--t", "3").returncode == 0
    plane = document(run("extend", "ag:q=3", "--symmetric", "--json"))
    assert plane["question"] == "residual"
    assert [len(block) for block in plane["blocks"]] == [4] * 13
    assert run("extend", "pg:q=3").returncode == 1
    assert "is not quasi-residual" in refusal(run("extend", "pg:q=2", "--symmetric"))
    (folder / "path.blocks").write_text("0 1\n1 2\n")
    assert "nothing to extend" in refusal(run("extend", "path.blocks"))


@pytest.mark.parametrize("command", ["resolve ag:q=3", "extend pg:q=2"])
def test_targets_are_refused_before_any_work(run: Run, folder: Path, command: str) -> None:
    (folder / "there.json").write_text("precious")
    line = command.split()
    assert "--force" in refusal(run(*line, "-o", "there.json"))
    assert (folder / "there.json").read_text() == "precious"
    assert "names no format" in refusal(run(*line, "-o", "x.png"))
    assert "both want standard output" in refusal(run(*line, "-o", "-", "--json"))


@pytest.mark.parametrize(
    "command", ["group", "resolve", "extend", "sets --arc 2", "isomorphic pg:q=2"]
)
def test_codes_with_weights_are_no_designs(run: Run, folder: Path, command: str) -> None:
    (folder / "real.csv").write_text("0.5,1\n1,0\n")
    assert "is no design" in refusal(run(*command.split(), "real.csv"))


def test_info_with_structure(run: Run, document: Document) -> None:
    found = document(run("info", "pg:q=2", "--ranks", "--block-graph", "--json"))
    assert found["ranks"] == {
        "rational": 7,
        "modulo": {"2": 4},
        "smith": {"1": 4, "2": 2, "6": 1},
    }
    assert found["block_graph"]["strongly_regular"] is None
    irregular = document(run("info", "dual-ag:q=3", "--ranks", "--json"))["ranks"]
    assert (irregular["rational"], irregular["smith"]) == (9, None)
    assert document(run("info", "pg:q=2", "--json"))["ranks"] is None
