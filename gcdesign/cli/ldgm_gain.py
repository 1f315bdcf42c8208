"""``gcdesign ldgm gain``: for which times coding wins."""

from __future__ import annotations

from typing import Any

import click

from gcdesign.cli.ldgm_options import (
    check_picture,
    draw,
    finite_deadlines,
    largest_option,
    options,
    picture_options,
    rate_of,
    rate_option,
)
from gcdesign.cli.page import Page


@click.command(
    cls=Page,
    name="gain",
    see_also=("ldgm optimise", "ldgm evolve"),
)
@click.option(
    "--time",
    "times",
    multiple=True,
    metavar="LAW",
    help="Times; can be repeated. By default one of each kind.",
)
@click.option(
    "--deadline",
    "deadlines",
    type=float,
    multiple=True,
    default=(1.0,),
    show_default=True,
    callback=finite_deadlines,
    metavar="T",
    help="The time t0 after which workers are late; can be repeated.",
)
@options(rate_option, largest_option)
@options(*picture_options)
def command(**asked: Any) -> None:
    r"""Show for which times coding wins over uncoded, and by how much.

    \b
    Examples:
      gcdesign ldgm gain
      gcdesign ldgm gain --time exp:rate=1 --time exp:rate=1,work=0.1,scaled=no --deadline 2
    """
    from gcdesign.cli import ldgm_page as page
    from gcdesign.cli.output import print_json
    from gcdesign.codes.ldgm.gains import gains
    from gcdesign.codes.times import parse_time

    check_picture(asked)
    rate = rate_of(asked["rate"])
    laws = [parse_time(text) for text in asked["times"]]
    found = list(gains(laws, asked["deadlines"], rate=rate, largest=asked["max_degree"]))
    draw(asked, lambda figures, size: figures.gains_figure(found, size=size))
    if asked["as_json"]:
        print_json(
            {
                "schema": "gcdesign.ldgm-gain/1",
                "rate": float(rate),
                "rate_exact": str(rate),
                "largest_degree": asked["max_degree"],
                "gains": [page.gain_json(one) for one in found],
            }
        )
        return
    page.print_gains(found, rate)
