"""gcdesign against what one would write in a few lines: sets tried one by one, lstsq, a loop.

The plain side of a worst error is `numpy.linalg.lstsq` for each set of stragglers: for all of them
where they are few, and then both sides must find the same; else for some random ones, and the time
is that of all. Every sample is a fresh process, with one thread of BLAS; imports, compiling and
building the code come before the clock.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import deque
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

from measuring import Row, alternate, child, print_rows, row

SAMPLES = 3
FEW, SOME = 5_000, 500
"""Most sets that the plain side tries one by one, and how many at random where there are more."""

CIRCULANT_SHIFTS = (0, 1, 4, 6)
"""A 0/1 code without any structure that would give its errors in closed form."""

ERRORS = (
    ("pg:q=5", "PG(2,5)", 3),
    ("regular-31-6", "random 6-regular, N = K = 31", 4),
    ("regular-31-6", "random 6-regular, N = K = 31", 8),
    ("regular-91-10", "random 10-regular, N = K = 91", 4),
)
PROFILES = (12, 22)
"""Workers of circulant codes for which all S are asked."""

DECODINGS = (
    ("pg:q=5", "PG(2,5)", 3, ""),
    ("pg:q=31", "PG(2,31)", 100, ""),
    ("ag:q=31", "AG(2,31)", 100, ""),
    ("regular-91-10", "random 10-regular, N = K = 91", 20, "in floats"),
    ("regular-91-10", "random 10-regular, N = K = 91", 20, "in fractions"),
)
"""Codes, and how gcdesign decodes them if not in closed form; fractions are its default."""

REPEATS = 20

PEELED = 33_333
"""Workers of the graph that is peeled, with a hundred thousand edges."""

NEVER_SLOWER = 1.0
TARGETS = {"": NEVER_SLOWER, "in floats": 1.5, "in fractions": None}
"""In floats the same lstsq is called, and its tolerance and condition are found besides."""

TOLERANCE = 1e-7


def code_of(name: str) -> Any:
    """Return a code: a name in place, a circulant or a file beside this one."""
    import numpy as np

    from gcdesign import GradientCode, load_code

    kind, _, number = name.partition("-")
    if kind == "circulant":
        n = int(number)
        matrix = np.zeros((n, n))
        for shift in CIRCULANT_SHIFTS:
            matrix[np.arange(n), (np.arange(n) + shift) % n] = 1
        return GradientCode.from_matrix(matrix)
    return load_code(name if ":" in name else str(Path(__file__).parent / "data" / f"{name}.mtx"))


def run_error(name: str, stragglers: str) -> dict[str, Any]:
    """Find err_S, or for "all" the errors of all S; a small question first compiles all."""
    from gcdesign import worst_case_error, worst_case_error_profile

    small, code = code_of("circulant-10"), code_of(name)
    if stragglers == "all":
        worst_case_error_profile(small)
        cpu = time.process_time()
        results = worst_case_error_profile(code)
    else:
        worst_case_error(small, 3)
        cpu = time.process_time()
        results = (worst_case_error(code, int(stragglers)),)
    cpu = time.process_time() - cpu
    if any(result.status != "exact" for result in results):
        raise RuntimeError(f"not all errors are proved: {results}")
    return {"cpu": cpu, "answer": [float(result.value) for result in results]}


def run_sets(name: str, stragglers: str) -> dict[str, Any]:
    """Try sets of stragglers one by one; CPU seconds for all of them, and the greatest errors.

    No errors where only some random sets were tried.
    """
    import numpy as np

    matrix = code_of(name).dense_encoding()
    n = len(matrix)
    sizes = range(n + 1) if stragglers == "all" else [int(stragglers)]
    total = sum(comb(n, size) for size in sizes)
    if total <= FEW:
        sets = [list(chosen) for size in sizes for chosen in combinations(range(n), size)]
    else:
        sets = _random_sets(n, sizes)
    worst = dict.fromkeys(sizes, 0.0)
    cpu = time.process_time()
    for silent in sets:
        weights = _decoded(np.delete(matrix, silent, axis=0))
        missed = np.delete(matrix, silent, axis=0).T @ weights - 1
        worst[len(silent)] = max(worst[len(silent)], float(missed @ missed))
    cpu = time.process_time() - cpu
    answer = list(worst.values()) if total <= FEW else None
    return {"cpu": cpu * total / len(sets), "answer": answer, "sets": total}


def _random_sets(n: int, sizes: Any) -> list[list[int]]:
    """Return random sets of some sizes, each set as likely as every other."""
    import numpy as np

    rng = np.random.default_rng(0)
    weights = np.array([comb(n, size) for size in sizes], dtype=float)
    drawn = rng.choice(list(sizes), size=SOME, p=weights / weights.sum())
    return [rng.permutation(n)[:size].tolist() for size in drawn]


def _decoded(matrix: Any) -> Any:
    """Return the optimal weights of the workers that are left."""
    import numpy as np

    return np.linalg.lstsq(matrix.T, np.ones(matrix.shape[1]), rcond=None)[0]


def _silenced(workers: int, count: str) -> list[int]:
    import numpy as np

    return sorted(np.random.default_rng(0).permutation(workers)[: int(count)].tolist())


def run_decoding(name: str, stragglers: str, how: str) -> dict[str, Any]:
    """Decode one set of stragglers; CPU milliseconds and the error."""
    from gcdesign.codes.decoding import decode

    code, exact = code_of(name), how != "in floats"
    silent = _silenced(code.workers, stragglers)
    decode(code, silent, exact=exact)
    cpu = time.process_time()
    for _ in range(REPEATS):
        found = decode(code, silent, exact=exact)
    cpu = time.process_time() - cpu
    return {"cpu": 1e3 * cpu / REPEATS, "answer": [float(found.error)]}


def run_lstsq(name: str, stragglers: str, _: str) -> dict[str, Any]:
    """Decode the same stragglers by least squares; CPU milliseconds and the error."""
    import numpy as np

    matrix = code_of(name).dense_encoding()
    left = np.delete(matrix, _silenced(len(matrix), stragglers), axis=0)
    cpu = time.process_time()
    weights = _decoded(left)
    cpu = time.process_time() - cpu
    missed = left.T @ weights - 1
    return {"cpu": 1e3 * cpu, "answer": [float(missed @ missed)]}


def _late(workers: int) -> Any:
    import numpy as np

    return np.random.default_rng(1).permutation(workers)[: workers // 20]


def run_peeling(workers: str) -> dict[str, Any]:
    """Peel a graph; CPU milliseconds and the share of parts recovered."""
    from ldgm import graph

    from gcdesign.codes.ldgm.peeling import peel

    peel(graph(100), [])
    placement, late = graph(int(workers)), _late(int(workers))
    cpu = time.process_time()
    found = peel(placement, late)
    return {"cpu": 1e3 * (time.process_time() - cpu), "answer": [found.fraction]}


def run_loop(workers: str) -> dict[str, Any]:
    """Peel the same graph with lists, sets and a queue of plain Python."""
    from ldgm import graph

    placement = graph(int(workers))
    blocks, late = placement.design.blocks(), set(_late(int(workers)).tolist())
    cpu = time.process_time()
    unknown = [set(block) for block in blocks]
    holders: list[list[int]] = [[] for _ in range(placement.parts)]
    for worker, block in enumerate(blocks):
        if worker not in late:
            for part in block:
                holders[part].append(worker)
    ready = deque(w for w, parts in enumerate(unknown) if w not in late and len(parts) == 1)
    known = set()
    while ready:
        left = unknown[ready.popleft()]
        if len(left) != 1:
            continue
        (part,) = left
        known.add(part)
        for worker in holders[part]:
            unknown[worker].discard(part)
            if len(unknown[worker]) == 1:
                ready.append(worker)
    cpu = time.process_time() - cpu
    return {"cpu": 1e3 * cpu, "answer": [len(known) / placement.parts]}


TASKS = {
    "error": run_error,
    "sets": run_sets,
    "decoding": run_decoding,
    "lstsq": run_lstsq,
    "peeling": run_peeling,
    "loop": run_loop,
}


def compared(
    subject: str,
    reference: str,
    unit: str,
    tasks: tuple[str, str],
    arguments: tuple[str, ...],
    *,
    target: float | None = NEVER_SLOWER,
) -> Row:
    """Measure one row; what both sides find must agree, where the plain one finds all.

    Raises
    ------
    RuntimeError
        If it does not.
    """
    answers: list[dict[str, Any]] = []

    def ask(task: str) -> float:
        answers.append(child("plain.py", task, *arguments))
        return float(answers[-1]["cpu"])

    pairs = alternate(lambda: ask(tasks[0]), lambda: ask(tasks[1]), samples=SAMPLES, warm_ups=0)
    ours, theirs = answers[-2:]
    if theirs["answer"] is not None:
        both = zip(ours["answer"], theirs["answer"], strict=True)
        if any(abs(one - other) > TOLERANCE for one, other in both):
            raise RuntimeError(f"{subject}: {ours['answer']} against {theirs['answer']}")
    sets = theirs.get("sets")
    tried = "" if sets is None else f"{sets:,} sets, "
    note = tried + ("the same found" if theirs["answer"] else f"time from {SOME:,} random ones")
    line = row("plain", subject, reference, unit, pairs, target=target, note=note)
    print_rows([line])
    return line


def measure() -> list[Row]:
    """Measure errors, decoding and peeling."""
    lstsq = "`numpy.linalg.lstsq`"
    questions = [(f"err_{s} of {label}", name, str(s)) for name, label, s in ERRORS]
    questions += [
        (f"err_S for all S, circulant, N = {n}", f"circulant-{n}", "all") for n in PROFILES
    ]
    rows = [
        compared(subject, f"{lstsq} for each set", "s CPU", ("error", "sets"), (name, asked))
        for subject, name, asked in questions
    ]
    rows += [
        compared(
            f"one decoding of {label}, {s} stragglers{how and ', '}{how}",
            lstsq,
            "ms CPU",
            ("decoding", "lstsq"),
            (name, str(s), how),
            target=TARGETS[how],
        )
        for name, label, s, how in DECODINGS
    ]
    rows.append(
        compared(
            f"peeling of {PEELED:,} workers and a hundred thousand edges, 5% late",
            "a loop in plain Python",
            "ms CPU",
            ("peeling", "loop"),
            (str(PEELED),),
        )
    )
    return rows


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        _, _, task, *arguments = sys.argv
        print(json.dumps(TASKS[task](*arguments)))  # type: ignore[operator]
    else:
        measure()
