"""Many simulated runs, one after the other or by any `concurrent.futures` executor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import InputError
from gcdesign.training.history import History
from gcdesign.training.master import Plan
from gcdesign.training.setup import Setup
from gcdesign.training.simulate import simulate
from gcdesign.training.waiting import waiting_times

POLL_SECONDS = 0.2

Watch = Callable[[int, int], bool]
"""Told how many steps of how many are done, of all runs; True ends them early."""


@dataclass(frozen=True, eq=False)
class Run:
    """A simulated run and what came of it.

    Attributes
    ----------
    setup
        What was asked for.
    label
        The scheme's title.
    workers, parts
        N and K.
    history
        The steps, and the evaluations; without gradients there are none.
    finished
        Whether all steps were done.
    parameters
        The model; None without gradients.
    """

    setup: Setup
    label: str
    workers: int
    parts: int
    history: History
    finished: bool
    parameters: NDArray[np.float64] | None = field(repr=False)


def run_setup(setup: Setup, plan: Plan, *, times_only: bool = False) -> Run:
    """Do one run.

    Parameters
    ----------
    setup
        The run.
    plan
        How long, and what on the way.
    times_only
        Whether to leave out the gradients, for the waiting times of very many steps.

    Raises
    ------
    InputError
        If the values do not fit.
    RunError
        If the scheme waits for ever.

    Examples
    --------
    >>> found = run_setup(Setup("frc", stragglers=2, delay=5), Plan(100), times_only=True)
    >>> found.label, float(found.history.clock[-1])
    ('FRC (N=12, S=2)', 300.0)
    """
    scheme, model = setup.make_scheme(), setup.make_model()
    if times_only:
        if setup.finish_late:
            raise InputError("late workers that finish what they do need the gradients' run")
        waits = waiting_times(
            scheme, model, steps=plan.steps, seed=setup.seed, progress=plan.progress
        )
        steps = len(waits.seconds)
        history = History(waits.seconds, waits.heard, None, None, ())
        return Run(
            setup, scheme.label, scheme.workers, scheme.parts, history, steps == plan.steps, None
        )
    found = simulate(
        setup.learning.make_problem(),
        scheme,
        setup.learning.make_optimiser(),
        model,
        plan=plan,
        seed=setup.seed,
        finish_late=setup.finish_late,
    )
    return Run(
        setup,
        found.scheme,
        found.workers,
        found.parts,
        found.history,
        found.finished,
        found.parameters,
    )


def variations(setup: Setup, **values: Sequence[object]) -> list[Setup]:
    """Return the setup with every combination of some values, the last varying fastest.

    Examples
    --------
    >>> [s.scheme + str(s.seed) for s in variations(Setup(), scheme=["a", "b"], seed=[0, 1])]
    ['a0', 'a1', 'b0', 'b1']
    """
    names = list(values)
    return [
        replace(setup, **dict(zip(names, chosen, strict=True)))  # type: ignore[arg-type]
        for chosen in product(*values.values())
    ]


def sweep(
    setups: Iterable[Setup],
    plan: Plan,
    *,
    times_only: bool = False,
    executor: Executor | None = None,
    watch: Watch | None = None,
) -> list[Run]:
    """Do all runs, and return those that were begun, in their order.

    Parameters
    ----------
    setups
        The runs.
    plan
        How long each is; its own progress is not called.
    times_only
        As in `run_setup`.
    executor
        Who does them; None for this process, one after the other.
    watch
        Told of progress; True ends the runs early. Other processes finish what they have begun.

    Raises
    ------
    InputError, RunError
        As `run_setup`, of the first run that fails.
    """
    listed = list(setups)
    if executor is None:
        return _here(listed, plan, times_only, watch)
    return _elsewhere(listed, plan, times_only, executor, watch)


def _here(listed: list[Setup], plan: Plan, times_only: bool, watch: Watch | None) -> list[Run]:
    runs: list[Run] = []
    for number, setup in enumerate(listed):
        before, total = number * plan.steps, len(listed) * plan.steps

        def progress(done: int, before: int = before, total: int = total) -> bool:
            return watch is not None and watch(before + done, total)

        runs.append(run_setup(setup, replace(plan, progress=progress), times_only=times_only))
        if not runs[-1].finished:
            break
    return runs


def _elsewhere(
    listed: list[Setup], plan: Plan, times_only: bool, executor: Executor, watch: Watch | None
) -> list[Run]:
    own = replace(plan, progress=None, warn=None)
    futures = [executor.submit(run_setup, setup, own, times_only=times_only) for setup in listed]
    pending: set[Future[Run]] = set(futures)
    stopped = False
    try:
        while pending and not stopped:
            done, pending = wait(pending, POLL_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                future.result()  # the first failure ends the sweep
            finished = (len(futures) - len(pending)) * plan.steps
            stopped = watch is not None and watch(finished, len(futures) * plan.steps)
    finally:
        for future in pending:
            future.cancel()
    return [future.result() for future in futures if future.done() and not future.cancelled()]
