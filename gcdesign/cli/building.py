"""What `build` and `transform` share: write a new design or code and say what it is."""

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
    refuse_target,
    sha256,
    weights_text,
    write_output,
)
from gcdesign.cli.source import remember
from gcdesign.errors import InputError

if TYPE_CHECKING:
    from gcdesign.codes import GradientCode
    from gcdesign.designs import BlockDesign


def write_code(
    code: GradientCode,
    default_name: str,
    *,
    output: Path | None,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Write a code to its file, remember it, and print its summary.

    The design of an all-ones code is what is written; a code with weights becomes a matrix.
    """
    from gcdesign.designs.formats import encode

    design, weighted = code.placement.design, code.provenance is not None
    path = output or Path(f"{default_name}.{'mtx' if weighted else 'json'}")
    to_stdout = str(path) == "-"
    if to_stdout and as_json:
        raise InputError("--json and -o - both want standard output; use one of them")
    data = _matrix(code, path) if weighted else encode(design, format_for(path))
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
                "code": code.provenance.spec if code.provenance else None,
                "file": str(path),
                "sha256": digest,
            }
        )
        return
    click.echo(click.style(code.label, bold=True))
    click.echo(f"  as a design     {parameters_text(design)}")
    click.echo(f"  as a placement  {placement_text(design)}")
    if weighted:
        click.echo(f"  as a code       {weights_text(code)}")
    click.echo(f"  written to      {path} (sha256 {digest[:16]}…)")
    if not quiet:
        step = f"--stragglers {code.tolerates}" if code.tolerates else "--eta 3"
        click.echo(f"  next            gcdesign attack {step}")


def check_target(output: Path | None, *, force: bool, as_json: bool = False) -> None:
    """Refuse a target that cannot take a design, before work is done that it is to hold."""
    if output is None:
        return
    if str(output) != "-":
        format_for(output)
        refuse_target(output, force=force)
    elif as_json:
        raise InputError("--json and -o - both want standard output; use one of them")


def write_found(
    design: BlockDesign | None, output: Path | None, *, force: bool, quiet: bool
) -> dict[str, str | None]:
    """Write what a search has found, if it has and if that is asked for; say where it is."""
    if design is None or output is None:
        return {"file": None, "sha256": None}
    return {**write_design(design, output, force=force, quiet=quiet)}


def write_design(design: BlockDesign, output: Path, *, force: bool, quiet: bool) -> dict[str, str]:
    """Write a design, remember it as the one last built, and say where it is."""
    from gcdesign.designs.formats import encode

    data = encode(design, format_for(output))
    write_output(output, data, force=force)
    problem = remember(output) if str(output) != "-" else None
    if problem:
        notice(problem, quiet=quiet)
    return {"file": str(output), "sha256": sha256(data)}


def _matrix(code: GradientCode, path: Path) -> bytes:
    """Return the file of a code with weights."""
    from gcdesign.codes.claims import write_weights_file

    if str(path) != "-" and path.suffix.lower() != ".mtx":
        raise InputError(f"{path}: a code with weights is written as MatrixMarket; name it .mtx")
    return write_weights_file(code)


def format_for(path: Path) -> str:
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
