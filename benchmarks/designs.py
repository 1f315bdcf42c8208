"""Building designs: against SageMath's recorded times, and against GAP's DESIGN package.

Sage's times are those of ``benchmarks/data/sage-designs.json``, measured once on a like machine,
since Sage does not share an environment; what is built here is proved from its blocks as well,
and every sample is a fresh process. GAP is asked in the same run, where it is installed.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from measuring import Row, alternate, child, environment, print_rows, row

SAMPLES = 5
NEVER_SLOWER = 1.0
HUNDREDTH = 0.01
TWENTIETH = 0.05

RECORDED = Path(__file__).parent / "data" / "sage-designs.json"

CASES: dict[str, tuple[str, float]] = {
    "PG(2,9) built": ("pg:q=9", NEVER_SLOWER),
    "PG(2,32) built": ("pg:q=32", NEVER_SLOWER),
    "PG(2,64) built": ("pg:q=64", NEVER_SLOWER),
    "PG(2,128) built": ("pg:q=128", NEVER_SLOWER),
    "AG(2,32) built": ("ag:q=32", HUNDREDTH),
    "AG(2,49) built": ("ag:q=49", HUNDREDTH),
    "AG(2,64) built": ("ag:q=64", HUNDREDTH),
    "PG(3,9), points and planes, built": ("pg:q=9,dim=3,flats=2", NEVER_SLOWER),
    "STS(301) built": ("sts:points=301", TWENTIETH),
    "STS(601) built": ("sts:points=601", TWENTIETH),
    "STS(999) built": ("sts:points=999", TWENTIETH),
    "(1000,4,1) built": ("bibd 1000 4", NEVER_SLOWER),
    "(1001,5,1) built": ("bibd 1001 5", NEVER_SLOWER),
    "Hadamard matrix of order 428": ("matrix 428", NEVER_SLOWER),
    "Hadamard matrix of order 1024": ("matrix 1024", NEVER_SLOWER),
    "dual of PG(2,32)": ("dual pg:q=32", HUNDREDTH),
    "complement of PG(2,32)": ("complement pg:q=32", HUNDREDTH),
    "pairs of PG(2,32) counted": ("count pg:q=32", NEVER_SLOWER),
}
"""What is measured, and the greatest ratio to Sage's time aimed at."""

GAP_CASES = {
    "PG(2,32) built": ("pg:q=32", "PGPointFlatBlockDesign(2,32,1)"),
    "PG(2,64) built": ("pg:q=64", "PGPointFlatBlockDesign(2,64,1)"),
    "AG(2,49) built": ("ag:q=49", "AGPointFlatBlockDesign(2,49,1)"),
    "AG(2,64) built": ("ag:q=64", "AGPointFlatBlockDesign(2,64,1)"),
}

GAP = """
LoadPackage("design");;
start := Runtime();;
answer := {call};;
Print(Runtime() - start, "\\n");
QUIT;
"""


def task_of(what: str) -> Callable[[], object]:
    """Return the piece of work, with what it works on already built."""
    from gcdesign.designs import bibd, build, complement, dual, parse_spec, verify
    from gcdesign.designs.counting import concurrence_rows
    from gcdesign.designs.hadamard import hadamard_matrix

    verb, _, rest = what.partition(" ")
    match verb:
        case "bibd":
            v, k = map(int, rest.split())
            return lambda: bibd(v, k, 1)
        case "matrix":
            return lambda: hadamard_matrix(int(rest))
        case "dual" | "complement":
            design = build(parse_spec(rest))
            return lambda: (dual if verb == "dual" else complement)(design)
        case "count":
            design = build(parse_spec(rest))
            return lambda: [rows.max() for _, rows in concurrence_rows(design)]
        case "only":
            return lambda: build(parse_spec(rest))
    return lambda: verify(build(parse_spec(what)))


def run_child(what: str) -> None:
    """Do one task once and print CPU milliseconds as JSON."""
    task = task_of(what)
    start = time.process_time()
    kept = task()
    print(json.dumps({"cpu": 1000 * (time.process_time() - start)}))
    del kept


def gap(call: str) -> float:
    """Have GAP build one design once; CPU milliseconds."""
    done = subprocess.run(
        ["gap", "-q", "-A"],
        input=GAP.format(call=call),
        stdout=subprocess.PIPE,
        env=environment(),
        text=True,
        check=True,
    )
    return max(float(done.stdout.strip().splitlines()[-1]), 1.0)


def against_sage(samples: int) -> list[Row]:
    """Measure everything against the recorded times."""
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))["milliseconds"]
    rows = []
    for subject, (what, target) in CASES.items():
        times = [float(child("designs.py", what)["cpu"]) for _ in range(samples + 1)][1:]
        pairs = [(ours, float(recorded[subject])) for ours in times]
        rows.append(row("designs", subject, "SageMath 10.8, recorded", "ms", pairs, target=target))
        print_rows(rows[-1:])
    return rows


def against_gap(samples: int) -> list[Row]:
    """Measure what GAP builds, without our proof, as GAP gives none."""
    rows = []
    for subject, (spec, call) in GAP_CASES.items():
        pairs = alternate(
            lambda spec=spec: float(child("designs.py", f"only {spec}")["cpu"]),  # type: ignore[misc]
            lambda call=call: gap(call),  # type: ignore[misc]
            samples=samples,
        )
        rows.append(row("designs", subject, "GAP DESIGN", "ms CPU", pairs, target=NEVER_SLOWER))
        print_rows(rows[-1:])
    return rows


def measure(samples: int = SAMPLES) -> list[Row]:
    """Measure everything; against GAP only where it is installed."""
    rows = against_sage(samples)
    if shutil.which("gap") is None:
        print("designs: GAP is not installed, nothing to compare with")
        return rows
    return rows + against_gap(samples)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        run_child(sys.argv[2])
    else:
        measure()
