"""Limits and interruptions: always a valid bracket, never a guess, and no thread left behind."""

from __future__ import annotations

import _thread
import signal
import threading
from collections.abc import Callable
from threading import Event
from typing import Any, Literal

import numpy as np
import ortools.sat.python.cp_model  # noqa: F401  (imported before a signal can hit the import)
import pytest

from gcdesign.adversary import (
    AttackResult,
    Settings,
    Value,
    error_threshold,
    threshold,
    threshold_profile,
    worst_case_error,
    worst_case_error_profile,
)
from gcdesign.adversary.symmetric import planes
from gcdesign.adversary.thresholds import finish
from gcdesign.codes import GradientCode, load_code

Decoder = Literal["optimal", "one-step"]
DECODERS: list[Decoder] = ["optimal", "one-step"]
HARD = load_code("pg:q=9").placement
HARD_ETA = 17
"""S* ≥ 70, as a search on both sides of the plane has shown; other searches take long."""

STEPS = {"search": finish.by_search, "CP-SAT": finish.by_solver}
"""Searches for S* that take long, by what they report."""


def halted() -> list[Settings]:
    stop = Event()
    stop.set()
    return [Settings(time_limit=0), Settings(stop=stop), Settings(stop=stop, method="greedy")]


def random_code(workers: int, parts: int, seed: int = 0) -> GradientCode:
    return GradientCode.from_matrix(np.random.default_rng(seed).random((workers, parts)) < 0.35)


def replayed(code: GradientCode, decoder: Decoder, silenced: tuple[int, ...]) -> float:
    """Return the error of one set, by the definition of the decoder."""
    rows = code.dense_encoding()
    alive = np.array([w for w in range(code.workers) if w not in silenced], dtype=int)
    if decoder == "optimal":
        weights = np.linalg.lstsq(rows[alive].T, np.ones(code.parts), rcond=1e-12)[0]
    else:
        copies = max(1.0, rows.sum())
        weights = np.full(len(alive), code.parts * code.workers / (max(1, len(alive)) * copies))
    residual = rows[alive].T @ weights - 1
    return float(residual @ residual)


def check_error(code: GradientCode, decoder: Decoder, result: AttackResult, true: Value) -> None:
    margin = result.tolerance + 1e-9
    assert result.lower - margin <= true <= result.upper + margin
    assert len(result.workers) == result.asked
    assert replayed(code, decoder, result.workers) == pytest.approx(float(result.lower), abs=1e-8)
    if result.stopped is not None:
        assert result.status == "bracket"


def why(settings: Settings) -> str | None:
    if settings.method != "exact":
        return None
    return "interrupted" if settings.stop else "time limit of 0 s"


@pytest.mark.parametrize("settings", halted(), ids=["no time", "stopped", "stopped greedy"])
def test_thresholds(settings: Settings) -> None:
    placement = random_code(14, 9).placement
    answers = [r.value for r in threshold_profile(placement)]
    singles = [threshold(placement, eta, settings) for eta in range(10)]
    cut_short = 0
    for results in (singles, threshold_profile(placement, settings)):
        for eta, result in enumerate(results):
            assert result.lower <= answers[eta] <= result.upper == len(result.workers)
            lost = placement.lost_parts(result.workers).tolist()
            assert set(result.parts) <= set(lost)
            assert len(result.parts) == eta
            expected = why(settings) if result.status == "bracket" else None
            assert result.stopped == expected
            cut_short += result.status == "bracket"
    assert cut_short


@pytest.mark.parametrize("settings", halted(), ids=["no time", "stopped", "stopped greedy"])
@pytest.mark.parametrize("decoder", DECODERS)
def test_errors(decoder: Decoder, settings: Settings) -> None:
    code = random_code(18, 12)
    answers = [r.value for r in worst_case_error_profile(code, decoder=decoder)]
    profile = worst_case_error_profile(code, decoder=decoder, settings=settings)
    for stragglers, result in enumerate(profile):
        single = worst_case_error(code, stragglers, decoder=decoder, settings=settings)
        check_error(code, decoder, result, answers[stragglers])
        check_error(code, decoder, single, answers[stragglers])
    ends = [result.lower for result in profile]
    assert decoder == "one-step" or ends == sorted(ends)


@pytest.mark.parametrize("settings", halted(), ids=["no time", "stopped", "stopped greedy"])
@pytest.mark.parametrize("decoder", DECODERS)
def test_error_thresholds(decoder: Decoder, settings: Settings) -> None:
    code = random_code(18, 12)
    answers = [r.value for r in worst_case_error_profile(code, decoder=decoder)]
    for error in (0, 1, 3, 12):
        least = next(s for s, value in enumerate(answers) if value >= error)
        result = error_threshold(code, error, decoder=decoder, settings=settings)
        assert result.lower <= least <= result.upper == len(result.workers)
        assert replayed(code, decoder, result.workers) >= error - 1e-8
        assert result.stopped in (None, why(settings))


@pytest.mark.parametrize("settings", halted(), ids=["no time", "stopped", "stopped greedy"])
def test_real_codes(settings: Settings) -> None:
    code = GradientCode.from_matrix(np.random.default_rng(1).normal(size=(16, 12)))
    answers = [r.value for r in worst_case_error_profile(code)]
    for result in worst_case_error_profile(code, settings=settings):
        check_error(code, "optimal", result, answers[int(result.asked)])


def test_more_survivors_than_fractions_are_quick_for() -> None:
    code = random_code(80, 40)
    stop = Event()
    stop.set()
    result = worst_case_error(code, 5, settings=Settings(stop=stop))
    assert isinstance(result.lower, float)
    exact = code.decode(result.workers).error_exact
    assert exact is not None
    assert abs(exact - result.lower) <= result.tolerance + 1e-12


def during(action: Callable[[], object], mark: str) -> Callable[[str, Value, Value], None]:
    """Return a progress callback that acts once, when a step named by ``mark`` is reported."""
    done: list[bool] = []

    def progress(doing: str, _: Value, __: Value) -> None:
        if mark in doing and not done:
            done.append(True)
            action()

    return progress


def later(action: Callable[[], object]) -> None:
    threading.Timer(0.2, action).start()


def no_solver_is_running(before: set[threading.Thread]) -> bool:
    mine = {t for t in threading.enumerate() if not isinstance(t, threading.Timer)} - before
    return not any(t.is_alive() and t is not threading.current_thread() for t in mine)


@pytest.fixture(params=STEPS)
def mark(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Have one search alone close brackets, and return what its reports are marked by."""
    monkeypatch.setattr(finish, "STEPS", (STEPS[request.param],))
    monkeypatch.setattr(planes, "is_worth_it", lambda _: False)
    return str(request.param)


def test_stop_during_the_search_of_a_plane() -> None:
    before, stop = set(threading.enumerate()), Event()
    settings = Settings(stop=stop, progress=during(stop.set, "apart"), threads=2)
    result = threshold(HARD, HARD_ETA, settings)
    assert result.stopped == "interrupted"
    assert 60 <= result.lower <= 70 <= result.upper == len(result.workers)
    assert no_solver_is_running(before)


@pytest.mark.parametrize("delayed", [False, True])
def test_stop_during_a_long_proof(delayed: bool, mark: str) -> None:
    before, stop = set(threading.enumerate()), Event()

    def action() -> None:
        if delayed:
            later(stop.set)
        else:
            stop.set()

    settings = Settings(stop=stop, progress=during(action, mark), threads=2)
    result = threshold(HARD, HARD_ETA, settings)
    assert result.stopped == "interrupted"
    assert result.lower <= 70 <= result.upper == len(result.workers)
    assert result.lower >= 60
    assert len(HARD.lost_parts(result.workers)) >= HARD_ETA
    assert no_solver_is_running(before)


def test_time_limit_during_a_long_proof() -> None:
    result = threshold(HARD, HARD_ETA, Settings(time_limit=0.5, threads=2))
    assert result.stopped == "time limit of 0.5 s"
    assert result.lower <= 70 <= result.upper


@pytest.mark.parametrize(
    "interrupt",
    [
        lambda: signal.raise_signal(signal.SIGINT),
        lambda: later(_thread.interrupt_main),
    ],
    ids=["between two polls", "while it waits"],
)
def test_an_interrupted_proof_leaves_no_solver_behind(
    interrupt: Callable[[], object], mark: str
) -> None:
    before = set(threading.enumerate())
    settings = Settings(progress=during(interrupt, mark), threads=2)
    with pytest.raises(KeyboardInterrupt):
        threshold(HARD, HARD_ETA, settings)
    assert no_solver_is_running(before)


def test_a_failing_progress_callback_ends_the_proof(mark: str) -> None:
    def fail() -> None:
        raise RuntimeError("no more")

    before = set(threading.enumerate())
    settings = Settings(progress=during(fail, mark), threads=2)
    with pytest.raises(RuntimeError, match="no more"):
        threshold(HARD, HARD_ETA, settings)
    assert no_solver_is_running(before)


def test_stop_during_an_exhaustive_search() -> None:
    code = random_code(24, 24)
    stop = Event()
    settings = Settings(stop=stop, progress=during(stop.set, "sets searched"))
    result = worst_case_error(code, 12, settings=settings)
    assert (result.status, result.stopped) == ("bracket", "interrupted")
    assert result.lower == code.decode(result.workers).error_exact
    assert code.placement.lost_parts(result.workers).tolist() == list(result.parts)


def test_interrupt_during_an_exhaustive_search() -> None:
    interrupt = during(lambda: signal.raise_signal(signal.SIGINT), "sets searched")
    with pytest.raises(KeyboardInterrupt):
        worst_case_error(random_code(24, 24), 12, settings=Settings(progress=interrupt))


def test_stop_during_a_local_search() -> None:
    code = random_code(60, 60)
    stop = Event()
    settings = Settings(stop=stop, progress=during(stop.set, "local search"), method="greedy")
    result = worst_case_error(code, 30, settings=settings)
    assert result.lower == code.decode(result.workers).error_exact
    assert result.lower <= result.upper


def test_progress_closes_the_bracket() -> None:
    told: list[tuple[Any, Any]] = []
    settings = Settings(progress=lambda _, lower, upper: told.append((lower, upper)), threads=2)
    result = threshold(load_code("pg:q=3").placement, 5, settings)
    assert told
    assert all(lower <= result.value <= upper for lower, upper in told)
    assert told[-1] == (result.value, result.value)
