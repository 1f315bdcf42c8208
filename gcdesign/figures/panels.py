"""Pictures of experiments: panels side by side, in the styles of all other curves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from gcdesign.errors import InputError
from gcdesign.figures.curves import BOUND_DASHES
from gcdesign.figures.sizes import USUAL_SIZE, new_figure, picture_size
from gcdesign.figures.style import BOUND_COLOUR, LINE_SPACING, curve_styles, paper_style, plain
from gcdesign.papers import ExperimentResult, Panel, Series

COLUMNS = 2
"""Panels in a row."""

SHORT = 300
"""Ends of a logarithmic axis whose quotient is less are labelled between decades, too."""

MARKED_POINTS = 40
"""Curves with at most this many points carry a marker at each."""


def experiment_figure(
    result: ExperimentResult, *, title: str | None = None, size: str = USUAL_SIZE
) -> Figure:
    """Draw the panels of an experiment, each with its legend below it.

    Raises
    ------
    InputError
        If there is nothing to draw.

    Examples
    --------
    >>> from gcdesign.papers import reproduce
    >>> figure = experiment_figure(reproduce("kadhe-fig1a", changes={"q": 2}))
    >>> [axes.get_title() for axes in figure.axes]
    ['q = 2']
    """
    return panels_figure(result.panels, title=title, size=size)


def panels_figure(
    panels: Sequence[Panel], *, title: str | None = None, size: str = USUAL_SIZE
) -> Figure:
    """Draw panels, each with its legend below it.

    Raises
    ------
    InputError
        If there is nothing to draw, or the size is unknown.
    """
    room = picture_size(size)
    panels = [panel for panel in panels if panel.series]
    if not panels:
        raise InputError("the experiment has no curve to draw")
    columns = min(COLUMNS if room.wide else 1, len(panels))
    rows = -(-len(panels) // columns)
    entries = max(len(panel.series) for panel in panels)
    with paper_style():
        single = room.wide and columns == 1
        legend_rows = -(-entries // (2 if single else 1))
        height = rows * (3.0 + 0.17 * legend_rows) + 0.3 * (title is not None)
        figure = new_figure(room, height=height)
        for number, panel in enumerate(panels, start=1):
            _draw(figure.add_subplot(rows, columns, number), panel, wide=single)
        if title is not None:
            words = plain(title, 90 if room.wide else 45)
            figure.suptitle(words, linespacing=LINE_SPACING, fontsize=10)
    return figure


def _draw(axes: Axes, panel: Panel, *, wide: bool) -> None:
    axes.set_title(plain(panel.title, 90 if wide else 45), linespacing=LINE_SPACING)
    axes.set_xlabel(panel.x_label)
    axes.set_ylabel(panel.y_label)
    if panel.x_log:
        axes.set_xscale("log")
    elif all(float(x).is_integer() for series in panel.series for x in series.x):
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))  # no half machine or step
    if panel.y_log:
        axes.set_yscale("log")
    axes.grid()
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    _draw_series(axes, panel.series)
    if panel.y_limits is not None:
        axes.set_ylim(*panel.y_limits)
    for axis, logarithmic in ((axes.xaxis, panel.x_log), (axes.yaxis, panel.y_log)):
        if logarithmic:
            _space_ticks(axis)
    axes.legend(
        loc="upper center", bbox_to_anchor=(0.5, -0.17), ncols=2 if wide else 1, borderaxespad=0
    )


def _space_ticks(axis: Axis) -> None:
    """Label a logarithmic axis so that labels keep apart: 1, 2, 5, 10 or whole decades."""
    low, high = axis.get_view_interval()
    axis.set_minor_formatter(NullFormatter())
    if low > 0 and high / low < SHORT:
        axis.set_major_locator(LogLocator(subs=(1, 2, 5), numticks=20))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    else:
        axis.set_major_locator(LogLocator(numticks=7))


def _draw_series(axes: Axes, all_series: tuple[Series, ...]) -> None:
    curves = [series for series in all_series if series.kind != "bound"]
    styles = iter(curve_styles([series.family or series.label for series in curves]))
    dashes, bounds = BOUND_DASHES["upper"] + BOUND_DASHES["lower"], count()
    for series in all_series:
        label = plain(series.label, 60)
        if series.kind == "bound":
            dash = dashes[next(bounds) % len(dashes)]
            axes.plot(
                series.x, series.y, color=BOUND_COLOUR, lw=0.9, linestyle=(0, dash), label=label
            )
            continue
        style = next(styles)
        if series.lower:
            axes.fill_between(
                series.x,
                series.lower,
                series.upper,
                facecolor=(style.colour, 0.2),
                edgecolor="none",
            )
        lines = series.kind != "points"
        axes.plot(
            series.x,
            series.y,
            color=style.colour,
            linewidth=style.width,
            linestyle=((0, style.dashes) if style.dashes else "-") if lines else "",
            drawstyle="steps-post" if series.kind == "steps" else "default",
            marker=(style.marker or ("" if lines else "o"))
            if len(series.x) <= MARKED_POINTS
            else "",
            markersize=3.2,
            markeredgewidth=0.8,
            markerfacecolor="white" if style.hollow else style.colour,
            label=label,
        )
