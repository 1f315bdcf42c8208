"""alist files, the usual form of parity check matrices: rows are workers, columns are parts."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, Size, check_size, offsets
from gcdesign.designs.formats.text import check_beginning, naming, shown
from gcdesign.designs.operations import transpose
from gcdesign.errors import InputError

NOT_NUMBERS = re.compile(rb"[^0-9\s]|[0-9]{19}")

Numbers = NDArray[np.int64]


def write_alist(design: BlockDesign) -> bytes:
    r"""Return the placement as an alist file: K and N, weights, then the columns and the rows.

    Lists are filled up with zeros to the greatest weight, as MacKay's programs expect.

    Notes
    -----
    Source: D. J. C. MacKay, *alist format*, Encyclopedia of Sparse Graph Codes, 1999.

    Examples
    --------
    >>> print(write_alist(BlockDesign.from_blocks([[0, 2], [1]])).decode(), end="")
    3 2
    1 2
    1 1 1
    2 1
    1
    2
    1
    1 3
    2 0
    """
    columns, rows = transpose(design), (design.indptr, design.indices)
    widths = [int(np.diff(indptr).max(initial=0)) for indptr, _ in (columns, rows)]
    filled = design.v * widths[0] + design.b * widths[1]
    check_size(Size(0, 0, filled), name="an alist, which fills up with zeros,")
    lines = [f"{design.v} {design.b}", "{} {}".format(*widths)]
    lines += [_text(np.diff(indptr)) for indptr, _ in (columns, rows)]
    for (indptr, indices), width in zip((columns, rows), widths, strict=True):
        for start, stop in pairwise(indptr.tolist()):
            zeros = np.zeros(width - (stop - start), dtype=np.int32)
            lines.append(_text(np.concatenate([indices[start:stop] + 1, zeros])))
    return "".join(f"{line}\n" for line in lines).encode("ascii")


def _text(numbers: NDArray[Any]) -> str:
    return " ".join(map(str, numbers.tolist()))


def read_alist(data: bytes, *, name: str) -> BlockDesign:
    r"""Read an alist file, its lists filled up with zeros or not.

    The file says everything twice, by columns and by rows, and both must agree.

    Parameters
    ----------
    data
        The file's content.
    name
        The file's name, for messages.

    Raises
    ------
    InputError
        If the file is malformed or contradicts itself.
    LimitError
        If the design is too large.

    Examples
    --------
    >>> read_alist(b"3 2\n1 2\n1 1 1\n2 1\n1\n2\n1\n1 3\n2\n", name="small.alist").blocks()
    [[0, 2], [1]]
    """
    with naming(name):
        numbers = _numbers(data)
        v, b, most_column, most_row = map(int, _take(numbers, 0, 4, "K, N and the two weights"))
        check_size(Size(v, b, 0))
        column = _take(numbers, 4, v, "the weights of the columns")
        row = _take(numbers, 4 + v, b, "the weights of the rows")
        for weights, most, what in ((column, most_column, "column"), (row, most_row, "row")):
            if weights.max(initial=0) != most:
                found = int(weights.max(initial=0))
                raise InputError(f"the greatest {what} weight is said to be {most}, but is {found}")
        by_column, by_row = _lists(numbers[4 + v + b :], column, row)
        design = BlockDesign(v, offsets(row), _sorted(by_row, row, v, "row"))
        if not _agree(design, column, _sorted(by_column, column, b, "column")):
            raise InputError("the lists of the columns say another matrix than those of the rows")
        return design


def _numbers(data: bytes) -> Numbers:
    check_beginning(data)
    wrong = NOT_NUMBERS.search(data)
    if wrong is not None:
        line = data.count(b"\n", 0, wrong.start()) + 1
        at = data[wrong.start() :][:40].split()[0].decode("utf-8", "replace")
        raise InputError(f"line {line} holds {shown(at)}; an alist is whole numbers only")
    return np.fromstring(data.decode("ascii"), dtype=np.int64, sep=" ")


def _take(numbers: Numbers, start: int, count: int, what: str) -> Numbers:
    if len(numbers) < start + count:
        left = max(len(numbers) - start, 0)
        raise InputError(f"ends early: {count} numbers should be {what}, but {left} follow")
    return numbers[start : start + count]


def _lists(numbers: Numbers, column: Numbers, row: Numbers) -> tuple[Numbers, Numbers]:
    """Return the entries of all columns and of all rows, without the zeros that fill up."""
    each, rest = int(column.sum()), int(row.sum())
    if each != rest:
        raise InputError(
            f"the weights of the columns add up to {each}, those of the rows to {rest}"
        )
    if len(numbers) != each + rest:
        filled = sum(len(weights) * int(weights.max(initial=0)) for weights in (column, row))
        if len(numbers) != filled:
            raise InputError(
                f"{len(numbers)} numbers are in the lists; the weights ask for {each + rest}, "
                f"or for {filled} with the zeros that fill up"
            )
        kept = np.concatenate([_places(column), _places(row)])
        if numbers[~kept].any():
            raise InputError("a list is longer than its weight; expected zeros after it")
        numbers = numbers[kept]
    return numbers[:each], numbers[each:]


def _places(weights: Numbers) -> NDArray[np.bool_]:
    """Mark the entries of lists that are filled up with zeros."""
    return (np.arange(weights.max(initial=0)) < weights[:, None]).ravel()


def _sorted(entries: Numbers, weights: Numbers, bound: int, what: str) -> NDArray[np.int32]:
    """Return the entries counted from 0, increasing within each list."""
    outside = np.flatnonzero((entries < 1) | (entries > bound))
    if outside.size:
        number = int(np.searchsorted(np.cumsum(weights), outside[0], side="right")) + 1
        found = entries[outside[0]]
        raise InputError(f"{what} {number} names {found}; expected 1 to {bound} (counted from 1)")
    order = np.lexsort((entries, np.repeat(np.arange(len(weights)), weights)))
    return (entries[order] - 1).astype(np.int32)


def _agree(design: BlockDesign, column: Numbers, by_column: NDArray[np.int32]) -> bool:
    _, blocks = transpose(design)
    same_weights = np.array_equal(column, design.replication_numbers)
    return same_weights and np.array_equal(by_column, blocks)
