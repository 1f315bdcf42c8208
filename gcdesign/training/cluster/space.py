"""Memory that a worker's two processes share, so that models and messages are not copied."""

from __future__ import annotations

import mmap
import os
import tempfile
from contextlib import suppress
from pathlib import Path

import numpy as np

from gcdesign.training.cluster.wire import Floats, Sizes

MODELS = 3
"""One that is being received, the newest, and the one that is worked on."""

OUTBOXES = 2
"""One that is being sent, and one that is being filled."""

MEMORY_FOLDER = Path("/dev/shm")


class Space:
    """Rows of floats in shared memory.

    Attributes
    ----------
    newest
        One float: the step of the newest model, which tells the calculator that it is late.
    models
        Shape (3, floats of a model).
    outboxes
        Shape (2, messages, floats of a message): the messages of a step.
    """

    def __init__(self, memory: mmap.mmap, sizes: Sizes) -> None:
        floats = np.frombuffer(memory, np.float64)
        models = 1 + MODELS * sizes.model_floats
        self.newest: Floats = floats[:1]
        self.models: Floats = floats[1:models].reshape(MODELS, -1)
        self.outboxes: Floats = floats[models:].reshape(
            OUTBOXES, sizes.messages, sizes.message_floats
        )


def _bytes(sizes: Sizes) -> int:
    outbox = sizes.messages * sizes.message_floats
    return 8 * (1 + MODELS * sizes.model_floats + OUTBOXES * outbox)


def make_space(sizes: Sizes) -> tuple[Space, str]:
    """Make the memory and return it with the name by which the other process opens it.

    Raises
    ------
    OSError
        If there is not enough of it.
    """
    if os.access(MEMORY_FOLDER, os.W_OK):
        with suppress(OSError):  # containers have little of it; then a file on disk will do
            return _make_in(MEMORY_FOLDER, sizes)
    return _make_in(None, sizes)


def _make_in(folder: Path | None, sizes: Sizes) -> tuple[Space, str]:
    handle, name = tempfile.mkstemp(prefix="gcdesign-", dir=folder)
    try:
        if hasattr(os, "posix_fallocate"):  # memory that is not there is told now, not by SIGBUS
            os.posix_fallocate(handle, 0, _bytes(sizes))
        else:
            os.ftruncate(handle, _bytes(sizes))
        space = Space(mmap.mmap(handle, _bytes(sizes)), sizes)
    except OSError:
        Path(name).unlink()
        raise
    finally:
        os.close(handle)
    space.newest[:] = -1
    return space, name


def open_space(name: str, sizes: Sizes) -> Space:
    """Open what the other process made; the name is gone afterwards, the memory stays."""
    with Path(name).open("r+b") as file:
        memory = mmap.mmap(file.fileno(), _bytes(sizes))
    Path(name).unlink()
    return Space(memory, sizes)
