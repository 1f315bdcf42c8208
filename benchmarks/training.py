"""Simulated training: the Python layer of a step, waiting times, and the start of a run.

Every sample is a fresh process; CPU times, in one thread.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from measuring import Pair, Row, alternate, child, print_rows, row

SAMPLES = 5
STEPS = 1000
WORKERS, STRAGGLERS = 12, 2
MILLION = 1_000_000
LAW = "shifted-exp:shift=1,rate=2"
LARGE, FEW = 40, 3
SOLVED = 50
"""Rows of the published code's table that are solved, to stand for all of them."""

MAX_LAYER, MAX_WAITS, MAX_START = 1.0, 0.1, 0.05
MILLISECOND = 1000.0


def tiny_problem() -> Any:
    """Return a problem of 4 parameters, so that the gradients take next to no time."""
    import numpy as np

    from gcdesign.training.problems import Data, Logistic

    return Logistic(Data(np.ones((24, 4)), np.tile([0.0, 1.0], 12)))


def run_layer() -> float:
    """Return CPU microseconds of one simulated step with messages, decoding and update."""
    from gcdesign.training import (
        Nesterov,
        Plan,
        RandomWorkers,
        Rate,
        Slowed,
        make_scheme,
        simulate,
        steady,
    )

    scheme = make_scheme("cyclic", workers=WORKERS, stragglers=STRAGGLERS)
    model = Slowed(steady(1), RandomWorkers(STRAGGLERS), delay=5)
    problem, optimiser = tiny_problem(), Nesterov(Rate(0.1))
    simulate(problem, scheme, optimiser, model, plan=Plan(100, 0))
    cpu = time.process_time()
    simulate(problem, scheme, optimiser, model, plan=Plan(STEPS, 0))
    return 1e6 * (time.process_time() - cpu) / STEPS


def run_waits() -> float:
    """Return CPU milliseconds of the waiting times of a million steps."""
    from gcdesign.training import make_scheme, waiting_times
    from gcdesign.training.stragglers.reading import parse_times

    scheme, model = make_scheme("frc", workers=WORKERS, stragglers=STRAGGLERS), parse_times(LAW)
    waiting_times(scheme, model, steps=1000)
    cpu = time.process_time()
    waiting_times(scheme, model, steps=MILLION)
    return 1e3 * (time.process_time() - cpu)


def run_events() -> float:
    """Return CPU milliseconds of the same, one message after the other, from some of the steps."""
    import numpy as np

    from gcdesign.training import make_scheme
    from gcdesign.training.scheme import Scheme
    from gcdesign.training.stragglers import Timeline
    from gcdesign.training.stragglers.reading import parse_times

    scheme, model = make_scheme("frc", workers=WORKERS, stragglers=STRAGGLERS), parse_times(LAW)
    timeline = Timeline(model, np.full(WORKERS, 3.0), seed=0)
    cpu, some = time.process_time(), 0
    for number in range(8):
        arrivals = timeline.block(number).arrivals(np.ones((WORKERS, 1)))
        Scheme.waits(scheme, arrivals)
        some += len(arrivals)
    return 1e3 * (time.process_time() - cpu) / some * MILLION


def run_start() -> float:
    """Return CPU milliseconds from a scheme's name to the decoding of a first set."""
    from gcdesign.training import make_scheme

    make_scheme("cyclic", workers=5, stragglers=1).decode([(0, 0), (1, 0), (2, 0), (3, 0)])
    cpu = time.process_time()
    scheme = make_scheme("cyclic", workers=LARGE, stragglers=FEW)
    scheme.decode([(w, 0) for w in range(FEW, LARGE)])
    return 1e3 * (time.process_time() - cpu)


def run_table() -> float:
    """Return CPU milliseconds of a table of all C(40, 3) decoders, from some of its rows."""
    from itertools import combinations, islice
    from math import comb

    import numpy as np

    from gcdesign import load_code

    matrix = load_code(f"cyclic:workers={LARGE},stragglers={FEW}").dense_encoding()
    count = comb(LARGE, FEW)
    sets = list(islice(combinations(range(LARGE), FEW), 0, None, count // SOLVED))
    cpu = time.process_time()
    for silent in sets:
        np.linalg.lstsq(np.delete(matrix, silent, axis=0).T, np.ones(LARGE), rcond=None)
    return 1e3 * (time.process_time() - cpu) / len(sets) * count


RUNS = {
    "layer": run_layer,
    "waits": run_waits,
    "events": run_events,
    "start": run_start,
    "table": run_table,
}


def sample(name: str) -> float:
    """Return one measurement in a fresh process."""
    return float(child("training.py", name)["value"])


def measure() -> list[Row]:
    """Measure and print all rows."""
    layer: list[Pair] = [(sample("layer"), MILLISECOND) for _ in range(SAMPLES)]
    waits = alternate(lambda: sample("waits"), lambda: sample("events"), samples=SAMPLES)
    start = alternate(lambda: sample("start"), lambda: sample("table"), samples=SAMPLES)
    rows = [
        row(
            "training",
            f"a simulated step at N = {WORKERS}: messages, decoding, update",
            "one millisecond",
            "CPU µs",
            layer,
            target=MAX_LAYER,
        ),
        row(
            "training",
            "waiting times of a million steps of fractional repetition",
            "message by message, from some of the steps",
            "CPU ms",
            waits,
            target=MAX_WAITS,
        ),
        row(
            "training",
            f"start of a run at N = {LARGE}, S = {FEW}",
            "a table of all decoders, from some of its rows",
            "CPU ms",
            start,
            target=MAX_START,
        ),
    ]
    print_rows(rows)
    return rows


if __name__ == "__main__":
    if "--child" in sys.argv:
        print(json.dumps({"value": RUNS[sys.argv[-1]]()}))
    else:
        measure()
