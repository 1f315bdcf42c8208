"""Pictures of error curves, as in Figure 1 of Kadhe, Koyluoglu, Ramchandran 2019."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from gcdesign.codes import ExpectedCurve
from gcdesign.errors import InputError
from gcdesign.figures.sizes import USUAL_SIZE, Size, grow, new_figure, picture_size
from gcdesign.figures.style import (
    BOUND_COLOUR,
    LINE_SPACING,
    CurveStyle,
    curve_styles,
    paper_style,
    plain,
)

if TYPE_CHECKING:
    from gcdesign.adversary.curve import BoundCurve, ErrorCurve

    Curve = ErrorCurve | ExpectedCurve

MARKED_WORKERS = 40
"""Curves of codes with at most this many workers carry a marker at every point."""

EXACT = 1e-6
"""Brackets of err/K that are no wider than this are drawn as values."""

TOP = 1.05
"""Upper end of the ordinate; bounds that leave the picture are cut there."""

BOUND_DASHES = {
    "upper": ((4.0, 2.0), (7.0, 2.0, 1.0, 2.0), (2.5, 2.5)),
    "lower": ((1.0, 1.5), (1.0, 3.0), (3.0, 1.5, 1.0, 1.5)),
}

Reals = NDArray[np.float64]
Entry = tuple[Artist, str]
"""What the legend shows, and the words beside it."""


def error_figure(
    curves: Sequence[Curve],
    bounds: Sequence[BoundCurve] = (),
    *,
    title: str | None = None,
    size: str = USUAL_SIZE,
) -> Figure:
    """Draw worst-case or expected errors against the fraction of stragglers.

    The abscissa is S/N and the ordinate err_S/K. Where a curve is known exactly it is a line;
    where it is only bracketed, a band between what an attack reaches and what is proven. An
    expected error that is estimated is a line within the band of its confidence interval.

    Parameters
    ----------
    curves
        The codes, each with its proven lower and upper values, or its means and intervals.
    bounds
        Bounds that are drawn as thin grey lines, cut at the upper edge of the picture.
    title
        Title above the picture.
    size
        What the picture is to fill: a name in `SIZES`, or ``"120x80"`` in millimetres.

    Raises
    ------
    InputError
        If there is nothing to draw, a curve has no workers or parts, or the size is unknown.

    Examples
    --------
    >>> from gcdesign.adversary.curve import error_curve
    >>> from gcdesign.codes import load_code
    >>> figure = error_figure([error_curve(load_code("uncoded:workers=2"))])
    >>> figure.axes[0].lines[0].get_ydata().tolist()
    [0.0, 0.5, 1.0]
    """
    if not curves and not bounds:
        raise InputError("there is no curve to draw; give at least one")
    for curve in curves:
        if min(curve.workers, curve.parts) < 1:
            raise InputError(
                f"{curve.label} has {curve.workers} workers and {curve.parts} parts; "
                "a curve needs at least one of each"
            )
    room = picture_size(size)
    with paper_style():
        figure = new_figure(room)
        axes = figure.add_subplot()
        _prepare(axes, title, room, _ordinate(curves))
        entries = _draw_curves(axes, curves) + _draw_bounds(axes, bounds)
        _add_legend(figure, axes, entries, room)
    return figure


def _ordinate(curves: Sequence[Curve]) -> str:
    expected = [isinstance(curve, ExpectedCurve) for curve in curves]
    if not any(expected):
        return r"worst-case error $\mathrm{err}_S/K$"
    return r"expected error $\mathrm{E\,err}_S/K$" if all(expected) else r"error $\mathrm{err}_S/K$"


def _prepare(axes: Axes, title: str | None, size: Size, ordinate: str) -> None:
    axes.set(xlim=(-0.015, 1.015), ylim=(-0.02, TOP))
    ticks = np.linspace(0, 1, 6)
    axes.set_xticks(ticks)
    axes.set_yticks(ticks)
    axes.grid()
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlabel("fraction of stragglers $S/N$")
    axes.set_ylabel(ordinate)
    if title is not None:
        axes.set_title(plain(title, 90 if size.wide else 40), linespacing=LINE_SPACING)


def _draw_curves(axes: Axes, curves: Sequence[Curve]) -> list[Entry]:
    styles = curve_styles([curve.family or curve.label for curve in curves])
    return [
        (
            _draw_expected(axes, curve, style)
            if isinstance(curve, ExpectedCurve)
            else _draw_curve(axes, curve, style),
            curve.label,
        )
        for curve, style in zip(curves, styles, strict=True)
    ]


def _draw_curve(axes: Axes, curve: ErrorCurve, style: CurveStyle) -> Artist:
    x = np.array(curve.stragglers) / curve.workers
    lower, upper = (
        np.array([float(value / curve.parts) for value in values])
        for values in (curve.lower, curve.upper)
    )
    exact = upper - lower <= EXACT
    marked = curve.workers <= MARKED_WORKERS
    line = _draw_line(axes, x, np.where(exact, upper, np.nan), style, marked=marked)
    if exact.all():
        return line
    return axes.fill_between(
        x,
        lower,
        upper,
        where=_with_neighbours(~exact),
        facecolor=(style.colour, 0.2),
        edgecolor=style.colour,
        linewidth=0.6,
        linestyle=(0, style.dashes) if style.dashes else "-",
    )


def _draw_expected(axes: Axes, curve: ExpectedCurve, style: CurveStyle) -> Artist:
    """Draw the means as a line and their confidence intervals as a band around it."""
    x = np.array(curve.stragglers) / curve.workers
    lower, mean, upper = np.array(
        [[float(v) / curve.parts for v in (m.lower, m.value, m.upper)] for m in curve.means]
    ).T
    if (upper - lower > EXACT).any():
        axes.fill_between(x, lower, upper, facecolor=(style.colour, 0.2), edgecolor="none")
    return _draw_line(axes, x, mean, style, marked=curve.workers <= MARKED_WORKERS)


def _with_neighbours(flags: NDArray[np.bool_]) -> NDArray[np.bool_]:
    padded = np.pad(flags, 1)
    return padded[:-2] | flags | padded[2:]


def _draw_line(axes: Axes, x: Reals, y: Reals, style: CurveStyle, *, marked: bool) -> Line2D:
    [line] = axes.plot(
        x,
        y,
        color=style.colour,
        linewidth=style.width,
        linestyle=(0, style.dashes) if style.dashes else "-",
        marker=style.marker if marked else "",
        markersize=3.2,
        markeredgewidth=0.8,
        markerfacecolor="white" if style.hollow else style.colour,
    )
    return line


def _draw_bounds(axes: Axes, bounds: Sequence[BoundCurve]) -> list[Entry]:
    entries: list[Entry] = []
    numbers = {side: count() for side in BOUND_DASHES}
    for bound in bounds:
        dashes = BOUND_DASHES[bound.side]
        # A finite height far outside keeps the slope at the cut and spares the renderer infinity.
        height = np.minimum(bound.values, 10 * TOP)
        [line] = axes.plot(
            bound.fractions,
            height,
            color=BOUND_COLOUR,
            linewidth=0.9,
            linestyle=(0, dashes[next(numbers[bound.side]) % len(dashes)]),
        )
        entries.append((line, bound.label))
    return entries


def _add_legend(figure: Figure, axes: Axes, entries: list[Entry], size: Size) -> None:
    """Put the legend into the upper left corner if that is free of data, else outside."""
    handles = [handle for handle, _ in entries]
    labels = [plain(label, 40) for _, label in entries]
    legend = _tight(axes.legend(handles, labels, loc="upper left", borderaxespad=0.2))
    legend.set_in_layout(False)
    figure.draw_without_rendering()
    if not _covers_data(axes, legend):
        return
    legend.remove()
    if size.wide:
        _add_legend_beside(figure, handles, labels, size)
    else:
        _add_legend_below(figure, handles, labels, size)


def _add_legend_beside(
    figure: Figure, handles: list[Artist], labels: list[str], size: Size
) -> None:
    """Put the legend to the right of the axes, in a figure that is high enough for it."""
    legend = _tight(figure.legend(handles, labels, loc="outside right upper"))
    height = legend.get_window_extent().height / figure.dpi + 0.15
    grow(figure, size, max(figure.get_figheight(), height))


def _add_legend_below(figure: Figure, handles: list[Artist], labels: list[str], size: Size) -> None:
    """Make the figure higher by a legend with as many columns as fit."""
    for columns in (3, 2, 1):
        legend = _tight(figure.legend(handles, labels, loc="outside lower center", ncols=columns))
        extent = legend.get_window_extent()
        if extent.width <= figure.bbox.width or columns == 1:
            break
        legend.remove()
    grow(figure, size, figure.get_figheight() + extent.height / figure.dpi)


def _tight(legend: Legend) -> Legend:
    for text in legend.get_texts():
        text.set_linespacing(LINE_SPACING)
    return legend


def _covers_data(axes: Axes, legend: Legend) -> bool:
    box = legend.get_window_extent().padded(4).transformed(axes.transData.inverted())
    if box.x1 > 1 or box.y0 < 0:
        return True
    bands = [path for band in axes.collections for path in band.get_paths()]
    return any(line.get_path().intersects_bbox(box, filled=False) for line in axes.lines) or any(
        band.intersects_bbox(box) for band in bands
    )
