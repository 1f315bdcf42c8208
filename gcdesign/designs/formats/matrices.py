"""Placements and codes as matrices: row = worker, column = part."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gcdesign.designs.design import BlockDesign
from gcdesign.designs.formats.entries import Entries
from gcdesign.designs.formats.matrixmarket import parse_mtx, write_mtx
from gcdesign.designs.formats.npz import parse_npz, write_npz
from gcdesign.designs.formats.text import naming, shown, text_lines
from gcdesign.errors import InputError

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def read_matrix(data: bytes, kind: str, *, name: str) -> csr_array[Any, tuple[int, int]]:
    r"""Read a matrix with workers as rows and parts as columns.

    Parameters
    ----------
    data
        The file's content.
    kind
        ``"mtx"``, ``"npz"`` or ``"csv"``.
    name
        The file's name, for messages.

    Returns
    -------
    csr_array
        In canonical form: indices sorted, no zeros stored.

    Raises
    ------
    InputError
        If the file is malformed, or an entry is not finite or given twice.
    LimitError
        If the matrix is too large.

    Examples
    --------
    >>> read_matrix(b"1,0\n0.5,1\n", "csv", name="code.csv").toarray().tolist()
    [[1.0, 0.0], [0.5, 1.0]]
    """
    parsers: dict[str, Callable[[bytes], Entries]] = {
        "mtx": parse_mtx,
        "npz": parse_npz,
        "csv": parse_csv,
    }
    if kind not in parsers:
        raise InputError(f"no matrix format is called {kind!r}; expected {', '.join(parsers)}")
    with naming(name):
        return parsers[kind](data).to_csr()


def matrix_to_design(matrix: csr_array[Any, tuple[int, int]]) -> BlockDesign:
    r"""Return the design whose block i is the set of parts in row i of a 0/1 matrix.

    Parameters
    ----------
    matrix
        As `read_matrix` returns it.

    Raises
    ------
    InputError
        If an entry is neither 0 nor 1.

    Examples
    --------
    >>> matrix = read_matrix(b"1,1,0\n0,1,1\n", "csv", name="placement.csv")
    >>> matrix_to_design(matrix).blocks()
    [[0, 1], [1, 2]]
    """
    wrong = np.flatnonzero(matrix.data != 1)
    if wrong.size:
        row = int(np.searchsorted(matrix.indptr, wrong[0], side="right")) - 1
        raise InputError(
            f"worker {row} has {matrix.data[wrong[0]]} for part {matrix.indices[wrong[0]]}; "
            "the blocks of a design need entries 0 and 1 only"
        )
    indptr = matrix.indptr.astype(np.int64)
    return BlockDesign(matrix.shape[1], indptr, matrix.indices.astype(np.int32))


def parse_csv(data: bytes) -> Entries:
    """Parse comma separated numbers, one row to a line; lines that start with # are comments.

    Raises
    ------
    InputError
        If a field is no number, the rows differ in length, or there are none.
    LimitError
        If there are more lines than a design may have blocks.
    """
    rows, columns, values = array("q"), array("q"), array("d")
    width = count = 0
    for number, line in text_lines(data):
        if not line.strip() or line.startswith("#"):
            continue
        fields = _numbers(line, number)
        if count and len(fields) != width:
            raise InputError(f"line {number} holds {len(fields)} numbers, earlier lines {width}")
        for column, value in enumerate(fields):
            if value:
                rows.append(count)
                columns.append(column)
                values.append(value)
        width, count = len(fields), count + 1
    if not count:
        raise InputError("holds no numbers")
    return Entries((count, width), np.asarray(rows), np.asarray(columns), np.asarray(values))


def _numbers(line: str, number: int) -> list[float]:
    fields = line.split(",")
    try:
        if "_" in line or not line.isascii():  # float would take 1_000, and digits of any script
            raise ValueError
        return [float(field) for field in fields]
    except ValueError:
        raise InputError(f"line {number} is {shown(line)}; expected numbers and commas") from None


def write_csv(design: BlockDesign) -> bytes:
    r"""Return the placement as lines of 0 and 1, separated by commas.

    Raises
    ------
    InputError
        If the design has no points or no blocks, which this format cannot say.
    LimitError
        If the dense matrix is too large.

    Examples
    --------
    >>> write_csv(BlockDesign.from_blocks([[0, 2], [1]]))
    b'1,0,1\n0,1,0\n'
    """
    if not (design.v and design.b):
        raise InputError("csv cannot hold a design without points or blocks; use json or mtx")
    text = np.full((design.b, 2 * design.v), ord(","), dtype=np.uint8)
    text[:, ::2] = design.dense_incidence() + ord("0")
    text[:, -1] = ord("\n")
    return text.tobytes()


__all__ = [
    "matrix_to_design",
    "parse_csv",
    "read_matrix",
    "write_csv",
    "write_mtx",
    "write_npz",
]
