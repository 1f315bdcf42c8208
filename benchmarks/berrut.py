"""Coded computing: encoding and decoding of large inputs against one product of matrices.

Every sample is a fresh process with one thread of BLAS; imports and the data come before the clock.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

from measuring import Row, alternate, child, print_rows, row

SAMPLES = 3
PARTS, WORKERS, SIZE = 64, 64, 1_000_000
"""Data of 512 MB, and as much for the output."""

MAX_PRODUCT = 2.0
ARRIVALS, NUMBERS = 200, 20_000
MAX_ARRIVALS = 0.2
MEGABYTE = 1e6


def measured(call: Any, beyond: int) -> tuple[float, float]:
    """Return CPU seconds of a call, and megabytes that a second one held beyond so many bytes."""
    import tracemalloc

    cpu = time.process_time()
    call()
    cpu = time.process_time() - cpu
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    return cpu, (peak - beyond) / MEGABYTE


def run_encode() -> tuple[float, float]:
    """Return CPU seconds, and megabytes beyond the output, of encoding."""
    import numpy as np

    from gcdesign.codes.computing import BerrutCode

    code = BerrutCode(PARTS, WORKERS)
    data = np.random.default_rng(0).random((PARTS, SIZE))
    return measured(lambda: code.encode(data), WORKERS * SIZE * 8)


def run_decode() -> tuple[float, float]:
    """Return the same of decoding results that lie apart in memory."""
    import numpy as np

    from gcdesign.codes.computing import BerrutCode

    code = BerrutCode(PARTS, WORKERS)
    rng = np.random.default_rng(0)
    results = {worker: rng.random(SIZE) for worker in range(WORKERS)}
    return measured(lambda: code.decode(results), PARTS * SIZE * 8)


def run_product() -> tuple[float, float]:
    """Return the same of one product of the shapes of both."""
    import numpy as np

    matrix = np.random.default_rng(1).random((WORKERS, PARTS))
    data = np.random.default_rng(0).random((PARTS, SIZE))
    return measured(lambda: matrix @ data, WORKERS * SIZE * 8)


def run_arriving() -> tuple[float, float]:
    """Return CPU seconds of decoding on line, with an estimate after each arrival."""
    import numpy as np

    from gcdesign.codes.computing import ArrivingResults

    code, results, order = _arrivals()
    cpu = time.process_time()
    arriving = ArrivingResults(code)
    for worker in order:
        arriving.add(worker, results[worker])
        arriving.estimate()
    found = arriving.finish()
    cpu = time.process_time() - cpu
    if not np.allclose(found, code.decode(results)):
        raise RuntimeError("on line something else is decoded")
    return cpu, 0.0


def run_anew() -> tuple[float, float]:
    """Return CPU seconds of decoding anew after each arrival."""
    code, results, order = _arrivals()
    cpu = time.process_time()
    for count in range(1, ARRIVALS + 1):
        code.decode({worker: results[worker] for worker in order[:count]})
    return time.process_time() - cpu, 0.0


def _arrivals() -> tuple[Any, dict[int, Any], list[int]]:
    import numpy as np

    from gcdesign.codes.computing import BerrutCode

    code = BerrutCode(8, ARRIVALS)
    rng = np.random.default_rng(0)
    results = {worker: rng.random(NUMBERS) for worker in range(ARRIVALS)}
    return code, results, rng.permutation(ARRIVALS).tolist()


TASKS = {
    "encode": run_encode,
    "decode": run_decode,
    "product": run_product,
    "arriving": run_arriving,
    "anew": run_anew,
}


def measure(samples: int = SAMPLES) -> list[Row]:
    """Measure encoding, decoding and decoding on line."""
    rows = []
    for task, what in (("encode", "inputs encoded for"), ("decode", "values decoded from")):
        beyond: list[float] = []

        def ours(task: str = task, beyond: list[float] = beyond) -> float:
            found = child("berrut.py", task)
            beyond.append(float(found["beyond"]))
            return float(found["cpu"])

        pairs = alternate(
            ours, lambda: float(child("berrut.py", "product")["cpu"]), samples=samples
        )
        rows.append(
            row(
                "berrut",
                f"{PARTS} {what} {WORKERS} workers, {SIZE:,} numbers each",
                "one numpy product of the same shapes",
                "s CPU",
                pairs,
                target=MAX_PRODUCT,
                note=f"{max(beyond):.1f} MB held beyond the output",
            )
        )
        print_rows(rows[-1:])
    rows.append(
        row(
            "berrut",
            f"{ARRIVALS} results decoded on line, an estimate after each",
            "decoding anew after each",
            "s CPU",
            alternate(
                lambda: float(child("berrut.py", "arriving")["cpu"]),
                lambda: float(child("berrut.py", "anew")["cpu"]),
                samples=samples,
            ),
            target=MAX_ARRIVALS,
            note=f"{NUMBERS:,} numbers each, K = 8",
        )
    )
    print_rows(rows[-1:])
    return rows


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        cpu, beyond = TASKS[sys.argv[2]]()
        print(json.dumps({"cpu": cpu, "beyond": beyond}))
    else:
        measure()
