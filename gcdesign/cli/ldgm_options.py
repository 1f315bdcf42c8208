"""Options of ``gcdesign ldgm``: degrees, times and deadlines, read the same way everywhere."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from gcdesign.cli.options import (
    force_option,
    json_option,
    output_option,
    quiet_option,
    size_option,
)
from gcdesign.errors import InputError

if TYPE_CHECKING:
    from gcdesign.codes.ldgm.ensemble import Ensemble, Poisson
    from gcdesign.codes.ldgm.finite import Simulation
    from gcdesign.codes.times import LoadTime
    from gcdesign.designs.ensembles.degrees import Degrees

picture_options = (
    size_option,
    output_option("a picture (.png, .svg or .pdf)", dash=False),
    force_option,
    json_option,
    quiet_option,
)

PARTS = 10_000
"""Parts of simulated graphs, and of named distributions where no number is given."""

variable_options = (
    click.option(
        "--variable-degree",
        type=click.IntRange(1, 1000),
        metavar="D",
        help="Every part is on D workers.",
    ),
    click.option(
        "--variable-degrees",
        metavar="TABLE",
        help="Shares of parts with each degree, such as 0.5x^2+0.5x^3; or poisson:mean=3.",
    ),
)
generator_option = click.option(
    "--generator-degrees",
    metavar="TABLE",
    help='Shares of workers with each load: 0.5x+0.5x^2, {"1": 0.5, "2": 0.5}, robust-soliton.',
)
edge_option = click.option(
    "--edge", is_flag=True, help="The tables are shares of edges, not of nodes."
)


def finite_deadlines(
    _context: click.Context, _parameter: click.Parameter, value: float | tuple[float, ...]
) -> float | tuple[float, ...]:
    """Refuse a deadline that no document could hold; where it begins is the library's business."""
    for deadline in value if isinstance(value, tuple) else (value,):
        if not isfinite(deadline):
            raise InputError(f"deadline={deadline:g}; expected a finite number, 0 or more")
    return value


time_options = (
    click.option(
        "--mu",
        type=float,
        metavar="MU",
        help="Exponential times of rate MU that grow with the load.",
    ),
    click.option(
        "--time",
        metavar="LAW",
        help="Times of workers, such as shifted-exp:shift=0.2,rate=2 or exp:rate=2,scaled=no.",
    ),
    click.option(
        "--deadline",
        type=float,
        default=1.0,
        show_default=True,
        callback=finite_deadlines,
        metavar="T",
        help="The time t0 after which workers are late.",
    ),
)
parts_option = click.option(
    "--parts",
    type=click.IntRange(1, 10_000_000),
    default=PARTS,
    show_default=True,
    metavar="K",
    help="Parts of the simulated graphs, and of named degrees.",
)
runs_option = click.option(
    "--runs",
    type=click.IntRange(2, 1_000_000),
    default=20,
    show_default=True,
    metavar="N",
    help="Simulated runs, each with a new graph and new times.",
)
rate_option = click.option(
    "--rate", default="1/2", show_default=True, metavar="K/N", help="Parts for each worker."
)
largest_option = click.option(
    "--max-degree",
    type=click.IntRange(1, 200),
    default=10,
    show_default=True,
    metavar="D",
    help="Largest load of a worker.",
)


def options(*several: Any) -> Callable[[Any], Any]:
    """Return one decorator for several options, in the order in which help shows them."""

    def decorate(command: Any) -> Any:
        for option in reversed(several):
            command = option(command)
        return command

    return decorate


def refuse_unused(reason: str, *names: str) -> None:
    """Refuse options that were given and would not be looked at."""
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise InputError(f"--{name.replace('_', '-')} says nothing {reason}; leave it out")


def ensemble_of(asked: dict[str, Any]) -> Ensemble:
    """Return the ensemble that ``--variable-degree(s)`` and ``--generator-degrees`` describe."""
    from gcdesign.codes.ldgm.ensemble import Ensemble
    from gcdesign.designs.ensembles.soliton import degrees_for

    copies = copies_of(asked)
    text = asked["generator_degrees"]
    if copies is None or text is None:
        missing = "--variable-degree" if copies is None else "--generator-degrees"
        raise InputError(
            f"{missing} is missing; expected --variable-degree 3 --generator-degrees x^2"
        )
    return Ensemble(copies, degrees_for(text, asked["parts"], edge=asked["edge"]))


def copies_of(asked: dict[str, Any]) -> Degrees | Poisson | None:
    """Return the degrees of the parts, or None where they are left open."""
    from gcdesign.codes.ldgm.ensemble import Poisson
    from gcdesign.designs.ensembles.degrees import Degrees, parse_degrees

    degree, text = asked["variable_degree"], asked["variable_degrees"]
    if degree is not None and text is not None:
        raise InputError("--variable-degree and --variable-degrees are the same; use one of them")
    if degree is not None:
        return Degrees.regular(degree)
    if text is None:
        return None
    if text.startswith("poisson"):
        return Poisson(_mean(text))
    return parse_degrees(text, edge=asked["edge"])


def _mean(text: str) -> float:
    try:
        return float(text.removeprefix("poisson:mean="))
    except ValueError:
        raise InputError(f"{text!r}; expected poisson:mean=3") from None


def time_of(asked: dict[str, Any]) -> LoadTime | None:
    """Return the times that ``--mu`` or ``--time`` describe, None if neither is given."""
    from gcdesign.codes.times import Exponential, LoadTime, parse_time

    mu, text = asked["mu"], asked["time"]
    if mu is not None and text is not None:
        raise InputError(f"--mu {mu:g} and --time {text} are two laws of times; use one of them")
    if mu is not None:
        return LoadTime(Exponential(mu))
    return None if text is None else parse_time(text)


def required_time(asked: dict[str, Any]) -> LoadTime:
    """Return the times; refuse that there are none."""
    time = time_of(asked)
    if time is None:
        raise InputError("no law of times; expected --mu 2, or --time such as exp:rate=2")
    return time


def rate_of(text: str) -> Fraction:
    """Read a rate, a fraction or a decimal above 0."""
    try:
        rate = Fraction(text) if len(text) < 30 and "e" not in text.lower() else Fraction(0)
    except (ValueError, ZeroDivisionError):
        rate = Fraction(0)
    if not rate > 0:
        raise InputError(f"--rate {text}; expected parts for each worker, such as 1/2 or 0.5")
    return rate


def check_picture(asked: dict[str, Any]) -> None:
    """Refuse a picture that could not be written, before the work is done."""
    output: Path | None = asked["output"]
    if output is None:
        return
    from gcdesign.cli.output import refuse_target
    from gcdesign.figures import USUAL_SIZE, format_of, picture_size

    format_of(output)
    picture_size(asked["size"] or USUAL_SIZE)
    refuse_target(output, force=asked["force"])


def draw(asked: dict[str, Any], make: Any) -> None:
    """Write the picture that is asked for."""
    output: Path | None = asked["output"]
    if output is None:
        return
    from gcdesign import figures
    from gcdesign.cli.output import notice, write_output

    figure = make(figures, asked["size"] or figures.USUAL_SIZE)
    drawn = figures.render(figure, figures.format_of(output))
    write_output(output, drawn, force=asked["force"])
    notice(f"written: {output}", quiet=asked["quiet"] or asked["as_json"])


def simulated(ensemble: Ensemble, asked: dict[str, Any]) -> Simulation:
    """Return the simulation that ``--parts``, ``--runs`` and ``--seed`` ask for."""
    from gcdesign.codes.ldgm.finite import simulate

    return simulate(
        ensemble,
        required_time(asked),
        asked["deadline"],
        parts=asked["parts"],
        runs=asked["runs"],
        seed=asked["seed"],
        confidence=asked.get("confidence", 0.95),
    )
