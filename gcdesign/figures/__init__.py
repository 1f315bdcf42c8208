"""Pictures of results and designs; the only room that imports matplotlib."""

from gcdesign.figures.curves import error_figure
from gcdesign.figures.drawing import graph_figure, incidence_figure
from gcdesign.figures.ldgm import evolution_figure, gains_figure
from gcdesign.figures.panels import experiment_figure, panels_figure
from gcdesign.figures.sizes import SIZES, USUAL_SIZE, picture_size
from gcdesign.figures.style import FORMATS, format_of, render
from gcdesign.figures.traces import fit_figure, trace_figure
from gcdesign.figures.training import runs_figure

__all__ = [
    "FORMATS",
    "SIZES",
    "USUAL_SIZE",
    "error_figure",
    "evolution_figure",
    "experiment_figure",
    "fit_figure",
    "format_of",
    "gains_figure",
    "graph_figure",
    "incidence_figure",
    "panels_figure",
    "picture_size",
    "render",
    "runs_figure",
    "trace_figure",
]
