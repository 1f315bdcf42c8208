"""Pictures of one design: its incidence matrix and its graph, with an attack if one is given."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign
from gcdesign.errors import InputError, LimitError
from gcdesign.figures.highlight import Highlight, highlighted
from gcdesign.figures.raster import LONGEST, Raster, rasterise
from gcdesign.figures.sizes import PNG_DPI, picture_size
from gcdesign.figures.style import (
    CLASS_LINE,
    INK,
    LINE_SPACING,
    LIVE_EDGE,
    WARNING,
    WARNING_TINT,
    paper_style,
    plain,
)

CELL = 48
"""Largest side of one cell of a matrix in pixels."""

THINNEST = 170
"""Least side of a whole matrix in pixels; a longer and thinner one has oblong cells."""

RULED = 10
"""Least side of a cell in pixels for which a grid is drawn between the cells."""

MAX_CLASSES = 60
"""With more parallel classes than this, the lines between them would hide the matrix."""

MAX_EDGES = 20_000
MAX_NODES = 5_000
"""Largest graph that is drawn; a larger one would be a grey area."""

LABELLED = 40
"""Graphs with at most this many nodes carry numbers."""

NODE = 36
"""Largest diameter of a node in pixels."""

NODE_SPACING = 56
"""Largest distance of two nodes in a row in pixels."""

GRAPH_WIDTH = 1200
"""Largest length of a row in pixels."""

SIDES = 212
"""Widest margins of a matrix together in pixels."""

LEGEND_WIDTH = 640
"""Least width in pixels of a picture with a legend or a title."""

Mask = NDArray[np.bool_]
Reals = NDArray[np.float64]
Margins = tuple[int, int, int, int]
"""Left, right, bottom and top margin in pixels."""


def incidence_figure(
    design: BlockDesign,
    *,
    rows: str = "blocks",
    highlight: Sequence[int] = (),
    title: str | None = None,
    size: str | None = None,
) -> Figure:
    """Draw the incidence matrix.

    Each cell is a whole number of pixels. Long sides are counted in bins and drawn as a
    density, from the incidences alone: the matrix is never made dense. Parallel classes that
    lie together are separated by faint lines.

    Parameters
    ----------
    design
        The design; blocks go down and points across.
    rows
        ``"blocks"``, or ``"points"`` for the transposed picture.
    highlight
        Blocks (workers) to show as silenced, with the points (parts) that only they hold.
    title
        Title above the picture.
    size
        Whose width the picture is to fill, as in `error_figure`; the height follows.

    Raises
    ------
    InputError
        If the design has no points or no blocks, or an argument is out of range.

    Examples
    --------
    >>> fano = BlockDesign.from_blocks([{i, (i + 1) % 7, (i + 3) % 7} for i in range(7)])
    >>> incidence_figure(fano).axes[0].images[0].get_array().shape
    (7, 7, 3)
    """
    if rows not in ("blocks", "points"):
        raise InputError(f"rows={rows!r}; expected 'blocks' or 'points'")
    _check_not_empty(design)
    marked = highlighted(design, highlight)
    room = _room(size)
    raster = rasterise(design, marked, longest=room and min(room, LONGEST))
    if rows == "points":
        raster = raster.transposed()
    with paper_style():
        figure, axes, cell = _matrix_canvas(raster, title, room, legend=len(highlight) > 0)
        _show(axes, raster, ruled=min(cell) >= RULED)
        _name_axes(axes, rows)
        _separate_classes(axes, design, rows)
        marked.add_legend(axes)
        if raster.bins != (1, 1):
            _add_scale(figure, axes, raster)
    return figure


def _room(size: str | None) -> int | None:
    """Return the pixels beside the margins in the width of a size."""
    if size is None:
        return None
    return int(picture_size(size).width * PNG_DPI) - SIDES


def _check_not_empty(design: BlockDesign) -> None:
    if not (design.v and design.b):
        raise InputError(f"a design with v={design.v} and b={design.b} has no picture")


def _canvas(
    width: int, height: int, margins: Margins, title: str | None, *, legend: bool
) -> tuple[Figure, Axes]:
    """Return a figure and axes of exactly this many pixels, with room for title and legend."""
    left, right, bottom, top = margins
    across = max(left + width + right, LEGEND_WIDTH if legend or title else 0)
    heading = "" if title is None else plain(title, (across - left) // 13)
    lines = heading.count("\n") + bool(heading)
    up = bottom + height + top + 36 * legend + 38 * lines
    figure = Figure(figsize=(across / PNG_DPI, up / PNG_DPI), dpi=PNG_DPI)
    axes = figure.add_axes((left / across, bottom / up, width / across, height / up))
    axes.set_title(heading, loc="left", pad=5 + 13 * legend, linespacing=LINE_SPACING)
    return figure, axes


def _matrix_canvas(
    raster: Raster, title: str | None, room: int | None, *, legend: bool
) -> tuple[Figure, Axes, tuple[int, int]]:
    """Choose a whole number of pixels for each cell; return the canvas and the cell's sides."""
    rows, columns = raster.image.shape[:2]
    side = min(CELL, LONGEST // max(rows, columns)) if room is None else max(1, room // columns)
    cell = (max(side, -(-THINNEST // rows)), max(side, -(-THINNEST // columns)))
    digits = len(str(rows * raster.bins[0]))
    margins = (68 + 11 * digits, 20 if raster.bins == (1, 1) else 136, 88, 14)
    figure, axes = _canvas(cell[1] * columns, cell[0] * rows, margins, title, legend=legend)
    return figure, axes, cell


def _show(axes: Axes, raster: Raster, *, ruled: bool) -> None:
    rows, columns = raster.image.shape[:2]
    down, across = rows * raster.bins[0], columns * raster.bins[1]
    extent = (-0.5, across - 0.5, down - 0.5, -0.5)
    axes.imshow(raster.image, extent=extent, aspect="auto", interpolation="nearest")
    axes.xaxis.set_major_locator(_ticks(across, axes.bbox.width))
    axes.yaxis.set_major_locator(_ticks(down, axes.bbox.height))
    if ruled:
        axes.set_xticks(np.arange(columns - 1) + 0.5, minor=True)
        axes.set_yticks(np.arange(rows - 1) + 0.5, minor=True)
        axes.grid(which="minor", linewidth=0.4)
        axes.tick_params(which="minor", length=0)


def _ticks(count: int, pixels: float) -> MaxNLocator:
    """Return a locator of whole numbers that leaves room for the longest number."""
    room = int(pixels / (20 + 11 * len(str(count))))
    return MaxNLocator(max(1, min(room, 7)), integer=True, steps=[1, 2, 5, 10], min_n_ticks=1)


def _name_axes(axes: Axes, rows: str) -> None:
    names = {"blocks": "block (worker)", "points": "point (part)"}
    axes.set_ylabel(names.pop(rows))
    axes.set_xlabel(names.popitem()[1])


def _separate_classes(axes: Axes, design: BlockDesign, rows: str) -> None:
    """Draw a line wherever a parallel class ends, if the blocks are sorted by class."""
    if design.block_classes is None:
        return
    ends = np.flatnonzero(np.diff(design.block_classes)) + 0.5
    classes = len(np.unique(design.block_classes))
    if len(ends) != classes - 1 or classes > MAX_CLASSES:
        return
    draw_line = axes.axhline if rows == "blocks" else axes.axvline
    for end in ends:
        draw_line(end, color=CLASS_LINE, linewidth=0.6, alpha=0.7)


def _add_scale(figure: Figure, axes: Axes, raster: Raster) -> None:
    """Say what the shades of a matrix that was counted in bins stand for."""
    box = axes.get_position()
    width, gap = (pixels / PNG_DPI / figure.get_figwidth() for pixels in (12, 16))
    beside = figure.add_axes((box.x1 + gap, box.y0, width, box.height))
    shades = LinearSegmentedColormap.from_list("shades", ["white", INK])
    scale = figure.colorbar(
        ScalarMappable(Normalize(0, raster.peak), shades),
        cax=beside,
        extend="max" if raster.saturated else "neither",
    )
    scale.set_label("density of incidences", labelpad=2)
    scale.locator = MaxNLocator(nbins=4)


def graph_figure(
    design: BlockDesign,
    *,
    highlight: Sequence[int] = (),
    title: str | None = None,
    size: str | None = None,
) -> Figure:
    """Draw the bipartite graph of workers (blocks, squares) and parts (points, circles).

    Parameters
    ----------
    design
        The design; blocks are the upper row, points the lower.
    highlight
        Blocks (workers) to show as silenced, with the points (parts) that only they hold.
    title
        Title above the picture.
    size
        Whose width the picture is to fill, as in `error_figure`; the height follows.

    Raises
    ------
    InputError
        If the design has no points or no blocks, or a block to highlight is out of range.
    LimitError
        If the graph has more than `MAX_EDGES` edges or `MAX_NODES` nodes.

    Examples
    --------
    >>> fano = BlockDesign.from_blocks([{i, (i + 1) % 7, (i + 3) % 7} for i in range(7)])
    >>> [len(lines.get_segments()) for lines in graph_figure(fano).axes[0].collections[:1]]
    [21]
    """
    _check_not_empty(design)
    if design.incidences > MAX_EDGES or design.b + design.v > MAX_NODES:
        raise LimitError(
            f"a graph with {design.incidences} edges and {design.b + design.v} nodes is too dense "
            f"to draw (at most {MAX_EDGES} and {MAX_NODES}); draw its incidence matrix instead"
        )
    marked = highlighted(design, highlight)
    longest = max(design.b, design.v)
    width = _room(size) or min(max(NODE_SPACING * longest, 480), GRAPH_WIDTH)
    height = min(max(width // 3, 240), 420)
    with paper_style():
        figure, axes = _canvas(width, height, (160, 16, 16, 16), title, legend=len(highlight) > 0)
        axes.set(xlim=(0, width), ylim=(0, height))
        axes.set_axis_off()
        node = min(0.8 * width / longest, NODE)
        workers = _row(design.b, width, height - node / 2)
        parts = _row(design.v, width, node / 2)
        _draw_edges(axes, design, marked, workers, parts)
        _draw_nodes(axes, workers, node, "s", marked.silenced, WARNING)
        _draw_nodes(axes, parts, node, "o", marked.lost, WARNING_TINT)
        if design.b + design.v <= LABELLED:
            _number(axes, workers)
            _number(axes, parts)
        _name_row(axes, workers, "worker")
        _name_row(axes, parts, "part")
        marked.add_legend(axes)
    return figure


def _row(nodes: int, width: int, height: float) -> Reals:
    """Return the places of nodes that are spread evenly over a row, shape (nodes, 2)."""
    across = (np.arange(nodes) + 0.5) * width / nodes
    return np.column_stack([across, np.full(nodes, height)])


def _draw_edges(
    axes: Axes, design: BlockDesign, marked: Highlight, workers: Reals, parts: Reals
) -> None:
    blocks = design.block_of_incidence
    segments = np.stack([workers[blocks], parts[design.indices]], axis=1)
    silenced = marked.silenced[blocks]
    opacity = float(np.clip(5 / np.sqrt(max(len(segments), 1)), 0.05, 0.8))
    for chosen, colour, style in ((~silenced, LIVE_EDGE, "-"), (silenced, WARNING, "--")):
        lines = LineCollection(
            list(segments[chosen]), colors=colour, alpha=opacity, linewidths=0.7, linestyles=style
        )
        axes.add_collection(lines, autolim=False)


def _draw_nodes(
    axes: Axes, places: Reals, diameter: float, marker: str, hit: Mask, colour: str
) -> None:
    axes.scatter(
        places[:, 0],
        places[:, 1],
        s=(72 * diameter / PNG_DPI) ** 2,
        marker=marker,
        c=np.where(hit, colour, "white").tolist(),
        edgecolors=np.where(hit, WARNING, INK).tolist(),
        linewidths=min(0.8, diameter / 20),
        zorder=2,
        clip_on=False,
    )


def _number(axes: Axes, places: Reals) -> None:
    for number, (x, y) in enumerate(places):
        axes.text(x, y, str(number), fontsize=6.5, ha="center", va="center_baseline", zorder=3)


def _name_row(axes: Axes, places: Reals, noun: str) -> None:
    name = f"{len(places)} {noun}" + ("" if len(places) == 1 else "s")
    axes.text(-16, places[0, 1], name, ha="right", va="center_baseline")
