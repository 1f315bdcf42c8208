"""Results that do not fit: wrong values among those that came back, by what is left of a fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.computing.berrut import BerrutCode
from gcdesign.codes.computing.bounds import check_norms
from gcdesign.codes.computing.nodes import Reals
from gcdesign.codes.computing.results import Received, Results
from gcdesign.codes.counts import check_count
from gcdesign.errors import InputError

FEW_SETS = 5000
"""Sets of suspects that are all tried, smallest first; beyond, one suspect after the other."""

CANDIDATES = 6
"""How many of the least fitting results are tried as the next suspect."""

FACTOR = 30.0
"""Without a known curvature: how far above the median a result's curvature counts as an outlier."""

ROUNDING = 1e-12
"""Part of the largest result that passes for rounding."""

PIECE = 4096
"""Coordinates that are factored at once."""

Places = NDArray[np.intp]

LEAST_RESULTS = 4
"""Results without which nothing can be said: a line through two, and two to hold against it."""


@dataclass(frozen=True)
class Outliers:
    """What does not fit among some results.

    Attributes
    ----------
    suspects
        The workers whose results, left out, let the rest fit; increasing.
    fits
        Whether the rest does fit. If not, more than ``at_most`` results would have to go.
    proved
        Whether it is a theorem that some result is wrong: the curvature was given, and with all
        results the bound is broken. It is no proof of whose.
    levels
        For each worker that returned, in increasing order, the least ‖h″‖ with which its result
        fits to those beside it. Of honest results none is above the true ‖h″‖.
    limit
        The level above which a result does not fit: the curvature that was given, or a multiple
        of the median level.
    """

    suspects: tuple[int, ...]
    fits: bool
    proved: bool
    levels: tuple[float, ...]
    limit: float


def find_outliers(
    code: BerrutCode,
    results: Results | Received,
    *,
    at_most: int,
    curvature: float | None = None,
    factor: float = FACTOR,
) -> Outliers:
    """Look for at most so many wrong results by how far each is from the interpolant of others.

    Parameters
    ----------
    code
        The code.
    results
        What came back; NaN and infinity are refused.
    at_most
        The greatest number of suspects.
    curvature
        ‖h″‖ of h = f(u(·)), in the Euclidean norm of a result, where it is known.
    factor
        Without it: a result whose level is above this multiple of the median is an outlier.

    Returns
    -------
    Outliers
        With a given curvature, honest results never make a suspect, and a suspect means that some
        result is wrong. Without one, nothing is promised: the levels of honest results differ too.
        Small lies are not found, and need not be: what fits within the bound is no worse than what
        the bound allows for. Liars who agree on another smooth function and are many enough to
        outnumber the honest ones are believed.

    Raises
    ------
    InputError
        If there are fewer than `LEAST_RESULTS` beside the suspects, or a number is out of range.

    Notes
    -----
    Each result is held against Berrut's interpolant r of its two neighbours a and b, a straight
    line, so that ‖y_i − r(β_i)‖ ≤ |β_i − a| |β_i − b| ‖h″‖/2. An interpolant of more results would
    spread one lie over all residuals. A lie spoils three levels, so the median stands while fewer
    than a sixth of the results are wrong.

    Examples
    --------
    >>> code = BerrutCode(parts=4, workers=20)
    >>> returned = dict(enumerate(np.sin(code.encode(np.array([0.1, 0.4, -0.2, 0.3])))))
    >>> returned[7] += 5
    >>> find_outliers(code, returned, at_most=2).suspects
    (7,)
    """
    found = results if isinstance(results, Received) else code.receive(results)
    _check(len(found.workers), at_most, curvature, factor)
    fit = _Fit(code, found)
    every = tuple(range(len(found.workers)))
    levels = fit.levels(every)
    limit = curvature if curvature is not None else factor * float(np.median(levels))
    broken = bool(levels.max() > limit)
    suspects = _search(fit, every, levels, at_most, limit) if broken else ()
    rest = tuple(k for k in every if k not in suspects)
    return Outliers(
        suspects=tuple(found.workers[k] for k in suspects),
        fits=bool(fit.levels(rest).max() <= limit) if suspects else not broken,
        proved=broken and curvature is not None,
        levels=tuple(levels.tolist()),
        limit=limit,
    )


def _check(results: int, at_most: int, curvature: float | None, factor: float) -> None:
    check_count("at_most", at_most, least=0)
    if results - at_most < LEAST_RESULTS:
        raise InputError(
            f"{results} results with up to {at_most} suspects; expected {LEAST_RESULTS} or more "
            "beside these"
        )
    check_norms(curvature=curvature, factor=factor)


class _Fit:
    """Results as a small triangle: all that counts is the norm of combinations of them."""

    def __init__(self, code: BerrutCode, found: Received) -> None:
        self._nodes = code.beta[list(found.workers)]
        self._triangle = triangle(found.values)
        self._noise = ROUNDING * float(np.linalg.norm(self._triangle, axis=0).max(initial=0.0))

    def levels(self, kept: Sequence[int]) -> Reals:
        """Return for each of some results, in their order, the ‖h″‖ that it asks for among them."""
        given = np.array(kept)
        order = np.argsort(self._nodes[given])
        line = given[order]
        first = np.clip(np.arange(len(line)) - 1, 0, len(line) - 3)
        places = first[:, None] + np.arange(3)
        beside = places[places != np.arange(len(line))[:, None]].reshape(-1, 2)
        left, right = line[beside].T
        levels = np.empty(len(given))
        levels[order] = self._asked(line, left, right)
        return levels

    def _asked(self, ones: Places, left: Places, right: Places) -> Reals:
        """Return how far results are from straight lines through two others, over the constant."""
        x, a, b = (self._nodes[places] for places in (ones, left, right))
        share = (x - a) / (b - a)
        y, low, high = (self._triangle[:, places] for places in (ones, left, right))
        residual = np.linalg.norm(y - (1 - share) * low - share * high, axis=0)
        noise = self._noise * (1 + np.abs(share) + np.abs(1 - share))
        asked: Reals = np.maximum(0.0, residual - noise) / np.abs((x - a) * (x - b) / 2)
        return asked


def triangle(values: Sequence[Any]) -> Reals:
    """Return a matrix R of f columns with ‖R c‖ = ‖Σ c_i y_i‖ for all real c, y_i the results.

    It is the triangle of a QR factorisation, computed over pieces of the results.
    """
    rows = [np.asarray(value).reshape(-1) for value in values]
    found: NDArray[np.float64] = np.zeros((0, len(rows)))
    for start in range(0, max(1, rows[0].size), PIECE):
        piece = np.stack([row[start : start + PIECE] for row in rows])
        parts = [piece.real, piece.imag] if piece.dtype.kind == "c" else [piece]
        stacked = np.concatenate([found, *(part.T.astype(np.float64) for part in parts)])
        found = np.asarray(np.linalg.qr(stacked, mode="r")) if len(stacked) > len(rows) else stacked
    return found


def _search(
    fit: _Fit, every: tuple[int, ...], levels: Reals, at_most: int, limit: float
) -> tuple[int, ...]:
    """Return a set of suspects without which the rest fits, or the best that was found."""
    if sum(comb(len(every), size) for size in range(1, at_most + 1)) <= FEW_SETS:
        return _smallest(fit, every, at_most, limit)
    return _one_by_one(fit, every, levels, at_most, limit)


def _smallest(fit: _Fit, every: tuple[int, ...], at_most: int, limit: float) -> tuple[int, ...]:
    """Try all sets, small ones first; of the smallest that do, the one that leaves the best fit."""
    best: tuple[float, tuple[int, ...]] = (np.inf, ())
    for size in range(1, at_most + 1):
        for gone in combinations(every, size):
            level = float(fit.levels(_without(every, gone)).max())
            best = min(best, (level, gone))
        if best[0] <= limit:
            break
    return best[1]


def _one_by_one(
    fit: _Fit, every: tuple[int, ...], levels: Reals, at_most: int, limit: float
) -> tuple[int, ...]:
    """Leave out, again and again, that one of the least fitting whose absence helps the most."""
    gone: tuple[int, ...] = ()
    for _ in range(at_most):
        kept = _without(every, gone)
        worst = np.argsort(levels)[::-1][:CANDIDATES]
        tried = [_without(kept, (kept[k],)) for k in worst]
        found = [fit.levels(rest) for rest in tried]
        best = min(range(len(found)), key=lambda k: float(found[k].max()))
        gone, levels = tuple(sorted([*gone, kept[worst[best]]])), found[best]
        if levels.max() <= limit:
            break
    return gone


def _without(kept: Sequence[int], gone: Sequence[int]) -> tuple[int, ...]:
    return tuple(k for k in kept if k not in gone)
