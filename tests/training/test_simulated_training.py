"""Simulated training: exact codes give the full gradient, in a time that no delay touches."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from gcdesign.errors import InputError, RunError
from gcdesign.training import (
    GivenWorkers,
    GradientDescent,
    Nesterov,
    Optimiser,
    Plan,
    RandomWorkers,
    Rate,
    SimulatedCluster,
    Slowed,
    TrainingResult,
    make_scheme,
    simulate,
    steady,
    train,
)
from gcdesign.training.data import gaussian_mixture
from gcdesign.training.problems import LeastSquares, Logistic

PROBLEM = Logistic(gaussian_mixture(253, 9, seed=3), l2=1e-3)
EXACT = (
    "naive",
    "cyclic",
    "cyclic-mds",
    "rs:workers=12,load=3",
    "frc",
    "frc:workers=12,stragglers=3",
)


def alone(steps: int, rate: float) -> NDArray[np.float64]:
    """Accelerated gradient on one machine, written out once more for the comparison."""
    x, y = PROBLEM.data.features, PROBLEM.data.targets
    b = u = np.zeros(x.shape[1])
    for t in range(steps):
        theta = 2 / (t + 2)
        g = x.T @ (1 / (1 + np.exp(-x @ b)) - y) / len(y) + 2e-3 * b
        ahead = (1 - theta) * b + theta * u
        b, old = ahead - rate * g, b
        u = old + (b - old) / theta
    return b


def run(
    name: str, delay: float, *, steps: int = 100, optimiser: Optimiser | None = None
) -> TrainingResult:
    scheme = make_scheme(name, workers=12, stragglers=2)
    model = Slowed(steady(0.25), RandomWorkers(2), delay=delay)
    made = optimiser or Nesterov(Rate(0.3))
    return simulate(PROBLEM, scheme, made, model, plan=Plan(steps), seed=5)


@pytest.mark.parametrize("name", EXACT)
def test_an_exact_code_gives_the_model_of_one_machine(name: str) -> None:
    found = run(name, 10.0).parameters
    wanted = alone(100, 0.3)
    assert np.linalg.norm(found - wanted) <= 1e-8 * np.linalg.norm(wanted)


@pytest.mark.parametrize("name", EXACT[1:])
def test_dead_workers_change_nothing_for_a_code(name: str) -> None:
    dead, slow = run(name, np.inf, steps=30), run(name, 7.0, steps=30)
    assert np.array_equal(dead.parameters, slow.parameters)
    assert np.array_equal(dead.history.seconds, slow.history.seconds)


@pytest.mark.parametrize("name", EXACT[1:])
def test_the_time_of_a_coded_step_is_its_load(name: str) -> None:
    load = 4 if name.startswith("frc:") else 3
    for delay in (0.0, 5.0, 500.0):
        assert (run(name, delay, steps=20).history.seconds == 0.25 * load).all()


def test_naive_pays_every_delay() -> None:
    assert (run("naive", 7.0, steps=20).history.seconds == 7.25).all()
    with pytest.raises(RunError, match=r"step 0: naive .* waits for ever; only 10 of 12"):
        run("naive", np.inf)


def test_ignoring_stragglers_sums_and_scales_what_came() -> None:
    rate = 0.2
    scheme = make_scheme("ignore-stragglers", workers=12, stragglers=2)
    model = Slowed(steady(1.0), GivenWorkers((0, 7)), delay=9.0)
    plan = Plan(1)
    found = simulate(PROBLEM, scheme, GradientDescent(Rate(rate)), model, plan=plan)
    bounds = [253 * i // 12 for i in range(13)]
    kept = np.r_[tuple(np.arange(bounds[i], bounds[i + 1]) for i in range(12) if i not in (0, 7))]
    x, y = PROBLEM.data.features[kept], PROBLEM.data.targets[kept]
    wanted = -rate * x.T @ (0.5 - y) * (12 / 10) / 253
    assert np.allclose(found.parameters, wanted, rtol=1e-12)
    assert found.history.errors is not None
    assert found.history.errors[0] == pytest.approx(12 * 2 / 10)


def test_the_seed_fixes_the_times_and_nothing_else_does() -> None:
    one, two = run("naive", 7.0, steps=300), run("naive", 7.0, steps=300)
    assert np.array_equal(one.history.seconds, two.history.seconds)
    assert np.array_equal(one.parameters, two.parameters)


@pytest.mark.parametrize(("rate", "problem"), [(1e3, "least-squares"), (1e200, "logistic")])
def test_a_run_that_diverges_says_so(rate: float, problem: str) -> None:
    made = LeastSquares(PROBLEM.data) if problem == "least-squares" else PROBLEM
    scheme = make_scheme("naive", workers=3)
    with pytest.raises(RunError, match="left all bounds; take a smaller step size"):
        simulate(made, scheme, Nesterov(Rate(rate)), steady(1), plan=Plan(500))


def test_values_that_make_no_run_are_refused() -> None:
    scheme = make_scheme("naive", workers=3)
    with pytest.raises(InputError, match=r"steps=2\.5; expected a whole number"):
        Plan(2.5)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"seed=-1; expected 0 or more"):
        simulate(PROBLEM, scheme, Nesterov(Rate(0.3)), steady(1), plan=Plan(1), seed=-1)
    parted = PROBLEM.split(3)
    cluster = SimulatedCluster(scheme, parted, steady(1), seed=0)
    with pytest.raises(InputError, match=r"start of shape \(2,\); expected 9 parameters"):
        train(
            parted,
            scheme,
            Nesterov(Rate(0.3)),
            cluster,
            plan=Plan(1),
            provenance={},
            start=np.zeros(2),
        )
