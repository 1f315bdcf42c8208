"""The standard streams: closed, full, unbuffered or of few characters, they do no harm."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from io import BufferedWriter, RawIOBase, TextIOWrapper
from pathlib import Path
from typing import TextIO, cast

import click


def prepare() -> None:
    """Make the standard streams fit to be written to.

    A closed one becomes the null device, so that no file opened later takes its number. A
    character that a stream has not is shown as an escape. Unbuffered output is given a buffer,
    for only that writes on after a write that was cut short.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # It stays open as long as the program, so no context manager.
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
    if isinstance(getattr(sys.stdout, "buffer", None), RawIOBase):
        raw = cast(RawIOBase, sys.stdout.buffer)
        sys.stdout = TextIOWrapper(BufferedWriter(raw), encoding=sys.stdout.encoding)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def abandon(stream: TextIO) -> None:
    """Send what a stream still holds to the null device, or Python would fail on it at its end."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def is_terminal(stream: TextIO) -> bool:
    """Return whether somebody reads a stream as it is written.

    Open MPI gives its processes a terminal of their own, wherever their output goes.
    """
    return stream.isatty() and "OMPI_COMM_WORLD_RANK" not in os.environ


def say(text: str) -> None:
    """Print a line on standard error; where that is not possible, do without."""
    try:
        click.echo(f"gcdesign: {text}", err=True)
    except OSError:
        abandon(sys.stderr)
