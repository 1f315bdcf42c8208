"""Building large projective planes, against writing an index array of the same size.

Every sample is a fresh process, so that both sides write to fresh memory and neither finds
tables that an earlier sample has left.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

from measuring import Pair, Row, alternate, child, print_rows, row

SAMPLES = 15
ORDERS = {128: 5.0, 256: 3.0, 512: 3.0}
"""Orders of the planes, and the greatest ratios of times aimed at."""

MAX_MEMORY_RATIO = 4.0

IDLE_SECONDS = 0.1
"""Rest after the imports: a BLAS's threads spin for a while after they are made, and that is
CPU time of the process, but not of what is measured."""


def incidences(q: int) -> int:
    """Return the number of incidences of PG(2, q)."""
    return (q * q + q + 1) * (q + 1)


def memory() -> tuple[float, float]:
    """Return the resident memory now and its peak so far, in MiB.

    From Linux' /proc where it is there; elsewhere the peak stands for both.
    """
    status = Path("/proc/self/status")
    if status.exists():
        fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return int(fields["VmRSS"].split()[0]) / 1024, int(fields["VmHWM"].split()[0]) / 1024
    unit = 2**20 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    return peak, peak


def run_child(task: str, q: int) -> None:
    """Do one task once and print CPU milliseconds and growth of the peak as JSON."""
    import numpy as np

    from gcdesign.designs import projective_geometry

    size = incidences(q)
    time.sleep(IDLE_SECONDS)
    before, _ = memory()
    start = time.process_time()
    kept: object = projective_geometry(q) if task == "build" else np.full(size, 1, dtype=np.int32)
    cpu = time.process_time() - start
    _, peak = memory()
    del kept
    print(json.dumps({"cpu": 1000 * cpu, "peak": peak - before}))


def measure_order(q: int, samples: int) -> list[Row]:
    """Measure time and memory of one plane."""
    growth: list[float] = []

    def ours() -> float:
        answer = child("planes.py", "build", str(q))
        growth.append(answer["peak"])
        return float(answer["cpu"])

    def theirs() -> float:
        return float(child("planes.py", "write", str(q))["cpu"])

    times = alternate(ours, theirs, samples=samples)
    array = incidences(q) * 4 / 2**20
    peaks: list[Pair] = [(peak, array) for peak in growth[-samples:]]
    subject, reference = f"PG(2,{q}) built", f"int32 array of {incidences(q):,} entries"
    return [
        row("planes", subject, f"{reference}, written", "ms CPU", times, target=ORDERS[q]),
        row(
            "planes",
            f"{subject}, growth of peak memory",
            f"{reference}, its size",
            "MiB",
            peaks,
            target=MAX_MEMORY_RATIO,
        ),
    ]


def measure(samples: int = SAMPLES) -> list[Row]:
    """Measure all orders."""
    rows = []
    for q in ORDERS:
        rows += measure_order(q, samples)
        print_rows(rows[-2:])
    return rows


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        run_child(sys.argv[2], int(sys.argv[3]))
    else:
        measure()
