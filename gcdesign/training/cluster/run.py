"""A training run on real workers under MPI, from the values of a `Setup`."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import InputError
from gcdesign.training.clock import loads_of, progress_of
from gcdesign.training.cluster.master import Counts, Policy
from gcdesign.training.master import Plan, TrainingResult, train
from gcdesign.training.stragglers import Timeline
from gcdesign.training.traces import Trace

if TYPE_CHECKING:
    from gcdesign.training.cluster.launch import Leader
    from gcdesign.training.problems.problem import Problem
    from gcdesign.training.scheme import Scheme
    from gcdesign.training.setup import Setup
    from gcdesign.training.stragglers import StragglerModel


@dataclass(frozen=True, eq=False)
class RealRun:
    """A run on a real cluster and what came of it.

    Attributes
    ----------
    setup
        What was asked for, with the number of workers there were.
    result
        The trained model and the history of the steps.
    counts
        Workers that were lost, messages that were left out or late.
    times
        Shape (steps of this process's life, N): as `Trace` has them.
    loads
        Shape (N,): the workers' loads.
    ready_seconds
        How long it took until all workers were ready.
    """

    setup: Setup
    result: TrainingResult
    counts: Counts
    times: NDArray[np.float64] = field(repr=False)
    loads: NDArray[np.float64] = field(repr=False)
    ready_seconds: float

    def trace(self) -> Trace:
        """Return how long each worker took in each step.

        Raises
        ------
        InputError
            If no step was done, or a worker had nothing to do.
        """
        about = {"scheme": self.result.scheme, "steps": f"{len(self.times)} on a real cluster"}
        return Trace(self.times, self.loads, about)


def make_part(setup: Setup, workers: int) -> tuple[Scheme, Problem]:
    """Return the scheme and the problem, cut into its parts, for so many workers.

    Raises
    ------
    InputError
        If the setup asks for another number of workers, or its values do not fit.
    """
    scheme = with_workers(setup, workers).make_scheme()
    return scheme, setup.learning.make_problem().split(scheme.parts)


def with_workers(setup: Setup, workers: int) -> Setup:
    """Return the setup for so many workers.

    Raises
    ------
    InputError
        If it asks for another number.
    """
    if setup.workers not in (None, workers):
        raise InputError(
            f"workers={setup.workers}, and there are {workers + 1} processes; a master and "
            f"{setup.workers} workers need {setup.workers + 1}"
        )
    return replace(setup, workers=workers)


def lead_training(
    leader: Leader,
    setup: Setup,
    plan: Plan,
    *,
    policy: Policy,
    notice: Callable[[str], None] = lambda line: None,
    stop: Callable[[], bool] = lambda: False,
    wait_all: bool = False,
) -> RealRun:
    """Train with the workers of this job.

    Parameters
    ----------
    leader
        As `gcdesign.training.cluster.launch.take_part` hands it in.
    setup
        What to train; its model of times holds messages back on top of what workers really take.
    plan
        How long, and what on the way.
    policy
        What to do about failures.
    notice, stop, wait_all
        As `gcdesign.training.cluster.master.MpiCluster` has them.

    Raises
    ------
    InputError
        If the values do not fit.
    RunError
        If the run cannot go on.
    """
    begun = time.perf_counter()
    setup = with_workers(setup, leader.workers)
    model, optimiser = setup.make_model(), setup.learning.make_optimiser()
    scheme, problem = make_part(setup, leader.workers)
    cluster = leader.open(
        scheme,
        problem,
        policy=policy,
        holds=holding(model, scheme, setup.seed),
        notice=notice,
        stop=stop,
        wait_all=wait_all,
    )
    ready = time.perf_counter() - begun
    result = train(
        problem, scheme, optimiser, cluster, plan=plan, provenance=_about(setup, problem)
    )
    times = np.array(cluster.times).reshape(-1, scheme.workers)
    return RealRun(setup, result, cluster.counts, times, loads_of(scheme), ready)


def _about(setup: Setup, problem: Problem) -> dict[str, object]:
    """Return what a checkpoint must agree in: all but the times, which change no model."""
    kept = ("scheme", "workers", "stragglers", "seed", "learning")
    about = {key: value for key, value in setup.to_json().items() if key in kept}
    return about | {"data": problem.data.digest}  # a file of the same name may hold others


def holding(
    model: StragglerModel, scheme: Scheme, seed: int
) -> Callable[[int], NDArray[np.float64]]:
    """Return when each message of a step may be sent, by a model of stragglers.

    The draws are those of the simulation with the same seed.
    """
    timeline = Timeline(model, loads_of(scheme), seed=seed)
    progress = progress_of(scheme)

    def holds(step: int) -> NDArray[np.float64]:
        arrivals: NDArray[np.float64] = timeline.step(step).arrivals(progress)[0]
        return arrivals

    return holds
