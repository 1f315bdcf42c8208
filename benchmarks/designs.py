"""Designs against SageMath and GAP: building, operations, groups, existence, first steps.

Each program gets the same tasks (``design_cases.py``), and what they come to must be equal. Samples
of gcdesign and SageMath are forks of processes that have their imports in place and have done a
small sibling of the task; GAP is started for each sample, and its clock ticks in milliseconds.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import peers
from design_cases import CASES, NEVER_SLOWER, Case, Task, Value
from measuring import Pair, Row, Server, alternate, environment, print_rows, process_cpu, row

if TYPE_CHECKING:
    from gcdesign.designs.existence.parameters import Bibd

SAMPLES, GAP_SAMPLES = 5, 3
PATIENCE = 10.0
"""Seconds of the peer's CPU time after which a row gets no further samples."""

MINUTE = 60_000.0
MAX_V, MAX_R = 200, 41
"""Limits of the parameters whose existence is asked for."""

LABELS = {"sage": "SageMath", "gap": "GAP DESIGN"}

FIRST = "from gcdesign.designs import projective_geometry; projective_geometry(3)"
FIRST_SAGE = "import sage_side; sage_side.designs.projective_plane(3)"
FIRST_GAP = 'LoadPackage("design");; PGPointFlatBlockDesign(2,3,1);; QUIT;'
GAP_COMMAND = ["gap", "-q", "-A", "{script}"]

GAP = """
LoadPackage("design");;
SetPrintFormattingStatus("*stdout*", false);;
{data}
spent := function()
    local times;
    times := Runtimes();
    return times.user_time + times.system_time
        + times.user_time_children + times.system_time_children;
end;;
x := {given};;
start := spent();;
found := {call};;
spent := spent() - start;;
sizes := function(design) return Set(List(design.blocks, Size)); end;;
if IsRecord(found) then
    found := [found.v, Size(found.blocks), sizes(found)];;
fi;
Print("[", spent, ", ", found, "]\\n");
QUIT;
"""


def renamed_planes(q: int) -> dict[str, Any]:
    """Return the blocks of PG(2,q) twice, with points and blocks in two random orders."""
    import numpy as np

    from gcdesign.designs import projective_geometry

    plane = projective_geometry(q)
    rows = plane.indices.reshape(plane.b, -1)

    def copy(seed: int) -> list[list[int]]:
        rng = np.random.default_rng(seed)
        renamed = np.sort(rng.permutation(plane.v)[rows], axis=1)
        blocks: list[list[int]] = renamed[rng.permutation(plane.b)].tolist()
        return blocks

    return {"v": plane.v, "one": copy(1), "other": copy(2)}


def data_of(case: Case, value: Value) -> dict[str, Any]:
    """Return what all sides are given for a value."""
    return renamed_planes(value[0]) if case.renamed else {}


def gap(given: str, call: str, data: dict[str, Any]) -> dict[str, Any]:
    """Have GAP do one task once; CPU milliseconds, and what came out."""
    counted = {
        name: [[point + 1 for point in block] for block in part] if isinstance(part, list) else part
        for name, part in data.items()
    }
    lines = [f"{name} := {part};;" for name, part in counted.items()]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "task.g")
        path.write_text(GAP.format(data="\n".join(lines), given=given or "0", call=call))
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


Ask = Callable[[], dict[str, Any]]


class PeerError(Exception):
    """What a peer was asked for cannot be had of it."""


def compared(ours: Ask, theirs: Ask, samples: int) -> list[Pair]:
    """Ask both sides in turn until there are enough samples, or the peer has used much time.

    Raises
    ------
    PeerError
        If the peer does.
    RuntimeError
        If gcdesign fails, or the two come to different answers.
    """
    pairs: list[Pair] = []
    while len(pairs) < samples and sum(spent for _, spent in pairs) < 1000 * PATIENCE:
        here, there = ours(), theirs()
        if "error" in there:
            raise PeerError(there["error"])
        if here.get("answer") != there["answer"]:
            raise RuntimeError(f"gcdesign: {here}; the peer: {there}")
        pairs.append((here["cpu"], there["cpu"]))
    return pairs


def server(group: str) -> Server:
    """Start a program's side."""
    python = sys.executable if group == "gcdesign" else str(peers.python_of(group))
    return Server([python, str(Path(__file__).with_name(f"{group}_side.py"))])


def tasks(group: str) -> Iterator[tuple[Case, Task, Value]]:
    """Yield what a program is asked."""
    for case in CASES:
        task = {"sage": case.sage, "gap": case.gap}[group]
        if task is not None:
            yield from ((case, task, value) for value in case.values)


def measured(
    group: str, case: Case, value: Value, ours: Server, theirs: Ask, samples: int
) -> list[Row]:
    """Measure one row, and print it; none where the peer fails, which is printed too."""
    subject, label = case.subject.format(*value), LABELS[group]
    try:
        pairs = compared(asking(ours, case, case.ours, value), theirs, samples)
    except PeerError as error:
        print(f"{subject}: {label} fails, {error}", flush=True)
        return []
    target = case.target if group == "sage" else NEVER_SLOWER
    rows = [row(group, subject, label, "ms CPU", pairs, target=target)]
    print_rows(rows)
    return rows


def asking(side: Server, case: Case, task: Task, value: Value) -> Ask:
    """Return what asks a server once."""
    small, data = task.filled(case.small), data_of(case, value)
    return partial(side.ask, small=small, task=task.filled(value), data=data)


def measure_sage(samples: int = SAMPLES) -> list[Row]:
    """Measure everything that is asked of SageMath."""
    if peers.is_missing("sage"):
        return []
    rows = [first_design("sage", samples)]
    with server("gcdesign") as ours, server("sage") as sage:
        for case, task, value in tasks("sage"):
            theirs = asking(sage, case, task, value)
            rows += measured("sage", case, value, ours, theirs, samples)
        rows.append(existence(ours, sage))
        print_left_out(sage)
    return rows


def measure_gap(samples: int = GAP_SAMPLES) -> list[Row]:
    """Measure everything that is asked of GAP."""
    if peers.is_missing("gap"):
        return []
    rows = [first_design("gap", samples)]
    with server("gcdesign") as ours:
        for case, task, value in tasks("gap"):
            theirs = partial(gap, *task.filled(value), data_of(case, value))
            rows += measured("gap", case, value, ours, theirs, samples)
    return rows


def first_design(group: str, samples: int) -> Row:
    """Measure whole processes that start, import and build their first plane."""
    command = {"sage": [str(peers.python_of("sage")), "-c", FIRST_SAGE], "gap": GAP_COMMAND}[group]
    with tempfile.TemporaryDirectory() as name:
        script = Path(name, "first.g")
        script.write_text(FIRST_GAP)
        theirs = [part.format(script=script) for part in command]
        pairs = alternate(
            partial(process_cpu, [sys.executable, "-c", FIRST], folder=Path(__file__).parent),
            partial(process_cpu, theirs, folder=Path(__file__).parent),
            samples=samples,
        )
    subject = "start and first design, PG(2,3)"
    line = row(group, subject, LABELS[group], "ms CPU", pairs, target=NEVER_SLOWER)
    print_rows([line])
    return line


def existence(ours: Server, sage: Server) -> Row:
    """Measure whether designs exist, for all admissible parameters up to a limit.

    Raises
    ------
    RuntimeError
        If gcdesign refutes what SageMath has, or says that something exists and cannot build it.
    """
    from gcdesign.designs.existence.catalogue import admissible

    wanted = [one for one in admissible(MAX_R, MAX_V) if 2 * one.k <= one.v]
    request = {
        "small": ("", "existence(7, 3, 1)"),
        "task": ("", "[existence(*one) for one in wanted]"),
        "data": {"wanted": [(one.v, one.k, one.lambda_) for one in wanted]},
    }
    answers = [side.ask(**request) for side in (ours, sage)]
    triples = list(zip(wanted, answers[0]["answer"], answers[1]["answer"], strict=True))
    if any(pair == ["impossible", "exists"] for _, *pair in triples):
        raise RuntimeError("gcdesign refutes a design that SageMath has")
    denied = [one for one, *pair in triples if pair == ["exists", "impossible"]]
    built = sum(_is_built(one) for one in denied)
    settled = [sum(answer != "unknown" for answer in side["answer"]) for side in answers]
    line = row(
        "sage",
        f"whether designs exist, all {len(wanted)} parameters with v ≤ {MAX_V}, r ≤ {MAX_R}",
        LABELS["sage"],
        "ms CPU",
        [(answers[0]["cpu"], answers[1]["cpu"])],
        note=f"{settled[0]} settled against {settled[1]}, which wrongly denies {len(denied)}: "
        f"{built} of them built here and proved",
    )
    print_rows([line])
    return line


def _is_built(wanted: Bibd) -> bool:
    """Build a design and prove it from its blocks; False where it is known by a theorem alone."""
    from gcdesign.designs import bibd
    from gcdesign.errors import LimitError

    try:
        bibd(wanted.v, wanted.k, wanted.lambda_)
    except LimitError:
        return False
    return True


def print_left_out(sage: Server) -> None:
    """Print which designs of SageMath's catalogue have no row."""
    names = sage.ask(small=("", "0"), task=("", "catalogue()"), data={})["answer"]
    calls = " ".join(task.call for _, task, _ in tasks("sage"))
    left = [name for name in names if f"designs.{name}" not in calls]
    print(f"of SageMath's catalogue without a row: {', '.join(left)}", flush=True)


def measure_resolution(samples: int = SAMPLES) -> list[Row]:
    """Measure the proof that a random triple system of 27 points has no resolution."""
    request = {
        "small": ("", "resolvable(9, 1)"),
        "task": ("", "resolvable(27, 1)"),
        "data": {},
    }
    with server("gcdesign") as ours:
        found = [ours.ask(**request) for _ in range(samples)]
    if any(one["answer"] != "impossible" for one in found):
        raise RuntimeError(f"a random triple system is not resolvable, but gcdesign says {found}")
    subject = "STS(27) proved not resolvable"
    pairs = [(one["cpu"], MINUTE) for one in found]
    rows = [row("designs", subject, "one minute", "ms CPU", pairs, target=NEVER_SLOWER)]
    print_rows(rows)
    return rows


if __name__ == "__main__":
    measure_sage()
    measure_gap()
    measure_resolution()
