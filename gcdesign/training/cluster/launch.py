"""Taking part in an MPI job: rank 0 leads, every other rank is a worker."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Any, TypeVar

from gcdesign.errors import InputError, RunError
from gcdesign.training.cluster.agent import Agent
from gcdesign.training.cluster.calculator import calculate
from gcdesign.training.cluster.master import UnendedError
from gcdesign.training.cluster.rehearsal import Rehearsal

if TYPE_CHECKING:
    from gcdesign.training.cluster.calculator import Make

Found = TypeVar("Found")

INSTALL = "pip install 'gcdesign[mpi]'"
COMMAND = "mpiexec -n 13 gcdesign train …"
SIZES = ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS")
"""Variables by which launchers say how many processes there are."""


def take_part(
    make: Make,
    lead: Callable[[Any], Found],
    *,
    patience: float,
    rehearsal: Rehearsal | None = None,
) -> Found | None:
    """Lead, if this process is rank 0, or work until the leader ends the run.

    The calculator is started before MPI is: a process that has begun to use MPI must not fork.

    Parameters
    ----------
    make
        Makes the scheme and the problem, on a worker.
    lead
        Called on rank 0 with the communicator; what it returns is returned. It has to end the
        workers, as `MpiCluster.close` does.
    patience
        Seconds without a sign after which a calculator counts as asleep.
    rehearsal
        A fault on purpose.

    Returns
    -------
    What ``lead`` returned; None on a worker.

    Raises
    ------
    InputError
        If MPI is not there, or this is no MPI job of two processes or more.
    """
    process, pipe = _start_calculator(make, rehearsal)
    try:
        comm = _communicator()
    except InputError:
        _end_calculator(process, pipe)
        raise
    if comm.Get_rank() > 0:
        _work(comm, process, pipe, patience)
        return None
    _end_calculator(process, pipe)
    try:
        return lead(comm)
    except UnendedError as error:
        cause = error.__context__
        said = str(cause) if isinstance(cause, RunError | InputError) else ""
        sys.stdout.flush()
        print(
            f"gcdesign: {said}{'; ' if said else ''}{error}: aborted", file=sys.stderr, flush=True
        )
        comm.Abort(RunError.exit_code)
        raise


def _start_calculator(make: Make, rehearsal: Rehearsal | None) -> tuple[BaseProcess, Connection]:
    context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_child, args=(theirs, ours, make, rehearsal), daemon=True)
    process.start()
    theirs.close()
    return process, ours


def _child(pipe: Connection, other: Connection, make: Make, rehearsal: Rehearsal | None) -> None:
    other.close()  # a fork has inherited it
    if (connection := os.environ.pop("PMI_FD", None)) is not None:
        os.close(int(connection))  # the launcher must see it closed when the MPI process ends
    calculate(pipe, make, rehearsal)


def _end_calculator(process: BaseProcess, pipe: Connection) -> None:
    pipe.close()
    process.join()


def _communicator() -> Any:
    """Initialise MPI and return the communicator of all processes."""
    asked = max(
        [int(os.environ[name]) for name in SIZES if os.environ.get(name, "").isdigit()] + [1]
    )
    if asked == 1:
        raise InputError(f"this is one process; start several with {COMMAND}")
    try:
        mpi: Any = import_module("mpi4py.MPI")
    except (ImportError, RuntimeError) as error:
        raise InputError(f"MPI cannot be used here: {error}; {INSTALL} brings it") from None
    comm = mpi.COMM_WORLD
    if comm.Get_size() == 1:
        library = mpi.Get_library_version().split("\n")[0].strip("\0 ")
        raise InputError(
            f"mpiexec started {asked} processes, and each finds itself alone: it does not belong "
            f"to the MPI library of mpi4py, {library}; start the mpiexec that came with that"
        )
    return comm


def _work(comm: Any, process: BaseProcess, pipe: Connection, patience: float) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # the master hears them too, and ends the run
    try:
        Agent(comm, process, pipe, patience=patience).run()
    except Exception:
        traceback.print_exc()
        sys.stderr.flush()
        comm.Abort(1)
