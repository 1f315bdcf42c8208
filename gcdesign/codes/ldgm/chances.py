"""How often each part of one fixed graph is recovered, and what that does to a sum of gradients.

The mean gradient of the recovered parts estimates that of all parts without bias when graphs are
drawn anew. For one graph it does not: parts on many workers of small load are recovered more
often. Weights 1/p_j, p_j the chance that part j is recovered, remove the bias.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.ldgm.ensemble import Ensemble
from gcdesign.codes.ldgm.evolution import answering, checked_chances
from gcdesign.codes.ldgm.finite import check_runs
from gcdesign.codes.ldgm.peeling import peel
from gcdesign.codes.placement import Placement
from gcdesign.codes.times import LoadTime
from gcdesign.designs.ensembles.degrees import Degrees
from gcdesign.errors import InputError

Reals = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Bias:
    """The mean weights with which a fixed graph's estimator adds up the parts' gradients.

    Attributes
    ----------
    weights
        Shape (K,): the mean of c_j 1{j recovered}, c_j the estimator's weight of part j; 1 for
        every part would be unbiased.
    errors
        Shape (K,): their standard errors.
    empty
        Share of the runs in which no part was recovered, which are left out where weights depend
        on how many are.
    runs
        Number of runs.
    """

    weights: Reals
    errors: Reals
    empty: float
    runs: int

    @property
    def spread(self) -> float:
        """Root mean square of weights − 1, less what the finite number of runs makes of it."""
        square = float(np.mean((self.weights - 1) ** 2)) - float(np.mean(self.errors**2))
        return float(np.sqrt(max(square, 0.0)))


def evolved_chances(
    placement: Placement, time: LoadTime, deadline: float, *, unit: float = 1.0
) -> Reals:
    """Return the chance 1 − y^d of each part with d workers, by density evolution.

    Parameters
    ----------
    placement
        Who holds what; its degrees are those of the ensemble.
    time, deadline
        The workers' times by their loads, and t₀.
    unit
        The load of one part, where times are for loads in other units than parts.

    Returns
    -------
    array
        Shape (K,).

    Raises
    ------
    InputError
        If a worker or a part has degree 0, or a number is out of its domain.

    Notes
    -----
    Of large graphs with few cycles; a small graph's chances differ, and `simulate_code` finds
    them by trials.

    Examples
    --------
    >>> from gcdesign.codes import load_code
    >>> from gcdesign.codes.times import parse_time
    >>> twice = load_code("frc:workers=4,stragglers=1,parts=2").placement
    >>> evolved_chances(twice, parse_time("exp:rate=1"), 1.0).round(4).tolist()
    [0.8647, 0.8647]
    """
    if not placement.workers or not placement.parts:
        raise InputError("a placement without workers or parts has no chances")
    check_runs(placement.parts, 2, 0, deadline, unit)
    ensemble = Ensemble(_counted(placement.replications), _counted(placement.loads))
    loads = ensemble.loads.degrees * unit
    chances = checked_chances(time.cdf(deadline, loads), time.written)
    recursion = answering(ensemble, chances)
    message = recursion.message(recursion.fixed_point(1.0))
    found: Reals = 1 - message ** placement.replications.astype(np.float64)
    return found


def bias(
    placement: Placement,
    time: LoadTime,
    deadline: float,
    *,
    chances: Reals | None = None,
    runs: int = 1000,
    seed: int = 0,
    unit: float = 1.0,
) -> Bias:
    """Measure the mean weights of the estimator Σ_j c_j g_j over the recovered parts.

    Parameters
    ----------
    placement, time, deadline, unit
        As in `evolved_chances`.
    chances
        The p_j of c_j = 1/p_j; None for c_j = K/(number of recovered parts).
    runs, seed
        Number of runs, 2 or more, and seed of the times.

    Raises
    ------
    InputError
        If there are too few runs, a chance is not above 0, or a number is out of its domain.
    """
    check_runs(placement.parts, runs, seed, deadline, unit)
    if chances is not None and np.shape(chances) != (placement.parts,):
        raise InputError(
            f"chances of shape {np.shape(chances)}; expected {placement.parts} numbers"
        )
    if chances is not None and not (np.asarray(chances) > 0).all():
        raise InputError("a part is never recovered; no weight makes up for that")
    rng = np.random.default_rng([seed, placement.workers])
    sums, squares, empty = np.zeros(placement.parts), np.zeros(placement.parts), 0
    for _ in range(runs):
        late = time.draw(rng, placement.loads * unit) > deadline
        known = peel(placement, np.flatnonzero(late)).recovered
        empty += len(known) == 0
        if len(known):
            weight = placement.parts / len(known) if chances is None else 1 / chances[known]
            sums[known] += weight
            squares[known] += np.square(weight)
    counted = runs - empty if chances is None else runs
    mean = sums / max(counted, 1)
    variance = np.maximum(squares / max(counted, 1) - mean**2, 0.0)
    return Bias(mean, np.sqrt(variance / max(counted - 1, 1)), empty / runs, runs)


def _counted(degrees: NDArray[np.int64]) -> Degrees:
    """Return the distribution of degrees that are there."""
    values, counts = np.unique(degrees, return_counts=True)
    table = dict(zip(values.tolist(), counts.tolist(), strict=True))
    return Degrees.from_table({d: Fraction(n, len(degrees)) for d, n in table.items()})
