"""``gcdesign ldgm evolve``: density evolution, thresholds and the bound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from gcdesign.cli.ldgm_options import (
    check_picture,
    draw,
    edge_option,
    ensemble_of,
    generator_option,
    options,
    parts_option,
    picture_options,
    refuse_unused,
    required_time,
    time_of,
    time_options,
    variable_options,
)
from gcdesign.cli.page import Page

if TYPE_CHECKING:
    from gcdesign.codes.ldgm.ensemble import Ensemble
    from gcdesign.codes.ldgm.thresholds import Threshold


@click.command(
    cls=Page,
    name="evolve",
    see_also=("ldgm optimise", "ldgm simulate", "ldgm gain"),
)
@options(*variable_options, generator_option, edge_option, *time_options)
@click.option(
    "--erasure", type=float, metavar="E", help="Messages are lost with chance E, whatever the load."
)
@click.option("--ldpc", is_flag=True, help="Parity checks: the parts are sent, and lost.")
@click.option("--seeded", is_flag=True, help="Think of ever fewer workers with a single part.")
@click.option(
    "--target",
    type=float,
    metavar="SHARE",
    help="Also find the deadline, or the erasure, at which this share is unrecovered.",
)
@parts_option
@options(*picture_options)
def command(**asked: Any) -> None:
    r"""Follow decoding of a large graph: what stays unrecovered.

    \b
    Examples:
      gcdesign ldgm evolve --variable-degree 3 --generator-degrees 0.5x+0.5x^2 --mu 2
      gcdesign ldgm evolve --variable-degree 3 --generator-degrees x^6 --ldpc --erasure 0.42
    """
    from gcdesign.cli import ldgm_page as page
    from gcdesign.cli.output import print_json
    from gcdesign.codes.ldgm.evolution import fixed_points

    check_picture(asked)
    ensemble = ensemble_of(asked)
    evolution, recursion, threshold, limit, workers = _evolved(ensemble, asked)
    points = fixed_points(recursion)
    draw(asked, lambda figures, size: figures.evolution_figure(evolution, None, limit, size=size))
    if asked["as_json"]:
        print_json(
            {
                "schema": "gcdesign.ldgm-evolve/1",
                "ensemble": page.ensemble_json(ensemble),
                "time": None if asked["erasure"] is not None else workers,
                "deadline": None if asked["erasure"] is not None else asked["deadline"],
                "erasure": asked["erasure"],
                "channel": "ldpc" if asked["ldpc"] else "ldgm",
                **page.evolution_json(evolution),
                "fixed_points": page.points_json(points),
                "threshold": page.threshold_json(threshold),
                "limit": None if limit is None else page.limit_json(limit),
            }
        )
        return
    page.head(ensemble, workers)
    page.print_evolution(
        evolution,
        what="of the variables stay erased" if asked["ldpc"] else "of the parts stay unrecovered",
    )
    if len(points) > 1:
        shown = ", ".join(f"{p.x:.6g}{'' if p.stable else ' (unstable)'}" for p in points)
        click.echo(f"  fixed points  {shown}")
    if threshold is not None:
        _print_threshold(threshold)
    if limit is not None:
        page.print_limit(limit)


def _evolved(ensemble: Ensemble, asked: dict[str, Any]) -> Any:
    """Return evolution, recursion, threshold, limit and the words for the workers' times."""
    from gcdesign.codes.ldgm import evolution as de
    from gcdesign.codes.ldgm.limit import limit
    from gcdesign.codes.ldgm.thresholds import (
        deadline_threshold,
        ldgm_threshold,
        ldpc_threshold,
    )
    from gcdesign.errors import InputError

    erasure, target, ldpc = asked["erasure"], asked["target"], asked["ldpc"]
    seeded: bool = asked["seeded"]
    if erasure is None and ldpc:
        raise InputError("--ldpc is about an erasure channel; give --erasure too")
    if erasure is not None:
        if time_of(asked) is not None:
            raise InputError("--erasure takes the place of times; leave out --mu and --time")
        refuse_unused("with --erasure", "deadline")
        if ldpc:
            refuse_unused("of LDPC codes", "target", "seeded")
        found: Threshold | None = ldpc_threshold(ensemble) if ldpc else None
        if not ldpc and target is not None:
            found = ldgm_threshold(ensemble, target, seeded=seeded)
        recursion = de.erasure_recursion(ensemble, erasure, ldpc=ldpc)
        what = "variables" if ldpc else "messages"
        words = f"none; {what} erased with chance {erasure:g}"
        evolved = de.evolve_erasures(ensemble, erasure, ldpc=ldpc, seeded=seeded)
        return evolved, recursion, found, None, words
    time, deadline = required_time(asked), asked["deadline"]
    evolved = de.evolve(ensemble, time, deadline, seeded=seeded)
    found = None if target is None else deadline_threshold(ensemble, time, target, seeded=seeded)
    bound = limit(time, deadline, ensemble.rate, largest=ensemble.loads.largest)
    recursion = de.recursion_of(ensemble, time, deadline)
    words = time.written if asked["as_json"] else f"{time.written}, deadline {deadline:g}"
    return evolved, recursion, found, bound, words


def _print_threshold(threshold: Threshold) -> None:
    if threshold.kind == "deadline":
        click.echo(
            f"  threshold     deadline {threshold.value:.8g} leaves {threshold.unrecovered:.6g}; "
            f"a shorter one {threshold.beyond:.6g}"
        )
        return
    click.echo(
        f"  threshold     erasure {threshold.value:.8g} leaves {threshold.unrecovered:.6g}; "
        f"more {threshold.beyond:.6g}"
    )
