"""Bounds of Berrut codes: never violated; Lebesgue constants; what is near enough.

Oracles: functions whose derivatives are known exactly, fine quadrature, all subsets.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import combinations
from math import pi
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.codes.computing import (
    BerrutCode,
    amplification,
    decoding_constants,
    decoding_quality,
    estimated_derivatives,
    guaranteed_constants,
    lebesgue_constant,
    lebesgue_of,
    make_nodes,
    part_constants,
    results_needed,
    worst_constants,
)
from gcdesign.errors import InputError, LimitError

REFERENCE: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "berrut_reference_values.json").read_text("utf-8")
)
Function = Callable[[Any], Any]


@st.composite
def smooth(draw: st.DrawFn) -> tuple[Function, float, float]:
    """A function on [−1, 1] with bounds of its first and second derivative that hold there."""
    kind = draw(st.sampled_from(["wave", "power", "kink"]))
    size = draw(st.floats(0.1, 5))
    if kind == "wave":
        pace, shift = draw(st.floats(0.1, 30)), draw(st.floats(0, 2 * pi))
        return (lambda z: size * np.sin(pace * z + shift)), size * pace, size * pace**2
    if kind == "power":
        power = draw(st.integers(2, 9))
        return (lambda z: size * z**power), size * power, size * power * (power - 1)
    place = draw(st.floats(-1, 1))  # a parabola from a place on: its second derivative jumps
    bound = 2 * size * (1 + abs(place))
    return (lambda z: size * np.maximum(0.0, z - place) ** 2), bound, 2 * size


@st.composite
def subset(draw: st.DrawFn, workers: int) -> list[int]:
    """Workers that return: any set, or one with runs missing, which is worse."""
    if draw(st.booleans()):
        return sorted(draw(st.sets(st.integers(0, workers - 1), min_size=1)))
    start = draw(st.integers(0, workers - 1))
    gone = set(range(start, draw(st.integers(start, workers - 1))))
    return [worker for worker in range(workers) if worker not in gone]


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_the_bounds_are_never_violated(data: st.DataObject) -> None:
    """h is given on the line itself: what the workers return is h(β_i), the truth h(α_j)."""
    workers, parts = data.draw(st.integers(1, 40)), data.draw(st.integers(1, 12))
    degree = data.draw(st.sampled_from([0, 0, 0, 1, 3]))
    code = BerrutCode(parts, workers, degree)
    h, slope, curvature = data.draw(smooth())
    kept = data.draw(subset(workers))
    rounding = 1e-9 * (1 + slope + curvature)
    decoded = code.decode({worker: h(code.beta[worker]) for worker in kept})
    errors = np.abs(decoded - h(code.alpha))
    for error, constants in zip(errors, part_constants(code, kept), strict=True):
        bound = constants.bound(curvature=curvature, slope=slope)
        assert bound is not None
        assert error <= bound + rounding
    overall = decoding_constants(code, kept)
    if degree == 0:
        formula = guaranteed_constants(workers, workers - len(kept))
        assert overall.curvature <= formula.curvature * (1 + 1e-9)
        assert overall.slope <= formula.slope * (1 + 1e-9)


def test_the_constant_is_attained() -> None:
    """h″ = ±1 with the sign of the kernel makes the error equal to the bound: none is smaller."""
    code = BerrutCode(3, 8)
    kept = [0, 1, 3, 4, 5, 7]
    nodes, row, z = code.beta[kept], code.decoding(kept)[0], code.alpha[0]
    t = np.linspace(-1, 1, 400_001)
    beyond = np.where(t > z, 1, -1)[:, None] * (nodes - t[:, None])
    kernel = np.maximum(0.0, beyond) @ row
    width = t[1] - t[0]
    area = float(np.abs(kernel).sum()) * width
    assert part_constants(code, kept)[0].curvature == pytest.approx(area, rel=1e-4)
    second = np.sign(kernel)
    first = np.cumsum(second) * width
    h = np.cumsum(first) * width
    error = row @ np.interp(nodes, t, h) - np.interp(z, t, h)
    assert abs(error) == pytest.approx(area, rel=1e-3)


def test_the_formula_of_the_paper() -> None:
    """The reference counts N + 1 workers."""
    expected = REFERENCE["bacc_bound"]
    assert guaranteed_constants(11, 1).bound(curvature=1.0) == pytest.approx(
        expected["bound N=10 s=1 |h1|=1 |h2|=1"], abs=1e-12
    )
    assert guaranteed_constants(11, 2).bound(curvature=1.0, slope=1.0) == pytest.approx(
        expected["bound N=10 s=2"], abs=1e-12
    )
    ratio = guaranteed_constants(11, 0).slope / (2 * np.sin(pi / 20)) - 1
    assert ratio == pytest.approx(expected["R s=0"], abs=1e-12)
    assert guaranteed_constants(1, 0).curvature >= 1


def test_the_formula_covers_every_subset_up_to_10_workers() -> None:
    for workers in range(1, 11):
        code = BerrutCode(7, workers)
        for stragglers in range(workers):
            formula = guaranteed_constants(workers, stragglers)
            worst = worst_constants(code, stragglers)
            assert worst.curvature <= formula.curvature
            assert worst.slope <= formula.slope
            assert (worst.slope == 0) == (formula.slope == 0)
            some = decoding_constants(code, range(stragglers, workers))
            assert some.curvature <= worst.curvature


def test_estimates_come_from_the_results() -> None:
    code = BerrutCode(3, 9)
    h = 4 * code.beta**2 + code.beta
    received = code.receive(enumerate(np.stack([h, 0 * h], axis=1)))
    slope, curvature = estimated_derivatives(code, received)
    assert curvature == pytest.approx(8.0)
    assert slope is not None
    assert 8 < slope <= 9
    found = decoding_quality(code, received, tolerance=10.0)
    assert found.norms == "estimated"
    assert found.bound is not None
    errors = np.abs(code.decode(received)[:, 0] - (4 * code.alpha**2 + code.alpha))
    assert errors.max() <= found.bound * (1 + 1e-9)
    assert found.enough is True


def test_too_few_results_say_nothing_of_derivatives() -> None:
    """One point has no slope and two no curvature, so that there is no bound to be kept."""
    code = BerrutCode(3, 9)
    for some, known in (((0,), (None, None)), ((0, 1), (1.0, None)), ((0, 1, 8), (1.0, 0.0))):
        received = code.receive({worker: code.beta[worker] for worker in some})
        assert estimated_derivatives(code, received) == pytest.approx(known, abs=1e-12)
        found = decoding_quality(code, received, tolerance=10.0)
        assert (found.bound is None) == (len(some) < 3)
        assert found.enough is (None if len(some) < 3 else True)
        assert found.norms == (None if len(some) < 3 else "estimated")
    alone = decoding_quality(code, code.receive({0: 1.0}), curvature=1.0)
    assert alone.bound is None  # ‖h′‖ is not given, and one result does not tell it


# --- Lebesgue constants ---------------------------------------------------------------------


def brute_lebesgue(nodes: Any, points: int = 20_001) -> float:
    z = np.linspace(-1, 1, points)
    gaps = z[:, None] - nodes
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = (-1.0) ** np.arange(len(nodes)) / gaps
        return float(np.nanmax(np.abs(terms).sum(axis=1) / np.abs(terms.sum(axis=1))))


@pytest.mark.parametrize(("last", "expected"), [(8, (2.64, 4.98, 5.31)), (12, (2.70, 4.90, 6.25))])
def test_worst_lebesgue_constants(last: int, expected: tuple[float, ...]) -> None:
    """Measured by another program on a grid, so from below, to two digits."""
    nodes = make_nodes("chebyshev-2", last + 1)
    for stragglers, value in enumerate(expected):
        kept = combinations(range(last + 1), last + 1 - stragglers)
        worst = max(lebesgue_of(nodes[list(some)]) for some in kept)
        assert value - 0.005 <= worst <= value + 0.01
    assert lebesgue_of("chebyshev-2", count=31) == pytest.approx(3.17, abs=0.005)


def test_the_search_is_never_below_a_grid() -> None:
    rng = np.random.default_rng(8)
    for workers in (3, 10, 40):
        code = BerrutCode(3, workers)
        kept = np.sort(rng.permutation(workers)[: max(2, workers - 4)])
        found = lebesgue_constant(code, kept)
        assert brute_lebesgue(code.beta[kept]) <= found * (1 + 1e-12)
        assert found <= brute_lebesgue(code.beta[kept], 100_001) * (1 + 1e-3)
        assert amplification(code, kept) <= found * (1 + 1e-9)


def test_polynomials_explode_and_berrut_does_not() -> None:
    """2^n/(e n ln n) for equispaced nodes, as any textbook has it; logarithmic for Berrut."""
    polynomial = lebesgue_of("equispaced", count=31, degree=30)
    assert polynomial == pytest.approx(2**31 / (np.e * 30 * np.log(30)), rel=0.5)
    assert lebesgue_of("equispaced", count=31) < 2 + np.log(31)
    assert lebesgue_of([0.3]) == lebesgue_of([0.3], interval=(0.3, 0.3)) == 1.0


# --- quality --------------------------------------------------------------------------------


def test_how_far_from_enough() -> None:
    code = BerrutCode(4, 30)
    needed = results_needed(code, tolerance=0.5, curvature=1.0, slope=1.0)
    assert needed is not None
    for results in range(needed, 31):
        constants = worst_constants(code, 30 - results)
        bound = constants.bound(curvature=1.0, slope=1.0)
        assert bound is not None
        assert bound <= 0.5
    found = decoding_quality(code, range(5), curvature=1.0, slope=1.0, tolerance=0.5)
    assert (found.enough, found.needed, found.short_by) == (False, needed, needed - 5)
    assert found.stragglers == 25
    near = decoding_quality(code, range(0, 30, 2), curvature=1.0, slope=1.0, tolerance=0.5)
    assert (near.enough, near.short_by) == (True, 0)
    assert decoding_quality(code, range(5)).bound is None
    assert decoding_quality(code, range(5), curvature=1.0).bound is None  # odd: ‖h′‖ is missing
    assert results_needed(code, tolerance=0.0, curvature=1.0, slope=1.0) is None


def test_wrong_questions() -> None:
    code = BerrutCode(4, 30)
    with pytest.raises(InputError, match="tolerance=-1"):
        decoding_quality(code, [1], tolerance=-1.0)
    with pytest.raises(InputError, match="curvature=nan"):
        decoding_quality(code, [1, 2], curvature=float("nan"))
    with pytest.raises(InputError, match="stragglers=30 of 30 workers; expected 0 to 29"):
        guaranteed_constants(30, 30)
    with pytest.raises(InputError, match="stragglers=-1"):
        worst_constants(code, -1)
    with pytest.raises(InputError, match=r"workers=5.5; expected a whole number"):
        guaranteed_constants(5.5, 1)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="slope=-1"):
        decoding_quality(code, [1, 2], slope=-1.0)
    with pytest.raises(InputError, match=r"curvature=1e\+308 overflows"):
        decoding_quality(code, [1], curvature=1e308, slope=1e308)
    with pytest.raises(InputError, match="their differences overflow; scale them down"):
        decoding_quality(code, code.receive({1: 1.7e308, 2: -1.7e308, 3: 1.7e308}))
    with pytest.raises(LimitError, match="30045015 sets of 10 stragglers"):
        worst_constants(code, 10)
