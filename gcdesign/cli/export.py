"""``gcdesign export``: a design, or its integer program, in another format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

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
    from gcdesign.cli.source import Source

PROGRAMS = ("mps", "lp", "opb")
DESIGNS = (
    *("json", "npz", "mtx", "csv", "blocks", "alist", "gap", "designtheory", "sage", "lajolla"),
    *("graph6", "sparse6", "graphml", "edges"),
)


@click.command(
    cls=Page,
    name="export",
    see_also=("build", "transform", "attack"),
)
@design_argument
@click.option(
    "--format",
    "format_name",
    type=click.Choice([*DESIGNS, *PROGRAMS]),
    metavar="FORMAT",
    help="Format (default: by the suffix of the output).",
)
@click.option(
    "--eta", type=int, metavar="N", help="For mps, lp and opb: the number of parts to lose."
)
@click.option(
    "--workers",
    type=int,
    metavar="N",
    help="For mps, lp and opb: claim that N workers are enough, instead of minimising.",
)
@output_option("the result")
@force_option
@json_option
@quiet_option
def command(
    design: str | None,
    format_name: str | None,
    eta: int | None,
    workers: int | None,
    output: Path | None,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    r"""Write DESIGN in another format.

    \b
    json             canonical file with provenance
    npz              scipy sparse matrix, workers as rows
    mtx              MatrixMarket, workers as rows
    csv              dense 0/1 matrix, workers as rows
    blocks           plain list of blocks
    alist            parity check matrix, workers as rows
    gap              block design for GAP's DESIGN package
    designtheory     external representation of designtheory.org, XML
    sage             incidence structure for SageMath
    lajolla          plain list of blocks, points from 1
    graph6, sparse6  worker-part graph in characters
    graphml          worker-part graph
    edges            worker-part graph as an edge list
    mps, lp          the integer program of S*(η), for another solver; needs --eta
    opb              the same for pseudo-Boolean solvers

    \b
    Examples:
      gcdesign export pg:q=5 -o pg5.mtx
      gcdesign export pg:q=5 --format lp --eta 8 -o -
      gcdesign export pg:q=5 --eta 8 --workers 23 -o refute-me.opb
    """
    from gcdesign.cli.output import notice, print_json, sha256, write_output
    from gcdesign.cli.source import open_source
    from gcdesign.errors import InputError

    if output is None:
        raise InputError("say where to write: -o FILE, or -o - for standard output")
    to_stdout = str(output) == "-"
    if to_stdout and as_json:
        raise InputError("--json and -o - both want standard output; use one of them")
    chosen = format_name or _by_suffix(output)
    if chosen in PROGRAMS and eta is None:
        raise InputError(f"{chosen} is the program of one S*(η): it needs --eta N")
    if chosen not in PROGRAMS and eta is not None:
        raise InputError(f"--eta {eta} belongs to mps, lp and opb, not to {chosen}: leave it out")
    if chosen not in PROGRAMS and workers is not None:
        raise InputError(
            f"--workers {workers} belongs to mps, lp and opb, not to {chosen}: leave it out"
        )
    source = open_source(design)
    if chosen in PROGRAMS:
        from gcdesign.adversary import write_program

        assert eta is not None
        format_ = cast(Literal["mps", "lp", "opb"], chosen)
        text = write_program(source.code.placement, eta, format_, workers=workers)
        data = text.encode()
    else:
        data = _encoded(source, chosen)
    write_output(output, data, force=force)
    if as_json:
        print_json(
            {
                "schema": "gcdesign.export/1",
                "label": source.code.label,
                "format": chosen,
                "file": str(output),
                "bytes": len(data),
                "sha256": sha256(data),
            }
        )
    elif not to_stdout:
        notice(f"{source.code.label} written to {output} as {chosen}", quiet=quiet)


def _encoded(source: Source, chosen: str) -> bytes:
    from gcdesign.designs.formats import encode
    from gcdesign.errors import InputError

    if source.code.weights is None:
        return encode(source.design, chosen)
    if chosen != "mtx":
        raise InputError(
            f"{source.origin} has weights: only mtx holds them, and mps, lp and opb need none"
        )
    from gcdesign.codes.claims import write_weights_file

    return write_weights_file(source.code)


def _by_suffix(output: Path) -> str:
    from gcdesign.designs.formats import FORMATS
    from gcdesign.errors import InputError

    suffix = output.suffix.lower()
    known = {end: form.name for form in FORMATS for end in form.suffixes}
    known |= {f".{name}": name for name in PROGRAMS}
    if suffix not in known:
        raise InputError(
            f"{output}: no --format, and the suffix {suffix or '(none)'} names none; "
            f"expected: {', '.join(known)}"
        )
    return known[suffix]
