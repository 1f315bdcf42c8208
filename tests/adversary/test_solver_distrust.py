"""A solver's word is not believed against a proof, nor against its own attack."""

from __future__ import annotations

import pytest
from ortools.sat.python import cp_model

from gcdesign.adversary import threshold
from gcdesign.adversary.symmetric import planes
from gcdesign.adversary.thresholds import finish, solver
from gcdesign.cli import main
from gcdesign.codes import load_code
from gcdesign.errors import SolverError

OPEN = load_code("pg:q=3").placement
ETA = 5
"""S*(5) = 11 in PG(2,3), which the bounds leave to the solver."""


@pytest.fixture(autouse=True)
def solver_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave to the solver what the bounds do not prove."""
    monkeypatch.setattr(finish, "STEPS", (finish.by_solver,))
    monkeypatch.setattr(planes, "is_worth_it", lambda _: False)


def test_the_solver_is_needed() -> None:
    assert "CP-SAT" in threshold(OPEN, ETA).proof


def test_no_attack_against_a_known_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "_run", lambda *_: cp_model.INFEASIBLE)
    with pytest.raises(SolverError, match="INFEASIBLE for η=5, against an attack with 11 workers"):
        threshold(OPEN, ETA)


def test_a_bound_above_its_own_attack(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cp_model.CpSolver, "best_objective_bound", property(lambda _: 12.0))
    with pytest.raises(SolverError, match="at least 12 workers for η=5, against its own attack"):
        threshold(OPEN, ETA)


def test_a_bound_below_its_attack_is_a_bracket(monkeypatch: pytest.MonkeyPatch) -> None:
    # OPTIMAL without a bound that says so is not believed.
    monkeypatch.setattr(cp_model.CpSolver, "best_objective_bound", property(lambda _: 10.0))
    found = threshold(OPEN, ETA)
    assert (found.lower, found.upper, found.status) == (10, 11, "bracket")
    assert found.stopped is not None


def test_the_command_says_so_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(solver, "_run", lambda *_: cp_model.INFEASIBLE)
    with pytest.raises(SystemExit) as ended:
        main(["attack", "pg:q=3", "--eta", "5"])
    said = capsys.readouterr()
    assert (ended.value.code, said.out, said.err.count("\n")) == (3, "", 1)
    assert "please report" in said.err
