"""LDGM codes in training: weights of peeling, deadlines, chances of parts, and their bias."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.codes import GradientCode, load_code
from gcdesign.codes.ldgm.chances import bias, evolved_chances
from gcdesign.codes.ldgm.finite import simulate_code
from gcdesign.codes.ldgm.peeling import peel
from gcdesign.codes.times import parse_time
from gcdesign.errors import InputError
from gcdesign.training import GradientDescent, Plan, Rate, make_scheme, simulate
from gcdesign.training.data import noisy_plane
from gcdesign.training.peeling import PeelingScheme
from gcdesign.training.problems import LeastSquares
from gcdesign.training.stragglers.laws import Drawn

NAME = "ldgm:parts=30,workers=60,degrees=0.5x+0.5x^2"


@given(
    st.integers(2, 6).flatmap(
        lambda parts: st.lists(
            st.lists(st.sampled_from([0, 0, 1, 1, 2, -1]), min_size=parts, max_size=parts),
            min_size=1,
            max_size=8,
        )
    ),
    st.data(),
)
@settings(max_examples=120, deadline=None)
def test_the_weights_give_the_sum_of_what_is_recovered(
    rows: list[list[int]], data: st.DataObject
) -> None:
    matrix = np.array(rows, dtype=float)
    workers, parts = matrix.shape
    arrived = sorted(data.draw(st.sets(st.integers(0, workers - 1))))
    code = GradientCode.from_matrix(matrix)
    scheme = PeelingScheme(code, deadline=1.0)
    decoded = scheme.decode([(worker, 0) for worker in arrived])
    vector = np.zeros(workers)
    vector[[worker for worker, _ in decoded.messages]] = decoded.weights
    known = peel(code.placement, np.setdiff1d(np.arange(workers), arrived)).recovered
    wanted = np.zeros(parts)
    wanted[known] = parts / max(len(known), 1)
    np.testing.assert_allclose(matrix.T @ vector, wanted, atol=1e-9)
    assert {worker for worker, _ in decoded.messages} <= set(arrived)
    assert decoded.error == pytest.approx(((matrix.T @ vector - 1) ** 2).sum(), abs=1e-8)


def test_a_step_ends_at_the_deadline_or_when_all_is_known() -> None:
    problem = LeastSquares(noisy_plane(60, 4, seed=0))
    plan = Plan(steps=40, evaluate_every=0)
    for text, seconds in (("fixed:time=0.2", 0.4), ("fixed:time=3", 1.0)):
        scheme = PeelingScheme(load_code("frc:workers=6,stragglers=1,parts=3"), deadline=1.0)
        found = simulate(
            problem, scheme, GradientDescent(Rate(0.1)), Drawn(parse_time(text)), plan=plan
        )
        np.testing.assert_allclose(found.history.seconds, seconds)
    scheme = PeelingScheme(load_code("frc:workers=6,stragglers=1,parts=3"), deadline=None)
    assert not scheme.enough([(0, 0), (1, 0), (2, 0)])
    assert scheme.enough([(worker, 0) for worker in range(6)])


def test_training_with_the_scheme_learns() -> None:
    problem = LeastSquares(noisy_plane(240, 5, seed=1, noise=0.1))
    model = Drawn(parse_time("exp:rate=4"))
    for weights in ("mean", "evolution,rate=4", "simulation,rate=4"):
        scheme = make_scheme(f"ldgm:parts=20,weights={weights}", workers=40, seed=3)
        found = simulate(
            problem, scheme, GradientDescent(Rate(0.3)), model, plan=Plan(60, evaluate_every=0)
        )
        assert found.history.evaluations[-1].loss < 0.1


# --- chances and bias -------------------------------------------------------------------------


def test_chances_of_repetition_are_exact() -> None:
    """Three workers alone on each part: 1 − e^(−3μ), by density evolution and by runs."""
    placement = load_code("frc:workers=9,stragglers=2,parts=3").placement
    time = parse_time("exp:rate=0.7")
    expected = 1 - np.exp(-2.1)
    np.testing.assert_allclose(evolved_chances(placement, time, 1.0), expected)
    found, shares = simulate_code(placement, time, 1.0, runs=4000)
    np.testing.assert_allclose(found, expected, atol=0.025)
    assert shares.mean() == pytest.approx(expected, abs=0.015)
    # A load of one part counts 2 if times are for half parts.
    halves = evolved_chances(placement, parse_time("exp:rate=1.4"), 1.0, unit=2.0)
    np.testing.assert_allclose(halves, expected)


def test_density_evolution_gives_the_chances_of_large_graphs() -> None:
    placement = load_code(
        "ldgm:parts=1500,workers=3000,degrees=0.5x+0.5x^2,copies=0.5x^2+0.5x^4"
    ).placement
    time = parse_time("exp:rate=2")
    expected = evolved_chances(placement, time, 1.0)
    found, _ = simulate_code(placement, time, 1.0, runs=150)
    for copies in (2, 4):
        here = placement.replications == copies
        assert found[here].mean() == pytest.approx(expected[here].mean(), abs=0.01)
    assert len(set(expected.round(9).tolist())) == 2


def test_a_fixed_irregular_graph_is_biased_and_weights_remove_it() -> None:
    placement = load_code(f"{NAME},copies=0.5x^2+0.5x^4").placement
    time = parse_time("exp:rate=1.5")
    chances, _ = simulate_code(placement, time, 1.0, runs=6000, seed=1)
    plain = bias(placement, time, 1.0, runs=4000, seed=2)
    better = bias(placement, time, 1.0, chances=chances, runs=4000, seed=2)
    assert plain.spread > 0.08
    assert better.spread < plain.spread / 5
    np.testing.assert_allclose(better.weights, 1, atol=6 * float(better.errors.max()))
    assert plain.weights.mean() == pytest.approx(1, abs=1e-9)


def test_a_regular_graph_is_hardly_biased() -> None:
    """Every part of uncoded gradients is alike."""
    placement = load_code("uncoded:workers=20").placement
    found = bias(placement, parse_time("exp:rate=1"), 1.0, runs=4000)
    assert found.spread < 0.02
    assert found.empty == 0


def test_refusals() -> None:
    code = load_code(NAME)
    for wrong, message in (
        (lambda: PeelingScheme(code, deadline=0.0), "^deadline=0.0; expected seconds"),
        (lambda: PeelingScheme(code, deadline=1.0, chances=np.zeros(30)), "expected 30 numbers"),
        (lambda: PeelingScheme(load_code("rs:workers=6,load=3"), deadline=1.0), "complex weights"),
        (lambda: make_scheme("ldgm:weights=best", workers=8), "^weights=best; expected mean"),
        (lambda: make_scheme("ldgm:weights=evolution", workers=8), "need rate="),
        (lambda: make_scheme("ldgm:deadline=soon", workers=8), "^deadline=soon; expected a number"),
        (lambda: make_scheme("ldgm:degrees=0.5x", workers=8), "sum to 0.5"),
        (lambda: bias(code.placement, parse_time("exp:rate=1"), 1.0, runs=1), "^runs=1"),
        (
            lambda: bias(code.placement, parse_time("exp:rate=1"), 1.0, chances=np.zeros(30)),
            "a part is never recovered",
        ),
    ):
        with pytest.raises(InputError, match=message):
            wrong()
