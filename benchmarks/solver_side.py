"""One integer program after the other, by a solver; its own interpreter runs this.

``python solver_side.py SOLVER SECONDS FILE…`` reads MPS files and prints a JSON line: the values,
None where one was not proved in time, and the CPU seconds of solving. All files share the time;
every solver keeps its own settings, those of threads too.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

Solve = Callable[[float], float | None]
"""Takes seconds, solves, and returns the value if it is proved."""


def cp_sat(path: str) -> Solve:
    """Read a program for CP-SAT."""
    from ortools.linear_solver.python import model_builder

    model = model_builder.Model()  # type: ignore[no-untyped-call]
    solver = model_builder.Solver("sat")
    model.import_from_mps_file(path)

    def solve(seconds: float) -> float | None:
        solver.set_time_limit_in_seconds(seconds)
        proved = solver.solve(model) == model_builder.SolveStatus.OPTIMAL
        return solver.objective_value if proved else None

    return solve


def highs(path: str) -> Solve:
    """Read a program for HiGHS."""
    import highspy

    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.readModel(path)

    def solve(seconds: float) -> float | None:
        solver.setOptionValue("time_limit", seconds)
        solver.run()
        proved = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
        return float(solver.getInfo().objective_function_value) if proved else None

    return solve


def scip(path: str) -> Solve:
    """Read a program for SCIP."""
    from pyscipopt import Model

    model = Model()
    model.hideOutput()
    model.readProblem(path)

    def solve(seconds: float) -> float | None:
        model.setParam("limits/time", seconds)
        model.optimize()
        return float(model.getObjVal()) if model.getStatus() == "optimal" else None

    return solve


def gurobi(path: str) -> Solve:
    """Read a program for Gurobi, which must be small enough for the wheel's own licence."""
    import gurobipy

    quiet = gurobipy.Env(params={"OutputFlag": 0})
    model = gurobipy.read(path, quiet)

    def solve(seconds: float) -> float | None:
        model.Params.TimeLimit = seconds
        model.optimize()
        return float(model.ObjVal) if model.Status == gurobipy.GRB.OPTIMAL else None

    return solve


SOLVERS: dict[str, Callable[[str], Solve]] = {
    "cp-sat": cp_sat,
    "highs": highs,
    "scip": scip,
    "gurobi": gurobi,
}


def main(name: str, seconds: str, *paths: str) -> dict[str, Any]:
    """Solve all programs, or as many as there is time for."""
    programs = [SOLVERS[name](path) for path in paths]
    values: list[int | None] = []
    cpu, end = time.process_time(), time.perf_counter() + float(seconds)
    for solve in programs:
        left = end - time.perf_counter()
        value = solve(left) if left > 0 else None
        values.append(None if value is None else round(value))
    return {"cpu": time.process_time() - cpu, "values": values}


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
