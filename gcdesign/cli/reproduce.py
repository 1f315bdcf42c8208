"""``gcdesign reproduce``: a paper's experiment, its picture, its numbers, and what differs."""

from __future__ import annotations

import textwrap
import time
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gcdesign.cli.options import (
    NamedPath,
    force_option,
    json_option,
    quiet_option,
    seed_option,
    size_option,
    time_limit_option,
)
from gcdesign.cli.page import Page

if TYPE_CHECKING:
    from gcdesign.papers import Experiment, ExperimentResult, Number, Panel

PAGE_WIDTH = 96


@click.command(
    cls=Page,
    name="reproduce",
    exits={3: "a limit was reached; what was done is shown and written"},
    files={"EXPERIMENT.FORMAT": "pictures and tables, in --folder"},
    see_also=("curve", "simulate"),
)
@click.argument("name", required=False, metavar="[EXPERIMENT]")
@click.option("--full", is_flag=True, help="The paper's size; some take hours.")
@click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="NAME=VALUE",
    help="Change a setting of the experiment; can be repeated.",
)
@click.option(
    "--folder",
    type=NamedPath(file_okay=False, path_type=Path),
    default=Path(),
    metavar="FOLDER",
    help="Where picture and CSV file go (default: here).",
)
@click.option(
    "--format",
    "picture",
    type=click.Choice(["svg", "pdf", "png"]),
    default="svg",
    show_default=True,
    help="Format of the picture.",
)
@size_option
@click.option("--no-files", is_flag=True, help="Write no files.")
@force_option
@time_limit_option
@seed_option
@json_option
@quiet_option
def command(
    name: str | None,
    full: bool,
    changes: tuple[str, ...],
    folder: Path,
    picture: str,
    size: str | None,
    no_files: bool,
    force: bool,
    time_limit: float | None,
    seed: int,
    as_json: bool,
    quiet: bool,
) -> int:
    r"""Run an experiment of one of the papers, in about a minute.

    Writes NAME.svg and NAME.csv, and prints what the paper states beside
    what came out here. Without a name, the experiments are listed.

    \b
    Examples:
      gcdesign reproduce
      gcdesign reproduce kadhe-fig1a
      gcdesign reproduce kadhe-fig1b --format png --folder figures
    """
    from gcdesign.cli.output import notice, print_json, refuse_target, write_output
    from gcdesign.papers import all_experiments, csv_text, experiment

    if name is None:
        listed = list(all_experiments())
        print_json(_list_json(listed)) if as_json else _print_list(listed)
        return 0
    chosen = experiment(name)
    settings = chosen.settings(_parse(changes), full=full)
    targets = {} if no_files else {s: folder / f"{name}.{s}" for s in (picture, "csv")}
    for path in targets.values():
        refuse_target(path, force=force)
    if targets:
        from gcdesign.figures import USUAL_SIZE, experiment_figure, picture_size, render

        picture_size(size or USUAL_SIZE)
    result = _run(name, settings, full, seed, time_limit, quiet)
    if targets:
        title = f"{chosen.source}: {chosen.title}"
        figure = experiment_figure(result, title=title, size=size or USUAL_SIZE)
        drawn = render(figure, picture)
        write_output(targets[picture], drawn, force=force)
        write_output(targets["csv"], csv_text(result).encode(), force=force)
        written = " and ".join(str(path) for path in targets.values())
        notice(f"written: {written}", quiet=quiet or as_json)
    if as_json:
        print_json(_document(chosen, result, targets))
    else:
        _print_page(chosen, result)
    return 3 if result.stopped else 0


def _parse(changes: tuple[str, ...]) -> dict[str, Number]:
    from gcdesign.errors import InputError

    found: dict[str, Number] = {}
    for change in changes:
        key, equals, value = change.partition("=")
        if not equals:
            raise InputError(f"--set {change!r}; expected NAME=VALUE, for example q=5")
        try:
            found[key] = int(value)
        except ValueError:
            try:
                found[key] = float(value)
            except ValueError:
                raise InputError(f"--set {change!r}; expected a number") from None
    return found


def _run(
    name: str,
    settings: dict[str, Number],
    full: bool,
    seed: int,
    time_limit: float | None,
    quiet: bool,
) -> ExperimentResult:
    from gcdesign.cli.progress import long_work
    from gcdesign.papers import reproduce

    start = time.monotonic()
    with long_work(quiet=quiet) as (display, stop):

        def watch(doing: str, done: float) -> bool:
            display.share(doing, done)
            late = time_limit is not None and time.monotonic() - start >= time_limit
            return late or stop.is_set()

        return reproduce(name, full=full, changes=settings, seed=seed, watch=watch)


def _list_json(listed: list[Experiment]) -> dict[str, Any]:
    return {
        "schema": "gcdesign.experiments/1",
        "experiments": [
            {
                "name": chosen.name,
                "title": chosen.title,
                "source": chosen.source,
                "scaled": dict(chosen.settings({}, full=False)),
                "full": dict(chosen.settings({}, full=True)),
                "meaning": dict(chosen.meaning),
            }
            for chosen in listed
        ],
    }


def _print_list(listed: list[Experiment]) -> None:
    from gcdesign.cli.output import new_table, print_table

    table = new_table("experiment", "what it shows", "source")
    for chosen in listed:
        table.add_row(chosen.name, chosen.title, chosen.source)
    print_table(table)
    click.echo("\n  gcdesign reproduce NAME runs one; --full takes the paper's size")


def _document(
    chosen: Experiment, result: ExperimentResult, targets: dict[str, Path]
) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "schema": "gcdesign.reproduce/1",
        "experiment": chosen.name,
        "title": chosen.title,
        "source": chosen.source,
        "scale": result.scale,
        "settings": dict(result.settings),
        "seed": result.seed,
        "seconds": result.seconds,
        "stopped": result.stopped,
        "claims": [asdict(claim) for claim in result.claims],
        "notes": list(result.notes),
        "panels": [_panel_json(panel) for panel in result.panels],
        "files": [str(path) for path in targets.values()],
    }


def _panel_json(panel: Panel) -> dict[str, Any]:
    from dataclasses import asdict

    curves = [
        {key: _numbers(v) if isinstance(v, tuple) else v for key, v in asdict(series).items()}
        for series in panel.series
    ]
    limits = None if panel.y_limits is None else list(panel.y_limits)
    return {**asdict(panel), "y_limits": limits, "series": curves}


def _numbers(values: tuple[float, ...]) -> list[float | None]:
    """Return numbers for JSON, which has no word for those that are not finite."""
    return [value if isfinite(value) else None for value in values]


def _print_page(chosen: Experiment, result: ExperimentResult) -> None:
    settings = ", ".join(f"{key} = {value}" for key, value in result.settings.items())
    size = "the paper's size" if result.scale == "full" else "scaled to about a minute"
    click.echo(f"{chosen.source}: {chosen.title}")
    click.echo(f"  {settings}; seed {result.seed}; {size}; {result.seconds:.2f} s\n")
    for claim in result.claims:
        click.echo(f"  {claim.subject}: {claim.verdict}")
        _paragraph("paper", claim.paper)
        _paragraph("here", claim.ours)
        if claim.why:
            _paragraph("how" if claim.verdict == "agrees" else "why", claim.why)
    for note in result.notes:
        click.echo(
            "\n" + textwrap.fill(note, PAGE_WIDTH, initial_indent="  ", subsequent_indent="  ")
        )
    if result.stopped:
        click.echo(f"\n  ended early: {result.stopped}")


def _paragraph(name: str, text: str) -> None:
    lead = f"    {name:<6}"
    click.echo(textwrap.fill(text, PAGE_WIDTH, initial_indent=lead, subsequent_indent=" " * 10))
