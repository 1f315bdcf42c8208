"""Difference and quasi-difference matrices, and squares by computer: stored, then developed."""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import product
from pkgutil import get_data
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]


@lru_cache(maxsize=1)
def _stored() -> dict[str, Any]:
    data = get_data("gcdesign.designs", "data/difference_matrices.json") or b""
    entries: dict[str, Any] = json.loads(data)["sides"]
    return entries


def stored_columns(side: int) -> int:
    """Return how many columns the stored array of a side has; 0 if there is none.

    Examples
    --------
    >>> stored_columns(12), stored_columns(13)
    (7, 0)
    """
    entry = _stored().get(str(side))
    return int(entry["columns"]) if entry else 0


def stored_array(side: int) -> Rows:
    """Return the stored orthogonal array of a side, shape (side² − u², columns).

    A row of a quasi-difference matrix over an abelian group of order n − u holds elements and at
    most one gap. Its translates, with a new symbol in the gap, cover each pair of old symbols, and
    of an old and a new one, once; what is missing is an array of the u new symbols, the last ones.
    In a difference matrix there are no gaps, and one more column tells its rows apart.
    """
    entry = _stored()[str(side)]
    if "squares" in entry:
        return _from_letters(entry["squares"])
    orders = np.array(entry["group"])
    place = np.array([int(np.prod(orders[i + 1 :])) for i in range(len(orders))])
    elements = np.array(list(product(*map(range, orders.tolist()))))
    rows = [_as_row(row, orders) for row in entry.get("fixed", [])]
    for row in entry["rows"]:
        rows += _turned(_as_row(row, orders), entry.get("turn", {}), orders)
    gaps = np.zeros(len(rows[0][1]), dtype=np.int64)
    developed = []
    for number, (values, given) in enumerate(rows):
        moved = ((values[None, :, :] + elements[:, None, :]) % orders) @ place
        moved[:, ~given] = len(elements) + gaps[~given]
        gaps[~given] += 1
        if not entry["new"]:
            moved = np.concatenate([moved, np.full((len(elements), 1), number)], axis=1)
        developed.append(moved)
    return np.concatenate(developed)


Row = tuple[NDArray[np.int64], NDArray[np.bool_]]
"""Elements, shape (columns, coordinates), and whether a column has one, or a gap."""


def _as_row(row: list[Any], orders: NDArray[np.int64]) -> Row:
    given = np.array([value is not None for value in row])
    values = np.zeros((len(row), len(orders)), dtype=np.int64)
    for column in np.flatnonzero(given):
        values[column] = row[column]
    return values % orders, given


def _turned(row: Row, turn: dict[str, Any], orders: NDArray[np.int64]) -> list[Row]:
    """Return a row and its images: columns in a new order, times a factor, plus a row."""
    rows = [row]
    for _ in range(turn.get("times", 1) - 1):
        values, given = rows[-1]
        order = turn.get("order", list(range(len(given))))
        moved = values[order] * np.array(turn.get("factor", 1)) + np.array(turn.get("add", 0))
        rows.append((moved % orders, given[order]))
    return rows


def _from_letters(squares: list[str]) -> Rows:
    """Return the array of Latin squares that are written row by row in letters."""
    side = int(len(squares[0]) ** 0.5)
    cells = np.arange(side * side)
    columns = [cells // side, cells % side]
    columns += [np.array([ord(letter) - ord("a") for letter in square]) for square in squares]
    return np.stack(columns, axis=1)


def new_symbols(side: int) -> int:
    """Return how many symbols the stored array of a side leaves uncovered among themselves."""
    return int(_stored()[str(side)].get("new", 0))
