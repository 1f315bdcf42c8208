"""Files of numbers: arrays of any shape from .npy, .npz and .csv files, and back."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from gcdesign.designs.formats.arrays import ANY_NUMBER, Array, members, parse_array, zip_arrays
from gcdesign.designs.formats.reading import read_bounded
from gcdesign.designs.formats.text import MAX_BYTES, naming, printable, shown, text_lines
from gcdesign.errors import InputError, LimitError

SUFFIXES = (".npy", ".npz", ".csv")
MOST_DIMENSIONS = 32


def read_arrays(path: Path) -> dict[str, Array]:
    """Read numbers of any shape: a .npy file, the members of a .npz file, or a .csv file.

    Returns
    -------
    dict
        Arrays by name; that of a .npy or .csv file is ``""``. They are read-only.

    Raises
    ------
    InputError
        If the file cannot be read, its suffix is unknown, or it holds anything but numbers.
    LimitError
        If it is too large.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(
            f"{printable(path)}: the suffix {shown(suffix)}; expected one of: {', '.join(SUFFIXES)}"
        )
    data = read_bounded(path)
    with naming(str(path)):
        if len(data) > MAX_BYTES:
            raise LimitError(f"more than {MAX_BYTES} bytes, which is the limit")
        if suffix == ".csv":
            return {"": _table(data)}
        contents = members(data) if suffix == ".npz" else {"": data}
        return {
            name: parse_array(
                f"member {shown(name)}" if name else "it",
                content,
                dimensions=MOST_DIMENSIONS,
                numbers=ANY_NUMBER,
            )
            for name, content in contents.items()
        }


def read_array(path: Path) -> Array:
    """Read the one array of a file.

    Raises
    ------
    InputError
        If there are several, or as `read_arrays`.
    """
    arrays = read_arrays(path)
    if len(arrays) != 1:
        names = shown(sorted(arrays))
        raise InputError(f"{printable(path)}: holds the arrays {names}; expected one")
    return next(iter(arrays.values()))


def _table(data: bytes) -> Array:
    """Parse rows of numbers between commas; empty lines and those with # are passed over."""
    rows: list[list[float]] = []
    for number, line in text_lines(data):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            rows.append([float(word) for word in line.split(",")])
        except ValueError:
            raise InputError(
                f"line {number}: {shown(line)}; expected numbers, commas between"
            ) from None
        if len(rows[-1]) != len(rows[0]):
            raise InputError(f"line {number} has {len(rows[-1])} numbers; the first {len(rows[0])}")
    if not rows:
        raise InputError("holds no numbers")
    return np.array(rows)


def array_bytes(arrays: Mapping[str, Any], suffix: str) -> bytes:
    r"""Return a file of arrays by name; .npy and .csv files hold a single one.

    Raises
    ------
    InputError
        If the suffix is unknown, or the arrays do not fit into such a file.

    Examples
    --------
    >>> array_bytes({"": np.array([[1.0, 2.5]])}, ".csv")
    b'1.0,2.5\n'
    """
    if suffix == ".npz":
        return zip_arrays(arrays)
    if suffix not in SUFFIXES:
        raise InputError(f"the suffix {shown(suffix)}; expected one of: {', '.join(SUFFIXES)}")
    if len(arrays) != 1:
        raise InputError(f"{len(arrays)} arrays; a {suffix} file holds one, take .npz")
    [array] = arrays.values()
    if suffix == ".npy":
        buffer = BytesIO()
        np.save(buffer, array, allow_pickle=False)
        return buffer.getvalue()
    if array.ndim > 2 or array.dtype.kind == "c":
        raise InputError(
            f"an array of shape {array.shape} and type {array.dtype}; a .csv file holds rows of "
            "real numbers, take .npy"
        )
    rows = array.reshape(len(array), -1).tolist()
    return "".join(",".join(map(repr, row)) + "\n" for row in rows).encode()
