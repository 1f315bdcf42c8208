"""``gcdesign transform``: dual, complement, residual and derived designs."""

from __future__ import annotations

from pathlib import Path

import click

from gcdesign.cli.options import (
    design_argument,
    force_option,
    json_option,
    output_option,
    quiet_option,
)


@click.command(name="transform")
@click.argument("operation", type=click.Choice(["dual", "complement", "residual", "derived"]))
@design_argument
@click.option("--block", type=int, help="Block for residual and derived (default 0).")
@output_option("the new design")
@force_option
@json_option
@quiet_option
def command(
    operation: str,
    design: str | None,
    block: int | None,
    output: Path | None,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    r"""Make a new design from DESIGN and write it to a file.

    \b
    dual        points and blocks change places
    complement  each block becomes the points that it misses
    residual    drop one block and its points
    derived     keep the points of one block, and what the others meet there

    \b
    Example:
      gcdesign transform residual pg:q=3 --block 0
    """
    from gcdesign.cli.building import write_code
    from gcdesign.cli.source import open_design
    from gcdesign.codes import GradientCode
    from gcdesign.designs.operation_table import OPERATIONS
    from gcdesign.errors import InputError

    takes_block = operation in ("residual", "derived")
    if block is not None and not takes_block:
        raise InputError(f"--block {block}: {operation} takes no block; leave it out")
    source = open_design(design)
    options = {"block": block or 0} if takes_block else {}
    made = OPERATIONS[operation].apply(source.design, **options)
    stem = Path(source.file).stem if source.file else (design or "").replace(":", "-")
    name = "".join(c if c.isalnum() or c in "-_." else "-" for c in stem.replace("=", ""))
    write_code(
        GradientCode.from_design(made),
        f"{operation}-{name.strip('-') or 'design'}" + (f"-block{block}" if block else ""),
        output=output,
        force=force,
        as_json=as_json,
        quiet=quiet,
    )
