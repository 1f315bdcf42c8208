"""``gcdesign catalogue``: all admissible parameters up to a limit, and what is known of each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gcdesign.cli.options import force_option, json_option, output_option, quiet_option
from gcdesign.cli.page import Page

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gcdesign.designs.existence import Answer

COLUMNS = (
    "v",
    "b",
    "r",
    "k",
    "lambda",
    "status",
    "recipe",
    "resolvable",
    "nonisomorphic",
    "guaranteed_error",
    "reason",
)


@dataclass(frozen=True)
class Range:
    """Whole numbers from ``least`` to ``most``."""

    least: int
    most: int | None

    def __contains__(self, number: int) -> bool:
        """Whether a number lies in the range."""
        return number >= self.least and (self.most is None or number <= self.most)


def whole_range(text: str) -> Range:
    """Parse a number, or two joined by ``-`` of which one may be missing.

    Examples
    --------
    >>> whole_range("30"), whole_range("20-40"), whole_range("20-")
    (Range(least=30, most=30), Range(least=20, most=40), Range(least=20, most=None))
    """
    first, dash, last = text.partition("-")
    pieces = [piece.strip() for piece in ((first, last) if dash else (first, first))]
    good = any(pieces) and all(re.fullmatch("[0-9]{0,15}", piece) for piece in pieces)
    found = Range(int(pieces[0] or 0), int(pieces[1]) if pieces[1] else None) if good else None
    if found is None or (found.most is not None and found.most < found.least):
        raise click.BadParameter(f"{text[:100]!r}; expected a number or a range such as 20-40")
    return found


@click.command(
    cls=Page,
    name="catalogue",
    see_also=("design", "recommend"),
)
@click.option("--max-v", type=int, metavar="V", help="Largest number of points (default: any).")
@click.option(
    "--max-r", type=int, default=41, show_default=True, metavar="R", help="Largest replication."
)
@click.option("--workers", type=whole_range, metavar="N", help="Number of blocks, or a range A-B.")
@click.option("--load", type=whole_range, metavar="L", help="Block size, or a range A-B.")
@click.option(
    "--status",
    type=click.Choice(["exists", "impossible", "unknown"]),
    help="Only parameters with this answer.",
)
@click.option(
    "--stragglers",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    metavar="S",
    help="Stragglers whose worst error is bounded.",
)
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV for spreadsheets.")
@output_option("the table, as CSV or with --json as JSON")
@force_option
@json_option
@quiet_option
def command(
    max_v: int | None,
    max_r: int,
    workers: Range | None,
    load: Range | None,
    status: str | None,
    stragglers: int,
    as_csv: bool,
    output: Path | None,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    r"""List all 2-(v, k, λ) designs with 3 ≤ k ≤ v/2 up to a limit, and what is known of each.

    A row holds the parameters, whether the design exists, with its recipe or
    the theorem that excludes it, and its worth as a gradient code: N = b
    workers, K = v parts, L = k, R = r, and a bound on the worst squared error
    of S stragglers that holds for every design with these parameters.

    \b
    Examples:
      gcdesign catalogue --max-v 200 --max-r 41
      gcdesign catalogue --workers 20-40 --load 6
      gcdesign catalogue --max-r 41 --status unknown --csv
    """
    from gcdesign.cli.output import refuse_target, write_output
    from gcdesign.designs.existence.catalogue import catalogue
    from gcdesign.errors import InputError

    if as_csv and as_json:
        raise InputError("--csv and --json both want standard output; use one of them")
    if output is not None and str(output) != "-":
        _refuse_suffix(output, as_json=as_json)
        refuse_target(output, force=force)
    answers = [
        answer
        for answer in catalogue(max_r, max_v)
        if (workers is None or answer.wanted.b in workers)
        and (load is None or answer.wanted.k in load)
        and (status is None or answer.status == status)
    ]
    rows = [entry(answer, stragglers) for answer in answers]
    if not (as_json or as_csv or output):
        _print_rows(rows, quiet=quiet)
        return
    text = _json(rows, stragglers) if as_json else _csv(rows)
    write_output(output or Path("-"), text.encode(), force=force)


def _refuse_suffix(output: Path, *, as_json: bool) -> None:
    """Refuse a name that says another format than the one that is written."""
    from gcdesign.errors import InputError

    if as_json and output.suffix.lower() == ".csv":
        raise InputError(
            f"{output}: with --json the table is JSON; leave --json out, or name it so"
        )
    if not as_json and output.suffix.lower() == ".json":
        raise InputError(f"{output}: the table is CSV; add --json, or name it .csv")


def entry(answer: Answer, stragglers: int) -> dict[str, Any]:
    """Return one row: what is known of a design, and what it guarantees as a code."""
    from gcdesign.cli.design import described
    from gcdesign.codes.balanced import guaranteed_error

    row = described(answer)
    wanted = answer.wanted
    possible = row["placement"] is not None and stragglers <= wanted.b
    error = guaranteed_error(*wanted, stragglers) if possible else None
    return row | {"guaranteed_error": None if error is None else str(error)}


def _json(rows: list[dict[str, Any]], stragglers: int) -> str:
    import json

    document = {"schema": "gcdesign.catalogue/1", "stragglers": stragglers, "designs": rows}
    return json.dumps(document, indent=1) + "\n"


def _csv(rows: Iterable[dict[str, Any]]) -> str:
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        flat = row | {
            "resolvable": (row["resolvable"] or {}).get("answer"),
            "nonisomorphic": (row["nonisomorphic"] or {}).get("number"),
        }
        writer.writerow(["" if flat[name] is None else flat[name] for name in COLUMNS])
    return text.getvalue()


def _print_rows(rows: list[dict[str, Any]], *, quiet: bool) -> None:
    from collections import Counter

    from gcdesign.cli.output import new_table, notice, print_table

    table = new_table(">v", ">b", ">r", ">k", ">λ", "status", ">error ≤", "recipe or reason")
    for row in rows:
        told = row["recipe"] or ("" if row["status"] == "unknown" else row["reason"])
        table.add_row(
            *(str(row[name]) for name in ("v", "b", "r", "k", "lambda")),
            row["status"],
            row["guaranteed_error"] or "",
            told if len(told) <= 120 else f"{told[:119]}…",
        )
    print_table(table)
    found = Counter(row["status"] for row in rows)
    notice(
        f"exist: {found['exists']}, do not exist: {found['impossible']}, "
        f"not known here: {found['unknown']}",
        quiet=quiet,
    )
