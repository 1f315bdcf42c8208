"""Options of the commands that train, and the setups that they stand for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from pathlib import Path

    from gcdesign.training.setup import Setup

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def amount(text: str) -> float:
    """Parse a number, 0 or more; ``inf`` too.

    Examples
    --------
    >>> amount("2.5"), amount("inf")
    (2.5, inf)
    """
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not value >= 0:
        raise click.BadParameter(f"{text!r}; expected a number, 0 or more")
    return value


def positive(text: str) -> float:
    """Parse a finite number above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not (isfinite(value) and value > 0):
        raise click.BadParameter(f"{text!r}; expected a number above 0")
    return value


def share(text: str) -> float:
    """Parse a share, from 0 to 1."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise click.BadParameter(f"{text!r}; expected a share from 0 to 1")
    return value


scheme_option = click.option(
    "--scheme",
    "schemes",
    multiple=True,
    default=("cyclic",),
    show_default="cyclic",
    metavar="NAME",
    help="naive, ignore-stragglers, partial-cyclic, cyclic, frc …, or a code in place or a file.",
)
workers_option = click.option(
    "--workers",
    type=click.IntRange(1, 100_000),
    metavar="N",
    help="Number of workers (default: as many as the first code in place has, or 12).",
)
stragglers_option = click.option(
    "--stragglers",
    type=click.IntRange(min=0),
    multiple=True,
    default=(1,),
    show_default="1",
    metavar="S",
    help="Workers that are slow, and that the master does not wait for.",
)
learning_options = (
    click.option(
        "--data",
        default="mixture",
        show_default=True,
        metavar="DATA",
        help="mixture, plane, access, sklearn:name=digits, or a file (.npz, .svm).",
    ),
    click.option(
        "--problem",
        type=click.Choice(["logistic", "least-squares", "softmax", "network", "lenet"]),
        help="What is learnt (default: what the data are meant for).",
    ),
    click.option(
        "--test-share",
        type=share,
        default="0.2",
        show_default=True,
        metavar="SHARE",
        help="Share of the samples that the model is tested by.",
    ),
    click.option(
        "--penalty", "l2", type=amount, metavar="X", help="Weight of ‖w‖² (default: 1/samples)."
    ),
    click.option(
        "--optimiser",
        type=click.Choice(["nesterov", "nesterov-lookahead", "descent"]),
        default="nesterov",
        show_default=True,
        help="How gradients change the model.",
    ),
    click.option(
        "--rate",
        type=positive,
        default="0.5",
        show_default=True,
        metavar="C1",
        help="Step size; with --rate-offset, c1/(t + c2).",
    ),
    click.option("--rate-offset", type=positive, metavar="C2", help="c2 of the step size."),
    click.option(
        "--batch",
        type=share,
        default="1",
        show_default=True,
        metavar="SHARE",
        help="Share of each part in a random mini-batch of a step.",
    ),
)
plan_options = (
    click.option(
        "--steps",
        type=click.IntRange(1, 100_000_000),
        default=100,
        show_default=True,
        metavar="T",
        help="Number of steps.",
    ),
    click.option(
        "--evaluate-every",
        type=click.IntRange(min=0),
        default=10,
        show_default=True,
        metavar="T",
        help="Steps between evaluations of the model; 0 for one at the end.",
    ),
)
times_options = (
    click.option(
        "--model",
        "times",
        default="fixed:time=1",
        show_default=True,
        metavar="LAW",
        help="How long a load of 1/N of the data takes: exp:rate=2 …, or trace:file=FILE.",
    ),
    click.option(
        "--delay",
        type=amount,
        default="0",
        show_default=True,
        metavar="SECONDS",
        help="How late the slow workers are; inf: they never answer.",
    ),
    click.option(
        "--factor",
        type=positive,
        default="1",
        show_default=True,
        metavar="X",
        help="How many times longer the slow workers work.",
    ),
    click.option(
        "--slow",
        default="random",
        show_default=True,
        metavar="WHO",
        help="Who is slow: random, adversary, 0,3,7 or markov:enter=0.01,leave=0.1.",
    ),
)


def together(*options: Callable[[Decorated], Decorated]) -> Callable[[Decorated], Decorated]:
    """Return one decorator in place of several, the first of them shown first."""
    return lambda command: reduce(lambda made, option: option(made), reversed(options), command)


def setups_of(asked: dict[str, Any]) -> list[Setup]:
    """Return the runs that are asked for: every scheme with every S and every seed."""
    from gcdesign.training.setup import Learning, Setup
    from gcdesign.training.sweep import variations

    learning = Learning(
        data=asked["data"],
        problem=asked["problem"],
        test_share=asked["test_share"],
        l2=asked["l2"],
        optimiser=asked["optimiser"],
        rate=asked["rate"],
        rate_offset=asked["rate_offset"],
        batch=asked["batch"],
        data_seed=asked["seed"],
    )
    common = Setup(
        workers=asked["workers"] or _common_workers(asked["schemes"]),
        times=asked["times"],
        slow=asked["slow"],
        delay=asked["delay"],
        factor=asked["factor"],
        finish_late=asked["finish_late"],
        learning=learning,
    )
    seeds = range(asked["seed"], asked["seed"] + asked["seeds"])
    found = variations(common, scheme=asked["schemes"], stragglers=asked["stragglers"], seed=seeds)
    return [with_adversary(setup) for setup in found] if common.slow == "adversary" else found


def check_checkpoint(path: Path | None) -> None:
    """Refuse a checkpoint that could not be written, before the run."""
    from gcdesign.cli.output import refuse_target
    from gcdesign.errors import InputError

    if path is None:
        return
    if path.suffix != ".npz":
        raise InputError(f"--checkpoint {path}; expected a name that ends in .npz")
    refuse_target(path, force=True)


def warn_of_slow(asked: dict[str, Any]) -> None:
    """Say that workers were named slow and yet are like all others."""
    from gcdesign.cli.output import notice

    if asked["slow"] != "random" and asked["delay"] == 0 and asked["factor"] == 1:
        line = f"--slow {asked['slow']} changes nothing without --delay or --factor"
        notice(line, quiet=asked["quiet"])


def _common_workers(schemes: tuple[str, ...]) -> int | None:
    """Return the number of workers of the first code that has one of its own."""
    from gcdesign.codes import load_code
    from gcdesign.training import has_own_workers

    return next((load_code(name).workers for name in schemes if has_own_workers(name)), None)


def with_adversary(setup: Setup) -> Setup:
    """Return the setup with the workers named that an adversary would make slow.

    The adversary knows the code and makes the decoding error of S stragglers as large as it can;
    against a code that loses nothing all sets are alike.
    """
    from gcdesign.adversary import Settings, worst_case_error
    from gcdesign.errors import InputError

    if not setup.stragglers:
        return replace(setup, slow="random")
    scheme = setup.make_scheme()
    if scheme.code is None:
        raise InputError(f"no adversary is known against {scheme.label}; name the slow workers")
    settings = Settings(method="greedy", seed=setup.seed)
    found = worst_case_error(scheme.code, setup.stragglers, settings=settings)
    return replace(setup, slow=",".join(map(str, found.workers)))
