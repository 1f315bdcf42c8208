"""Products of a small matrix with large data, of any shape, dtype and array library.

NumPy arrays are multiplied with nothing held beyond the output and a small buffer. Other arrays
that follow the array-API standard are worked on by their own library, which is never imported
here: an array knows it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import InputError

BUFFER_BYTES = 1 << 20
"""Rows that lie apart in memory are brought together in pieces of this size: it stays in cache."""

LEAST_PIECE = 512
"""Least number of coordinates of such a piece."""

Array = Any
"""An array of NumPy, or of any library that follows the array-API standard."""


def as_array(given: Any, what: str) -> Array:
    """Return something as an array of floating-point numbers; whole numbers are converted.

    Raises
    ------
    InputError
        If it holds anything but numbers, or some are masked.

    Examples
    --------
    >>> as_array([[1, 2], [3, 4]], "data").dtype
    dtype('float64')
    """
    if not isinstance(given, np.ndarray) and hasattr(given, "__array_namespace__"):
        library = given.__array_namespace__()
        if not library.isdtype(given.dtype, ("real floating", "complex floating")):
            raise InputError(f"{what} of type {given.dtype}; expected floating-point numbers")
        return given
    try:
        array = np.asarray(given)
    except ValueError:
        raise InputError(f"{what} are no array; expected numbers of one shape") from None
    if np.ma.is_masked(given):
        raise InputError(f"{what} with masked entries; expected all of them, fill them in")
    if array.dtype.kind in "iu":
        return array.astype(np.float64)
    if array.dtype.kind not in "fc":
        raise InputError(f"{what} of type {array.dtype}; expected floating-point numbers")
    # Bytes in another order than the machine's are multiplied slowly, and viewed wrongly.
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def all_finite(array: Array) -> bool:
    """Whether no entry is NaN or infinite; the usual answer costs one sum and no memory."""
    if not isinstance(array, np.ndarray):
        library = array.__array_namespace__()
        return bool(library.all(library.isfinite(array)))
    with np.errstate(all="ignore"):
        total = array.sum(dtype=np.result_type(array.dtype, np.float32))
    if isfinite(total.real) and isfinite(total.imag):
        return True
    return bool(np.isfinite(array).all())  # the sum may be too large without any entry being so


def combine(matrix: NDArray[np.float64], data: Array) -> Array:
    """Return ``matrix`` times ``data`` along the first axis: (m, n) and (n, …) give (m, …)."""
    if not isinstance(data, np.ndarray):
        library = data.__array_namespace__()
        flat = library.reshape(data, (data.shape[0], -1)) if data.ndim != 2 else data
        product = library.matmul(_weights_like(matrix, data), flat)
        return library.reshape(product, (matrix.shape[0], *data.shape[1:]))
    if data.size == 0 or _small(data.dtype) or not _one_block(data):
        return combine_rows(matrix, [data[k, ...] for k in range(len(data))])
    real = _real_parts(data.reshape(len(data), -1))
    with _no_overflow(data.dtype):
        product = np.matmul(matrix.astype(real.dtype, copy=False), real)
    return product.view(data.dtype).reshape(len(matrix), *data.shape[1:])


def combine_rows(matrix: NDArray[np.float64], rows: Sequence[Array]) -> Array:
    """Return the same for rows that lie apart, all of one shape."""
    first = rows[0]
    if not isinstance(first, np.ndarray):
        return combine(matrix, first.__array_namespace__().stack(list(rows)))
    dtype = np.result_type(*[row.dtype for row in rows])
    out = np.empty((len(matrix), *first.shape), dtype=dtype)
    with _no_overflow(dtype):
        _by_pieces(out, matrix, rows, add=False)
    return out


def add_rows(out: NDArray[Any], matrix: NDArray[np.float64], rows: Sequence[NDArray[Any]]) -> None:
    """Add ``matrix`` times NumPy rows to an array in place, piece by piece."""
    with _no_overflow(out.dtype):
        _by_pieces(out, matrix, rows, add=True)


@contextmanager
def _no_overflow(dtype: np.dtype[Any]) -> Iterator[None]:
    """Refuse finite numbers whose combinations are not."""
    try:
        with np.errstate(over="raise"):
            yield
    except FloatingPointError:
        raise InputError(
            f"numbers so large that their combinations overflow {dtype}; scale them down"
        ) from None


def _by_pieces(
    out: NDArray[Any], matrix: NDArray[np.float64], rows: Sequence[NDArray[Any]], *, add: bool
) -> None:
    """Write or add a product to an array that lies in one block, a piece of all rows at a time."""
    flat_out = out.reshape(len(out), -1)
    dtype = np.result_type(out.dtype, np.float32) if _small(out.dtype) else out.dtype
    entries = BUFFER_BYTES // (max(len(rows), len(out)) * dtype.itemsize)
    piece = max(1, min(flat_out.shape[1], max(LEAST_PIECE, entries)))
    buffer = np.empty((len(rows), piece), dtype=dtype)
    flat = [_flat(row) for row in rows]
    weights = matrix.astype(buffer.real.dtype, copy=False)
    for start in range(0, flat_out.shape[1], piece):
        target = flat_out[:, start : start + piece]
        part = buffer[:, : target.shape[1]]
        for row, values in zip(part, flat, strict=True):
            row[:] = values[start : start + piece]
        if add:
            target += np.matmul(weights, _real_parts(part)).view(dtype)
        elif _small(out.dtype):
            target[:] = np.matmul(weights, _real_parts(part))
        else:
            np.matmul(weights, _real_parts(part), out=_real_parts(target))


def _flat(row: NDArray[Any]) -> Any:
    """Return a row as one line; of a row that does not lie in one block, pieces are copied."""
    return row.reshape(-1) if row.flags.c_contiguous else row.flat


def _real_parts(array: NDArray[Any]) -> NDArray[Any]:
    """Return complex numbers as pairs of real ones: real weights act on both alike."""
    return array.view(array.real.dtype) if array.dtype.kind == "c" else array


def _one_block(data: NDArray[Any]) -> bool:
    """Whether NumPy multiplies the data where they lie, without a copy of its own."""
    fortran = data.ndim == 2 and data.flags.f_contiguous and data.dtype.kind == "f"
    return bool(data.flags.c_contiguous or fortran)


def _small(dtype: np.dtype[Any]) -> bool:
    """Whether numbers are too short to add up in."""
    return dtype.itemsize < 4


def _weights_like(matrix: NDArray[np.float64], data: Array) -> Array:
    """Return the weights in the data's library, type and place."""
    library = data.__array_namespace__()
    return library.asarray(matrix, dtype=data.dtype, device=data.device)
