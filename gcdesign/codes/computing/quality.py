"""What a decoding is worth: its error bound, what it magnifies, and how far it is from enough."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from math import comb
from typing import Literal

from gcdesign.codes.computing.berrut import BerrutCode
from gcdesign.codes.computing.bounds import (
    ErrorConstants,
    check_norms,
    decoding_constants,
    estimated_derivatives,
    guaranteed_constants,
    worst_constants,
)
from gcdesign.codes.computing.lebesgue import amplification, lebesgue_constant
from gcdesign.codes.computing.results import Received, check_workers

FEW_SETS = 1000
"""Sets of stragglers that are gone through to say how many results are enough."""

Source = Literal["given", "estimated"]


@dataclass(frozen=True)
class Quality:
    """What is known about a decoding from some workers' results.

    Attributes
    ----------
    returned
        The workers, increasing.
    stragglers
        How many workers are missing.
    amplification
        max_j Σ |ℓ_i(α_j)|: how much errors in results are magnified at the parts.
    lebesgue
        The Lebesgue constant: the same over the whole interval.
    constants
        The error of every part is at most constants.slope · ‖h′‖ + constants.curvature · ‖h″‖.
    bound
        That bound; None if a norm that it needs is not known.
    norms
        Whether the norms were ``"given"``, which makes the bound a theorem, or ``"estimated"``
        from the results, which makes it an estimate; None if neither, or from too few results.
    tolerance
        The error that is small enough, if one was named.
    enough
        Whether the bound is within the tolerance; None if there is none.
    needed
        The number of results from which on the bound, with these norms, is within the tolerance,
        whichever return: proved for given norms, and an estimate for estimated ones. None if no
        number is enough for it, or no tolerance was named.
    short_by
        How many more results that takes; 0 if it is enough already.
    """

    returned: tuple[int, ...] = field(repr=False)
    stragglers: int
    amplification: float
    lebesgue: float
    constants: ErrorConstants
    bound: float | None = None
    norms: Source | None = None
    tolerance: float | None = None
    enough: bool | None = None
    needed: int | None = None
    short_by: int | None = None


def decoding_quality(
    code: BerrutCode,
    returned: Iterable[int] | Received,
    *,
    curvature: float | None = None,
    slope: float | None = None,
    tolerance: float | None = None,
) -> Quality:
    """Say what a decoding from some results is worth.

    Parameters
    ----------
    code
        The code.
    returned
        The workers, or their results: then norms that are not given are estimated from them.
    curvature, slope
        ‖h″‖ and ‖h′‖ of h = f(u(·)), where they are known.
    tolerance
        The error that is small enough.

    Raises
    ------
    InputError
        If no worker is named, one is unknown, or a number is negative or not finite.

    Examples
    --------
    >>> code = BerrutCode(parts=3, workers=20)
    >>> found = decoding_quality(code, range(0, 20, 2), curvature=1.0, tolerance=0.2)
    >>> round(found.bound, 3), found.enough, found.short_by
    (0.035, True, 0)
    """
    check_norms(tolerance=tolerance, curvature=curvature, slope=slope)
    norms: Source | None = "given" if curvature is not None else None
    if isinstance(returned, Received):
        workers = returned.workers
        if curvature is None:
            slope_found, curvature = estimated_derivatives(code, returned)
            slope, norms = slope_found if slope is None else slope, "estimated"
    else:
        workers = check_workers(returned, code.workers)
    constants = decoding_constants(code, workers)
    bound = None if curvature is None else constants.bound(curvature=curvature, slope=slope)
    enough = None if tolerance is None or bound is None else bound <= tolerance
    needed = None
    if curvature is not None and tolerance is not None:
        needed = results_needed(code, tolerance=tolerance, curvature=curvature, slope=slope)
    return Quality(
        returned=workers,
        stragglers=code.workers - len(workers),
        amplification=amplification(code, workers),
        lebesgue=lebesgue_constant(code, workers),
        constants=constants,
        bound=bound,
        norms=None if bound is None else norms,
        tolerance=tolerance,
        enough=enough,
        needed=needed,
        short_by=0 if enough else None if needed is None else max(0, needed - len(workers)),
    )


def results_needed(
    code: BerrutCode, *, tolerance: float, curvature: float, slope: float | None = None
) -> int | None:
    """Return the least number of results from which on the proved bound is small enough.

    From that number on it stays within the tolerance, whichever workers return and however many
    more. None if even all results do not bring it there. Without ‖h′‖, Berrut's decoder has no
    bound for odd numbers. The constants are those of all sets where these are few, and else those
    of the formula, which are far larger.

    Examples
    --------
    >>> code = BerrutCode(parts=4, workers=30)
    >>> results_needed(code, tolerance=0.5, curvature=1.0, slope=1.0)
    28
    """
    found = None
    for results in range(code.workers, 0, -1):
        constants = _proved(code, code.workers - results)
        bound = None if constants is None else constants.bound(curvature=curvature, slope=slope)
        if bound is None or bound > tolerance:
            break
        found = results
    return found


@lru_cache(maxsize=1024)
def few_sets_constants(code: BerrutCode, stragglers: int) -> ErrorConstants | None:
    """Return `worst_constants` where there are no more than `FEW_SETS` sets, else None."""
    few = comb(code.workers, stragglers) <= FEW_SETS
    return worst_constants(code, stragglers) if few else None


def _proved(code: BerrutCode, stragglers: int) -> ErrorConstants | None:
    """Return constants that hold for all sets of so many stragglers, None if none are known."""
    worst = few_sets_constants(code, stragglers)
    if worst is not None:
        return worst
    if code.degree == 0 and code.worker_nodes == "chebyshev-2":
        return guaranteed_constants(code.workers, stragglers)
    return None
