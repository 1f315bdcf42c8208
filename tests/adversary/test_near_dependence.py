"""0/1 codes whose workers are so nearly dependent that floats cannot tell: exact must stay exact.

A triangular 0/1 matrix can have an inverse with entries like Fibonacci numbers. Its last row is
then independent of the others, but only just, and a search in floating point loses it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from gcdesign.adversary import Settings, error_threshold, worst_case_error, worst_case_error_profile
from gcdesign.adversary.worst_error import enumeration
from gcdesign.adversary.worst_error.enumeration import (
    MAX_LEADERS,
    count_sets,
    optimal_extremes,
    work,
)
from gcdesign.codes import GradientCode
from gcdesign.designs import BlockDesign, projective_geometry

Silenced = tuple[int, ...]
Errors = Callable[[Sequence[Sequence[Any]], int], dict[Silenced, Fraction]]
Matrix = NDArray[np.int64]


def fibonacci(n: int) -> Matrix:
    """Return I + N + N³ + N⁵ + …, N the shift: its inverse grows like the golden ratio's powers."""
    gaps = np.subtract.outer(np.arange(n), np.arange(n)).T
    ones: Matrix = ((gaps == 0) | ((gaps > 0) & (gaps % 2 == 1))).astype(np.int64)
    return ones


def beside(a: Matrix, b: Matrix) -> Matrix:
    corner = np.zeros((len(a), b.shape[1]), dtype=np.int64)
    return np.block([[a, corner], [np.zeros((len(b), a.shape[1]), dtype=np.int64), b]])


def never(_: int, __: float) -> bool:
    return False


def triangle_and_plane(triangle: Matrix, q: int) -> GradientCode:
    """Return a triangle, of which a worker with one part can replace any, beside a plane.

    The triangle loses nothing to a single straggler, the plane 1/(q + 2).
    """
    unit = np.eye(1, len(triangle), dtype=np.int64)
    plane = projective_geometry(q).dense_incidence().astype(np.int64)
    return GradientCode.from_matrix(beside(np.vstack([unit, triangle]), plane))


def error_of(code: GradientCode, silenced: Silenced) -> Fraction:
    error = code.decode(silenced).error_exact
    assert error is not None
    return error


@pytest.mark.parametrize("n", [16, 24, 40])
@pytest.mark.parametrize("turn", range(4))
def test_the_worst_single_straggler(n: int, turn: int) -> None:
    code = triangle_and_plane(np.rot90(fibonacci(n), turn), 3)
    errors = [error_of(code, (worker,)) for worker in range(code.workers)]
    result = worst_case_error(code, 1)
    assert result.status == "exact"
    assert result.value == max(errors) == errors[result.workers[0]]
    if result.least is not None:
        assert result.least.value == min(errors)


def test_a_bracket_where_the_worst_sets_cannot_be_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A worker of the triangle with each one of the plane: too many sets to be decoded singly.
    monkeypatch.setattr(enumeration, "MAX_LEADERS", 16)
    code = triangle_and_plane(fibonacci(40), 4)
    result = worst_case_error(code, 2)
    assert result.status == "bracket"
    assert result.stopped is not None
    assert "rounding" in result.stopped
    assert result.lower == error_of(code, result.workers)
    assert max(error_of(code, s) for s in ((0, 1), (0, 61), (60, 61))) <= result.upper


@pytest.mark.parametrize("n", [14, 20, 26])
def test_intervals_hold_the_errors(n: int) -> None:
    extra = np.eye(n, dtype=np.int64)[:2]
    for matrix in (fibonacci(n), fibonacci(n).T, np.vstack([extra, fibonacci(n)[::-1]])):
        code = GradientCode.from_matrix(matrix)
        for stragglers in (0, 1, code.workers - 1):
            found = optimal_extremes(code.dense_encoding(), stragglers, never)[stragglers]
            sets = combinations(range(code.workers), stragglers)
            errors = {silenced: error_of(code, silenced) for silenced in sets}
            assert found.complete
            assert found.least <= min(errors.values())
            assert found.worst[0][0] >= max(errors.values())
            assert len(found.worst) == min(MAX_LEADERS, len(errors))
            for upper, silenced in found.worst + found.mildest:
                assert upper >= errors[silenced]
            # All sets that were left out lie below the last that was kept.
            kept = {silenced for _, silenced in found.worst}
            assert all(e <= found.worst[-1][0] for s, e in errors.items() if s not in kept)


@pytest.mark.parametrize("seed", range(4))
def test_intervals_of_random_codes(errors_of_sets: Errors, seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = 7, int(rng.integers(3, 8))
    whole = (rng.random((n, k)) < 0.5).astype(float)
    for matrix in (whole, rng.normal(size=(n, k)), rng.integers(-2, 3, (n, k)) / 3):
        errors = errors_of_sets(matrix.tolist(), k)
        for stragglers, found in optimal_extremes(matrix, None, never).items():
            of_size = {s: float(e) for s, e in errors.items() if len(s) == stragglers}
            assert found.least <= min(of_size.values()) + 1e-15
            assert found.worst[0][0] >= max(of_size.values())
            for upper, silenced in found.worst + found.mildest:
                assert of_size[silenced] * (1 - 1e-15) <= upper <= of_size[silenced] + 1e-6


def test_equal_errors_are_known_to_be_equal() -> None:
    # Loads of 3 keep the denominators so small that a float settles which errors are equal.
    shifts = [sorted((i + s) % 9 for s in (0, 1, 3)) for i in range(9)]
    code = GradientCode.from_design(BlockDesign.from_blocks(shifts, points=9))
    for result in worst_case_error_profile(code):
        assert (result.status, result.tolerance) == ("exact", 0)


def test_a_tolerance_where_equal_errors_are_not_proved_equal() -> None:
    matrix = np.array(
        [[(j - i) % 16 in (0, 1, 2, 4, 7, 8, 11) for j in range(16)] for i in range(16)]
    )
    code = GradientCode.from_matrix(matrix)
    result = worst_case_error(code, 2)
    assert result.status == "exact"
    assert result.value == max(error_of(code, s) for s in combinations(range(16), 2))
    assert 0 <= result.tolerance <= 1e-9 * 16
    found = error_threshold(code, result.value)
    assert found.value == 2
    assert error_threshold(code, Fraction(result.value) + Fraction(1, 10**6)).value == 3


def test_greedy_searches_survive_near_dependence() -> None:
    code = GradientCode.from_matrix(fibonacci(24))
    for stragglers in (0, 1, 3, 23, 24):
        result = worst_case_error(code, stragglers, settings=Settings(method="greedy"))
        assert result.lower == code.decode(result.workers).error_exact
        assert result.lower <= result.upper == 24


def test_work_is_counted_node_by_node() -> None:
    def nodes(workers: int, stragglers: int | None) -> int:
        total, level = 0, {0: 1}  # silenced so far: number of nodes
        for decided in range(workers + 1):
            left = workers - decided
            total += sum(level.values()) * (left + 1) ** 2
            grown: dict[int, int] = {}
            for size, count in level.items():
                for next_size in (size, size + 1):
                    reach = stragglers is None or next_size <= stragglers <= next_size + left - 1
                    if left and reach:
                        grown[next_size] = grown.get(next_size, 0) + count
            level = grown
        return total

    for workers in range(8):
        assert work(workers, None) == nodes(workers, None)
        for stragglers in range(workers + 1):
            assert work(workers, stragglers) == nodes(workers, stragglers)
            assert count_sets(workers, stragglers) == len(
                list(combinations(range(workers), stragglers))
            )


def test_more_sets_than_can_be_written_out() -> None:
    design = BlockDesign.from_blocks([[0], [0, 1]] + [[1]] * 15000, points=2)
    code = GradientCode.from_design(design)
    assert code.structure is None
    result = worst_case_error(code, 7500)
    assert result.stopped == "over 10^15 sets are too many for an exhaustive search"
    assert result.lower <= result.upper


TIED = """
5,7,8,9,11 0,3,5,10,12 0,3,6,9,10 1,7,8,10,13 1,6,8,11,13 0,2,3,11,12 0,1,4,6,7
1,3,4,7,13 4,6,7,10,12 2,3,4,6,10 0,2,8,9,12 2,5,9,12,13 1,2,5,9,11 4,5,8,11,13
"""
"""The shifts of one block of five modulo 14, renamed."""


def test_a_tie_of_all_sets_is_decoded_where_floats_leave_a_gap() -> None:
    """Every straggler costs the same 113/2917; fractions over 2917 · 5¹³ come closer than floats.

    No fraction is ruled out by its denominator, so that all 14 sets are decoded.
    """
    blocks = [[int(part) for part in block.split(",")] for block in TIED.split()]
    code = GradientCode.from_design(BlockDesign.from_blocks(blocks, points=14))
    result = worst_case_error(code, 1)
    assert (result.value, result.tolerance) == (error_of(code, result.workers), 0)
