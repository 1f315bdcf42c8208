"""``gcdesign ldgm simulate``: graphs of finite size, or one placement."""

from __future__ import annotations

from typing import Any

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
    runs_option,
    simulated,
    time_options,
    variable_options,
)
from gcdesign.cli.options import seed_option
from gcdesign.cli.page import Page

ENSEMBLE_OPTIONS = (
    "variable_degree",
    "variable_degrees",
    "generator_degrees",
    "edge",
    "parts",
    "output",
)
"""Options that are about random graphs, or a picture of them."""


@click.command(
    cls=Page,
    name="simulate",
    see_also=("ldgm evolve", "build", "simulate"),
)
@options(*variable_options, generator_option, edge_option, *time_options)
@click.option(
    "--code",
    metavar="DESIGN",
    help="Simulate this one placement in place of random graphs, and compare decoders.",
)
@click.option(
    "--confidence",
    type=float,
    default=0.95,
    show_default=True,
    metavar="P",
    help="Of the interval.",
)
@options(parts_option, runs_option, seed_option)
@options(*picture_options)
def command(**asked: Any) -> None:
    r"""Simulate graphs of finite size, with intervals; or one given placement.

    \b
    Examples:
      gcdesign ldgm simulate --variable-degree 3 --generator-degrees 0.5x+0.5x^2 --mu 2
      gcdesign ldgm simulate --code ldgm:parts=120,workers=240,degrees=0.5x+0.5x^2 --mu 2
    """
    from gcdesign.cli import ldgm_page as page
    from gcdesign.cli.output import print_json
    from gcdesign.codes.ldgm.evolution import evolve

    check_picture(asked)
    if asked["code"] is not None:
        _simulate_code(asked)
        return
    ensemble, time = ensemble_of(asked), required_time(asked)
    evolution = evolve(ensemble, time, asked["deadline"])
    simulation = simulated(ensemble, asked)
    draw(asked, lambda figures, size: figures.evolution_figure(evolution, simulation, size=size))
    if asked["as_json"]:
        print_json(
            {
                "schema": "gcdesign.ldgm-simulate/1",
                "ensemble": page.ensemble_json(ensemble),
                "code": None,
                "time": time.written,
                "deadline": asked["deadline"],
                "evolution": evolution.unrecovered,
                "inside": simulation.unrecovered.holds(evolution.unrecovered),
                "simulation": page.simulation_json(simulation),
                "part_chances": None,
                "decoders": None,
            }
        )
        return
    page.head(ensemble, f"{time.written}, deadline {asked['deadline']:g}")
    page.print_simulation(simulation, evolution.unrecovered)
    click.echo(f"  evolution     {evolution.unrecovered:.10g}")


def _simulate_code(asked: dict[str, Any]) -> None:
    """Simulate one placement: how often each part is recovered, and by which decoder."""
    import numpy as np

    from gcdesign.cli import ldgm_page as page
    from gcdesign.cli.output import print_json
    from gcdesign.cli.source import open_source
    from gcdesign.codes.ldgm.finite import check_confidence, estimate, simulate_code
    from gcdesign.codes.ldgm.strengths import strengths

    refuse_unused("of one placement", *ENSEMBLE_OPTIONS)
    check_confidence(asked["confidence"])
    source, time = open_source(asked["code"]), required_time(asked)
    placement, deadline = source.code.placement, asked["deadline"]
    chances, shares = simulate_code(
        placement, time, deadline, runs=asked["runs"], seed=asked["seed"]
    )
    mean = estimate(1 - shares, asked["confidence"])
    late = time.draw(np.random.default_rng(asked["seed"]), placement.loads) > deadline
    found = strengths(source.code, np.flatnonzero(late))
    if asked["as_json"]:
        print_json(
            {
                "schema": "gcdesign.ldgm-simulate/1",
                "ensemble": None,
                "code": asked["code"],
                "time": time.written,
                "deadline": deadline,
                "evolution": None,
                "inside": None,
                "simulation": {
                    "parts": placement.parts,
                    "workers": placement.workers,
                    "runs": mean.runs,
                    "seed": asked["seed"],
                    "unrecovered": mean.mean,
                    "lower": mean.lower,
                    "upper": mean.upper,
                    "confidence": mean.confidence,
                    "deviation": mean.deviation,
                    "stragglers": None,
                    "complete": float(np.mean(shares == 1)),
                    "rounds": None,
                },
                "part_chances": chances.tolist(),
                "decoders": page.strengths_json(found),
            }
        )
        return
    click.echo(click.style(source.code.label, bold=True))
    click.echo(f"  times         {time.written}, deadline {deadline:g}")
    click.echo(
        f"  unrecovered   {mean.mean:.6g}  from {mean.lower:.6g} to {mean.upper:.6g} "
        f"({mean.confidence:g} interval, {mean.runs} runs, seed {asked['seed']})"
    )
    click.echo(
        f"  each part     recovered in {chances.min():.4f} to {chances.max():.4f} of the runs"
    )
    click.echo(f"\n  One run, {int(late.sum())} of {placement.workers} workers late:")
    page.print_strengths(found, placement.parts)
