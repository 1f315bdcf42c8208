"""What `build` and `transform` share: write a new design and say what it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gcdesign.cli.output import (
    design_json,
    notice,
    parameters_text,
    placement_json,
    placement_text,
    print_json,
    sha256,
    write_output,
)
from gcdesign.cli.source import remember
from gcdesign.errors import InputError

if TYPE_CHECKING:
    from gcdesign.designs import BlockDesign


def write_design(
    design: BlockDesign,
    default_name: str,
    *,
    output: Path | None,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Write a design to its file, remember it, and print its summary."""
    from gcdesign.designs import label
    from gcdesign.designs.formats import encode

    path = output or Path(f"{default_name}.json")
    to_stdout = str(path) == "-"
    if to_stdout and as_json:
        raise InputError("--json and -o - both want standard output; use one of them")
    data = encode(design, _format_for(path))
    write_output(path, data, force=force)
    if to_stdout:
        return
    problem = remember(path)
    if problem:
        notice(problem, quiet=quiet)
    digest = sha256(data)
    if as_json:
        print_json(
            {
                "schema": "gcdesign.build/1",
                "design": design_json(design),
                "placement": placement_json(design),
                "file": str(path),
                "sha256": digest,
            }
        )
        return
    click.echo(click.style(label(design), bold=True))
    click.echo(f"  as a design     {parameters_text(design)}")
    click.echo(f"  as a placement  {placement_text(design)}")
    click.echo(f"  written to      {path} (sha256 {digest[:16]}…)")
    if not quiet:
        click.echo("  next            gcdesign attack --eta 3")


def _format_for(path: Path) -> str:
    """Return the format that a file's suffix names; JSON for standard output."""
    from gcdesign.designs.formats import FORMATS

    if str(path) == "-":
        return "json"
    readable = {end: form.name for form in FORMATS if form.read for end in form.suffixes}
    suffix = path.suffix.lower()
    if suffix not in readable:
        raise InputError(
            f"{path}: the suffix {suffix or '(none)'} names no format that can be read back; "
            f"expected: {', '.join(readable)}"
        )
    return readable[suffix]
