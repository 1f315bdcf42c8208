"""Pictures of runs and traces: what is drawn is what was measured."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from gcdesign.errors import InputError
from gcdesign.figures import fit_figure, render, runs_figure, trace_figure
from gcdesign.training import Trace
from gcdesign.training.master import Plan
from gcdesign.training.setup import Learning, Setup
from gcdesign.training.sweep import sweep, variations
from gcdesign.training.traces.fitting import fit_trace

COMMON = Setup(
    workers=6, stragglers=1, delay=2, learning=Learning(data="mixture:samples=60,features=3")
)


def titles(figure: Figure) -> list[str]:
    return [axes.get_title() for axes in figure.axes]


def labels(figure: Figure, number: int) -> list[str]:
    return [str(line.get_label()) for line in figure.axes[number].lines]


def test_runs_are_drawn_with_times_and_scores() -> None:
    runs = sweep(variations(COMMON, scheme=["naive", "cyclic"]), Plan(20, 5))
    figure = runs_figure(runs)
    assert titles(figure) == ["time per step", "AUC against time"]
    assert labels(figure, 0) == ["naive (N=6)", "cyclic repetition (N=6, S=1)"]
    naive, coded = figure.axes[1].lines
    assert np.allclose(naive.get_xdata(), [15, 30, 45, 60])
    assert np.allclose(coded.get_xdata(), [10, 20, 30, 40])
    assert np.array_equal(
        naive.get_ydata(), [e.metrics["auc"] for e in runs[0].history.evaluations]
    )
    assert render(figure, "png").startswith(b"\x89PNG")


def test_runs_without_scores_have_one_panel_and_names_that_differ() -> None:
    runs = sweep(
        variations(COMMON, scheme=["naive"], stragglers=[1, 2], seed=[0, 1]),
        Plan(9),
        times_only=True,
    )
    figure = runs_figure(runs)
    assert titles(figure) == ["time per step"]
    assert labels(figure, 0)[0] == "naive (N=6), S=1, seed 0"
    assert len(set(labels(figure, 0))) == 4


def test_a_run_without_steps_cannot_be_drawn() -> None:
    runs = sweep([COMMON], Plan(0))
    with pytest.raises(InputError, match="no steps to draw"):
        runs_figure(runs)


def test_a_trace_is_drawn_with_its_waits() -> None:
    times = np.array([[1.0, 3.0, 2.0], [2.0, 5.0, np.inf]])
    figure = trace_figure(Trace(times, np.ones(3)))
    assert titles(figure) == ["times by step", "waiting for m workers"]
    slowest, median = (line.get_ydata() for line in figure.axes[0].lines)
    assert np.array_equal(slowest, [3.0, np.nan], equal_nan=True)
    assert np.array_equal(median, [2.0, 5.0])
    waits = figure.axes[1].lines[0].get_ydata()
    assert np.array_equal(waits, [1.5, 3.5, np.nan], equal_nan=True)


def test_fits_are_drawn_beside_the_times() -> None:
    times = np.random.default_rng(0).exponential(size=(40, 3)) + 1
    fit = fit_trace(Trace(times, np.ones(3)), resamples=5)
    figure = fit_figure(fit)
    assert labels(figure, 0)[0] == "recorded"
    assert labels(figure, 0)[1] == fit.best.law.name == "shifted-exp"
    x, y = figure.axes[0].lines[1].get_data()
    assert np.allclose(y, fit.best.law.survival(x))
    fitted, recorded = figure.axes[1].lines[0].get_data()
    assert np.corrcoef(np.asarray(fitted), np.asarray(recorded))[0, 1] > 0.97
