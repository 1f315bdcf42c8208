"""What the commands write: designs, other formats, pictures, tables; never over other files."""

from __future__ import annotations

import csv
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.io
import scipy.sparse
from scipy.sparse import csr_array

from gcdesign.cli.export import DESIGNS
from gcdesign.designs.formats import FORMATS

Run = Callable[..., CompletedProcess[str]]
Document = Callable[[CompletedProcess[str]], dict[str, Any]]

SIGNATURES = {".png": b"\x89PNG\r\n\x1a\n", ".svg": b"<?xml", ".pdf": b"%PDF-"}


def blocks_in(file: Path) -> list[set[int]]:
    """Return the blocks in a JSON file."""
    return [set(block) for block in json.loads(file.read_text())["blocks"]]


def fails(answer: CompletedProcess[str]) -> str:
    """Return the one line of an answer that must be a refusal."""
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith("gcdesign: ")
    assert answer.stderr.count("\n") == 1
    return answer.stderr


# --- transform ------------------------------------------------------------------------------


def test_operations(run: Run, folder: Path) -> None:
    run("build", "pg", "--q", "3", "-o", "pg.json")
    plane = blocks_in(folder / "pg.json")
    made = {}
    for operation in ("dual", "complement", "residual", "derived"):
        options = ["--block", "4"] if operation in ("residual", "derived") else []
        answer = run("transform", operation, "pg.json", *options, "-o", f"{operation}.json")
        assert (answer.returncode, answer.stderr) == (0, "")
        made[operation] = blocks_in(folder / f"{operation}.json")
    assert made["dual"] == [{i for i, b in enumerate(plane) if p in b} for p in range(13)]
    assert made["complement"] == [set(range(13)) - block for block in plane]
    outside = sorted(set(range(13)) - plane[4])
    inside = sorted(plane[4])
    others = [block for i, block in enumerate(plane) if i != 4]
    assert made["residual"] == [{outside.index(p) for p in b - plane[4]} for b in others]
    assert made["derived"] == [{inside.index(p) for p in b & plane[4]} for b in others]


@pytest.mark.parametrize("operation", ["dual", "complement"])
@pytest.mark.parametrize("name", ["ag:q=3", "pg:q=2,dim=3,flats=1", "dual-ag:q=3"])
def test_an_involution_returns(run: Run, folder: Path, operation: str, name: str) -> None:
    run("export", name, "-o", "first.json")
    run("transform", operation, "first.json", "-o", "once.json")
    run("transform", operation, "once.json", "-o", "twice.json")
    assert blocks_in(folder / "twice.json") == blocks_in(folder / "first.json")
    assert blocks_in(folder / "once.json") != blocks_in(folder / "first.json")


def test_default_names(run: Run, folder: Path) -> None:
    run("build", "pg", "--q", "2", "--dim", "3", "--flats", "1")
    run("transform", "derived", "--block", "2")
    run("transform", "residual", "ag:q=3")
    run("transform", "dual", "-", stdin=b"0 1\n1 2\n")
    assert {path.name for path in folder.iterdir()} == {
        ".gcdesign-last.json",
        "pg-q2-dim3-flats1.json",
        "derived-pg-q2-dim3-flats1-block2.json",
        "residual-ag-q3.json",
        "dual-design.json",
    }


@pytest.mark.parametrize("suffix", [".json", ".npz", ".mtx", ".csv", ".blocks", ".txt"])
def test_build_into_every_format(run: Run, document: Document, folder: Path, suffix: str) -> None:
    built = document(run("build", "pg", "--q", "3", "-o", f"plane{suffix}", "--json"))
    found = document(run("attack", "--eta", "2", "--json"))
    assert (found["file"], found["lower"]) == (built["file"], 7)


# --- export ---------------------------------------------------------------------------------

LINES = [{0, 1}, {2, 3}, {0, 2}, {1, 3}, {0, 3}, {1, 2}]
MATRIX = np.array([[int(p in line) for p in range(4)] for line in LINES])


@pytest.mark.parametrize("form", DESIGNS)
def test_exports_read_by_others(run: Run, folder: Path, form: str) -> None:
    lines = "".join(" ".join(map(str, sorted(line))) + "\n" for line in LINES)
    (folder / "lines.blocks").write_text(lines)
    file = folder / f"out.{form}"
    answer = run("export", "lines.blocks", "-o", file.name, "--format", form)
    assert (answer.returncode, answer.stdout) == (0, "")
    assert answer.stderr == f"gcdesign: design with v=4, b=6 written to {file.name} as {form}\n"
    match form:
        case "json":
            assert blocks_in(file) == LINES
        case "npz":
            assert (scipy.sparse.load_npz(file).toarray() == MATRIX).all()
        case "mtx":
            assert (csr_array(scipy.io.mmread(file)).toarray() == MATRIX).all()
        case "csv":
            assert (np.loadtxt(file, delimiter=",") == MATRIX).all()
        case "blocks":
            rows = [line.split() for line in file.read_text().splitlines() if line[0] != "#"]
            assert [{int(p) for p in row} for row in rows] == LINES
        case "alist":
            rows = [line.split() for line in file.read_text().splitlines()[-6:]]
            assert [{int(part) - 1 for part in row} for row in rows] == LINES
        case "gap":
            text = file.read_text().split("4, ")[1].removesuffix(" );\n")
            assert [{point - 1 for point in block} for block in json.loads(text)] == LINES
        case "designtheory":
            blocks = ET.parse(file).findall(".//{*}block")
            assert [{int(str(z.text)) for z in block} for block in blocks] == LINES
        case "sage":
            text = file.read_text().removeprefix("IncidenceStructure(4, ").removesuffix(")\n")
            assert [set(block) for block in json.loads(text)] == LINES
        case "lajolla":
            rows = [line.split() for line in file.read_text().splitlines()]
            assert [{int(part) - 1 for part in row} for row in rows] == LINES
        case "graph6" | "sparse6":
            graph = (nx.read_graph6 if form == "graph6" else nx.read_sparse6)(file)
            assert [{p - 6 for p in graph[w]} for w in range(6)] == LINES
        case "graphml":
            graph = nx.read_graphml(file, node_type=int)
            assert [{p - 6 for p in graph[w]} for w in range(6)] == LINES
        case "edges":
            edges = np.loadtxt(file, dtype=int)
            assert [set(edges[edges[:, 0] == w, 1] - 6) for w in range(6)] == LINES


READ = [(known.name, known.suffixes[0]) for known in FORMATS if known.read]


@pytest.mark.parametrize(("form", "suffix"), READ)
def test_exports_read_back(run: Run, document: Document, form: str, suffix: str) -> None:
    run("export", "dual-ag:q=3", "-o", f"out{suffix}")
    found = document(run("attack", f"out{suffix}", "--profile", "--json"))
    assert found["lower"] == [0, 3, 5, 6, 7, 7, 8, 8, 8, 9, 9, 9, 9]


@pytest.mark.parametrize("form", ["lp", "mps"])
def test_the_integer_program_has_the_same_optimum(run: Run, folder: Path, form: str) -> None:
    """Solved by HiGHS through scipy, after a reader of our own."""
    answer = run("export", "pg:q=2", "--format", form, "--eta", "3", "-o", f"sstar.{form}")
    assert answer.returncode == 0
    text = (folder / f"sstar.{form}").read_text()
    if form == "mps":
        assert optimum(*read_mps(text)) == 6
    else:
        assert text.count(">= 0") == 21
        assert run("export", "pg:q=2", "--format", "lp", "--eta", "3", "-o", "-").stdout == text


def read_mps(text: str) -> tuple[dict[str, dict[str, float]], dict[str, float]]:
    """Return the columns' coefficients and the rows' right-hand sides; all rows are ≥."""
    columns: dict[str, dict[str, float]] = {}
    sides: dict[str, float] = {}
    section = ""
    for line in text.splitlines():
        if line[:1] not in (" ", "\t", "*"):
            section = line.split()[0]
            continue
        fields = line.split()
        if section == "ROWS":
            assert fields[0] in "NG"
            if fields[0] == "G":
                sides[fields[1]] = 0.0
        elif section in ("COLUMNS", "RHS") and "MARKER" not in line:
            pairs = zip(fields[1::2], fields[2::2], strict=True)
            entries = {row: float(value) for row, value in pairs}
            if section == "RHS":
                sides |= entries
            else:
                columns.setdefault(fields[0], {}).update(entries)
    return columns, sides


def optimum(columns: dict[str, dict[str, float]], sides: dict[str, float]) -> float:
    """Return the least objective over binary variables."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    names, rows = list(columns), list(sides)
    matrix = np.array([[columns[name].get(row, 0.0) for name in names] for row in rows])
    goal = {row for entries in columns.values() for row in entries} - set(rows)
    (objective,) = goal
    costs = [columns[name].get(objective, 0.0) for name in names]
    found = milp(
        costs,
        constraints=LinearConstraint(matrix, lb=[sides[row] for row in rows]),
        bounds=Bounds(0, 1),
        integrality=np.ones(len(names), dtype=np.int64),
    )
    assert found.fun is not None
    return float(found.fun)


# --- pictures and curves --------------------------------------------------------------------


@pytest.mark.parametrize("suffix", SIGNATURES)
def test_pictures(run: Run, folder: Path, suffix: str) -> None:
    jobs = {
        "matrix": ("draw", "pg:q=2"),
        "graph": ("draw", "ag:q=2", "--picture", "graph", "--silenced", "0,1"),
        "curve": ("curve", "pg:q=2", "ag:q=2", "--title", "two planes"),
    }
    for name, arguments in jobs.items():
        answer = run(*arguments, "-o", f"{name}{suffix}")
        assert (answer.returncode, answer.stdout, answer.stderr.count("\n")) == (0, "", 1)
        data = (folder / f"{name}{suffix}").read_bytes()
        assert data.startswith(SIGNATURES[suffix])
        assert len(data) > 2000
    if suffix == ".svg":
        ET.parse(folder / "curve.svg")


def test_curves_as_csv_and_json(run: Run, document: Document, folder: Path) -> None:
    asked = ("curve", "pg:q=2", "uncoded:workers=3")
    run(*asked, "-o", "c.csv")
    rows = list(csv.DictReader(StringIO((folder / "c.csv").read_text())))
    assert [row["lower_exact"] for row in rows[:8]] == [
        "0",
        "1/4",
        "4/7",
        "1",
        "8/5",
        "5/2",
        "4",
        "7",
    ]
    assert [row["S"] for row in rows] == [*map(str, range(8)), *map(str, range(4))]
    assert {row["status"] for row in rows} == {"exact"}
    assert all(float(row["S/N"]) == int(row["S"]) / int(row["N"]) for row in rows)
    run(*asked, "-o", "c.json")
    from_file = json.loads((folder / "c.json").read_text())
    assert document(run(*asked, "--json")) == from_file
    assert document(run(*asked, "-o", "-")) == from_file


# --- never over another file ----------------------------------------------------------------

WRITERS = {
    "build": ("build", "pg", "--q", "2", "-o", "out.json"),
    "transform": ("transform", "dual", "ag:q=2", "-o", "out.json"),
    "export": ("export", "pg:q=2", "-o", "out.csv"),
    "draw": ("draw", "pg:q=2", "-o", "out.svg"),
    "curve": ("curve", "pg:q=2", "-o", "out.csv"),
}


@pytest.mark.parametrize("name", WRITERS)
def test_an_existing_file_is_kept_unless_forced(run: Run, folder: Path, name: str) -> None:
    target = folder / WRITERS[name][-1]
    target.write_text("precious")
    message = fails(run(*WRITERS[name]))
    assert target.name in message
    assert "--force" in message
    assert target.read_text() == "precious"
    assert list(folder.iterdir()) == [target]
    assert run(*WRITERS[name], "--force").returncode == 0
    written = target.read_bytes()
    assert written != b"precious"
    changed = target.stat().st_mtime_ns
    assert run(*WRITERS[name]).returncode == 0, "the same content counts as written"
    assert (target.read_bytes(), target.stat().st_mtime_ns) == (written, changed)
