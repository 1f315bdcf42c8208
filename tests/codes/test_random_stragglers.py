"""Expected errors: formulas against all sets, and Monte Carlo against what is exact."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from gcdesign.codes import (
    GradientCode,
    Independent,
    Racks,
    Sampling,
    decode,
    expected_curve,
    expected_error,
    expected_error_independent,
    expected_error_profile,
    load_code,
    parse_racks,
)
from gcdesign.codes.exact import error_of_gram
from gcdesign.designs import BlockDesign
from gcdesign.errors import InputError

LeastError = Callable[[Sequence[Sequence[Any]], int], Fraction]
REFERENCE = json.loads(
    (Path(__file__).parents[1] / "data" / "reference_values.json").read_text(encoding="utf-8")
)
RAGGED = [[0, 1, 2], [1, 3], [0, 3, 4], [2, 4], [1, 2, 4], [0, 1, 2, 3], [4]]
CYCLE = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 0], [0, 2]]


def code_of(blocks: list[list[int]]) -> GradientCode:
    return GradientCode.from_design(BlockDesign.from_blocks(blocks))


@pytest.fixture
def no_listing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no mean be found from all sets."""
    monkeypatch.setattr("gcdesign.codes.expectation.MAX_STEPS", -1)


@pytest.mark.parametrize("case", REFERENCE["charles_FRC_random"], ids=str)
def test_fractional_repetition_of_the_reference(case: dict[str, Any]) -> None:
    workers, load, survivors = case["k"], case["s"], case["r"]
    code = load_code(f"frc:workers={workers},stragglers={load - 1}")
    optimal = expected_error(code, workers - survivors)
    assert optimal.value == optimal.lower == optimal.upper == Fraction(case["E_opt"])
    assert (optimal.status, optimal.trials, optimal.confidence) == ("exact", 0, 1.0)
    one_step = expected_error(code, workers - survivors, decoder="one-step")
    assert one_step.value == Fraction(case["E_onestep"])
    # k C(k − s, r)/C(k, r): Charles, Papailiopoulos, Ellenberg.
    assert optimal.value == Fraction(
        workers * comb(workers - load, survivors), comb(workers, survivors)
    )


@pytest.mark.parametrize(
    "name", ["pg:q=2", "ag:q=3", "frc:workers=6,stragglers=1", "uncoded:workers=4"]
)
@pytest.mark.parametrize("decoder", ["optimal", "one-step"])
def test_closed_forms_are_means_over_all_sets(
    no_listing: None, name: str, decoder: Literal["optimal", "one-step"]
) -> None:
    code = load_code(name)
    for stragglers in range(code.workers + 1):
        found = expected_error(code, stragglers, decoder=decoder)
        errors = [
            decode(code, silent, decoder=decoder).error_exact or Fraction(0)
            for silent in combinations(range(code.workers), stragglers)
        ]
        assert found.method.startswith("closed form")
        assert found.value == sum(errors, Fraction(0)) / len(errors)


def test_all_sets_of_a_code_without_structure(least_error: LeastError) -> None:
    code = code_of(RAGGED)
    matrix = code.dense_encoding().astype(int).tolist()
    profile = expected_error_profile(code)
    for stragglers, found in enumerate(profile):
        sets = list(combinations(range(7), 7 - stragglers))
        total = sum((least_error([matrix[w] for w in alive], 5) for alive in sets), Fraction(0))
        assert found.value == total / len(sets)
        assert (found.status, found.stragglers) == ("exact", stragglers)
        assert found == expected_error(code, stragglers)


def test_elimination_of_dependent_survivors(least_error: LeastError) -> None:
    rows = [[1, 1, 0], [0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 0, 0], [0, 1, 1]]
    gram = (np.array(rows) @ np.array(rows).T).tolist()
    sums = [sum(row) for row in rows]
    for size in range(7):
        for alive in permutations(range(6), size):
            expected = least_error([rows[w] for w in sorted(alive)], 3)
            assert error_of_gram(gram, sums, 3, alive) == expected


@pytest.mark.parametrize("blocks", [RAGGED, CYCLE, [[0, 1], [2], [2], [0, 1], [3]]], ids=str)
@pytest.mark.parametrize("decoder", ["optimal", "one-step"])
def test_trials_agree_with_what_is_exact(
    monkeypatch: pytest.MonkeyPatch,
    blocks: list[list[int]],
    decoder: Literal["optimal", "one-step"],
) -> None:
    code = code_of(blocks)
    racks = Racks(((0, 3), (1, 2, *range(4, code.workers))))
    exact = expected_error_profile(code, racks=racks, decoder=decoder)
    assert {mean.status for mean in exact} == {"exact"}
    monkeypatch.setattr("gcdesign.codes.expectation.MAX_STEPS", -1)
    found = expected_error_profile(
        code, racks=racks, decoder=decoder, sampling=Sampling(4000, seed=2)
    )
    for truth, mean in zip(exact, found, strict=True):
        assert (mean.status, mean.trials, mean.confidence) == ("estimate", 4000, 0.95)
        assert mean.lower <= truth.value <= mean.upper
        assert abs(float(truth.value) - float(mean.value)) <= 5 * mean.deviation + 1e-6


def test_trials_of_planes_agree_with_their_closed_form(monkeypatch: pytest.MonkeyPatch) -> None:
    code = load_code("ag:q=3")
    exact = expected_error_profile(code)
    monkeypatch.setattr("gcdesign.codes.expectation.MAX_STEPS", -1)
    monkeypatch.setattr("gcdesign.codes.expectation.MAX_PROFILES", 0)
    for truth, mean in zip(exact, expected_error_profile(code), strict=True):
        assert mean.lower <= truth.value <= mean.upper
        assert abs(float(truth.value) - float(mean.value)) <= 5 * mean.deviation + 1e-9


def test_trials_of_real_weights(no_listing: None) -> None:
    """Two Cholesky factors of half the size against least squares, set by set."""
    rng = np.random.default_rng(0)
    code = GradientCode.from_matrix(rng.normal(size=(9, 7)) * (rng.random((9, 7)) < 0.6))
    found = expected_error_profile(code, sampling=Sampling(300, seed=5))
    orders = np.random.default_rng(5).permuted(np.tile(np.arange(9), (300, 1)), axis=1)
    for stragglers in range(10):
        errors = [decode(code, order[:stragglers]).error for order in orders]
        assert found[stragglers].value == pytest.approx(np.mean(errors), abs=1e-4)


def test_the_seed_decides(no_listing: None) -> None:
    code = code_of(RAGGED)
    one, same, other = (expected_error(code, 3, sampling=Sampling(50, seed=s)) for s in (1, 1, 2))
    assert one == same != other


def test_no_loss_seen_is_no_loss_proved(no_listing: None) -> None:
    """Two sets of 12 workers lose 2 parts and 1; the interval must not shut that out."""
    code = code_of([[0, 1, 2]] * 6 + [[0, 1]] * 6 + [[2]] * 6)
    mean = expected_error(code, 12, sampling=Sampling(200))
    assert mean.value == pytest.approx(0, abs=1e-6)
    assert mean.deviation < 1e-6
    assert mean.lower <= Fraction(3, comb(18, 12)) <= mean.upper


def test_confidence_widens_the_interval(no_listing: None) -> None:
    code = code_of(RAGGED)
    narrow, wide = (
        expected_error(code, 3, sampling=Sampling(500, confidence=c)) for c in (0.5, 0.999)
    )
    assert wide.lower < narrow.lower < narrow.upper < wide.upper


def test_a_watch_ends_the_trials(no_listing: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gcdesign.codes.random_stragglers.BATCH_ENTRIES", 70)
    curve = expected_curve(
        code_of(RAGGED), sampling=Sampling(1000, watch=lambda trials: trials >= 40)
    )
    assert curve.means[3].trials == 40
    assert curve.stopped == "40 of 1000 trials were done"


# --- each worker by itself ------------------------------------------------------------------


@pytest.mark.parametrize(
    "code",
    [code_of(RAGGED), load_code("pg:q=2"), code_of([[0], [1], [0], [1], [1], [2, 3], [2, 3]])],
    ids=["ragged", "plane", "groups"],
)
def test_independent_workers(code: GradientCode, monkeypatch: pytest.MonkeyPatch) -> None:
    chances = tuple(Fraction(n, 10) for n in (1, 5, 0, 10, 3, 3, 7))
    total = Fraction(0)
    for pattern in product((False, True), repeat=7):
        chance = Fraction(1)
        for gone, p in zip(pattern, chances, strict=True):
            chance *= p if gone else 1 - p
        error = code.decode(np.flatnonzero(pattern)).error_exact
        assert error is not None
        total += chance * error
    model = Independent(chances)
    found = expected_error_independent(code, model)
    assert (found.value, found.status, found.stragglers) == (total, "exact", None)
    monkeypatch.setattr("gcdesign.codes.expectation.MAX_STEPS", -1)
    guess = expected_error_independent(code, model, sampling=Sampling(3000, seed=1))
    assert guess.lower <= total <= guess.upper
    assert abs(float(total) - float(guess.value)) <= 5 * guess.deviation + 1e-6


# --- racks ----------------------------------------------------------------------------------


def test_racks_by_their_definition() -> None:
    """All orders of the racks, and of the workers in each: 3! · 2! · 1! · 3! orders."""
    code = code_of(RAGGED[:6])
    racks = ((0, 4), (2,), (1, 3, 5))
    profile = expected_error_profile(code, racks=Racks(racks))
    orders = [
        [worker for rack in inside for worker in rack]
        for turn in permutations(racks)
        for inside in product(*(permutations(rack) for rack in turn))
    ]
    for stragglers, found in enumerate(profile):
        errors = [code.decode(order[:stragglers]).error_exact or Fraction(0) for order in orders]
        assert found.value == sum(errors, Fraction(0)) / len(errors)


def test_racks_hurt_replicas_that_share_one() -> None:
    code = load_code("frc:workers=6,stragglers=1")
    together = expected_error(code, 2, racks=Racks(((0, 1), (2, 3), (4, 5))))
    apart = expected_error(code, 2, racks=Racks(((0, 2, 4), (1, 3, 5))))
    assert (together.value, apart.value) == (2, 0)
    assert expected_error(code, 2).value == 2 * Fraction(3, comb(6, 2))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 1\n1 2", "worker 1 is in two racks"),
        ("0 1\n3", "worker 2 is in no rack"),
        ("0 x", "line 1: 'x'"),
        ("0 -1", "'-1'"),
        ("0 ²", "'²'"),
    ],
)
def test_wrong_racks(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_racks(text, name="racks.txt")


def test_wrong_questions() -> None:
    code = load_code("pg:q=2")
    real = GradientCode.from_matrix([[0.5, 1.0]])
    for ask in (
        lambda: expected_error(code, 8),
        lambda: expected_error(code, -1),
        lambda: expected_error(code, 1, racks=Racks(((0, 1),))),
        lambda: expected_error(code, 1, decoder="sum"),
        lambda: expected_error(code, 1, decoder="all"),  # type: ignore[arg-type]
        lambda: expected_error(real, 1, decoder="one-step"),
        lambda: expected_error_independent(code, Independent((0.5,))),
        lambda: Independent((1.5,)),
        lambda: Independent((float("nan"),)),
        lambda: Racks(((0,), ())),
        lambda: Sampling(1),
        lambda: Sampling(confidence=1.0),
        lambda: Sampling(seed=-1),
    ):
        with pytest.raises(InputError):
            ask()


def test_real_weights_from_all_sets() -> None:
    """Figure 1(b) of Tandon and others loses nothing with one straggler, in floats."""
    code = GradientCode.from_matrix([[0.5, 1, 0], [0, 1, -1], [0.5, 0, 1]])
    nothing, two = expected_error(code, 1), expected_error(code, 2)
    assert nothing.status == two.status == "exact"
    assert nothing.lower <= 0 <= nothing.upper < 1e-6
    # Alone, the rows (½, 1, 0), (0, 1, −1), (½, 0, 1) take (Σ)²/‖·‖² off 3: 9/5, 0 and 9/5.
    assert two.lower <= 3 - Fraction(18, 5) / 3 <= two.upper < two.lower + 1e-6
    assert "floating point" in two.method


def test_complex_weights_are_two_messages(no_listing: None) -> None:
    """Reed–Solomon codes lose nothing up to their S; beyond it trials agree with decoding."""
    code = load_code("rs:workers=7,load=3")
    assert code.is_complex
    found = expected_error_profile(code, sampling=Sampling(60, seed=5))
    orders = np.random.default_rng(5).permuted(np.tile(np.arange(7), (60, 1)), axis=1)
    for stragglers in range(8):
        errors = [decode(code, order[:stragglers]).error for order in orders]
        assert found[stragglers].value == pytest.approx(np.mean(errors), abs=1e-4)


@pytest.mark.parametrize("name", ["cyclic", "cyclic-mds", "ye-abbe", "rs"])
def test_exact_codes_expect_no_error(name: str) -> None:
    """Ill-conditioned as they are: what they were made for is not left to trials."""
    promise = "load=8,parts=62" if name == "rs" else "stragglers=3"
    code = load_code(f"{name}:workers={62 if name == 'rs' else 60},{promise}")
    assert code.tolerates is not None
    for stragglers in (1, code.tolerates):
        mean = expected_error(code, stragglers)
        assert mean.value < 1e-9
        assert float(mean.upper) < 1e-6
        assert "made for" in mean.method
    assert "Monte Carlo" in expected_error(code, code.tolerates + 5).method
