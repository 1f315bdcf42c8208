"""Pictures of experiments: what is in the result is in the picture."""

from __future__ import annotations

import pytest

from gcdesign.errors import InputError
from gcdesign.figures import experiment_figure, render
from gcdesign.papers import ExperimentResult, Panel, Series

LINE = Series("pg", (0.0, 1.0, 2.0), (1.0, 2.0, 3.0), family="pg")
BAND = Series("mean_1", (0.0, 1.0), (1.0, 2.0), lower=(0.5, 1.5), upper=(1.5, 2.5))
KINDS = (
    LINE,
    BAND,
    Series("steps", (0.0, 1.0), (1.0, 2.0), kind="steps"),
    Series("points", (0.0, 1.0), (1.0, 2.0), kind="points"),
    Series("bound", (0.0, 1.0), (1.0, float("nan")), kind="bound"),
)


def test_every_series_is_drawn_with_its_label() -> None:
    figure = experiment_figure(ExperimentResult((Panel("p", "x", "y", KINDS),), ()), title="t")
    (axes,) = figure.axes
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == [s.label for s in KINDS]
    assert [len(line.get_xdata()) for line in axes.lines] == [len(s.x) for s in KINDS]  # type: ignore[arg-type]
    assert render(figure, "svg").startswith(b"<?xml")


def test_panels_stand_side_by_side_and_one_code_has_one_colour() -> None:
    panels = (
        Panel("a", "x", "y", (LINE, BAND), x_log=True),
        Panel("b", "x", "y", (BAND, LINE), y_log=True, y_limits=(1.0, 10.0)),
        Panel("c", "x", "y", (LINE,)),
    )
    figure = experiment_figure(ExperimentResult(panels, ()))
    assert [axes.get_title() for axes in figure.axes] == ["a", "b", "c"]
    colours = [{line.get_label(): line.get_color() for line in axes.lines} for axes in figure.axes]
    assert len({colour["pg"] for colour in colours}) == 1
    assert figure.axes[0].get_xscale() == figure.axes[1].get_yscale() == "log"
    assert figure.axes[1].get_ylim() == (1.0, 10.0)


def test_nothing_to_draw_is_refused() -> None:
    with pytest.raises(InputError, match="no curve to draw"):
        experiment_figure(ExperimentResult((Panel("p", "x", "y", ()),), ()))


def test_whole_numbers_have_whole_ticks() -> None:
    machines = Series("time", (10, 20, 30), (1.0, 2.0, 1.5))
    halves = Series("time", (0.5, 1, 1.5), (1.0, 2.0, 1.5))
    panels = tuple(Panel("p", "x", "y", (series,)) for series in (machines, halves))
    whole, other = experiment_figure(ExperimentResult(panels, ())).axes
    assert all(tick == round(tick) for tick in whole.get_xticks())
    assert not all(tick == round(tick) for tick in other.get_xticks())
