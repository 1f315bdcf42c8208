"""Arcs, blocking sets and transversals: the extreme sets of points, with both ends proved."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from math import ceil, floor, isqrt
from typing import Literal

import numpy as np

from gcdesign.designs.design import BlockDesign, constant
from gcdesign.designs.tools.solving import Limits, Solved, solve, solver_name
from gcdesign.errors import InputError, SolverError

MAX_SIZE = 3_000
"""Largest number of points, and of blocks, that the solver is given."""

Kind = Literal["arc", "blocking", "transversal"]
Meets = tuple[list[int], list[int]]
"""How many points of a set each block must hold, and may hold."""


@dataclass(frozen=True)
class PointSet:
    """The extreme size of a set of points with a property.

    Attributes
    ----------
    kind
        What was asked for.
    lower, upper
        The size lies between them; None if there is no such set, or none was found.
    points
        The best set found, checked against the blocks; None if there is none.
    status
        ``"exact"``, ``"bracket"`` or ``"impossible"`` (there is no such set at all, proved).
    reason
        What proves the other end.
    """

    kind: Kind
    lower: int | None
    upper: int | None
    points: tuple[int, ...] | None
    status: Literal["exact", "bracket", "impossible"]
    reason: str


def largest_arc(design: BlockDesign, *, degree: int = 2, limits: Limits | None = None) -> PointSet:
    """Look for the largest set of points with at most ``degree`` of them on every block.

    Arcs of degree 2 in a plane of order q have at most q + 1 points, ovals, if q is odd, and
    q + 2, hyperovals, if q is even.

    Parameters
    ----------
    design
        Any block design.
    degree
        The n of an n-arc, at least 0.
    limits
        Time, threads and seed.

    Raises
    ------
    InputError
        If the degree is negative.

    Notes
    -----
    Source: for 2-(v, k, λ) designs, the blocks through one point of the set hold the others λ
    times, so its size is at most 1 + r(n − 1)/λ (Andriamanalimanana for arcs). R. C. Bose 1947 for
    planes of odd order.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> arc = largest_arc(projective_geometry(3))
    >>> arc.status, arc.upper, len(arc.points)
    ('exact', 4, 4)
    """
    if degree < 0:
        raise InputError(f"degree={degree}; expected 0 or more")
    meets = [0] * design.b, [min(degree, int(size)) for size in design.block_sizes]
    return _extreme(design, "arc", meets, _arc_bound(design, degree), limits or Limits())


def smallest_transversal(design: BlockDesign, *, limits: Limits | None = None) -> PointSet:
    """Look for the smallest set of points that meets every block.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry
    >>> smallest_transversal(affine_geometry(3)).lower  # Jamison, Brouwer, Schrijver: 2q − 1
    5
    """
    meets = [1] * design.b, design.block_sizes.tolist()
    bound = _blocking_bound(design, int(design.block_sizes.max(initial=0)))
    return _extreme(design, "transversal", meets, bound, limits or Limits())


def smallest_blocking_set(design: BlockDesign, *, limits: Limits | None = None) -> PointSet:
    """Look for the smallest set of points that meets every block and holds none.

    Notes
    -----
    Source: in a projective plane of order q it has at least q + √q + 1 points, with equality for
    Baer subplanes (A. Bruen 1970).

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> smallest_blocking_set(projective_geometry(2)).status
    'impossible'
    >>> smallest_blocking_set(projective_geometry(3)).lower
    6
    """
    meets = [1] * design.b, [int(size) - 1 for size in design.block_sizes]
    if any(high < 1 for high in meets[1]):
        reason = "a block of fewer than 2 points cannot be met and not held"
        return PointSet("blocking", None, None, None, "impossible", reason)
    bound = _blocking_bound(design, int(design.block_sizes.max(initial=0)) - 1)
    return _extreme(design, "blocking", meets, bound, limits or Limits())


@dataclass(frozen=True)
class _Bound:
    """A proved bound, from above for arcs and from below for others, and where it is from."""

    value: int
    reason: str


def _arc_bound(design: BlockDesign, degree: int) -> _Bound:
    _, b, r, k, lambda_ = design.parameters.as_tuple()
    if not (r and k and lambda_) or degree < 1:
        return _Bound(design.v, "all points")
    if degree == 2 and lambda_ == 1 and design.v == b and k % 2 == 0 and k > 2:  # no triangle
        return _Bound(k, f"Bose: q + 1 = {k} points for odd q = {k - 1}")
    bound = 1 + r * (degree - 1) // lambda_
    return _Bound(min(bound, design.v), f"counting: 1 + r(n − 1)/λ = {bound}")


def _blocking_bound(design: BlockDesign, most: int) -> _Bound:
    """Bound a set of t points that meets every block in 1 to ``most`` points of a 2-design.

    Blocks meet it in 1 + y points: Σ y = rt − b, and Σ y(y + 1) = λt(t − 1) is at most
    ``most`` · Σ y.
    """
    _, b, r, k, lambda_ = design.parameters.as_tuple()
    if not (r and k and lambda_):
        reach = max(int(design.replication_numbers.max(initial=0)), 1)
        return _Bound(-(-b // reach), f"counting: a point is on at most {reach} of {b} blocks")
    q = k - 1
    if lambda_ == 1 and design.v == b and most == q:
        least = q + 1 + isqrt(q) + (isqrt(q) ** 2 < q)
        return _Bound(least, f"Bruen: q + √q + 1 for q = {q}")
    fits = (t for t in range(-(-b // r), design.v) if lambda_ * t * (t - 1) <= (r * t - b) * most)
    least = next(fits, design.v)
    return _Bound(least, f"counting: λt(t − 1) ≤ {most}(rt − b) from t = {least} on")


def _extreme(
    design: BlockDesign,
    kind: Kind,
    meets: Meets,
    bound: _Bound,
    limits: Limits,
) -> PointSet:
    """Maximise an arc, or minimise any other set, with bounds for every block."""
    if max(design.v, design.b) > MAX_SIZE:
        reason = f"more than {MAX_SIZE} points or blocks; {bound.reason}"
        return _open(kind, bound, reason)
    start = _start(design, kind, meets)
    if start is not None and len(start) == bound.value:
        return _answered(kind, start, bound, bound.value)
    solved = _solved(design, kind, meets, bound, start or (), limits)
    if solved.status == "impossible":
        reason = f"{solver_name()} finished its search"
        return PointSet(kind, None, None, None, "impossible", reason)
    if solved.status == "unknown" and start is None:
        return _open(kind, bound, f"{bound.reason}; {solver_name()} found no set in time")
    points = start if start is not None and solved.status == "unknown" else tuple(solved.chosen)
    if not _fits(design, meets, points):
        raise SolverError(f"{solver_name()} gave a set that is no {kind} set: please report this")
    return _answered(kind, points, bound, solved.bound)


def _solved(
    design: BlockDesign,
    kind: Kind,
    meets: Meets,
    bound: _Bound,
    start: tuple[int, ...],
    limits: Limits,
) -> Solved:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in range(design.v)]
    for block, low, high in zip(design.blocks(), *meets, strict=True):
        model.add_linear_constraint(sum(chosen[point] for point in block), low, high)
    size = sum(chosen)
    if kind == "arc":
        model.add(size <= bound.value)
        model.maximize(size)
    else:
        model.add(size >= bound.value)
        model.minimize(size)
    for point in start:
        model.add_hint(chosen[point], 1)
    if _point_transitive(design) and bound.value and any(meets[1]):
        model.add(chosen[start[0] if start else 0] == 1)
    return solve(model, chosen, clock=limits.clock())


def _fits(design: BlockDesign, meets: Meets, points: tuple[int, ...]) -> bool:
    held = design.dense_incidence()[:, list(points)].sum(axis=1)
    return bool((held >= meets[0]).all() and (held <= meets[1]).all())


def _answered(kind: Kind, points: tuple[int, ...], bound: _Bound, found: float) -> PointSet:
    if len(points) == bound.value:
        return PointSet(kind, len(points), len(points), points, "exact", bound.reason)
    if kind == "arc":
        ends = len(points), min(bound.value, floor(found + 1e-6))
    else:
        ends = max(bound.value, ceil(found - 1e-6)), len(points)
    status: Literal["exact", "bracket"] = "exact" if ends[0] == ends[1] else "bracket"
    reason = solver_name() if bound.value not in ends else bound.reason
    return PointSet(kind, *ends, points, status, reason)


def _open(kind: Kind, bound: _Bound, reason: str) -> PointSet:
    lower, upper = (0, bound.value) if kind == "arc" else (bound.value, None)
    return PointSet(kind, lower, upper, None, "bracket", reason)


def _start(design: BlockDesign, kind: Kind, meets: Meets) -> tuple[int, ...] | None:
    """Return a set to start from: a block that meets all others, or what greed takes."""
    if kind == "arc" or not design.b:
        return None
    matrix = design.dense_incidence().astype(bool)
    open_, taken = np.ones(design.b, dtype=bool), list[int]()
    counts = matrix.sum(axis=0)
    while counts.any():
        taken.append(int(counts.argmax()))
        met = open_ & matrix[:, taken[-1]]
        counts -= matrix[met].sum(axis=0)
        open_ &= ~met
    sets = [tuple(design.block(0).tolist()), tuple(sorted(taken))]
    return min((one for one in sets if _fits(design, meets, one)), key=len, default=None)


def _point_transitive(design: BlockDesign) -> bool:
    """Whether every point is known to be carried to every other."""
    if find_spec("pynauty") is None or not design.v or constant(design.replication_numbers) is None:
        return False
    from gcdesign.designs.symmetry import automorphism_group

    return automorphism_group(design).point_transitive
