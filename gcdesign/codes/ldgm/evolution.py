"""Density evolution: what peeling recovers from a large random graph when workers straggle.

A worker of degree i answers in time with chance F(t₀/i), or what its time says, so that
ρ̃_i = ρ_i F_i; then x_0 = 1, y_l = 1 − Σ_i ρ̃_i (1 − x_(l−1))^(i−1), x_l = λ(y_l).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.ldgm.ensemble import Ensemble
from gcdesign.codes.ldgm.recursion import Recursion
from gcdesign.codes.times import LoadTime
from gcdesign.errors import InputError

TRACE = 200
"""Most entries of a trace."""

SETTLED = 1e-13
"""A trace ends when x moves by no more than this."""

SEED = 1e-9
"""Distance from x = 1 at which an infinitesimal share of workers of degree 1 lets it start."""

GRID = 1000

Reals = NDArray[np.float64]


@dataclass(frozen=True)
class FixedPoint:
    """A value x with f(x) = x; stable if f' < 1 there, so that iterates near it come to it."""

    x: float
    unrecovered: float
    slope: float

    @property
    def stable(self) -> bool:
        """Whether iterates that start nearby come to it."""
        return self.slope < 1


@dataclass(frozen=True)
class Evolution:
    """Where density evolution ends.

    Attributes
    ----------
    edge_erasure
        x_∞, the chance that an edge tells its worker nothing, the largest fixed point.
    message_erasure
        y_∞, the chance that an edge tells its part nothing.
    unrecovered
        Share of parts that stay unknown: L(y_∞), or ε L(y_∞) for LDPC codes.
    trace
        x_0, x_1, … by plain iteration; at most `TRACE` of them.
    unrecovered_trace
        The share of unknown parts after each of these steps; 1, or ε, before the first.
    slope
        f'(x_∞), the factor by which each step shrinks what is left.
    starts
        Whether decoding starts by itself: some workers of degree 1 answer, or LDPC.
    takes_off
        λ'(1) ρ̃_2, for LDGM: decoding takes off from however few workers of degree 1 if and
        only if this is more than 1.
    """

    edge_erasure: float
    message_erasure: float
    unrecovered: float
    trace: tuple[float, ...]
    unrecovered_trace: tuple[float, ...]
    slope: float
    starts: bool
    takes_off: float


def evolve(
    ensemble: Ensemble, time: LoadTime, deadline: float, *, seeded: bool = False
) -> Evolution:
    """Evolve an LDGM ensemble whose workers answer by a deadline or not at all.

    Parameters
    ----------
    ensemble
        Degrees of parts and workers.
    time
        The time of a worker by its load, its degree.
    deadline
        t₀.
    seeded
        Whether an infinitesimal share of workers of degree 1 is thought to be there, which lets
        an ensemble without any start: the limit of ensembles with ever fewer.

    Raises
    ------
    InputError
        If the deadline is negative or no number.

    Notes
    -----
    Source: Horii et al. 2019, equations 12 to 14, where the chance of a straggler of degree i is
    to be 1 − F(t₀/i); Richardson and Urbanke 2008, chapter 3.

    Examples
    --------
    >>> from gcdesign.codes.times import parse_time
    >>> from gcdesign.designs.ensembles.degrees import Degrees, parse_degrees
    >>> ensemble = Ensemble(Degrees.regular(3), parse_degrees("0.5x + 0.5x^2"))
    >>> round(evolve(ensemble, parse_time("exp:rate=2"), 1.0).unrecovered, 12)
    0.038858893275
    """
    return _evolved(recursion_of(ensemble, time, deadline), seeded=seeded)


def evolve_erasures(
    ensemble: Ensemble, erasure: float, *, ldpc: bool = False, seeded: bool = False
) -> Evolution:
    """Evolve an ensemble on an erasure channel, the same for all degrees.

    Parameters
    ----------
    ensemble
        Degrees of variables (parts) and of generator or check nodes (workers).
    erasure
        Chance ε that a symbol is erased: what a worker sends, for LDGM; a variable, for LDPC,
        x = ε λ(1 − ρ(1 − x)).
    ldpc
        Whether the right nodes are parity checks, and the variables are sent.
    seeded
        As in `evolve`; LDPC codes start by themselves.

    Raises
    ------
    InputError
        If the chance is not from 0 to 1.
    """
    recursion = erasure_recursion(ensemble, erasure, ldpc=ldpc)
    return _evolved(recursion, erasure if ldpc else 1.0, seeded=seeded and not ldpc)


def recursion_of(ensemble: Ensemble, time: LoadTime, deadline: float) -> Recursion:
    """Return the recursion for a deadline; errors as in `evolve`."""
    if not deadline >= 0:
        raise InputError(f"deadline={deadline}; expected 0 or more")
    answer = checked_chances(time.cdf(deadline, ensemble.loads.degrees), time.written)
    return answering(ensemble, answer)


def answering(ensemble: Ensemble, chances: Reals) -> Recursion:
    """Return the recursion in which workers of the i-th degree answer with the i-th chance."""
    loads = ensemble.loads
    return Recursion(ensemble.copies, loads.edge_floats * chances, loads.degrees - 1)


def erasure_recursion(ensemble: Ensemble, erasure: float, *, ldpc: bool = False) -> Recursion:
    """Return the recursion on an erasure channel; errors as in `evolve_erasures`."""
    if not 0 <= erasure <= 1:
        raise InputError(f"erasure={erasure}; expected 0 to 1")
    loads = ensemble.loads
    if ldpc:
        return Recursion(ensemble.copies, loads.edge_floats, loads.degrees - 1, erasure)
    return answering(ensemble, np.full(len(loads.degrees), 1 - erasure))


def checked_chances(chances: Reals, name: str) -> Reals:
    """Refuse an F that is no distribution function: values outside 0 to 1, or no numbers."""
    wrong = np.flatnonzero(~((chances >= 0) & (chances <= 1)))
    if wrong.size:
        raise InputError(
            f"{name} gives the chance {chances[wrong[0]]:g}; expected a distribution function, "
            "with values from 0 to 1"
        )
    return chances


def fixed_points(recursion: Recursion) -> tuple[FixedPoint, ...]:
    """Return the fixed points that a grid of a thousand points tells apart, decreasing.

    Examples
    --------
    >>> from gcdesign.designs.ensembles.degrees import Degrees
    >>> code = Ensemble(Degrees.regular(3), Degrees.regular(6))
    >>> found = fixed_points(erasure_recursion(code, 0.45, ldpc=True))
    >>> [(round(point.x, 4), point.stable) for point in found]
    [(0.3554, True), (0.1866, False), (0.0, True)]
    """
    grid = np.linspace(0.0, 1.0, GRID + 1)
    excess = np.array([recursion.step(float(x)) - float(x) for x in grid])
    points = [float(x) for x, e in zip(grid, excess, strict=True) if e == 0]
    for i in np.flatnonzero(excess[:-1] * excess[1:] < 0):
        points.append(_crossing(recursion, float(grid[i]), float(grid[i + 1])))
    return tuple(
        FixedPoint(x, _unknown(recursion, recursion.message(x)), recursion.slope(x))
        for x in sorted(points, reverse=True)
    )


def _crossing(recursion: Recursion, low: float, high: float) -> float:
    rising = recursion.step(low) < low
    for _ in range(60):
        middle = (low + high) / 2
        if (recursion.step(middle) < middle) == rising:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _unknown(recursion: Recursion, message: float) -> float:
    """Return the share of unknown parts where edges bring nothing with this chance."""
    return recursion.channel * recursion.copies.node_value(message)


def _evolved(recursion: Recursion, sent: float = 1.0, *, seeded: bool = False) -> Evolution:
    ones = recursion.powers == 0
    twos = float(recursion.arriving[recursion.powers == 1].sum())
    starts = recursion.channel < 1 or bool((recursion.arriving[ones] > 0).any())
    takes_off = recursion.copies.edge_slope(1.0) * twos
    start = 1 - SEED if seeded and not starts and takes_off > 1 else 1.0
    trace, messages = recursion.trace(start, TRACE, SETTLED)
    x = recursion.fixed_point(trace[-1])
    message = recursion.message(x)
    return Evolution(
        edge_erasure=x,
        message_erasure=message,
        unrecovered=_unknown(recursion, message),
        trace=tuple(trace),
        unrecovered_trace=(sent, *(_unknown(recursion, value) for value in messages)),
        slope=recursion.slope(x),
        starts=starts,
        takes_off=takes_off,
    )
