"""How far a decoding can be off: bounds by derivatives, before and after results return.

All of them are about h = f(u(·)), the function that the workers evaluate along the encoding curve,
on the interval that holds all nodes. Results of any shape: derivatives and errors are then taken
in one norm of that space, such as the largest entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, isfinite, pi, sin

import numpy as np

from gcdesign.codes.computing.berrut import BerrutCode
from gcdesign.codes.computing.nodes import Reals
from gcdesign.codes.computing.results import Received
from gcdesign.codes.counts import check_count
from gcdesign.errors import InputError, LimitError

MAX_SETS = 20_000
"""The most sets of stragglers that `worst_constants` goes through."""


@dataclass(frozen=True)
class ErrorConstants:
    """The constants of the bound  error ≤ slope · ‖h′‖ + curvature · ‖h″‖.

    Attributes
    ----------
    slope
        What multiplies ‖h′‖; 0 where straight lines are reproduced: for every degree d ≥ 1, and
        for d = 0 if the number of results is even.
    curvature
        What multiplies ‖h″‖.
    """

    slope: float
    curvature: float

    def bound(self, *, curvature: float, slope: float | None = None) -> float | None:
        """Return the bound for given ‖h″‖ and ‖h′‖; None if ‖h′‖ is needed and not given.

        Raises
        ------
        InputError
            If a norm is negative or not finite, or so large that the bound is not finite.
        """
        check_norms(curvature=curvature, slope=slope)
        if slope is None:
            found = self.curvature * curvature if self.slope == 0 else None
        else:
            found = self.slope * slope + self.curvature * curvature
        if found is not None and not isfinite(found):
            raise InputError(f"the bound for curvature={curvature:g} overflows; expected less")
        return found


def check_norms(**norms: float | None) -> None:
    """Refuse norms, or other bounds on errors, that are negative or not finite; None is unknown.

    Raises
    ------
    InputError
        It names the first that is.
    """
    for name, value in norms.items():
        if value is not None and not (isfinite(value) and value >= 0):
            raise InputError(f"{name}={value:g}; expected a finite number, 0 or more")


def error_constants(matrix: Reals, nodes: Reals, at: Reals, *, lines: bool) -> list[ErrorConstants]:
    """Return the constants of a decoding matrix, one for each row.

    With h(x) = h(z) + h′(z)(x − z) + ∫ (x − t) h″(t) dt from z to x, a row ℓ that sums to 1 errs
    by h′(z) Σ ℓ_k (x_k − z) + ∫ κ(t) h″(t) dt, where κ(t) = Σ ℓ_k (x_k − t) over the nodes beyond
    t, as seen from z. The constants are |Σ ℓ_k (x_k − z)| and ∫ |κ|; κ is linear between nodes.

    Parameters
    ----------
    matrix
        Shape (m, n): rows that sum to 1.
    nodes, at
        Shape (n,) and (m,): the nodes x and the points z.
    lines
        Whether straight lines are known to be reproduced, so that rounding is not taken for slope.

    Notes
    -----
    Source: Peano's theorem, as any textbook on interpolation has it. No bound in ‖h″‖ alone is
    smaller for a decoder that reproduces lines.
    """
    order = np.argsort(nodes)
    gaps = nodes[order][None, :] - at[:, None]
    rows = matrix[:, order]
    areas = _one_side(gaps, rows) + _one_side(-gaps[:, ::-1], rows[:, ::-1])
    slopes = np.zeros(len(at)) if lines else np.abs((rows * gaps).sum(axis=1))
    return [ErrorConstants(*pair) for pair in zip(slopes.tolist(), areas.tolist(), strict=True)]


def _one_side(gaps: Reals, rows: Reals) -> Reals:
    """Return ∫ |κ| over t ≥ 0 for each row; nodes are at increasing distances, some below 0.

    Between two neighbours κ is the line through its values at both, whose integral is that of a
    trapezoid, or of two triangles where it changes its sign.
    """
    beyond = np.where(gaps > 0, rows, 0.0)
    masses = np.cumsum(beyond[:, ::-1], axis=1)[:, ::-1]
    moments = np.cumsum((beyond * gaps)[:, ::-1], axis=1)[:, ::-1]
    outer = np.maximum(gaps, 0.0)
    inner = np.concatenate([np.zeros((len(gaps), 1)), outer[:, :-1]], axis=1)
    left, right = moments - masses * inner, moments - masses * outer
    right[:, -1] = 0.0
    size = np.abs(left) + np.abs(right)
    triangles = (left**2 + right**2) / np.where(size > 0, size, 1.0)
    heights = np.where(left * right < 0, triangles, size)
    areas: Reals = ((outer - inner) * heights / 2).sum(axis=1)
    return areas


def decoding_constants(code: BerrutCode, returned: Sequence[int]) -> ErrorConstants:
    """Return the constants that hold for every part when these workers have returned.

    The error of each part is at most slope · ‖h′‖ + curvature · ‖h″‖.

    Examples
    --------
    >>> found = decoding_constants(BerrutCode(parts=3, workers=10), range(10))
    >>> found.slope, round(found.curvature, 3)
    (0.0, 0.05)
    """
    each = part_constants(code, returned)
    return ErrorConstants(max(c.slope for c in each), max(c.curvature for c in each))


def part_constants(code: BerrutCode, returned: Sequence[int]) -> list[ErrorConstants]:
    """Return the constants of each part when these workers have returned."""
    matrix = code.decoding(returned)
    nodes = code.beta[sorted(returned)]
    return error_constants(matrix, nodes, code.alpha, lines=reproduces_lines(code, len(nodes)))


def reproduces_lines(code: BerrutCode, results: int) -> bool:
    """Whether h that are straight lines are decoded exactly from so many results.

    By Floater and Hormann's Theorem 2 for d ≥ 1. For d = 0 the slope that is left is Σ ±1 over
    Σ ±1/(z − x_k), and 0 for an even number.
    """
    return results > 1 and (code.degree > 0 or results % 2 == 0)


def guaranteed_constants(workers: int, stragglers: int) -> ErrorConstants:
    """Return constants for Berrut's decoder, whichever so many of the workers are missing.

    With N + 1 workers at Chebyshev points of the second kind and s of them missing, the error is
    at most 2(1 + R) sin((s + 1)π/(2N)) ‖h″‖ where N − s is odd, and the same times (‖h″‖ + ‖h′‖)
    where it is even; R = (s + 1)(s + 3)π²/4.

    Raises
    ------
    InputError
        If nobody is left, or the numbers are none.

    Notes
    -----
    Source: Jahani-Nezhad, Maddah-Ali 2020, after Floater and Hormann 2007, Theorem 3 with d = 0,
    h = 2 sin((s + 1)π/(2N)) the widest gap and R above the ratio of neighbouring gaps. That it
    holds beyond the outermost result too, where the theorem says nothing, is ours: there
    |Σ ±1/(z − x_k)| is at least 1/(z − x_0) − 1/(z − x_1). It is loose: see `decoding_constants`.

    Examples
    --------
    >>> guaranteed_constants(11, 1)
    ErrorConstants(slope=0.0, curvature=12.81753593952744)
    """
    check_count("workers", workers)
    check_count("stragglers", stragglers, least=0)
    if stragglers >= workers:
        raise InputError(
            f"stragglers={stragglers} of {workers} workers; expected 0 to {workers - 1}"
        )
    steps = max(workers - 1, 1)
    ratio = (stragglers + 1) * (stragglers + 3) * pi**2 / 4
    angle = min((stragglers + 1) * pi / (2 * steps), pi / 2)
    constant = 2 * (1 + ratio) * sin(angle)
    return ErrorConstants(0.0 if (workers - stragglers) % 2 == 0 else constant, constant)


def worst_constants(code: BerrutCode, stragglers: int) -> ErrorConstants:
    """Return the largest constants over all sets of so many stragglers, by going through them.

    Raises
    ------
    InputError
        If nobody would be left.
    LimitError
        If there are more than `MAX_SETS` sets.
    """
    if not 0 <= stragglers < code.workers:
        raise InputError(
            f"stragglers={stragglers} of {code.workers} workers; expected 0 to {code.workers - 1}"
        )
    sets = comb(code.workers, stragglers)
    if sets > MAX_SETS:
        raise LimitError(
            f"{sets} sets of {stragglers} stragglers; the limit is {MAX_SETS}: "
            "guaranteed_constants covers them all by a formula"
        )
    found = [decoding_constants(code, kept) for kept in _kept(code.workers, stragglers)]
    return ErrorConstants(max(c.slope for c in found), max(c.curvature for c in found))


def _kept(workers: int, stragglers: int) -> Iterator[tuple[int, ...]]:
    return combinations(range(workers), workers - stragglers)


def estimated_derivatives(
    code: BerrutCode, received: Received
) -> tuple[float | None, float | None]:
    """Estimate ‖h′‖ and ‖h″‖, in the largest entry, from divided differences of the results.

    They are attained somewhere between the nodes, so they are lower ends of the norms and no
    proof: a function that wiggles between its nodes has larger ones. One result says nothing of
    ‖h′‖, and two nothing of ‖h″‖: None.

    Raises
    ------
    InputError
        If the results are so large that their differences are not finite.
    """
    order = np.argsort(code.beta[list(received.workers)])
    nodes = code.beta[list(received.workers)][order]
    values = [np.asarray(received.values[k]) for k in order]
    first: list[Reals] = []
    slope = curvature = 0.0
    for k in range(1, len(nodes)):
        difference = _difference(values[k], values[k - 1], nodes[k] - nodes[k - 1])
        slope = max(slope, float(np.abs(difference).max(initial=0.0)))
        first = [*first[-1:], difference]
        if len(first) == 2:
            second = 2 * _difference(first[1], first[0], nodes[k] - nodes[k - 2])
            curvature = max(curvature, float(np.abs(second).max(initial=0.0)))
    if not (isfinite(slope) and isfinite(curvature)):
        raise InputError("results so large that their differences overflow; scale them down")
    return slope if len(nodes) > 1 else None, curvature if len(nodes) > 2 else None


def _difference(one: Reals, other: Reals, distance: float) -> Reals:
    """Return a divided difference; of the largest numbers it may be infinite."""
    with np.errstate(over="ignore", invalid="ignore"):
        found: Reals = (one - other) / distance
    return found
