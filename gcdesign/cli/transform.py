"""``gcdesign transform``: a new design from a design by one operation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gcdesign.cli.options import (
    design_argument,
    force_option,
    json_option,
    output_option,
    quiet_option,
)
from gcdesign.cli.page import Page

if TYPE_CHECKING:
    from gcdesign.designs.values import ParameterValue

NAMES = (
    "between",
    "class-unions",
    "complement",
    "completed",
    "derivation",
    "derived",
    "dual",
    "fill",
    "grouped",
    "meeting",
    "multiple",
    "point-derived",
    "point-residual",
    "residual",
    "restriction",
    "supplement",
    "union",
    "wallis",
    "weight",
)
"""The operations of `gcdesign.designs.operation_table`, named here to keep the help light."""


@click.command(
    cls=Page,
    name="transform",
    files={"NAME.json": "the new design, unless -o names another file"},
    see_also=("build", "info", "isomorphic"),
)
@click.argument("operation", type=click.Choice(NAMES), metavar="OPERATION")
@design_argument
@click.option(
    "--block",
    type=int,
    metavar="N",
    help="Block for residual, derived and derivation (default 0).",
)
@click.option(
    "--point", type=int, metavar="N", help="Point for point-derived, … and grouped (default 0)."
)
@click.option(
    "--times", type=int, metavar="N", help="How often, for multiple; the weight, for weight."
)
@click.option("--other", metavar="DESIGN", help="Second design for union, fill and class-unions.")
@click.option("--kept", metavar="LIST", help="Points that stay, for restriction: 0+1+3.")
@click.option(
    "--meets", metavar="LIST", help="Numbers of common points, for meeting and between: 0+6."
)
@click.option("--pair", metavar="LIST", help="The two points, for between: 0+1.")
@click.option("--slopes", metavar="LIST", help="Derivation set, for derivation: 0+1+3+77.")
@output_option("the new design")
@force_option
@json_option
@quiet_option
def command(
    operation: str,
    design: str | None,
    output: Path | None,
    force: bool,
    as_json: bool,
    quiet: bool,
    **options: int | str | None,
) -> None:
    r"""Make a new design from DESIGN and write it to a file.

    \b
    dual            points and blocks change places
    complement      each block becomes the points that it misses
    residual        drop one block and its points
    derived         keep the points of one block, and what the others meet there
    point-derived   the blocks through one point, without it
    point-residual  the blocks that miss one point
    restriction     keep some points
    multiple        every block several times
    union           the blocks of two designs on the same points
    supplement      the k-subsets that are no blocks
    fill            blocks with as many points as another design become copies
    class-unions    unite blocks of each parallel class as another design says
    wallis          the symmetric design of an affine one
    meeting         blocks become points: each holds those that it meets so often
    between         the same, between blocks through one point and another
    derivation      a plane of square order: Baer subplanes become lines
    weight          every point several times, and one new point
    completed       a new point on the blocks of each parallel class
    grouped         without one point and its blocks, which become groups

    \b
    Examples:
      gcdesign transform residual pg:q=3 --block 0
      gcdesign transform union plane.json --other other.json
    """
    from gcdesign.cli.building import write_code
    from gcdesign.cli.source import open_design
    from gcdesign.codes import GradientCode
    from gcdesign.designs.operation_table import OPERATIONS

    declared = OPERATIONS[operation]
    values = _values(operation, options)
    source = open_design(design)
    others = {name: open_design(str(values[name])).design for name in declared.designs(values)}
    made = declared.apply(source.design, **{**values, **others})
    stem = Path(source.file).stem if source.file else (design or "").replace(":", "-")
    name = "".join(c if c.isalnum() or c in "-_." else "-" for c in stem.replace("=", ""))
    numbered = "".join(f"-{key}{value}" for key, value in values.items() if key in ADDED and value)
    write_code(
        GradientCode.from_design(made),
        f"{operation}-{name.strip('-') or 'design'}{numbered}",
        output=output,
        force=force,
        as_json=as_json,
        quiet=quiet,
    )


ADDED = ("block", "point", "times")
"""Settings that become part of the default file name."""


def _values(operation: str, options: dict[str, int | str | None]) -> dict[str, ParameterValue]:
    """Return the operation's settings, after refusing those that it does not take."""
    from gcdesign.designs.operation_table import OPERATIONS
    from gcdesign.errors import InputError

    kinds = {p.name: p.kind for p in OPERATIONS[operation].parameters}
    values: dict[str, ParameterValue] = {}
    for name, given in options.items():
        if given is None:
            continue
        if name not in kinds:
            raise InputError(f"--{name} {given}: {operation} takes no {name}; leave it out")
        value = given if isinstance(given, int) else kinds[name].parse(given)
        if value is None:
            raise InputError(f"--{name} {given}; expected {kinds[name].expected}")
        values[name] = value
    if "block" in kinds:
        values.setdefault("block", 0)
    for parameter in OPERATIONS[operation].parameters:
        if not parameter.optional and parameter.name not in values:
            raise InputError(f"{operation} needs --{parameter.name}: {parameter.help}")
    return values
