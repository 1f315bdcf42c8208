"""The stored sequences of the Hadamard room: found by computers, kept as short texts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pkgutil import get_data
from typing import Any

import numpy as np
from numpy.typing import NDArray


@lru_cache(maxsize=1)
def _document() -> dict[str, Any]:
    data = get_data("gcdesign.designs", "data/hadamard.json") or b""
    document: dict[str, Any] = json.loads(data)
    return document


def stored(kind: str) -> Mapping[str, Any]:
    """Return what is stored of one kind, by order: williamson, turyn_type, t_matrices or cosets."""
    entries: dict[str, Any] = _document()[kind]["orders"]
    return entries


def unpack_signs(rows: Sequence[str]) -> NDArray[np.int8]:
    """Return rows of ``+``, ``-`` and ``0`` as numbers, one row each.

    Examples
    --------
    >>> unpack_signs(["+-0"]).tolist()
    [[1, -1, 0]]
    """
    values = {"+": 1, "-": -1, "0": 0}
    return np.array([[values[sign] for sign in row] for row in rows], dtype=np.int8)
