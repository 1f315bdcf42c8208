"""``gcdesign ldgm``: documents against the library, pictures, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

Run = Callable[..., CompletedProcess[str]]
Document = Callable[[CompletedProcess[str]], dict[str, Any]]

ENSEMBLE = ("--variable-degree", "3", "--generator-degrees", '{"1": 0.5, "2": 0.5}')
QUICK = ("--parts", "500", "--runs", "4")


def test_the_contract_of_evolve(run: Run, document: Document) -> None:
    found = document(run("ldgm", "evolve", *ENSEMBLE, "--mu", "2", "--json"))
    assert found["unrecovered"] == pytest.approx(0.03885889327506646, abs=1e-12)
    assert found["edge_erasure"] == pytest.approx(0.11472558607920864, abs=1e-12)
    assert found["trace"][:3] == pytest.approx([1.0, 0.5066285302039094, 0.2538798659511031])
    assert found["limit"]["coding_can_win"] is False
    assert found["threshold"] is None


def test_the_two_perspectives(run: Run, document: Document) -> None:
    """Shares of edges, as a polynomial and as a table, give what shares of nodes give."""
    nodes = document(run("ldgm", "evolve", *ENSEMBLE, "--mu", "2", "--json"))
    for text in ("1/3 + 2/3x", '{"1": "1/3", "2": "2/3"}'):
        options = ("--variable-degree", "3", "--generator-degrees", text, "--edge")
        edges = document(run("ldgm", "evolve", *options, "--mu", "2", "--json"))
        assert edges["ensemble"] == nodes["ensemble"]
        assert edges["unrecovered"] == nodes["unrecovered"]
    wrong = document(run("ldgm", "evolve", *ENSEMBLE, "--edge", "--mu", "2", "--json"))
    assert wrong["ensemble"]["generator_mean"] != nodes["ensemble"]["generator_mean"]


def test_the_textbook_channel(run: Run, document: Document) -> None:
    options = ("--variable-degree", "3", "--generator-degrees", "x^6", "--ldpc")
    found = document(run("ldgm", "evolve", *options, "--erasure", "0.42", "--json"))
    assert round(found["threshold"]["value"], 4) == 0.4294
    assert found["unrecovered"] < 1e-9
    assert (found["time"], found["deadline"], found["limit"]) == (None, None, None)
    lost = document(
        run("ldgm", "evolve", *ENSEMBLE, "--erasure", "0.2", "--target", "0.2", "--json")
    )
    assert lost["threshold"]["kind"] == "erasure"
    page = run("ldgm", "evolve", *ENSEMBLE, "--mu", "2", "--target", "0.01").stdout
    assert "threshold     deadline 1.363" in page


def test_a_seed_on_the_erasure_channel(run: Run, document: Document) -> None:
    """With parts on 4 workers of 2 parts y = 1 − k(1 − y³), k the share that arrives."""
    options = ("--variable-degree", "4", "--generator-degrees", "x^2", "--erasure", "0.5")
    found = document(run("ldgm", "evolve", *options, "--seeded", "--target", "0.5", "--json"))
    y = found["message_erasure"]
    assert y < 1
    assert 0.5 * (1 - y**3) == pytest.approx(1 - y)
    at = 0.5**0.25
    assert found["threshold"]["value"] == pytest.approx(1 - (1 - at) / (1 - at**3))
    assert document(run("ldgm", "evolve", *options, "--json"))["unrecovered"] == 1


def test_lt_codes(run: Run, document: Document) -> None:
    options = ("--variable-degrees", "poisson:mean=6", "--generator-degrees", "robust-soliton")
    found = document(run("ldgm", "evolve", *options, "--mu", "4", "--parts", "200", "--json"))
    assert found["ensemble"]["variable_degrees"] is None
    assert 0 < found["unrecovered"] < 1
    simulated = document(run("ldgm", "simulate", *options, "--mu", "4", *QUICK, "--json"))
    assert simulated["simulation"]["runs"] == 4


def test_optimise(run: Run, document: Document) -> None:
    options = ("--mu", "1", "--variable-degree", "3", "--max-degree", "6", *QUICK, "--json")
    found = document(run("ldgm", "optimise", *options, "--cross-check"))
    assert found["lower"] <= found["value"] == found["unrecovered"]
    assert found["cross_check"] == pytest.approx(found["edge_erasure"], rel=1e-3)
    assert found["gain"] == found["limit"]["uncoded"] - found["unrecovered"] < 0
    assert found["simulation"]["parts"] == 500
    assert [one["variable_degree"] for one in found["tried"]] == [3]
    limit = document(
        run("ldgm", "optimise", "--mu", "2", "--objective", "edge", "--max-degree", "4", "--json")
    )
    assert limit["infimum"] is True
    assert limit["simulation"] is None
    page = run("ldgm", "optimise", "--mu", "2", "--objective", "edge", "--max-degree", "4").stdout
    assert "limit of ensembles with ever fewer" in page


def test_simulate_one_placement(run: Run, document: Document) -> None:
    code = "ldgm:parts=30,workers=60,degrees=0.5x+0.5x^2"
    found = document(run("ldgm", "simulate", "--code", code, "--mu", "2", "--json"))
    assert len(found["part_chances"]) == 30
    assert 1 - sum(found["part_chances"]) / 30 == pytest.approx(found["simulation"]["unrecovered"])
    assert [one["decoder"] for one in found["decoders"]] == [
        "peeling",
        "inactivation",
        "least squares",
    ]
    page = run("ldgm", "simulate", "--code", code, "--mu", "2").stdout
    assert "least squares" in page


def test_gain(run: Run, document: Document) -> None:
    laws = ("--time", "exp:rate=1", "--time", "exp:rate=1,work=0.1,scaled=no")
    found = document(run("ldgm", "gain", *laws, "--max-degree", "3", "--json"))
    assert [one["verdict"] for one in found["gains"]] == ["no code wins", "coding wins"]
    assert found["rate_exact"] == "1/2"


@pytest.mark.parametrize(
    "line",
    [
        ("evolve", *ENSEMBLE, "--mu", "2"),
        ("simulate", *ENSEMBLE, "--mu", "2", *QUICK),
        ("optimise", "--mu", "1", "--max-degree", "3", *QUICK),
        ("gain", "--time", "exp:rate=1", "--deadline", "1", "--deadline", "2", "--max-degree", "2"),
    ],
    ids=lambda line: str(line[0]),
)
def test_pictures(run: Run, folder: Path, line: tuple[str, ...]) -> None:
    answer = run("ldgm", *line, "-o", "picture.svg")
    assert answer.returncode == 0
    assert "written: picture.svg" in answer.stderr
    assert (folder / "picture.svg").read_bytes().startswith(b"<?xml")
    again = run("ldgm", *line, "-o", "picture.svg")
    assert (again.returncode, again.stdout) == (2, "")


REFUSALS = {
    "unknown question": (("solve",), "no question is called 'solve'; did you mean evolve?"),
    "no degrees of parts": (
        ("evolve", "--generator-degrees", "x", "--mu", "2"),
        "--variable-degree",
    ),
    "no degrees of workers": (
        ("evolve", "--variable-degree", "3", "--mu", "2"),
        "--generator-degrees",
    ),
    "two degrees of parts": (
        ("evolve", *ENSEMBLE, "--variable-degrees", "x^3", "--mu", "2"),
        "use one of them",
    ),
    "no times": (("evolve", *ENSEMBLE), "no law of times"),
    "two times": (("evolve", *ENSEMBLE, "--mu", "2", "--time", "exp:rate=1"), "use one of them"),
    "times and erasure": (("evolve", *ENSEMBLE, "--mu", "2", "--erasure", "0.1"), "leave out --mu"),
    "ldpc without erasure": (("evolve", *ENSEMBLE, "--ldpc", "--mu", "2"), "give --erasure"),
    "an erasure above 1": (("evolve", *ENSEMBLE, "--erasure", "2"), "erasure=2.0; expected 0 to 1"),
    "a rate of 0": (("evolve", *ENSEMBLE, "--mu", "0"), "rate=0"),
    "no sum of 1": (
        ("evolve", "--variable-degree", "3", "--generator-degrees", "0.5x", "--mu", "2"),
        "sum to 0.5; expected 1",
    ),
    "degree 0": (
        ("evolve", "--variable-degree", "3", "--generator-degrees", "0.5+0.5x", "--mu", "2"),
        "a node of degree 0",
    ),
    "a negative share": (
        ("evolve", "--variable-degree", "3", "--generator-degrees", "1.5x-0.5x^2", "--mu", "2"),
        "degree 2 has the share -1/2",
    ),
    "no file of times": (("evolve", *ENSEMBLE, "--time", "recorded:file=no.csv"), "no.csv"),
    "a negative deadline": (("evolve", *ENSEMBLE, "--mu", "1", "--deadline", "-1"), "deadline=-1"),
    "no rate": (("optimise", "--mu", "1", "--rate", "0"), "--rate 0; expected parts"),
    "optimise poisson": (
        ("optimise", "--mu", "1", "--variable-degrees", "poisson:mean=3"),
        "no optimiser",
    ),
    "no mean": (
        ("evolve", "--variable-degrees", "poisson", "--generator-degrees", "x", "--mu", "1"),
        "expected poisson:mean=3",
    ),
    "no graph of this rate": (
        ("simulate", *ENSEMBLE, "--mu", "2", "--parts", "1"),
        "degree 2, and there are 1 parts",
    ),
    "no picture": (("evolve", *ENSEMBLE, "--mu", "2", "-o", "picture.txt"), "expected one of"),
    "confidence": (("simulate", *ENSEMBLE, "--mu", "2", "--confidence", "1"), "confidence=1.0"),
    "no law": (("gain", "--time", "gauss"), "is no law of times"),
    "an infinite deadline": (
        ("evolve", *ENSEMBLE, "--mu", "2", "--deadline", "inf", "--json"),
        "deadline=inf; expected a finite number, 0 or more",
    ),
    "an infinite deadline among others": (
        ("gain", "--time", "exp:rate=1", "--deadline", "1", "--deadline", "inf"),
        "deadline=inf",
    ),
    "confidence for one placement": (
        ("simulate", "--code", "pg:q=2", "--mu", "2", "--confidence", "nan"),
        "confidence=nan; expected more than 0 and less than 1",
    ),
    "degrees of one placement": (
        ("simulate", "--code", "pg:q=2", "--mu", "2", "--variable-degree", "3"),
        "--variable-degree says nothing of one placement; leave it out",
    ),
    "a picture of one placement": (
        ("simulate", "--code", "pg:q=2", "--mu", "2", "-o", "picture.png"),
        "--output says nothing of one placement",
    ),
    "a deadline with erasures": (
        ("evolve", *ENSEMBLE, "--erasure", "0.1", "--deadline", "1"),
        "--deadline says nothing with --erasure",
    ),
    "a target of LDPC codes": (
        ("evolve", *ENSEMBLE, "--ldpc", "--erasure", "0.1", "--target", "0.1"),
        "--target says nothing of LDPC codes",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals(run: Run, name: str) -> None:
    line, message = REFUSALS[name]
    answer = run("ldgm", *line)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.count("\n") == 1
    assert message in answer.stderr


def test_without_a_question_there_is_help(run: Run) -> None:
    answer = run("ldgm")
    assert answer.returncode == 2
    assert "evolve" in answer.stderr
