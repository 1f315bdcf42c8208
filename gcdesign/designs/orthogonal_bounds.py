"""Why an orthogonal array cannot exist: theorems with their numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from math import comb, isqrt
from typing import NamedTuple

from gcdesign.designs.existence.impossible import refute
from gcdesign.designs.existence.parameters import Bibd

MOST_COLUMNS = 40
"""Most columns for which the linear program's bound is asked for."""


class Shape(NamedTuple):
    """The parameters of an orthogonal array OA(N, k, s, t).

    Any t of k columns show every tuple of s levels in N/sᵗ of the N rows.
    """

    runs: int
    columns: int
    levels: int
    strength: int

    @property
    def lambda_(self) -> int:
        """N/sᵗ, rounded down if it is not whole."""
        return int(self.runs // self.levels**self.strength)

    @property
    def divides(self) -> bool:
        """Whether sᵗ divides N."""
        return self.runs % int(self.levels**self.strength) == 0

    @property
    def derived(self) -> Shape:
        """What the rows of one level in one column are, without that column."""
        return Shape(self.runs // self.levels, self.columns - 1, self.levels, self.strength - 1)

    def __str__(self) -> str:
        return "OA({},{},{},{})".format(*self)


def rao_bound(columns: int, levels: int, strength: int) -> int:
    """Return the least number of runs that Rao's bound allows.

    Notes
    -----
    Source: Rao 1947.

    Examples
    --------
    >>> rao_bound(7, 2, 2), rao_bound(4, 3, 2), rao_bound(4, 2, 3), rao_bound(5, 2, 4)
    (8, 9, 8, 16)
    """
    half, s = strength // 2, levels - 1
    more = comb(columns - 1, half) * int(s ** (half + 1)) if strength % 2 else 0
    return more + sum(comb(columns, i) * int(s**i) for i in range(half + 1))


@lru_cache(maxsize=1 << 14)
def refuted(wanted: Shape) -> tuple[str, str] | None:
    """Return the name of a theorem that excludes an array, with its numbers, or None.

    Examples
    --------
    >>> refuted(Shape(8, 8, 2, 2))
    ('Rao', '8 columns need 9 runs or more')
    >>> refuted(Shape(18, 8, 3, 2))[0], refuted(Shape(18, 7, 3, 2))
    ('Bose–Bush', None)
    """
    for name, condition in _CONDITIONS.items():
        failure = condition(wanted)
        if failure:
            return name, failure
    if wanted.strength > 2:
        found = refuted(wanted.derived)
        if found:
            return found[0], f"the rows of one level are an {wanted.derived}: {found[1]}"
    return None


def excluded(wanted: Shape) -> tuple[str, str] | None:
    """Return what `refuted` does, or else the linear program's bound where that excludes it.

    Examples
    --------
    >>> excluded(Shape(96, 9, 2, 5))
    ('Delsarte', '9 columns need 128 runs or more, by linear programming')
    """
    found = refuted(wanted)
    if found or wanted.columns > MOST_COLUMNS:
        return found
    least = delsarte_bound(*wanted[1:])
    if wanted.runs >= least:
        return None
    words = f"{wanted.columns} columns need {least} runs or more, by linear programming"
    return "Delsarte", words


@lru_cache(maxsize=1 << 10)
def delsarte_bound(columns: int, levels: int, strength: int) -> int:
    """Return the least number of runs that Delsarte's linear program allows.

    With weights y_j, not negative for j > t, of the Krawtchouk polynomials K_j such that
    Σ y_j K_j(i) ≤ 1 for i = 1, …, k there are at least 1 − Σ y_j K_j(0) runs. The weights come
    from a solver, in floats; they are made fractions, and smaller until the condition holds.

    Notes
    -----
    Source: Delsarte 1973.

    Examples
    --------
    >>> delsarte_bound(5, 2, 2), delsarte_bound(13, 3, 2)
    (8, 27)
    """
    from scipy.optimize import linprog

    k = columns
    table = [[_krawtchouk(j, i, k, levels) for j in range(1, k + 1)] for i in range(k + 1)]
    sizes = [comb(k, j) * (levels - 1) ** j for j in range(1, k + 1)]
    scaled = [[value / size for value, size in zip(row, sizes, strict=True)] for row in table]
    free = [(None if j <= strength else 0, None) for j in range(1, k + 1)]
    found = linprog(scaled[0], A_ub=scaled[1:], b_ub=[1] * k, bounds=free, method="highs")
    if found.x is None:
        return rao_bound(columns, levels, strength)
    weights = [
        Fraction(y).limit_denominator(10**9) / size for y, size in zip(found.x, sizes, strict=True)
    ]
    weights = [max(y, Fraction(0)) if j >= strength else y for j, y in enumerate(weights)]
    sums = [sum(y * value for y, value in zip(weights, row, strict=True)) for row in table]
    least = 1 - sums[0] / max(1, *sums[1:])
    return max(rao_bound(columns, levels, strength), -int(-least // 1))


def _krawtchouk(j: int, i: int, k: int, s: int) -> int:
    return sum(
        (-1) ** a * (s - 1) ** (j - a) * comb(i, a) * comb(k - i, j - a) for a in range(j + 1)
    )


def least_runs(columns: int, levels: int, strength: int) -> Iterator[int]:
    """Yield the numbers of runs that no theorem here excludes, increasing.

    Examples
    --------
    >>> next(least_runs(4, 6, 2))
    72
    """
    tuples = int(levels**strength)
    small = columns <= MOST_COLUMNS
    least = (delsarte_bound if small else rao_bound)(columns, levels, strength)
    index = max(1, -(-least // tuples))
    while True:
        if refuted(Shape(index * tuples, columns, levels, strength)) is None:
            yield index * tuples
        index += 1


def _divisibility(wanted: Shape) -> str:
    if wanted.divides:
        return ""
    tuples = wanted.levels**wanted.strength
    return (
        f"an array of strength {wanted.strength} with {wanted.levels} levels needs a multiple of "
        f"{wanted.levels}^{wanted.strength} = {tuples} runs"
    )


def _rao(wanted: Shape) -> str:
    least = rao_bound(*wanted[1:])
    return f"{wanted.columns} columns need {least} runs or more" if wanted.runs < least else ""


def _bush(wanted: Shape) -> str:
    """Bush 1952: arrays of index 1."""
    _, columns, s, t = wanted
    if wanted.lambda_ != 1:
        return ""
    most = t + 1 if s <= t else s + t - (2 if s % 2 and t >= 3 else 1)
    return f"with index 1 at most {most} columns are possible" if columns > most else ""


def _bose_bush(wanted: Shape) -> str:
    """Bose and Bush 1952: Rao's bound for strength 2, where s − 1 does not divide λ − 1."""
    runs, columns, s, t = wanted
    rest = (wanted.lambda_ - 1) % (s - 1)
    if t != 2 or not rest:
        return ""
    # ⌊θ⌋ for θ = (√(1 + 4s(s − 1 − b)) − (2s − 2b − 1))/2, without rounding
    theta = (isqrt(1 + 4 * s * (s - 1 - rest)) - (2 * s - 2 * rest - 1)) // 2
    most = (runs - 1) // (s - 1) - theta - 1
    if columns <= most:
        return ""
    return f"with index {wanted.lambda_} = 1 + {rest} modulo {s - 1} at most {most} columns"


def _squares(wanted: Shape) -> str:
    """Tarry 1900: side 6. Bruck 1963: a net that lacks few classes of a plane is part of one."""
    _, columns, n, t = wanted
    if t != 2 or wanted.lambda_ != 1 or columns < 4:
        return ""
    if n == 6:
        return f"{columns - 2} orthogonal Latin squares of side 6; there are no two (Tarry 1900)"
    d = n - columns  # the number of classes that a plane has more, less one
    if d > 0 and 2 * n <= d**4 + 2 * d**3 + 2 * d**2 + 3 * d:
        return ""
    plane = refute(Bibd(n * n + n + 1, n + 1, 1))
    if plane is None:
        return ""
    return f"{columns - 2} Latin squares of side {n} are part of a projective plane; {plane.reason}"


_CONDITIONS: dict[str, Callable[[Shape], str]] = {
    "divisibility": _divisibility,
    "Rao": _rao,
    "Bush": _bush,
    "Bose–Bush": _bose_bush,
    "Latin squares": _squares,
}
"""Each necessary condition by its name: it returns how it fails, or nothing."""
