"""``gcdesign verify``: check a certificate, without the engine that wrote it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from gcdesign.cli.options import json_option, quiet_option, seconds
from gcdesign.cli.page import Page

if TYPE_CHECKING:
    from gcdesign.checker.document import Certificate, Code
    from gcdesign.checker.judge import Finding, Report

SHOWN = {"proved": "proved", "search": "rests on search", "refused": "refused"}


@click.command(
    cls=Page,
    name="verify",
    exits={
        0: "every claim is proved, or rests on a search, as the page says",
        1: "a claim is refused",
    },
    see_also=("attack", "report"),
)
@click.argument("certificate", metavar="CERT")
@click.argument("about", required=False, metavar="[DESIGN]")
@click.option(
    "--time-limit",
    type=seconds,
    metavar="SECONDS",
    default=600.0,
    show_default=True,
    help="Give up a claim after this time: it then rests on search.",
)
@json_option
@quiet_option
def command(
    certificate: str, about: str | None, time_limit: float, as_json: bool, quiet: bool
) -> int:
    r"""Check the claims of CERT, a certificate, and their proofs.

    The checker uses Python's standard library alone, and nothing of what found the answers. With
    a DESIGN, the certificate must also be about it, workers and parts in the same order.

    \b
    Example:
      gcdesign verify fano.cert.json pg:q=2
    """
    from gcdesign.checker.document import read
    from gcdesign.checker.judge import judge
    from gcdesign.checker.verdicts import CertificateError
    from gcdesign.errors import InputError

    name = certificate if certificate.isprintable() else repr(certificate)
    name = "standard input" if certificate == "-" else name
    try:
        found = read(_standard_input(about) if certificate == "-" else certificate)
    except CertificateError as error:
        raise InputError(f"{name}: {error}") from None
    other = None if about is None else _other_design(found.codes[0], about)
    report = judge(found, limit=time_limit)
    problems = [*report.problems, *([] if other is None else [other])]
    status = "refused" if problems else report.status
    if as_json:
        _print_json(None if certificate == "-" else certificate, found, report, status, problems)
    else:
        _print_page(name, report, status, problems)
    return 1 if status == "refused" else 0


def _standard_input(design: str | None) -> bytes:
    from gcdesign.checker.reading import MAX_BYTES
    from gcdesign.errors import InputError

    if design == "-":
        raise InputError("CERT and DESIGN are both -; standard input holds one of them")
    if sys.stdin.isatty():
        raise InputError("standard input is a terminal; pipe a certificate into it or name a file")
    return sys.stdin.buffer.read(MAX_BYTES + 1)


def _other_design(code: Code, design: str) -> str | None:
    """Return how a design differs from placement 0, or None if it does not."""
    from gcdesign.cli.source import open_source

    source = open_source(design)
    blocks = source.design.blocks()
    place = f"placements[0]: it is not that of {source.origin}"
    if (code.workers, code.parts) != (len(blocks), source.design.v):
        sizes = f"{code.workers} workers and {code.parts} parts"
        return f"{place}: {sizes}, there {len(blocks)} and {source.design.v}"
    weights = None if source.code.is_complex else source.code.weights
    theirs = iter([1.0] * source.design.incidences if weights is None else weights.tolist())
    for worker, block in enumerate(blocks):
        own = code.weights[worker] if code.weights is not None else (1,) * code.loads[worker]
        if dict(zip(code.blocks[worker], own, strict=True)) != {p: next(theirs) for p in block}:
            return f"{place}: worker {worker} differs"
    return None


def _print_page(name: str, report: Report, status: str, problems: list[str]) -> None:
    click.echo(click.style(f"{name}: {_verdict(report, status)}", bold=True))
    click.echo(f"  N = {report.workers} workers, K = {report.parts} parts")
    rows = [_row(finding) for finding in report.findings]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row, finding in zip(rows, report.findings, strict=True):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        click.echo(f"  {'  '.join(cells)}".rstrip())
        for place in finding.rests_on:
            click.echo(f"    on {place}")
    for problem in problems:
        click.echo(f"  refused: {problem}")


def _verdict(report: Report, status: str) -> str:
    if status != "search":
        return SHOWN[status]
    count = sum(finding.status == "search" for finding in report.findings)
    rest = "rests" if count == 1 else "rest"
    return f"{count} of {len(report.findings)} claims {rest} on search by the program"


def _row(finding: Finding) -> tuple[str, ...]:
    about = f"placement {finding.placement}" if finding.placement else ""
    kind = " ".join(word for word in ("lemma" if finding.lemma else "", about) if word)
    return finding.place, finding.text, SHOWN[finding.status], finding.by, kind


def _print_json(
    file: str | None, certificate: Certificate, report: Report, status: str, problems: list[str]
) -> None:
    from gcdesign.cli.output import print_json

    print_json(
        {
            "schema": "gcdesign.verify/1",
            "file": file,
            "status": status,
            "workers": report.workers,
            "parts": report.parts,
            "zero_one": certificate.codes[0].weights is None,
            "claims": [_claim(finding) for finding in report.findings],
            "problems": problems,
        }
    )


def _claim(finding: Finding) -> dict[str, Any]:
    return {
        "place": finding.place,
        "text": finding.text,
        "question": finding.question,
        "decoder": finding.decoder,
        "asked": str(finding.asked),
        "lower": None if finding.lower is None else str(finding.lower),
        "upper": None if finding.upper is None else str(finding.upper),
        "lemma": finding.lemma,
        "placement": finding.placement,
        "proof": finding.by,
        "status": finding.status,
        "rests_on": list(finding.rests_on),
        "problem": finding.problem,
    }
