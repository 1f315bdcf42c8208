"""What the formats share: limits, text in and out, and messages that name the file."""

from __future__ import annotations

import reprlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from itertools import pairwise
from pathlib import Path

from gcdesign.designs.design import BlockDesign, Size, check_size
from gcdesign.errors import InputError, LimitError

MAX_BYTES = 1 << 30
"""Largest file that is read, and the largest sum of unpacked members of an archive."""

FREE_WORK = 4_000_000
WORK_PER_BYTE = 64
"""What a file stands for may take so much work, and this much more for each of its bytes."""

MAX_LINE = 1 << 27
"""Longest line of text that is taken apart."""


def printable(name: str | Path) -> str:
    r"""Return a file name that is safe inside a one-line message.

    Examples
    --------
    >>> printable("plane.json"), printable("two\nlines")
    ('plane.json', "'two\\nlines'")
    """
    text = str(name)
    return text if text.isprintable() else repr(text)


def shown(value: object) -> str:
    """Return a short one-line form of an offending value, however large it is.

    Examples
    --------
    >>> shown("x" * 1000)
    "'xxxxxxxxxxxx...xxxxxxxxxxxxx'"
    """
    return reprlib.repr(value)


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Put the file's name in front of every deliberate error raised inside, and cut it short."""
    try:
        yield
    except (InputError, LimitError) as error:
        raise type(error)(f"{printable(name)}: {error!s:.1000}") from error


def decode(data: bytes) -> str:
    """Return the text of a file that must be UTF-8, without a byte order mark, and not empty.

    Raises
    ------
    InputError
        If it is not.
    """
    check_beginning(data)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 text at byte {error.start}") from None


def text_lines(data: bytes) -> Iterator[tuple[int, str]]:
    r"""Yield (line number, line) of such a file, without the line ends and without a full copy.

    Raises
    ------
    InputError
        As `decode`.
    LimitError
        If there are more lines than a design may have blocks, or one is too long.

    Examples
    --------
    >>> list(text_lines(b"0 1\r\n2"))
    [(1, '0 1'), (2, '2')]
    """
    check_beginning(data)
    check_size(Size(0, data.count(b"\n"), 0), name="a file with one line for each block")
    for number, line in enumerate(BytesIO(data), start=1):
        if len(line) > MAX_LINE:
            raise LimitError(f"line {number} has {len(line)} bytes; the limit is {MAX_LINE}")
        try:
            yield number, line.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError:
            raise InputError(f"not UTF-8 text in line {number}") from None


def block_texts(design: BlockDesign, separator: str, *, first: int = 0) -> Iterator[str]:
    """Yield each block as text; one at a time, since lists of all points would take far more.

    Points are counted from ``first``.

    Examples
    --------
    >>> list(block_texts(BlockDesign.from_blocks([[0, 2], [1]]), ","))
    ['0,2', '1']
    """
    for start, stop in pairwise(design.indptr.tolist()):
        yield separator.join(map(str, (design.indices[start:stop] + first).tolist()))


def check_beginning(data: bytes) -> None:
    """Refuse a text that is empty, or that starts with a byte order mark."""
    if not data.strip():
        raise InputError("the file is empty")
    if data.startswith(b"\xef\xbb\xbf"):
        raise InputError("starts with a byte order mark; save it as UTF-8 without one")
