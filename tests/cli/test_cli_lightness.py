"""Commands import only what they use: seen in `sys.modules`, which is the same on every machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"scipy", "galois", "ortools", "networkx", "sympy", "matplotlib", "rich"}
MARK = "imported:"


def imported(statement: str) -> set[str]:
    """Run a statement in a process of its own; return the top-level modules it imported."""
    code = (
        f"import atexit, sys\n"
        f"atexit.register(lambda: sys.stderr.write('{MARK}' + ' '.join(sys.modules)))\n"
        f"{statement}\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return {name.partition(".")[0] for name in answer.stderr.rpartition(MARK)[2].split()}


def command(line: str) -> set[str]:
    """Return what a command line imported."""
    return imported(f"from gcdesign.cli import main\nmain({line.split()})")


def test_the_face() -> None:
    assert imported("import gcdesign") & {"numpy", "click", *HEAVY} == set()


def test_help() -> None:
    for line in ("--help", "--version"):
        names = command(line)
        assert "click" in names
        assert names & {"numpy", *HEAVY} == set()


@pytest.mark.parametrize("q", ["5", "9"])
def test_build(folder: Path, q: str) -> None:
    names = command(f"build pg --q {q}")
    assert (folder / f"pg-q{q}.json").is_file()
    assert "numpy" in names
    assert names & HEAVY == set()


@pytest.mark.parametrize(
    "line", ["design 7 3", "design 16 6 3 -o made.json", "catalogue --max-r 12 --csv"]
)
def test_questions_of_existence(folder: Path, line: str) -> None:
    names = command(line)
    assert "numpy" in names
    assert names & HEAVY == set()


@pytest.mark.parametrize("code", ["cyclic", "cyclic-mds", "ye-abbe"])
def test_build_of_codes(folder: Path, code: str) -> None:
    names = command(f"build {code} --workers 8 --stragglers 3")
    assert (folder / f"{code}-workers8-stragglers3.mtx").is_file()
    assert names & HEAVY == set()


@pytest.mark.parametrize(
    "line",
    [
        "families lps",
        "families --json",
        "build lps --p 5 --q 13",
        "build regular --workers 31 --load 6 --seed 1",
        "build graph-code --graph petersen",
        "build mols --order 9 --squares 3",
    ],
)
def test_families(folder: Path, line: str) -> None:
    names = command(line)
    assert "numpy" in names
    assert names & {*HEAVY, "numba"} == set()


def test_attack(folder: Path) -> None:
    names = command("attack pg:q=5 --eta 3")
    assert "numpy" in names
    assert names & (HEAVY - {"scipy", "rich"}) == set()


def test_a_certificate_is_checked_without_numpy(
    folder: Path, certificate: dict[str, object]
) -> None:
    names = command("verify fano.cert.json")
    assert "gcdesign" in names
    assert names & {"numpy", *HEAVY} == set()


def test_a_refusal(folder: Path) -> None:
    code = "try:\n main(['attack', 'pg:q=5'])\nexcept SystemExit: pass"
    assert imported(f"from gcdesign.cli import main\n{code}") & {"numpy", *HEAVY} == set()


@pytest.mark.parametrize(
    "line", ["info pg:q=5", "check pg:q=5", "decode pg:q=5 --silenced 0", "attack pg:q=5 --profile"]
)
def test_closed_forms_need_no_solver_of_any_kind(folder: Path, line: str) -> None:
    asked = line.replace("--profile", "--stragglers all")
    assert command(asked) & {"galois", "ortools", "networkx", "sympy", "matplotlib"} == set()


def test_the_adapter_of_torch_is_light_until_it_is_used() -> None:
    assert "torch" not in imported("import gcdesign.training.torch_adapter")
