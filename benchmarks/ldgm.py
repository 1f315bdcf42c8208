"""LDGM codes: peeling of large graphs, its growth and its memory, and density evolution.

Every sample is a fresh process; imports, compiling and building the graph come before the clock.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any

from measuring import Row, child, print_rows, row

SAMPLES = 3
MILLION = 1_000_000
SMALL, LARGE = 33_333, 3_333_333
"""Workers of graphs with 10⁵ and 10⁷ edges."""

SECONDS, EDGE_ARRAYS, GROWTH, MILLISECONDS = 1.5, 10.0, 1.1, 10.0
REPEATS = 50


def graph(workers: int) -> Any:
    """Return a placement with three edges a worker on average, K = 0.7 N, repeats dropped."""
    import numpy as np

    from gcdesign.codes import Placement
    from gcdesign.designs.design import BlockDesign, offsets

    rng, parts = np.random.default_rng(0), int(0.7 * workers)
    loads = np.array([1, 3, 3, 3, 3, 3, 3, 3, 4, 4], dtype=np.int64)[np.arange(workers) % 10]
    keys = np.repeat(np.arange(workers), loads) * parts + rng.integers(0, parts, int(loads.sum()))
    keys = np.unique(keys)
    indptr = offsets(np.bincount(keys // parts, minlength=workers))
    return Placement(BlockDesign.from_arrays(parts, indptr, (keys % parts).astype(np.int32)))


class Watch:
    """The greatest memory of this process while a block of code runs, on Linux."""

    def __enter__(self) -> Watch:
        self.before = self.most = self._now()
        self._ended = Event()
        self._thread = Thread(target=self._look)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    @staticmethod
    def _now() -> int:
        status = Path("/proc/self/status").read_text()
        return 1024 * int(status.split("VmRSS:")[1].split()[0])

    def _look(self) -> None:
        while not self._ended.wait(0.001):
            self.most = max(self.most, self._now())


def run_peeling(workers: str, lists: str) -> dict[str, float]:
    """Return CPU seconds of peeling, with the parts' lists of workers or without."""
    import numpy as np

    from gcdesign.codes.ldgm.peeling import peel

    small = graph(100)
    peel(small, [])
    placement = graph(int(workers))
    late = np.random.default_rng(1).permutation(int(workers))[: int(workers) // 20]
    if lists == "without":
        placement.holders  # noqa: B018
    least = float("inf")
    for _ in range(1 if lists != "without" else 5):
        cpu = time.process_time()
        found = peel(placement, late)
        least = min(least, time.process_time() - cpu)
    if found.fraction < 0.9:
        raise RuntimeError(f"only {found.fraction} of the parts recovered")
    return {"cpu": least, "edges": placement.design.incidences}


def run_store(workers: str, path: str) -> dict[str, float]:
    """Write a graph to a file, so that building it leaves no garbage where memory is measured."""
    import numpy as np

    design = graph(int(workers)).design
    np.savez(path, v=design.v, indptr=design.indptr, indices=design.indices)
    return {"edges": design.incidences}


def run_memory(path: str) -> dict[str, float]:
    """Return by how many arrays of the edges memory grows while a graph is peeled."""
    import numpy as np

    from gcdesign.codes import Placement
    from gcdesign.codes.ldgm.peeling import peel
    from gcdesign.designs.design import BlockDesign

    peel(graph(100), [])
    with np.load(path) as stored:
        design = BlockDesign.from_arrays(int(stored["v"]), stored["indptr"], stored["indices"])
    with Watch() as watch:
        peel(Placement(design), range(0, design.b, 20))
    return {"arrays": (watch.most - watch.before) / (4 * design.incidences)}


def memory(samples: int) -> list[float]:
    """Measure the growth of memory for a million workers."""
    with TemporaryDirectory() as folder:
        path = str(Path(folder) / "graph.npz")
        child("ldgm.py", "store", str(MILLION), path)
        return [child("ldgm.py", "memory", path)["arrays"] for _ in range(samples)]


def run_evolution() -> dict[str, float]:
    """Return CPU milliseconds of density evolution to 10⁻¹²."""
    from gcdesign.codes.ldgm.ensemble import Ensemble
    from gcdesign.codes.ldgm.evolution import evolve
    from gcdesign.codes.times import parse_time
    from gcdesign.designs.ensembles.degrees import Degrees, parse_degrees

    ensemble = Ensemble(Degrees.regular(5), parse_degrees("0.05x+0.4x^2+0.55x^3"))
    law = parse_time("exp:rate=2")
    found = evolve(ensemble, law, 1.0)
    if abs(found.edge_erasure - 0.07242499302687569) > 1e-12:
        raise RuntimeError(f"{found}")
    cpu = time.process_time()
    for _ in range(REPEATS):
        evolve(ensemble, law, 1.0)
    return {"cpu": 1000 * (time.process_time() - cpu) / REPEATS}


TASKS = {
    "peeling": run_peeling,
    "memory": run_memory,
    "store": run_store,
    "evolution": run_evolution,
}


def measure(samples: int = SAMPLES) -> list[Row]:
    """Measure peeling and density evolution."""
    whole = [child("ldgm.py", "peeling", str(MILLION), "with") for _ in range(samples)]
    what = f"peeling of {MILLION:,} workers and 3 million edges, 5% late"
    rows = [
        row(
            "ldgm",
            f"{what}, with the parts' lists of workers",
            "one and a half seconds",
            "s CPU",
            [(one["cpu"], SECONDS) for one in whole],
            target=1.0,
        ),
        row(
            "ldgm",
            f"{what}: growth of memory",
            "the array of the edges",
            "arrays",
            [(one, 1.0) for one in memory(samples)],
            target=EDGE_ARRAYS,
        ),
    ]
    print_rows(rows)
    sizes = [
        tuple(child("ldgm.py", "peeling", str(size), "without") for size in (LARGE, SMALL))
        for _ in range(samples)
    ]
    pairs = [
        (1e9 * large["cpu"] / large["edges"], 1e9 * small["cpu"] / small["edges"])
        for large, small in sizes
    ]
    rows.append(
        row(
            "ldgm",
            "peeling an edge of a graph with ten million",
            "an edge of one with a hundred thousand",
            "ns CPU",
            pairs,
            target=GROWTH,
            note="the work is the same; the small graph lies in the processor's cache",
        )
    )
    print_rows(rows[-1:])
    evolution = [child("ldgm.py", "evolution")["cpu"] for _ in range(samples)]
    rows.append(
        row(
            "ldgm",
            "density evolution to 10⁻¹², three degrees",
            "ten milliseconds",
            "ms CPU",
            [(one, MILLISECONDS) for one in evolution],
            target=1.0,
        )
    )
    print_rows(rows[-1:])
    return rows


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        _, _, task, *arguments = sys.argv
        print(json.dumps(TASKS[task](*arguments)))  # type: ignore[operator]
    else:
        measure()
