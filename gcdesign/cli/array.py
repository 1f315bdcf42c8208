"""``gcdesign array``: orthogonal and covering arrays, with what is proved of their size."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gcdesign.cli.options import force_option, json_option, output_option, quiet_option
from gcdesign.cli.page import Page, PageGroup

if TYPE_CHECKING:
    from gcdesign.designs.covering import CoveringArray
    from gcdesign.designs.orthogonal import OrthogonalAnswer
    from gcdesign.designs.tuples import Array

MOST_FACTORS = 1_000_000
"""Most factors whose levels may be written one by one."""

factors_option = click.option(
    "--factors", type=int, metavar="K", help="Number of factors: the columns."
)
strength_option = click.option(
    "--strength",
    type=int,
    default=2,
    show_default=True,
    metavar="T",
    help="So many columns are looked at together.",
)


def level_list(text: str) -> tuple[int, ...]:
    """Parse numbers of levels separated by commas; ``s^n`` stands for n times s.

    Examples
    --------
    >>> level_list("3"), level_list("4,3^2,2")
    ((3,), (4, 3, 3, 2))
    """
    found: list[int] = []
    for piece in text.split(","):
        read = re.fullmatch(r"\s*([0-9]{1,9})(?:\^([0-9]{1,7}))?\s*", piece)
        times = int(read[2] or 1) if read else 0
        if read is None or not 0 < times <= MOST_FACTORS - len(found):
            raise click.BadParameter(
                f"{text[:100]!r}; expected a number of levels such as 3, or one for each factor, "
                "such as 4,3,3,2 or 3^4,2^5"
            )
        found += [int(read[1])] * times
    return tuple(found)


levels_option = click.option(
    "--levels",
    type=level_list,
    required=True,
    metavar="S",
    help="Levels of every factor; or of each, such as 4,3,3,2 or 3^4,2^5.",
)


@click.group(cls=PageGroup, name="array", see_also=("design", "build"))
def command() -> None:
    r"""Make an orthogonal or a covering array, and say what is proved of its size.

    The rows are runs or tests, the columns factors; entries are levels,
    counted from 0. In any T columns of an orthogonal array each tuple of
    levels stands in equally many rows, in a covering array in at least one.

    \b
    Examples:
      gcdesign array orthogonal --runs 18 --factors 7 --levels 3
      gcdesign array covering --factors 10 --levels 3 -o tests.csv
    """


@command.command(
    cls=Page,
    name="orthogonal",
    exits={
        0: "the array exists",
        1: "there is none, proved",
        3: "not known here",
    },
    see_also=("array covering", "design"),
)
@click.option(
    "--runs",
    type=int,
    metavar="N",
    help="Number of runs: the rows (default: the fewest that can be made here).",
)
@factors_option
@levels_option
@strength_option
@output_option("the array, proved from its rows: .csv, or .json")
@force_option
@json_option
@quiet_option
def orthogonal(
    runs: int | None,
    factors: int | None,
    levels: tuple[int, ...],
    strength: int,
    output: Path | None,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    r"""Say whether there is an orthogonal array, and make it.

    In any T of K columns each tuple of S levels stands in equally many of
    the N rows. The answer is a construction, the theorem that excludes the
    array, or that neither is known here. The exit code is 0 if it exists,
    1 if not, and 3 if that is not known here.

    \b
    Examples:
      gcdesign array orthogonal --runs 18 --factors 7 --levels 3
      gcdesign array orthogonal --factors 5 --levels 4 --strength 3 -o runs.csv
      gcdesign array orthogonal --runs 36 --factors 4 --levels 6
    """
    from gcdesign.cli.output import EXIT_CODES, print_json
    from gcdesign.designs.orthogonal import array_index, ask, ask_for_fewest, carry_out
    from gcdesign.errors import InputError

    columns, each = _shape(factors, levels)
    if not isinstance(each, int):
        written = ",".join(map(str, each[:20]))
        raise InputError(
            f"levels={written}; orthogonal arrays are made with as many levels in every factor; "
            "gcdesign array covering takes mixed levels"
        )
    _check_target(output, force=force, as_json=as_json)
    if runs is None:
        answer = ask_for_fewest(columns, each, strength=strength)
    else:
        answer = ask(runs, columns, each, strength=strength)
    file = None
    if output is not None and answer.plan is not None:
        rows = carry_out(answer.plan)
        array_index(rows, levels=each, strength=strength)
        file = _write(
            rows, (each,) * columns, "orthogonal", strength=strength, output=output, force=force
        )
    if as_json:
        print_json(
            {"schema": "gcdesign.array-orthogonal/1", **_orthogonal_json(answer), **_at(file)}
        )
    else:
        _print_orthogonal(answer, file, to_stderr=file is not None and str(output) == "-")
    return EXIT_CODES[answer.status]


@command.command(
    cls=Page,
    name="covering",
    see_also=("array orthogonal", "design"),
)
@factors_option
@levels_option
@strength_option
@output_option("the array, checked: .csv, or .json")
@force_option
@json_option
@quiet_option
def covering(
    factors: int | None,
    levels: tuple[int, ...],
    strength: int,
    output: Path | None,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    r"""Make a covering array of few rows: tests that try all tuples of levels.

    In any T columns each tuple of levels stands in some row. What is shown
    is the number of rows found, and below it what is proved: no array has
    fewer rows than that. If both agree, the array is as small as can be.

    \b
    Examples:
      gcdesign array covering --factors 10 --levels 3
      gcdesign array covering --factors 12 --levels 2 --strength 4 -o tests.csv
      gcdesign array covering --levels 4,3^3,2^5 -o -
    """
    from gcdesign.cli.output import print_json
    from gcdesign.designs.covering import covering_array

    columns, each = _shape(factors, levels)
    _check_target(output, force=force, as_json=as_json)
    found = covering_array(columns, each, strength=strength)
    file = None
    if output is not None:
        file = _write(
            found.rows, found.levels, "covering", strength=strength, output=output, force=force
        )
    if as_json:
        print_json({"schema": "gcdesign.array-covering/1", **_covering_json(found), **_at(file)})
    else:
        _print_covering(found, file, to_stderr=str(output) == "-")


def _shape(factors: int | None, levels: tuple[int, ...]) -> tuple[int, int | tuple[int, ...]]:
    """Return the number of columns, and the levels: one number if all columns have as many."""
    from gcdesign.errors import InputError

    if factors is None and len(levels) == 1:
        raise InputError("say how many factors: --factors K, or the levels of each")
    columns = len(levels) if factors is None else factors
    if len(levels) > 1 and columns != len(levels):
        raise InputError(f"--levels has {len(levels)} numbers for --factors {columns}")
    return columns, levels[0] if len(set(levels)) == 1 else levels


def _check_target(output: Path | None, *, force: bool, as_json: bool) -> None:
    """Refuse a target that cannot take an array, before one is made."""
    from gcdesign.cli.output import refuse_target
    from gcdesign.errors import InputError

    if output is None:
        return
    if str(output) == "-":
        if as_json:
            raise InputError("--json and -o - both want standard output; use one of them")
    elif output.suffix.lower() not in (".csv", ".json"):
        raise InputError(f"{output}: an array is written as .csv or .json; name it so")
    else:
        refuse_target(output, force=force)


def _write(
    rows: Array,
    levels: tuple[int, ...],
    kind: str,
    *,
    strength: int,
    output: Path,
    force: bool,
) -> tuple[str, str]:
    """Write an array; return the file's name and its SHA-256."""
    from gcdesign.cli.output import sha256, write_output
    from gcdesign.designs.formats.runs import write_runs

    as_json = output.suffix.lower() == ".json"
    data = write_runs(
        rows, "json" if as_json else "csv", kind=kind, levels=levels, strength=strength
    )
    write_output(output, data, force=force)
    return str(output), sha256(data)


def _at(file: tuple[str, str] | None) -> dict[str, str | None]:
    return {"file": file[0] if file else None, "sha256": file[1] if file else None}


def _orthogonal_json(answer: OrthogonalAnswer) -> dict[str, Any]:
    w = answer.wanted
    return {
        "runs": w.runs,
        "factors": w.columns,
        "levels": w.levels,
        "strength": w.strength,
        "index": w.lambda_ if w.divides else None,
        "least_runs": answer.least,
        "status": answer.status,
        "reason": answer.reason,
        "theorem": answer.theorem,
        "recipe": str(answer.plan) if answer.plan else None,
    }


def _print_orthogonal(
    answer: OrthogonalAnswer, file: tuple[str, str] | None, *, to_stderr: bool
) -> None:
    w = answer.wanted
    word = {"exists": "exists", "impossible": "does not exist", "unknown": "not known here"}
    lines = [
        click.style(f"{w}: {word[answer.status]}", bold=True),
        f"  as an array  {w.runs} runs, {w.columns} factors of {w.levels} levels, "
        f"strength {w.strength}",
    ]
    if answer.plan:
        lines.append(f"  index        {w.lambda_}: so often each tuple of {w.strength} columns")
    lines.append(f"  reason       {answer.reason}")
    if answer.plan:
        lines.append(f"  recipe       {answer.plan}")
    lines.append(f"  fewest runs  {answer.least} or more, proved")
    _print(lines, file, to_stderr=to_stderr)


def _covering_json(found: CoveringArray) -> dict[str, Any]:
    return {
        "factors": len(found.levels),
        "levels": list(found.levels),
        "strength": found.strength,
        "lower": found.bound,
        "upper": len(found.rows),
        "status": "exact" if found.bound == len(found.rows) else "bracket",
        "reason": found.because,
        "method": found.method,
    }


def _print_covering(found: CoveringArray, file: tuple[str, str] | None, *, to_stderr: bool) -> None:
    from gcdesign.designs.covering import METHODS

    rows, bound = len(found.rows), found.bound
    least, most = min(found.levels), max(found.levels)
    levels = f"{most}" if least == most else f"{least} to {most}"
    proved = "exact: none has fewer" if rows == bound else f"bracket: {bound} or more are needed"
    lines = [
        click.style(f"covering array of strength {found.strength}: {rows} rows", bold=True),
        f"  as an array  {len(found.levels)} factors of {levels} levels",
        f"  rows         {proved}",
        f"  because      {found.because}",
        f"  method       {METHODS[found.method]}",
    ]
    _print(lines, file, to_stderr=to_stderr)


def _print(lines: list[str], file: tuple[str, str] | None, *, to_stderr: bool) -> None:
    if file and not to_stderr:
        lines.append(f"  written to   {file[0]} (sha256 {file[1][:16]}…)")
    for line in lines:
        click.echo(line, err=to_stderr)
