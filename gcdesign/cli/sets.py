"""``gcdesign sets``: largest arcs, smallest transversals and blocking sets."""

from __future__ import annotations

import click

from gcdesign.cli.options import design_argument, json_option, quiet_option, search_options
from gcdesign.cli.page import LIMIT, Page


@click.command(
    cls=Page,
    name="sets",
    exits={0: "the size is proved", 1: "there is no such set", 3: LIMIT},
    see_also=("resolve", "extend"),
)
@design_argument
@click.option("--arc", type=int, metavar="N", help="Largest set with at most N points on a block.")
@click.option("--transversal", is_flag=True, help="Smallest set that meets every block.")
@click.option("--blocking", is_flag=True, help="Smallest set that meets every block, holds none.")
@search_options
@json_option
@quiet_option
def command(
    design: str | None,
    arc: int | None,
    transversal: bool,
    blocking: bool,
    time_limit: float | None,
    threads: int,
    seed: int,
    as_json: bool,
    quiet: bool,
) -> int:
    r"""Find an extreme set of points of DESIGN, and prove that it is.

    \b
    --arc 2        largest arc: ovals and hyperovals of planes, caps of spaces
    --transversal  smallest set that meets every block
    --blocking     the same without a block inside it

    The exit code is 0 if the size is proved, 1 if there is no such set, and
    3 if a limit came first; then a bracket is shown.

    \b
    Examples:
      gcdesign sets pg:q=4 --arc 2
      gcdesign sets pg:q=5 --blocking
    """
    from gcdesign.cli.output import design_json, print_json
    from gcdesign.cli.source import open_design
    from gcdesign.designs.tools import (
        Limits,
        largest_arc,
        smallest_blocking_set,
        smallest_transversal,
    )
    from gcdesign.errors import InputError

    if (arc is not None) + transversal + blocking != 1:
        raise InputError("say which sets: one of --arc N, --transversal and --blocking")
    source = open_design(design)
    limits = Limits(time_limit, threads, seed)
    if arc is not None:
        found = largest_arc(source.design, degree=arc, limits=limits)
    elif transversal:
        found = smallest_transversal(source.design, limits=limits)
    else:
        found = smallest_blocking_set(source.design, limits=limits)
    if as_json:
        print_json(
            {
                "schema": "gcdesign.sets/1",
                "label": source.code.label,
                "file": source.file,
                "design": design_json(source.design),
                "kind": found.kind,
                "degree": arc,
                "lower": found.lower,
                "upper": found.upper,
                "status": found.status,
                "reason": found.reason,
                "points": None if found.points is None else list(found.points),
            }
        )
    else:
        wanted = f"largest {arc}-arc" if arc is not None else f"smallest {found.kind} set"
        click.echo(f"{source.code.label}: {wanted}: {_size_text(found.lower, found.upper)}")
        click.echo(f"  status   {found.status}: {found.reason}")
        if found.points is not None:
            click.echo(f"  points   {' '.join(map(str, found.points))}")
    return {"exact": 0, "impossible": 1, "bracket": 3}[found.status]


def _size_text(lower: int | None, upper: int | None) -> str:
    if lower is None and upper is None:
        return "none"
    return str(lower) if lower == upper else f"{lower} to {'?' if upper is None else upper}"
