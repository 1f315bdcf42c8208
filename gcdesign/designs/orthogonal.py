"""Orthogonal arrays: in any t columns every t-tuple of levels stands in equally many rows."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.fields import galois_field, prime_power
from gcdesign.designs.hadamard.designs import normalised
from gcdesign.designs.hadamard.orders import hadamard_matrix, hadamard_recipe
from gcdesign.designs.squares.arrays import transversal_array
from gcdesign.designs.squares.plans import transversal_plan
from gcdesign.designs.subspaces import normalised as projective_points
from gcdesign.designs.subspaces import vectors
from gcdesign.errors import InputError, LimitError

Array = NDArray[np.int32]
"""Shape (runs, columns), entries 0 to levels − 1."""

MAX_ENTRIES = 50_000_000
"""Largest number of entries of an array that is built or tested."""


def array_index(rows: Array, *, levels: int, strength: int) -> int:
    """Return the index of an orthogonal array: how often every t-tuple stands in any t columns.

    Parameters
    ----------
    rows
        Shape (runs, columns).
    levels, strength
        The number of levels s and the strength t to be tested.

    Raises
    ------
    InputError
        If it is no such array; the message names the columns and a tuple, or says that sᵗ does
        not divide the number of runs.

    Examples
    --------
    >>> rows = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]])
    >>> array_index(rows, levels=2, strength=2)
    1
    """
    runs, columns = rows.shape
    if not 1 <= strength <= columns:
        raise InputError(f"strength={strength}; expected 1 to the number of columns, {columns}")
    if rows.size and not 0 <= rows.min() <= rows.max() < levels:
        raise InputError(f"the array has entries outside 0 to {levels - 1}")
    index = _index(runs, levels, strength)
    for chosen in combinations(range(columns), strength):
        place = levels ** np.arange(strength - 1, -1, -1)
        counts = np.bincount(rows[:, chosen] @ place, minlength=levels**strength)
        wrong = np.flatnonzero(counts != index)
        if wrong.size:
            levels_there = tuple((int(wrong[0]) // place % levels).tolist())
            raise InputError(
                f"columns {chosen} show {levels_there} {counts[wrong[0]]} times; expected {index}"
            )
    return index


def _index(runs: int, levels: int, strength: int) -> int:
    tuples = int(levels**strength)
    if runs < 1 or runs % tuples:
        raise InputError(
            f"{runs} runs; an array of strength {strength} with {levels} levels needs a multiple "
            f"of {levels}^{strength} = {tuples}"
        )
    return runs // tuples


def orthogonal_array(runs: int, columns: int, levels: int, *, strength: int = 2) -> Array:
    """Return an orthogonal array OA(N, k, s, t).

    Parameters
    ----------
    runs, columns, levels
        N, k and s.
    strength
        t, 2 or 3.

    Raises
    ------
    InputError
        If sᵗ does not divide N, Rao's bound forbids so many columns, or no construction here
        has them.
    LimitError
        If the array is too large.

    Notes
    -----
    Source: Rao 1947 (linear arrays of strength 2), Bush 1952 (s^t runs), Bose and Bush 1952
    (caps of even order), Seiden 1954 (Hadamard matrices, strength 3). Rows are repeated where
    fewer runs would do.

    Examples
    --------
    >>> array_index(orthogonal_array(54, 4, 3), levels=3, strength=2)
    6
    """
    if strength not in (2, 3):
        raise InputError(f"strength={strength}; expected 2 or 3")
    if levels < 2 or columns < strength:
        raise InputError(
            f"columns={columns}, levels={levels}; expected {strength} columns or more, 2 levels "
            "or more"
        )
    _index(runs, levels, strength)
    if runs * columns > MAX_ENTRIES:
        raise LimitError(f"{runs} × {columns} entries; the limit is {MAX_ENTRIES}")
    least = rao_bound(columns, levels, strength)
    if runs < least:
        raise InputError(f"{runs} runs; {columns} columns need {least} or more (Rao 1947)")
    for part in (n for n in range(least, runs + 1) if runs % n == 0):
        found = _array(part, columns, levels, strength)
        if found is not None:
            return np.tile(found, (runs // part, 1))
    raise InputError(
        f"no array of {runs} runs, {columns} columns, {levels} levels and strength {strength} "
        "can be built here"
    )


def rao_bound(columns: int, levels: int, strength: int) -> int:
    """Return the least number of runs that Rao's bound allows, for strength 2 or 3.

    Examples
    --------
    >>> rao_bound(7, 2, 2), rao_bound(4, 3, 2), rao_bound(4, 2, 3)
    (8, 9, 8)
    """
    s = levels - 1
    two = 1 + (columns if strength == 2 else columns - 1) * s
    return two if strength == 2 else (s + 1) * two


def _array(runs: int, columns: int, levels: int, strength: int) -> Array | None:
    """Return an array of exactly so many runs, or None."""
    if runs % levels**strength:
        return None
    if strength == 2:
        if runs == levels**2 and transversal_plan(columns, levels) is not None:
            return transversal_array(columns, levels)
        if levels == 2 and hadamard_recipe(runs) is not None and columns < runs:
            signs = normalised(hadamard_matrix(runs))[:, 1 : columns + 1]
            return np.where(signs == 1, 0, 1).astype(np.int32)
    elif levels == 2 and hadamard_recipe(runs // 2) is not None and 2 * columns <= runs:
        signs = normalised(hadamard_matrix(runs // 2))[:, :columns]
        doubled: Array = (np.concatenate([signs, -signs]) == -1).astype(np.int32)
        return doubled
    return _linear(runs, columns, levels, strength)


def _linear(runs: int, columns: int, q: int, strength: int) -> Array | None:
    """Return the values of linear forms: any t of them are independent, on m = log_q N variables.

    Of strength 2: one form for each point of PG(m − 1, q). Of strength 3 with m = 3: the points of
    a conic, for even q with its nucleus.
    """
    if prime_power(q) is None:
        return None
    m = next((m for m in range(strength, 40) if q**m >= runs), 0)
    if q**m != runs or (strength == 3 and m != 3):
        return None
    field = galois_field(q)
    if strength == 2:
        forms = projective_points(vectors(q, m)[1:])
    else:
        x = np.arange(q, dtype=np.int32)
        ends = np.array([[0, 0, 1], [0, 1, 0]][: 2 if q % 2 == 0 else 1], dtype=np.int32)
        conic = np.stack([np.ones_like(x), x, field.multiply(x, x)], axis=1)
        forms = np.concatenate([conic, ends])
    if len(forms) < columns:
        return None
    points, total = vectors(q, m), np.zeros((runs, columns), dtype=np.int32)
    for i in range(m):
        total = field.add(total, field.multiply(points[:, i, None], forms[None, :columns, i]))
    return total
