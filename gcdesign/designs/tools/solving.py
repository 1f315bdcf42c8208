"""CP-SAT, asked for one answer within a time; an interruption stops it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from importlib.metadata import version
from time import monotonic
from typing import TYPE_CHECKING, Literal

from gcdesign.errors import InputError, SolverError

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

POLL_SECONDS = 0.05


@dataclass(frozen=True)
class Limits:
    """How long to search, and with what.

    Attributes
    ----------
    seconds
        Time limit; None for none.
    threads
        Threads of the solver.
    seed
        Seed of every random choice.
    """

    seconds: float | None = None
    threads: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        if self.seconds is not None and self.seconds < 0:
            raise InputError(f"a time limit of {self.seconds} s; expected 0 or more")

    def clock(self) -> Clock:
        """Start the time."""
        return Clock(self, None if self.seconds is None else monotonic() + self.seconds)


@dataclass(frozen=True)
class Clock:
    """Limits whose time runs; ``deadline`` is a value of `time.monotonic`."""

    limits: Limits
    deadline: float | None

    @property
    def remaining(self) -> float | None:
        """Seconds left, or None without a limit."""
        return None if self.deadline is None else max(0.0, self.deadline - monotonic())

    def within(self, seconds: float) -> float:
        """Return a deadline after so many seconds, or the one that there is if it is earlier."""
        soon = monotonic() + seconds
        return soon if self.deadline is None else min(soon, self.deadline)


@dataclass(frozen=True)
class Solved:
    """An answer of the solver.

    Attributes
    ----------
    status
        ``"optimal"`` (for a question without an objective: solved), ``"feasible"``,
        ``"impossible"`` or ``"unknown"``.
    values
        The values of the variables given, in their order; empty without a solution.
    bound
        Proved bound on the objective.
    """

    status: Literal["optimal", "feasible", "impossible", "unknown"]
    values: list[int]
    bound: float

    @property
    def chosen(self) -> list[int]:
        """The positions of the variables that are not 0."""
        return [position for position, value in enumerate(self.values) if value]


def solver_name() -> str:
    """Return the solver's name and version."""
    return f"CP-SAT {version('ortools')}"


def solve(model: cp_model.CpModel, variables: list[cp_model.IntVar], *, clock: Clock) -> Solved:
    """Solve a model.

    Raises
    ------
    SolverError
        If the solver calls the model invalid: a bug.
    """
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = clock.limits.threads
    solver.parameters.random_seed = clock.limits.seed
    solver.parameters.catch_sigint_signal = False
    if clock.remaining is not None:
        solver.parameters.max_time_in_seconds = clock.remaining
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(solver.solve, model)
        try:
            while not running.done():
                wait([running], timeout=POLL_SECONDS)
        except BaseException:
            solver.stop_search()
            raise
    status = running.result()
    if status == cp_model.MODEL_INVALID:
        raise SolverError(f"{solver_name()} calls the model invalid: please report this design")
    if status == cp_model.INFEASIBLE:
        return Solved("impossible", [], 0.0)
    if status == cp_model.UNKNOWN:
        return Solved("unknown", [], solver.best_objective_bound)
    values = [int(solver.value(variable)) for variable in variables]
    found: Literal["optimal", "feasible"] = "optimal" if status == cp_model.OPTIMAL else "feasible"
    return Solved(found, values, solver.best_objective_bound)
