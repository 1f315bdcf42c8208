"""``gcdesign curve``: worst-case or expected error against the fraction of stragglers."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import click

from gcdesign.cli.options import (
    force_option,
    json_option,
    method_option,
    output_option,
    quiet_option,
    seed_option,
    size_option,
    threads_option,
    time_limit_option,
)
from gcdesign.cli.page import Page

if TYPE_CHECKING:
    from gcdesign.adversary import BoundCurve, ErrorCurve, Settings
    from gcdesign.adversary.running.settings import Watch
    from gcdesign.cli.curve_page import Curve
    from gcdesign.cli.source import Source
    from gcdesign.codes import ExpectedCurve, Racks

USUAL_TRIALS = 10_000

Curves = tuple[list["Curve"], list["BoundCurve"]]


@click.command(
    cls=Page,
    name="curve",
    see_also=("attack", "reproduce", "report"),
)
@click.argument("designs", nargs=-1, metavar="[DESIGN]...")
@click.option(
    "--q", type=int, metavar="Q", help="Figure 1 of the block-design paper for this prime power."
)
@click.option(
    "--decoder",
    type=click.Choice(["optimal", "one-step"]),
    default="optimal",
    show_default=True,
    help="Decoder whose error is drawn.",
)
@click.option(
    "--model",
    default="adversarial",
    show_default=True,
    metavar="MODEL",
    help="Who falls silent: adversarial, random, or racks:FILE, whole racks, one to a line.",
)
@click.option(
    "--trials",
    type=click.IntRange(2, 10**9),
    metavar="N",
    help="Random orders tried, where an expected error has no formula (default: 10000).",
)
@click.option(
    "--berrut",
    metavar="CODE",
    help="Instead of designs: errors of a computation by parts=4,workers=20.",
)
@click.option(
    "--function",
    show_default="sin",
    metavar="NAME",
    help="With --berrut, what is computed: sin, exp, square or gram, and others.",
)
@method_option
@click.option("--title", metavar="TEXT", help="Title above the picture.")
@size_option
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
    model: str,
    trials: int | None,
    berrut: str | None,
    function: str | None,
    method: str,
    title: str | None,
    size: str | None,
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
    errors; a picture shows err_S/K against S/N. With --model random the
    error is the mean over random stragglers: exact where that is possible,
    else with a confidence interval.

    \b
    Examples:
      gcdesign curve --q 5 -o figure-1.png
      gcdesign curve pg:q=3 ag:q=3 frc:workers=12,stragglers=3 -o compare.svg
      gcdesign curve my-code.mtx --json
      gcdesign curve pg:q=5 ag:q=5 --model random -o random.png
      gcdesign curve --berrut parts=4,workers=20 --function sin -o errors.png
    """
    from gcdesign.cli.curve_page import document, print_curves
    from gcdesign.cli.output import notice, print_json, write_output
    from gcdesign.cli.progress import searching
    from gcdesign.errors import InputError

    if as_json and str(output) == "-":
        raise InputError("--json and -o - both want standard output; use one of them")
    if berrut is not None:
        from gcdesign.cli.berrut_curve import show_curves

        others = (designs, q, decoder, model, method, time_limit, threads)
        if others != ((), None, "optimal", "adversarial", "exact", None, None):
            raise InputError(
                "--berrut draws its own codes; leave out it, or the designs, --q, --decoder, "
                "--model, --method, --time-limit and --threads"
            )
        return show_curves(
            berrut,
            function or "sin",
            trials=trials,
            seed=seed,
            title=title,
            size=size,
            output=output,
            force=force,
            as_json=as_json,
            quiet=quiet,
        )
    if function is not None:
        raise InputError("--function is what --berrut computes; give that too, or leave it out")
    if model != "adversarial" and method != "exact":
        raise click.UsageError(f"--method {method} is for adversaries; leave it or --model out")
    encode = _encoder(output, size)
    racks = _racks(model)
    with searching(
        method=method, time_limit=time_limit, threads=threads, seed=seed, quiet=quiet
    ) as settings:
        if model == "adversarial":
            curves, bounds = _curves(designs, q, decoder, settings)
        else:
            curves = _expected(designs, q, decoder, racks, trials or USUAL_TRIALS, settings)
            bounds = []
    if output is not None:
        write_output(output, encode(curves, bounds, title), force=force)
        if str(output) != "-":
            notice(f"{len(curves)} curves written to {output}", quiet=quiet or as_json)
    if as_json:
        print_json(document(curves, bounds))
    elif output is None:
        print_curves(curves)
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
        curves, bounds = figure_one(q, decoder=decoder, settings=settings)
        return [*curves], bounds
    sources = [open_source(name) for name in designs or (None,)]
    found: list[Curve] = [
        _named(error_curve(source.code, decoder=decoder, settings=settings), source)
        for source in sources
    ]
    return found, common_isolation_bound([source.code for source in sources])


def _racks(model: str) -> Racks | None:
    """Return the racks that a model names, None for other models; refuse what is no model."""
    from gcdesign.codes import parse_racks
    from gcdesign.designs.formats.reading import read_bounded
    from gcdesign.errors import InputError

    kind, colon, file = model.partition(":")
    if (kind, colon, bool(file)) == ("racks", ":", True):
        try:
            text = read_bounded(Path(file)).decode("utf-8")
        except UnicodeDecodeError:
            raise InputError(f"{file} is no text; expected racks, one to a line") from None
        return parse_racks(text, name=file)
    if model not in ("adversarial", "random"):
        raise InputError(f"--model {model!r}; expected adversarial, random or racks:FILE")
    return None


def _expected(
    designs: tuple[str, ...],
    q: int | None,
    decoder_name: str,
    racks: Racks | None,
    trials: int,
    settings: Settings,
) -> list[Curve]:
    from gcdesign.adversary.curve import figure_one_names
    from gcdesign.adversary.running.settings import Watch
    from gcdesign.cli.source import open_source
    from gcdesign.codes import Sampling, expected_curve
    from gcdesign.errors import InputError

    if q is not None and designs:
        raise InputError("--q draws its own designs; leave out either it or the designs")
    decoder = cast(Literal["optimal", "one-step"], decoder_name)
    names: tuple[str | None, ...] = designs or (None,)
    if q is not None:
        names = tuple(figure_one_names(q))
    curves: list[Curve] = []
    for source in [open_source(name) for name in names]:
        watch = Watch(settings)
        sampling = Sampling(trials, settings.seed, watch=partial(_stopped, watch))
        curve = expected_curve(source.code, racks=racks, decoder=decoder, sampling=sampling)
        curves.append(_named(curve, source))
    return curves


def _stopped(watch: Watch, _trials: int) -> bool:
    return watch.stopped() is not None


Named = TypeVar("Named", "ErrorCurve", "ExpectedCurve")


def _named(curve: Named, source: Source) -> Named:
    """Return the curve under the name of its file where its family is not known."""
    if curve.family is not None or source.file is None:
        return curve
    return replace(curve, label=Path(source.file).name)


def _encoder(output: Path | None, size: str | None) -> Any:
    """Return what turns the curves into the output's bytes; refuse a bad suffix or size at once."""
    from gcdesign.cli.curve_page import csv_bytes, document

    suffix = output.suffix.lower() if output else ""
    if output is None or suffix == ".json" or str(output) == "-":
        return lambda curves, bounds, title: _json_bytes(document(curves, bounds))
    if suffix == ".csv":
        return lambda curves, bounds, title: csv_bytes(curves)
    from gcdesign.errors import InputError
    from gcdesign.figures import FORMATS, USUAL_SIZE, error_figure, format_of, picture_size, render

    if suffix.removeprefix(".") not in FORMATS:
        expected = ", ".join([f".{name}" for name in FORMATS] + [".csv", ".json"])
        raise InputError(f"{str(output)!r} ends in {suffix!r}; expected one of: {expected}")
    format_, room = format_of(output), size or USUAL_SIZE
    picture_size(room)
    return lambda curves, bounds, title: render(
        error_figure(curves, bounds, title=title, size=room), format_
    )


def _json_bytes(document: dict[str, Any]) -> bytes:
    import json

    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode()
