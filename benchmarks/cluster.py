"""The real run under MPI: the master's work beside receiving, and what slow workers cost.

Needs ``gcdesign[mpi]``. The processes share this machine, so that its cores are crowded; wall
clock times are of the job, not of other programs.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from measuring import Pair, Row, environment, print_rows, row

if TYPE_CHECKING:
    from gcdesign.training.cluster.launch import Leader
    from gcdesign.training.setup import Setup

SAMPLES = 3
SENDERS, PARAMETERS, ROUNDS = 48, 100_000, 15
WORKERS, STEPS = 12, 40
DATA = "mixture:samples=60000,features=100"
"""With it a step takes tens of milliseconds where two cores do the work of twelve workers."""

LARGE = f"mixture:samples={SENDERS},features={PARAMETERS}"
SMALL = "mixture:samples=1200,features=20"
DELAY_FACTOR = 10
MAX_SHARE, MAX_SLOWDOWN, MAX_OVERHEAD_MS = 0.25, 1.3, 1.0


def mpiexec() -> str | None:
    """Return the program that starts processes under MPI, or None where it or mpi4py is missing."""
    beside = Path(sys.executable).with_name("mpiexec")
    program = str(beside) if beside.exists() else shutil.which("mpiexec")
    return program if find_spec("mpi4py") else None


def mpi_json(processes: int, *arguments: str) -> Any:
    """Run this script under ``mpiexec`` and read the JSON line of its first process."""
    program = mpiexec()
    assert program is not None
    script = Path(__file__).name
    command = [program, "-n", str(processes), sys.executable, script, "--child", *arguments]
    threads = {"OPENBLAS_NUM_THREADS": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
    answer = subprocess.run(
        command,
        cwd=Path(__file__).parent,
        env=environment() | threads,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(answer.stdout)


def run_master() -> list[Pair]:
    """Return milliseconds of decoding with the update, and of receiving, of each round.

    One other process stands for all 48 workers, so that nothing but MPI slows the messages down.
    """
    import numpy as np
    from mpi4py import MPI

    from gcdesign.training import Nesterov, Rate, make_scheme

    comm = MPI.COMM_WORLD
    rows = np.ones((SENDERS, PARAMETERS))
    scheme, optimiser = make_scheme("cyclic", workers=SENDERS, stragglers=2), Nesterov(Rate(0.5))
    state = optimiser.start(np.zeros(PARAMETERS))
    contents = {(worker, 0): rows[worker] for worker in range(SENDERS)}
    pairs = []
    for step in range(ROUNDS):
        if comm.Get_rank() > 0:
            comm.Barrier()
            MPI.Request.Waitall([comm.Isend(r, dest=0, tag=n) for n, r in enumerate(rows)])
            continue
        requests = [comm.Irecv(r, source=1, tag=n) for n, r in enumerate(rows)]
        comm.Barrier()
        start = time.perf_counter()
        MPI.Request.Waitall(requests)
        received = time.perf_counter()
        decoded = scheme.decode(list(contents)[2:])
        total = decoded.combine(contents, PARAMETERS)
        state = optimiser.update(state, step, total / PARAMETERS)
        pairs.append((1e3 * (time.perf_counter() - received), 1e3 * (received - start)))
    return pairs[2:]


def run_training(data: str, delay: float) -> dict[str, float] | None:
    """Train, and return the master's times of a step in milliseconds."""
    from gcdesign.training.cluster.launch import take_part
    from gcdesign.training.cluster.run import make_part
    from gcdesign.training.setup import Learning, Setup

    setup = Setup("cyclic", stragglers=2, times="fixed:time=0", delay=delay)
    setup = Setup(**(vars(setup) | {"learning": Learning(data, test_share=0)}))
    return take_part(partial(make_part, setup), partial(lead, setup), patience=60.0)


def lead(setup: Setup, leader: Leader) -> dict[str, float]:
    """Lead the run."""
    import numpy as np

    from gcdesign.training import CodeScheme, Decoded, Nesterov, Plan
    from gcdesign.training.cluster.master import Policy
    from gcdesign.training.cluster.pauses import Pauses
    from gcdesign.training.cluster.run import lead_training

    marks: list[float] = []
    spent = {"waiting": 0.0, "decoding": 0.0}

    def progress(done: int) -> bool:
        marks.append(time.process_time() - spent["waiting"])
        return False

    def timed(method: Any, what: str) -> Any:
        """Add up the CPU time of a method."""

        def call(*arguments: Any) -> Any:
            start = time.process_time()
            found = method(*arguments)
            spent[what] += time.process_time() - start
            return found

        return call

    warm = Decoded(((0, 0),), np.ones(1), 0.0)  # the first call imports what it needs
    warm.combine({(0, 0): np.ones(1)}, 1)
    Pauses.rest = timed(Pauses.rest, "waiting")  # type: ignore[method-assign]
    CodeScheme.decode = timed(CodeScheme.decode, "decoding")  # type: ignore[method-assign]
    Decoded.combine = timed(Decoded.combine, "decoding")  # type: ignore[method-assign]
    Nesterov.update = timed(Nesterov.update, "decoding")  # type: ignore[method-assign]
    plan = Plan(STEPS, 0, progress=progress)
    run = lead_training(leader, setup, plan, policy=Policy(patience=60.0))
    history = run.result.history
    receiving = np.nanmax(run.times, axis=1) - np.nanmin(run.times, axis=1)
    return {
        "receiving": 1e3 * median(receiving),
        "step": 1e3 * median(history.seconds),
        "cpu": 1e3 * (marks[-1] - marks[9]) / (STEPS - 10),
        "decoding": 1e3 * spent["decoding"] / STEPS,
    }


def measure() -> list[Row]:
    """Run all, print the rows and return them."""
    if mpiexec() is None:
        print("cluster: MPI is not installed, nothing to run; pip install 'gcdesign[mpi]'")
        return []
    what = f"decoding and update, n = {SENDERS}, p = {PARAMETERS}"
    large = [mpi_json(SENDERS + 1, "training", LARGE, "0") for _ in range(SAMPLES)]
    share = row(
        "cluster",
        what,
        "from the first message of a step to the last",
        "ms",
        [(one["decoding"], one["receiving"]) for one in large],
        target=MAX_SHARE,
        note="48 workers on this machine; CPU time against wall-clock time",
    )
    fastest = row(
        "cluster",
        what,
        "receiving as many messages of one process by shared memory",
        "ms",
        [(ours, theirs) for ours, theirs in mpi_json(2, "master")],
        note="the fastest way there is; a network of 10 Gbit/s takes 31 ms for them",
    )
    slow = []
    for _ in range(SAMPLES):
        plain = mpi_json(WORKERS + 1, "training", DATA, "0")["step"]
        delay = DELAY_FACTOR * plain / 1e3
        slow.append((mpi_json(WORKERS + 1, "training", DATA, f"{delay}")["step"], plain))
    slowdown = row(
        "cluster",
        f"median step, n = {WORKERS}, 2 workers delayed by {DELAY_FACTOR} steps",
        "the same without delay",
        "ms",
        slow,
        target=MAX_SLOWDOWN,
        note="cyclic repetition for two stragglers; wall-clock times",
    )
    found = [mpi_json(WORKERS + 1, "training", SMALL, "0")["cpu"] for _ in range(SAMPLES)]
    overhead = row(
        "cluster",
        f"the master's CPU time of a step, n = {WORKERS}, p = 20",
        "one millisecond",
        "ms",
        [(own, 1.0) for own in found],
        target=MAX_OVERHEAD_MS,
        note="pauses are not counted, looks in vain are",
    )
    rows = [share, fastest, slowdown, overhead]
    print_rows(rows)
    return rows


def main() -> None:
    """Measure; or with ``--child``, be one process of a job."""
    if sys.argv[1:2] != ["--child"]:
        measure()
        return
    kind, *rest = sys.argv[2:]
    if kind == "master":
        found: Any = run_master()
    else:
        found = run_training(rest[0], float(rest[1]))
    if found:
        print(json.dumps(found))


if __name__ == "__main__":
    main()
