"""Codes with weights on the command line: notices, complex weights, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

Run = Callable[..., CompletedProcess[str]]
Document = Callable[[CompletedProcess[str]], dict[str, Any]]

CYCLIC = "cyclic:workers=7,stragglers=2,seed=5"


def test_attack_beyond_the_design_says_so(run: Run, document: Document) -> None:
    found = document(run("attack", CYCLIC, "--stragglers", "3", "--json"))
    assert (found["tolerates"], found["status"]) == (2, "exact")
    assert found["lower"] == pytest.approx(5.27, abs=0.005)
    words = " ".join(run("attack", CYCLIC, "--stragglers", "3").stdout.split())
    assert (
        "3 workers are silent and cyclic repetition (N=7, S=2, seed 5) was made for 2 at most"
        in words
    )
    assert "was made for" not in run("attack", CYCLIC, "--stragglers", "2").stdout
    assert "was made for" not in run("attack", CYCLIC, "--error", "5").stdout
    assert document(run("attack", "pg:q=2", "--eta", "1", "--json"))["tolerates"] is None


def test_within_the_design_nothing_is_lost(run: Run, document: Document) -> None:
    for name in (CYCLIC, "cyclic-mds:workers=8,stragglers=3", "ye-abbe:workers=8,stragglers=2"):
        stragglers = document(run("info", name, "--json"))["tolerates"]
        found = document(run("attack", name, "--stragglers", str(stragglers), "--json"))
        assert found["upper"] + found["tolerance"] < 1e-7
        assert found["status"] == "exact"


def test_decode_beyond_the_design_says_so(run: Run, document: Document) -> None:
    answer = run("decode", CYCLIC, "--silenced", "0,1,2")
    assert answer.returncode == 0
    assert answer.stderr.startswith("gcdesign: 3 workers are silent and cyclic repetition")
    assert answer.stderr.count("\n") == 1
    assert run("decode", CYCLIC, "--silenced", "0,1,2", "--quiet").stderr == ""
    found = document(run("decode", CYCLIC, "--silenced", "0,1,2", "--json"))
    assert "was made for 2 at most" in found["notice"]
    assert document(run("decode", CYCLIC, "--silenced", "0,1", "--json"))["notice"] is None


def test_decode_of_complex_codes(run: Run, document: Document) -> None:
    name = "rs:workers=6,load=2"
    found = document(run("decode", name, "--silenced", "4", "--json"))
    assert found["error"] < 1e-20
    assert found["method"] == "Lagrange interpolation at 0"
    assert [len(pair) for pair in found["weights"]] == [2] * 6
    assert found["weights"][4] == [0, 0]
    page = run("decode", name, "--silenced", "4")
    assert (page.returncode, page.stderr) == (0, "")
    assert "j" in page.stdout


def test_what_needs_no_decoder_takes_complex_codes(run: Run, document: Document) -> None:
    name = "cyclic-mds:workers=6,stragglers=2"
    found = document(run("attack", name, "--eta", "1", "--json"))
    assert (found["lower"], found["status"], found["tolerates"]) == (3, "exact", 2)
    for eta in ("0", "1", "6"):
        assert run("attack", name, "--eta", eta).returncode == 0
    assert "complex weights of size 1 to 1.73" in run("info", name).stdout


@pytest.mark.parametrize(
    "line",
    [
        "attack rs:workers=6,load=2 --stragglers 1",
        "attack rs:workers=6,load=2 --error 1",
        "attack rs:workers=6,load=2 --stragglers all",
        "curve rs:workers=6,load=2",
    ],
)
def test_worst_errors_are_for_real_codes(run: Run, line: str) -> None:
    answer = run(*line.split())
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "has complex weights, and worst errors are computed for real ones only" in answer.stderr
    assert answer.stderr.count("\n") == 1


def test_curves_of_codes_with_weights(run: Run, document: Document) -> None:
    found = document(
        run("curve", "cyclic:workers=6,stragglers=1", "circulant:workers=6,load=2", "--json")
    )
    cyclic, circulant = found["curves"]
    assert (cyclic["family"], circulant["family"]) == ("cyclic", "circulant")
    assert cyclic["label"] == "cyclic repetition (N=6, S=1)"
    assert cyclic["upper"][1] < 1e-15
    assert circulant["upper_exact"][6] == "6"


def test_a_code_is_what_was_last_built(run: Run, document: Document, folder: Path) -> None:
    page = run("build", "cyclic", "--workers", "7", "--stragglers", "2", "--seed", "5")
    assert "exact for 2 stragglers; real weights of size" in page.stdout
    assert "gcdesign attack --stragglers 2" in page.stdout
    assert (folder / "cyclic-workers7-stragglers2-seed5.mtx").is_file()
    found = document(run("attack", "--stragglers", "3", "--json"))
    assert found["label"] == "cyclic repetition (N=7, S=2, seed 5)"
    assert found["lower"] == pytest.approx(5.27, abs=0.005)
    piped = run("build", "cyclic", "--workers", "5", "--stragglers", "1", "-o", "-").stdout.encode()
    found = document(run("info", "-", "--json", stdin=piped))
    assert found["code"] == "cyclic:workers=5,stragglers=1,seed=0"


def test_a_code_with_weights_is_written_as_matrixmarket(run: Run, folder: Path) -> None:
    answer = run("build", "cyclic", "--workers", "5", "--stragglers", "1", "-o", "code.json")
    assert answer.returncode == 2
    assert "code.json: a code with weights is written as MatrixMarket" in answer.stderr
    assert list(folder.iterdir()) == []
    for line in ("transform dual", "check", "export -o out.csv"):
        command, *rest = line.split()
        answer = (
            run(command, *rest[:1], CYCLIC, *rest[1:])
            if command == "transform"
            else run(command, CYCLIC, *rest)
        )
        assert answer.returncode == 2
        assert answer.stderr.count("\n") == 1


@pytest.mark.parametrize("name", [CYCLIC, "rs:workers=6,load=2,parts=6"])
def test_export_keeps_weights(run: Run, document: Document, name: str) -> None:
    assert run("export", name, "-o", "code.mtx").returncode == 0
    found, same = (document(run("info", n, "--json")) for n in ("code.mtx", name))
    assert found | {"file": None} == same
    assert found["code"] == name


def test_offsets_on_the_command_line(run: Run, document: Document) -> None:
    built = document(run("build", "circulant", "--workers", "7", "--offsets", "0+1+3", "--json"))
    assert built["design"]["parameters"] == {"workers": 7, "load": 3, "offsets": [0, 1, 3]}
    assert (built["design"]["lambda"], built["code"]) == (1, None)
    assert built["file"] == "circulant-workers7-offsets0+1+3.json"
    assert document(run("info", "--json"))["label"] == "circulant (N=7, 0+1+3)"
    answer = run("build", "circulant", "--workers", "7", "--offsets", "0,1,3")
    assert answer.returncode == 2
    assert "offsets=0,1,3; expected whole numbers such as 0+1+3" in answer.stderr
