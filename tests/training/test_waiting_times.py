"""Waiting times: the same as those of real runs, and right in the mean where theory knows it."""

from __future__ import annotations

import numpy as np
import pytest

from gcdesign.codes.times import expected_wait, parse_time
from gcdesign.errors import InputError, LimitError, RunError
from gcdesign.training import (
    Drawn,
    GivenWorkers,
    Nesterov,
    OnOff,
    Plan,
    Rate,
    Slowed,
    Waits,
    make_scheme,
    simulate,
    steady,
    waiting_times,
)
from gcdesign.training.data import gaussian_mixture
from gcdesign.training.problems import Logistic

PROBLEM = Logistic(gaussian_mixture(60, 3, seed=1))
TIMES = Slowed(Drawn(parse_time("shifted-exp:shift=1,rate=2")), OnOff(0.05, 0.2), factor=4)


@pytest.mark.parametrize("name", ["naive", "cyclic", "frc", "ag:q=2", "partial-cyclic"])
def test_times_alone_are_those_of_a_run_with_gradients(name: str) -> None:
    scheme = make_scheme(name, workers=6, stragglers=2)
    alone = waiting_times(scheme, TIMES, steps=600, seed=8, errors=True)
    run = simulate(PROBLEM, scheme, Nesterov(Rate(0.1)), TIMES, plan=Plan(600, 0), seed=8)
    assert np.array_equal(alone.seconds, run.history.seconds)
    assert np.array_equal(alone.heard, run.history.heard)
    assert alone.errors == pytest.approx(run.history.errors, abs=1e-9)


@pytest.mark.parametrize("delay", [0.0, 2.0])
@pytest.mark.parametrize("name", ["uncoded", "cyclic", "frc", "ag:q=2", "partial-cyclic"])
def test_of_messages_at_one_moment_no_more_are_heard_than_needed(name: str, delay: float) -> None:
    scheme, times = (
        make_scheme(name, workers=6, stragglers=2),
        Slowed(steady(1), GivenWorkers((0, 3)), delay=delay),
    )
    alone = waiting_times(scheme, times, steps=3, errors=True)
    run = simulate(PROBLEM, scheme, Nesterov(Rate(0.1)), times, plan=Plan(3, 0))
    assert np.array_equal(alone.seconds, run.history.seconds)
    assert np.array_equal(alone.heard, run.history.heard)
    assert alone.errors == pytest.approx(run.history.errors, abs=1e-9)
    if name == "uncoded":  # four of six parts
        assert alone.heard.tolist() == [4, 4, 4]
        assert alone.errors == pytest.approx(2)


def close(waits: Waits, mean: float) -> bool:
    error = float(waits.seconds.std()) / len(waits.seconds) ** 0.5
    return bool(abs(waits.mean - mean) < 4.5 * error)


@pytest.mark.parametrize(
    "law", ["exp:rate=2", "shifted-exp:shift=1,rate=3", "weibull:scale=1,shape=2"]
)
@pytest.mark.parametrize(("name", "stragglers"), [("naive", 0), ("cyclic", 3), ("pg:q=3", 4)])
def test_the_mean_is_that_of_the_order_statistic(law: str, name: str, stragglers: int) -> None:
    time = parse_time(law)
    workers = 13 if name == "pg:q=3" else 12
    scheme = make_scheme(name, workers=workers, stragglers=stragglers)
    loads = [round(load * workers) for load in scheme.shares[:, -1].tolist()]
    wanted = expected_wait(time, loads, workers - stragglers).value
    assert close(waiting_times(scheme, Drawn(time), steps=40_000, seed=1), wanted)


def test_repetition_waits_for_the_first_of_each_group() -> None:
    """The least of S + 1 exponential times, and of those the greatest of N/(S + 1)."""
    scheme = make_scheme("frc", workers=12, stragglers=2)
    wanted = 3 / (3 * 2.0) * sum(1 / k for k in range(1, 5))
    model = Drawn(parse_time("exp:rate=2"))
    assert close(waiting_times(scheme, model, steps=40_000, seed=2), wanted)


def test_quantiles_and_errors() -> None:
    model = Slowed(steady(1), GivenWorkers((0, 1)), delay=3)
    found = waiting_times(make_scheme("pg:q=2", stragglers=2), model, steps=10, errors=True)
    assert found.quantiles([0.5, 1.0]) == [3.0, 3.0]
    assert found.heard.tolist() == [5] * 10
    assert found.errors == pytest.approx(np.full(10, 4 / 7))  # qS/((q+1)² − S)


def test_a_run_can_be_ended_early() -> None:
    scheme = make_scheme("naive", workers=3)
    found = waiting_times(scheme, steady(1), steps=10_000, progress=lambda done: done > 500)
    assert 500 < len(found.seconds) < 1000


def test_what_cannot_be_waited_for_is_refused() -> None:
    scheme = make_scheme("naive", workers=3)
    with pytest.raises(InputError, match="steps=0"):
        waiting_times(scheme, steady(1), steps=0)
    with pytest.raises(LimitError, match="the limit is"):
        waiting_times(scheme, steady(1), steps=10**9)
    dead = Slowed(steady(1), GivenWorkers((1,)), delay=np.inf)
    with pytest.raises(RunError, match=r"step 0: naive \(N=3\) waits for ever; only 2 of 3"):
        waiting_times(scheme, dead, steps=5)


def test_a_late_worker_that_finishes_misses_later_steps() -> None:
    """Worker 0 takes 10 in each step, the others 1: it takes part in steps 0, 10, 20, …."""
    model = Slowed(steady(1), GivenWorkers((0,)), factor=10)
    scheme = make_scheme("ignore-stragglers", workers=3, stragglers=1)
    found = simulate(
        PROBLEM, scheme, Nesterov(Rate(0.1)), model, plan=Plan(30, 0), finish_late=True
    )
    assert (found.history.seconds == 1).all()
    naive = simulate(
        PROBLEM,
        make_scheme("naive", workers=3),
        Nesterov(Rate(0.1)),
        model,
        plan=Plan(5, 0),
        finish_late=True,
    )
    assert (naive.history.seconds == 10).all()
