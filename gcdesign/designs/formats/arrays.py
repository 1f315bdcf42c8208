"""Arrays in NumPy's file formats, parsed without trust.

The files are parsed here and not by ``numpy.load``, which takes memory for whatever shape a header
declares.
"""

from __future__ import annotations

import ast
import math
import re
import struct
from collections.abc import Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import MAX_INCIDENCES
from gcdesign.designs.formats.text import MAX_BYTES, shown
from gcdesign.errors import InputError, LimitError

if TYPE_CHECKING:
    from zipfile import ZipInfo

MAGIC = b"\x93NUMPY"
MAX_HEADER = 2000
REAL = "[biuf][1248]|[SU][1-9]"
ANY_NUMBER = "[iuf][1248]|[fc](8|16|32)"

Array = NDArray[Any]


def members(data: bytes) -> dict[str, bytes]:
    """Unpack an archive, after checking what its directory declares.

    Raises
    ------
    InputError
        If it is damaged, or holds anything but .npy members of different names.
    LimitError
        If it unpacks to more than `MAX_BYTES`.
    """
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


def parse_array(where: str, content: bytes, *, dimensions: int = 2, numbers: str = REAL) -> Array:
    """Return a .npy file as an array that shares the memory of its bytes.

    Parameters
    ----------
    where
        What to call it in messages.
    content
        The whole file.
    dimensions
        The most dimensions that it may have.
    numbers
        The types that it may have: `REAL`, or `ANY_NUMBER` for complex and longer ones too.

    Raises
    ------
    InputError
        If it is damaged, or holds anything else, such as objects that would need unpickling.
    LimitError
        If it declares a huge shape.

    Examples
    --------
    >>> from io import BytesIO
    >>> buffer = BytesIO()
    >>> np.save(buffer, np.array([1.5, 2.0]))
    >>> parse_array("it", buffer.getvalue()).tolist()
    [1.5, 2.0]
    """
    if content[:6] != MAGIC or content[6:7] not in (b"\x01", b"\x02"):
        raise InputError(f"{where} is no .npy file of version 1 or 2")
    length_format = "<H" if content[6] == 1 else "<I"
    start = 8 + struct.calcsize(length_format)
    if len(content) < start:
        raise InputError(f"{where} is truncated")
    (length,) = struct.unpack(length_format, content[8:start])
    header = content[start : start + min(length, MAX_HEADER)]
    dtype, shape, fortran = _header(where, header, dimensions, numbers)
    body = memoryview(content)[start + length :]
    if math.prod(shape) * dtype.itemsize != len(body):
        raise InputError(f"{where} declares shape {shown(shape)}, but holds {len(body)} bytes")
    return np.ndarray(shape, dtype, body, order="F" if fortran else "C")


def _header(
    where: str, text: bytes, dimensions: int, numbers: str
) -> tuple[np.dtype[Any], tuple[int, ...], bool]:
    """Parse the dictionary at the start of a .npy file."""
    try:
        header = ast.literal_eval(text.decode("ascii"))
        description, shape = header["descr"], header["shape"]
        fortran = header["fortran_order"]
    except (ValueError, SyntaxError, KeyError, TypeError, RecursionError, MemoryError):
        raise InputError(f"{where} has a damaged header") from None
    if not isinstance(description, str) or "O" in description:
        raise InputError(f"{where} holds Python objects, which are never unpickled")
    if re.fullmatch(rf"[<>|=]?({numbers})", description) is None:
        raise InputError(
            f"{where} has the type {shown(description)}; expected "
            + ("real numbers" if numbers == REAL else "floating-point numbers")
        )
    counts = isinstance(shape, tuple) and all(type(n) is int and n >= 0 for n in shape)
    if not counts or type(fortran) is not bool or len(shape) > dimensions:
        raise InputError(
            f"{where} declares shape {shown(shape)}; expected at most {dimensions} dimensions"
        )
    if max(shape, default=0) > MAX_INCIDENCES:
        raise LimitError(f"{where} declares shape {shown(shape)}; the limit is {MAX_INCIDENCES}")
    try:
        return np.dtype(description), shape, fortran
    except TypeError:  # f1, b8 and other widths that do not exist
        raise InputError(f"{where} has the unknown type {shown(description)}") from None


def zip_arrays(arrays: Mapping[str, Array]) -> bytes:
    """Return an archive of arrays by name, as ``numpy.load`` and SciPy read it.

    The members are stored uncompressed and undated, so that equal arrays give equal bytes
    whatever the version of the compression library.
    """
    from zipfile import ZipFile, ZipInfo

    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        for name, values in arrays.items():
            info = ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            info.create_system, info.external_attr = 3, 0o644 << 16
            with archive.open(info, "w", force_zip64=True) as member:
                np.lib.format.write_array(member, values, version=(1, 0), allow_pickle=False)
    return buffer.getvalue()
