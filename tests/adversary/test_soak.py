"""A slice of the soak, and that it would notice what is wrong."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import soak
from soak_cases import KINDS, Case, case_of
from soak_truth import as_blocks, one_step_errors, optimal_errors
from soak_truth import thresholds as truth_of_thresholds

from gcdesign.adversary import AttackResult, Extreme
from gcdesign.checker import Report, check

Silenced = tuple[int, ...]
Blocks = Sequence[Sequence[int]]
Changed = Callable[[AttackResult], AttackResult]

SEED = 2026
LARGEST = 8
"""Most workers and parts here; the soak itself goes further."""


def checked(case: Case, *, engines: bool = False) -> Counter[str]:
    return soak.Soak(case, np.random.default_rng(SEED), engines_too=engines).run()


@pytest.mark.parametrize("kind", range(len(KINDS)), ids=list(KINDS))
def test_a_slice(kind: int) -> None:
    for number in (kind, kind + len(KINDS)):
        counts = checked(case_of(SEED, number, largest=LARGEST), engines=number < len(KINDS))
        assert counts["claims refused"] == 0
        assert counts["claims proved"] > 0
        assert counts["mutations refused"] + counts["mutations that leave true claims"] == (
            soak.MUTATIONS
        )


def test_all_kinds_are_there_and_differ() -> None:
    cases = [case_of(SEED, number) for number in range(20 * len(KINDS))]
    assert {case.kind for case in cases} == set(KINDS)
    assert len({case.text for case in cases}) > 0.95 * len(cases)
    assert all(max(case.parts, len(case.blocks)) <= 14 for case in cases)
    blocks = [list(map(tuple, case.blocks)) for case in cases]
    assert any(len(set(b)) < len(b) for b in blocks), "repeated workers"
    assert any(() in b for b in blocks), "empty workers"
    assert any(len(row) == case.parts for case in cases for row in case.blocks), "full workers"
    assert any(set().union(*case.blocks) < set(range(case.parts)) for case in cases), "unheld"
    assert case_of(SEED, 7) == case_of(SEED, 7) == Case(**json.loads(case_of(SEED, 7).text))


@pytest.mark.parametrize("number", range(11))
def test_the_truth_is_that_of_another_brute_force(
    number: int,
    thresholds: Callable[[Blocks, int], list[int]],
    errors_of_sets: Callable[[Sequence[Sequence[Any]], int], dict[Silenced, Fraction]],
    one_step_error: Callable[[Blocks, int, Silenced], Fraction],
) -> None:
    case = case_of(SEED + 1, number, largest=7)
    blocks, parts = as_blocks(case.blocks), case.parts
    assert list(truth_of_thresholds(blocks, parts)) == thresholds(blocks, parts)
    matrix = [[int(j in block) for j in range(parts)] for block in blocks]
    for silenced, error in errors_of_sets(matrix, parts).items():
        assert optimal_errors(blocks, parts).reached(silenced) == error
        one_step = one_step_error(blocks, parts, silenced)
        assert one_step_errors(blocks, parts).reached(silenced) == one_step


WRONG: dict[str, tuple[str, Changed]] = {
    "too high": ("threshold_profile", lambda r: replace(r, lower=r.lower + 1, upper=r.upper + 1)),
    "open": ("threshold_profile", lambda r: replace(r, lower=max(0, r.lower - 1))),
    "attack": ("threshold_profile", lambda r: replace(r, workers=r.workers[1:])),
    "error": ("worst_case_error_profile", lambda r: replace(r, upper=r.upper + Fraction(1, 9**9))),
    "worst set": (
        "worst_case_error_profile",
        lambda r: replace(r, workers=tuple(sorted(set(range(7)) - set(r.workers)))),
    ),
    "least": ("worst_case_error", lambda r: replace(r, least=Extreme(Fraction(0), r.workers))),
    "one alone": ("threshold", lambda r: replace(r, asked=r.asked, upper=r.upper + 1)),
    "first": ("error_threshold", lambda r: replace(r, lower=r.lower - 1, upper=r.upper - 1)),
}
"""What an answer could have wrong: the function that gives it, and the change."""

FANO = Case("plane", 7, [sorted((w + d) % 7 for d in (0, 1, 3)) for w in range(7)])


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_answer_is_noticed(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    name, change = WRONG[wrong]
    honest: Callable[..., Any] = getattr(soak, name)

    def lying(*arguments: Any, **options: Any) -> Any:
        answer = honest(*arguments, **options)
        return tuple(map(change, answer)) if isinstance(answer, tuple) else change(answer)

    monkeypatch.setattr(soak, name, lying)
    with pytest.raises(soak.DisagreementError):
        checked(FANO)


def test_a_checker_that_believes_everything_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def blind(document: Any, *, limit: float | None = None) -> Report:
        report = check(document, limit=limit)
        findings = tuple(replace(f, status="proved", problem=None) for f in report.findings)
        return replace(report, findings=findings, mismatched=())

    monkeypatch.setattr(soak, "check", blind)
    with pytest.raises(soak.DisagreementError):
        checked(FANO)
    monkeypatch.setattr(
        soak, "check", lambda d, **o: replace(blind(d), mismatched=check(d).mismatched)
    )
    many = soak.Soak(FANO, np.random.default_rng(SEED), errors_too=False)
    monkeypatch.setattr(soak, "MUTATIONS", 100)
    with pytest.raises(soak.DisagreementError, match="after "):
        many.run()


def test_the_command_repeats_what_disagrees(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(plan: soak.Plan, first: int, placements: int, jobs: int) -> Counter[str]:
        return soak.soak_batch(plan, range(first, first + placements))

    monkeypatch.setattr(soak, "soak_all", fails)
    monkeypatch.setattr("sys.argv", ["soak.py", "--placements", "2", "--no-errors", "--seed", "5"])
    assert soak.main() == 0
    assert "no disagreement" in capsys.readouterr().out
    wrong = (1, *truth_of_thresholds((), 0))
    monkeypatch.setattr(soak, "thresholds", lambda blocks, parts: wrong * (parts + 1))
    assert soak.main() == 1
    told = capsys.readouterr().out
    assert case_of(5, 0).text in told
    assert (
        "python benchmarks/soak.py --seed 5 --first 0 --placements 1 --largest 14 --no-errors"
        in told
    )
