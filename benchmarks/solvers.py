"""S*(η) with its proof, against other solvers on the plain integer program.

The program is what ``gcdesign export … .mps`` writes: min Σ y_w with Σ x_j ≥ η and y_w ≥ x_j for
every part j of worker w; no bound, no hint, no symmetry. Every solver reads the same files and
keeps its own settings; Gurobi works under the licence that comes with its wheel, which is for
evaluation and small programs. Every sample is a fresh process.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import peers
from measuring import Row, child, print_rows, row, whole_process

SAMPLES = 3
CAP_SECONDS = 60.0
"""Wall-clock limit of a solver for one line of the table, all its η together."""

DATA = Path(__file__).with_name("data")
OURS = "cp-sat"
"""The solver that gcdesign itself depends on, and so needs no other environment."""

LABELS = {OURS: "CP-SAT", **{name: peer.label for name, peer in peers.PEERS.items()}}
SOLVERS = (OURS, "highs", "scip", "gurobi")
QUESTIONS = (
    ("pg:q=4", "PG(2,4)", "all"),
    ("pg:q=5", "PG(2,5)", "3"),
    ("pg:q=5", "PG(2,5)", "all"),
    ("regular-60-4", "random 4-regular, N = K = 60", "10"),
)
"""Codes, what they are called, and the η asked for."""


def source_of(name: str) -> str:
    """Return the code for gcdesign: a name in place, or a file beside this one."""
    return name if ":" in name else str(DATA / f"{name}.mtx")


def etas(asked: str, parts: int) -> list[int]:
    """Return the values of η that are asked for."""
    return list(range(1, parts + 1)) if asked == "all" else [int(asked)]


def run_threshold(name: str, asked: str) -> dict[str, Any]:
    """Answer with gcdesign: all η at once as a profile, or one."""
    import ortools.sat.python.cp_model  # noqa: F401  (imports are not what is measured)

    from gcdesign import load_code, threshold, threshold_profile

    placement = load_code(source_of(name)).placement
    cpu = time.process_time()
    if asked == "all":
        results = threshold_profile(placement)[1:]
    else:
        results = (threshold(placement, int(asked)),)
    cpu = time.process_time() - cpu
    return {"cpu": cpu, "values": [int(result.value) for result in results]}


def write_programs(name: str, asked: str, folder: Path) -> list[Path]:
    """Write the integer programs of a question, one for each η."""
    from gcdesign import load_code
    from gcdesign.adversary import write_program

    placement = load_code(source_of(name)).placement
    paths = []
    for eta in etas(asked, placement.parts):
        paths.append(folder / f"{eta}.mps")
        paths[-1].write_text(write_program(placement, eta, "mps"))
    return paths


def command(solver: str, paths: list[Path], cap: float = CAP_SECONDS) -> list[str]:
    """Return the command by which a solver solves some programs."""
    python = sys.executable if solver == OURS else str(peers.python_of(solver))
    script = Path(__file__).with_name("solver_side.py")
    return [python, str(script), solver, str(cap), *map(str, paths)]


def solved(solver: str, paths: list[Path], cap: float = CAP_SECONDS) -> dict[str, Any]:
    """Have a solver solve some programs in a fresh process."""
    done = whole_process(command(solver, paths, cap))
    answer: dict[str, Any] = json.loads(done.output.strip().splitlines()[-1])
    return answer


def compared(subject: str, answers: list[dict[str, Any]], solver: str, paths: list[Path]) -> Row:
    """Measure one solver on a question; it runs once, since it may take the whole cap.

    Raises
    ------
    RuntimeError
        If the two disagree on a value that both proved.
    """
    theirs = solved(solver, paths)
    for answer in answers:
        both = zip(answer["values"], theirs["values"], strict=True)
        if any(value not in (None, ours) for ours, value in both):
            raise RuntimeError(f"{subject}: {answer['values']} against {theirs['values']}")
    proved = sum(value is not None for value in theirs["values"])
    note = f"reference stopped at {CAP_SECONDS:g} s with {proved} of {len(paths)} η"
    pairs = [(answer["cpu"], theirs["cpu"]) for answer in answers]
    return row(
        "solvers",
        subject,
        LABELS[solver],
        "s CPU",
        pairs,
        target=1.0,
        note="" if proved == len(paths) else note,
    )


def measure(samples: int = SAMPLES) -> list[Row]:
    """Measure all questions against all solvers that are there."""
    there = [name for name in SOLVERS if name == OURS or not peers.is_missing(name)]
    rows = []
    with tempfile.TemporaryDirectory() as name:
        for source, label, asked in QUESTIONS:
            paths = write_programs(source, asked, Path(name))
            subject = f"S\\*(η) of {label}, {'all η' if asked == 'all' else f'η = {asked}'}"
            answers = [child("solvers.py", source, asked) for _ in range(samples + 1)][1:]
            for solver in there:
                rows.append(compared(subject, answers, solver, paths))
                print_rows(rows[-1:])
    return rows


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        print(json.dumps(run_threshold(*sys.argv[2:])))
    else:
        measure()
