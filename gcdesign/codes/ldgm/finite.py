"""Graphs of finite size: how much peeling recovers of them, by simulation with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.ldgm.ensemble import Ensemble
from gcdesign.codes.ldgm.peeling import peel
from gcdesign.codes.placement import Placement
from gcdesign.codes.times import LoadTime
from gcdesign.designs.randomness import Draws
from gcdesign.errors import InputError

Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A mean over runs, with an interval by Student's t.

    Attributes
    ----------
    mean
        The mean.
    lower, upper
        The interval, cut at 0 and 1; it holds the true mean with about the probability
        ``confidence``, as the runs' means are nearly normal. See `estimate` for runs that do not
        differ.
    confidence
        That probability.
    deviation
        Standard deviation of one run.
    runs
        Number of runs.
    """

    mean: float
    lower: float
    upper: float
    confidence: float
    deviation: float
    runs: int

    def holds(self, value: float) -> bool:
        """Whether a value lies in the interval."""
        return self.lower <= value <= self.upper


@dataclass(frozen=True)
class Simulation:
    """What peeling recovers in simulated runs, each with a new graph and new times.

    Attributes
    ----------
    parts, workers
        K and N.
    unrecovered
        Share of parts that stay unknown.
    stragglers
        Share of workers that are late.
    complete
        Share of runs that recover every part.
    rounds
        Mean share of parts that are unknown after 0, 1, 2, … rounds of peeling, to be laid
        beside the trace of density evolution.
    seed
        Seed of all random choices.
    """

    parts: int
    workers: int
    unrecovered: Estimate
    stragglers: float
    complete: float
    rounds: tuple[float, ...]
    seed: int


def simulate(
    ensemble: Ensemble,
    time: LoadTime,
    deadline: float,
    *,
    parts: int,
    runs: int = 20,
    seed: int = 0,
    confidence: float = 0.95,
) -> Simulation:
    """Simulate an ensemble with K parts: draw a graph and times, and peel what is in time.

    Parameters
    ----------
    ensemble
        Degrees of parts and workers.
    time, deadline
        The workers' times by their loads, and t₀.
    parts
        K.
    runs
        Number of runs, 2 or more.
    seed
        Seed of all random choices.
    confidence
        Of the interval.

    Raises
    ------
    InputError
        If a number is out of its domain, or no graph has these degrees.

    Examples
    --------
    >>> from gcdesign.codes.times import parse_time
    >>> from gcdesign.designs.ensembles.degrees import Degrees, parse_degrees
    >>> ensemble = Ensemble(Degrees.regular(3), parse_degrees("0.5x + 0.5x^2"))
    >>> found = simulate(ensemble, parse_time("exp:rate=2"), 1.0, parts=1000, runs=10)
    >>> found.unrecovered.holds(0.0388588932)
    True
    """
    check_runs(parts, runs, seed, deadline)
    check_confidence(confidence)
    drawn = []
    for number in range(runs):
        draws = Draws(seed * 1_000_003 + number)
        placement = ensemble.draw(parts, draws)
        rng = np.random.default_rng([seed, number])
        drawn.append(_run(placement, time, deadline, rng))
    shares = np.array([run[0] for run in drawn])
    return Simulation(
        parts=parts,
        workers=ensemble.workers_for(parts),
        unrecovered=estimate(shares, confidence),
        stragglers=float(np.mean([run[1] for run in drawn])),
        complete=float(np.mean(shares == 0)),
        rounds=_mean_rounds([run[2] for run in drawn]),
        seed=seed,
    )


def simulate_code(
    placement: Placement,
    time: LoadTime,
    deadline: float,
    *,
    runs: int = 1000,
    seed: int = 0,
    unit: float = 1.0,
) -> tuple[Reals, Reals]:
    """Return how often each part of one fixed placement is recovered, and the share in each run.

    Parameters
    ----------
    placement
        Who holds what.
    time, deadline
        The workers' times by their loads, and t₀.
    runs
        Number of runs.
    seed
        Seed of the times.
    unit
        The load of one part, where times are for loads in other units than parts.

    Returns
    -------
    tuple
        Shape (K,): the share of runs in which each part is recovered; and shape (runs,): the
        share of parts that are recovered in each run.

    Raises
    ------
    InputError
        If a number is out of its domain.
    """
    check_runs(placement.parts, runs, seed, deadline, unit)
    rng = np.random.default_rng([seed, placement.workers])
    counts, shares = np.zeros(placement.parts), np.empty(runs)
    for number in range(runs):
        late = time.draw(rng, placement.loads * unit) > deadline
        found = peel(placement, np.flatnonzero(late))
        counts[found.recovered] += 1
        shares[number] = found.fraction
    return counts / runs, shares


def estimate(values: Reals, confidence: float) -> Estimate:
    """Return the mean of some runs with its interval.

    Where all runs give the same value there is no deviation to judge from. Other values then have
    a chance p with (1 − p)^runs ≥ 1 − confidence, and the interval is what they could make of
    the mean.

    Parameters
    ----------
    values
        Shape (runs,), 2 or more: shares from 0 to 1.
    confidence
        Of the interval.

    Raises
    ------
    InputError
        If the confidence is not between 0 and 1, or there are fewer than two runs.

    Examples
    --------
    >>> found = estimate(np.array([0.1, 0.2, 0.3]), 0.95)
    >>> round(found.lower, 3), round(found.mean, 3), round(found.upper, 3)
    (0.0, 0.2, 0.448)
    >>> round(estimate(np.zeros(20), 0.95).upper, 3)
    0.139
    """
    from scipy.special import stdtrit

    check_confidence(confidence)
    if len(values) < 2:
        raise InputError(f"runs={len(values)}; expected 2 or more")
    mean, deviation = float(values.mean()), float(values.std(ddof=1))
    width = float(stdtrit(len(values) - 1, (1 + confidence) / 2)) * deviation / sqrt(len(values))
    lower, upper = max(0.0, mean - width), min(1.0, mean + width)
    if values.min() == values.max():
        unseen = 1 - (1 - confidence) ** (1 / len(values))
        lower, upper = mean * (1 - unseen), mean + (1 - mean) * unseen
    return Estimate(mean, lower, upper, confidence, deviation, len(values))


def _run(
    placement: Placement, time: LoadTime, deadline: float, rng: np.random.Generator
) -> tuple[float, float, list[float]]:
    """Return the share of unknown parts, of late workers, and of unknown parts by rounds."""
    late = time.draw(rng, placement.loads) > deadline
    found = peel(placement, np.flatnonzero(late))
    rounds = [1.0, *(1 - found.after / placement.parts).tolist()]
    return rounds[-1], float(late.mean()), rounds


def _mean_rounds(runs: list[list[float]]) -> tuple[float, ...]:
    """Return the mean over runs after each round; a run that has ended stays where it is."""
    longest = max(map(len, runs))
    table = np.array([run + [run[-1]] * (longest - len(run)) for run in runs])
    return tuple(table.mean(axis=0).tolist())


def check_confidence(confidence: float) -> None:
    """Refuse what is no probability of an interval.

    Raises
    ------
    InputError
        If it is not between 0 and 1.
    """
    if not 0 < confidence < 1:
        raise InputError(f"confidence={confidence}; expected more than 0 and less than 1")


def check_runs(parts: int, runs: int, seed: int, deadline: float, unit: float = 1.0) -> None:
    """Refuse numbers of simulated runs that are out of their domains.

    Raises
    ------
    InputError
        It names the first that is.
    """
    if parts < 1:
        raise InputError(f"parts={parts}; expected 1 or more")
    if runs < 2:
        raise InputError(f"runs={runs}; expected 2 or more")
    if seed < 0:
        raise InputError(f"seed={seed}; expected 0 or more")
    if not deadline >= 0:
        raise InputError(f"deadline={deadline}; expected 0 or more")
    if not 0 < unit < inf:
        raise InputError(f"unit={unit}; expected a finite load greater than 0")
