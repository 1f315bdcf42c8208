"""``gcdesign ldgm optimise``: the degrees that recover most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from gcdesign.cli.ldgm_options import (
    check_picture,
    copies_of,
    draw,
    edge_option,
    largest_option,
    options,
    parts_option,
    picture_options,
    rate_of,
    rate_option,
    required_time,
    runs_option,
    simulated,
    time_options,
    variable_options,
)
from gcdesign.cli.options import seed_option
from gcdesign.cli.page import Page

if TYPE_CHECKING:
    from gcdesign.codes.ldgm.finite import Simulation
    from gcdesign.codes.ldgm.optimise import Optimum


@click.command(
    cls=Page,
    name="optimise",
    see_also=("ldgm evolve", "ldgm simulate", "ldgm gain"),
)
@options(*time_options, rate_option, largest_option, *variable_options, edge_option)
@click.option(
    "--objective",
    type=click.Choice(["unrecovered", "edge"]),
    default="unrecovered",
    show_default=True,
    help="Minimise the unrecovered share of parts, or the erasure x of edges.",
)
@click.option(
    "--start",
    type=float,
    default=0.0,
    show_default=True,
    metavar="SHARE",
    help="Least share of workers with a single part.",
)
@click.option("--cross-check", is_flag=True, help="Search by differential evolution as well.")
@options(parts_option, runs_option, seed_option)
@options(*picture_options)
def command(**asked: Any) -> None:
    r"""Find the degrees that recover most, and say what no degrees pass by.

    \b
    Examples:
      gcdesign ldgm optimise --mu 1 --objective edge
      gcdesign ldgm optimise --time exp:rate=1,work=0.1,scaled=no --max-degree 6
    """
    from gcdesign.cli import ldgm_page as page
    from gcdesign.cli.output import print_json
    from gcdesign.codes.ldgm.optimise import optimise
    from gcdesign.designs.ensembles.degrees import Degrees
    from gcdesign.errors import InputError

    check_picture(asked)
    time, rate, copies = required_time(asked), rate_of(asked["rate"]), copies_of(asked)
    if copies is not None and not isinstance(copies, Degrees):
        raise InputError("--variable-degrees poisson has no optimiser; give a table")
    optimum = optimise(
        time,
        asked["deadline"],
        rate=rate,
        largest=asked["max_degree"],
        copies=copies,
        objective=asked["objective"],
        start=asked["start"],
    )
    simulation = simulated(optimum.ensemble, asked) if optimum.evolution.starts else None
    checked = _cross_check(optimum, asked) if asked["cross_check"] else None
    draw(
        asked,
        lambda figures, size: figures.evolution_figure(
            optimum.evolution, simulation, optimum.limit, size=size
        ),
    )
    if asked["as_json"]:
        print_json(_optimum_json(optimum, simulation, checked, asked))
        return
    page.print_optimum(optimum)
    page.print_evolution(optimum.evolution)
    page.print_limit(optimum.limit)
    if simulation is not None:
        page.print_simulation(simulation, optimum.evolution.unrecovered)
    if checked is not None:
        click.echo(f"\n  differential evolution reaches x∞ = {checked:.8g}")


def _optimum_json(
    optimum: Optimum,
    simulation: Simulation | None,
    checked: float | None,
    asked: dict[str, Any],
) -> dict[str, Any]:
    from gcdesign.cli import ldgm_page as page

    return {
        "schema": "gcdesign.ldgm-optimise/1",
        "time": required_time(asked).written,
        "deadline": asked["deadline"],
        "objective": optimum.objective,
        "value": optimum.value,
        "lower": optimum.lower,
        "infimum": optimum.infimum,
        "ensemble": page.ensemble_json(optimum.ensemble),
        **page.evolution_json(optimum.evolution),
        "limit": page.limit_json(optimum.limit),
        "gain": optimum.gain,
        "tried": [
            {"variable_degree": degree, "value": value, "better": better}
            for degree, value, better in optimum.tried
        ],
        "simulation": page.simulation_json(simulation),
        "cross_check": checked,
    }


def _cross_check(optimum: Optimum, asked: dict[str, Any]) -> float:
    from gcdesign.codes.ldgm.crosscheck import differential_evolution
    from gcdesign.designs.ensembles.degrees import Degrees
    from gcdesign.errors import InputError

    copies = optimum.ensemble.copies
    if not isinstance(copies, Degrees) or len(copies.shares) > 1:
        raise InputError("--cross-check takes parts of one degree; leave it or the table out")
    _, x = differential_evolution(
        required_time(asked),
        asked["deadline"],
        copies=copies.largest,
        rate=rate_of(asked["rate"]),
        largest=asked["max_degree"],
        seed=asked["seed"],
    )
    return x
