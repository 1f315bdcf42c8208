"""Transversal arrays carried out: one row a block, one column a group."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.geometry import projective_geometry
from gcdesign.designs.nets import Squares, latin_squares
from gcdesign.designs.squares.known import known_squares
from gcdesign.designs.squares.matrices import stored_array
from gcdesign.designs.squares.plans import (
    MAX_SIDE,
    Plan,
    most_columns,
    transversal_plan,
)
from gcdesign.designs.structures.plane_sets import conic
from gcdesign.errors import InputError, LimitError

Array = NDArray[np.int32]
"""Shape (n², k): in any two columns each pair of the symbols 0, …, n − 1 stands in one row."""


def transversal_array(columns: int, side: int) -> Array:
    """Return a transversal design TD(k, n) as an orthogonal array, shape (n², k).

    The first two columns are in lexicographic order: row i·n + j begins with i, j.

    Raises
    ------
    InputError
        If none is known here; the message says how many columns there are, and how many are
        known.
    LimitError
        If the side is above `gcdesign.designs.squares.plans.MAX_SIDE`.

    Examples
    --------
    >>> transversal_array(4, 3)[:4].tolist()
    [[0, 0, 0, 0], [0, 1, 1, 1], [0, 2, 2, 2], [1, 0, 1, 2]]
    """
    check_columns(columns, side)
    plan = transversal_plan(columns, side)
    assert plan is not None
    return carry_out(plan)


def orthogonal_latin_squares(side: int, count: int) -> Squares:
    """Return mutually orthogonal Latin squares, shape (count, side, side).

    Raises
    ------
    InputError, LimitError
        As in `transversal_array`.

    Examples
    --------
    >>> orthogonal_latin_squares(10, 2).shape
    (2, 10, 10)
    """
    rows = transversal_array(count + 2, side)
    return np.ascontiguousarray(rows[:, 2:].T.reshape(count, side, side))


def check_columns(columns: int, side: int) -> None:
    """Refuse a transversal design that cannot be made, saying what is known."""
    if columns < 2:
        raise InputError(f"groups={columns}; expected 2 or more")
    if side < 2:
        raise InputError(f"side={side}; expected 2 or more")
    if side > MAX_SIDE:
        raise LimitError(f"side={side}; transversal designs are built up to side {MAX_SIDE}")
    if transversal_plan(columns, side) is not None:
        return
    if columns > side + 1:
        known = f"at most {side + 1} groups are possible"
    elif side == 6:
        known = "no two orthogonal Latin squares of side 6 exist (Tarry 1900)"
    else:
        known = f"{most_columns(side)} groups can be built here"
        if side <= 100 and known_squares(side) + 2 > most_columns(side):
            known += f", {known_squares(side) + 2} are known in the literature"
    raise InputError(f"a transversal design of {columns} groups of {side} points: {known}")


def carry_out(plan: Plan) -> Array:
    """Return the array of a plan, its rows in lexicographic order."""
    k, n = plan.columns, plan.side
    parts = [carry_out(part) for part in plan.parts]
    match plan.method:
        case "one point":
            return np.zeros((1, k), dtype=np.int32)
        case "field" | "cyclic":
            return _from_squares(k, n)
        case "product":
            rows = parts[0][:, None, :] * plan.parts[1].side + parts[1][None, :, :]
            rows = rows.reshape(n * n, k)
        case "difference":
            rows = stored_array(n)[:, :k]
            rows = np.concatenate([rows, *(part + n - plan.parts[0].side for part in parts)])
        case "plane":
            rows = _fill_plane(plan, parts)
        case _:
            rows = _wilson(plan, parts)
    order = np.lexsort((rows[:, 1], rows[:, 0]))
    return np.ascontiguousarray(rows[order].astype(np.int32))


def _from_squares(k: int, n: int) -> Array:
    cells = np.arange(n * n, dtype=np.int32)
    columns = [cells // n, cells % n]
    if 2 < k <= n + 1:
        squares = latin_squares(n, min(k - 2, n - 1))
        columns += [square.reshape(-1) for square in squares]
    return np.stack(columns[:k], axis=1)


def _with_last_row(rows: Array) -> Array:
    """Relabel the symbols of each column so that the last row holds the greatest symbol."""
    n = int(rows[:, 0].max()) + 1
    result: Array = (rows - rows[-1] - 1) % n
    return result


def _fill_plane(plan: Plan, parts: list[Array]) -> Array:
    """On each line of a plane a TD(k, size) without constant rows, and these once for each point.

    Of an affine plane the line that is missing has no point of the arc.
    """
    q, affine, gone = plan.parameters
    plane, arc = projective_geometry(q), conic(q)
    lines, kept = plane.indices.reshape(plane.b, q + 1), np.ones(plane.v, dtype=bool)
    if affine:
        kept[lines[~np.isin(lines, arc).any(axis=1)][0]] = False
    kept[arc[:gone]] = False
    number = np.cumsum(kept, dtype=np.int32) - 1
    rows = [np.repeat(np.arange(plan.side, dtype=np.int32)[:, None], plan.columns, axis=1)]
    for part, smaller in zip(parts, plan.parts, strict=True):
        of_size = lines[kept[lines].sum(axis=1) == smaller.side]
        points = number[of_size[kept[of_size]]].reshape(-1, smaller.side)
        rows.append(points[:, _without_constant_rows(part)].reshape(-1, plan.columns))
    return np.concatenate(rows)


def _without_constant_rows(part: Array) -> Array:
    """Return a TD(k, n) without n constant rows, from a TD(k + 1, n).

    The rows in which one symbol stands in the last column hold each symbol once in every other
    column: relabelled, they are the constant rows.
    """
    block = part[part[:, -1] == 0][:, :-1]
    relabel = np.empty_like(block)
    for column in range(block.shape[1]):
        relabel[block[:, column], column] = np.arange(len(block))
    rest = part[part[:, -1] != 0][:, :-1]
    relabelled: Array = relabel[rest, np.arange(rest.shape[1])]
    return relabelled


def _wilson(plan: Plan, parts: list[Array]) -> Array:
    """Give weight m to a TD(k + 1, t) whose last group is cut down to u points (Wilson 1974).

    Symbols 0 … mt − 1 are pairs of a point of the group and a weight, the last u stand for the
    points of the short group.
    """
    m, t, u = plan.parameters
    short, small, large, master = parts
    large = _with_last_row(large)[:-1]  # the last row, all m, is covered by the short group
    through = master[:, -1] < u
    weights = master[~through][:, None, :-1] * m + small[None, :, :]
    points = master[through]
    extra = m * t + points[:, None, -1:]
    more = np.where(large[None] == m, extra, points[:, None, :-1] * m + large[None])
    k = plan.columns
    return np.concatenate([weights.reshape(-1, k), more.reshape(-1, k), short + m * t])
