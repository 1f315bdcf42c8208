"""``design`` and ``catalogue``: the contract, exit codes, files and refusals."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from gcdesign.adversary.bounds import error_bounds, placement_facts
from gcdesign.cli.transform import NAMES
from gcdesign.codes import GradientCode, load_code
from gcdesign.codes.balanced import guaranteed_error
from gcdesign.designs import bibd, build, parse_spec, verify
from gcdesign.designs.existence.source import sources
from gcdesign.designs.formats import read_file
from gcdesign.designs.operation_table import OPERATIONS

Run = Callable[..., CompletedProcess[str]]
Document = Callable[[CompletedProcess[str]], dict[str, Any]]


def test_a_design_that_exists(run: Run, document: Document, folder: Path) -> None:
    answer = run("design", "13", "4", "2", "-o", "double.json", "--json")
    assert answer.returncode == 0
    found = document(answer)
    assert (found["status"], found["b"], found["r"]) == ("exists", 26, 8)
    assert found["placement"] == {"workers": 26, "parts": 13, "load": 4, "replication": 8}
    written = read_file(folder / "double.json")
    assert written == build(parse_spec(found["recipe"]))
    assert run("check", "--json").returncode == 0  # the design last built here


def test_a_design_that_does_not(run: Run, document: Document, folder: Path) -> None:
    answer = run("design", "43", "7", "-o", "none.json", "--json")
    assert answer.returncode == 1
    found = document(answer)
    assert (found["status"], found["theorem"]) == ("impossible", "Bruck–Ryser–Chowla")
    assert found["recipe"] is found["file"] is found["placement"] is None
    assert not (folder / "none.json").exists()


def test_a_design_that_is_not_known(run: Run, document: Document, folder: Path) -> None:
    answer = run("design", "157", "13", "-o", "none.json", "--json")
    assert answer.returncode == 3
    found = document(answer)
    assert found["status"] == "unknown"
    assert "geometry" in found["tried"]
    assert not (folder / "none.json").exists()


def test_standard_output_holds_the_design_alone(run: Run) -> None:
    answer = run("design", "7", "3", "-o", "-")
    assert answer.returncode == 0
    checked = run("check", "-", stdin=answer.stdout.encode())
    assert checked.stdout.startswith("PG(2,2): yes, a 2-(7, 3, 1) design")
    answer = run("design", "22", "7", "2", "-o", "-")
    assert (answer.returncode, answer.stdout) == (1, "")
    assert "does not exist" in answer.stderr


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("design", "V"),
        ("design 7", "K"),
        ("design 7 x", "'x' is not a valid integer"),
        ("design 7 3 1 1", "extra argument"),
        ("design 7 8", "k=8; a block cannot hold more than all v=7 points"),
        ("design 7 3 0", "lambda=0; expected 1 or more"),
        ("design 1000000000 3", "v=1000000000; the limit is"),
        ("design 7 3 -o plane.xyz", "names no format"),
        ("design 7 3 -o - --json", "both want standard output"),
        ("catalogue --max-r 2", "max-r=2; expected 3 or more"),
        ("catalogue --max-r 100000", "the limit is 200"),
        ("catalogue --max-v 5", "max-v=5; expected 6 or more"),
        ("catalogue --workers 5-3", "expected a number or a range such as 20-40"),
        ("catalogue --workers -", "expected a number or a range"),
        ("catalogue --load x", "expected a number or a range"),
        ("catalogue --csv --json", "both want standard output"),
        ("catalogue --max-r 4 -o nowhere/table.csv", "no such directory"),
        ("catalogue --max-r 4 -o table.json", "add --json"),
        ("catalogue --max-r 4 --json -o table.csv", "leave --json out"),
    ],
)
def test_refusals(run: Run, line: str, words: str) -> None:
    answer = run(*line.split())
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert answer.stderr.count("\n") == 1
    assert words in answer.stderr


def test_nothing_is_overwritten(run: Run, folder: Path) -> None:
    (folder / "plane.json").write_text("mine")
    for line in ("design 7 3 -o plane.json", "catalogue --max-r 4 --json -o plane.json"):
        answer = run(*line.split())
        assert answer.returncode == 2
        assert "exists; add --force" in answer.stderr
        assert (folder / "plane.json").read_text() == "mine"
        assert run(*line.split(), "--force").returncode == 0
        (folder / "plane.json").write_text("mine")


def test_the_catalogue(run: Run, document: Document) -> None:
    found = document(run("catalogue", "--max-v", "40", "--max-r", "20", "--json"))
    rows = found["designs"]
    assert [(w["v"], w["k"], w["lambda"]) for w in rows] == sorted(
        (w["v"], w["k"], w["lambda"]) for w in rows
    )
    for row in rows:
        assert row["b"] * row["k"] == row["v"] * row["r"]
        assert row["r"] * (row["k"] - 1) == row["lambda"] * (row["v"] - 1)
        assert (row["recipe"] is not None) <= (row["status"] == "exists")
        assert (row["theorem"] is not None) == (row["status"] == "impossible")
    twin = run("catalogue", "--max-v", "40", "--max-r", "20", "--csv")
    table = list(csv.DictReader(io.StringIO(twin.stdout)))
    assert [(row["v"], row["status"], row["recipe"]) for row in table] == [
        (str(row["v"]), row["status"], row["recipe"] or "") for row in rows
    ]


def test_filters_of_the_catalogue(run: Run, document: Document) -> None:
    whole = document(run("catalogue", "--max-r", "12", "--json"))["designs"]
    kept: Callable[[dict[str, Any]], bool]
    for option, value, kept in (
        ("--workers", "30", lambda row: row["b"] == 30),
        ("--workers", "20-40", lambda row: 20 <= row["b"] <= 40),
        ("--load", "-4", lambda row: row["k"] <= 4),
        ("--load", "6-", lambda row: row["k"] >= 6),
        ("--status", "impossible", lambda row: row["status"] == "impossible"),
    ):
        found = document(run("catalogue", "--max-r", "12", option, value, "--json"))["designs"]
        assert found == [row for row in whole if kept(row)]
        assert found


@pytest.mark.parametrize("parameters", [(7, 3, 1), (9, 3, 1), (9, 3, 2), (13, 4, 2)])
def test_guaranteed_errors_are_those_of_the_design(parameters: tuple[int, int, int]) -> None:
    """The bound from the parameters is the spectral bound of the code itself."""
    code = GradientCode.from_design(bibd(*parameters))
    facts = placement_facts(code.placement)
    for stragglers in range(code.workers):
        [spectral] = [
            bound.value
            for bound in error_bounds(code, facts, stragglers)
            if bound.name == "spectral"
        ]
        assert guaranteed_error(*parameters, stragglers) == spectral
    assert guaranteed_error(*parameters, code.workers) == code.parts


def test_guaranteed_error_of_a_symmetric_design_is_exact() -> None:
    import gcdesign

    code = load_code("pg:q=2")
    for stragglers in range(8):
        exact = gcdesign.worst_case_error(code, stragglers).value
        assert guaranteed_error(7, 3, 1, stragglers) == Fraction(exact)
    assert verify(code.placement.design).lambda_ == 1


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("dual ag:q=3", "dual(ag:q=3)"),
        ("residual pg:q=3 --block 2", "residual(pg:q=3,block=2)"),
        ("derived pg:q=2,dim=3", "derived(pg:q=2,dim=3)"),
        ("point-derived ag:q=2,dim=3 --point 5", "point-derived(ag:q=2,dim=3,point=5)"),
        ("point-residual ag:q=2,dim=3", "point-residual(ag:q=2,dim=3)"),
        ("restriction pg:q=3 --kept 0+5+7", "restriction(pg:q=3,kept=0+5+7)"),
        ("multiple pg:q=2 --times 3", "multiple(pg:q=2,times=3)"),
        ("union pg:q=2 --other hadamard:order=8", "union(pg:q=2,other=(hadamard:order=8))"),
        ("supplement pg:q=2", "supplement(pg:q=2)"),
        ("fill pg:q=2,dim=3 --other pg:q=2", "fill(pg:q=2,dim=3,other=(pg:q=2))"),
        (
            "class-unions ag:q=5 --other complete:points=5,size=2",
            "class-unions(ag:q=5,other=(complete:points=5,size=2))",
        ),
        ("wallis ag:q=3", "wallis(ag:q=3)"),
        ("meeting ag:q=3 --meets 0+3", "meeting(ag:q=3,meets=0+3)"),
        (
            "between witt:points=22 --pair 4+1 --meets 0",
            "between(witt:points=22,pair=4+1,meets=0)",
        ),
        ("derivation pg:q=4 --slopes 0+1+4", "derivation(pg:q=4,block=0,slopes=0+1+4)"),
        ("weight ag:q=2 --times 3", "weight(ag:q=2,times=3)"),
        ("grouped ag:q=3", "grouped(ag:q=3)"),
        ("complement pg:q=2", "complement(pg:q=2)"),
        ("completed ag:q=3", "completed(ag:q=3)"),
    ],
)
def test_transform_makes_what_the_name_builds(run: Run, folder: Path, line: str, name: str) -> None:
    assert run("transform", *line.split(), "-o", "made.json").returncode == 0
    assert read_file(folder / "made.json") == build(parse_spec(name))
    assert run("build", name, "-o", "built.json").returncode == 0
    assert (folder / "built.json").read_bytes() == (folder / "made.json").read_bytes()


def test_transform_knows_every_operation() -> None:
    assert set(NAMES) == set(OPERATIONS)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("dual pg:q=2 --times 3", "--times 3: dual takes no times; leave it out"),
        ("multiple pg:q=2", "multiple needs --times"),
        ("multiple pg:q=2 --times x", "'x' is not a valid integer"),
        ("union pg:q=2", "union needs --other"),
        ("union pg:q=2 --other nowhere.json", "nowhere.json"),
        ("restriction pg:q=2 --kept a", "--kept a; expected whole numbers such as 0+1+3"),
    ],
)
def test_transform_refusals(run: Run, line: str, words: str) -> None:
    answer = run("transform", *line.split())
    assert (answer.returncode, answer.stdout) == (2, "")
    assert words in answer.stderr


def test_the_page_on_designs_names_every_source_and_operation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "designs.md").read_text(encoding="utf-8")
    for source in sources():
        assert f"| {source.name} | {source.reference} |" in page
    for name in OPERATIONS:
        assert f"| `{name}(D" in page


def test_a_search_for_what_is_not_known(run: Run, document: Document) -> None:
    answer = run("design", "22", "8", "4", "--search", "--time-limit", "1", "--json")
    assert (answer.returncode, document(answer)["search"]) == (1, None)  # impossible: no search
    answer = run("design", "85", "7", "1", "--search", "--time-limit", "1", "--json")
    found = document(answer)
    assert answer.returncode == {"unknown": 3, "exists": 0}[found["status"]]
    assert found["search"]["next_attempt"] >= 0
    answer = run("design", "71", "15", "3", "--search", "--time-limit", "1", "--json")
    assert (answer.returncode, document(answer)["status"]) == (0, "exists")  # by a publication
    assert document(answer)["search"] is not None  # but without a recipe
    answer = run("design", "85", "7", "1", "--search", "--time-limit", "0")
    assert answer.returncode == 3
    assert "nothing in 0 s; go on with --first 0" in answer.stdout
