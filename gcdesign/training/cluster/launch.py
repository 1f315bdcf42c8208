"""Taking part in an MPI job: rank 0 leads, every other rank is a worker."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from gcdesign.errors import GcdesignError, InputError, RunError
from gcdesign.training.cluster.agent import Agent
from gcdesign.training.cluster.calculator import BEGIN, calculate, sizes_of
from gcdesign.training.cluster.ending import UnendedError, end_workers
from gcdesign.training.cluster.inbox import Inbox
from gcdesign.training.cluster.master import MpiCluster
from gcdesign.training.cluster.outbox import Outbox
from gcdesign.training.cluster.rehearsal import Rehearsal
from gcdesign.training.cluster.wire import Sizes
from gcdesign.training.cluster.witness import ALL_IS_WELL, WITNESS

if TYPE_CHECKING:
    from gcdesign.training.cluster.calculator import Make
    from gcdesign.training.problems.problem import Problem
    from gcdesign.training.scheme import Scheme

Found = TypeVar("Found")

INIT_SECONDS = 120.0
"""How long the processes of a job may take to find one another."""

FINISH_SECONDS = 10.0
"""How long they may take to part."""

FORWARD_SECONDS = 0.5
"""How long the launcher has for passing on what was printed: with an abort it drops the rest."""

INSTALL = "pip install 'gcdesign[mpi]'"
COMMAND = "mpiexec -n 13 gcdesign train …"
SIZES = ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS")
"""Variables by which launchers say how many processes there are."""


def take_part(
    make: Make,
    lead: Callable[[Leader], Found],
    *,
    patience: float,
    rehearsals: tuple[Rehearsal, ...] = (),
    last_words: str = "all processes were ended from outside",
) -> Found | None:
    """Lead, if this process is rank 0, or work until the leader ends the run.

    The calculator is started before MPI is: a process that has begun to use MPI must not fork.

    Parameters
    ----------
    make
        Makes the scheme and the problem, on a worker.
    lead
        Called on rank 0; what it returns is returned. The workers are ended afterwards.
    patience
        Seconds without a sign after which a calculator counts as asleep.
    rehearsals
        Faults on purpose.
    last_words
        The line that is told on standard error when the launcher has killed all processes, as it
        does when one that speaks MPI is lost.

    Returns
    -------
    What ``lead`` returned; None on a worker.

    Raises
    ------
    InputError
        If MPI is not there, or this is no MPI job of two processes or more.
    """
    if job_size() == 1:
        raise InputError(f"this is one process; start several with {COMMAND}")
    try:
        process, pipe = _start_calculator(make, rehearsals)
        library = _library()
    except (OSError, ImportError, RuntimeError) as error:
        _give_up(error)
    try:
        mpi = _initialised(library)
    except InputError:
        _end_calculator(process, pipe)
        raise
    comm = mpi.COMM_WORLD
    if comm.Get_rank() > 0:
        _work(comm, process, pipe, patience)
        _finish(mpi)
        return None
    leader = Leader(comm)
    found: Found | None = None
    try:
        with _witness(process, pipe, last_words):
            try:
                found = lead(leader)
            finally:
                leader.end()
                _finish(mpi)
    except UnendedError as error:
        known = error.__context__ is None and error.workers <= leader.lost
        _abort(comm, error, found if known and isinstance(found, int) else RunError.exit_code)
    return found


class Leader:
    """Rank 0 of a job.

    Parameters
    ----------
    comm
        The communicator.

    Attributes
    ----------
    workers
        The number of workers N.
    """

    def __init__(self, comm: Any) -> None:
        self._comm = comm
        self._cluster: MpiCluster | None = None
        self.workers: int = comm.Get_size() - 1

    def open(self, scheme: Scheme, problem: Problem, **settings: Any) -> MpiCluster:
        """Return the cluster of all workers, once they are ready; settings as `MpiCluster` has.

        Raises
        ------
        InputError, RunError
            If a worker cannot begin.
        """
        sizes = sizes_of(scheme, problem)
        self._cluster = MpiCluster(self._comm, scheme, sizes, **settings)
        self._cluster.start()
        return self._cluster

    @property
    def lost(self) -> set[int]:
        """The workers that are known to be lost."""
        return set() if self._cluster is None else set(self._cluster.counts.lost)

    def end(self) -> None:
        """End the workers, whether they have begun or not."""
        if self._cluster is not None:
            self._cluster.close()
            return
        sizes = Sizes(self.workers, messages=1, parameters=0, length=0)
        end_workers(self._comm, Inbox(self._comm, sizes), Outbox(self._comm, self.workers, 1))


def _abort(comm: Any, error: UnendedError, code: int) -> NoReturn:
    """Say why, and end all processes."""
    said = f"{error.__context__}; " if isinstance(error.__context__, GcdesignError) else ""
    print(f"gcdesign: {said}{error}: all processes are aborted", file=sys.stderr)
    _forward()
    comm.Abort(code)
    os._exit(code)  # some libraries come back, and the launcher ends the rest


def _forward() -> None:
    """Have the launcher pass on what was printed, before it is told to end the job."""
    sys.stdout.flush()
    sys.stderr.flush()
    time.sleep(FORWARD_SECONDS)


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Have this process killed if what follows takes longer: no handler runs inside MPI."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _witness(process: BaseProcess, pipe: Connection, last_words: str) -> Iterator[None]:
    """Have the process, which has nothing to compute, tell of an end that cannot be told here."""
    pipe.send_bytes(BEGIN.pack(WITNESS, 0))
    pipe.send_bytes(last_words.encode())
    try:
        yield
    finally:
        with suppress(OSError):  # it may have been killed
            pipe.send_bytes(ALL_IS_WELL)
        _end_calculator(process, pipe)


def _start_calculator(
    make: Make, rehearsals: tuple[Rehearsal, ...]
) -> tuple[BaseProcess, Connection]:
    context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_child, args=(theirs, ours, make, rehearsals), daemon=True)
    process.start()
    theirs.close()
    return process, ours


def _child(
    pipe: Connection, other: Connection, make: Make, rehearsals: tuple[Rehearsal, ...]
) -> None:
    other.close()  # a fork has inherited it
    if (connection := os.environ.pop("PMI_FD", None)) is not None:
        os.close(int(connection))  # the launcher must see it closed when the MPI process ends
    calculate(pipe, make, rehearsals)


def _end_calculator(process: BaseProcess, pipe: Connection) -> None:
    pipe.close()
    process.join()


def job_size() -> int:
    """Return how many processes the launcher says there are."""
    said = [os.environ.get(name, "") for name in SIZES]
    return max((int(text) for text in said if text.isdigit()), default=1)


def _library() -> Any:
    """Return mpi4py's module, MPI not yet initialised."""
    mpi4py: Any = import_module("mpi4py")
    mpi4py.rc.initialize = False
    return import_module("mpi4py.MPI")


def _give_up(error: Exception) -> NoReturn:
    """End this process in a way that ends the whole job.

    The others wait for this one inside MPI, and launchers end them only when it is killed.
    """
    print(f"gcdesign: MPI cannot be used here: {error}; {INSTALL} brings it", file=sys.stderr)
    sys.stderr.flush()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGTERM)
    raise SystemExit(InputError.exit_code)


def _finish(mpi: Any) -> None:
    with _at_most(FINISH_SECONDS):
        mpi.Finalize()


def _initialised(mpi: Any) -> Any:
    """Initialise MPI, and return its module."""
    library = mpi.Get_library_version().split("\n")[0].strip("\0 ")
    foreign = InputError(
        f"mpiexec is not that of the MPI library of mpi4py, {library}: start the one beside it"
    )
    if ("Open MPI" in library) != ("OMPI_COMM_WORLD_SIZE" in os.environ):
        raise foreign  # MPICH would end the process in its own way
    with _at_most(INIT_SECONDS):
        mpi.Init()
    if mpi.COMM_WORLD.Get_size() == 1:
        mpi.Finalize()
        raise foreign
    return mpi


def _work(comm: Any, process: BaseProcess, pipe: Connection, patience: float) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # the master hears them too, and ends the run
    try:
        Agent(comm, process, pipe, patience=patience).run()
    except Exception:
        traceback.print_exc()
        _forward()
        comm.Abort(1)
