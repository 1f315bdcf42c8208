"""Who works on the cases of a long search: threads, processes, a Dask cluster, or MPI."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from logging import CRITICAL
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from gcdesign.errors import InputError

if TYPE_CHECKING:
    from concurrent.futures import Executor

KINDS = ("threads", "processes", "dask", "mpi")
MPI_COMMAND = "mpiexec -n 3 python -m mpi4py.futures -m gcdesign attack … --executor mpi"
CONNECT_SECONDS = 10
END_SECONDS = 3.0
"""How long a process is waited for at the end before it is killed."""


class Crew(NamedTuple):
    """An executor, None for threads of this process, and how many work for it."""

    executor: Executor | None
    workers: int | None


def executor_name(text: str) -> str:
    """Parse the name of an executor.

    Examples
    --------
    >>> executor_name("dask:tcp://10.0.0.1:8786")
    'dask:tcp://10.0.0.1:8786'
    """
    kind, colon, address = text.partition(":")
    if kind not in KINDS or (colon and (kind != "dask" or not address)):
        raise click.BadParameter(
            f"{text!r}; expected threads, processes, dask, dask:ADDRESS or mpi"
        )
    return text


@contextmanager
def open_executor(name: str, workers: int | None) -> Iterator[Crew]:
    """Yield the executor that is named, and end its workers afterwards.

    Parameters
    ----------
    name
        As `executor_name` returns it.
    workers
        Number of workers; by default all cores, or all workers of the cluster.

    Raises
    ------
    InputError
        If a library or the cluster is missing.
    """
    kind, _, address = name.partition(":")
    if kind == "processes":
        with _processes(workers or os.cpu_count() or 1) as crew:
            yield crew
    elif kind == "dask":
        with _dask(address, workers) as crew:
            yield crew
    elif kind == "mpi":
        with _mpi(workers) as crew:
            yield crew
    else:
        yield Crew(None, workers)


@contextmanager
def _deaf_children() -> Iterator[None]:
    """Start processes that do not hear Ctrl-C or kill: this one does, and ends them.

    They inherit which signals are blocked, from their first moment on.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # it unblocks them when it is started
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _processes(workers: int) -> Iterator[Crew]:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Started anew, not forked: a fork of a process with threads may hang.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, initializer=end_with_parent)
    with _deaf_children():
        for _ in range(workers):  # each one is started when there is something for it to do
            pool.submit(os.getpid)
    try:
        yield Crew(pool, workers)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.join(END_SECONDS)
            if process.is_alive():
                process.kill()


def end_with_parent() -> None:
    """End this process as soon as the one that started it has ended, however that was."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


@contextmanager
def _dask(address: str, workers: int | None) -> Iterator[Crew]:
    try:
        distributed: Any = import_module("distributed")
    except ImportError as error:
        raise _missing("dask", error) from None
    if address:
        client = _connected(distributed, address)
        with client:
            there = sum(client.nthreads().values())
            if not there:
                raise InputError(f"the Dask scheduler at {address} has no workers; start some")
            yield Crew(client.get_executor(pure=False), workers or there)
        return
    count = workers or os.cpu_count() or 1
    with ExitStack() as stack:
        with _deaf_children():
            cluster = stack.enter_context(
                distributed.LocalCluster(
                    n_workers=count,
                    threads_per_worker=1,
                    dashboard_address=None,
                    silence_logs=CRITICAL,
                )
            )
        client = stack.enter_context(distributed.Client(cluster))
        yield Crew(client.get_executor(pure=False), count)


def _connected(distributed: Any, address: str) -> Any:
    """Return a client of the Dask scheduler at an address."""
    try:
        return distributed.Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise InputError(f"no Dask scheduler answers at {address}: {error}") from None


@contextmanager
def _mpi(workers: int | None) -> Iterator[Crew]:
    try:
        mpi: Any = import_module("mpi4py.MPI")
        futures: Any = import_module("mpi4py.futures")
    except (ImportError, RuntimeError) as error:
        raise _missing("mpi", error) from None
    if mpi.COMM_WORLD.Get_rank() > 0:
        raise InputError(f"every MPI process runs gcdesign itself; start it with {MPI_COMMAND}")
    with futures.MPIPoolExecutor(workers) as pool:
        yield Crew(pool, workers or pool.num_workers)


def _missing(kind: str, error: Exception) -> InputError:
    return InputError(
        f"--executor {kind} cannot be used here: {error}; it needs the extra packages of "
        f"pip install 'gcdesign[{kind}]'"
    )
