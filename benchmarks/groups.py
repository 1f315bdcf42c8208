"""Groups and isomorphism of planes against GAP's DESIGN package, and a resolution against a minute.

Both sides get bare blocks, points renamed at random, and count the CPU time of what they do with
them, GAP's with that of the programs that it calls. Every sample is a fresh process.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measuring import Row, alternate, child, environment, print_rows, row

SAMPLES = 5
ORDERS = (9, 16, 25)
ISOMORPHISM_ORDER = 8
MAX_RATIO = 1.0
MINUTE = 60_000.0

TASKS = {"group": "group of PG(2,{})", "isomorphism": "PG(2,{}) isomorphic to a renamed copy"}

GAP = """
LoadPackage("design");;
spent := function()
    local times;
    times := Runtimes();
    return times.user_time + times.system_time
        + times.user_time_children + times.system_time_children;
end;;
one := {one};;
other := {other};;
start := spent();;
if "{task}" = "group" then
    answer := Size(AutomorphismGroup(BlockDesign({v}, one)));;
else
    answer := IsIsomorphicBlockDesign(BlockDesign({v}, one), BlockDesign({v}, other));;
fi;
Print("[", spent() - start, ", \\"", answer, "\\"]\\n");
QUIT;
"""


def renamed_blocks(q: int, seed: int) -> tuple[int, list[list[int]]]:
    """Return the number of points of PG(2,q), and its blocks with renamed points."""
    import numpy as np

    from gcdesign.designs import projective_geometry

    plane = projective_geometry(q)
    rng = np.random.default_rng(seed)
    rows = rng.permutation(plane.v)[plane.indices.reshape(plane.b, -1)]
    return plane.v, np.sort(rows, axis=1)[rng.permutation(plane.b)].tolist()


def run_child(task: str, q: int) -> None:
    """Do one task once and print CPU milliseconds and the answer as JSON."""
    from gcdesign.designs import BlockDesign
    from gcdesign.designs.symmetry import automorphism_group, isomorphism
    from gcdesign.designs.tools import find_resolution

    if task == "resolution":
        from gcdesign.designs.steiner.random_triples import random_triple_system

        system = random_triple_system(27, seed=q)
        start = time.process_time()
        answer = str(find_resolution(system).status)
    else:
        designs = [BlockDesign.from_blocks(renamed_blocks(q, seed)[1]) for seed in (1, 2)]
        start = time.process_time()
        if task == "group":
            answer = str(automorphism_group(designs[0]).order)
        else:
            answer = str(isomorphism(*designs) is not None).lower()
    print(json.dumps({"cpu": 1000 * (time.process_time() - start), "answer": answer}))


def gap(task: str, q: int) -> dict[str, float | str]:
    """Have GAP do one task once."""
    (v, one), (_, other) = renamed_blocks(q, 1), renamed_blocks(q, 2)
    lists = [[[point + 1 for point in block] for block in blocks] for blocks in (one, other)]
    script = GAP.format(one=lists[0], other=lists[1], v=v, task=task)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "task.g")
        path.write_text(script)
        done = subprocess.run(
            ["gap", "-q", "-A", str(path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            env=environment(),
            text=True,
            check=True,
        )
    spent, answer = json.loads(done.stdout.strip().splitlines()[-1])
    return {"cpu": max(float(spent), 1.0), "answer": answer}


def compared(task: str, q: int, samples: int) -> Row:
    """Measure one task on both sides, whose answers must agree."""

    def ours() -> float:
        found = child("groups.py", task, str(q))
        answers.add(found["answer"])
        return float(found["cpu"])

    def theirs() -> float:
        found = gap(task, q)
        answers.add(str(found["answer"]))
        return float(found["cpu"])

    answers: set[str] = set()
    pairs = alternate(ours, theirs, samples=samples)
    if len(answers) != 1:
        raise RuntimeError(f"{task}, q = {q}: GAP and gcdesign disagree: {answers}")
    subject = TASKS[task].format(q)
    return row("groups", subject, "GAP DESIGN", "ms CPU", pairs, target=MAX_RATIO)


def resolution(samples: int) -> Row:
    """Measure the proof that a random triple system of 27 points has no resolution."""
    pairs = []
    for _ in range(samples + 1):  # the first writes the compiled code
        found = child("groups.py", "resolution", "1")
        if found["answer"] != "impossible":
            raise RuntimeError(f"a random triple system is {found['answer']}, not impossible")
        pairs.append((float(found["cpu"]), MINUTE))
    subject = "STS(27) proved not resolvable"
    return row("groups", subject, "one minute", "ms CPU", pairs[1:], target=MAX_RATIO)


def measure(samples: int = SAMPLES) -> list[Row]:
    """Measure all tasks; those against GAP only where it is installed."""
    rows = [resolution(samples)]
    print_rows(rows)
    if shutil.which("gap") is None:
        print("groups: GAP is not installed, nothing to compare with")
        return rows
    for task, orders in (("group", ORDERS), ("isomorphism", (ISOMORPHISM_ORDER,))):
        for q in orders:
            rows.append(compared(task, q, samples))
            print_rows(rows[-1:])
    return rows


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        run_child(sys.argv[2], int(sys.argv[3]))
    else:
        measure()
