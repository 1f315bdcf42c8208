"""Tables of simulated runs by processes, a Dask cluster and MPI: the same as here."""

from __future__ import annotations

import json
from collections.abc import Callable
from subprocess import CompletedProcess
from typing import Any

import pytest

Run = Callable[..., CompletedProcess[str]]
Mpiexec = Callable[..., CompletedProcess[str]]

SWEEP = (
    *("simulate", "--scheme", "cyclic", "--scheme", "frc", "--stragglers", "2", "--seeds", "3"),
    *("--model", "exp:rate=2", "--steps", "6", "--evaluate-every", "3", "--json", "--quiet"),
    *("--data", "mixture:samples=240,features=5"),
)


@pytest.fixture
def here(run: Run) -> list[dict[str, Any]]:
    """The six runs of the table, done in this process."""
    return runs(run(*SWEEP))


def runs(answer: CompletedProcess[str]) -> list[dict[str, Any]]:
    assert answer.returncode == 0, answer.stderr
    found: list[dict[str, Any]] = json.loads(answer.stdout)["runs"]
    assert len(found) == 6
    return found


def test_by_two_processes(spawn: Run, here: list[dict[str, Any]]) -> None:
    assert runs(spawn(*SWEEP, "--executor", "processes", "--threads", "2")) == here


def test_by_a_dask_cluster_of_two_processes(
    run: Run, here: list[dict[str, Any]], scheduler: str
) -> None:
    assert runs(run(*SWEEP, "--dask", scheduler)) == here


def test_by_four_processes_of_mpi(mpiexec: Mpiexec, here: list[dict[str, Any]]) -> None:
    program = ("-m", "mpi4py.futures", "-m", "gcdesign")
    assert runs(mpiexec(4, *program, *SWEEP, "--executor", "mpi")) == here


def test_one_way_to_name_a_dask_cluster(run: Run) -> None:
    answer = run("simulate", "--dask", "tcp://127.0.0.1:9", "--executor", "processes")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "--dask tcp://127.0.0.1:9 and --executor processes: give one" in answer.stderr
    assert run("simulate", "--dask", "").returncode == 2
