"""Exact extremes for the structures that have them in closed form."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.results import Extreme
from gcdesign.codes.structure import (
    ConstantIntersection,
    ParallelClasses,
    ReplicaGroups,
    Structure,
)
from gcdesign.errors import LimitError

MAX_TABLE = 50_000_000
"""Largest number of entries of the knapsack table."""


def worst_error(structure: Structure, stragglers: int) -> Extreme:
    """Return err_S under optimal decoding and a set of S workers that reaches it.

    Examples
    --------
    >>> from gcdesign.codes import GradientCode
    >>> from gcdesign.designs import affine_geometry
    >>> worst_error(GradientCode.from_design(affine_geometry(3)).structure, 5).value
    Fraction(6, 5)
    """
    if isinstance(structure, ConstantIntersection):
        return Extreme(structure.error_of(stragglers), tuple(range(stragglers)))
    if isinstance(structure, ParallelClasses):
        # Σ 1/s_i is convex, so the balanced spread is the worst.
        each, more = divmod(stragglers, structure.classes)
        counts = [each + (i < more) for i in range(structure.classes)]
        return _of_counts(structure, counts)
    dead = most_parts(structure, stragglers)
    return _of_groups(structure, dead, stragglers)


def least_error(structure: Structure, stragglers: int) -> Extreme:
    """Return the least error that S stragglers can cause, and a set that causes it.

    Examples
    --------
    >>> from gcdesign.codes import GradientCode
    >>> from gcdesign.designs import affine_geometry
    >>> least_error(GradientCode.from_design(affine_geometry(3)).structure, 9).value
    Fraction(0, 1)
    """
    if isinstance(structure, ConstantIntersection):
        return worst_error(structure, stragglers)
    if isinstance(structure, ParallelClasses):
        # Fill whole classes first: the last class stays whole as long as it can.
        counts, left = [], stragglers
        for _ in range(structure.classes):
            counts.append(min(left, structure.class_size))
            left -= counts[-1]
        return _of_counts(structure, counts)
    silenced = np.ones(len(structure.group_of), dtype=bool)
    silenced[_survivors_that_cover_most(structure, len(silenced) - stragglers)] = False
    return Extreme(structure.error(silenced), tuple(np.flatnonzero(silenced).tolist()))


def _of_counts(structure: ParallelClasses, counts: list[int]) -> Extreme:
    workers: list[int] = []
    for number, count in enumerate(counts):
        workers += np.flatnonzero(structure.class_of == number)[:count].tolist()
    return Extreme(structure.error_of(counts), tuple(sorted(workers)))


def _of_groups(structure: ReplicaGroups, dead: Iterable[int], stragglers: int) -> Extreme:
    """Silence whole groups, then others, group by group, up to the number asked for."""
    silenced = np.isin(structure.group_of, list(dead))
    by_group = np.argsort(structure.group_of, kind="stable")
    others = by_group[~silenced[by_group]][: stragglers - int(silenced.sum())]
    silenced[others] = True
    return Extreme(structure.error(silenced), tuple(np.flatnonzero(silenced).tolist()))


def _survivors_that_cover_most(structure: ReplicaGroups, survivors: int) -> NDArray[np.int64]:
    """Return survivors that leave as many parts alive as possible: largest groups first."""
    order = np.argsort(-np.array(structure.loads), kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    seen: set[int] = set()
    first: list[int] = []
    rest: list[int] = []
    for worker in np.argsort(rank[structure.group_of], kind="stable").tolist():
        group = int(structure.group_of[worker])
        (rest if group in seen else first).append(worker)
        seen.add(group)
    return np.array((first + rest)[:survivors], dtype=np.int64)


def most_parts(structure: ReplicaGroups, stragglers: int) -> list[int]:
    """Return groups with at most S workers together that hold the most parts."""
    if is_uniform(structure):
        return list(range(stragglers // structure.sizes[0]))
    best = _best_loads(structure, stragglers)
    return _groups_of(best, structure, stragglers)


def cheapest_groups(structure: ReplicaGroups, eta: int) -> list[int]:
    """Return groups that hold η parts together with the fewest workers: they give S*(η).

    Raises
    ------
    ValueError
        If all groups together hold fewer parts.
    """
    if eta > sum(structure.loads):
        raise ValueError(f"the groups hold {sum(structure.loads)} parts, fewer than {eta}")
    if is_uniform(structure):
        return list(range(-(-eta // structure.loads[0])))
    best = _best_loads(structure, len(structure.group_of))
    enough = np.flatnonzero(best[-1] >= eta)
    return _groups_of(best, structure, int(enough[0]))


def _best_loads(structure: ReplicaGroups, budget: int) -> NDArray[np.int64]:
    """Return the table whose entry (g, s) is the most parts of the first g groups for s workers.

    The 0/1 knapsack by dynamic programming: groups × budget steps, exact.
    """
    if (len(structure.sizes) + 1) * (budget + 1) > MAX_TABLE:
        raise LimitError(
            f"{len(structure.sizes)} groups of different kinds for {budget} workers; "
            f"the limit of groups × workers is {MAX_TABLE}"
        )
    table = np.zeros((len(structure.sizes) + 1, budget + 1), dtype=np.int64)
    for g, (size, load) in enumerate(zip(structure.sizes, structure.loads, strict=True)):
        table[g + 1] = table[g]
        if size <= budget:
            taken = table[g, : budget + 1 - size] + load
            np.maximum(table[g + 1, size:], taken, out=table[g + 1, size:])
    return table


def _groups_of(table: NDArray[np.int64], structure: ReplicaGroups, budget: int) -> list[int]:
    chosen = []
    for g in range(len(structure.sizes), 0, -1):
        if table[g, budget] > table[g - 1, budget]:
            chosen.append(g - 1)
            budget -= structure.sizes[g - 1]
    return chosen


def is_uniform(structure: ReplicaGroups) -> bool:
    """Whether all groups have one size and one load, which is not 0."""
    kinds = set(zip(structure.sizes, structure.loads, strict=True))
    return len(kinds) == 1 and structure.loads[0] > 0


def balanced_is_worst_for_one_step(structure: Structure) -> bool:
    """Whether the worst set for optimal decoding is the worst for one-step decoding too.

    One-step decoding loses ρ²1ᵀG1 − 2ρfL + K, so it is worst where Σ G over the survivors is
    greatest. With equal loads that is: any set for constant intersection; the balanced spread
    for parallel classes, where it is Lf + μ(f² − Σ m_i²); for equal replica groups the spread
    over the fewest groups, where it is L Σ m_g², which silencing whole groups gives.
    """
    return not isinstance(structure, ReplicaGroups) or is_uniform(structure)
