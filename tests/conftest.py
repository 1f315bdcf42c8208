"""What tests of several rooms need: interruptions, and programs under a real ``mpiexec``."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

PATIENCE = 90.0
"""Seconds after which an MPI job counts as hung."""

OPEN_MPI = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}


def pytest_configure() -> None:
    """Hear interruptions: a script's background jobs ignore them, and so would all they start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def mpi_command() -> Callable[..., tuple[list[str], dict[str, Any]]]:
    """Return the command that runs Python with arguments in so many processes, and its settings."""
    try_it = [sys.executable, "-c", "from mpi4py import MPI"]
    if subprocess.run(try_it, capture_output=True, check=False).returncode:
        pytest.skip("mpi4py is not installed, or finds no MPI library")
    places = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    program = shutil.which("mpiexec", path=places)
    if program is None:
        pytest.skip("no mpiexec")
    threads = {"OPENBLAS_NUM_THREADS": "1"}
    settings = {"env": {**os.environ, **OPEN_MPI, **threads}, "stdin": subprocess.DEVNULL}

    def command(processes: int, *arguments: str) -> tuple[list[str], dict[str, Any]]:
        return [str(program), "-n", str(processes), sys.executable, *arguments], settings

    return command


@pytest.fixture
def mpiexec(
    mpi_command: Callable[..., tuple[list[str], dict[str, Any]]],
) -> Callable[..., CompletedProcess[str]]:
    """Run Python with arguments in so many processes under ``mpiexec``, and wait for the end."""

    def run(processes: int, *arguments: str) -> CompletedProcess[str]:
        command, settings = mpi_command(processes, *arguments)
        return subprocess.run(
            command, **settings, capture_output=True, text=True, check=False, timeout=PATIENCE
        )

    return run
