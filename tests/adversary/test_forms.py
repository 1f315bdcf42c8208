"""Every compiled path against fractions on small codes of all kinds, and against each other.

A search for sets beyond a bar must return every set whose true error is, with an end of that
error on the side promised; so bars just below and just above the extreme decide it exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, Literal

import numpy as np
import pytest
from numpy.typing import NDArray

from gcdesign.adversary.running.settings import Settings, Watch
from gcdesign.adversary.worst_error import targets
from gcdesign.adversary.worst_error.copies import Quadratic, one_step_quadratic
from gcdesign.adversary.worst_error.engine import Engine
from gcdesign.adversary.worst_error.exhaustion import Passing, search_target, split
from gcdesign.adversary.worst_error.forms import silent_form, silent_lower_form, survivors_form
from gcdesign.adversary.worst_error.swaps import attack_target
from gcdesign.adversary.worst_error.targets import Target
from gcdesign.codes import GradientCode

Silenced = tuple[int, ...]
Errors = Callable[[Sequence[Sequence[Any]], int], dict[Silenced, Fraction]]
OneStep = Callable[[Sequence[Any], int, Silenced], Fraction]
Matrix = NDArray[np.float64]
KINDS = ["half", "sparse", "normal", "whole", "low rank", "repeated", "disconnected", "regular"]


def watch() -> Watch:
    return Watch(Settings(threads=1))


def sample(kind: str, seed: int, most: int = 7) -> Matrix:
    """Return an encoding matrix of up to ``most`` workers, levelled, of any shape and rank."""
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    n, k = int(rng.integers(2, most + 1)), int(rng.integers(1, most + 2))
    matrix = (rng.random((n, k)) < 0.5).astype(float)
    if kind == "sparse":
        matrix = (rng.random((n, k)) < 0.25).astype(float)
    if kind == "normal":
        matrix = rng.normal(size=(n, k))
    if kind == "whole":
        matrix = rng.integers(-2, 3, (n, k)).astype(float)
    if kind == "low rank":
        matrix = ((rng.random((n, 2)) < 0.6) @ rng.integers(-2, 3, (2, k))).astype(float)
    if kind == "repeated":
        matrix = matrix[rng.integers(0, (n + 1) // 2, n)]
        matrix[0] = 0
        matrix[-1] = 1
    if kind == "disconnected":
        matrix[: n // 2, k // 2 :] = 0
        matrix[n // 2 :, : k // 2] = 0
    if kind == "regular":
        matrix = np.array([[(j - i) % n in (0, 1, 3) for j in range(n)] for i in range(n)]) * 1.0
    return GradientCode.from_matrix(matrix).levelled_encoding()


def bars(extreme: float, parts: int) -> Iterator[float]:
    """Yield bars below and above the extreme of what is sought, and far from it."""
    yield extreme - 1e-9 * parts
    yield extreme + 1e-9 * parts
    yield extreme - 0.3
    yield -parts - 1.0


def check_passing(
    passing: Passing, errors: dict[Silenced, Fraction], bar: float, want: int, parts: int
) -> None:
    """Check that all sets beyond the bar were found, and that keys are ends of their errors."""
    found = {workers: key for key, workers in passing.ranked}
    assert passing.complete
    assert len(found) == len(passing.ranked)
    keys = [key for key, _ in passing.ranked]
    assert keys == sorted(keys, reverse=True)
    assert {s for s, error in errors.items() if want * error > passing.bar} <= set(found)
    for workers, key in found.items():
        assert key >= want * float(errors[workers]) - 1e-14 * parts
    if len(errors) < targets.MAX_LEADERS:
        assert passing.bar == pytest.approx(bar, abs=1e-12 * parts)


def sides(matrix: Matrix, stragglers: int) -> Iterator[tuple[Target, int]]:
    silent = silent_form(matrix)
    assert silent is not None
    yield silent, stragglers
    yield survivors_form(matrix), len(matrix) - stragglers
    lower = silent_lower_form(matrix)
    if lower is not None:
        yield lower, stragglers


@pytest.mark.parametrize("kind", KINDS)
def test_both_sides_find_every_set_beyond_a_bar(kind: str, errors_of_sets: Errors) -> None:
    lower_forms = 0
    for seed in range(5):
        matrix = sample(kind, seed)
        n, parts = matrix.shape
        errors = errors_of_sets(matrix.tolist(), parts)
        for stragglers in range(1, n):
            here = {s: error for s, error in errors.items() if len(s) == stragglers}
            for target, size in sides(matrix, stragglers):
                extreme = float(max(target.want * error for error in here.values()))
                lower_forms += target.want < 0
                for bar in bars(extreme, parts):
                    passing = search_target(target, size, bar, watch=watch())
                    check_passing(passing, here, bar, target.want, parts)
    if kind == "half":
        assert lower_forms


@pytest.mark.parametrize("kind", KINDS)
def test_a_set_at_the_bar_is_cleared_by_its_decoding(kind: str, errors_of_sets: Errors) -> None:
    # Upper ends are as good as decoding weights in floats where the code is well conditioned.
    if kind == "normal":
        pytest.skip("rectangular normal matrices can need huge weights")
    for seed in range(5):
        matrix = sample(kind, seed)
        n, parts = matrix.shape
        errors = errors_of_sets(matrix.tolist(), parts)
        for stragglers in range(1, n):
            here = {s: error for s, error in errors.items() if len(s) == stragglers}
            bar = float(max(here.values())) + 1e-9 * parts
            for target, size in sides(matrix, stragglers):
                if target.want > 0:
                    assert not search_target(target, size, bar, watch=watch()).ranked


@pytest.mark.parametrize("kind", [k for k in KINDS if k not in ("normal", "whole", "low rank")])
def test_one_step_quadratics_are_exact(kind: str, one_step_error: OneStep) -> None:
    for seed in range(5):
        matrix = sample(kind, seed)
        n, parts = matrix.shape
        blocks = [set(np.flatnonzero(row).tolist()) for row in matrix]
        copies = sum(map(len, blocks))
        for stragglers in range(1, n if copies else 1):
            sets = list(combinations(range(n), stragglers))
            errors = {s: one_step_error(blocks, parts, s) for s in sets}
            weight = Fraction(parts * n, (n - stragglers) * copies)
            for alive in (False, True):
                form = one_step_quadratic(matrix, weight, n - stragglers, alive=alive)
                for target in (form, form.opposite()):
                    check_quadratic(target, n - stragglers if alive else stragglers, errors)


def check_quadratic(target: Quadratic, size: int, errors: dict[Silenced, Fraction]) -> None:
    extreme = float(max(target.want * error for error in errors.values()))
    for bar in (extreme - 1e-7, extreme + 1e-7, extreme - 1.0000003, -1e6):
        passing = search_target(target, size, bar, watch=watch())
        beyond = {s for s, error in errors.items() if target.want * error > bar}
        assert {s for _, s in passing.ranked} == beyond
        for key, silenced in passing.ranked:
            assert 0 <= key - float(target.want * errors[silenced]) < 1e-9
    key, silenced = max(attack_target(target, size, starts=[], watch=watch()))
    assert key == pytest.approx(extreme, abs=1e-9)
    assert errors[silenced] * target.want == pytest.approx(extreme, abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_attacks_reach_the_worst_sets_of_small_codes(kind: str, errors_of_sets: Errors) -> None:
    for seed in range(4):
        matrix = sample(kind, seed)
        n, parts = matrix.shape
        errors = errors_of_sets(matrix.tolist(), parts)
        engine = Engine(GradientCode.from_matrix(matrix), "optimal", watch())
        for stragglers in range(1, n):
            here = {s: error for s, error in errors.items() if len(s) == stragglers}
            worst = engine.attack(stragglers, [tuple(range(stragglers))])
            mildest = engine.attack(stragglers, [], want=-1)
            assert len(worst) == len(mildest) == stragglers
            assert float(here[worst]) == pytest.approx(float(max(here.values())), abs=1e-6)
            assert float(here[mildest]) == pytest.approx(float(min(here.values())), abs=1e-6)


def regular(n: int, load: int, seed: int) -> Matrix:
    """Return a sum of random permutation matrices without a repeated entry."""
    rng = np.random.default_rng(seed)
    matrix = np.zeros((n, n))
    while len(np.unique(matrix.sum(axis=0))) > 1 or matrix[0].sum() < load:
        shift = np.eye(n)[rng.permutation(n)]
        if (matrix * shift).sum() == 0:
            matrix += shift
    return matrix


def in_numpy(matrix: Matrix, silenced: Silenced) -> float:
    alive = np.delete(matrix, list(silenced), axis=0)
    residual = alive.T @ np.linalg.lstsq(alive.T, np.ones(matrix.shape[1]), rcond=1e-10)[0] - 1
    return float(residual @ residual)


@pytest.mark.parametrize("seed", range(3))
def test_sides_and_trees_agree_on_larger_codes(seed: int) -> None:
    matrix = regular(18, 4, seed)
    form, other = silent_form(matrix), survivors_form(matrix)
    assert form is not None
    for stragglers in (2, 5, 9, 13):
        key, silenced = max(attack_target(form, stragglers, starts=[], watch=watch()))
        true = in_numpy(matrix, silenced)
        assert true <= key <= true + 1e-4
        for bar in (true - 1e-8, true - 0.05):
            first = search_target(form, stragglers, bar, watch=watch())
            second = search_target(other, 18 - stragglers, bar, watch=watch())
            sets = {s for _, s in first.ranked}
            kept = max(first.bar, second.bar) + 1e-7
            assert {s for s in sets if in_numpy(matrix, s) > kept} == {
                s for _, s in second.ranked if in_numpy(matrix, s) > kept
            }
            assert silenced in sets
            assert float(first.ranked[0][0]) == pytest.approx(second.ranked[0][0], abs=1e-7)


def test_brute_force_of_a_larger_code() -> None:
    # 3003 and 5005 sets one by one in numpy: the fused levels, chunks and full leaders are used.
    matrix = regular(15, 4, 5)
    form = silent_form(matrix)
    assert form is not None
    for stragglers in (5, 6):
        sets = combinations(range(15), stragglers)
        errors = {s: Fraction(in_numpy(matrix, s)) for s in sets}
        ranked = sorted(map(float, errors.values()), reverse=True)
        for bar in (0.0, ranked[0] - 1e-8, ranked[0] + 1e-8, ranked[100]):
            passing = search_target(form, stragglers, bar, watch=watch())
            check_passing(passing, errors, bar, 1, 10**4)
            assert (passing.ranked != ()) == (bar < ranked[0])


def test_tasks_hold_every_set_once() -> None:
    for below, size, most in [(9, 4, 5), (9, 6, 1), (7, 2, 1), (8, 5, 100), (5, 5, 1)]:
        sets = [
            tuple(sorted((*known, *rest)))
            for known, p in split(below, size, most)
            for rest in combinations(range(p), size - len(known))
        ]
        assert sorted(sets) == list(combinations(range(below), size))


def test_sets_of_forced_elements_and_candidates(errors_of_sets: Errors) -> None:
    matrix = sample("half", 3, most=8)
    n, parts = matrix.shape
    errors = errors_of_sets(matrix.tolist(), parts)
    form = silent_form(matrix)
    assert form is not None
    forced, candidates = [n - 1, 0], list(range(2, n - 1))
    for size in range(2, n - 1):
        passing = search_target(
            form, size, -1.0, watch=watch(), forced=forced, candidates=candidates
        )
        among = combinations(candidates, size - 2)
        expected = {tuple(sorted((*forced, *rest))) for rest in among}
        assert {s for _, s in passing.ranked} == expected
        for key, silenced in passing.ranked:
            assert key >= float(errors[silenced]) - 1e-14 * parts


Decoder = Literal["optimal", "one-step"]


@pytest.mark.parametrize("decoder", ["optimal", "one-step"])
def test_the_engine_and_numpy_answer_alike(
    decoder: Decoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gcdesign.adversary import worst_case_error

    code = GradientCode.from_matrix(regular(13, 3, 2))
    plain = [worst_case_error(code, s, decoder=decoder) for s in range(14)]
    for light in ("LIGHT_WORK", "LIGHT_ATTACK"):
        monkeypatch.setattr(f"gcdesign.adversary.worst_error.engine.{light}", 0)
    for stragglers, expected in enumerate(plain):
        result = worst_case_error(code, stragglers, decoder=decoder)
        assert result.status == expected.status == "exact"
        assert (
            abs(Fraction(result.value) - Fraction(expected.value))
            <= result.tolerance + expected.tolerance
        )
        if result.least is not None and expected.least is not None:
            assert float(result.least.value) == pytest.approx(float(expected.least.value))
