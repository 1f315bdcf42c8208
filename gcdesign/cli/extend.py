"""``gcdesign extend``: the larger design that a design is a part of."""

from __future__ import annotations

from pathlib import Path

import click

from gcdesign.cli.options import (
    design_argument,
    force_option,
    json_option,
    output_option,
    quiet_option,
    search_options,
)
from gcdesign.cli.page import Page


@click.command(
    cls=Page,
    name="extend",
    exits={
        0: "there is such a design",
        1: "there is none, proved",
        3: "unknown when a limit was reached",
    },
    see_also=("transform", "sets"),
)
@design_argument
@click.option(
    "--symmetric",
    is_flag=True,
    help="Look for the symmetric design that this one is the residual of.",
)
@output_option("the larger design")
@force_option
@search_options
@json_option
@quiet_option
def command(
    design: str | None,
    symmetric: bool,
    output: Path | None,
    force: bool,
    time_limit: float | None,
    threads: int,
    seed: int,
    as_json: bool,
    quiet: bool,
) -> int:
    r"""Extend DESIGN, a t-design, by one point to a (t+1)-design.

    The blocks through the new point, without it, are those of DESIGN. With
    --symmetric, DESIGN is completed to the symmetric design that has it as
    a residual. The exit code is 0 if there is such a design, 1 if there is
    none, and 3 if the time was too short to tell.

    \b
    Examples:
      gcdesign extend pg:q=4 -o witt22.json
      gcdesign extend ag:q=4 --symmetric
    """
    from gcdesign.cli.building import check_target, write_found
    from gcdesign.cli.output import EXIT_CODES, design_json, parameters_text, print_json
    from gcdesign.cli.source import open_design
    from gcdesign.designs.tools import Limits, embed_as_residual, extend

    check_target(output, force=force, as_json=as_json)
    source = open_design(design)
    found = (embed_as_residual if symmetric else extend)(
        source.design, limits=Limits(time_limit, threads, seed)
    )
    written = write_found(found.design, output, force=force, quiet=quiet)
    if as_json:
        print_json(
            {
                "schema": "gcdesign.extend/1",
                "label": source.code.label,
                "source": source.file,
                "design": design_json(source.design),
                "question": "residual" if symmetric else "extension",
                "status": found.status,
                "reason": found.reason,
                "larger": None if found.design is None else design_json(found.design),
                "blocks": None if found.design is None else found.design.blocks(),
                **written,
            }
        )
    elif str(output) != "-" or found.design is None:
        what = "symmetric design" if symmetric else "extension"
        click.echo(f"{source.code.label}: {what} {found.status}", err=str(output) == "-")
        click.echo(f"  because  {found.reason}", err=str(output) == "-")
        if found.design is not None:
            click.echo(f"  larger   {parameters_text(found.design)}")
    return EXIT_CODES[found.status]
