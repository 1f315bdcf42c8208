"""Degree optimisation a second way: differential evolution, which shares nothing with the programs.

Any shares of nodes become shares with the right mean by an exponential tilt, R_i ∝ u_i e^(θi).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.times import LoadTime
from gcdesign.designs.ensembles.degrees import Degrees
from gcdesign.errors import InputError

ITERATIONS = 400
"""Plain steps of density evolution for each candidate."""

SEED_DISTANCE = 1e-9

Reals = NDArray[np.float64]


def differential_evolution(
    time: LoadTime,
    deadline: float,
    *,
    copies: int,
    rate: Fraction = Fraction(1, 2),
    largest: int = 10,
    generations: int = 80,
    seed: int = 0,
) -> tuple[Degrees, float]:
    """Search the degrees of the workers that make x_∞ least, for parts of one degree.

    Parameters
    ----------
    time, deadline, rate, largest, copies
        As in `gcdesign.codes.ldgm.optimise.optimise`; the degree of the parts is given.
    generations
        Generations of the search, with 15 candidates for each degree.
    seed
        Seed of its random choices.

    Returns
    -------
    tuple
        The degrees, of nodes, and x after many steps: an upper bound on x_∞. They are thought to
        have an infinitesimal share of workers of degree 1.

    Raises
    ------
    InputError
        If no degrees have this rate.

    Notes
    -----
    Source: Storn and Price 1997; as a search for degrees, Shokrollahi and Storn 2000.
    """
    import scipy.optimize

    search: Any = scipy.optimize.differential_evolution
    mean = float(rate * copies)
    if not 1 <= mean <= largest or largest < 2:
        raise InputError(f"workers of mean degree {mean:g}; expected 1 to {largest}, 2 or more")
    degrees = np.arange(1, largest + 1)
    chances = time.cdf(deadline, degrees)

    def erasures(vectors: Reals) -> Reals:
        """Return x for each column of logarithms of u."""
        nodes = tilted(vectors.reshape(largest, -1).T, mean)
        return _evolved(nodes * degrees / mean * chances, copies)

    found = search(
        erasures,
        [(-12.0, 0.0)] * largest,
        maxiter=generations,
        popsize=15,
        tol=1e-10,
        seed=seed,
        polish=False,
        updating="deferred",
        vectorized=True,
    )
    nodes = tilted(found.x[None, :], mean)[0]
    table = {int(i) + 1: Fraction(float(nodes[i])) for i in np.flatnonzero(nodes > 0)}
    total = sum(table.values())
    best = Degrees(tuple((degree, share / total) for degree, share in table.items()))
    return best, float(erasures(found.x[:, None])[0])


def tilted(logarithms: Reals, mean: float) -> Reals:
    """Return rows of shares R_i ∝ exp(l_i + θ i) whose mean degree is right.

    Parameters
    ----------
    logarithms
        Shape (candidates, D).
    mean
        The mean degree, from 1 to D.
    """
    degrees = np.arange(1, logarithms.shape[1] + 1)
    low, high = np.full(len(logarithms), -60.0), np.full(len(logarithms), 60.0)
    for _ in range(60):
        theta = (low + high) / 2
        shares = _softmax(logarithms + theta[:, None] * degrees)
        below = shares @ degrees < mean
        low, high = np.where(below, theta, low), np.where(below, high, theta)
    return _softmax(logarithms + ((low + high) / 2)[:, None] * degrees)


def _softmax(rows: Reals) -> Reals:
    powers = np.exp(rows - rows.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def _evolved(arriving: Reals, copies: int) -> Reals:
    """Return x after many steps, for rows of ρ̃."""
    x = np.full(len(arriving), 1 - SEED_DISTANCE)
    powers = np.arange(arriving.shape[1])
    for _ in range(ITERATIONS):
        message = 1 - (arriving * (1 - x)[:, None] ** powers).sum(axis=1)
        x = np.clip(message, 0, 1) ** (copies - 1)
    return np.asarray(x)
