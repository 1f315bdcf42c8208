"""Density evolution against reference values, textbook thresholds, and simulation."""

from __future__ import annotations

import json
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.codes import load_code
from gcdesign.codes.ldgm.chances import bias, evolved_chances
from gcdesign.codes.ldgm.ensemble import Ensemble, Poisson
from gcdesign.codes.ldgm.evolution import (
    erasure_recursion,
    evolve,
    evolve_erasures,
    fixed_points,
    recursion_of,
)
from gcdesign.codes.ldgm.finite import estimate, simulate, simulate_code
from gcdesign.codes.times import parse_time
from gcdesign.designs.ensembles.degrees import Degrees, parse_degrees
from gcdesign.errors import InputError

DATA = Path(__file__).parents[2] / "data" / "ldgm_reference_values.json"
REFERENCE: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
CASES = REFERENCE["DE_cases"]
REGULAR = Ensemble(Degrees.regular(3), Degrees.regular(6))


def ensemble_of(case: dict[str, Any]) -> Ensemble:
    loads = Degrees.from_table({int(degree): share for degree, share in case["R"].items()})
    return Ensemble(Degrees.regular(case["dv"]), loads)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"mu={case['mu']},dv={case['dv']}")
def test_reference_values(case: dict[str, Any]) -> None:
    ensemble, time = ensemble_of(case), parse_time(f"exp:rate={case['mu']}")
    assert ensemble.rate == case["rate"]
    found = evolve(ensemble, time, case["t0"])
    assert found.edge_erasure == pytest.approx(case["x"], abs=1e-12)
    assert found.message_erasure == pytest.approx(case["y"], abs=1e-12)
    assert found.unrecovered == pytest.approx(case["unrec"], abs=1e-12)
    assert found.starts
    assert found.slope < 1


def test_reference_trace() -> None:
    trace = REFERENCE["DE_trace_dv3_R1=.5_R2=.5_mu2"]
    found = evolve(ensemble_of(CASES[0]), parse_time("exp:rate=2"), 1.0)
    np.testing.assert_allclose(found.trace[: len(trace)], trace, rtol=0, atol=1e-12)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"mu={case['mu']},dv={case['dv']}")
def test_simulation_agrees(case: dict[str, Any]) -> None:
    """With K = 10⁴, of the share in the end and of the share after each round."""
    ensemble, time = ensemble_of(case), parse_time(f"exp:rate={case['mu']}")
    found = simulate(ensemble, time, 1.0, parts=10_000, runs=10, confidence=0.99)
    assert found.unrecovered.holds(case["unrec"])
    assert found.workers == 20_000
    evolved = evolve(ensemble, time, 1.0).unrecovered_trace
    for simulated, expected in zip(found.rounds[:4], evolved[:4], strict=True):
        assert simulated == pytest.approx(expected, abs=0.01)


def test_lt_codes_agree_with_simulation() -> None:
    """Parts chosen uniformly have Poisson degrees."""
    loads = parse_degrees("0.3x+0.4x^2+0.3x^3")
    ensemble = Ensemble(Poisson(4.0), loads)
    time = parse_time("exp:rate=3")
    found = simulate(ensemble, time, 1.0, parts=10_000, runs=10, confidence=0.99)
    assert found.unrecovered.holds(evolve(ensemble, time, 1.0).unrecovered)


# --- the channel of textbooks -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("erasure", "decodes"), [(0.42, True), (0.4294, True), (0.4295, False), (0.5, False)]
)
def test_the_3_6_code(erasure: float, decodes: bool) -> None:
    assert (evolve_erasures(REGULAR, erasure, ldpc=True).edge_erasure < 1e-9) == decodes


def test_fixed_points_of_the_3_6_code() -> None:
    """Roots of ε(1 − (1 − x)⁵)² = x, by numpy."""
    u = np.polynomial.Polynomial([1, -1])
    roots: Any = (0.45 * (1 - u**5) ** 2 - np.polynomial.Polynomial([0, 1])).roots()
    real = sorted(
        (r.real for r in roots if abs(r.imag) < 1e-9 and -1e-9 < r.real <= 1), reverse=True
    )
    found = fixed_points(erasure_recursion(REGULAR, 0.45, ldpc=True))
    np.testing.assert_allclose([point.x for point in found], real, atol=1e-9)
    assert [point.stable for point in found] == [True, False, True]


# --- the largest fixed point ------------------------------------------------------------------


@given(
    st.integers(2, 6),
    st.dictionaries(st.integers(1, 12), st.integers(1, 9), min_size=1, max_size=4),
    st.floats(0.1, 5.0),
)
@settings(max_examples=100, deadline=None)
def test_no_fixed_point_is_passed(copies: int, weights: dict[int, int], rate: float) -> None:
    """The quick search ends where very many plain iterations end, and above no fixed point."""
    loads = Degrees.from_table({d: w / sum(weights.values()) for d, w in weights.items()})
    recursion = recursion_of(
        Ensemble(Degrees.regular(copies), loads), parse_time(f"exp:rate={rate}"), 1.0
    )
    found = recursion.fixed_point(1.0)
    x = 1.0
    for _ in range(20_000):
        following = recursion.step(x)
        if x - following < 1e-15:
            break
        x = following
    assert found <= x + 1e-13
    assert x - found <= 1e-9 or abs(1 - recursion.slope(found)) < 1e-2
    assert abs(recursion.step(found) - found) <= 1e-14


def test_an_ensemble_without_a_start() -> None:
    twos, time = Ensemble(Degrees.regular(4), Degrees.regular(2)), parse_time("exp:rate=2")
    still = evolve(twos, time, 1.0)
    assert (still.edge_erasure, still.unrecovered, still.starts) == (1, 1, False)
    assert still.takes_off == pytest.approx(3 * (1 - exp(-1)))
    reference = REFERENCE["horii_optima"][3]
    assert evolve(twos, time, 1.0, seeded=True).edge_erasure == pytest.approx(
        reference["x"], abs=1e-4
    )
    few = Ensemble(Degrees.regular(4), Degrees.from_table({1: 1e-5, 2: 1 - 1e-5}))
    assert evolve(few, time, 1.0).edge_erasure == pytest.approx(0.07, abs=1e-3)
    slow = evolve(twos, parse_time("exp:rate=0.5"), 1.0, seeded=True)
    assert slow.takes_off < 1
    assert slow.edge_erasure == 1


def test_an_interval_of_runs_that_do_not_differ() -> None:
    """What n equal runs leave open: a chance p of something else, (1 − p)^n = 0.05."""
    for value, expected in ((0.0, (0.0, 0.2589)), (1.0, (0.7411, 1.0)), (0.5, (0.3706, 0.6294))):
        found = estimate(np.full(10, value), 0.95)
        assert (found.lower, found.upper) == pytest.approx(expected, abs=1e-4)
    rare = simulate(
        Ensemble(Degrees.regular(3), Degrees.regular(1)), parse_time("exp:rate=6"), 1.0, parts=50
    )
    assert rare.unrecovered.mean == 0
    assert rare.unrecovered.holds(exp(-18))


# --- wrong input ------------------------------------------------------------------------------


def test_refusals() -> None:
    time = parse_time("exp:rate=2")
    for wrong, message in (
        (lambda: evolve(REGULAR, time, -1.0), "^deadline=-1.0; expected 0 or more$"),
        (lambda: evolve(REGULAR, time, float("nan")), "^deadline=nan"),
        (lambda: evolve_erasures(REGULAR, 1.5), "^erasure=1.5; expected 0 to 1$"),
        (lambda: Poisson(0.0), "^mean=0.0; expected a positive"),
        (lambda: simulate(REGULAR, time, 1.0, parts=0), "^parts=0"),
        (lambda: simulate(REGULAR, time, 1.0, parts=9, runs=1), "^runs=1"),
        (lambda: simulate(REGULAR, time, 1.0, parts=9, seed=-1), "^seed=-1"),
        (lambda: simulate(REGULAR, time, 1.0, parts=9, confidence=1.0), "^confidence=1.0"),
        (lambda: simulate(REGULAR, time, 1.0, parts=3), "degree 6, and there are 3 parts"),
        (lambda: estimate(np.zeros(3), float("nan")), "^confidence=nan"),
        (lambda: estimate(np.zeros(1), 0.9), "^runs=1; expected 2 or more"),
    ):
        with pytest.raises(InputError, match=message):
            wrong()


def test_an_f_that_is_no_distribution_function() -> None:
    class Growing(type(parse_time("exp:rate=1").law)):  # type: ignore[misc]
        def _cdf(self, t: Any) -> Any:
            return t

    time = parse_time("exp:rate=1")
    object.__setattr__(time, "law", Growing(1.0))
    with pytest.raises(InputError, match="gives the chance 7; expected a distribution function"):
        evolve(Ensemble(Degrees.regular(3), Degrees.regular(1)), time, 7.0)


def test_wrong_runs_of_one_placement() -> None:
    """A deadline or a load that is no number would let every worker be in time."""
    placement = load_code("ldgm:parts=8,workers=16,degrees=0.5x+0.5x^2").placement
    time, nan = parse_time("exp:rate=2"), float("nan")
    for wrong, message in (
        (lambda: bias(placement, time, nan), "^deadline=nan"),
        (lambda: bias(placement, time, 1.0, unit=nan), "^unit=nan; expected a finite load"),
        (lambda: bias(placement, time, 1.0, seed=-1), "^seed=-1"),
        (lambda: bias(placement, time, 1.0, chances=np.ones(3)), "expected 8 numbers"),
        (lambda: simulate_code(placement, time, 1.0, unit=0.0), "^unit=0.0"),
        (lambda: evolved_chances(placement, time, -1.0), "^deadline=-1.0"),
    ):
        with pytest.raises(InputError, match=message):
            wrong()
