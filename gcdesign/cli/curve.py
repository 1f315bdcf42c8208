"""``gcdesign curve``: worst-case error against the fraction of stragglers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

import click

from gcdesign.cli.options import (
    force_option,
    json_option,
    method_option,
    output_option,
    quiet_option,
    seed_option,
    threads_option,
    time_limit_option,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gcdesign.adversary import BoundCurve, ErrorCurve, Settings
    from gcdesign.cli.source import Source

Curves = tuple[list["ErrorCurve"], list["BoundCurve"]]


@click.command(name="curve")
@click.argument("designs", nargs=-1, metavar="[DESIGN]...")
@click.option("--q", type=int, help="Figure 1 of the block-design paper for this prime power.")
@click.option(
    "--decoder",
    type=click.Choice(["optimal", "one-step"]),
    default="optimal",
    show_default=True,
    help="Decoder whose error is drawn.",
)
@method_option
@click.option("--title", help="Title above the picture.")
@output_option("the curves (.png, .svg, .pdf, .csv or .json)")
@force_option
@time_limit_option
@threads_option
@seed_option
@json_option
@quiet_option
def command(
    designs: tuple[str, ...],
    q: int | None,
    decoder: str,
    method: str,
    title: str | None,
    output: Path | None,
    force: bool,
    time_limit: float | None,
    threads: int | None,
    seed: int,
    as_json: bool,
    quiet: bool,
) -> int:
    r"""Compute err_S for all S, for several designs on one axis.

    With --q: PG(2,q), its affine plane and the dual of that, fractional
    repetition, uncoded, the Ramanujan bound and ⌊S/L⌋. Values are squared
    errors; a picture shows err_S/K against S/N.

    \b
    Examples:
      gcdesign curve --q 5 -o figure-1.png
      gcdesign curve pg:q=3 ag:q=3 frc:workers=12,stragglers=3 -o compare.svg
      gcdesign curve my-code.mtx --json
    """
    from gcdesign.cli.output import notice, print_json, write_output
    from gcdesign.cli.progress import searching
    from gcdesign.errors import InputError

    if as_json and str(output) == "-":
        raise InputError("--json and -o - both want standard output; use one of them")
    encode = _encoder(output)
    with searching(
        method=method, time_limit=time_limit, threads=threads, seed=seed, quiet=quiet
    ) as settings:
        curves, bounds = _curves(designs, q, decoder, settings)
    if output is not None:
        write_output(output, encode(curves, bounds, title), force=force)
        if str(output) != "-":
            notice(f"{len(curves)} curves written to {output}", quiet=quiet or as_json)
    if as_json:
        print_json(_document(curves, bounds))
    elif output is None:
        _print_table(curves)
    return 3 if any(curve.stopped for curve in curves) else 0


def _curves(
    designs: tuple[str, ...], q: int | None, decoder_name: str, settings: Settings
) -> Curves:
    from gcdesign.adversary import error_curve, figure_one
    from gcdesign.adversary.curve import common_isolation_bound
    from gcdesign.cli.source import open_source
    from gcdesign.errors import InputError

    decoder = cast(Literal["optimal", "one-step"], decoder_name)
    if q is not None:
        if designs:
            raise InputError("--q draws its own designs; leave out either it or the designs")
        return figure_one(q, decoder=decoder, settings=settings)
    sources = [open_source(name) for name in designs or (None,)]
    curves = [
        _named(error_curve(source.code, decoder=decoder, settings=settings), source)
        for source in sources
    ]
    return curves, common_isolation_bound([source.code for source in sources])


def _named(curve: ErrorCurve, source: Source) -> ErrorCurve:
    """Return the curve under the name of its file where its family is not known."""
    if curve.family is not None or source.file is None:
        return curve
    return replace(curve, label=Path(source.file).name)


def _encoder(output: Path | None) -> Any:
    """Return what turns the curves into the output's bytes; refuse a bad suffix at once."""
    suffix = output.suffix.lower() if output else ""
    if output is None or suffix == ".json" or str(output) == "-":
        return lambda curves, bounds, title: _json_bytes(_document(curves, bounds))
    if suffix == ".csv":
        return lambda curves, bounds, title: _csv(curves)
    from gcdesign.errors import InputError
    from gcdesign.figures import FORMATS, error_figure, format_of, render

    if suffix.removeprefix(".") not in FORMATS:
        expected = ", ".join([f".{name}" for name in FORMATS] + [".csv", ".json"])
        raise InputError(f"{str(output)!r} ends in {suffix!r}; expected one of: {expected}")
    format_ = format_of(output)
    return lambda curves, bounds, title: render(error_figure(curves, bounds, title=title), format_)


def _json_bytes(document: dict[str, Any]) -> bytes:
    import json

    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode()


def _document(curves: Sequence[ErrorCurve], bounds: Sequence[BoundCurve]) -> dict[str, Any]:
    from gcdesign.adversary.results import exact_text

    return {
        "schema": "gcdesign.curve/1",
        "curves": [
            {
                "label": curve.label,
                "family": curve.family,
                "workers": curve.workers,
                "parts": curve.parts,
                "stragglers": list(curve.stragglers),
                "lower": [float(value) for value in curve.lower],
                "upper": [float(value) for value in curve.upper],
                "lower_exact": [exact_text(value) for value in curve.lower],
                "upper_exact": [exact_text(value) for value in curve.upper],
                "statuses": list(curve.statuses),
                "stopped": list(curve.stopped),
            }
            for curve in curves
        ],
        "bounds": [
            {
                "label": bound.label,
                "side": bound.side,
                "fractions": list(bound.fractions),
                "values": list(bound.values),
            }
            for bound in bounds
        ],
    }


def _csv(curves: Sequence[ErrorCurve]) -> bytes:
    """Return one row for each code and number of stragglers."""
    import csv
    from io import StringIO

    from gcdesign.adversary.results import exact_text

    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(
        ["label", "N", "K", "S", "S/N", "lower", "upper", "lower_exact", "upper_exact", "status"]
    )
    for curve in curves:
        rows = zip(curve.stragglers, curve.lower, curve.upper, curve.statuses, strict=True)
        for stragglers, lower, upper, status in rows:
            writer.writerow(
                [
                    curve.label,
                    curve.workers,
                    curve.parts,
                    stragglers,
                    stragglers / curve.workers if curve.workers else 0.0,
                    float(lower),
                    float(upper),
                    exact_text(lower) or "",
                    exact_text(upper) or "",
                    status,
                ]
            )
    return text.getvalue().encode()


def _print_table(curves: Sequence[ErrorCurve]) -> None:
    """Print err_S/K at a few fractions of stragglers."""
    from gcdesign.cli.output import new_table, print_table

    shares = [tenth / 10 for tenth in range(1, 10)]
    table = new_table("err_S/K at S = ⌊xN⌋, x =", *(f">{share:g}" for share in shares))
    for curve in curves:
        table.add_row(curve.label, *(_cell(curve, share) for share in shares))
    print_table(table)
    click.echo("\n  -o FILE.png draws the whole curves; -o FILE.csv and --json give every value")


def _cell(curve: ErrorCurve, share: float) -> str:
    at = int(share * curve.workers + 1e-9)
    lower, upper = (float(ends[at]) / max(curve.parts, 1) for ends in (curve.lower, curve.upper))
    if curve.statuses[at] == "exact":
        return f"{lower:.3f}"
    return f"{lower:.3f}–{upper:.3f}"
