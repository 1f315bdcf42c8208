"""NumPy archives: sparse matrices as SciPy saves them, or a single 2-D array.

How archives are taken apart is in `gcdesign.designs.formats.arrays`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, Size, check_size
from gcdesign.designs.formats.arrays import members, parse_array, zip_arrays
from gcdesign.designs.formats.entries import Entries
from gcdesign.designs.formats.text import shown
from gcdesign.errors import InputError

Array = NDArray[Any]


def write_npz(design: BlockDesign) -> bytes:
    """Return the placement as ``scipy.sparse.load_npz`` reads it: CSR, row = worker, int8.

    Equal designs give equal bytes.
    """
    return zip_arrays(
        {
            "indices": design.indices.astype("<i4", copy=False),
            "indptr": design.indptr.astype("<i4"),
            "format": np.array(b"csr"),
            "shape": np.array([design.b, design.v], dtype="<i8"),
            "data": np.ones(design.incidences, dtype=np.int8),
            "_is_array": np.array(True),
        }
    )


def parse_npz(data: bytes) -> Entries:
    """Parse an archive: CSR, CSC or COO of SciPy, or one 2-D array.

    Raises
    ------
    InputError
        If the archive is damaged, holds anything else, or objects that would need unpickling.
    LimitError
        If the matrix, or what the archive unpacks to, is too large.
    """
    arrays = {
        name: parse_array(f"member {shown(name)}", content)
        for name, content in members(data).items()
    }
    if "format" in arrays:
        return _sparse(arrays)
    if len(arrays) != 1:
        names = shown(sorted(arrays))
        raise InputError(f"holds the arrays {names}; expected a sparse matrix or one 2-D array")
    return _dense(*arrays.values())


def _dense(matrix: Array) -> Entries:
    if matrix.ndim != 2 or matrix.dtype.kind in "SU":
        raise InputError(f"holds an array of {matrix.ndim} dimensions; expected 2, and numbers")
    check_size(
        Size(matrix.shape[1], matrix.shape[0], int(np.count_nonzero(matrix))), name="the matrix"
    )
    rows, columns = np.nonzero(matrix)
    return Entries(matrix.shape, rows, columns, matrix[rows, columns].astype(np.float64))


def _sparse(arrays: dict[str, Array]) -> Entries:
    layout = _layout(arrays["format"])
    members = {
        "csr": ("indptr", "indices"),
        "csc": ("indptr", "indices"),
        "coo": ("row", "col"),
    }.get(layout)
    if members is None:
        raise InputError(f"holds a sparse matrix of layout {shown(layout)}; expected csr, csc, coo")
    expected = {"format", "shape", "data", *members}
    if set(arrays) - {"_is_array"} != expected:
        raise InputError(f"holds {shown(sorted(arrays))}; expected {', '.join(sorted(expected))}")
    shape = _integers(arrays, "shape").tolist()
    if len(shape) != 2:
        raise InputError(f"declares the shape {shown(shape)}; expected two numbers")
    workers, parts = shape
    values = arrays["data"]
    if values.ndim != 1 or values.dtype.kind in "SU":
        raise InputError("member 'data' should be a list of numbers")
    check_size(Size(parts, workers, len(values)), name="the matrix")
    first, second = (_integers(arrays, member) for member in members)
    if layout != "coo":
        first = _expand(first, workers if layout == "csr" else parts, len(second))
    if not len(first) == len(second) == len(values):
        raise InputError("its members differ in length")
    rows, columns = (second, first) if layout == "csc" else (first, second)
    return Entries((workers, parts), rows, columns, values.astype(np.float64))


def _layout(values: Array) -> str:
    name = next(iter(values.reshape(-1)[:1].tolist()), "")
    return name.decode("ascii", "replace") if isinstance(name, bytes) else str(name)


def _integers(arrays: dict[str, Array], name: str) -> NDArray[np.int64]:
    values = arrays[name]
    if values.ndim != 1 or values.dtype.kind not in "iu":
        raise InputError(f"member {name!r} should be a list of whole numbers")
    return values.astype(np.int64)  # what wraps around here is negative, and refused later


def _expand(indptr: NDArray[np.int64], count: int, entries: int) -> NDArray[np.int64]:
    """Return the major index of every entry, from the offsets of compressed rows."""
    lengths = np.diff(indptr)
    if len(indptr) != count + 1 or indptr[0] != 0 or indptr[-1] != entries or (lengths < 0).any():
        raise InputError(
            f"member 'indptr' should rise from 0 to {entries} and have {count + 1} items"
        )
    return np.repeat(np.arange(count, dtype=np.int64), lengths)
