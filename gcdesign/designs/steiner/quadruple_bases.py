"""Stored quadruple systems: base blocks under a group, found by exact cover on orbits."""

from __future__ import annotations

import json
from functools import lru_cache
from pkgutil import get_data
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.actions import Action, Multiplier
from gcdesign.designs.rings import Ring


@lru_cache(maxsize=1)
def _stored() -> dict[int, dict[str, Any]]:
    data = get_data("gcdesign.designs", "data/quadruple_systems.json") or b""
    return {int(points): entry for points, entry in json.loads(data)["points"].items()}


def base_orders() -> frozenset[int]:
    """Return the numbers of points for which base blocks are stored."""
    return frozenset(_stored())


def base_rows(points: int) -> NDArray[np.int32]:
    """Return the blocks of a stored quadruple system, shape (b, 4)."""
    entry = _stored()[points]
    action = Action(
        Ring.parse(f"Z{entry['modulus']}"),
        copies=entry["copies"],
        fixed=entry["fixed"],
        multipliers=(Multiplier(entry["multiplier"]),),
    )
    orbits = [action.orbit(np.array(block)) for block in entry["blocks"]]
    return np.concatenate(orbits).astype(np.int32)
