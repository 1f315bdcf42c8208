"""Traces: files that come back as they were, and fits against scipy and known laws."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from gcdesign.codes.times import Pareto, ShiftedExponential, Weibull, parse_time
from gcdesign.errors import InputError
from gcdesign.training import Drawn, OnOff, Slowed, Trace, read_trace, trace_bytes
from gcdesign.training.stragglers import Timeline
from gcdesign.training.traces.fitting import (
    distance,
    fit_exponential,
    fit_pareto,
    fit_shifted,
    fit_trace,
    fit_weibull,
    log_likelihood,
)
from gcdesign.training.traces.persistence import persistence
from gcdesign.training.traces.summary import summarise

RNG = np.random.default_rng(5)


def drawn(law: str, shape: tuple[int, int], *, seed: int = 1) -> np.ndarray:
    times: np.ndarray = parse_time(law).law.draw(np.random.default_rng(seed), shape)
    return times


@pytest.mark.parametrize("suffix", [".csv", ".npz"])
def test_a_file_gives_back_the_trace(tmp_path: Path, suffix: str) -> None:
    times = RNG.exponential(size=(9, 3))
    times[2, 1], times[5, 0] = np.inf, np.nan
    trace = Trace(times, np.array([1.0, 2.0, 1 / 3]), {"scheme": "cyclic", "host": "a = b"})
    file = tmp_path / f"times{suffix}"
    file.write_bytes(trace_bytes(trace, suffix=suffix))
    found = read_trace(file)
    assert np.array_equal(found.times, trace.times, equal_nan=True)
    assert np.array_equal(found.loads, trace.loads)
    assert found.about == trace.about
    with pytest.raises(ValueError, match="read-only"):
        found.times[0, 0] = 1


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("1,2\n3,4\n", [[1, 2], [3, 4]]),
        ("first, second\n1,2\n", [[1, 2]]),
        ("\ufeff# a comment\n\n1,inf\n3,\n", [[1, np.inf], [3, np.nan]]),
        ("nan,2\n", [[np.nan, 2]]),
        ("0,0\n1,2\n", [[0, 0], [1, 2]]),
        ("inf,nan\n1,2\n", [[np.inf, np.nan], [1, 2]]),
    ],
)
def test_plain_tables_are_traces(tmp_path: Path, text: str, rows: list[list[float]]) -> None:
    file = tmp_path / "times.csv"
    file.write_text(text, encoding="utf-8")
    assert np.array_equal(read_trace(file).times, rows, equal_nan=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no line of times"),
        ("a,b\n", "no line of times"),
        ("1,2\n3\n", "line 2 has 1 times, and the first 2"),
        ("1,2\n3,x\n", "line 2: 'x'; expected a number"),
        ("1,-2\n", "step 0, worker 1: a time of -2"),
        ("# loads=1\n1,2\n", "expected one above 0 for each worker"),
        ("# loads=1,0\n1,2\n", "expected one above 0 for each worker"),
        ("# loads=1,a\n1,2\n", "loads: 'a'; expected a number"),
        ("# gcdesign.trace/2\n1,2\n", "the form 'gcdesign.trace/2' is not known"),
    ],
)
def test_what_is_no_trace_is_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "times.csv"
    file.write_text(text)
    with pytest.raises(InputError, match=rf"times\.csv: {message}|{message}"):
        read_trace(file)


def test_hostile_archives_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "times.npz"
    np.savez(file, times=np.array([{}], dtype=object))
    with pytest.raises(InputError, match="never unpickled"):
        read_trace(file)
    for data in (b"", b"PK\x03\x04", b"text"):
        file.write_bytes(data)
        with pytest.raises(InputError, match="not a usable zip archive"):
            read_trace(file)
    np.savez(file, seconds=np.ones((3, 2)))
    with pytest.raises(InputError, match="no trace; expected an npz file with an array 'times'"):
        read_trace(file)
    np.savez(file, times=np.ones(3))
    with pytest.raises(InputError, match=r"times of shape \(3,\)"):
        read_trace(file)
    with pytest.raises(InputError, match="cannot be read: no such file"):
        read_trace(tmp_path / "absent.csv")
    with pytest.raises(InputError, match="expected a trace in a file"):
        read_trace(tmp_path / "times.txt")


@pytest.mark.parametrize(
    "law", ["exp:rate=3", "weibull:scale=2,shape=0.7", "pareto:scale=1,shape=3"]
)
def test_fits_are_those_of_scipy(law: str) -> None:
    times = drawn(law, (500, 1)).ravel()
    assert 1 / fit_exponential(times).rate == pytest.approx(stats.expon.fit(times, floc=0)[1])
    shift, scale = stats.expon.fit(times)
    shifted = fit_shifted(times)
    assert (shifted.shift, 1 / shifted.rate) == pytest.approx((shift, scale))
    shape, _, scale = stats.weibull_min.fit(times, floc=0)
    weibull = fit_weibull(times)
    assert (weibull.shape, weibull.scale) == pytest.approx((shape, scale), rel=1e-3)
    assert log_likelihood(weibull, times) >= log_likelihood(Weibull(scale, shape), times) - 1e-9
    pareto = fit_pareto(times)
    best = log_likelihood(pareto, times)
    for factor in (0.9, 1.1):
        assert log_likelihood(Pareto(pareto.scale, pareto.shape * factor), times) < best
    for made, theirs in (
        (shifted, stats.expon(shifted.shift, 1 / shifted.rate)),
        (weibull, stats.weibull_min(weibull.shape, 0, weibull.scale)),
        (pareto, stats.pareto(pareto.shape, 0, pareto.scale)),
    ):
        assert log_likelihood(made, times) == pytest.approx(theirs.logpdf(times).sum())
        assert distance(made, times) == pytest.approx(stats.kstest(times, theirs.cdf).statistic)


@pytest.mark.parametrize(
    "law",
    [
        "exp:rate=3",
        "shifted-exp:shift=1,rate=2",
        "weibull:scale=2,shape=3",
        "pareto:scale=1,shape=2",
    ],
)
def test_the_law_of_the_times_is_found_and_others_refused(law: str) -> None:
    found = fit_trace(Trace(drawn(law, (150, 8)) * 2, np.full(8, 2.0)))
    fits = {fit.law.name: fit for fit in found.laws}
    name = law.partition(":")[0]
    assert fits[name].p_value > 0.01
    assert fits[name].distance < 0.05
    wrong = {"exp": "pareto", "shifted-exp": "weibull", "weibull": "exp", "pareto": "exp"}[name]
    assert fits[wrong].p_value < 0.01
    assert found.laws[0].distance == min(fit.distance for fit in found.laws)
    assert found.persistence is None


def test_p_values_are_spread_evenly_where_the_law_is_right() -> None:
    values = [
        {
            f.law.name: f
            for f in fit_trace(Trace(drawn("exp:rate=1", (30, 2), seed=s), np.ones(2)), seed=s).laws
        }["exp"].p_value
        for s in range(30)
    ]
    assert stats.kstest(values, "uniform").pvalue > 0.001


def test_times_of_0_leave_out_the_laws_above_0() -> None:
    times = np.append(drawn("exp:rate=1", (20, 1)), [[0.0]], axis=0)
    assert {fit.law.name for fit in fit_trace(Trace(times, np.ones(1))).laws} == {
        "exp",
        "shifted-exp",
    }
    for constant in (np.ones((5, 2)), np.full((5, 2), np.inf)):
        with pytest.raises(InputError, match="two different times"):
            fit_trace(Trace(constant, np.ones(2)))


def test_slow_runs_are_found_with_their_chain() -> None:
    chain = OnOff(0.02, 0.15)
    model = Slowed(Drawn(parse_time("shifted-exp:shift=1,rate=9")), chain, factor=6)
    timeline = Timeline(model, np.full(10, 2.0), seed=3)
    times = np.vstack([timeline.block(number).work for number in range(8)])
    found = persistence(Trace(times, np.full(10, 2.0)))
    assert found is not None
    assert found.chain.enter == pytest.approx(0.02, rel=0.15)
    assert found.chain.leave == pytest.approx(0.15, rel=0.1)
    assert found.factor == pytest.approx(6, rel=0.05)
    others = fit_trace(Trace(times, np.full(10, 2.0)), resamples=5).others
    assert others is not None
    assert isinstance(others.law, ShiftedExponential)
    assert (others.law.shift, others.law.rate) == pytest.approx((1, 9), rel=0.05)
    shuffled = np.random.default_rng(0).permuted(times, axis=0)
    assert persistence(Trace(shuffled, np.ones(10))) is None


def test_a_summary_counts_what_is_missing() -> None:
    times = np.array([[1.0, 4.0], [2.0, np.inf], [3.0, np.nan]])
    found = summarise(Trace(times, np.array([1.0, 2.0])))
    assert [(w.median, w.max, w.never, w.unknown) for w in found.by_worker] == [
        (2.0, 3.0, 0, 0),
        (4.0, 4.0, 1, 1),
    ]
    assert found.waits == (2.0, None)
