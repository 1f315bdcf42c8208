"""The adversary: thresholds against the plain integer program, and exhaustive search.

The plain program is min Σ y_w subject to Σ x_j ≥ η and y_w ≥ x_j for every part j of worker w,
given to CP-SAT as it stands: no bound, no hint, no symmetry. Every sample is a fresh process.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from measuring import Row, alternate, child, print_rows, row

SAMPLES = 3
CAP_SECONDS = 60.0
"""Wall-clock limit of the plain program for one line of the table, all its η together."""

QUESTIONS = (
    ("pg:q=5", "3"),
    ("pg:q=5", "7"),
    ("pg:q=4", "all"),
    ("ag:q=5", "all"),
    ("pg:q=5", "all"),
)
"""Designs, and the η asked for."""

CIRCULANT_WORKERS = 22
CIRCULANT_SHIFTS = (0, 1, 4, 6)
"""A 0/1 code without any structure that would give its errors in closed form."""

LEAST_SQUARES_SETS = 4096


def etas(asked: str, parts: int) -> list[int]:
    """Return the values of η that are asked for."""
    return list(range(parts + 1)) if asked == "all" else [int(asked)]


def run_threshold(name: str, asked: str) -> dict[str, Any]:
    """Answer with gcdesign: all η at once as a profile, or one."""
    import ortools.sat.python.cp_model  # noqa: F401  (imports are not what is measured)

    from gcdesign import load_code, threshold, threshold_profile

    placement = load_code(name).placement
    wall, cpu = time.perf_counter(), time.process_time()
    if asked == "all":
        results = threshold_profile(placement)
    else:
        results = (threshold(placement, int(asked)),)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return {"cpu": cpu, "wall": wall, "values": [int(result.value) for result in results]}


def run_plain(name: str, asked: str, cap: float) -> dict[str, Any]:
    """Answer with the plain program; a value is None where it was not proved in time."""
    from ortools.sat.python import cp_model

    from gcdesign import load_code

    placement = load_code(name).placement
    blocks = placement.design.blocks()
    values: list[int | None] = []
    wall, cpu = time.perf_counter(), time.process_time()
    for eta in etas(asked, placement.parts):
        left = cap - (time.perf_counter() - wall)
        if left <= 0:
            values.append(None)
            continue
        model = cp_model.CpModel()
        lost = [model.new_bool_var("") for _ in range(placement.parts)]
        silenced = [model.new_bool_var("") for _ in range(placement.workers)]
        model.add(sum(lost) >= eta)
        for y, parts in zip(silenced, blocks, strict=True):
            for part in parts:
                model.add(y >= lost[part])
        model.minimize(sum(silenced))
        solver = cp_model.CpSolver()
        solver.parameters.max_time_in_seconds = left
        proved = solver.solve(model) == cp_model.OPTIMAL
        values.append(round(solver.objective_value) if proved else None)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return {"cpu": cpu, "wall": wall, "values": values}


def measure_threshold(name: str, asked: str, samples: int, cap: float) -> Row:
    """Measure one question; the plain program runs once, since it may take the whole cap.

    Raises
    ------
    RuntimeError
        If the two disagree on a value that both proved.
    """
    plain = child("adversary.py", "plain", name, asked, str(cap))
    answers = [child("adversary.py", "threshold", name, asked) for _ in range(samples)]
    for answer in answers:
        both = zip(answer["values"], plain["values"], strict=True)
        if any(theirs not in (None, ours) for ours, theirs in both):
            raise RuntimeError(f"{name}: {answer['values']} against {plain['values']}")
    proved = sum(value is not None for value in plain["values"])
    total = len(plain["values"])
    note = "" if proved == total else f"reference stopped at {cap:g} s with {proved} of {total} η"
    return row(
        "adversary",
        f"S\\*(η) of `{name}`, {'all η' if asked == 'all' else f'η = {asked}'}",
        "plain integer program, CP-SAT",
        "s CPU",
        [(answer["cpu"], plain["cpu"]) for answer in answers],
        note=note,
    )


def _circulant() -> Any:
    import numpy as np

    n = CIRCULANT_WORKERS
    matrix = np.zeros((n, n))
    for shift in CIRCULANT_SHIFTS:
        matrix[np.arange(n), (np.arange(n) + shift) % n] = 1
    return matrix


def run_enumeration() -> dict[str, Any]:
    """Find err_S for all S by exhaustive search; CPU microseconds for each of the 2^N sets."""
    from gcdesign import GradientCode, worst_case_error_profile

    code = GradientCode.from_matrix(_circulant())
    cpu = time.process_time()
    results = worst_case_error_profile(code)
    cpu = time.process_time() - cpu
    if not all(result.proof.startswith("exhaustive search") for result in results[1:-1]):
        raise RuntimeError("some errors were not found by exhaustive search")
    return {"cpu": 1e6 * cpu / 2**CIRCULANT_WORKERS}


def run_least_squares() -> dict[str, Any]:
    """Solve one least-squares problem for each of some random sets; CPU microseconds each."""
    import numpy as np

    matrix = _circulant()
    rng = np.random.default_rng(0)
    sets = rng.random((LEAST_SQUARES_SETS, CIRCULANT_WORKERS)) < 0.5
    ones = np.ones(CIRCULANT_WORKERS)
    cpu = time.process_time()
    for alive in sets:
        np.linalg.lstsq(matrix[alive].T, ones, rcond=None)
    return {"cpu": 1e6 * (time.process_time() - cpu) / LEAST_SQUARES_SETS}


def measure_enumeration(samples: int) -> Row:
    """Measure exhaustive search against one least-squares problem for each set."""
    pairs = alternate(
        lambda: float(child("adversary.py", "enumeration")["cpu"]),
        lambda: float(child("adversary.py", "least-squares")["cpu"]),
        samples=samples,
    )
    return row(
        "adversary",
        f"err_S for all S, circulant code with {CIRCULANT_WORKERS} workers "
        f"({2**CIRCULANT_WORKERS:,} sets)",
        f"`numpy.linalg.lstsq` for each set ({LEAST_SQUARES_SETS:,} random ones)",
        "µs CPU a set",
        pairs,
    )


def measure(samples: int = SAMPLES, cap: float = CAP_SECONDS) -> list[Row]:
    """Measure all questions and the exhaustive search."""
    rows = []
    for name, asked in QUESTIONS:
        rows.append(measure_threshold(name, asked, samples, cap))
        print_rows(rows[-1:])
    rows.append(measure_enumeration(samples))
    print_rows(rows[-1:])
    return rows


def run_child(task: str, *arguments: str) -> None:
    """Do one task and print its JSON line."""
    if task == "threshold":
        answer = run_threshold(*arguments)
    elif task == "plain":
        name, asked, cap = arguments
        answer = run_plain(name, asked, float(cap))
    else:
        answer = run_enumeration() if task == "enumeration" else run_least_squares()
    print(json.dumps(answer))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        run_child(*sys.argv[2:])
    else:
        measure()
