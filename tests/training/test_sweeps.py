"""Setups and sweeps: the same runs whoever does them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from gcdesign.errors import InputError, RunError
from gcdesign.training.master import Plan
from gcdesign.training.setup import Learning, Setup
from gcdesign.training.sweep import run_setup, sweep, variations

COMMON = Setup(
    workers=6,
    stragglers=1,
    times="exp:rate=1",
    delay=2,
    learning=Learning(data="mixture:samples=90,features=4"),
)
SETUPS = variations(COMMON, scheme=["naive", "cyclic"], seed=[0, 1, 2])


def test_a_sweep_is_the_same_in_other_hands() -> None:
    alone = sweep(SETUPS, Plan(20, 5))
    with ThreadPoolExecutor(3) as pool:
        together = sweep(SETUPS, Plan(20, 5), executor=pool)
    assert [run.setup for run in alone] == [run.setup for run in together] == SETUPS
    for one, two in zip(alone, together, strict=True):
        assert one.parameters is not None
        assert two.parameters is not None
        assert np.array_equal(one.parameters, two.parameters)
        assert np.array_equal(one.history.seconds, two.history.seconds)
        assert one.history.evaluations == two.history.evaluations
    first = alone[0].history.seconds
    assert not np.array_equal(first, alone[1].history.seconds)  # another seed


def test_a_sweep_can_be_ended_early() -> None:
    seen = []

    def watch(done: int, total: int) -> bool:
        seen.append((done, total))
        return done >= 25

    runs = sweep(SETUPS, Plan(20, 5), watch=watch)
    assert [run.finished for run in runs] == [True, False]
    assert seen[-1] == (25, 120)


def test_the_first_failure_ends_a_sweep() -> None:
    dead = [replace(setup, delay=float("inf")) for setup in SETUPS]
    with pytest.raises(RunError, match="waits for ever"):
        sweep(dead, Plan(20), times_only=True)
    with ThreadPoolExecutor(2) as pool, pytest.raises(RunError, match="waits for ever"):
        sweep(dead, Plan(20), executor=pool)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"problem": "ridge"}, "problem='ridge'; expected logistic"),
        ({"optimiser": "adam"}, "optimiser='adam'; expected nesterov"),
        ({"rate": -1.0}, "rate=-1.0"),
        ({"batch": 0.0}, "batch=0.0"),
    ],
)
def test_senseless_setups_are_refused(change: dict[str, object], message: str) -> None:
    learning = replace(COMMON.learning, **change)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=message):
        run_setup(replace(COMMON, learning=learning), Plan(1))


def test_an_adversary_is_no_model_until_it_has_chosen() -> None:
    with pytest.raises(InputError, match="chosen before a run"):
        replace(COMMON, slow="adversary").make_model()


def test_labels_of_minus_1_and_1_will_do(tmp_path: object) -> None:
    from pathlib import Path

    file = Path(str(tmp_path)) / "data.svm"
    file.write_text("\n".join(f"{2 * (i % 2) - 1} 1:{i} 2:1" for i in range(12)))
    problem = Learning(data=str(file), test_share=0.25).make_problem()
    assert set(problem.data.targets.tolist()) == {0.0, 1.0}
    assert problem.l2 == 1 / 9
