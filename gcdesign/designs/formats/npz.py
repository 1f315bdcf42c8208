"""NumPy archives: sparse matrices as SciPy saves them, or a single 2-D array.

The members are parsed here and not by ``numpy.load``, which takes memory for whatever shape a
header declares.
"""

from __future__ import annotations

import ast
import math
import re
import struct
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import MAX_INCIDENCES, BlockDesign, Size, check_size
from gcdesign.designs.formats.entries import Entries
from gcdesign.designs.formats.text import MAX_BYTES, shown
from gcdesign.errors import InputError, LimitError

if TYPE_CHECKING:
    from zipfile import ZipInfo

MAGIC = b"\x93NUMPY"
MAX_HEADER = 2000

Array = NDArray[Any]


def write_npz(design: BlockDesign) -> bytes:
    """Return the placement as ``scipy.sparse.load_npz`` reads it: CSR, row = worker, int8.

    The members are stored uncompressed and undated, so that equal designs give equal bytes
    whatever the version of the compression library.
    """
    from zipfile import ZipFile, ZipInfo

    members: dict[str, Array] = {
        "indices": design.indices.astype("<i4", copy=False),
        "indptr": design.indptr.astype("<i4"),
        "format": np.array(b"csr"),
        "shape": np.array([design.b, design.v], dtype="<i8"),
        "data": np.ones(design.incidences, dtype=np.int8),
        "_is_array": np.array(True),
    }
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        for name, values in members.items():
            info = ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            info.create_system, info.external_attr = 3, 0o644 << 16
            with archive.open(info, "w", force_zip64=True) as member:
                np.lib.format.write_array(member, values, version=(1, 0), allow_pickle=False)
    return buffer.getvalue()


def parse_npz(data: bytes) -> Entries:
    """Parse an archive: CSR, CSC or COO of SciPy, or one 2-D array.

    Raises
    ------
    InputError
        If the archive is damaged, holds anything else, or objects that would need unpickling.
    LimitError
        If the matrix, or what the archive unpacks to, is too large.
    """
    arrays = {name: _array(name, content) for name, content in _members(data).items()}
    if "format" in arrays:
        return _sparse(arrays)
    if len(arrays) != 1:
        names = shown(sorted(arrays))
        raise InputError(f"holds the arrays {names}; expected a sparse matrix or one 2-D array")
    return _dense(*arrays.values())


def _members(data: bytes) -> dict[str, bytes]:
    """Unpack the archive, after checking what its directory declares."""
    import zlib
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(BytesIO(data)) as archive:
            _check_directory(archive.infolist())
            return {
                info.filename.removesuffix(".npy"): archive.read(info)
                for info in archive.infolist()
            }
    except (InputError, LimitError):
        raise
    except (
        BadZipFile,
        EOFError,
        NotImplementedError,
        OSError,
        OverflowError,
        RuntimeError,
        ValueError,
        struct.error,
        zlib.error,
    ) as error:  # all of these are raised on damaged archives
        reason = " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"not a usable zip archive: {shown(reason)}") from None


def _check_directory(members: list[ZipInfo]) -> None:
    from zipfile import ZIP_DEFLATED, ZIP_STORED

    total = sum(info.file_size for info in members)
    if total > MAX_BYTES:
        raise LimitError(f"unpacks to {total} bytes; the limit is {MAX_BYTES}")
    names = [info.filename for info in members]
    if len(set(names)) < len(names):
        raise InputError("holds two members of the same name")
    for info in members:
        if not info.filename.endswith(".npy"):
            raise InputError(f"holds {shown(info.filename)}; expected only .npy members")
        if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise InputError(f"member {shown(info.filename)} is compressed in an unusual way")


def _array(name: str, content: bytes) -> Array:
    """Return one member as an array that shares the memory of ``content``."""
    where = f"member {shown(name)}"
    if content[:6] != MAGIC or content[6:7] not in (b"\x01", b"\x02"):
        raise InputError(f"{where} is no .npy file of version 1 or 2")
    length_format = "<H" if content[6] == 1 else "<I"
    start = 8 + struct.calcsize(length_format)
    if len(content) < start:
        raise InputError(f"{where} is truncated")
    (length,) = struct.unpack(length_format, content[8:start])
    dtype, shape, fortran = _header(where, content[start : start + min(length, MAX_HEADER)])
    body = memoryview(content)[start + length :]
    if math.prod(shape) * dtype.itemsize != len(body):
        raise InputError(f"{where} declares shape {shown(shape)}, but holds {len(body)} bytes")
    return np.ndarray(shape, dtype, body, order="F" if fortran else "C")


def _header(where: str, text: bytes) -> tuple[np.dtype[Any], tuple[int, ...], bool]:
    """Parse the dictionary at the start of a .npy file."""
    try:
        header = ast.literal_eval(text.decode("ascii"))
        description, shape = header["descr"], header["shape"]
        fortran = header["fortran_order"]
    except (ValueError, SyntaxError, KeyError, TypeError, RecursionError, MemoryError):
        raise InputError(f"{where} has a damaged header") from None
    if not isinstance(description, str) or "O" in description:
        raise InputError(f"{where} holds Python objects, which are never unpickled")
    if re.fullmatch(r"[<>|=]?([biuf][1248]|[SU][1-9])", description) is None:
        raise InputError(f"{where} has the type {shown(description)}; expected real numbers")
    counts = isinstance(shape, tuple) and all(type(n) is int and n >= 0 for n in shape)
    if not counts or type(fortran) is not bool or len(shape) > 2:
        raise InputError(f"{where} declares shape {shown(shape)}; expected at most 2 dimensions")
    if max(shape, default=0) > MAX_INCIDENCES:
        raise LimitError(f"{where} declares shape {shown(shape)}; the limit is {MAX_INCIDENCES}")
    try:
        return np.dtype(description), shape, fortran
    except TypeError:  # f1, b8 and other widths that do not exist
        raise InputError(f"{where} has the unknown type {shown(description)}") from None


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
