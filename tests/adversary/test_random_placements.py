"""All answers about random 0/1 placements against brute force, however odd the placement."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.adversary import (
    AttackResult,
    Settings,
    error_bounds,
    error_threshold,
    placement_facts,
    threshold,
    threshold_bounds,
    threshold_profile,
    worst_case_error,
    worst_case_error_profile,
)
from gcdesign.adversary.bounds import one_step_bounds
from gcdesign.codes import GradientCode
from gcdesign.designs import BlockDesign

Silenced = tuple[int, ...]
Blocks = list[list[int]]
Thresholds = Callable[[Blocks, int], list[int]]
Errors = Callable[[Sequence[Sequence[Any]], int], dict[Silenced, Fraction]]
OneStep = Callable[[Blocks, int, Silenced], Fraction]
BySize = Callable[[dict[Silenced, Any], int], list[Any]]

QUIET = settings(max_examples=10, deadline=None, derandomize=True)


@pytest.fixture(autouse=True, scope="module")
def few_swaps() -> Iterator[None]:
    """Weaken the quick attack, which takes most of the time and leaves the solver little to do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gcdesign.adversary.thresholds.greedy.SWAPS", 20)
        yield


@st.composite
def designs(draw: st.DrawFn, largest: int = 7) -> BlockDesign:
    """Blocks of any kind: equal, empty, complete, disjoint, all of one size; parts left over."""
    parts = draw(st.integers(0, largest))
    kinds = [list(range(parts + 1)), [min(2, parts)], [min(3, parts)], [0, parts, min(1, parts)]]
    block = st.sampled_from(draw(st.sampled_from(kinds))).flatmap(
        lambda size: st.permutations(range(parts)).map(lambda order: sorted(order[:size]))
    )
    blocks: Blocks = draw(st.lists(block, max_size=largest))
    if blocks and draw(st.sampled_from([False, True])):
        blocks = [draw(st.sampled_from(blocks)) for _ in range(len(blocks))]
    return BlockDesign.from_blocks(blocks, points=parts)


def code_of(design: BlockDesign) -> GradientCode:
    return GradientCode.from_design(design)


def matrix_of(design: BlockDesign) -> list[list[int]]:
    return [[int(j in block) for j in range(design.v)] for block in map(set, design.blocks())]


def regular(workers: int, load: int, seed: int) -> BlockDesign:
    """Return a placement with N = K and load and replication equal, from permutations."""
    rng = np.random.default_rng(seed)
    while True:
        columns = np.array([rng.permutation(workers) for _ in range(load)])
        if all(len(set(column)) == load for column in columns.T):
            return BlockDesign.from_blocks([sorted(c.tolist()) for c in columns.T], points=workers)


LOOPS = [regular(n, load, seed) for n, load, seed in ((8, 3, 0), (9, 3, 1), (8, 4, 2), (9, 4, 3))]
LOOPS += [
    BlockDesign.from_blocks([[0, 1], [1, 2], [0, 2], [3, 4], [4, 5], [3, 5], [6], [6]], points=8),
    BlockDesign.from_blocks([[0, 1, 2, 3], [], [0, 1, 2, 3], [2], [3], [2, 3], []], points=4),
    BlockDesign.from_blocks([[0, 1, 2]] * 2 + [[0, 3, 4]] * 2 + [[1, 3, 5]] * 3, points=6),
    BlockDesign.from_blocks([[0, 1], [0, 1, 2, 3, 4], [5, 6], [6, 7]], points=9),
    BlockDesign.from_blocks([[0], [1, 2], [0], [], [1, 2], [1, 2], [3, 4, 5], [6]], points=8),
    BlockDesign.from_blocks([[], [], []], points=0),
    BlockDesign.from_blocks([[], []], points=3),
    BlockDesign.from_blocks([], points=3),
    BlockDesign.from_blocks([], points=0),
]


def check_thresholds(design: BlockDesign, expected: list[int]) -> None:
    placement = code_of(design).placement
    facts = placement_facts(placement)
    for how in (Settings(), Settings(method="bounds")):
        profile = threshold_profile(placement, how)
        for result, least in zip(profile, expected, strict=True):
            check_attack(placement, result, least)
        assert sorted(r.lower for r in profile) == [r.lower for r in profile]
        assert sorted(r.upper for r in profile) == [r.upper for r in profile]
    for how in (Settings(), Settings(method="greedy")):
        eta = (design.v + 1) // 2
        check_attack(placement, threshold(placement, eta, how), expected[eta])
    for eta, least in enumerate(expected):
        check_attack(placement, threshold(placement, eta, Settings(method="bounds")), least)
        for bound in threshold_bounds(facts, eta):
            assert bound.value <= least if bound.side == "lower" else bound.value >= least


def check_attack(placement: Any, result: AttackResult, least: int) -> None:
    assert result.lower <= least <= result.upper == len(result.workers)
    assert result.stopped is None
    assert result.status == ("exact" if result.lower == result.upper else "bracket")
    if result.settings["method"] == "exact":
        assert result.value == least
    assert result.workers == tuple(sorted(set(result.workers)))
    silenced = set(result.workers)
    blocks = placement.design.blocks()
    alive = {j for w, block in enumerate(blocks) if w not in silenced for j in block}
    assert not alive & set(result.parts)
    assert len(result.parts) == result.asked
    assert silenced == {w for w, block in enumerate(blocks) if set(block) & set(result.parts)}


def check_errors(
    design: BlockDesign,
    decoder: Literal["optimal", "one-step"],
    errors: dict[Silenced, Fraction],
    worst: list[Fraction],
    least: list[Fraction],
) -> None:
    code = code_of(design)
    facts = placement_facts(code.placement)
    profile = worst_case_error_profile(code, decoder=decoder)
    assert [result.value for result in profile] == worst
    for stragglers, result in enumerate(profile):
        assert result.tolerance == 0
        assert errors[result.workers] == result.value
        if result.least is not None:
            assert result.least.value == least[stragglers] == errors[result.least.workers]
        find = error_bounds if decoder == "optimal" else one_step_bounds
        for bound in find(code, facts, stragglers):
            below = bound.side == "lower"
            assert bound.value <= worst[stragglers] if below else bound.value >= worst[stragglers]
        for how in (Settings(method="greedy"), Settings(method="bounds")):
            found = worst_case_error(code, stragglers, decoder=decoder, settings=how)
            assert found.lower == errors[found.workers]
            assert found.lower <= worst[stragglers] <= found.upper
            assert found.stopped is None
            assert found.status == ("exact" if found.lower == found.upper else "bracket")
    for error in {min(e, Fraction(design.v)) for e in (*worst, Fraction(design.v, 3))}:
        found = error_threshold(code, error, decoder=decoder)
        assert found.value == next(s for s, e in enumerate(worst) if e >= error)
        assert errors[found.workers] >= error
        bounds = Settings(method="bounds")
        bracket = error_threshold(code, error, decoder=decoder, settings=bounds)
        assert bracket.lower <= found.value <= bracket.upper == len(bracket.workers)


@QUIET
@given(designs())
def test_thresholds(thresholds: Thresholds, design: BlockDesign) -> None:
    check_thresholds(design, thresholds(design.blocks(), design.v))


@pytest.mark.parametrize("design", LOOPS, ids=str)
def test_thresholds_of_chosen_ones(thresholds: Thresholds, design: BlockDesign) -> None:
    check_thresholds(design, thresholds(design.blocks(), design.v))


@pytest.mark.parametrize("seed", range(3))
def test_thresholds_by_another_solver(
    milp_threshold: Callable[[Blocks, int, int], int], seed: int
) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.random((12, 11)) < (0.3 if seed % 2 else 0.5)
    code = GradientCode.from_matrix(matrix)
    blocks = code.placement.design.blocks()
    profile = threshold_profile(code.placement)
    assert [r.value for r in profile] == [milp_threshold(blocks, 11, eta) for eta in range(12)]


@QUIET
@given(designs(6))
def test_optimal_errors(
    errors_of_sets: Errors, worst_by_size: BySize, least_by_size: BySize, design: BlockDesign
) -> None:
    errors = errors_of_sets(matrix_of(design), design.v)
    worst, least = worst_by_size(errors, design.b), least_by_size(errors, design.b)
    assert worst == sorted(worst)
    for silenced, error in errors.items():
        assert code_of(design).decode(silenced).error_exact == error
    check_errors(design, "optimal", errors, worst, least)


@pytest.mark.parametrize("design", LOOPS, ids=str)
def test_optimal_errors_of_chosen_ones(
    errors_of_sets: Errors, worst_by_size: BySize, least_by_size: BySize, design: BlockDesign
) -> None:
    errors = errors_of_sets(matrix_of(design), design.v)
    worst, least = worst_by_size(errors, design.b), least_by_size(errors, design.b)
    check_errors(design, "optimal", errors, worst, least)


@QUIET
@given(designs(6))
def test_one_step_errors(
    one_step_error: OneStep, worst_by_size: BySize, least_by_size: BySize, design: BlockDesign
) -> None:
    blocks, workers = design.blocks(), range(design.b)
    sets = [s for size in range(design.b + 1) for s in combinations(workers, size)]
    errors = {silenced: one_step_error(blocks, design.v, silenced) for silenced in sets}
    worst, least = worst_by_size(errors, design.b), least_by_size(errors, design.b)
    check_errors(design, "one-step", errors, worst, least)


@QUIET
@given(designs(), st.data())
def test_lost_parts(design: BlockDesign, data: st.DataObject) -> None:
    placement = code_of(design).placement
    workers = st.integers(0, max(0, design.b - 1))
    silenced = data.draw(st.lists(workers, unique=True, max_size=design.b)) if design.b else []
    alive = {j for w, block in enumerate(design.blocks()) if w not in silenced for j in block}
    assert placement.lost_parts(silenced).tolist() == sorted(set(range(design.v)) - alive)
