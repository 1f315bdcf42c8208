"""Results: immutable, honest about what they know, and the same for the same seed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import FrozenInstanceError, fields, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from gcdesign.adversary import (
    AttackResult,
    Settings,
    error_threshold,
    threshold,
    threshold_profile,
    worst_case_error,
    worst_case_error_profile,
)
from gcdesign.adversary.results import exact_text
from gcdesign.adversary.thresholds import finish
from gcdesign.codes import GradientCode, Placement, load_code
from gcdesign.designs import BlockDesign
from gcdesign.errors import InputError


@pytest.fixture(autouse=True, scope="module")
def few_swaps() -> Iterator[None]:
    """Weaken the quick attack, which takes most of the time and leaves the solver little to do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gcdesign.adversary.thresholds.greedy.SWAPS", 20)
        yield


def random_code(seed: int = 0, workers: int = 10, parts: int = 8) -> GradientCode:
    return GradientCode.from_matrix(np.random.default_rng(seed).random((workers, parts)) < 0.3)


def timeless(result: AttackResult) -> AttackResult:
    return replace(result, seconds=0.0)


def answers(code: GradientCode, settings: Settings) -> list[AttackResult]:
    found = [threshold(code.placement, 6, settings), worst_case_error(code, 5, settings=settings)]
    found.append(error_threshold(code, 2, settings=settings))
    found.append(worst_case_error(code, 5, decoder="one-step", settings=settings))
    found += threshold_profile(code.placement, settings)
    found += worst_case_error_profile(code, settings=settings)
    return [timeless(result) for result in found]


@pytest.mark.parametrize("method", ["exact", "greedy", "bounds"])
def test_a_seed_gives_one_answer(method: Any) -> None:
    settings = Settings(method=method, seed=5, threads=1)
    assert answers(random_code(), settings) == answers(random_code(), settings)


def test_seeds_change_no_exact_value() -> None:
    code = random_code()
    profiles = [
        [r.value for r in threshold_profile(code.placement, Settings(seed=seed))]
        for seed in (0, 1, 2**31 - 1)
    ]
    assert profiles[0] == profiles[1] == profiles[2]


def test_results_are_frozen() -> None:
    code = load_code("pg:q=2")
    result = worst_case_error(code, 2)
    for field in fields(result):
        with pytest.raises(FrozenInstanceError):
            setattr(result, field.name, None)
    with pytest.raises(TypeError):
        result.settings["seed"] = 1  # type: ignore[index]
    assert isinstance(result.workers, tuple)
    assert isinstance(result.bounds, tuple)
    decoding = code.decode([0, 1])
    with pytest.raises(ValueError, match="read-only"):
        decoding.weights[0] = 1


@pytest.mark.parametrize("weights", ["closed form", "fractions", "floats"])
def test_decodings_are_frozen(weights: str) -> None:
    code = random_code() if weights == "fractions" else load_code("pg:q=2")
    if weights == "floats":
        code = GradientCode(code.placement, np.full(code.placement.design.incidences, 2.0))
    decoding = code.decode([1])
    with pytest.raises(ValueError, match="read-only"):
        decoding.weights[0] = 1
    with pytest.raises(FrozenInstanceError):
        decoding.error = 0  # type: ignore[misc]
    assert decoding == decoding
    assert decoding != code.decode([1])


def test_a_bracket_has_no_value() -> None:
    placement = load_code("pg:q=5").placement
    result = threshold(placement, 8, Settings(method="bounds"))
    assert result.lower < result.upper
    assert result.status == "bracket"
    with pytest.raises(ValueError, match="only a bracket is known"):
        _ = result.value
    assert result.stopped is None


def test_ends_as_text() -> None:
    assert exact_text(None) is None
    code = load_code("ag:q=3")
    result = worst_case_error(code, 5)
    assert (result.lower_exact, result.upper_exact) == ("6/5", "6/5")
    real = GradientCode(code.placement, np.full(code.placement.design.incidences, 2.0))
    result = worst_case_error(real, 5)
    assert (result.lower_exact, result.upper_exact) == (None, None)
    assert result.value == pytest.approx(1.2, abs=1e-12)


def test_what_a_result_tells() -> None:
    code = load_code("pg:q=3")
    result = error_threshold(code, Fraction(3, 7))
    assert (result.question, result.asked, result.value) == ("error-threshold", Fraction(3, 7), 2)
    assert result.proof == "err_1 (closed form: constant intersection of workers)" or (
        result.proof.endswith("bound on err_1")
    )
    assert result.least is None
    lost = threshold(code.placement, 3)
    assert (lost.question, lost.decoder, lost.code) == ("threshold", None, "PG(2,3)")
    error = worst_case_error(code, 4, decoder="one-step")
    assert (error.question, error.decoder, error.asked) == ("error", "one-step", 4)


def test_proofs_name_what_they_rest_on() -> None:
    # A value that is carried along a profile names the value that was proved, once.
    for result in threshold_profile(random_code(3).placement, Settings(method="bounds")):
        assert result.proof.count("S*(") <= 1
    code = random_code(1, 40, 40)
    for result in worst_case_error_profile(code, settings=Settings(method="bounds")):
        assert result.proof.count("err_") <= 1


def test_a_proof_is_carried_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    # A solver that proves something about 5 parts alone: S*(6) cannot be less.
    placement = random_code(2, 12, 12).placement
    answers = [r.value for r in threshold_profile(placement)]
    start = [r.lower for r in threshold_profile(placement, Settings(method="bounds"))]
    assert start[5] < answers[5]

    def weak(question: finish.Question, bracket: finish.Bracket) -> finish.Bracket:
        if question.eta != 5:
            return replace(bracket, stopped="too weak")
        return replace(bracket, lower=int(answers[5]), proof="weak solver")

    monkeypatch.setattr(finish, "STEPS", (weak,))
    profile = threshold_profile(placement)
    assert profile[5].lower == answers[5]
    assert profile[5].proof == "weak solver"
    for eta, result in enumerate(profile):
        assert result.lower <= answers[eta] <= result.upper
        if eta > 5 and start[eta] < answers[5]:
            assert (result.lower, result.proof) == (answers[5], "S*(5) (weak solver)")
        assert (result.stopped is None) == (result.status == "exact")


def test_an_attack_is_carried_to_more_stragglers(monkeypatch: pytest.MonkeyPatch) -> None:
    # A local search that succeeds for 2 stragglers alone: 3 or more lose no less.
    code = random_code(29, 16, 12)
    worst = worst_case_error(code, 2)

    def weak(_: Any, stragglers: int, **__: Any) -> tuple[int, ...]:
        return worst.workers if stragglers == 2 else tuple(range(stragglers))

    monkeypatch.setattr("gcdesign.adversary.worst_error.error_search.attack_error", weak)
    alone = worst_case_error(code, 3, settings=Settings(method="greedy"))
    assert alone.lower < worst.value
    profile = worst_case_error_profile(code, settings=Settings(method="greedy"))
    assert profile[2].lower == worst.value
    assert profile[3].lower >= worst.value
    for result in profile:
        assert len(result.workers) == result.asked
        assert code.decode(result.workers).error_exact == result.lower


def test_a_carried_attack_silences_nobody_in_vain() -> None:
    placement = random_code(4, 30, 30).placement
    for result in threshold_profile(placement, Settings(method="bounds")):
        assert set(placement.neighbourhood(result.parts).tolist()) == set(result.workers)


@pytest.mark.parametrize("eta", [-1, 8, 2.5, True, "3", None])
def test_no_such_number_of_parts(eta: Any) -> None:
    with pytest.raises(InputError):
        threshold(load_code("pg:q=2").placement, eta)


@pytest.mark.parametrize("stragglers", [-1, 8, 2.5, True, "3", None])
def test_no_such_number_of_stragglers(stragglers: Any) -> None:
    with pytest.raises(InputError):
        worst_case_error(load_code("pg:q=2"), stragglers)


@pytest.mark.parametrize("error", [-1, 7.001, float("nan"), float("inf"), Fraction(71, 10)])
def test_no_such_error(error: Any) -> None:
    with pytest.raises(InputError):
        error_threshold(load_code("pg:q=2"), error)


def test_one_step_needs_a_zero_one_code() -> None:
    real = GradientCode.from_matrix([[0.5, 1.0]])
    with pytest.raises(InputError, match="0/1"):
        worst_case_error(real, 0, decoder="one-step")
    unknown: Any = "two-step"
    with pytest.raises(InputError, match="decoder"):
        worst_case_error(real, 0, decoder=unknown)


@pytest.mark.parametrize(
    "wrong",
    [
        {"method": "quick"},
        {"time_limit": -1},
        {"time_limit": float("nan")},
        {"threads": 0},
        {"seed": -1},
        {"seed": 2**31},
    ],
    ids=str,
)
def test_no_such_settings(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Settings(**wrong)


def test_equal_codes_give_equal_answers_whatever_their_origin() -> None:
    named = load_code("ag:q=3")
    plain = GradientCode(Placement(BlockDesign.from_blocks(named.placement.design.blocks())))
    for settings in (Settings(), Settings(method="bounds")):
        for a, b in zip(
            worst_case_error_profile(named, settings=settings),
            worst_case_error_profile(plain, settings=settings),
            strict=True,
        ):
            assert (a.lower, a.upper, a.proof) == (b.lower, b.upper, b.proof)
