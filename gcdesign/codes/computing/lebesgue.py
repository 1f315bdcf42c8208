"""Lebesgue constants: how much a decoder can magnify what is wrong with results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.computing.berrut import BerrutCode
from gcdesign.codes.computing.nodes import NodeChoice, Reals, make_nodes
from gcdesign.codes.computing.rational import barycentric_weights, basis
from gcdesign.codes.computing.results import check_workers
from gcdesign.errors import InputError

SAMPLES = 24
"""Points in each gap between nodes from which a maximum is searched."""

NARROWINGS = 44
"""Golden-section steps: each leaves 0.62 of the width, all together 10⁻⁹ of it."""

NEAR = 0.9
"""Gaps whose best sample is below this part of the best of all are not searched further."""

MAX_ENTRIES = 4_000_000
"""Entries of the matrix of basis functions that are held at once."""

GOLDEN = (5**0.5 - 1) / 2


def amplification(code: BerrutCode, returned: Iterable[int]) -> float:
    """Return max_j Σ |ℓ_i(α_j)|: how much errors in results are magnified at the worst part.

    Results that are wrong by at most ε change no decoded value by more than this times ε.
    """
    return float(np.abs(code.decoding(returned)).sum(axis=1).max())


def lebesgue_constant(code: BerrutCode, returned: Iterable[int]) -> float:
    """Return the Lebesgue constant of the nodes that returned, over the interval of all nodes.

    Examples
    --------
    >>> round(lebesgue_constant(BerrutCode(parts=3, workers=9), range(9)), 3)
    2.638
    """
    workers = check_workers(returned, code.workers)
    all_nodes = np.concatenate([code.alpha, code.beta])
    ends = (float(all_nodes.min()), float(all_nodes.max()))
    return lebesgue_of(code.beta[list(workers)], degree=code.degree, interval=ends)


def lebesgue_of(
    nodes: NodeChoice | Sequence[float] | Reals,
    *,
    degree: int = 0,
    count: int | None = None,
    interval: tuple[float, float] = (-1.0, 1.0),
) -> float:
    """Return max Σ |ℓ_k(z)| over an interval, by a search in each gap between nodes.

    The sum is sampled in every gap and a golden-section search refines around the best sample, so
    that the value is attained, and is the maximum unless a gap has a second peak between samples.

    Parameters
    ----------
    nodes
        The nodes, or the name of a choice and ``count``.
    degree
        Degree d of the interpolant; n − 1 for the polynomial.
    interval
        Where the maximum is taken.

    Raises
    ------
    InputError
        If the nodes are none, or the interval.
    """
    if not -np.inf < interval[0] <= interval[1] < np.inf:
        raise InputError(f"interval {interval}; expected two finite numbers, the lower first")
    given = make_nodes(nodes, len(nodes) if count is None else count)
    ordered = np.sort(given)[::-1]
    weights = barycentric_weights(ordered, degree)
    inside = ordered[(ordered > interval[0]) & (ordered < interval[1])]
    knots = np.unique(np.concatenate([inside, interval]))
    if len(knots) < 2:
        return 1.0

    def height(points: NDArray[Any]) -> Reals:
        pieces = np.array_split(points.ravel(), 1 + points.size * len(ordered) // MAX_ENTRIES)
        sums = [np.abs(basis(ordered, weights, piece)).sum(axis=1) for piece in pieces]
        return np.concatenate(sums).reshape(points.shape)

    return _highest(height, knots)


def _highest(height: Any, knots: Reals) -> float:
    """Return the maximum over all gaps between knots, searched at once where it may be."""
    shares = (np.arange(SAMPLES) + 0.5) / SAMPLES
    samples = knots[:-1, None] + np.diff(knots)[:, None] * shares
    sampled = height(samples)
    top = max(float(sampled.max()), float(height(knots).max()))
    rows = np.flatnonzero(sampled.max(axis=1) >= NEAR * top)
    best = sampled[rows].argmax(axis=1)
    fence = np.concatenate([knots[:-1, None], samples, knots[1:, None]], axis=1)
    low, high = fence[rows, best], fence[rows, best + 2]
    for _ in range(NARROWINGS):
        left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        below, above = height(left), height(right)
        top = max(top, float(below.max()), float(above.max()))
        low, high = np.where(below < above, left, low), np.where(below < above, high, right)
    return top
