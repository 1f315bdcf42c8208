"""A training run on real workers under MPI."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.training.clock import loads_of
from gcdesign.training.cluster.calculator import sizes_of
from gcdesign.training.cluster.inbox import dismiss
from gcdesign.training.cluster.launch import take_part
from gcdesign.training.cluster.master import MpiCluster, Policy
from gcdesign.training.cluster.rehearsal import Rehearsal
from gcdesign.training.master import Plan, TrainingResult, train
from gcdesign.training.stragglers import Timeline

if TYPE_CHECKING:
    from gcdesign.training.cluster.calculator import Make
    from gcdesign.training.optimisers import Optimiser
    from gcdesign.training.scheme import Scheme
    from gcdesign.training.stragglers import StragglerModel


@dataclass(frozen=True)
class Job:
    """What is trained how; every rank has the same.

    Attributes
    ----------
    make
        Makes the scheme for so many workers, and the problem cut into its parts.
    optimiser
        How gradients change the model.
    plan
        How long, and what on the way.
    model
        Times before which workers do not send, on top of what they really take; None for none.
    seed
        Seed of these times.
    provenance
        What to record of how the run was asked for.
    """

    make: Make
    optimiser: Optimiser
    plan: Plan
    model: StragglerModel | None = None
    seed: int = 0
    provenance: dict[str, object] | None = None


def train_under_mpi(
    job: Job,
    *,
    policy: Policy,
    rehearsal: Rehearsal | None = None,
    notice: Callable[[str], None] = lambda line: None,
) -> TrainingResult | None:
    """Train with this process as one of an MPI job.

    Returns
    -------
    The result on rank 0, the master; None on the others, the workers.

    Raises
    ------
    InputError
        If this is no MPI job, or the input is at fault.
    RunError
        If the run cannot go on.
    """

    def lead(comm: Any) -> TrainingResult:
        cluster: MpiCluster | None = None
        try:
            scheme, problem = job.make(comm.Get_size() - 1)
            sizes = sizes_of(scheme, problem)
            holds = None if job.model is None else holding(job.model, scheme, job.seed)
            cluster = MpiCluster(comm, scheme, sizes, policy=policy, holds=holds, notice=notice)
            cluster.start()
            return train(
                problem,
                scheme,
                job.optimiser,
                cluster,
                plan=job.plan,
                provenance=job.provenance or {},
            )
        finally:
            dismiss(comm) if cluster is None else cluster.close()

    return take_part(job.make, lead, patience=policy.patience, rehearsal=rehearsal)


def holding(
    model: StragglerModel, scheme: Scheme, seed: int
) -> Callable[[int], NDArray[np.float64]]:
    """Return when each message of a step may be sent, by a model of stragglers.

    The draws are those of the simulation with the same seed.
    """
    timeline = Timeline(model, loads_of(scheme), seed=seed)
    progress = scheme.shares / np.maximum(scheme.shares[:, -1:], 1e-300)

    def holds(step: int) -> NDArray[np.float64]:
        arrivals: NDArray[np.float64] = timeline.step(step).arrivals(progress)[0]
        return arrivals

    return holds
