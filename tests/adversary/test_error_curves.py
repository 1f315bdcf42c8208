"""Curves: values, brackets and bounds, for any code."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from gcdesign.adversary import Settings, error_curve, figure_one, worst_case_error
from gcdesign.adversary.curve import common_isolation_bound, isolation_bound, ramanujan_bound
from gcdesign.codes import GradientCode, load_code
from gcdesign.errors import InputError


def random_regular(workers: int, load: int, seed: int) -> GradientCode:
    rng = np.random.default_rng(seed)
    matrix = np.zeros((workers, workers), dtype=int)
    while matrix.sum(axis=0).tolist() != [load] * workers or matrix.max() > 1:
        matrix = np.sum(
            [np.eye(workers, dtype=int)[rng.permutation(workers)] for _ in range(load)], 0
        )
    return GradientCode.from_matrix(matrix)


@pytest.mark.parametrize("method", ["greedy", "bounds"])
def test_brackets_rise(method: str) -> None:
    code = random_regular(24, 3, 0)
    settings = Settings(method="greedy" if method == "greedy" else "bounds")
    curve = error_curve(code, settings=settings)
    assert list(curve.lower) == sorted(curve.lower)
    assert list(curve.upper) == sorted(curve.upper)
    assert curve.stragglers == tuple(range(25))
    assert curve.upper[-1] == curve.lower[-1] == 24
    assert curve.lower[0] == 0
    for lower, upper, status in zip(curve.lower, curve.upper, curve.statuses, strict=True):
        assert lower <= upper
        assert status == ("exact" if lower == upper else "bracket")
    assert curve.exact == (set(curve.statuses) == {"exact"})
    assert curve.stopped == ()
    exact = worst_case_error(code, 3)
    assert curve.lower[3] <= exact.value <= curve.upper[3]


def test_a_limit_is_told_once() -> None:
    curve = error_curve(random_regular(24, 3, 1), settings=Settings(time_limit=0))
    assert curve.stopped == ("time limit of 0 s",)


@pytest.mark.parametrize("q", [2, 3, 4])
def test_figure_one_for_other_orders(q: int) -> None:
    curves, bounds = figure_one(q)
    plane, dual, affine, repeated, plain = curves
    lines = q * q + q + 1
    assert [c.workers for c in curves] == [lines, q * q, q * q + q, (q + 1) ** 2, lines]
    assert [c.parts for c in curves] == [lines, q * q + q, q * q, (q + 1) ** 2, lines]
    for s in range(lines + 1):
        assert plane.upper[s] == Fraction(q * s, (q + 1) ** 2 - s)
        assert plain.upper[s] == s
    for s in range(q * q + 1):
        assert dual.upper[s] == Fraction((q + 1) * s, q * q + q - s)
    for s in range(0, q * q + q + 1, q + 1):
        assert affine.upper[s] == Fraction(q * s, (q + 1) ** 2 - s)
    for s in range((q + 1) ** 2 + 1):
        assert repeated.upper[s] == (q + 1) * (s // (q + 1))
    ramanujan, isolation = bounds
    # Neither an upper bound for all codes nor a lower one may lie on the wrong side of a plane.
    for x, bound in zip(isolation.fractions, isolation.values, strict=True):
        assert bound <= float(plane.upper[round(x * lines)]) / lines
    assert ramanujan.values[0] == 0
    assert list(ramanujan.values) == sorted(ramanujan.values)


def test_figure_one_under_one_step_decoding() -> None:
    optimal, _ = figure_one(2)
    simple, _ = figure_one(2, decoder="one-step")
    for best, other in zip(optimal, simple, strict=True):
        assert other.exact
        assert all(a <= b for a, b in zip(best.upper, other.upper, strict=True))
    # In a plane the best decoder gives all survivors one weight, but a smaller one.
    assert simple[0].upper[1] > optimal[0].upper[1]


def test_figure_one_needs_a_prime_power() -> None:
    with pytest.raises(InputError, match="6"):
        figure_one(6)


def test_bound_curves() -> None:
    curve = isolation_bound(12, 9, 4)
    assert curve.fractions == tuple(s / 12 for s in range(13))
    assert curve.values == tuple(s // 4 / 9 for s in range(13))
    assert "⌊S/R⌋" in curve.label
    assert "⌊S/L⌋" in isolation_bound(9, 9, 3).label
    curve = ramanujan_bound(5)
    for x, value in zip(curve.fractions, curve.values, strict=True):
        assert value == pytest.approx(16 / 25 * x / (1 - x))
    assert max(curve.fractions) < 1


def test_common_bounds_without_repetition() -> None:
    codes = [load_code("pg:q=2"), load_code("pg:q=2"), load_code("ag:q=2")]
    codes += [GradientCode.from_matrix([[1, 0], [1, 1]]), GradientCode.from_matrix([[0, 0]])]
    codes += [GradientCode.from_matrix([[2.0, 0], [0, 2.0]])]
    assert len(common_isolation_bound(codes)) == 2
