"""What no LDGM code passes by: a lower bound on the unrecovered share, and uncoded beside it.

For parts of mean degree d = L'(1), y ≥ Σ_i ρ_i P(T_i > t₀), since each other part of a worker can
only hinder; Σ_i ρ_i/i = 1/R'(1) = N/(Kd); and L(y) ≥ y^d by Jensen's inequality. The first is at
least the lower convex envelope of the points (1/i, P(T_i > t₀)) at N/(Kd), and d log of that is a
concave function of d between two points of the envelope, so that the least is at one of them:

    unrecovered ≥ min_i P(T_i > t₀)^(iN/K).

With exponential times that grow with the load every term is exp(−μ t₀ N/K), which uncoded
gradients in N chunks reach: coding cannot win there.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.ldgm.evolution import checked_chances
from gcdesign.codes.times import Exponential, LoadTime
from gcdesign.errors import InputError

MAX_DEGREE = 10_000

Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Limit:
    """The least unrecovered share that is possible, and what there is without a code.

    Attributes
    ----------
    floor
        Lower bound on the unrecovered share of every LDGM ensemble of this rate with workers of
        at most the largest degree.
    degree
        The degree of the workers that the bound is for; 0 where parts have one worker each.
    uncoded
        Unrecovered share without a code: the data in N chunks, one for each worker.
    repetition
        Unrecovered share of repetition: every part alone on N/K workers; None where N/K is not
        whole.
    largest
        The largest degree of a worker.
    """

    floor: float
    degree: int
    uncoded: float
    repetition: float | None
    largest: int

    @property
    def coding_can_win(self) -> bool:
        """Whether the bound leaves room for a code that recovers more than uncoded."""
        return self.floor < self.uncoded * (1 - 1e-9)


def jensen_bound(rate: float, deadline: float, workers_per_part: Fraction | float) -> float:
    """Return exp(−μ t₀ N/K), the bound for exponential times that grow with the load.

    Examples
    --------
    >>> round(jensen_bound(2.0, 1.0, 2), 6)
    0.018316
    """
    return float(np.exp(-rate * deadline * float(workers_per_part)))


def limit(time: LoadTime, deadline: float, rate: Fraction, *, largest: int = 1000) -> Limit:
    """Return the bound for workers of degrees 1 to ``largest``, and uncoded beside it.

    Parameters
    ----------
    time, deadline
        The workers' times by their loads, and t₀.
    rate
        K/N.
    largest
        Largest degree of a worker.

    Raises
    ------
    InputError
        If a number is out of its domain.

    Examples
    --------
    >>> from gcdesign.codes.times import parse_time
    >>> link = parse_time("exp:rate=2,work=0.1,scaled=no")
    >>> limit(link, 1.0, Fraction(1, 2), largest=4).coding_can_win
    True
    """
    if not rate > 0:
        raise InputError(f"rate={rate}; expected more than 0")
    if not 1 <= largest <= MAX_DEGREE:
        raise InputError(f"largest degree {largest}; expected 1 to {MAX_DEGREE}")
    if not deadline >= 0:
        raise InputError(f"deadline={deadline}; expected 0 or more")
    each = 1 / Fraction(rate)
    degrees = np.arange(1, largest + 1)
    late = checked_chances(time.late(deadline, degrees), time.written)
    possible = degrees * float(each) >= 1
    bounds = np.where(possible, late ** (degrees * float(each)), 1.0)
    at = int(bounds.argmin())
    floor, degree = float(bounds[at]), int(degrees[at])
    if each < 1:
        single = envelope(late, float(each))
        if single < floor:
            floor, degree = single, 0
    alone = float(time.late(deadline, float(rate)))
    repeated = float(late[0]) ** int(each) if each.denominator == 1 else None
    return Limit(floor, degree, alone, repeated, largest)


def envelope(late: Reals, u: float) -> float:
    """Return the lower convex envelope of the points (1/i, late_i) at u.

    Examples
    --------
    >>> envelope(np.array([0.0, 0.3, 1.0]), 0.75)
    0.15
    """
    at = 1 / np.arange(1, len(late) + 1)
    right, left = np.flatnonzero(at >= u), np.flatnonzero(at <= u)
    if not len(left):
        return 1.0
    span = at[right][:, None] - at[left][None, :]
    share = np.divide(at[right][:, None] - u, span, out=np.zeros_like(span), where=span > 0)
    return float((late[right][:, None] * (1 - share) + late[left][None, :] * share).min())


def is_memoryless(time: LoadTime) -> bool:
    """Whether the times are exponential and grow with the load, without other work."""
    return isinstance(time.law, Exponential) and time.scaled and not time.work
