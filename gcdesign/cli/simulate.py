"""``gcdesign simulate``: training under stragglers on a simulated clock."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from gcdesign.cli.options import (
    FILE,
    dask_option,
    executor_option,
    force_option,
    json_option,
    output_option,
    quiet_option,
    seed_option,
    size_option,
    threads_option,
    time_limit_option,
)
from gcdesign.cli.page import Page
from gcdesign.cli.training_options import (
    learning_options,
    plan_options,
    scheme_option,
    stragglers_option,
    times_options,
    together,
    workers_option,
)

if TYPE_CHECKING:
    from gcdesign.training.master import Plan
    from gcdesign.training.setup import Setup
    from gcdesign.training.sweep import Run


@click.command(
    cls=Page,
    name="simulate",
    exits={3: "a limit was reached; the steps that were done are shown and written"},
    see_also=("train", "trace", "attack"),
)
@together(scheme_option, workers_option, stragglers_option, *times_options)
@click.option(
    "--finish-late",
    is_flag=True,
    help="Late workers finish what they do before they take up a later step.",
)
@together(*plan_options)
@click.option(
    "--times-only",
    is_flag=True,
    help="No gradients: waiting times alone, for millions of steps.",
)
@together(*learning_options)
@click.option(
    "--seeds",
    type=click.IntRange(1, 10_000),
    default=1,
    show_default=True,
    metavar="N",
    help="Number of seeds, from --seed on; each is a run.",
)
@seed_option
@click.option(
    "--checkpoint",
    type=FILE,
    metavar="FILE",
    help="Keep the state of a run in FILE (.npz), and go on from what it holds.",
)
@size_option
@output_option("the runs (.csv, .json, .png, .svg, .pdf, or .npz for the models)", dash=False)
@force_option
@executor_option
@dask_option
@threads_option
@time_limit_option
@json_option
@quiet_option
def command(**asked: Any) -> int:
    r"""Train with a gradient code while some workers are slow, on a simulated clock.

    Gradients are computed for real; how long workers take is drawn from a
    model. Several schemes, numbers of stragglers and seeds make a table.

    \b
    Examples:
      gcdesign simulate --scheme naive --scheme cyclic --stragglers 2 --delay 5
      gcdesign simulate --scheme pg:q=3 --stragglers 3 --slow adversary --delay inf
      gcdesign simulate --scheme frc --model pareto:scale=1,shape=2 --times-only --steps 1000000
    """
    from gcdesign.cli.output import notice, print_json, refuse_target, write_output
    from gcdesign.cli.simulate_page import document, encoder, print_runs
    from gcdesign.cli.training_options import check_checkpoint, setups_of, warn_of_slow

    output, quiet, as_json = asked["output"], asked["quiet"], asked["as_json"]
    encode = encoder(output, times_only=asked["times_only"], size=asked["size"])
    if output is not None:
        refuse_target(output, force=asked["force"])
    check_checkpoint(asked["checkpoint"])
    setups = setups_of(asked)
    _check(setups, asked)
    warn_of_slow(asked)
    runs = _run(setups, asked)
    if output is not None:
        write_output(output, encode(runs), force=asked["force"])
        notice(f"written: {output}", quiet=quiet or as_json)
    if as_json:
        print_json(document(runs, asked["steps"]))
    else:
        print_runs(runs, asked["steps"])
    return 0 if len(runs) == len(setups) and all(run.finished for run in runs) else 3


def _check(setups: list[Setup], asked: dict[str, Any]) -> None:
    """Refuse at once what could only fail later."""
    from gcdesign.errors import InputError

    if asked["checkpoint"] is not None and (len(setups) > 1 or asked["times_only"]):
        raise InputError("--checkpoint keeps one run with gradients; ask for one")
    for setup in {(s.scheme, s.stragglers): s for s in setups}.values():
        setup.make_scheme()
        setup.make_model()


def _run(setups: list[Setup], asked: dict[str, Any]) -> list[Run]:
    from gcdesign.cli.executors import open_executor
    from gcdesign.cli.progress import long_work
    from gcdesign.training.sweep import sweep

    start, limit = time.monotonic(), asked["time_limit"]
    with (
        long_work(quiet=asked["quiet"]) as (display, stop),
        open_executor(_executor(asked), asked["threads"]) as crew,
    ):

        def watch(done: int, total: int) -> bool:
            display.share(f"{len(setups)} runs" if len(setups) > 1 else "training", done / total)
            late = limit is not None and time.monotonic() - start >= limit
            return late or stop.is_set()

        return sweep(
            setups,
            _plan(asked),
            times_only=asked["times_only"],
            executor=crew.executor,
            watch=watch,
        )


def _executor(asked: dict[str, Any]) -> str:
    """Return the name of the executor."""
    from gcdesign.cli.executors import executor_name

    name, address = str(asked["executor"]), asked["dask"]
    if address is None:
        return name
    if name != "threads":
        raise click.UsageError(f"--dask {address} and --executor {name}: give one of them")
    return executor_name(f"dask:{address}")


def _plan(asked: dict[str, Any]) -> Plan:
    from functools import partial

    from gcdesign.cli.output import notice
    from gcdesign.training.master import Plan

    return Plan(
        asked["steps"],
        asked["evaluate_every"],
        checkpoint=asked["checkpoint"],
        warn=partial(notice, quiet=asked["quiet"]),
    )
