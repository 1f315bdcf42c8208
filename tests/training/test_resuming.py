"""Checkpoints: a run that was interrupted ends as if it had not been, and files stay loadable."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gcdesign.codes.times import parse_time
from gcdesign.errors import InputError, OutputError
from gcdesign.training import (
    Drawn,
    GradientDescent,
    Nesterov,
    OnOff,
    Plan,
    Rate,
    Slowed,
    TrainingResult,
    make_scheme,
    master,
    simulate,
)
from gcdesign.training.data import gaussian_mixture
from gcdesign.training.history import Recording
from gcdesign.training.problems import Batches, Logistic

PROBLEM = Logistic(gaussian_mixture(120, 4, seed=1), l2=0.01, batches=Batches(0.5, seed=3))
TIMES = Slowed(Drawn(parse_time("exp:rate=2")), OnOff(0.05, 0.2), factor=5)


def run(plan: Plan, *, seed: int = 4, problem: Logistic = PROBLEM) -> TrainingResult:
    return simulate(
        problem,
        make_scheme("cyclic", workers=6, stragglers=2),
        Nesterov(Rate(0.3)),
        TIMES,
        plan=plan,
        seed=seed,
        finish_late=True,
    )


def same(one: TrainingResult, two: TrainingResult) -> bool:
    return (
        np.array_equal(one.parameters, two.parameters)
        and np.array_equal(one.history.seconds, two.history.seconds)
        and np.array_equal(one.history.heard, two.history.heard)
        and one.history.evaluations == two.history.evaluations
    )


@pytest.mark.parametrize("stop", [1, 37, 256, 299])
def test_an_interrupted_run_ends_like_any_other(tmp_path: Path, stop: int) -> None:
    file = tmp_path / "run.npz"
    whole = run(Plan(300, 20))
    first = run(Plan(300, 20, checkpoint=file, progress=lambda done: done == stop))
    assert not first.finished
    assert first.history.steps == stop
    second = run(Plan(300, 20, checkpoint=file))
    assert second.finished
    if first.history.evaluations[-1].step % 20:  # an interruption looks at the model as well
        steps = {e.step for e in whole.history.evaluations}
        assert [e for e in second.history.evaluations if e.step in steps] == list(
            whole.history.evaluations
        )
        assert np.array_equal(second.parameters, whole.parameters)
        assert np.array_equal(second.history.seconds, whole.history.seconds)
    else:
        assert same(second, whole)
    assert same(run(Plan(300, 20, checkpoint=file)), second)  # nothing is left to do


def test_more_steps_can_be_asked_for_later(tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    run(Plan(40, 20, checkpoint=file))
    assert same(run(Plan(80, 20, checkpoint=file)), run(Plan(80, 20)))


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    run(Plan(5, checkpoint=file))
    before = file.read_bytes()
    with pytest.raises(InputError, match=r"is of a run with seed=4, and this one has seed=5"):
        run(Plan(5, checkpoint=file), seed=5)
    assert file.read_bytes() == before


def test_a_checkpoint_of_more_steps_than_asked_for_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    run(Plan(5, checkpoint=file))
    with pytest.raises(InputError, match=r"has done 5 steps, and steps=4; ask for as many"):
        run(Plan(4, checkpoint=file))


@pytest.mark.parametrize(
    ("one", "other", "stragglers"),
    [
        ("pg:q=2", "pg:q=2", (1, 2)),
        ("bgc:workers=6,load=3,seed=1", "bgc:workers=6,load=3,seed=2", (1, 1)),
        ("ldgm:deadline=1", "ldgm:deadline=2", (1, 1)),
        ("berrut:degree=0", "berrut:degree=1", (1, 1)),
    ],
)
def test_a_checkpoint_of_a_scheme_with_other_settings_is_refused(
    tmp_path: Path, one: str, other: str, stragglers: tuple[int, int]
) -> None:
    plan = Plan(3, checkpoint=tmp_path / "run.npz")
    workers = 7 if one == "pg:q=2" else 6
    times = Drawn(parse_time("exp:rate=1"))
    first, second = (
        make_scheme(name, workers=workers, stragglers=count)
        for name, count in zip((one, other), stragglers, strict=True)
    )
    before = simulate(PROBLEM, first, Nesterov(Rate(0.1)), times, plan=plan)
    assert same(simulate(PROBLEM, first, Nesterov(Rate(0.1)), times, plan=plan), before)
    with pytest.raises(InputError, match=r"is of a run with (settings of the )?scheme="):
        simulate(PROBLEM, second, Nesterov(Rate(0.1)), times, plan=plan)


def test_a_checkpoint_of_another_optimiser_is_named_as_such(tmp_path: Path) -> None:
    plan = Plan(3, checkpoint=tmp_path / "run.npz")
    scheme, times = make_scheme("naive", workers=6), Drawn(parse_time("exp:rate=1"))
    simulate(PROBLEM, scheme, Nesterov(Rate(0.1)), times, plan=plan)
    with pytest.raises(InputError, match=r"with optimiser=Nesterov\(.*GradientDescent\("):
        simulate(PROBLEM, scheme, GradientDescent(Rate(0.1)), times, plan=plan)


def test_the_metrics_keep_their_order(tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    whole = run(Plan(20, checkpoint=file))
    again = run(Plan(20, checkpoint=file))
    assert [list(e.metrics) for e in again.history.evaluations] == [
        list(e.metrics) for e in whole.history.evaluations
    ]


def test_a_checkpoint_of_other_data_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    run(Plan(5, checkpoint=file))
    other = replace(PROBLEM, data=gaussian_mixture(120, 4, seed=2))
    with pytest.raises(InputError, match="is of a run with data="):
        run(Plan(5, checkpoint=file), problem=other)


def spoilt(name: str, good: bytes, tmp_path: Path) -> bytes:
    if name == "cut":
        return good[: len(good) // 2]
    if name == "empty":
        return b""
    if name == "text":
        return b"no checkpoint"
    file = tmp_path / "other.npz"
    if name == "pickled":
        np.savez(file, header=np.array([{"format": "x"}], dtype=object))
    else:
        header = json.dumps({"format": "gcdesign.checkpoint/9"}).encode()
        np.savez(file, header=np.frombuffer(header, np.uint8))
    return file.read_bytes()


@pytest.mark.parametrize("name", ["cut", "empty", "text", "pickled", "future"])
def test_what_is_no_checkpoint_is_refused_and_kept(tmp_path: Path, name: str) -> None:
    file = tmp_path / "run.npz"
    run(Plan(5, checkpoint=file))
    bad = spoilt(name, file.read_bytes(), tmp_path)
    file.write_bytes(bad)
    with pytest.raises(
        InputError, match=r"run\.npz(: (not a usable zip|member|has a damaged)| is no checkpoint)"
    ):
        run(Plan(5, checkpoint=file))
    assert file.read_bytes() == bad


def test_checkpoints_that_take_long_are_written_less_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]
    written: list[int] = []

    def slow(_path: Path, _state: object, recording: Recording, _provenance: object) -> None:
        clock[0] += 1.0
        written.append(recording.steps)

    monkeypatch.setattr(master, "save_checkpoint", slow)
    monkeypatch.setattr(master, "perf_counter", lambda: clock[0])

    def tick(_done: int) -> bool:
        clock[0] += 1.0
        return False

    run(Plan(100, 0, checkpoint=tmp_path / "run.npz", checkpoint_every=1, progress=tick))
    assert written == [1, 21, 41, 61, 81, 100]


def test_a_disk_that_fills_up_costs_the_checkpoint_and_not_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "run.npz"
    run(Plan(10, checkpoint=file))
    before = file.read_bytes()

    def full(*_: object) -> None:
        raise OutputError("cannot write run.npz: no space left on device")

    warnings: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(master, "save_checkpoint", full)
        found = run(Plan(30, checkpoint=file, checkpoint_every=10, warn=warnings.append))
    assert found.finished
    assert len(warnings) == 3
    assert "no space left on device; the run goes on" in warnings[0]
    assert file.read_bytes() == before
    assert same(run(Plan(30, checkpoint=file)), run(Plan(30)))
