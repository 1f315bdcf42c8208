"""The journal of a long search: what it has proved so far, on disk, for a later run to go on from.

One JSON document to a line. The first says what is asked; each of the others is an outcome under
a key, and the last one of a key counts. A line is handed to the system as soon as it is recorded,
so that killing the process loses nothing that was recorded; a line that a crash cut short is
dropped when the journal is read.

A journal is trusted as this program's own search: an attack in it is checked against the
placement by whoever reads it, a proof in it is believed. It is bound to its question by the
first line, which holds the SHA-256 of the placement and of the weights.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from stat import S_ISREG
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from gcdesign.codes import GradientCode, Placement
from gcdesign.errors import InputError, OutputError

if TYPE_CHECKING:
    from gcdesign.adversary.results import Question, Value
    from gcdesign.adversary.running.settings import Settings

Outcome = dict[str, Any]
"""JSON values: what is known about one part of a search."""

SCHEMA = "gcdesign.journal/1"
SYNC_SECONDS = 5.0
"""Time between two requests that the disk itself takes what was written."""

MAX_LINE = 1 << 22
MAX_BYTES = 1 << 30
MAX_KEYS = 1_000_000
"""Limits of a journal, written or read: they bound the memory that reading one takes."""


def placement_digest(placement: Placement) -> str:
    """Return the SHA-256 of who holds what, whatever the placement is called."""
    digest = hashlib.sha256(f"{placement.workers} {placement.parts} ".encode())
    for array in (placement.design.indptr, placement.design.indices):
        digest.update(np.ascontiguousarray(array, dtype="<i8").tobytes())
    return digest.hexdigest()


def journal_for(
    settings: Settings,
    subject: Placement | GradientCode,
    question: Question,
    *,
    asked: Value | None = None,
    decoder: str | None = None,
) -> Journal:
    """Open the journal that the settings name, bound to one question; without one, a blank.

    Parameters
    ----------
    settings
        Holds the name of the file, and the method and seed that belong to the question.
    subject
        The placement or code that is attacked.
    question, asked, decoder
        As in `AttackResult`; ``asked`` is None for all values at once.

    Raises
    ------
    InputError
        If the file is no journal, or that of another question, or in use, or damaged.
    OutputError
        If it cannot be written.
    """
    if settings.journal is None:
        return Journal()
    code = subject if isinstance(subject, GradientCode) else None
    weights = code.weights if code is not None else None
    header = {
        "schema": SCHEMA,
        "version": import_module("gcdesign").__version__,  # a plain import would be circular
        "placement": placement_digest(code.placement if code else subject),  # type: ignore[arg-type]
        "weights": None if weights is None else hashlib.sha256(weights.tobytes()).hexdigest(),
        "question": question,
        "asked": str(asked) if isinstance(asked, Fraction) else asked,
        "decoder": decoder,
        "method": settings.method,
        "seed": settings.seed,
    }
    return Journal(Path(settings.journal), header)


@dataclass(frozen=True)
class _Place:
    """Where in the file a line is."""

    start: int
    length: int


class Journal:
    """A journal of outcomes by key; one without a file remembers nothing.

    Use it as a context manager, or close it.

    Parameters
    ----------
    path
        The file, made if there is none; or None.
    header
        What is being asked. A file with another header is refused.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "run.jsonl")
    ...     with Journal(path, {"schema": SCHEMA}) as journal:
    ...         journal.record("η=3", {"lower": 15})
    ...     with Journal(path, {"schema": SCHEMA}) as journal:
    ...         journal.outcome("η=3"), journal.outcome("η=4")
    ({'lower': 15}, None)
    """

    def __init__(self, path: Path | None = None, header: Mapping[str, Any] | None = None) -> None:
        self.path = path
        self._lock = Lock()
        self._places: dict[str, _Place] = {}
        self._synced = time.monotonic()
        self._end = 0
        self._file: BinaryIO | None = None
        if path is not None:
            self._file = _open(path)
            try:
                self._read(_line(dict(header or {"schema": SCHEMA})))
            except BaseException:
                self._file.close()
                raise

    @property
    def on_disk(self) -> bool:
        """Whether anything is remembered."""
        return self._file is not None

    def outcome(self, key: str) -> Outcome | None:
        """Return what was last recorded under a key, None if nothing was."""
        place = self._places.get(key)
        if self._file is None or place is None:
            return None
        with self._lock:
            self._file.seek(place.start)
            line = self._file.read(place.length)
        return _parse(line)["outcome"]  # type: ignore[no-any-return]

    def record(self, key: str, outcome: Outcome) -> None:
        """Append an outcome, which replaces an earlier one under the same key.

        One that is too long for a line is left out, and is found again by a later run.

        Raises
        ------
        OutputError
            If the file cannot be written, or is full.
        """
        if self._file is None:
            return
        line = _line({"key": key, "outcome": outcome})
        if len(line) > MAX_LINE:
            return
        with self._lock:
            too_many = key not in self._places and len(self._places) >= MAX_KEYS
            if self._end + len(line) > MAX_BYTES or too_many:
                raise OutputError(f"{self.path}: the journal is full; go on without one")
            self._append(line)
            self._places[key] = _Place(self._end - len(line), len(line))

    def close(self) -> None:
        """Have the disk take everything, and close the file."""
        if self._file is not None:
            with self._lock:
                self._sync()
                self._file.close()
            self._file = None

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def damaged(self, key: str, what: str) -> InputError:
        """Return the error that says that an outcome in this journal cannot be right."""
        return InputError(
            f"{self.path}: the journal's outcome for {key} {what}; it was changed or comes from "
            "elsewhere: delete it and start anew"
        )

    def _append(self, line: bytes) -> None:
        assert self._file is not None
        try:
            self._file.seek(self._end)
            left = memoryview(line)
            while left:
                left = left[self._file.write(left) :]
            self._end += len(line)
            if time.monotonic() - self._synced >= SYNC_SECONDS:
                self._sync()
        except OSError as error:
            reason = error.strerror or str(error)
            raise OutputError(f"cannot write the journal {self.path}: {reason}") from error

    def _sync(self) -> None:
        assert self._file is not None
        os.fsync(self._file.fileno())
        self._synced = time.monotonic()

    def _read(self, header: bytes) -> None:
        """Take in what the file holds, cut off a torn end, and begin an empty file."""
        assert self._file is not None
        size = os.fstat(self._file.fileno()).st_size
        if size > MAX_BYTES:
            raise InputError(f"{self.path} has {size} bytes; a journal has at most {MAX_BYTES}")
        self._file.seek(0)
        with open(self._file.fileno(), "rb", closefd=False) as lines:
            first = lines.readline(MAX_LINE + 1)
            if not first.endswith(b"\n") and header.startswith(first):
                self._file.truncate(0)
                self._append(header)
                return
            self._check_header(first, header)
            self._end = len(first)
            self._read_outcomes(lines)
        self._file.truncate(self._end)

    def _check_header(self, first: bytes, header: bytes) -> None:
        try:
            found = _parse(first)
        except ValueError:
            found = {}
        if found.get("schema") != SCHEMA:
            raise InputError(f"{self.path} is no journal of gcdesign; expected {SCHEMA}")
        expected = _parse(header)
        for name in expected.keys() | found.keys():
            if found.get(name) != expected.get(name) or name not in found:
                raise InputError(
                    f"{self.path} is the journal of another question: its {name} is "
                    f"{found.get(name)!r:.80}, not {expected.get(name)!r:.80}; name another file"
                )

    def _read_outcomes(self, lines: BinaryIO) -> None:
        """Note where the outcomes are; a damaged last line is dropped, any other refused."""
        torn: int | None = None
        number = 1
        while line := lines.readline(MAX_LINE + 1):
            number += 1
            if torn is not None:
                raise InputError(f"{self.path}: line {torn} of the journal is damaged; delete it")
            key = _key(line)
            if key is None:
                torn = number
                continue
            self._places[key] = _Place(self._end, len(line))
            self._end += len(line)
            if len(self._places) > MAX_KEYS:
                raise InputError(f"{self.path}: over {MAX_KEYS} outcomes; expected a journal")


def _open(path: Path) -> BinaryIO:
    """Open a regular file for reading and writing, without a buffer, and lock it."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NONBLOCK", 0), 0o666)
        file = os.fdopen(descriptor, "r+b", buffering=0)
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(f"cannot open the journal {path}: {reason}") from error
    if not S_ISREG(os.fstat(descriptor).st_mode):
        file.close()
        raise InputError(f"{path} is no regular file; expected a journal, or a new name")
    if not _lock(descriptor):
        file.close()
        raise InputError(f"{path} is in use by another run; wait for it, or name another file")
    return file


def _lock(descriptor: int) -> bool:
    """Lock a file as long as it is open, where the system can; False if another has it."""
    try:
        import fcntl
    except ImportError:  # Windows
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


def _line(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _parse(line: bytes) -> Outcome:
    """Return the object in a line.

    Raises
    ------
    ValueError
        If there is none, or it is nested too deeply.
    """
    if len(line) > MAX_LINE:
        raise ValueError("too long")
    try:
        found = json.loads(line.decode("utf-8"), parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not line.endswith(b"\n") or not isinstance(found, dict):
        raise ValueError("no object on a line of its own")
    return found


def _key(line: bytes) -> str | None:
    """Return the key of a line that holds an outcome, None for anything else."""
    try:
        found = _parse(line)
    except ValueError:
        return None
    key = found.get("key")
    right = found.keys() == {"key", "outcome"} and isinstance(found["outcome"], dict)
    return key if right and isinstance(key, str) else None
