"""``gcdesign draw``: pictures of a design."""

from __future__ import annotations

from pathlib import Path

import click

from gcdesign.cli.options import (
    design_argument,
    force_option,
    json_option,
    output_option,
    quiet_option,
    worker_list,
)
from gcdesign.cli.page import Page


@click.command(
    cls=Page,
    name="draw",
    see_also=("curve", "report", "info"),
)
@design_argument
@click.option(
    "--picture",
    type=click.Choice(["incidence", "graph"]),
    default="incidence",
    show_default=True,
    help="The incidence matrix, or the bipartite graph of workers and parts.",
)
@click.option(
    "--silenced",
    type=worker_list,
    metavar="W,W,…",
    default="",
    help="Workers to mark as silent, with the parts that are lost (default: none).",
)
@click.option(
    "--size",
    metavar="SIZE",
    help="Width to fill: ieee-column, ieee-page, a4, slide, or 120x80 in millimetres"
    " (default: as wide as whole cells are).",
)
@output_option("the picture (.png, .svg or .pdf)", dash=False)
@force_option
@json_option
@quiet_option
def command(
    design: str | None,
    picture: str,
    silenced: tuple[int, ...],
    size: str | None,
    output: Path | None,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    r"""Draw the incidence matrix or the bipartite graph of DESIGN.

    \b
    Examples:
      gcdesign draw ag:q=4 -o ag4.svg
      gcdesign draw pg:q=2 --picture graph --silenced 0,1,3 -o fano.png
    """
    from gcdesign.cli.output import notice, print_json, write_output
    from gcdesign.cli.source import open_source
    from gcdesign.errors import InputError

    if output is None:
        raise InputError("say where to write the picture: -o FILE.png, .svg or .pdf")
    if str(output) == "-":
        raise InputError("a picture needs a file whose suffix says its format: -o FILE.png")
    from gcdesign.figures import format_of, graph_figure, incidence_figure, render

    format_ = format_of(output)
    source = open_source(design)
    source.code.placement.mask(silenced)
    make = incidence_figure if picture == "incidence" else graph_figure
    figure = make(source.design, highlight=silenced, title=source.code.label, size=size)
    write_output(output, render(figure, format_), force=force)
    if as_json:
        print_json(
            {
                "schema": "gcdesign.draw/1",
                "label": source.code.label,
                "picture": picture,
                "silenced": list(silenced),
                "file": str(output),
            }
        )
    else:
        notice(f"{source.code.label}: {picture} drawn to {output}", quiet=quiet)
