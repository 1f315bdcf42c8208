"""The contract that scripts rely on: fields and values of the JSON that commands print."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

Run = Callable[..., CompletedProcess[str]]
Document = Callable[[CompletedProcess[str]], dict[str, Any]]

REFERENCE: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "reference_values.json").read_text(encoding="utf-8")
)
PG5 = {
    "family": "pg",
    "parameters": {"q": 5, "dim": 2, "flats": 1},
    "v": 31,
    "b": 31,
    "r": 6,
    "k": 6,
    "lambda": 1,
}
REAL = "0.5,1,0\n0,1,-1\n0.5,0,1\n"


def blocks_of(run: Run, name: str) -> list[set[int]]:
    """Return the blocks of a design as sets."""
    text = run("export", name, "--format", "json", "-o", "-").stdout
    return [set(block) for block in json.loads(text)["blocks"]]


# --- build and transform --------------------------------------------------------------------


def test_build(run: Run, document: Document, folder: Path) -> None:
    answer = run("build", "pg", "--q", "5", "--json")
    assert (answer.returncode, answer.stderr) == (0, "")
    file = folder / "pg-q5.json"
    assert document(answer) == {
        "schema": "gcdesign.build/1",
        "design": PG5,
        "placement": {"workers": 31, "parts": 31, "load": 6, "replication": 6},
        "code": None,
        "file": "pg-q5.json",
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
    }
    assert json.loads(file.read_text())["b"] == 31


def test_what_is_not_constant_is_null(run: Run, document: Document, folder: Path) -> None:
    (folder / "uneven.blocks").write_text("0 1\n2\n")
    answer = run("transform", "dual", "uneven.blocks", "-o", "dual.json", "--json")
    found = document(answer)
    assert found["design"] == {
        "family": "dual",
        "parameters": {},
        "v": 2,
        "b": 3,
        "r": None,
        "k": 1,
        "lambda": 0,
    }
    assert found["placement"] == {"workers": 3, "parts": 2, "load": 1, "replication": None}


# --- attack: the three questions ------------------------------------------------------------


def test_threshold(run: Run, document: Document) -> None:
    answer = run("attack", "pg:q=5", "--eta", "3", "--json")
    assert (answer.returncode, answer.stderr) == (0, "")
    found = document(answer)
    assert found["question"] == "threshold"
    assert (found["eta"], found["lower"], found["upper"]) == (3, 15, 15)
    assert (found["lower_exact"], found["upper_exact"], found["status"]) == ("15", "15", "exact")
    assert found["design"] == PG5
    assert found["placement"] == {"workers": 31, "parts": 31, "load": 6, "replication": 6}
    assert (found["file"], found["decoder"], found["stopped"]) == (None, None, None)
    assert len(found["parts"]) == 3
    lost = set(found["parts"])
    holders = [w for w, block in enumerate(blocks_of(run, "pg:q=5")) if block & lost]
    assert found["workers"] == holders
    assert len(holders) == 15
    by_name = {bound["name"]: bound for bound in found["bounds"]}
    assert by_name["pair counting"]["value"] == 15
    assert by_name["spectral"]["exact"] == "27/2"
    assert found["seconds"] >= 0
    limits = {"time_limit", "node_limit", "memory_limit"}
    assert found["settings"].keys() == {"method", "seed", "threads", "executor", *limits}


def test_error(run: Run, document: Document) -> None:
    found = document(run("attack", "pg:q=5", "--stragglers", "10", "--json"))
    assert (found["question"], found["stragglers"], found["decoder"]) == ("error", 10, "optimal")
    assert found["lower"] == found["upper"] == float(Fraction(25, 13))
    assert found["lower_exact"] == found["upper_exact"] == "25/13"
    assert found["status"] == "exact"
    assert len(found["workers"]) == 10
    assert found["least"]["value"] == found["lower"]


def test_error_that_depends_on_which_workers_are_silent(run: Run, document: Document) -> None:
    found = document(run("attack", "ag:q=3", "--stragglers", "5", "--json"))
    assert (found["lower_exact"], found["least"]["value"]) == ("6/5", 0)
    decoded = document(run("decode", "ag:q=3", "--silenced", numbers(found["workers"]), "--json"))
    assert decoded["error_exact"] == "6/5"
    mild = numbers(found["least"]["workers"])
    assert document(run("decode", "ag:q=3", "--silenced", mild, "--json"))["error_exact"] == "0"


def numbers(workers: list[int]) -> str:
    """Return workers as the command line takes them."""
    return ",".join(map(str, workers))


def test_the_two_thresholds_are_two_questions(run: Run, document: Document) -> None:
    lost = document(run("attack", "pg:q=3", "--eta", "3", "--json"))
    inexact = document(run("attack", "pg:q=3", "--error", "3", "--json"))
    assert (lost["question"], lost["eta"], lost["lower"]) == ("threshold", 3, 9)
    assert (inexact["question"], inexact["error"]) == ("error-threshold", 3)
    assert (inexact["lower"], inexact["upper"]) == (8, 8)
    assert "error" not in lost
    assert "eta" not in inexact
    assert len(inexact["workers"]) == 8


@pytest.mark.parametrize("error", ["9/5", "1.8"])
def test_error_threshold_is_compared_exactly(run: Run, document: Document, error: str) -> None:
    """err_6 = 9/5 for PG(2,3), which no float equals."""
    assert REFERENCE["err_PG2"]["3"][6] == "9/5"
    assert document(run("attack", "pg:q=3", "--error", error, "--json"))["upper"] == 6
    above = document(run("attack", "pg:q=3", "--error", "18001/10000", "--json"))
    assert above["lower"] == 7


def test_one_step_decoding_is_never_better(run: Run, document: Document) -> None:
    ask = ("attack", "ag:q=3", "--stragglers", "5", "--json", "--decoder")
    one_step, optimal = (document(run(*ask, name)) for name in ("one-step", "optimal"))
    assert (one_step["decoder"], optimal["decoder"]) == ("one-step", "optimal")
    assert one_step["lower"] > optimal["upper"]


def test_bounds_alone_give_a_bracket(run: Run, document: Document) -> None:
    answer = run("attack", "pg:q=7", "--eta", "10", "--method", "bounds", "--json")
    found = document(answer)
    assert (answer.returncode, found["status"], found["stopped"]) == (0, "bracket", None)
    assert found["lower"] < found["upper"] == len(found["workers"])
    assert found["settings"]["method"] == "bounds"


def test_floats_are_said_to_be_floats(run: Run, document: Document, folder: Path) -> None:
    (folder / "real.csv").write_text(REAL)
    found = document(run("attack", "real.csv", "--stragglers", "2", "--json"))
    assert found["lower_exact"] is found["upper_exact"] is None
    assert found["status"] == "exact"
    assert 0 < found["tolerance"] < 1e-6
    # Heard alone, the middle worker (0, 1, −1) is orthogonal to (1, 1, 1): no help at all.
    assert found["lower"] == pytest.approx(3)
    assert found["workers"] == [0, 2]


# --- attack: profiles -----------------------------------------------------------------------


@pytest.mark.parametrize("q", ["2", "3"])
def test_threshold_profile(run: Run, document: Document, q: str) -> None:
    expected = REFERENCE["Sstar_PG2"][q]
    found = document(run("attack", f"pg:q={q}", "--profile", "--json"))
    assert found["profile"] is True
    assert (found["question"], found["status"]) == ("threshold", "exact")
    assert found["lower"] == found["upper"] == expected
    assert found["lower_exact"] == [str(value) for value in expected]
    assert set(found["statuses"]) == {"exact"}
    assert [len(workers) for workers in found["workers"]] == expected
    assert [len(parts) for parts in found["parts"]] == list(range(len(expected)))
    assert len(found["bounds"]) == len(found["proofs"]) == len(found["stopped"]) == len(expected)


@pytest.mark.parametrize("ask", [("--stragglers", "all"), ("--profile", "--stragglers", "all")])
def test_error_profile(run: Run, document: Document, ask: tuple[str, ...]) -> None:
    expected = REFERENCE["err_PG2"]["3"]
    found = document(run("attack", "pg:q=3", *ask, "--json"))
    assert (found["profile"], found["question"]) == (True, "error")
    assert found["lower_exact"] == found["upper_exact"] == expected
    assert found["lower"] == [float(Fraction(value)) for value in expected]
    assert [len(workers) for workers in found["workers"]] == list(range(14))


# --- curve ----------------------------------------------------------------------------------


def test_curve(run: Run, document: Document) -> None:
    found = document(run("curve", "pg:q=3", "frc:workers=9,stragglers=2", "--json"))
    plane, repetition = found["curves"]
    assert (plane["label"], plane["workers"], plane["parts"]) == ("PG(2,3)", 13, 13)
    assert plane["stragglers"] == list(range(14))
    assert plane["lower"] == plane["upper"]
    assert plane["lower_exact"] == REFERENCE["err_PG2"]["3"]
    assert repetition["upper"] == REFERENCE["err_FRC_worst"]["N=9,L=3"]
    assert [len(bound["values"]) for bound in found["bounds"]] == [14, 10]


def test_figure_one(run: Run, document: Document) -> None:
    found = document(run("curve", "--q", "2", "--json"))
    families = [curve["family"] for curve in found["curves"]]
    assert families == ["pg", "dual-ag", "ag", "frc", "uncoded"]
    assert found["curves"][1]["lower_exact"] == REFERENCE["err_dualAG2"]["2"]
    assert found["curves"][2]["lower_exact"] == REFERENCE["err_AG2_worst"]["2"]


def test_expected_curve(run: Run, document: Document, folder: Path) -> None:
    found = document(run("curve", "frc:workers=6,stragglers=1", "--model", "random", "--json"))
    [curve] = found["curves"]
    assert (curve["model"], curve["confidence"], curve["trials"]) == ("random", 1, 0)
    assert curve["mean_exact"][3] == REFERENCE["charles_FRC_random"][0]["E_opt"]
    assert curve["lower"] == curve["mean"] == curve["upper"]
    assert found["bounds"] == []
    (folder / "racks.txt").write_text("0 1\n2 3\n4 5\n")
    ask = ("curve", "frc:workers=6,stragglers=1", "--model", "racks:racks.txt", "--json")
    [curve] = document(run(*ask))["curves"]
    assert (curve["model"], curve["mean_exact"]) == ("racks", ["0", "0", "2", "2", "4", "4", "6"])


def test_estimated_curve(run: Run, document: Document, folder: Path) -> None:
    (folder / "real.csv").write_text(REAL)
    rows = ["".join(",1" if (i * j) % 7 < 3 else ",0" for j in range(20))[1:] for i in range(20)]
    (folder / "many.csv").write_text("\n".join(rows) + "\n")
    ask = ("curve", "many.csv", "--model", "random", "--trials", "50", "--seed", "4", "--json")
    [curve] = document(run(*ask))["curves"]
    assert (curve["trials"], curve["confidence"], curve["seed"]) == (50, 0.95, 4)
    assert "estimate" in curve["statuses"]
    for status, lower, mean, upper in zip(
        curve["statuses"], curve["lower"], curve["mean"], curve["upper"], strict=True
    ):
        assert (lower == mean == upper) if status == "exact" else (lower <= mean < upper)
    assert document(run(*ask))["curves"] == [curve]


def test_lying_workers(run: Run, document: Document) -> None:
    found = document(run("attack", "ag:q=3", "--byzantine", "3", "--json"))
    assert (found["question"], found["byzantine"], found["decoder"]) == ("byzantine", 3, "majority")
    assert (found["lower"], found["upper"], found["status"]) == (1, 1, "exact")
    blocks = blocks_of(run, "ag:q=3")
    holders = [sum(part in block for block in blocks) for part in range(9)]
    liars = [sum(part in blocks[w] for w in found["workers"]) for part in range(9)]
    assert found["parts"] == [j for j in range(9) if 2 * liars[j] > holders[j]]


def test_recommend(run: Run, document: Document, folder: Path) -> None:
    cyclic = [[int((j - i) % 7 < 3) for j in range(7)] for i in range(7)]
    text = "\n".join(",".join(map(str, row)) for row in cyclic)
    (folder / "cyclic.csv").write_text(text + "\n")
    ask = ("recommend", "--workers", "7", "--load", "3", "--stragglers", "1", "--json")
    found = document(run(*ask, "--also", "cyclic.csv"))
    codes = {entry["code"]: entry for entry in found["codes"]}
    assert codes["cyclic.csv"]["guaranteed_error_exact"] == "1/13"
    assert codes["pg:q=2"]["guaranteed_error_exact"] == "1/4"
    order = [entry["code"] for entry in found["codes"]]
    assert order.index("cyclic.csv") < order.index("pg:q=2")
    plane = codes["pg:q=2"]
    assert (plane["workers"], plane["parts"], plane["load"], plane["threshold"]) == (7, 7, 3, 3)
    assert (plane["condition"], plane["expected_error"], plane["cost"]) == (1, 0.25, 7)
    shares = [round(entry["guaranteed_error"] / entry["parts"], 9) for entry in found["codes"]]
    assert shares == sorted(shares)


# --- the other commands ---------------------------------------------------------------------


def test_check(run: Run, document: Document) -> None:
    yes = run("check", "pg:q=5", "--json")
    found = document(yes)
    assert (yes.returncode, found["holds"], found["lambda"], found["t"]) == (0, True, 1, 2)
    no = run("check", "dual-ag:q=3", "--json")
    found = document(no)
    assert (no.returncode, found["holds"], found["lambda"]) == (1, False, None)
    assert (found["least"], found["most"]) == (0, 1)
    assert no.stderr == ""


def test_info(run: Run, document: Document) -> None:
    found = document(run("info", "ag:q=3", "--json"))
    assert (found["label"], found["incidences"], found["parallel_classes"]) == ("AG(2,3)", 36, 4)
    assert found["intersection_numbers"] == {"0": 12, "1": 54}
    assert found["structure"] == "parallel classes"
    assert found["provenance"]["parameters"] == {"q": 3, "dim": 2, "flats": 1}


def test_decode(run: Run, document: Document) -> None:
    """One silent line in three classes, two in one: the worked example of the reference."""
    example = REFERENCE["err_AG_decoder_example"]
    found = document(run("decode", "ag:q=3", "--silenced", "0,1,3,6,9", "--json"))
    assert (found["error_exact"], found["silenced"]) == (example["err"], [0, 1, 3, 6, 9])
    blocks = blocks_of(run, "ag:q=3")
    heard = set().union(*(blocks[w] for w in range(12) if w not in found["silenced"]))
    assert found["lost_parts"] == sorted(set(range(9)) - heard)
    weights = [Fraction(weight).limit_denominator(100) for weight in found["weights"]]
    assert [weights[w] for w in found["silenced"]] == [0] * 5
    assert [str(weights[w]) for w in (2, 4, 7, 10)] == example["weights_per_class"]
    everybody = document(run("decode", "pg:q=2", "--silenced", "0,1,2,3,4,5,6", "--json"))
    assert (everybody["error"], everybody["lost_parts"]) == (7, list(range(7)))


def test_export_and_draw(run: Run, document: Document, folder: Path) -> None:
    found = document(run("export", "pg:q=3", "-o", "plane.mtx", "--json"))
    data = (folder / "plane.mtx").read_bytes()
    assert (found["format"], found["file"], found["bytes"]) == ("mtx", "plane.mtx", len(data))
    assert found["sha256"] == hashlib.sha256(data).hexdigest()
    drawn = document(run("draw", "pg:q=2", "--silenced", "3,0", "-o", "plane.svg", "--json"))
    assert drawn == {
        "schema": "gcdesign.draw/1",
        "label": "PG(2,2)",
        "picture": "incidence",
        "silenced": [3, 0],
        "file": "plane.svg",
    }
