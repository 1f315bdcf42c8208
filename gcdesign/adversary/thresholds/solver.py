"""The integer program for S*(η), given to OR-Tools' CP-SAT in a strengthened form.

Variables x_j (part j is lost) and y_w (worker w is silenced): minimise Σ y_w subject to
Σ x_j = η and y_w ≥ x_j for every part j that worker w holds.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from importlib.metadata import version
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from gcdesign.adversary.bounds import PlacementFacts
from gcdesign.adversary.remembered import KnownThreshold, record_threshold
from gcdesign.adversary.running.settings import Watch
from gcdesign.adversary.thresholds.greedy import PartAttack
from gcdesign.codes import Placement
from gcdesign.errors import SolverError

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

POLL_SECONDS = 0.05
MAX_COUNT_VARIABLES = 200_000
"""Above this the pair-counting variables are left out of the model."""


@dataclass(frozen=True)
class SolverAnswer:
    """What the solver is believed to have shown, after our own check.

    Attributes
    ----------
    lower
        The greatest number of workers proved necessary.
    attack
        Its best attack, checked against the placement, or None.
    solver
        Name and version.
    """

    lower: int
    attack: PartAttack | None
    solver: str


def solver_name() -> str:
    """Return the solver's name and version."""
    return f"CP-SAT {version('ortools')}"


def solve_threshold(
    placement: Placement,
    facts: PlacementFacts,
    eta: int,
    *,
    lower: int,
    start: PartAttack,
    watch: Watch,
) -> SolverAnswer:
    """Run CP-SAT until proof, the time limit or an interruption.

    Parameters
    ----------
    placement, facts
        The placement and its numbers.
    eta
        Number of parts to lose, at least 1.
    lower
        A proved lower bound, given to the solver as a cut.
    start
        An attack, given to the solver as a hint.
    watch
        Time limit, threads, seed and progress.

    Raises
    ------
    SolverError
        If the solver's answer contradicts a proved bound or the placement: a bug to report.
    """
    from ortools.sat.python import cp_model

    model, lost = _model(placement, facts, eta, lower, start)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = watch.settings.thread_count
    solver.parameters.random_seed = watch.settings.seed
    solver.parameters.catch_sigint_signal = False
    if watch.remaining is not None:
        solver.parameters.max_time_in_seconds = watch.remaining
    if watch.nodes_left is not None:
        solver.parameters.max_number_of_conflicts = watch.nodes_left
    best, kept = [lower, len(start.workers)], lower

    def on_bound(bound: float) -> None:
        best[0] = max(best[0], ceil(bound - 1e-6))

    def tell() -> None:
        nonlocal kept
        if best[0] > kept:
            kept = best[0]
            record_threshold(watch.journal, eta, KnownThreshold(kept, solver_name(), start))
        watch.report(f"η={eta}: {solver_name()}", *best)

    solver.best_bound_callback = on_bound
    status = _run(solver, model, watch, tell)
    if watch.nodes_left is not None:
        _count_conflicts(solver.num_conflicts, status == cp_model.OPTIMAL, watch)
    if status in (cp_model.INFEASIBLE, cp_model.MODEL_INVALID):
        raise SolverError(
            f"{solver_name()} says {solver.status_name(status)} for η={eta}, against an attack "
            f"with {len(start.workers)} workers: please report this placement"
        )
    proved = max(lower, ceil(solver.best_objective_bound - 1e-6))
    if status == cp_model.UNKNOWN:
        return SolverAnswer(proved, None, solver_name())
    parts = np.array([j for j, x in enumerate(lost) if solver.boolean_value(x)], dtype=np.int64)
    attack = PartAttack.on(placement, parts)
    if len(parts) < eta or proved > len(attack.workers):
        raise SolverError(
            f"{solver_name()} claims at least {proved} workers for η={eta}, against its own "
            f"attack with {len(attack.workers)}: please report this placement"
        )
    return SolverAnswer(proved, attack, solver_name())


def _count_conflicts(conflicts: int, finished: bool, watch: Watch) -> None:
    """Count the solver's conflicts: all that were left, if nothing else can have ended it.

    It tells those of one of its threads only.
    """
    ended = not finished and watch.stopped() is None
    watch.count(watch.nodes_left or 0 if ended else conflicts)


def _run(
    solver: cp_model.CpSolver, model: cp_model.CpModel, watch: Watch, tell: Callable[[], None]
) -> int:
    """Solve in a thread of its own, so that this one can report and pass an interruption on."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        answer = None
        try:
            answer = pool.submit(solver.solve, model)
            while not wait([answer], timeout=POLL_SECONDS).done:
                tell()
                if watch.stopped():
                    solver.stop_search()
        finally:
            # Once is not enough: before the search has begun the solver does not hear it.
            while answer is not None and not wait([answer], timeout=POLL_SECONDS).done:
                solver.stop_search()
        return int(answer.result())


def _model(
    placement: Placement, facts: PlacementFacts, eta: int, lower: int, start: PartAttack
) -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    lost = [model.new_bool_var(f"x{j}") for j in range(placement.parts)]
    silenced = [model.new_bool_var(f"y{w}") for w in range(placement.workers)]
    model.add(sum(lost) == eta)
    model.add(sum(silenced) >= lower)
    model.minimize(sum(silenced))
    _hint(model, lost, start.parts)
    _hint(model, silenced, start.workers)
    if placement.part_transitive:
        model.add(lost[0] == 1)
    size = int(np.minimum(placement.loads, eta).sum()) + placement.workers
    if _pairs_are_telling(facts) and size <= MAX_COUNT_VARIABLES:
        _count_pairs(model, placement, facts, eta, lost, silenced)
    else:
        for worker, y in enumerate(silenced):
            for part in placement.design.block(worker).tolist():
                model.add_implication(lost[part], y)
    return model, lost


def _hint(
    model: cp_model.CpModel, variables: list[cp_model.IntVar], chosen: tuple[int, ...]
) -> None:
    members = set(chosen)
    for number, variable in enumerate(variables):
        model.add_hint(variable, int(number in members))


def _pairs_are_telling(facts: PlacementFacts) -> bool:
    """Whether pairs of parts share so nearly the same number of workers that it is worth using."""
    return facts.shared is not None and facts.shared[1] - facts.shared[0] <= 1


def _count_pairs(
    model: cp_model.CpModel,
    placement: Placement,
    facts: PlacementFacts,
    eta: int,
    lost: list[cp_model.IntVar],
    silenced: list[cp_model.IntVar],
) -> None:
    """Add z_{w,c}, worker w holds exactly c lost parts, and count the pairs of lost parts twice.

    Σ_w c(c − 1) z_{w,c} is the number of ordered pairs of lost parts on common workers, between
    λ_min η(η − 1) and λ_max η(η − 1): an equation for the points of a 2-design.
    """
    assert facts.shared is not None
    pairs = []
    for worker, y in enumerate(silenced):
        parts = placement.design.block(worker).tolist()
        exactly = [model.new_bool_var(f"z{worker}_{c}") for c in range(min(len(parts), eta) + 1)]
        model.add_exactly_one(exactly)
        count = sum(lost[part] for part in parts)
        model.add(count == sum(c * z for c, z in enumerate(exactly)))
        model.add(y + exactly[0] == 1)
        pairs += [c * (c - 1) * z for c, z in enumerate(exactly) if c > 1]
    least, most = facts.shared
    model.add_linear_constraint(sum(pairs), least * eta * (eta - 1), most * eta * (eta - 1))
