"""``gcdesign trace``: recorded times of workers, shown and fitted."""

from __future__ import annotations

from collections.abc import Callable
from math import isinf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gcdesign.cli.options import (
    FILE,
    force_option,
    json_option,
    output_option,
    quiet_option,
    seed_option,
    size_option,
)
from gcdesign.cli.page import PageGroup
from gcdesign.cli.train import record

if TYPE_CHECKING:
    from gcdesign.training.traces.fitting import LawFit, TraceFit
    from gcdesign.training.traces.trace import Trace

trace_argument = click.argument("file", type=FILE, metavar="FILE")


@click.group(
    cls=PageGroup,
    name="trace",
    see_also=("simulate", "train"),
)
def command() -> None:
    r"""Record times of workers, show them, or fit laws to them.

    A trace is a CSV file, a line for each step and a column for each
    worker, or an npz file. `simulate --model trace:file=FILE` replays it.

    \b
    Examples:
      gcdesign trace show times.csv
      gcdesign trace fit times.csv -o fit.png
    """


command.add_command(record)


@command.command(
    name="show",
    see_also=("trace fit", "trace record", "simulate"),
)
@trace_argument
@size_option
@output_option("a picture of it (.png, .svg or .pdf)", dash=False)
@force_option
@json_option
@quiet_option
def show(
    file: Path,
    size: str | None,
    output: Path | None,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    r"""Show what a trace holds: the workers' times, and how long one waits for m of them.

    \b
    Example:
      gcdesign trace show times.csv -o times.png
    """
    from gcdesign.cli.output import print_json
    from gcdesign.training.traces import read_trace
    from gcdesign.training.traces.summary import summarise

    trace = read_trace(file)
    summary = summarise(trace)
    _draw(output, size, lambda at: _figures().trace_figure(trace, size=at), force, quiet or as_json)
    if as_json:
        print_json({"schema": "gcdesign.trace-show/1", "file": str(file), **summary.to_json()})
        return
    click.echo(f"{trace.steps} steps of {trace.workers} workers  ({file})")
    for key, value in trace.about.items():
        click.echo(f"  {key}: {value}")
    _show_workers(trace, summary.to_json())


def _figures() -> Any:
    from gcdesign import figures

    return figures


def _show_workers(trace: Trace, summary: dict[str, Any]) -> None:
    from gcdesign.cli.output import new_table, print_table

    table = new_table(">worker", ">load", ">median", ">p99", ">max", ">never", ">unknown")
    for worker, row in enumerate(summary["by_worker"]):
        times = (row["median"], row["p99"], row["max"])
        shown = ["-" if time is None else f"{time:.4g}" for time in times]
        table.add_row(
            str(worker), f"{row['load']:g}", *shown, str(row["never"]), str(row["unknown"])
        )
    print_table(table)
    waits = [f"{'-' if w is None else format(w, '.4g')}" for w in summary["waits"]]
    click.echo(f"\n  mean wait for the first 1 … {trace.workers} workers: {', '.join(waits)}")


@command.command(
    name="fit",
    see_also=("trace show", "simulate"),
)
@trace_argument
@size_option
@output_option("a picture of the fits (.png, .svg or .pdf)", dash=False)
@force_option
@seed_option
@json_option
@quiet_option
def fit(
    file: Path,
    size: str | None,
    output: Path | None,
    force: bool,
    seed: int,
    as_json: bool,
    quiet: bool,
) -> None:
    r"""Fit laws of times to a trace, and say how well each fits.

    D is the Kolmogorov–Smirnov distance; p how often times that follow the
    law are as far from their own fit. The best law can be given to
    `simulate --model`, and what is said of slow steps to `--slow`.

    \b
    Example:
      gcdesign trace fit times.csv -o fit.png
    """
    from gcdesign.cli.output import notice, print_json
    from gcdesign.training.traces import read_trace
    from gcdesign.training.traces.fitting import fit_trace

    trace = read_trace(file)
    found = fit_trace(trace, seed=seed)
    _draw(output, size, lambda at: _figures().fit_figure(found, size=at), force, quiet or as_json)
    if as_json:
        print_json(_fit_json(file, found, seed))
        return
    _show_fit(found)
    if found.unknown:
        notice(
            f"{found.unknown} times are unknown and left out: the fits are too fast", quiet=quiet
        )


def _draw(
    output: Path | None, size: str | None, figure: Callable[[str], Any], force: bool, quiet: bool
) -> None:
    if output is None:
        return
    from gcdesign.cli.output import notice, refuse_target, write_output
    from gcdesign.figures import USUAL_SIZE, format_of, render

    form = format_of(output)
    refuse_target(output, force=force)
    write_output(output, render(figure(size or USUAL_SIZE), form), force=force)
    notice(f"written: {output}", quiet=quiet)


def _fit_json(file: Path, found: TraceFit, seed: int) -> dict[str, Any]:
    slow = found.persistence
    return {
        "schema": "gcdesign.trace-fit/1",
        "file": str(file),
        "seed": seed,
        "times": len(found.times),
        "never": found.never,
        "unknown": found.unknown,
        "laws": [_law_json(fit) for fit in found.laws],
        "slow": None
        if slow is None
        else {
            "enter": slow.chain.enter,
            "leave": slow.chain.leave,
            "threshold": slow.threshold,
            "factor": None if slow.factor == float("inf") else slow.factor,
            "share": slow.share,
            "repeated": slow.repeated,
            "others": None if found.others is None else _law_json(found.others),
        },
    }


def _law_json(fit: LawFit) -> dict[str, Any]:
    return {
        "law": fit.law.written,
        "log_likelihood": fit.log_likelihood,
        "aic": fit.aic,
        "distance": fit.distance,
        "p_value": fit.p_value,
    }


def _show_fit(found: TraceFit) -> None:
    from gcdesign.cli.output import new_table, print_table

    missing = f", {found.never} messages never came" if found.never else ""
    click.echo(f"{len(found.times)} times for a load of 1{missing}")
    table = new_table("law", ">log-likelihood", ">AIC", ">D", ">p")
    for fit in found.laws:
        table.add_row(
            _rounded(fit.law.written),
            f"{fit.log_likelihood:.1f}",
            f"{fit.aic:.1f}",
            f"{fit.distance:.4f}",
            f"{fit.p_value:.3f}",
        )
    print_table(table)
    slow = found.persistence
    if slow is None:
        click.echo("\n  slow steps: none that come in runs")
        return
    click.echo(
        f"\n  slow steps: {slow.share:.2%} of all, {slow.factor:.3g} times longer; "
        f"{slow.repeated:.1%} of them are followed by another"
    )
    how = "--delay inf" if isinf(slow.factor) else f"--factor {slow.factor:.3g}"
    click.echo(f"  as a chain: --slow {slow.chain.written} {how}")
    if found.others is not None:
        law = _rounded(found.others.law.written)
        click.echo(f"  the others: --model {law} (D {found.others.distance:.4f})")


def _rounded(written: str) -> str:
    """Return a law's text with six digits of its numbers."""
    import re

    return re.sub(r"[\d.]+(e-?\d+)?", lambda found: f"{float(found[0]):.6g}", written)
