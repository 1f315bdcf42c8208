"""Pictures of training runs: how long steps take, and how good the model is by then."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from gcdesign.errors import InputError
from gcdesign.figures.panels import experiment_figure
from gcdesign.figures.sizes import USUAL_SIZE
from gcdesign.papers import ExperimentResult, Panel, Series
from gcdesign.training.sweep import Run

POINTS = 400
"""Greatest number of points of a curve."""

PREFERRED = ("auc", "accuracy", "rmse")
"""The metric that is drawn, the first that there is."""


def runs_figure(runs: Sequence[Run], *, title: str | None = None, size: str = USUAL_SIZE) -> Figure:
    """Draw the share of steps that took longer than a time, and the model's score against time.

    Raises
    ------
    InputError
        If there is nothing to draw.
    """
    panels = [_steps_panel(runs), *_score_panels(runs)]
    return experiment_figure(ExperimentResult(tuple(panels), ()), title=title, size=size)


def _label(run: Run, runs: Sequence[Run]) -> str:
    """Return a run's label, with what tells it from the others."""
    seeds = {other.setup.seed for other in runs}
    named = [f"seed {run.setup.seed}"] if len(seeds) > 1 else []
    if len({other.setup.stragglers for other in runs}) > 1 and "S=" not in run.label:
        named.insert(0, f"S={run.setup.stragglers}")
    return ", ".join([run.label, *named])


def _family(run: Run) -> str:
    return {"naive": "uncoded"}.get(run.setup.scheme, run.setup.scheme.partition(":")[0])


def _steps_panel(runs: Sequence[Run]) -> Panel:
    series = []
    for run in runs:
        if not run.history.steps:
            raise InputError(f"{run.label} has no steps to draw")
        times = np.sort(run.history.seconds)
        later = 1 - np.arange(len(times) + 1) / len(times)
        x = np.concatenate([[0.0], times])
        keep = np.unique(np.linspace(0, len(x) - 1, POINTS).astype(int))
        series.append(
            Series(
                _label(run, runs),
                tuple(x[keep].tolist()),
                tuple(later[keep].tolist()),
                kind="steps",
                family=_family(run),
            )
        )
    return Panel("time per step", "seconds", "share of steps that take longer", tuple(series))


def _score_panels(runs: Sequence[Run]) -> list[Panel]:
    names = {name for run in runs for e in run.history.evaluations for name in e.metrics}
    name = next((metric for metric in PREFERRED if metric in names), None)
    if name is None:
        return []
    series = tuple(
        Series(
            _label(run, runs),
            tuple(e.seconds for e in run.history.evaluations),
            tuple(e.metrics.get(name, float("nan")) for e in run.history.evaluations),
            family=_family(run),
        )
        for run in runs
    )
    shown = "AUC" if name == "auc" else name
    return [Panel(f"{shown} against time", "seconds", shown, series)]
