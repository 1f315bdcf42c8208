"""``gcdesign design V K LAMBDA``: is there such a design, and if so, build it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gcdesign.cli.options import (
    NumbersCommand,
    force_option,
    json_option,
    output_option,
    quiet_option,
    seconds,
    seed_option,
)

if TYPE_CHECKING:
    from gcdesign.designs.existence import Answer
    from gcdesign.designs.searching import SearchResult


@click.command(
    cls=NumbersCommand,
    name="design",
    exits={
        0: "the design exists",
        1: "there is none, proved",
        3: "unknown, or known to exist without a recipe that -o could write",
    },
    see_also=("catalogue", "build", "families", "info"),
)
@click.argument("v", type=int)
@click.argument("k", type=int)
@click.argument("lambda_", metavar="[LAMBDA]", type=int, default=1)
@output_option("the design, proved from its blocks")
@click.option("--search", is_flag=True, help="If there is no recipe here, search for one.")
@click.option(
    "--time-limit",
    type=seconds,
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="End the search after this time.",
)
@seed_option
@click.option(
    "--first",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Take the search up at this attempt (default: the first, 0).",
)
@force_option
@json_option
@quiet_option
def command(
    v: int,
    k: int,
    lambda_: int,
    output: Path | None,
    search: bool,
    time_limit: float,
    seed: int,
    first: int,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    r"""Say whether there is a 2-(V, K, LAMBDA) design; with -o, build it.

    V points, blocks of K points, any two points in LAMBDA common blocks
    (by default 1). The answer is a recipe, the theorem that excludes the
    design, or what was tried. The exit code is 0 if it exists, 1 if not,
    and 3 if that is not known here, or no recipe for it.

    With --search, a design that has no recipe here is looked for: base
    blocks under many groups: orbit matrices, annealing, joined lists. Attempts
    are numbered; the same seed gives the same ones.

    \b
    Examples:
      gcdesign design 7 3
      gcdesign design 22 7 2
      gcdesign design 16 6 2 -o biplane.json
      gcdesign design 40 10 3 --search --time-limit 600
    """
    from gcdesign.cli.output import EXIT_CODES, print_json
    from gcdesign.designs.existence import Exists, exists
    from gcdesign.errors import InputError

    if as_json and str(output) == "-":
        raise InputError("--json and -o - both want standard output; use one of them")
    answer, result = exists(v, k, lambda_), None
    wanted = answer.status != "impossible" and getattr(answer, "recipe", None) is None
    if search and wanted:
        answer, result = _search(answer, time_limit, seed=seed, first=first, quiet=quiet)
    written = None
    if output is not None and isinstance(answer, Exists) and answer.recipe is not None:
        written = _write(answer, output, force=force, quiet=quiet)
    if as_json:
        print_json(document(answer, written, result))
    elif str(output) != "-" or written is None:
        _print_page(answer, written, result, to_stderr=str(output) == "-")
    missing = output is not None and written is None
    return 3 if missing and answer.status == "exists" else EXIT_CODES[answer.status]


def _search(
    answer: Answer, time_limit: float, *, seed: int, first: int, quiet: bool
) -> tuple[Answer, SearchResult]:
    """Search for the design; return the answer that follows, and what the search did."""
    from time import monotonic

    from gcdesign.cli.progress import long_work
    from gcdesign.designs.existence import Exists
    from gcdesign.designs.families.developed import specification
    from gcdesign.designs.searching import search

    begin = monotonic()
    with long_work(quiet=quiet) as (display, stop):
        result = search(
            *answer.wanted,
            seconds=time_limit,
            seed=seed,
            first=first,
            report=lambda attempt: display.share(str(attempt), (monotonic() - begin) / time_limit),
            stopped=stop.is_set,
        )
    if result.base_blocks is None:
        return answer, result
    recipe = specification(result.base_blocks)
    return Exists(answer.wanted, f"search: {result.attempt}, seed {seed}", recipe), result


def _write(answer: Any, output: Path, *, force: bool, quiet: bool) -> dict[str, str]:
    """Build, prove and write the design; return where it is."""
    from gcdesign.cli.building import check_target, write_design

    check_target(output, force=force)
    return write_design(answer.build(), output, force=force, quiet=quiet)


def document(
    answer: Answer, written: dict[str, str] | None, result: SearchResult | None = None
) -> dict[str, Any]:
    """Return the JSON document of an answer."""
    return {
        "schema": "gcdesign.design/1",
        **described(answer),
        "tried": list(getattr(answer, "tried", ())),
        "search": {"next_attempt": result.next_attempt, "seconds": round(result.seconds, 3)}
        if result
        else None,
        "file": written["file"] if written else None,
        "sha256": written["sha256"] if written else None,
    }


def described(answer: Answer) -> dict[str, Any]:
    """Return what a document and a catalogue say of an answer."""
    from gcdesign.designs.existence.counts import nonisomorphic
    from gcdesign.designs.existence.resolvable import resolvability

    wanted = answer.wanted
    recipe = getattr(answer, "recipe", None)
    there = answer.status != "impossible" and wanted.divides
    resolvable = resolvability(wanted) if there else None
    count = nonisomorphic(wanted) if answer.status == "exists" else None
    return {
        "v": wanted.v,
        "b": wanted.b if wanted.divides else None,
        "r": wanted.r if wanted.divides else None,
        "k": wanted.k,
        "lambda": wanted.lambda_,
        "status": answer.status,
        "reason": answer.reason,
        "theorem": getattr(answer, "theorem", None),
        "recipe": recipe.spec if recipe else None,
        "placement": {
            "workers": wanted.b,
            "parts": wanted.v,
            "load": wanted.k,
            "replication": wanted.r,
        }
        if there
        else None,
        "resolvable": {"answer": resolvable.answer, "reason": resolvable.reason or None}
        if resolvable
        else None,
        "nonisomorphic": {"number": count.number, "source": count.source} if count else None,
    }


def _print_page(
    answer: Answer,
    written: dict[str, str] | None,
    result: SearchResult | None,
    *,
    to_stderr: bool,
) -> None:
    from gcdesign.designs.existence import Exists, explain
    from gcdesign.designs.existence.counts import nonisomorphic
    from gcdesign.designs.existence.resolvable import resolvability

    w = answer.wanted
    word = {"exists": "exists", "impossible": "does not exist", "unknown": "not known here"}
    lines = [click.style(f"2-({w.v}, {w.k}, {w.lambda_}) design: {word[answer.status]}", bold=True)]
    if answer.status != "impossible":
        lines.append(f"  as a design     b = {w.b} blocks, r = {w.r}")
        lines.append(
            f"  as a placement  N = {w.b} workers, K = {w.v} parts, load L = {w.k}, "
            f"replication R = {w.r}"
        )
        resolvable = resolvability(w)
        if resolvable.answer != "unknown":
            lines.append(f"  resolvable      {resolvable.answer} ({resolvable.reason})")
    lines.append(f"  reason          {answer.reason}")
    if result and result.base_blocks is None:
        lines.append(
            f"  search          nothing in {result.seconds:.0f} s; go on with "
            f"--first {result.next_attempt}"
        )
    if isinstance(answer, Exists):
        count = nonisomorphic(w)
        if count:
            lines.append(f"  up to symmetry  {count.number} ({count.source})")
        if answer.recipe is not None:
            first, *rest = explain(answer.recipe).splitlines()
            lines.append(f"  recipe          {first}")
            lines += [f"                  {line}" for line in rest]
        if written:
            lines.append(f"  written to      {written['file']} (sha256 {written['sha256'][:16]}…)")
    for line in lines:
        click.echo(line, err=to_stderr)
