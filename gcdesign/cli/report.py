"""``gcdesign report``: all that is known of one code, as a page that needs nothing else."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gcdesign.cli.options import (
    FILE,
    design_argument,
    force_option,
    json_option,
    quiet_option,
    seconds,
    seed_option,
    threads_option,
)
from gcdesign.cli.page import Page

if TYPE_CHECKING:
    from gcdesign.adversary.dossier import Dossier
    from gcdesign.cli.source import Source


@click.command(
    cls=Page,
    name="report",
    files={"report.html": "the page, unless -o names another file"},
    see_also=("attack", "curve", "verify"),
)
@design_argument
@click.option(
    "-o",
    "--output",
    type=FILE,
    metavar="FILE",
    help="Where to write the page (default: report.html).",
)
@click.option(
    "--certificate",
    type=FILE,
    metavar="FILE",
    help="Write the certificate of all values too.",
)
@click.option(
    "--stragglers",
    type=click.IntRange(min=0),
    metavar="S",
    help="S of the comparison (default N/5).",
)
@click.option(
    "--title", metavar="TEXT", help="Title of the page (default: what the code is, or its file)."
)
@click.option(
    "--time-limit",
    type=seconds,
    metavar="SECONDS",
    default=60.0,
    show_default=True,
    help="For all searches; what is not proved by then is shown as a bracket.",
)
@threads_option
@seed_option
@force_option
@json_option
@quiet_option
def command(
    design: str | None,
    output: Path | None,
    certificate: Path | None,
    stragglers: int | None,
    title: str | None,
    time_limit: float,
    threads: int | None,
    seed: int,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    r"""Write a page about DESIGN: parameters, pictures, errors, thresholds.

    One HTML file with everything inside, to be read in any browser, on a
    phone, in print or by a screen reader: the placement, err_S for every S
    and S*(η) for every η with what proves them, closed forms, and other
    codes of the same size. The exit code is 3 if a search reached its
    limit: the page then shows brackets.

    \b
    Examples:
      gcdesign report pg:q=5
      gcdesign report my-code.mtx -o my-code.html --time-limit 300
      gcdesign report ag:q=3 --certificate ag3.cert.json
    """
    from gcdesign.adversary.dossier import dossier
    from gcdesign.cli.output import notice, refuse_target, write_output
    from gcdesign.cli.progress import searching
    from gcdesign.cli.source import open_source
    from gcdesign.figures.report import report_html

    page = output or Path("report.html")
    for target in filter(None, (page, certificate)):
        refuse_target(target, force=force)
    source = open_source(design)
    name = source.file or source.origin
    _refuse_stragglers(stragglers, source)
    with searching(
        method="exact", time_limit=time_limit, threads=threads, seed=seed, quiet=quiet
    ) as settings:
        found = dossier(source.code, name=name, compared_at=stragglers, settings=settings)
    commands = _commands(name, page, certificate, time_limit, seed)
    if title is None and source.file is not None and source.design.provenance is None:
        title = Path(source.file).name
    text = report_html(found, name=name, commands=commands, title=title)
    write_output(page, text.encode(), force=force)
    written = [page]
    if certificate is not None:
        written += _write_certificate(certificate, found, force=force)
    notice(f"written: {', '.join(map(str, written))}", quiet=quiet or as_json)
    _show(found, written, as_json=as_json)
    return 3 if found.stopped else 0


def _refuse_stragglers(stragglers: int | None, source: Source) -> None:
    from gcdesign.errors import InputError

    if stragglers is not None and stragglers >= source.code.workers:
        raise InputError(
            f"--stragglers {stragglers}; expected fewer than the {source.code.workers} workers"
        )


def _commands(
    name: str, page: Path, certificate: Path | None, time_limit: float, seed: int
) -> tuple[str, ...]:
    """Return what made this report, and what checks it, for a shell."""
    written = f" --certificate {shlex.quote(str(certificate))}" if certificate else ""
    design = shlex.quote(name)
    made = (
        f"gcdesign report {design} -o {shlex.quote(str(page))}{written} "
        f"--time-limit {time_limit:g} --seed {seed}"
    )
    check = certificate or Path("profile.cert.json")
    return (
        made,
        f"gcdesign attack {design} --profile --certificate profile.cert.json",
        f"gcdesign verify {shlex.quote(str(check))}",
    )


def _write_certificate(path: Path, found: Dossier, *, force: bool) -> list[Path]:
    import json

    from gcdesign.cli.output import write_output
    from gcdesign.errors import OutputError

    if found.certificate is None:
        raise OutputError(f"no certificate was written to {path}: a value has no written proof")
    text = json.dumps(found.certificate, separators=(",", ":")) + "\n"
    write_output(path, text.encode(), force=force)
    return [path]


def _show(found: Dossier, written: list[Path], *, as_json: bool) -> None:
    from gcdesign.cli.output import print_json

    counts = {
        "errors": (found.errors, sum(one.status == "exact" for one in found.errors)),
        "thresholds": (found.thresholds, sum(one.status == "exact" for one in found.thresholds)),
    }
    if not as_json:
        click.echo(found.code.label)
        for name, (results, proved) in counts.items():
            click.echo(f"  {name:<12} {proved} of {len(results)} proved")
        click.echo(f"  check value  {found.check_value or 'none: a value has no written proof'}")
        return
    document: dict[str, Any] = {
        "schema": "gcdesign.report/1",
        "label": found.code.label,
        "files": list(map(str, written)),
        "check_value": found.check_value,
        "stopped": found.stopped,
        "seconds": found.seconds,
    }
    for name, (results, proved) in counts.items():
        document[name] = {"asked": len(results), "proved": proved}
    print_json(document)
