"""Models of times: who is slow how often, and that a step's times depend on the seed alone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from gcdesign.codes.times import parse_time
from gcdesign.errors import InputError
from gcdesign.training import (
    Drawn,
    EachWorker,
    GivenWorkers,
    OnOff,
    RandomWorkers,
    Replay,
    Slowed,
    StragglerModel,
    Trace,
    steady,
)
from gcdesign.training.stragglers import Timeline
from gcdesign.training.stragglers.reading import parse_times, parse_who
from gcdesign.training.stragglers.times import BLOCK

ONES = np.ones(5)


def times(model: StragglerModel, steps: int, loads: np.ndarray = ONES) -> np.ndarray:
    drawn, _ = model.draw(np.random.default_rng(3), loads, steps, None)
    return drawn.delay + drawn.work


def test_all_sets_of_s_random_workers_are_alike() -> None:
    slow = times(Slowed(steady(0), RandomWorkers(2), delay=1), 10_000)
    assert (slow.sum(axis=1) == 2).all()
    counts = Counter(map(tuple, slow.tolist()))
    assert len(counts) == 10
    # 1000 of each set in the mean, with a standard deviation of 30
    assert max(abs(count - 1000) for count in counts.values()) < 5 * 30


def test_given_workers_are_slow_by_delay_and_factor() -> None:
    model = Slowed(steady(0.5), GivenWorkers((1, 3)), delay=2, factor=4)
    assert times(model, 2, np.array([1.0, 1, 2, 2, 0])).tolist() == [[0.5, 4, 1, 6, 0]] * 2


def test_an_on_off_worker_is_slow_for_its_share_in_runs_of_its_length() -> None:
    chosen, carry = OnOff(0.02, 0.1).draw(np.random.default_rng(1), 50, 20_000, None)
    assert chosen.mean() == pytest.approx(1 / 6, abs=0.01)
    before, after = chosen[:-1], chosen[1:]
    assert (~after[before]).mean() == pytest.approx(0.1, abs=0.003)
    assert after[~before].mean() == pytest.approx(0.02, abs=0.001)
    assert np.array_equal(carry, chosen[-1])


def test_a_chain_goes_on_between_blocks() -> None:
    model = Slowed(steady(0), OnOff(0.0005, 0.0005), delay=1)
    timeline = Timeline(model, ONES, seed=2)
    slow = np.concatenate([timeline.block(number).delay for number in range(8)])
    turns = np.abs(np.diff(slow, axis=0)).sum()
    assert 0 < turns < 15  # 5 workers, 2048 steps, 5 turns in the mean; not one at every border


def test_a_step_has_the_same_times_in_whatever_order_steps_are_asked_for() -> None:
    model = Slowed(Drawn(parse_time("exp:rate=2")), OnOff(0.1, 0.2), factor=3)
    straight = Timeline(model, ONES, seed=9)
    wanted = [straight.step(step).work[0] for step in range(3 * BLOCK)]
    jumping = Timeline(model, ONES, seed=9)
    for step in (2 * BLOCK + 5, 7, BLOCK, 3 * BLOCK - 1, 0):
        assert np.array_equal(jumping.step(step).work[0], wanted[step])
    other = Timeline(model, ONES, seed=10)
    assert not np.array_equal(other.step(0).work[0], wanted[0])


def test_scaled_times_grow_with_the_load_and_links_do_not() -> None:
    loads = np.array([1.0, 2, 4])
    scaled = times(Drawn(parse_time("exp:rate=1,work=0.5")), 50_000, loads).mean(axis=0)
    assert scaled == pytest.approx(1.5 * loads, rel=0.03)
    link = times(Drawn(parse_time("exp:rate=1,work=0.5,scaled=no")), 50_000, loads).mean(axis=0)
    assert link == pytest.approx(0.5 * loads + 1, rel=0.03)


def test_a_message_comes_after_its_share_of_the_work() -> None:
    model = Slowed(steady(1.0), GivenWorkers((0,)), delay=3)
    drawn, _ = model.draw(np.random.default_rng(0), np.array([2.0, 2.0]), 1, None)
    arrivals = drawn.arrivals(np.array([[0.25, 1.0], [0.25, 1.0]]))
    assert arrivals.tolist() == [[[3.5, 5.0], [0.5, 2.0]]]


def test_each_worker_can_have_its_own_law() -> None:
    model = EachWorker((parse_time("fixed:time=1"), parse_time("fixed:time=3")))
    assert times(model, 2, np.array([1.0, 2.0])).tolist() == [[1, 6], [1, 6]]
    with pytest.raises(InputError, match="2 laws of times for 5 workers"):
        times(model, 1)


def test_a_trace_is_replayed_in_order_and_scaled_to_the_load() -> None:
    trace = Trace(np.array([[1.0, 2.0], [3.0, np.inf], [5.0, np.nan]]), np.array([1.0, 2.0]))
    timeline = Timeline(Replay(trace), np.array([2.0, 2.0]), seed=0)
    block = timeline.block(0)
    found = block.delay + block.work
    wanted = np.array([[2.0, 2.0], [6.0, np.inf], [10.0, np.inf]])
    assert np.array_equal(found, wanted[np.arange(BLOCK) % 3])
    later = timeline.block(1)
    assert np.array_equal(later.delay + later.work, wanted[(BLOCK + np.arange(BLOCK)) % 3])
    shuffled = Timeline(Replay(trace, shuffled=True), np.array([1.0, 2.0]), seed=0).block(0)
    rows = {tuple(row) for row in (shuffled.delay + shuffled.work).tolist()}
    assert rows == {(1.0, 2.0), (3.0, np.inf), (5.0, np.inf)}
    with pytest.raises(InputError, match="a trace of 2 workers, and 5 are"):
        times(Replay(trace), 1)


def test_models_are_read_from_text(tmp_path: Path) -> None:
    assert parse_times("pareto:scale=1,shape=2,work=0.5").written == (
        "pareto:scale=1,shape=2,work=0.5"
    )
    file = tmp_path / "times.csv"
    file.write_text("1,2\n3,4\n")
    model = parse_times(f"trace:file={file},shuffled=yes,scaled=no")
    assert isinstance(model, Replay)
    assert model.written == f"trace:file={file},shuffled=yes,scaled=no"
    assert model.trace.times.tolist() == [[1, 2], [3, 4]]
    who = parse_who("markov:enter=0.25,leave=1", stragglers=0, adversary=tuple)
    assert who == OnOff(0.25, 1)
    assert parse_who("random", stragglers=3, adversary=tuple) == RandomWorkers(3)
    assert parse_who("adversary", stragglers=3, adversary=lambda: (2, 4)) == GivenWorkers((2, 4))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nix:rate=1", "'nix:rate=1' is no model; expected one such as fixed"),
        ("exp:rate=-1", "rate=-1"),
        ("trace:", "has no file"),
        ("trace:file=a.csv,file=b.csv", "each once"),
        ("trace:file=times.txt", "expected a trace in a file"),
        ("trace:file=absent.csv", "absent.csv: cannot be read: no such file"),
        ("trace:file=absent.csv,shuffled=maybe", "shuffled=maybe"),
    ],
)
def test_what_is_no_model_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_times(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sometimes", "expected random, adversary"),
        ("markov:enter=0.5", "expected markov:enter"),
        ("markov:enter=2,leave=1", "enter=2; expected a probability"),
        ("markov:enter=0,leave=0", "workers never change"),
        ("markov:enter=x,leave=0", "expected a probability"),
        ("1,1", "named twice"),
    ],
)
def test_who_is_nobody_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_who(text, stragglers=1, adversary=tuple)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (Slowed(steady(1), RandomWorkers(6), delay=1), "6 of 5 workers are slow"),
        (Slowed(steady(1), GivenWorkers((5,)), delay=1), "slow worker 5; expected 0 to 4"),
    ],
)
def test_slow_workers_that_there_are_not_are_refused(model: Slowed, message: str) -> None:
    with pytest.raises(InputError, match=message):
        times(model, 1)


def test_senseless_slowness_is_refused() -> None:
    with pytest.raises(InputError, match="delay=-1"):
        Slowed(steady(1), RandomWorkers(1), delay=-1)
    with pytest.raises(InputError, match="delay=nan"):
        Slowed(steady(1), RandomWorkers(1), delay=float("nan"))
    with pytest.raises(InputError, match="factor=0"):
        Slowed(steady(1), RandomWorkers(1), factor=0)
