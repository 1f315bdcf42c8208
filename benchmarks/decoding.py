"""Decoders and random stragglers at N = 1,000: closed forms, arrivals one by one, a whole curve.

Every sample is a fresh process; imports and building the code come before the clock.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from measuring import Row, alternate, child, print_rows, row

SAMPLES = 5
WORKERS, LOAD = 1000, 30
CLOSED = ("pg:q=31", "ag:q=31", "frc:workers=990,stragglers=29")
"""Codes of about 1,000 workers with loads of 32, 31 and 30, one for each closed form."""

STRAGGLERS = 100
REPEATS = 200
SOLVED = 16
"""Sizes of the least-squares problems that stand for all N of them, evenly spaced."""

TRIALS = 10_000
MINUTE = 60.0
MAX_CLOSED, MAX_INCREMENTAL, MAX_CURVE = 3.0, 1 / 20, 1.0


def regular_matrix() -> Any:
    """Return a random 0/1 matrix of 1,000 workers that hold 30 of 1,000 parts each."""
    import numpy as np

    rng = np.random.default_rng(0)
    matrix = np.zeros((WORKERS, WORKERS))
    for row_ in matrix:
        row_[rng.permutation(WORKERS)[:LOAD]] = 1
    return matrix


def run_closed(name: str) -> float:
    """Return CPU microseconds of one decoding in closed form."""
    import numpy as np

    from gcdesign import load_code

    code = load_code(name)
    silenced = np.random.default_rng(0).permutation(code.workers)[:STRAGGLERS]
    code.decode(silenced)
    cpu = time.process_time()
    for _ in range(REPEATS):
        code.decode(silenced)
    return 1e6 * (time.process_time() - cpu) / REPEATS


def run_product(name: str) -> float:
    """Return CPU microseconds of E v, E the dense N × K matrix of the same code."""
    import numpy as np

    from gcdesign import load_code

    matrix = load_code(name).dense_encoding()
    vector = np.random.default_rng(0).random(matrix.shape[1])
    for _ in range(REPEATS):
        matrix @ vector
    cpu = time.process_time()
    for _ in range(REPEATS):
        matrix @ vector
    return 1e6 * (time.process_time() - cpu) / REPEATS


def run_arrivals() -> float:
    """Return CPU seconds of decoding after each of N arrivals."""
    from gcdesign.codes import GradientCode, IncrementalDecoder

    code = GradientCode.from_matrix(regular_matrix())
    cpu = time.process_time()
    decoder = IncrementalDecoder(code)
    for worker in range(WORKERS):
        decoder.arrive(worker)
        decoder.weights()
    cpu = time.process_time() - cpu
    if abs(decoder.error - decoder.decoding().error) > 1e-6:
        raise RuntimeError(f"{decoder.error} against {decoder.decoding()}")
    return cpu


def run_solving() -> float:
    """Return CPU seconds of N least-squares problems, estimated from some of them."""
    import numpy as np

    matrix = regular_matrix()
    ones = np.ones(WORKERS)
    sizes = np.linspace(WORKERS / SOLVED, WORKERS, SOLVED).astype(int)
    cpu = time.process_time()
    for size in sizes:
        np.linalg.lstsq(matrix[:size].T, ones, rcond=None)
    return (time.process_time() - cpu) * WORKERS / SOLVED


def run_curve() -> float:
    """Return CPU seconds of the expected errors for all S of a code without structure."""
    from gcdesign.codes import GradientCode, Sampling, expected_error_profile
    from gcdesign.codes.random_stragglers import expected_error

    code = GradientCode.from_matrix(regular_matrix())
    expected_error(code, 1, sampling=Sampling(2))  # compiles what is compiled
    cpu = time.process_time()
    means = expected_error_profile(code, sampling=Sampling(TRIALS))
    if means[WORKERS // 2].trials != TRIALS:
        raise RuntimeError(f"{means[WORKERS // 2]}")
    return time.process_time() - cpu


TASKS = {
    "closed": run_closed,
    "product": run_product,
    "arrivals": run_arrivals,
    "solving": run_solving,
    "curve": run_curve,
}


def _ask(task: str, *arguments: str) -> float:
    return float(child("decoding.py", task, *arguments)["cpu"])


def measure(samples: int = SAMPLES) -> list[Row]:
    """Measure closed forms, arrivals and the curve."""
    rows = []
    for name in CLOSED:
        pairs = alternate(
            lambda name=name: _ask("closed", name),  # type: ignore[misc]
            lambda name=name: _ask("product", name),  # type: ignore[misc]
            samples=samples,
        )
        rows.append(
            row(
                "decoding",
                f"one decoding of `{name}`, {STRAGGLERS} stragglers",
                "numpy product of the dense E and a vector",
                "µs CPU",
                pairs,
                target=MAX_CLOSED,
            )
        )
        print_rows(rows[-1:])
    rows.append(
        row(
            "decoding",
            f"weights after each of {WORKERS:,} arrivals, random code of load {LOAD}",
            f"`numpy.linalg.lstsq` {WORKERS:,} times (from {SOLVED} sizes)",
            "s CPU",
            [(_ask("arrivals"), _ask("solving"))],
            target=MAX_INCREMENTAL,
        )
    )
    print_rows(rows[-1:])
    rows.append(
        row(
            "decoding",
            f"expected errors for all S, {TRIALS:,} trials, random code of "
            f"{WORKERS:,} workers and load {LOAD}",
            "one minute",
            "s CPU",
            [(_ask("curve"), MINUTE)],
            target=MAX_CURVE,
        )
    )
    print_rows(rows[-1:])
    return rows


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        _, _, task, *arguments = sys.argv
        print(json.dumps({"cpu": TASKS[task](*arguments)}))  # type: ignore[operator]
    else:
        measure()
