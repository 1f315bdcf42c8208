"""Archives of arrays with a header in JSON, written whole and read without trust."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.formats.arrays import members, parse_array, zip_arrays
from gcdesign.designs.formats.text import shown
from gcdesign.errors import InputError

HEADER = "header"
"""The member that holds the bytes of the header."""


def pack(header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Return an npz archive of arrays by name, and a header; equal ones give equal bytes.

    Examples
    --------
    >>> unpack(pack({"a": 1}, {"x": np.ones(2)}))
    ({'a': 1}, {'x': array([1., 1.])})
    """
    text = json.dumps(header, sort_keys=True).encode()
    return zip_arrays({HEADER: np.frombuffer(text, np.uint8), **arrays})


def unpack(data: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the header, empty if there is none, and the arrays of an npz archive.

    Raises
    ------
    InputError
        If it is damaged, holds anything but numbers, or its header is no JSON object.
    LimitError
        If it is too large.
    """
    arrays = {
        name: parse_array(f"member {shown(name)}", content).copy()
        for name, content in members(data).items()
    }
    text = arrays.pop(HEADER, None)
    if text is None:
        return {}, arrays
    try:
        header = json.loads(text.astype(np.uint8).tobytes())
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict):
        raise InputError("has a damaged header")
    return header, arrays
