"""Extension of t-designs: by a new point, to (t + 1)-designs with these derived designs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb
from time import monotonic
from typing import Literal

from gcdesign.designs.design import BlockDesign, constant
from gcdesign.designs.tools.exact_cover import exact_covers
from gcdesign.designs.tools.solving import Clock, Limits, solve, solver_name
from gcdesign.designs.verify import verify
from gcdesign.errors import InputError, LimitError, SolverError

MAX_COUNTED = 20_000_000
"""Most t-subsets that are counted to know t, and most (t + 1)-subsets of blocks."""

MAX_SUBSETS = 300_000
"""Most (t + 1)-subsets, and most candidates for blocks, that are taken on."""

LARGEST_T = 5

Subset = tuple[int, ...]


@dataclass(frozen=True)
class Completion:
    """Whether a design is part of a larger one.

    Attributes
    ----------
    status
        ``"exists"``, ``"impossible"`` (proved) or ``"unknown"``.
    reason
        How that is known, or what was tried.
    design
        The larger design, checked, if one was found.
    """

    status: Literal["exists", "impossible", "unknown"]
    reason: str
    design: BlockDesign | None = None


def strength(design: BlockDesign) -> tuple[int, int]:
    """Return the greatest t ≤ 5 for which the design is a t-design, with k > t, and λ_t.

    Raises
    ------
    InputError
        If it is not even a 1-design.
    LimitError
        If there are too many subsets to count.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry
    >>> strength(affine_geometry(2, 3, 2))
    (3, 1)
    """
    k = constant(design.block_sizes)
    found: tuple[int, int] | None = None
    for t in range(1, LARGEST_T + 1):
        if k is None or k <= t:
            break
        if design.b * comb(k, t) % comb(design.v, t):
            break  # λ_t would be no whole number
        if max(comb(design.v, t), design.b * comb(k, t)) > MAX_COUNTED and t > 2:
            raise LimitError(
                f"{comb(design.v, t)} {t}-subsets are too many to know whether λ is constant"
            )
        lambda_ = verify(design, t).lambda_
        if lambda_ is None:
            break
        found = t, lambda_
    if found is None:
        raise InputError("no t-design with blocks of more than t points; nothing to extend")
    return found


def extend(design: BlockDesign, *, limits: Limits | None = None) -> Completion:
    """Look for a (t + 1)-(v + 1, k + 1, λ) design whose blocks through a new point are these.

    The other blocks are sets of k + 1 old points in which every t + 1 points are still missing
    from some block; that each (t + 1)-subset gets what it misses is an exact cover, or for
    λ > 1 an integer program.

    Parameters
    ----------
    design
        A t-design; t is the greatest, up to 5.
    limits
        Time, threads and seed.

    Returns
    -------
    Completion
        Its design has the blocks of the given one first, each with the new point v.

    Raises
    ------
    InputError
        If the design is no t-design with k > t.

    Notes
    -----
    Source: D. R. Hughes 1965; P. J. Cameron 1973, which symmetric designs can be extended.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> extend(projective_geometry(2)).design.parameters.as_tuple()
    (8, 14, 7, 4, 3)
    >>> extend(projective_geometry(3)).status
    'impossible'
    """
    t, lambda_ = strength(design)
    k = int(design.block_sizes[0])
    reason = _counted_out(design.v, k, t, lambda_)
    if reason:
        return Completion("impossible", reason)
    subsets = comb(design.v, t + 1)
    if subsets > MAX_SUBSETS or design.b * comb(k, t + 1) > MAX_COUNTED:
        return Completion("unknown", f"{subsets} {t + 1}-subsets are too many to look at")
    clock = (limits or Limits()).clock()
    missing = _missing(design, t, lambda_)
    if missing is None:
        return Completion("impossible", f"{t + 1} points lie in more than {lambda_} blocks")
    candidates = _candidates(design.v, k + 1, t + 1, missing, clock)
    if candidates is None:
        return Completion("unknown", "too many sets could be blocks, or the time was too short")
    return _chosen(design, candidates, missing, t, lambda_, clock)


def _counted_out(v: int, k: int, t: int, lambda_: int) -> str:
    """Return why the parameters of an extension are impossible; empty if they are not."""
    for s in range(t + 2):
        over, under = lambda_ * comb(v + 1 - s, t + 1 - s), comb(k + 1 - s, t + 1 - s)
        if over % under:
            return (
                f"divisibility: a {t + 1}-({v + 1}, {k + 1}, {lambda_}) design would have "
                f"{over}/{under} blocks through {s} points"
            )
    return ""


def _missing(design: BlockDesign, t: int, lambda_: int) -> dict[Subset, int] | None:
    """Return how many blocks each (t + 1)-subset still misses, if any."""
    held = Counter(part for block in design.blocks() for part in combinations(block, t + 1))
    if held and max(held.values()) > lambda_:
        return None
    left = {part: lambda_ - held[part] for part in combinations(range(design.v), t + 1)}
    return {part: count for part, count in left.items() if count}


def _candidates(
    v: int, size: int, t: int, missing: dict[Subset, int], clock: Clock
) -> list[Subset] | None:
    """Return all sets of some size whose t-subsets all miss a block; None if they are too many."""
    found: list[Subset] = []
    for candidate in _grown((), v, size, t, missing):
        if candidate is None:
            if clock.deadline is not None and monotonic() > clock.deadline:
                return None
            continue
        found.append(candidate)
        if len(found) > MAX_SUBSETS:
            return None
    return found


def _grown(
    start: Subset, v: int, size: int, t: int, missing: dict[Subset, int]
) -> Iterator[Subset | None]:
    """Yield the candidates that begin with some points; and None now and then, for the clock."""
    if len(start) == size:
        yield start
        return
    yield None
    for point in range(start[-1] + 1 if start else 0, v - (size - len(start)) + 1):
        if all((*part, point) in missing for part in combinations(start, t - 1)):
            yield from _grown((*start, point), v, size, t, missing)


def _chosen(
    design: BlockDesign,
    candidates: list[Subset],
    missing: dict[Subset, int],
    t: int,
    lambda_: int,
    clock: Clock,
) -> Completion:
    """Choose among the candidates so that every subset gets what it misses."""
    number = {part: i for i, part in enumerate(missing)}
    rows = [[number[part] for part in combinations(block, t + 1)] for block in candidates]
    count = f"{len(candidates)} candidates for blocks"
    if len({i for row in rows for i in row}) < len(missing):
        return Completion("impossible", f"{count}, and {t + 1} points that miss one are in none")
    if lambda_ == 1:
        covers = exact_covers(
            BlockDesign.from_blocks(rows, points=len(missing)), most=1, deadline=clock.deadline
        )
        chosen = covers.found[0] if covers.found else None
        answer = "impossible" if covers.complete else "unknown"
        reason = f"exact cover by {count}"
    else:
        chosen, answer = _by_solver(rows, list(missing.values()), lambda_, clock)
        reason = f"{solver_name()} with {count}"
    if chosen is None:
        what = "finished without one" if answer == "impossible" else "the time was too short"
        return Completion(
            "impossible" if answer == "impossible" else "unknown", f"{reason}: {what}"
        )
    old = [[*block, design.v] for block in design.blocks()]
    larger = BlockDesign.from_blocks([*old, *(candidates[i] for i in chosen)], points=design.v + 1)
    if verify(larger, t + 1).lambda_ != lambda_:
        raise SolverError("what was found is no extension: please report this design")
    return Completion("exists", reason, larger)


def _by_solver(
    rows: list[list[int]], missing: list[int], lambda_: int, clock: Clock
) -> tuple[list[int] | None, str]:
    """Return how often to take each row, as a list with repetitions, or what is known instead."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    levels = [[model.new_bool_var("") for _ in range(lambda_)] for _ in rows]
    holding: list[list[cp_model.IntVar]] = [[] for _ in missing]
    for row, copies in zip(rows, levels, strict=True):
        for one, next_ in pairwise(copies):
            model.add_implication(next_, one)
        for item in row:
            holding[item] += copies
    for variables, count in zip(holding, missing, strict=True):
        model.add(sum(variables) == count)
    solved = solve(model, [copy for copies in levels for copy in copies], clock=clock)
    if solved.status in ("impossible", "unknown"):
        return None, solved.status
    return [place // lambda_ for place in solved.chosen], "exists"
