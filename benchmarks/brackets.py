"""Worst errors without a closed form: how near a proved upper end comes to the best attack.

Each line sets the upper end against the error of an attack, decoded anew from its silent workers;
CPU time and effort of the proof are in the note. Where the search finds a worse set than the
attack that it started from, that set is the attack, and the value is exact if the proof ends.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from measuring import Row, child, print_rows, row

DATA = Path(__file__).with_name("data")

LIMIT_SECONDS = 600.0
"""Wall-clock limit of one proof."""

SHARP = 1.00001
"""Factor over an attack for a proof that nothing is worse."""


@dataclass(frozen=True)
class Task:
    """One proof.

    Attributes
    ----------
    name, label
        The instance, for this script and for a reader.
    attack
        Silent workers; empty for the holders of four parts in a cycle.
    factor
        The target over the attack's error; None for the bound at the root alone.
    ratio
        The greatest ratio of the upper end to the attack that is aimed at.
    """

    name: str
    label: str
    attack: tuple[int, ...]
    factor: float | None
    ratio: float


REGULAR = "random 10-regular code, N = K = 91"
SMALL = "half of the Ramanujan graph LPS(13,5), N = K = 60, L = 14"
HALF = "half of the Ramanujan graph LPS(5,13), N = K = 1092, L = 6"
LPS_ATTACK = (2, 4, 6, 7, 8, 10, 12, 14, 17, 21, 22, 24, 31, 35, 37, 38, 47, 52, 54, 57)
TASKS = (
    Task("regular-91-10", REGULAR, (30, 40, 45, 48, 54, 57, 67, 70, 79, 89), SHARP, SHARP),
    Task(
        "regular-91-10",
        REGULAR,
        (0, 1, 2, 9, 13, 14, 19, 25, 31, 46, 54, 58, 62, 63, 65, 68, 70, 71, 82, 89),
        1.25,
        1.25,
    ),
    Task("lps-13-5", SMALL, LPS_ATTACK, None, 1.03),
    Task("lps-5-13", HALF, (), None, 1.6),
)


def encoding(name: str) -> Any:
    """Return the encoding matrix of an instance."""
    if name.startswith("lps"):
        from ramanujan import lps_half

        _, p, q = name.split("-")
        return lps_half(int(p), int(q))
    from gcdesign import load_code

    return load_code(str(DATA / f"{name}.mtx")).dense_encoding()


def automorphisms(matrix: Any) -> list[list[int]]:
    """Return generators of the automorphism group, on the workers."""
    import numpy as np
    import pynauty

    workers, parts = matrix.shape
    neighbours = {w: (workers + np.flatnonzero(matrix[w])).tolist() for w in range(workers)}
    graph = pynauty.Graph(
        workers + parts,
        adjacency_dict=neighbours,
        vertex_coloring=[set(range(workers)), set(range(workers, workers + parts))],
    )
    return [generator[:workers] for generator in pynauty.autgrp(graph)[0]]


def holders_of_a_cycle(matrix: Any) -> tuple[int, ...]:
    """Return the holders of four parts of which each shares a worker with the next, in a cycle."""
    import numpy as np

    shared = matrix.T @ matrix - np.diag(matrix.sum(axis=0)) > 0
    for first in range(len(shared)):
        beside = np.flatnonzero(shared[first])
        for other in range(first + 1, len(shared)):
            common = [part for part in beside if shared[other, part]]
            if shared[first, other]:
                continue
            for a, b in combinations(common, 2):
                if not shared[a, b]:
                    held = matrix[:, [first, other, a, b]].any(axis=1)
                    return tuple(np.flatnonzero(held).tolist())
    raise ValueError("no four parts in a cycle")


def run_root(name: str, attack: tuple[int, ...]) -> dict[str, Any]:
    """Compute the semidefinite bound with the code's automorphisms."""
    from gcdesign import GradientCode, Settings
    from gcdesign.adversary.semidefinite import semidefinite_bound
    from gcdesign.adversary.settings import Watch

    matrix = encoding(name)
    code = GradientCode.from_matrix(matrix)
    attack = attack or holders_of_a_cycle(matrix)
    error = code.decode(attack).error
    cpu = time.process_time()
    upper, _ = semidefinite_bound(
        code, len(attack), watch=Watch(Settings()), generators=automorphisms(matrix)
    )
    cpu = time.process_time() - cpu
    note = f"{cpu:.0f} s CPU"
    return {"upper": float(upper), "attack": error, "note": note}


def run_proof(name: str, attack: tuple[int, ...], factor: float) -> dict[str, Any]:
    """Prove that nothing exceeds the target, or find what does."""
    from gcdesign import GradientCode, Settings
    from gcdesign.adversary.quadratic import sparse_quadratic
    from gcdesign.adversary.relaxed_tree import prove
    from gcdesign.adversary.settings import Watch

    code = GradientCode.from_matrix(encoding(name))
    cpu = time.process_time()
    error = code.decode(attack).error
    quadratic = sparse_quadratic(code)
    assert quadratic is not None
    watch = Watch(Settings(time_limit=LIMIT_SECONDS))
    proof = prove(quadratic, len(attack), error * factor, watch=watch, max_sets=20_000_000)
    cpu = time.process_time() - cpu
    if proof.found is not None:
        error = code.decode(proof.found.workers).error
    upper = proof.upper if proof.complete else float(code.parts)
    note = f"{cpu:.0f} s CPU, {proof.nodes} cases, {proof.sets:.2g} sets searched"
    return {"upper": upper, "attack": error, "note": note}


def measure() -> list[Row]:
    """Measure all proofs, each in a fresh process."""
    rows = []
    for number, task in enumerate(TASKS):
        answer = child("brackets.py", str(number))
        rows.append(
            row(
                "brackets",
                f"err_{len(task.attack) or 20} of a {task.label}, proved upper end",
                "best attack",
                "squared error",
                [(answer["upper"], answer["attack"])],
                target=task.ratio,
                note=answer["note"],
            )
        )
        print_rows(rows[-1:])
    return rows


def run_child(number: str) -> None:
    """Do one task and print its JSON line."""
    task = TASKS[int(number)]
    if task.factor is None:
        answer = run_root(task.name, task.attack)
    else:
        answer = run_proof(task.name, task.attack, task.factor)
    print(json.dumps(answer))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        run_child(*sys.argv[2:])
    else:
        measure()
