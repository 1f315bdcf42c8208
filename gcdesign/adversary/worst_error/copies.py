"""Fixed decoding weights: the worst set as the heaviest subgraph of S vertices.

With fixed weights w the survivors leave ‖c − 1‖², where c = Σ_F w_i E_i. That is a quadratic
function of the set of survivors, and of the set of silent workers. With one weight ρ for all it is
ρ²‖C‖² − 2ρ Σ C + K, C the surviving copies of each part, and where all loads are equal the worst
set of survivors is the densest subgraph of the graph in which workers are joined by the parts
that they share. The smaller of the two sets is searched.

For 0/1 codes and ρ = a/b the sum a‖C‖² − 2b Σ C is in whole numbers, below 2⁵³ in floats, and
nothing is rounded. Otherwise a margin covers rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.running.chunks import Stop
from gcdesign.adversary.worst_error.targets import Floats, Leaders, Sets, Task, padded

LARGEST_WHOLE = 2.0**52
"""Whole numbers up to here are exact in floats, with room for one sum."""

MAX_TABLE = 20_000_000
"""Largest table of degree bounds that is made for each number of candidates by itself."""


@dataclass(frozen=True, eq=False)
class Quadratic:
    """value(T) = Σ_T gains_i + Σ_{i<j in T} twice_ij, error = shift + scale · value; a `Target`.

    Attributes
    ----------
    alive
        Whether sets are survivors; else they are silent workers.
    want
        1 if the greatest error is sought, -1 for the least.
    twice, gains
        Shapes (N, N), zero on the diagonal, and (N,); both times ``want``, so that the greatest
        value is always sought.
    scale, shift
        How errors follow from values.
    margin
        What rounding may change an error by.
    """

    alive: bool
    want: int
    twice: Floats
    gains: Floats
    scale: float
    shift: float
    margin: float

    @property
    def size(self) -> int:
        """Number of workers N."""
        return len(self.gains)

    def opposite(self) -> Quadratic:
        """Return the search for the least error, or the greatest if this one is for the least."""
        return replace(self, want=-self.want, twice=-self.twice, gains=-self.gains)

    def promise(self) -> Floats:
        """Return what each worker adds to the set of all others."""
        added: Floats = self.gains + self.twice.sum(axis=1)
        return added

    def permuted(self, order: NDArray[np.int64]) -> Quadratic:
        """Return the same with the workers in another order."""
        twice = np.ascontiguousarray(self.twice[np.ix_(order, order)])
        return replace(self, twice=twice, gains=self.gains[order])

    def climb(self, starts: Sets, stop: Stop) -> Floats:
        """Improve starts in place by swaps; see `Target.climb`."""
        from gcdesign.adversary.worst_error.copies_kernels import climb_quadratic

        values = np.empty(len(starts))
        climb_quadratic(self.twice, self.gains, starts, values, stop)
        return self.want * self.shift + self.scale * values

    def visit(self, tasks: Sequence[Task], leaders: Leaders, stop: Stop) -> bool:
        """Visit all sets of some tasks; see `Target.visit`."""
        from gcdesign.adversary.worst_error.copies_kernels import visit_quadratic

        size, shift = leaders.sets.shape[1], self.want * self.shift + self.margin
        tops = _tops(self.twice, size)
        leaders.bar[0] = (leaders.bar[0] - shift) / self.scale
        ended = all(
            visit_quadratic(
                self.twice, self.gains, tops, *padded(known, size), below, leaders.arrays, stop
            )
            for known, below in tasks
        )
        leaders.bar[0] = leaders.bar[0] * self.scale + shift
        leaders.keys[:] = leaders.keys * self.scale + shift
        return ended


def _tops(twice: Floats, size: int) -> Floats:
    """Return the sums of the r greatest H_jl over l < p, l ≠ j, at (p, r, j).

    Where that is too large a table, all l take part for every p.
    """
    n = len(twice)
    half = twice / 2
    half[np.diag_indices(n)] = -np.inf
    table = np.zeros((n + 1, max(1, size), n))
    few = n * n * size <= MAX_TABLE
    for p in range(1, n + 1) if few else [n]:
        greatest = -np.sort(-half[:, :p], axis=1)[:, : max(0, size - 1)]
        greatest[np.isneginf(greatest)] = 0  # no element joins itself
        width = greatest.shape[1]
        table[p, 1 : 1 + width] = np.cumsum(greatest, axis=1).T
        table[p, 1 + width :] = table[p, width]
    if not few:
        table[:n] = table[n]
    return table


def copies_quadratic(
    rows: Floats, square: int, linear: int, *, scale: Fraction, shift: Fraction, alive: bool
) -> Quadratic:
    """Return the error scale · (square · ‖C‖² − linear · Σ C) + shift, to be made the greatest.

    Parameters
    ----------
    rows
        Shape (N, K): what each worker adds to C if it survives.
    square, linear
        Whole coefficients.
    scale, shift
        Exact; ``scale`` is positive.
    alive
        Whether sets are to be survivors.
    """
    n, parts = rows.shape
    gram, loads, total = rows @ rows.T, rows.sum(axis=1), rows.sum(axis=0)
    gains = square * np.diag(gram)
    if alive:
        gains = gains - linear * loads
    else:
        gains = gains - 2 * square * (rows @ total) + linear * loads
        shift += scale * Fraction(float(square * (total @ total) - linear * total.sum()))
    size = np.abs(rows)
    most = 4 * abs(square) * float((size.sum(axis=0) ** 2).sum()) + 4 * abs(linear) * size.sum()
    whole = bool((rows == np.rint(rows)).all()) and most < LARGEST_WHOLE
    twice = 2.0 * square * gram
    twice[np.diag_indices(n)] = 0
    rounding = 0.0 if whole else 2.0**-50 * (n + parts + 8) * most * float(scale)
    margin = rounding + 2.0**-50 * (abs(float(shift)) + most * float(scale))
    return Quadratic(
        alive, 1, np.ascontiguousarray(twice), gains * 1.0, float(scale), float(shift), margin
    )


def one_step_quadratic(rows: Floats, weight: Fraction, survivors: int, *, alive: bool) -> Quadratic:
    """Return the one-step error ρ²‖C‖² − 2ρ Σ C + K of a 0/1 code; whole inside.

    Examples
    --------
    >>> form = one_step_quadratic(np.eye(3), Fraction(3, 2), 2, alive=True)
    >>> form.gains.tolist(), form.shift, form.scale
    ([1.0, 1.0, 1.0], -3.0, 2.25)
    """
    parts, loads = rows.shape[1], rows.sum(axis=1)
    if (loads == loads[:1]).all():
        copies = survivors * int(loads[:1].sum())
        shift = parts - 2 * weight * copies
        return copies_quadratic(rows, 1, 0, scale=weight**2, shift=shift, alive=alive)
    square, linear = weight.numerator, 2 * weight.denominator
    common = gcd(square, linear)
    return copies_quadratic(
        rows,
        square // common,
        linear // common,
        scale=common * weight / weight.denominator,
        shift=Fraction(parts),
        alive=alive,
    )
