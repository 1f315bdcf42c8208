"""Training on a simulated cluster."""

from __future__ import annotations

from gcdesign.training.clock import SimulatedCluster
from gcdesign.training.master import Plan, TrainingResult, train
from gcdesign.training.optimisers import Optimiser
from gcdesign.training.problems.problem import Problem
from gcdesign.training.scheme import Scheme
from gcdesign.training.stragglers import StragglerModel


def simulate(
    problem: Problem,
    scheme: Scheme,
    optimiser: Optimiser,
    model: StragglerModel,
    *,
    plan: Plan,
    seed: int = 0,
    finish_late: bool = False,
) -> TrainingResult:
    """Train with real gradients on a simulated clock.

    Parameters
    ----------
    problem
        The problem; it is cut into the scheme's parts here.
    scheme, optimiser
        Who sends what, and how gradients change the model.
    model
        How long the workers take.
    plan
        How long, and what on the way.
    seed
        Seed of the times.
    finish_late
        Whether a late worker finishes what it does; see `SimulatedCluster`.

    Raises
    ------
    RunError
        If the scheme waits for ever.

    Examples
    --------
    >>> from gcdesign.training import Nesterov, RandomWorkers, Rate, Slowed, make_scheme, steady
    >>> from gcdesign.training.data import gaussian_mixture
    >>> from gcdesign.training.problems import Logistic
    >>> problem = Logistic(gaussian_mixture(240, 10, seed=1))
    >>> times = Slowed(steady(0.1), RandomWorkers(2), delay=5)
    >>> for name in ("naive", "cyclic"):
    ...     scheme = make_scheme(name, workers=12, stragglers=2)
    ...     found = simulate(problem, scheme, Nesterov(Rate(0.5)), times, plan=Plan(steps=20))
    ...     print(scheme.label, round(float(found.history.clock[-1]), 9))
    naive (N=12) 102.0
    cyclic repetition (N=12, S=2) 6.0
    """
    parted = problem.split(scheme.parts)
    cluster = SimulatedCluster(scheme, parted, model, seed=seed, finish_late=finish_late)
    provenance: dict[str, object] = {
        "seed": seed,
        "problem": problem.name,
        "samples": problem.data.samples,
        "parameters": problem.size,
        "l2": problem.l2,
        "batches": repr(problem.batches),
        "scheme": scheme.label,
        "settings of the scheme": scheme.settings(),
        "optimiser": repr(optimiser),
        "times": model.written,
        "finish late": finish_late,
        "data": problem.data.digest,
    }
    return train(parted, scheme, optimiser, cluster, plan=plan, provenance=provenance)
