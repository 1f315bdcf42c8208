"""Orthogonal arrays: in any t columns every t-tuple of levels stands in equally many rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gcdesign.designs.difference_schemes import difference_scheme
from gcdesign.designs.fields import Elements, galois_field
from gcdesign.designs.hadamard.designs import normalised
from gcdesign.designs.hadamard.orders import hadamard_matrix
from gcdesign.designs.orthogonal_bounds import Shape, excluded, least_runs, rao_bound, refuted
from gcdesign.designs.orthogonal_plans import METHODS, Plan, orthogonal_plan, smallest_plan
from gcdesign.designs.squares.arrays import transversal_array
from gcdesign.designs.subspaces import normalised as projective_points
from gcdesign.designs.subspaces import vectors
from gcdesign.designs.tuples import Array, digits, tuple_counts
from gcdesign.errors import InputError, LimitError

__all__ = [
    "OrthogonalAnswer",
    "Shape",
    "array_index",
    "ask",
    "ask_for_fewest",
    "carry_out",
    "orthogonal_array",
    "rao_bound",
]

MAX_ENTRIES = 50_000_000
"""Largest number of entries of an array that is built or tested."""


@dataclass(frozen=True)
class OrthogonalAnswer:
    """Whether there is an orthogonal array, and how that is known.

    Attributes
    ----------
    wanted
        Its parameters.
    status
        ``"exists"``, ``"impossible"`` or ``"unknown"``.
    reason
        The construction, the theorem with its numbers, or that neither is known here.
    least
        No array with so many columns and levels, of this strength, has fewer runs.
    theorem
        The short name of the theorem that excludes it, or None.
    plan
        How it is made, or None.
    """

    wanted: Shape
    status: str
    reason: str
    least: int
    theorem: str | None = None
    plan: Plan | None = None


def ask(runs: int, columns: int, levels: int, *, strength: int = 2) -> OrthogonalAnswer:
    """Say whether there is an orthogonal array OA(N, k, s, t), without building it.

    Raises
    ------
    InputError
        If the numbers make no question.
    LimitError
        If the array would be larger than what is taken on.

    Examples
    --------
    >>> ask(18, 7, 3).reason
    'a difference scheme (Bose and Bush 1952)'
    >>> ask(36, 4, 6).theorem
    'Latin squares'
    >>> ask(72, 7, 6).status
    'unknown'
    """
    wanted = _asked(runs, columns, levels, strength)
    least = next(least_runs(columns, levels, strength))
    plan = orthogonal_plan(wanted)
    if plan is not None:
        return OrthogonalAnswer(wanted, "exists", METHODS[plan.method], least, None, plan)
    found = excluded(wanted)
    if found:
        return OrthogonalAnswer(wanted, "impossible", f"{found[0]}: {found[1]}", least, found[0])
    return OrthogonalAnswer(
        wanted, "unknown", "no theorem here excludes it, and no construction here has it", least
    )


def ask_for_fewest(columns: int, levels: int, *, strength: int = 2) -> OrthogonalAnswer:
    """Answer for the fewest runs for which an array can be made here; errors as `ask`.

    Examples
    --------
    >>> found = ask_for_fewest(7, 3)
    >>> found.wanted.runs, found.least
    (18, 18)
    """
    check(columns, levels, strength)
    least, plan = smallest_plan(columns, levels, strength, entries=MAX_ENTRIES)
    if plan is None:
        raise LimitError(
            f"no array of {columns} columns, {levels} levels and strength {strength} within the "
            f"limit of {MAX_ENTRIES} entries can be made here: take fewer"
        )
    return OrthogonalAnswer(plan.shape, "exists", METHODS[plan.method], least, None, plan)


def _asked(runs: int, columns: int, levels: int, strength: int) -> Shape:
    """Return the parameters, once they make a question that is not too large."""
    check(columns, levels, strength)
    if runs < 1:
        raise InputError(f"{runs} runs; expected 1 or more")
    if runs * columns > MAX_ENTRIES:
        raise LimitError(f"{runs} × {columns} entries; the limit is {MAX_ENTRIES}")
    return Shape(runs, columns, levels, strength)


def check(columns: int, levels: int, strength: int) -> None:
    """Refuse numbers that make no question about arrays."""
    if strength < 2:
        raise InputError(f"strength={strength}; expected 2 or more")
    if columns < strength:
        raise InputError(
            f"{columns} columns; expected {strength} columns or more, as many as the strength"
        )
    if levels < 2:
        raise InputError(f"levels={levels}; expected 2 or more")
    if columns * levels ** min(strength, 64) > MAX_ENTRIES:  # a power may have no end
        raise LimitError(
            f"{columns} columns and at least {levels}^{strength} runs; the limit is {MAX_ENTRIES} "
            "entries: take fewer"
        )


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
    failure = refuted(Shape(runs, strength, levels, strength))
    if runs < 1 or failure:
        raise InputError(f"{runs} runs; {failure[1] if failure else 'expected 1 or more'}")
    index = Shape(runs, columns, levels, strength).lambda_
    for chosen, later, counts in tuple_counts(rows, levels=levels, strength=strength):
        wrong = np.argwhere(counts != index)
        if wrong.size:
            last, number = wrong[0].tolist()
            there = digits(number, levels=levels, strength=strength)
            raise InputError(
                f"columns {(*chosen, int(later[last]))} show {there} {counts[last, number]} times; "
                f"expected {index}"
            )
    return index


def orthogonal_array(runs: int, columns: int, levels: int, *, strength: int = 2) -> Array:
    """Return an orthogonal array OA(N, k, s, t).

    Parameters
    ----------
    runs, columns, levels
        N, k and s.
    strength
        t, 2 or more.

    Raises
    ------
    InputError
        If a theorem forbids it, or no construction here has it; the message says which.
    LimitError
        If the array is too large.

    Notes
    -----
    Source: Rao 1947 (linear arrays of strength 2), Bush 1952 (s^t runs; products), Bose and Bush
    1952 (difference schemes; caps of even order), Seiden 1954 (Hadamard matrices, strength 3).
    Rows are repeated where fewer runs would do.

    Examples
    --------
    >>> array_index(orthogonal_array(54, 4, 3), levels=3, strength=2)
    6
    """
    plan = orthogonal_plan(_asked(runs, columns, levels, strength))
    if plan is None:
        reason = ask(runs, columns, levels, strength=strength).reason
        raise InputError(f"{runs} runs, {columns} columns, {levels} levels: {reason}")
    return carry_out(plan)


def carry_out(plan: Plan) -> Array:
    """Return the array of a plan."""
    w, parts = plan.shape, [carry_out(part) for part in plan.parts]
    match plan.method:
        case "all tuples":
            return _all_tuples(w)
        case "Latin squares":
            return transversal_array(w.columns, w.levels)
        case "Hadamard":
            signs = normalised(hadamard_matrix(w.runs))[:, 1 : w.columns + 1]
            return np.where(signs == 1, 0, 1).astype(np.int32)
        case "fold":
            last = np.repeat(np.arange(2, dtype=np.int32), len(parts[0]))[:, None]
            return np.hstack([np.concatenate([parts[0], 1 - parts[0]]), last])
        case "differences":
            return _from_differences(w, parts)
        case "product":
            first, second = parts
            pairs = first[:, None, :] * plan.parts[1].shape.levels + second[None, :, :]
            return pairs.reshape(w.runs, w.columns).astype(np.int32)
        case "rows":
            return np.concatenate(parts)
    return _of_forms(w, _FORMS[plan.method](w))


def _all_tuples(w: Shape) -> Array:
    tuples = vectors(w.levels, w.strength)
    sums = tuples.sum(axis=1, keepdims=True, dtype=np.int32) % w.levels
    return np.hstack([tuples, sums])[:, : w.columns]


def _from_differences(w: Shape, parts: list[Array]) -> Array:
    """Move the scheme's entries by every element; a row of the other array stands beside each."""
    scheme = difference_scheme(w.runs // w.levels, w.levels)
    rows = np.arange(len(scheme), dtype=np.int32)[:, None] % w.levels
    beside = parts[0] if parts else rows
    shifts = np.arange(w.levels, dtype=np.int32)[:, None, None]
    moved = galois_field(w.levels).add(scheme[None], shifts)
    beside = np.broadcast_to(beside, (w.levels, *beside.shape))
    found = np.concatenate([moved, beside], axis=2).reshape(w.runs, -1)
    return np.ascontiguousarray(found[:, : w.columns].astype(np.int32))


def _of_forms(w: Shape, forms: Elements) -> Array:
    """Return the values of linear forms at all points of GF(q)^m; any t of them are independent."""
    field, points = galois_field(w.levels), vectors(w.levels, forms.shape[1])
    total = np.zeros((w.runs, w.columns), dtype=np.int32)
    for i in range(forms.shape[1]):
        total = field.add(total, field.multiply(points[:, i, None], forms[None, : w.columns, i]))
    return total


def _points(w: Shape) -> Elements:
    m = next(m for m in range(2, 64) if w.levels**m == w.runs)
    return projective_points(vectors(w.levels, m)[1:])


def _polynomials(w: Shape) -> Elements:
    """Return (1, x, x², …) for all x, the last unit vector, and for t = 3 and even q the second."""
    field, x = galois_field(w.levels), np.arange(w.levels, dtype=np.int32)
    powers = [np.ones_like(x)]
    for _ in range(w.strength - 1):
        powers.append(field.multiply(powers[-1], x))
    units = np.eye(w.strength, dtype=np.int32)[::-1][: 2 if w.strength == 3 else 1]
    return np.concatenate([np.stack(powers, axis=1), units])


def _ovoid(w: Shape) -> Elements:
    """Return (x, y, f(x, y), 1) for all x, y, and (0, 0, 1, 0); f(x, y) = 0 for x = y = 0 only.

    No three of these points are on a line: f is x² + xy + cy², which no line cuts in a third point.
    """
    field, q = galois_field(w.levels), w.levels
    x = np.arange(q, dtype=np.int32)
    values = field.add(field.multiply(x, x), x)
    c = int(field.negative(np.setdiff1d(x, values)[:1])[0])  # x² + x + c has no root
    x, y = np.repeat(x, q), np.tile(x, q)
    f = field.add(field.multiply(x, field.add(x, y)), field.scale(c, field.multiply(y, y)))
    finite = np.stack([x, y, f, np.ones_like(x)], axis=1)
    return np.concatenate([finite, np.array([[0, 0, 1, 0]], dtype=np.int32)])


def _powers(w: Shape) -> Elements:
    """Return the bits of (x, x³, x⁵, …) for all x ≠ 0 of GF(2^a): any t are independent (BCH)."""
    half = w.strength // 2
    a = (w.runs.bit_length() - 1) // half
    field = galois_field(2**a)
    odd = [field.power(2 * i + 1)[1:] for i in range(half)]
    bits: Elements = np.concatenate([(p[:, None] >> np.arange(a)) & 1 for p in odd], axis=1)
    return bits


_FORMS = {"points": _points, "polynomials": _polynomials, "ovoid": _ovoid, "powers": _powers}
