"""MatrixMarket files: read real, integer, complex and pattern ones, and write them.

The body is read here and not by SciPy, whose reader takes surplus numbers on a line, does not
hold symmetric matrices to be square, and ends the whole process on an array without rows.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, Size, check_size
from gcdesign.designs.formats.entries import Entries
from gcdesign.designs.formats.text import shown
from gcdesign.errors import InputError

BANNER = "%%MatrixMarket matrix coordinate pattern general"

WEIGHTS_BANNER = "%%MatrixMarket matrix coordinate {} general"

MAX_LINE = 1024
"""Longest line that the definition of the format allows."""

Lines = Iterator[tuple[int, list[bytes]]]


def write_mtx(design: BlockDesign) -> bytes:
    """Return the placement as a MatrixMarket file: row i holds the parts of worker i.

    Always ``pattern general``: a symmetric placement is written in full.
    """
    rows = (design.block_of_incidence + 1).tolist()
    columns = (design.indices + 1).tolist()
    head = f"{BANNER}\n% workers are rows, parts are columns\n"
    sizes = f"{design.b} {design.v} {design.incidences}\n"
    body = "".join(f"{i} {j}\n" for i, j in zip(rows, columns, strict=True))
    return (head + sizes + body).encode("ascii")


def write_weights(design: BlockDesign, weights: NDArray[Any], *, comment: str) -> bytes:
    r"""Return a code as a MatrixMarket file: row i holds the weights of worker i.

    Parameters
    ----------
    design
        The placement.
    weights
        Shape (incidences,), real or complex; they are read back as the same floats.
    comment
        One line that says what it is.

    Examples
    --------
    >>> design = BlockDesign.from_blocks([[0, 1]])
    >>> write_weights(design, np.array([0.5, 2]), comment="two").decode().splitlines()[1:]
    ['% two', '% workers are rows, parts are columns', '1 2 2', '1 1 0.5', '1 2 2.0']
    """
    rows = (design.block_of_incidence + 1).tolist()
    columns = (design.indices + 1).tolist()
    banner = WEIGHTS_BANNER.format("complex" if np.iscomplexobj(weights) else "real")
    head = f"{banner}\n% {comment}\n% workers are rows, parts are columns\n"
    sizes = f"{design.b} {design.v} {design.incidences}\n"
    entries = zip(rows, columns, map(_number_text, weights.tolist()), strict=True)
    return (head + sizes + "".join(f"{i} {j} {x}\n" for i, j, x in entries)).encode("ascii")


def _number_text(value: Any) -> str:
    return f"{value.real!r} {value.imag!r}" if isinstance(value, complex) else repr(value)


def parse_mtx(data: bytes) -> Entries:
    r"""Parse a MatrixMarket file; a symmetric matrix is expanded.

    Raises
    ------
    InputError
        If the file is malformed, or neither general nor symmetric.
    LimitError
        If the matrix is too large.

    Examples
    --------
    >>> text = b"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 0.5\n"
    >>> parse_mtx(text).to_csr().toarray().tolist()
    [[0.0, 0.5], [0.5, 0.0]]
    """
    stream = BytesIO(data)
    layout, field, symmetric = _banner(stream.readline(200))
    lines = _lines(stream)
    number, size_line = next(lines, (2, []))
    sizes = [_size(token, number) for token in size_line]
    if len(sizes) != (3 if layout == "coordinate" else 2):
        raise InputError(f"line {number} should hold the sizes of the matrix ({layout})")
    rows, columns = sizes[:2]
    if symmetric and rows != columns:
        raise InputError(f"a symmetric matrix of {rows} rows and {columns} columns; must be square")
    full = rows * (rows + 1) // 2 if symmetric else rows * columns
    count = sizes[2] if layout == "coordinate" else full
    check_size(Size(columns, rows, count), name="the matrix")
    left = len(data) - stream.tell()
    numbers = {"pattern": 0, "complex": 2}.get(field, 1)
    width = numbers + (2 if layout == "coordinate" else 0)
    if count * 2 * width > left + 1:  # each number takes a digit and a separator
        raise InputError(f"declares {count} entries, but only {left} bytes follow; truncated?")
    places, values = _numbers(lines, count, width, numbers)
    if layout == "coordinate":
        row, column = np.asarray(places).reshape(-1, 2).T - 1
    elif symmetric:  # the lower triangle by columns is the upper one by rows
        column, row = np.triu_indices(rows)
    else:
        column, row = np.divmod(np.arange(count, dtype=np.int64), max(rows, 1))
    if symmetric:
        off = row != column
        row, column = np.concatenate([row, column[off]]), np.concatenate([column, row[off]])
        values = np.concatenate([values, values[off]])
    return Entries((rows, columns), row, column, values)


def _banner(line: bytes) -> tuple[str, str, bool]:
    """Return the layout, the field and whether the matrix is symmetric."""
    words = line.decode("ascii", "replace").lower().split()
    if len(words) != 5 or words[:2] != ["%%matrixmarket", "matrix"]:
        raise InputError(f"does not start like a MatrixMarket file, for example {BANNER!r}")
    layout, field, symmetry = words[2:]
    for value, choices in (
        (layout, ("coordinate", "array")),
        (field, ("real", "integer", "complex", "pattern")),
        (symmetry, ("general", "symmetric")),
    ):
        if value not in choices:
            raise InputError(f"the matrix is {shown(value)}; expected {' or '.join(choices)}")
    if layout == "array" and field == "pattern":
        raise InputError("an array holds values and cannot be a pattern")
    return layout, field, symmetry == "symmetric"


def _lines(stream: BytesIO) -> Lines:
    """Yield (line number, words) of every line that is neither empty nor a comment."""
    for number, line in enumerate(stream, start=2):
        if line.startswith(b"%"):
            continue
        if len(line) > MAX_LINE or b"_" in line:  # int and float would take 1_000
            raise InputError(f"line {number} is {shown(line)}; expected numbers")
        words = line.split()
        if words:
            yield number, words


def _size(token: bytes, number: int) -> int:
    if not token.isdigit() or len(token) > 100:
        raise InputError(f"line {number} holds the size {shown(token)}; expected a whole number")
    return int(token)


def _numbers(lines: Lines, count: int, width: int, numbers: int) -> tuple[array[int], NDArray[Any]]:
    """Return all places, row and column in turn from 1, and all values; patterns have ones.

    The last ``numbers`` of the ``width`` words on a line are the value.
    """
    places, values = array("q"), array("d")
    held = 0
    for number, words in lines:
        if len(words) != width:
            raise InputError(f"line {number} holds {len(words)} numbers; expected {width}")
        try:
            if width > numbers:
                places.append(int(words[0]))
                places.append(int(words[1]))
            values.append(float(words[width - numbers]) if numbers else 1.0)
            if numbers == 2:
                values.append(float(words[-1]))
        except (ValueError, OverflowError):
            shortened = shown(b" ".join(words))
            raise InputError(f"line {number} is {shortened}; expected numbers") from None
        held += 1
    if held != count:
        raise InputError(f"declares {count} entries, but holds {held}")
    found = np.asarray(values)
    return places, found.view(np.complex128) if numbers == 2 else found
