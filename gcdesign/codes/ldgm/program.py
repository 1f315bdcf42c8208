"""The linear program of degree optimisation, solved by OR-Tools."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import SolverError

WAYS = ("", "use_dual_simplex: true", "use_preprocessing: false")
"""Parameters of GLOP, each tried where those before end with abnormal numbers."""

FEASIBLE = -1e-10
"""Slack above which a program counts as satisfied."""

Reals = NDArray[np.float64]


def best_shares(
    arriving: Reals, needed: Reals, inverse_mean: float, *, single: float = 0.0
) -> Reals | None:
    """Return shares ρ ≥ 0 with A ρ ≥ b, Σ ρ_i = 1 and Σ ρ_i/i = c, or None if there are none.

    Of all such shares those are returned that have most to spare, t in A ρ ≥ b + t.

    Parameters
    ----------
    arriving, needed
        A of shape (rows, D) and b of shape (rows,).
    inverse_mean
        c.
    single
        Least value of ρ_1.

    Raises
    ------
    SolverError
        If the solver gives up.
    """
    from ortools.linear_solver.python import model_builder

    model = model_builder.Model()  # type: ignore[no-untyped-call]
    width = arriving.shape[1]
    least = [single] + [0.0] * (width - 1)
    shares = [model.new_num_var(low, 1, f"rho{i}") for i, low in enumerate(least, start=1)]
    spare = model.new_num_var(-1, 1, "t")
    total = model_builder.LinearExpr.weighted_sum
    model.add(total(shares, [1.0] * width) == 1)
    model.add(total(shares, [1 / i for i in range(1, width + 1)]) == inverse_mean)
    for row, bound in zip(arriving.tolist(), needed.tolist(), strict=True):
        model.add(total([*shares, spare], [*row, -1.0]) >= bound)
    model.maximize(spare)
    solver = model_builder.Solver("GLOP")
    status = model_builder.SolveStatus.ABNORMAL
    for way in WAYS:
        solver.set_solver_specific_parameters(way)
        status = solver.solve(model)
        if status != model_builder.SolveStatus.ABNORMAL:
            break
    if status == model_builder.SolveStatus.INFEASIBLE:
        return None
    if status not in (model_builder.SolveStatus.OPTIMAL, model_builder.SolveStatus.FEASIBLE):
        raise SolverError(f"the linear program ended with {status}; expected a solution or none")
    if solver.value(spare) < FEASIBLE:
        return None
    return np.maximum([solver.value(share) for share in shares], 0.0)
