"""Pictures of traces, and of laws fitted to them."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from gcdesign.figures.panels import experiment_figure
from gcdesign.figures.sizes import USUAL_SIZE
from gcdesign.papers import ExperimentResult, Panel, Series
from gcdesign.training.traces import Trace
from gcdesign.training.traces.fitting import TraceFit

POINTS = 400
"""Greatest number of points of a curve."""

TAIL = 50
"""So many of the longest times are all drawn."""


def trace_figure(trace: Trace, *, title: str | None = None, size: str = USUAL_SIZE) -> Figure:
    """Draw the median and the slowest time of each step, and the mean waits for m workers.

    Unknown times and those that never came are left out of the first, and gaps in the second.
    """
    ordered = np.sort(trace.times, axis=1)
    finite = np.where(np.isfinite(ordered), ordered, np.nan)
    places = {"slowest": trace.workers - 1, "median": (trace.workers - 1) // 2}
    keep = _some(trace.steps)
    steps = Panel(
        "times by step",
        "step",
        "seconds",
        tuple(
            Series(
                name,
                _numbers(keep),
                _numbers(finite[keep, place]),
                family="uncoded" if name == "slowest" else name,
            )
            for name, place in places.items()
        ),
        y_log=bool((ordered[:, 0] > 0).all()),
    )
    waits = ordered.mean(axis=0)
    counts = np.arange(1, trace.workers + 1)
    mean = Series(
        "mean wait", _numbers(counts), _numbers(np.where(np.isfinite(waits), waits, np.nan))
    )
    waiting = Panel("waiting for m workers", "m", "seconds", (mean,))
    return experiment_figure(ExperimentResult((steps, waiting), ()), title=title, size=size)


def fit_figure(fit: TraceFit, *, title: str | None = None, size: str = USUAL_SIZE) -> Figure:
    """Draw the share of times that are longer, beside the fitted laws, and quantile by quantile."""
    times = fit.times
    keep = np.union1d(_some(len(times)), np.arange(max(0, len(times) - TAIL), len(times)))
    later = 1 - np.arange(1, len(times) + 1) / len(times)
    positive = times[keep] > 0
    x = times[keep]
    data = Series("recorded", _numbers(x), _numbers(later[keep]), kind="steps", family="uncoded")
    curves = [
        Series(one.law.name, _numbers(x), _numbers(one.law.survival(x)), family=one.law.name)
        for one in fit.laws
    ]
    tails = Panel(
        "share of times that are longer",
        "seconds for a load of 1",
        "share",
        (data, *curves),
        x_log=bool(positive.all()),
        y_log=True,
        y_limits=(0.5 / len(times), 1.5),
    )
    middle = (keep + 0.5) / len(times)
    quantiles = [
        Series(one.law.name, _numbers(one.law.quantile(middle)), _numbers(x), family=one.law.name)
        for one in fit.laws
    ]
    ends = (float(times[0]), float(times[-1]))
    line = Series("equal", ends, ends, kind="bound")
    pairs = Panel(
        "quantiles",
        "fitted, seconds",
        "recorded, seconds",
        (*quantiles, line),
        x_log=bool(positive.all()),
        y_log=bool(positive.all()),
    )
    return experiment_figure(ExperimentResult((tails, pairs), ()), title=title, size=size)


def _some(count: int) -> NDArray[np.int64]:
    """Return at most `POINTS` of 0 … count − 1, evenly spread."""
    return np.unique(np.linspace(0, count - 1, min(count, POINTS)).astype(np.int64))


def _numbers(values: NDArray[np.generic]) -> tuple[float, ...]:
    return tuple(np.asarray(values, dtype=np.float64).tolist())
