"""The master's loop, the same for simulated clusters and real ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.counts import check_count
from gcdesign.errors import InputError, OutputError, RunError
from gcdesign.training.checkpoint import load_checkpoint, save_checkpoint
from gcdesign.training.history import Evaluation, History, Recording
from gcdesign.training.optimisers import Optimiser, State
from gcdesign.training.problems.problem import Problem
from gcdesign.training.scheme import Collector, Messages, Scheme

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Answer:
    """What a cluster brings back of one step.

    Attributes
    ----------
    contents
        The messages that arrived in time, by worker and number; all of them finite numbers.
    seconds
        How long the step took until then, on the cluster's clock.
    arrivals
        Shape (N, messages): when each message arrived; NaN where that is not known, infinite
        where it never did. None if the cluster does not say.
    """

    contents: Messages
    seconds: float
    arrivals: NDArray[np.float64] | None = field(default=None, repr=False)


class Cluster(Protocol):
    """Workers, simulated or real, that answer a point with messages."""

    def ask(self, step: int, point: Vector, collector: Collector) -> Answer:
        """Send a point to the workers and hand what arrives to the collector until it is ready.

        Raises
        ------
        RunError
            If the collector cannot become ready any more.
        """
        ...

    def state(self) -> State:
        """Return what a checkpoint must keep of the cluster, as arrays by name; may be nothing."""
        ...

    def restore(self, state: State) -> None:
        """Go on from what `state` returned before the checkpoint."""
        ...


@dataclass(frozen=True)
class Plan:
    """How long to train, and what to do on the way.

    Attributes
    ----------
    steps
        Number of steps.
    evaluate_every
        Number of steps between evaluations of the model; 0 for one at the end only.
    checkpoint
        The file that keeps the state; None for none. A run goes on from what it holds.
    checkpoint_every
        Number of steps between writing it; more where that takes long.
    progress
        Called after each step with the number of steps done; the run stops early, its state
        saved, if it returns True.
    warn
        Told when a checkpoint cannot be written; the run goes on, the file is as it was.
    """

    steps: int
    evaluate_every: int = 10
    checkpoint: Path | None = None
    checkpoint_every: int = 100
    progress: Callable[[int], bool] | None = None
    warn: Callable[[str], None] | None = None

    def __post_init__(self) -> None:
        check_count("steps", self.steps, least=0)
        check_count("evaluate_every", self.evaluate_every, least=0)
        check_count("checkpoint_every", self.checkpoint_every)


@dataclass(frozen=True, eq=False)
class TrainingResult:
    """A trained model and how it came about.

    Attributes
    ----------
    scheme, workers, parts
        The scheme's label, N and K.
    parameters
        The model, shape (p,).
    history
        What happened in each step, and the evaluations.
    finished
        Whether all steps were done.
    provenance
        All that is needed to do it again: names, sizes, seeds.
    """

    scheme: str
    workers: int
    parts: int
    parameters: Vector = field(repr=False)
    history: History
    finished: bool
    provenance: dict[str, object]


def train(
    problem: Problem,
    scheme: Scheme,
    optimiser: Optimiser,
    cluster: Cluster,
    *,
    plan: Plan,
    provenance: dict[str, object],
    start: Vector | None = None,
) -> TrainingResult:
    """Train on a cluster: send, collect, decode, step, record.

    Parameters
    ----------
    problem
        The problem, cut into the scheme's parts.
    scheme, optimiser, cluster
        Who sends what, how gradients change the model, and the workers.
    plan
        How long, and what on the way.
    provenance
        What to record of how the run was asked for; a checkpoint of another run is refused.
    start
        The parameters to start from, by default those of the problem.

    Raises
    ------
    RunError
        If the cluster cannot go on, or the model or its loss is no longer finite.
    InputError
        If the checkpoint is of another run or of more steps, or damaged.
    """
    if problem.parts != scheme.parts:
        raise InputError(f"a problem in {problem.parts} parts; {scheme.label} has {scheme.parts}")
    first = problem.start() if start is None else start
    if first.shape != (problem.size,):
        raise InputError(f"start of shape {first.shape}; expected {problem.size} parameters")
    state = optimiser.start(first)
    recording = Recording()
    if plan.checkpoint is not None and plan.checkpoint.exists():
        state, recording = _resumed(plan.checkpoint, state, cluster, provenance)
        if recording.steps > plan.steps:
            raise InputError(
                f"{plan.checkpoint} is of a run that has done {recording.steps} steps, and "
                f"steps={plan.steps}; ask for as many at least, or give another file"
            )
    saver = _Saver(plan, cluster, provenance)
    stopped = False
    while recording.steps < plan.steps and not stopped:
        state = _step(problem, scheme, optimiser, cluster, state, recording)
        done = recording.steps
        if plan.evaluate_every and done % plan.evaluate_every == 0:
            recording.evaluated(evaluate(problem, state["model"], done, recording.clock))
        stopped = plan.progress is not None and plan.progress(done)
        if done % plan.checkpoint_every == 0:
            saver.now_and_then(state, recording)
    if not recording.is_evaluated:
        recording.evaluated(evaluate(problem, state["model"], recording.steps, recording.clock))
    saver.save(state, recording)
    finished = recording.steps >= plan.steps
    return TrainingResult(
        scheme.label,
        scheme.workers,
        scheme.parts,
        state["model"],
        recording.history(),
        finished,
        provenance,
    )


CLUSTER = "cluster."
"""What the names of a cluster's arrays begin with in a checkpoint."""

DIVERGED = "the model has left all bounds; take a smaller step size"

QUICK = 0.05
"""Seconds up to which a checkpoint is written whenever it is due."""

SHARE = 0.05
"""Greatest share of a run's time that is spent on checkpoints that take longer."""


class _Saver:
    """Writes checkpoints, but spends little of a run's time on them."""

    def __init__(self, plan: Plan, cluster: Cluster, provenance: dict[str, object]) -> None:
        self._plan, self._cluster, self._provenance = plan, cluster, provenance
        self._cost, self._last = 0.0, perf_counter()

    def now_and_then(self, state: State, recording: Recording) -> None:
        """Save, unless that takes long and has been done a short while ago."""
        wait = 0.0 if self._cost < QUICK else self._cost / SHARE
        if perf_counter() - self._last >= wait:
            self.save(state, recording)

    def save(self, state: State, recording: Recording) -> None:
        """Write the state; where that is not possible, tell, and go on."""
        if self._plan.checkpoint is None:
            return
        begun = perf_counter()
        arrays = self._cluster.state()
        whole = state | {CLUSTER + name: array for name, array in arrays.items()}
        try:
            save_checkpoint(self._plan.checkpoint, whole, recording, self._provenance)
        except OutputError as error:
            if self._plan.warn is not None:
                self._plan.warn(f"{error}; the run goes on, and the file is as it was")
        self._last = perf_counter()
        self._cost = self._last - begun


def _resumed(
    path: Path, state: State, cluster: Cluster, provenance: dict[str, object]
) -> tuple[State, Recording]:
    whole = state | {CLUSTER + name: array for name, array in cluster.state().items()}
    found, recording = load_checkpoint(path, whole, provenance)
    cluster.restore({k.removeprefix(CLUSTER): a for k, a in found.items() if k.startswith(CLUSTER)})
    return {k: a for k, a in found.items() if not k.startswith(CLUSTER)}, recording


def _step(
    problem: Problem,
    scheme: Scheme,
    optimiser: Optimiser,
    cluster: Cluster,
    state: State,
    recording: Recording,
) -> State:
    step = recording.steps
    point = optimiser.point(state, step)
    collector = scheme.collector()
    answer = cluster.ask(step, point, collector)
    begun = perf_counter()
    decoded = scheme.decode(collector.arrived)
    with np.errstate(over="ignore", invalid="ignore"):
        total = decoded.combine(answer.contents, problem.size)
        state = optimiser.update(state, step, problem.mean_gradient(total, point))
    if not np.isfinite(state["model"]).all():
        raise RunError(f"step {step}: {DIVERGED}")
    recording.stepped(
        seconds=answer.seconds,
        heard=len(collector.arrived),
        error=decoded.error,
        overhead=perf_counter() - begun,
    )
    return state


def evaluate(problem: Problem, model: Vector, step: int, seconds: float) -> Evaluation:
    """Return how good a model is: the objective, and the metrics on the test samples."""
    judged = problem.test or problem.data
    with np.errstate(over="ignore", invalid="ignore"):
        found = Evaluation(step, seconds, problem.loss(model), problem.metrics(model, judged))
    if not np.isfinite([found.loss, *found.metrics.values()]).all():
        raise RunError(f"after {step} steps: {DIVERGED}")
    return found
