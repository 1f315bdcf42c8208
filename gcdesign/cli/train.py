"""``gcdesign train``: training on real workers under MPI."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gcdesign.cli.one_voice import OneVoice
from gcdesign.cli.options import (
    FILE,
    force_option,
    json_option,
    output_option,
    quiet_option,
    seed_option,
    size_option,
    time_limit_option,
)
from gcdesign.cli.training_options import (
    learning_options,
    plan_options,
    positive,
    scheme_option,
    stragglers_option,
    times_options,
    together,
    workers_option,
)

if TYPE_CHECKING:
    from gcdesign.training.cluster.launch import Leader
    from gcdesign.training.cluster.run import RealRun
    from gcdesign.training.setup import Setup

held_back_option = click.option(
    "--model",
    "times",
    default="fixed:time=0",
    show_default=True,
    metavar="LAW",
    help="No message is sent sooner than this law says: exp:rate=2 …, or trace:file=FILE.",
)
patience_option = click.option(
    "--patience",
    type=positive,
    default="30",
    show_default=True,
    metavar="SECONDS",
    help="A worker without a sign for so long is lost.",
)
what_options = (*learning_options[:2], learning_options[-1])
"""Of the options about learning, those that decide how long a step takes."""

real_options = (
    click.option(
        "--tolerate-failures",
        is_flag=True,
        help="Go on without workers that are lost, as long as the scheme can.",
    ),
    click.option(
        "--not-finite",
        type=click.Choice(["fatal", "exclude"]),
        default="fatal",
        show_default=True,
        help="What to do about messages that hold NaN or infinity.",
    ),
    patience_option,
    click.option(
        "--fault",
        "faults",
        multiple=True,
        metavar="FAULT",
        help="Rehearse a failure: raise, kill, sleep or nan, as in kill:worker=3,step=10.",
    ),
)


@click.command(
    cls=OneVoice,
    name="train",
    exits={3: "a limit was reached, or the workers that are left cannot go on"},
    see_also=("simulate", "trace record", "recommend"),
)
@together(scheme_option, workers_option, stragglers_option)
@together(held_back_option, *times_options[1:])
@together(*plan_options, *learning_options)
@seed_option
@together(*real_options)
@click.option(
    "--checkpoint",
    type=FILE,
    metavar="FILE",
    help="Keep the state of the run in FILE (.npz), and go on from what it holds.",
)
@click.option(
    "--checkpoint-every",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    metavar="T",
    help="Steps between checkpoints.",
)
@size_option
@output_option("the run (.csv, .json, .png, .svg, .pdf, or .npz for the model)", dash=False)
@click.option(
    "--trace",
    type=FILE,
    metavar="FILE",
    help="Write how long each worker took in each step (.csv or .npz).",
)
@force_option
@time_limit_option
@json_option
@quiet_option
def command(**asked: Any) -> int:
    r"""Train with a gradient code on real workers, as one process of an MPI job.

    The first process is the master, the others are the workers. The master
    decodes as soon as it can; who is late drops its work for the next step.

    \b
    Examples:
      mpiexec -n 13 gcdesign train --scheme cyclic --stragglers 2
      mpiexec -n 13 gcdesign train --stragglers 2 --delay 0.5 --json
      mpiexec -n 14 gcdesign train --scheme pg:q=3 --stragglers 3 --tolerate-failures
      mpiexec -n 13 gcdesign train --stragglers 2 --checkpoint run.npz --steps 10000
    """
    return run_under_mpi(asked, wait_all=False)


@click.command(
    cls=OneVoice,
    name="record",
    exits={3: "a limit was reached, or the workers that are left cannot go on"},
    see_also=("trace show", "trace fit", "simulate"),
)
@together(scheme_option, workers_option, stragglers_option, held_back_option, *times_options[1:])
@together(plan_options[0], *what_options)
@seed_option
@patience_option
@output_option("the trace (.csv or .npz)", dash=False)
@force_option
@time_limit_option
@json_option
@quiet_option
def record(**asked: Any) -> int:
    r"""Record how long real workers take: a training run that waits for all of them.

    What is written can be shown and fitted, and replayed by
    `simulate --model trace:file=FILE`.

    \b
    Example:
      mpiexec -n 13 gcdesign trace record --steps 200 -o times.csv
    """
    if asked["output"] is None:
        raise click.UsageError("nothing would be kept: give -o FILE (.csv or .npz)")
    usual = command.make_context("train", []).params
    kept = {"output": None, "trace": asked["output"], "evaluate_every": 0}
    return run_under_mpi(usual | asked | kept, wait_all=True)


def run_under_mpi(asked: dict[str, Any], *, wait_all: bool) -> int:
    """Take part in the job: lead it and print what came of it, or work in silence."""
    from gcdesign.training.cluster.launch import take_part
    from gcdesign.training.cluster.rehearsal import parse_rehearsal
    from gcdesign.training.cluster.run import make_part

    setup = _setup(asked)
    faults = tuple(map(parse_rehearsal, asked["faults"]))
    code = take_part(
        partial(make_part, setup),
        partial(_lead, setup, asked | {"faults": faults}, wait_all),
        patience=asked["patience"],
        rehearsals=faults,
        last_words=_last_words(asked["checkpoint"]),
    )
    return code or 0


def _setup(asked: dict[str, Any]) -> Setup:
    """Return what to train; an adversary's workers are chosen later, by the master alone."""
    from gcdesign.cli.training_options import setups_of

    for name, values in (("scheme", asked["schemes"]), ("stragglers", asked["stragglers"])):
        if len(values) > 1:
            raise click.UsageError(f"--{name} is given {len(values)} times; a real run has one")
    common = {"finish_late": False, "seeds": 1, "slow": "random"}
    (setup,) = setups_of(asked | common)
    return setup if asked["workers"] else replace(setup, workers=None)


def _last_words(checkpoint: Path | None) -> str:
    words = "the launcher ended all processes, as when one of them is killed"
    if checkpoint is None:
        return f"{words}; --checkpoint FILE would keep the state of such a run"
    return f"{words}; the same command goes on from the last state in {checkpoint}"


def _lead(setup: Setup, asked: dict[str, Any], wait_all: bool, leader: Leader) -> int:
    from gcdesign.cli.output import notice, print_json, refuse_target, write_output
    from gcdesign.cli.simulate_page import encoder
    from gcdesign.cli.train_page import document, plain_run, print_run, trace_encoder
    from gcdesign.cli.training_options import check_checkpoint

    output, trace, quiet = asked["output"], asked["trace"], asked["quiet"]
    encode, encode_trace = (
        encoder(output, times_only=False, size=asked.get("size")),
        trace_encoder(trace),
    )
    for fault in asked["faults"]:
        fault.check(leader.workers)
    for target in (output, trace):
        if target is not None:
            refuse_target(target, force=asked["force"])
    check_checkpoint(asked["checkpoint"])
    run = _trained(setup, asked, wait_all, leader)
    if trace is not None:
        write_output(trace, encode_trace(run), force=asked["force"])
        notice(f"written: {trace}", quiet=quiet or asked["as_json"])
    if output is not None:
        write_output(output, encode([plain_run(run)]), force=asked["force"])
        notice(f"written: {output}", quiet=quiet or asked["as_json"])
    if asked["as_json"]:
        print_json(document(run, asked["steps"]))
    else:
        print_run(run, asked["steps"])
    return 0 if run.result.finished else 3


def _trained(setup: Setup, asked: dict[str, Any], wait_all: bool, leader: Leader) -> RealRun:
    from gcdesign.cli.output import notice
    from gcdesign.cli.progress import long_work
    from gcdesign.cli.training_options import warn_of_slow, with_adversary
    from gcdesign.training.cluster.master import Policy
    from gcdesign.training.cluster.run import lead_training, with_workers
    from gcdesign.training.master import Plan

    setup = replace(with_workers(setup, leader.workers), slow=asked["slow"])
    if setup.slow == "adversary":
        setup = with_adversary(setup)
    setup.make_model()
    warn_of_slow(asked)
    start, limit, steps = time.monotonic(), asked["time_limit"], asked["steps"]
    tell = partial(notice, quiet=asked["quiet"])
    with long_work(quiet=asked["quiet"]) as (display, stop):

        def progress(done: int) -> bool:
            display.share("training", done / steps)
            late = limit is not None and time.monotonic() - start >= limit
            return late or stop.is_set()

        plan = Plan(
            steps,
            asked["evaluate_every"],
            checkpoint=asked["checkpoint"],
            checkpoint_every=asked["checkpoint_every"],
            progress=progress,
            warn=tell,
        )
        policy = Policy(
            tolerate=asked["tolerate_failures"],
            not_finite=asked["not_finite"],
            patience=asked["patience"],
        )
        return lead_training(
            leader,
            setup,
            plan,
            policy=policy,
            notice=tell,
            stop=stop.is_set,
            wait_all=wait_all,
        )
