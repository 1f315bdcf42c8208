"""Coded computing: encoding and decoding of large inputs against one product of matrices.

Every sample is a fresh process with one thread of BLAS, which measures both sides in turn; imports
and the data come before the clock.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

from measuring import Row, child, print_rows, row

SAMPLES = 3
RUNS = 4
PARTS, WORKERS, SIZE = 64, 64, 1_000_000
"""Data of 512 MB, and as much for the output."""

MAX_PRODUCT = 2.0
ARRIVALS, NUMBERS = 200, 20_000
MAX_ARRIVALS = 0.2
MEGABYTE = 1e6


def beside_a_product(call: Any, product: Any, beyond: int) -> dict[str, float]:
    """Return CPU seconds of a call and of a product, and megabytes held beyond so many bytes.

    The least of a few alternating runs: new memory costs now little, now a second.
    """
    import tracemalloc

    best = {"cpu": float("inf"), "product": float("inf")}
    for _ in range(RUNS):
        for name, work in (("cpu", call), ("product", product)):
            start = time.process_time()
            work()
            best[name] = min(best[name], time.process_time() - start)
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    return best | {"beyond": (peak - beyond) / MEGABYTE}


def run_encode() -> dict[str, float]:
    """Measure encoding, and one product of the same shapes."""
    import numpy as np

    from gcdesign.codes.computing import BerrutCode

    code = BerrutCode(PARTS, WORKERS)
    data = np.random.default_rng(0).random((PARTS, SIZE))
    matrix = code.encoding.copy()
    return beside_a_product(lambda: code.encode(data), lambda: matrix @ data, WORKERS * SIZE * 8)


def run_decode() -> dict[str, float]:
    """Measure decoding of results that lie apart in memory, and one product of the same shapes."""
    import numpy as np

    from gcdesign.codes.computing import BerrutCode

    code = BerrutCode(PARTS, WORKERS)
    together = np.random.default_rng(0).random((WORKERS, SIZE))
    results = {worker: row.copy() for worker, row in enumerate(together)}
    matrix = code.decoding(range(WORKERS))
    return beside_a_product(
        lambda: code.decode(results), lambda: matrix @ together, PARTS * SIZE * 8
    )


def run_arriving() -> dict[str, float]:
    """Measure decoding on line, an estimate after each arrival, and decoding anew after each."""
    import numpy as np

    from gcdesign.codes.computing import ArrivingResults

    code, results, order = _arrivals()
    start = time.process_time()
    arriving = ArrivingResults(code)
    for worker in order:
        arriving.add(worker, results[worker])
        arriving.estimate()
    found = arriving.finish()
    ours = time.process_time() - start
    start = time.process_time()
    for count in range(1, ARRIVALS + 1):
        anew = code.decode({worker: results[worker] for worker in order[:count]})
    if not np.allclose(found, anew):
        raise RuntimeError("on line something else is decoded")
    return {"cpu": ours, "anew": time.process_time() - start}


def _arrivals() -> tuple[Any, dict[int, Any], list[int]]:
    import numpy as np

    from gcdesign.codes.computing import BerrutCode

    code = BerrutCode(8, ARRIVALS)
    rng = np.random.default_rng(0)
    results = {worker: rng.random(NUMBERS) for worker in range(ARRIVALS)}
    return code, results, rng.permutation(ARRIVALS).tolist()


TASKS = {"encode": run_encode, "decode": run_decode, "arriving": run_arriving}


def measure(samples: int = SAMPLES) -> list[Row]:
    """Measure encoding, decoding and decoding on line."""
    rows = []
    for task, what in (("encode", "inputs encoded for"), ("decode", "values decoded from")):
        found = [child("berrut.py", task) for _ in range(samples)]
        beyond = max(one["beyond"] for one in found)
        rows.append(
            row(
                "berrut",
                f"{PARTS} {what} {WORKERS} workers, {SIZE:,} numbers each",
                "one numpy product of the same shapes",
                "s CPU",
                [(one["cpu"], one["product"]) for one in found],
                target=MAX_PRODUCT,
                note=f"{beyond:.1f} MB held beyond the output",
            )
        )
        print_rows(rows[-1:])
    found = [child("berrut.py", "arriving") for _ in range(samples)]
    rows.append(
        row(
            "berrut",
            f"{ARRIVALS} results decoded on line, an estimate after each",
            "decoding anew after each",
            "s CPU",
            [(one["cpu"], one["anew"]) for one in found],
            target=MAX_ARRIVALS,
            note=f"{NUMBERS:,} numbers each, K = 8",
        )
    )
    print_rows(rows[-1:])
    return rows


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        print(json.dumps(TASKS[sys.argv[2]]()))
    else:
        measure()
