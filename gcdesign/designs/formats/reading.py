"""Read a file or standard input in any format of the table."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from gcdesign.designs.formats.table import FORMATS
from gcdesign.designs.formats.text import MAX_BYTES, printable, shown
from gcdesign.errors import InputError, LimitError

if TYPE_CHECKING:
    from gcdesign.designs.formats.table import Content


BEGINNINGS = {
    "json": re.compile(rb"\{"),
    "mtx": re.compile(rb"%%matrixmarket", re.I),
    "npz": re.compile(rb"PK(\x03\x04|\x05\x06)"),
    "graphml": re.compile(rb"<(?=.*<graphml\b)", re.S),
    "designtheory": re.compile(rb"<"),
    "gap": re.compile(rb"(#.*\n\s*)*(return\b|\w+\s*:=|rec\s*\()"),
    "sage": re.compile(rb"\[|IncidenceStructure\("),
    "graph6": re.compile(rb">>graph6<<"),
    "sparse6": re.compile(rb">>sparse6<<|:"),
}
"""How the formats begin that give themselves away, in the order in which they are tried."""


def read(source: bytes, *, kind: str, name: str) -> Content:
    r"""Read the content of a file.

    Parameters
    ----------
    source
        The bytes.
    kind
        Name of a format that can be read; see `guess_kind`.
    name
        The file's name, for messages.

    Returns
    -------
    BlockDesign or scipy.sparse.csr_array
        A design, also for a matrix with entries 0 and 1 only; any other matrix as it is.

    Raises
    ------
    InputError
        If the content cannot be used; the message begins with the file's name.
    LimitError
        If it is too large.

    Examples
    --------
    >>> read(b"0 1\n1 2\n", kind="blocks", name="two.txt")
    block design: v=3, b=2, 4 incidences
    """
    readers = {known.name: known.read for known in FORMATS if known.read is not None}
    if kind not in readers:
        expected = ", ".join(readers)
        raise InputError(f"{printable(name)}: cannot read {shown(kind)}; expected: {expected}")
    if len(source) > MAX_BYTES:
        raise LimitError(f"{printable(name)}: larger than the limit of {MAX_BYTES} bytes")
    return readers[kind](source, name=name)


def read_file(path: str | Path) -> Content:
    """Read a file; its suffix says what it holds.

    Parameters
    ----------
    path
        A regular file.

    Returns
    -------
    BlockDesign or scipy.sparse.csr_array
        As `read`.

    Raises
    ------
    InputError
        If there is no such file, it cannot be read, its suffix is unknown or its content
        cannot be used.
    LimitError
        If the file, or what it holds, is too large.
    """
    source, kind = load_file(path)
    return read(source, kind=kind, name=str(path))


def load_file(path: str | Path) -> tuple[bytes, str]:
    """Return a file's bytes and the format that its suffix names; errors as `read_file`."""
    path = Path(path)
    kinds = {end: known.name for known in FORMATS if known.read for end in known.suffixes}
    source = read_bounded(path)
    suffix = path.suffix.lower()
    if suffix not in kinds:
        expected = ", ".join(kinds)
        raise InputError(
            f"{printable(path)}: the suffix {shown(suffix)} names no format; expected: {expected}"
        )
    return source, kinds[suffix]


def read_bounded(path: Path) -> bytes:
    """Return a regular file's content, and no more than a byte above the limit.

    Raises
    ------
    InputError
        If there is no such file, or it cannot be read.
    """
    if "\0" in str(path):
        raise InputError(f"{printable(path)}: no file has a NUL character in its name")

    def opener(name: str, flags: int) -> int:
        return os.open(name, flags | os.O_NONBLOCK)  # else a pipe would wait for a writer

    try:
        with open(path, "rb", opener=opener) as handle:
            if not stat.S_ISREG(os.fstat(handle.fileno()).st_mode):
                raise InputError(
                    f"{printable(path)}: not a regular file; give it as standard input"
                )
            return handle.read(MAX_BYTES + 1)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"{printable(path)}: cannot be read: {reason}") from None


def guess_kind(data: bytes) -> str:
    r"""Guess which format some bytes are in, from their beginning.

    Returns
    -------
    str
        The name of a format; its reader has the last word. ``"csv"`` and ``"blocks"`` stand for
        whatever no other beginning gives away.

    Examples
    --------
    >>> guess_kind(b'{"schema": 1}'), guess_kind(b"# a matrix\n1,0\n"), guess_kind(b"0 1 3")
    ('json', 'csv', 'blocks')
    """
    start = data[: 1 << 16].removeprefix(b"\xef\xbb\xbf").lstrip()
    for kind, beginning in BEGINNINGS.items():
        if beginning.match(start):
            return kind
    lines = (line for line in start.split(b"\n") if line.strip() and not line.startswith(b"#"))
    return "csv" if b"," in next(lines, b"") else "blocks"
