"""``gcdesign resolve``: parallel classes, or a proof that there are none."""

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
    name="resolve",
    exits={
        0: "there is a resolution",
        1: "there is none, proved",
        3: "unknown when a limit was reached",
    },
    see_also=("sets", "info", "check"),
)
@design_argument
@output_option("the design with its parallel classes")
@force_option
@search_options
@json_option
@quiet_option
def command(
    design: str | None,
    output: Path | None,
    force: bool,
    time_limit: float | None,
    threads: int,
    seed: int,
    as_json: bool,
    quiet: bool,
) -> int:
    r"""Put the blocks of DESIGN into parallel classes, or prove that it is impossible.

    The blocks of a parallel class hold every point exactly once. The exit
    code is 0 if there is a resolution, 1 if there is none, and 3 if the
    time was too short to tell.

    \b
    Examples:
      gcdesign resolve pg:q=2,dim=3,flats=1 -o schoolgirls.json
      gcdesign resolve random-sts:points=27,seed=1
    """
    from gcdesign.cli.building import check_target, write_found
    from gcdesign.cli.output import EXIT_CODES, design_json, print_json
    from gcdesign.cli.source import open_design
    from gcdesign.designs.tools import Limits, find_resolution

    check_target(output, force=force, as_json=as_json)
    source = open_design(design)
    found = find_resolution(source.design, limits=Limits(time_limit, threads, seed))
    written = write_found(found.design, output, force=force, quiet=quiet)
    classes = None if found.design is None else found.design.parallel_classes
    if as_json:
        print_json(
            {
                "schema": "gcdesign.resolve/1",
                "label": source.code.label,
                "source": source.file,
                "design": design_json(source.design),
                "status": found.status,
                "reason": found.reason,
                "classes": None if classes is None else [list(blocks) for blocks in classes],
                **written,
            }
        )
    elif str(output) != "-" or found.design is None:
        click.echo(f"{source.code.label}: resolution {found.status}", err=str(output) == "-")
        click.echo(f"  because  {found.reason}", err=str(output) == "-")
        for number, blocks in enumerate(classes or ()):
            click.echo(f"  class {number:<2} {' '.join(map(str, blocks))}")
    return EXIT_CODES[found.status]
