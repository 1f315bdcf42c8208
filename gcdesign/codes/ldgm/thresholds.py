"""Thresholds: the largest erasure, or the shortest deadline, that an ensemble stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

import numpy as np

from gcdesign.codes.ldgm.ensemble import Ensemble
from gcdesign.codes.ldgm.evolution import erasure_recursion, evolve, evolve_erasures
from gcdesign.codes.times import LoadTime
from gcdesign.errors import InputError

GRID = 2000
ROUNDS = 200
LONGEST = 1e12
"""Deadlines beyond this, in the unit of the times, count as never."""


@dataclass(frozen=True)
class Threshold:
    """Where an ensemble begins to fail.

    Attributes
    ----------
    value
        The threshold: an erasure ε*, or a deadline t₀; ``inf`` if no deadline is long enough.
    kind
        ``"erasure"`` or ``"deadline"``.
    target
        The share of unrecovered parts that is not to be passed.
    unrecovered
        The share at the threshold, on the good side.
    beyond
        The share just on the other side: far above the target where density evolution jumps.
    stability
        For LDPC, 1/(λ'(0) ρ'(1)), above which x = 0 is not stable; else None.
    """

    value: float
    kind: str
    target: float
    unrecovered: float
    beyond: float
    stability: float | None = None


def ldpc_threshold(ensemble: Ensemble) -> Threshold:
    """Return the largest ε below which x = ε λ(1 − ρ(1 − x)) has no positive fixed point.

    It is the least of x/λ(1 − ρ(1 − x)) over x from 0 to 1; so 0 where λ(0) > 0, since variables
    of degree 1 stay erased with whatever else is.

    Notes
    -----
    Source: Luby, Mitzenmacher, Shokrollahi, Spielman 2001; Richardson and Urbanke 2008, §3.12,
    with 0.42944 for the (3,6)-regular ensemble.

    Examples
    --------
    >>> from gcdesign.designs.ensembles.degrees import Degrees
    >>> round(ldpc_threshold(Ensemble(Degrees.regular(3), Degrees.regular(6))).value, 5)
    0.42944
    """
    step = erasure_recursion(ensemble, 1.0, ldpc=True).step

    def ratio(x: float) -> float:
        below = step(x)
        return x / below if below > 0 else inf

    slope = erasure_recursion(ensemble, 1.0, ldpc=True).slope(0.0)
    stability = 1 / slope if slope > 0 else inf
    grid = np.linspace(1 / GRID, 1.0, GRID)
    values = [ratio(float(x)) for x in grid]
    at = int(np.argmin(values))
    low, high = float(grid[max(at - 1, 0)]), float(grid[min(at + 1, GRID - 1)])
    value = min(1.0, stability, ratio(_least(ratio, low, high)), values[at])
    if ensemble.copies.edge_value(0.0) > 0:
        value = 0.0
    inside = evolve_erasures(ensemble, value * (1 - 1e-9), ldpc=True).unrecovered
    outside = evolve_erasures(ensemble, min(1.0, value * (1 + 1e-9)), ldpc=True).unrecovered
    return Threshold(value, "erasure", 0.0, inside, outside, stability)


def ldgm_threshold(ensemble: Ensemble, target: float, *, seeded: bool = False) -> Threshold:
    """Return the largest erasure of workers' messages that leaves at most ``target`` unknown.

    ``seeded`` is that of `evolve`.

    Raises
    ------
    InputError
        If the target is not between 0 and 1, or is missed even without erasures.
    """
    _check(target)

    def unrecovered(kept: float) -> float:
        return evolve_erasures(ensemble, 1 - kept, seeded=seeded).unrecovered

    if unrecovered(1.0) > target:
        raise InputError(
            f"target={target:g}; without any erasure {unrecovered(1.0):.6g} stays unrecovered: "
            "expected more"
        )
    kept, other = _first(unrecovered, target, 0.0, 1.0)
    return Threshold(1 - kept, "erasure", target, unrecovered(kept), unrecovered(other))


def deadline_threshold(
    ensemble: Ensemble, time: LoadTime, target: float, *, seeded: bool = False
) -> Threshold:
    """Return the shortest deadline t₀ that leaves at most ``target`` unrecovered.

    ``seeded`` is that of `evolve`.

    Raises
    ------
    InputError
        If the target is not between 0 and 1.

    Examples
    --------
    >>> from gcdesign.codes.times import parse_time
    >>> from gcdesign.designs.ensembles.degrees import Degrees
    >>> alone = Ensemble(Degrees.regular(2), Degrees.regular(1))
    >>> round(deadline_threshold(alone, parse_time("exp:rate=1"), 0.01).value, 6)
    2.302585
    """
    _check(target)

    def unrecovered(deadline: float) -> float:
        return evolve(ensemble, time, deadline, seeded=seeded).unrecovered

    high = 1.0
    while unrecovered(high) > target:
        high *= 2
        if high > LONGEST:
            return Threshold(inf, "deadline", target, unrecovered(high), unrecovered(high))
    low, high = _first(unrecovered, target, 0.0, high)[::-1]
    return Threshold(high, "deadline", target, unrecovered(high), unrecovered(low))


def _first(
    falling: Callable[[float], float], target: float, low: float, high: float
) -> tuple[float, float]:
    """Return the least argument where a falling function is at most the target, and one below."""
    if falling(low) <= target:
        return low, low
    for _ in range(ROUNDS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (low, middle) if falling(middle) <= target else (middle, high)
    return high, low


def _least(function: Callable[[float], float], low: float, high: float) -> float:
    """Return about the least argument of a function with one valley, by golden sections."""
    golden = (5**0.5 - 1) / 2
    for _ in range(80):
        a, b = high - golden * (high - low), low + golden * (high - low)
        if function(a) <= function(b):
            high = b
        else:
            low = a
    return (low + high) / 2


def _check(target: float) -> None:
    if not 0 < target < 1:
        raise InputError(f"target={target:g}; expected more than 0 and less than 1")
