"""``gcdesign recommend``: which code for so many workers, parts and stragglers."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

import click

from gcdesign.cli.options import (
    json_option,
    quiet_option,
    seconds,
    seed_option,
    threads_option,
)
from gcdesign.cli.page import Page

if TYPE_CHECKING:
    from gcdesign.adversary.choosing.chooser import Recommendation, Wish

PAGE_WIDTH = 96


@click.command(
    cls=Page,
    name="recommend",
    see_also=("catalogue", "attack", "families"),
)
@click.option("--workers", type=int, required=True, metavar="N", help="Workers that there are.")
@click.option("--load", type=int, required=True, metavar="L", help="Most parts on a worker.")
@click.option("--stragglers", type=int, required=True, metavar="S", help="Silent workers.")
@click.option("--parts", type=int, metavar="K", help="Data parts (default: as the code likes).")
@click.option(
    "--model",
    type=click.Choice(["adversarial", "random"]),
    default="adversarial",
    show_default=True,
    help="Who chooses the stragglers; the codes are ranked by that error.",
)
@click.option(
    "--at-most-condition",
    type=float,
    metavar="X",
    help="Leave out codes whose decoding magnifies rounding more than X times.",
)
@click.option(
    "--also",
    multiple=True,
    metavar="DESIGN",
    help="A design or matrix of your own to compare; can be repeated.",
)
@click.option(
    "--time-limit",
    type=seconds,
    metavar="SECONDS",
    default=10.0,
    show_default=True,
    help="For each code; what is not proved by then is shown as a bracket.",
)
@threads_option
@seed_option
@json_option
@quiet_option
def command(
    workers: int,
    load: int,
    stragglers: int,
    parts: int | None,
    model: str,
    at_most_condition: float | None,
    also: tuple[str, ...],
    time_limit: float,
    threads: int | None,
    seed: int,
    as_json: bool,
    quiet: bool,
) -> int:
    r"""List every code that fits, the best first, and why it is the best.

    A code fits if no worker holds more than L parts. It may leave workers
    idle, or need a few more than there are, which then count as silent from
    the start; both are said. Errors are squared errors under optimal
    decoding.

    \b
    Examples:
      gcdesign recommend --workers 30 --load 6 --stragglers 4
      gcdesign recommend --workers 7 --load 3 --stragglers 1 --also mine.csv
      gcdesign recommend --workers 30 --load 6 --stragglers 6 --model random
    """
    from gcdesign.adversary.choosing.chooser import Wish, recommend
    from gcdesign.cli.output import print_json
    from gcdesign.cli.progress import searching
    from gcdesign.cli.source import open_source

    chosen = cast(Literal["adversarial", "random"], model)
    wish = Wish(workers, load, stragglers, parts, chosen, at_most_condition)
    own = [(name, open_source(name).code) for name in also]
    with searching(
        method="exact", time_limit=time_limit, threads=threads, seed=seed, quiet=quiet
    ) as settings:
        found = recommend(wish, also=own, settings=settings)
    if as_json:
        print_json(document(wish, found))
    else:
        print_page(wish, found)
    return 3 if any(one.guaranteed.stopped for one in found) else 0


def document(wish: Wish, found: Sequence[Recommendation]) -> dict[str, Any]:
    """Return the JSON document."""
    return {
        "schema": "gcdesign.recommend/1",
        "workers": wish.workers,
        "load": wish.load,
        "stragglers": wish.stragglers,
        "parts": wish.parts,
        "model": wish.model,
        "codes": [_entry(one) for one in found],
    }


def _entry(one: Recommendation) -> dict[str, Any]:
    from gcdesign.adversary.results import exact_text

    fit, guaranteed, expected = one.fit, one.guaranteed, one.expected
    return {
        "code": fit.name,
        "label": fit.code.label,
        "workers": fit.code.workers,
        "parts": fit.code.parts,
        "load": fit.load,
        "idle_workers": fit.idle,
        "left_out_workers": fit.left_out,
        "padded_parts": fit.padded,
        "parts_each": fit.each,
        "guaranteed_error": float(one.guarantee),
        "guaranteed_error_exact": exact_text(one.guarantee),
        "guaranteed_lower": min(float(guaranteed.lower), float(one.guarantee)),
        "status": one.status,
        "expected_error": float(expected.value),
        "expected_error_exact": exact_text(expected.value),
        "expected_lower": float(expected.lower),
        "expected_upper": float(expected.upper),
        "threshold": one.threshold,
        "cost": one.decoding.cost,
        "condition": one.condition,
        "why": one.why,
    }


def print_page(wish: Wish, found: Sequence[Recommendation]) -> None:
    """Print the table, then what is to be said of each code."""
    from gcdesign.cli.output import new_table, print_table

    if not found:
        click.echo(f"no code fits {wish.workers} workers with at most {wish.load} parts each")
        if wish.parts and (needed := -(-wish.parts // wish.workers)) > wish.load:
            click.echo(f"to hold {wish.parts} parts at all they need a load of {needed} or more")
        return
    s = wish.stragglers
    table = new_table(
        "  code", ">N", ">K", ">L", f">err_{s}/K", f">E err_{s}/K", ">S*(1)", ">cost", ">condition"
    )
    for one in found:
        fit, parts = one.fit, one.fit.code.parts
        table.add_row(
            f"  {fit.name}",
            str(fit.code.workers),
            str(parts),
            str(fit.load),
            _guaranteed(one),
            f"{float(one.expected.value) / parts:.4f}",
            str(one.threshold),
            str(one.decoding.cost),
            f"{one.condition:.3g}",
        )
    print_table(table)
    for one in found:
        click.echo()
        click.echo(click.style(f"  {one.fit.name}", bold=True))
        indent = " " * 4
        click.echo(
            textwrap.fill(one.why, PAGE_WIDTH, initial_indent=indent, subsequent_indent=indent)
        )


def _guaranteed(one: Recommendation) -> str:
    """Return the guaranteed error as a share, as a bracket where that is all that is known."""
    upper = one.share("guaranteed")
    if one.status != "bracket":
        return f"{upper:.4f}"
    return f"{float(one.guaranteed.lower) / one.fit.code.parts:.4f}–{upper:.4f}"
