"""The benchmarks at work: tables show the results, tasks can be done, peers may be missing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import design_cases
import forking
import gcdesign_side
import peers
import pytest
import run
import solver_side
import solvers
from design_cases import Case


def result(group: str, subject: str, machine: str = "one") -> dict[str, Any]:
    line = {"group": group, "subject": subject}
    return {"machine": machine, "peers": {}, "rows": [line], "exact": []}


def test_the_page_shows_the_kept_results() -> None:
    results = json.loads(run.RESULTS.read_text(encoding="utf-8"))
    page = run.PAGE.read_text(encoding="utf-8")
    shown = page.partition(run.BEGIN)[2].partition(run.END)[0]
    assert shown.strip() == run.tables(results).strip()


def test_kept_results_are_replaced_by_groups() -> None:
    kept = result("plain", "old")
    new = result("sage", "new")
    both = run.merged(kept, new, ["sage"])["rows"]
    assert [line["subject"] for line in both] == ["old", "new"]
    assert run.merged(kept, result("plain", "new"), ["plain"])["rows"][0]["subject"] == "new"
    assert len(run.merged(kept, result("plain", "new"), ["plain"])["rows"]) == 1


def test_results_of_two_machines_are_not_mixed() -> None:
    with pytest.raises(ValueError, match="another machine"):
        run.merged(result("plain", "a"), result("sage", "b", machine="two"), ["sage"])


@pytest.mark.parametrize(
    "case", [case for case in design_cases.CASES if not case.renamed], ids=lambda case: case.subject
)
def test_every_task_can_be_done_small(case: Case) -> None:
    if not case.values[0]:
        pytest.skip("has one size, which is not small")
    given, call = case.ours.filled(case.small)
    request = {"small": ("", "0"), "task": (given, call), "data": {}}
    found = forking.timed(request, gcdesign_side.NAMES, gcdesign_side.describe)
    assert found["cpu"] >= 0
    assert found["answer"]


def test_a_wrong_answer_would_be_noticed() -> None:
    import designs

    def says(answer: object) -> designs.Ask:
        return lambda: {"cpu": 1.0, "answer": answer}

    assert designs.compared(says(7), says(7), 2) == [(1.0, 1.0)] * 2
    with pytest.raises(RuntimeError, match="7"):
        designs.compared(says(7), says(8), 2)
    with pytest.raises(designs.PeerError, match="no such design"):
        designs.compared(says(7), lambda: {"error": "no such design"}, 2)


def test_a_missing_peer_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(peers.VARIABLE, str(tmp_path))
    assert peers.version_of("scip") is None
    assert peers.is_missing("scip")
    assert "peers.py install scip" in capsys.readouterr().out
    versions = {"SageMath": None, "SCIP": None, "GAP": "4"}
    assert run.peers_line(versions) == "beside it GAP 4; SageMath and SCIP not installed"


def test_a_solver_reads_the_program_that_is_written(tmp_path: Path) -> None:
    paths = solvers.write_programs("pg:q=2", "all", tmp_path)
    found = solver_side.main("cp-sat", "60", *map(str, paths))
    assert found["values"] == [3, 5, 6, 6, 7, 7, 7]  # brute force over all sets of parts
