"""Which construction gives an orthogonal array, and the smallest array that there is a plan for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from gcdesign.designs.difference_schemes import scheme_exists
from gcdesign.designs.existence.parameters import divisors
from gcdesign.designs.fields import prime_power
from gcdesign.designs.hadamard.orders import MAX_ORDER, hadamard_recipe
from gcdesign.designs.orthogonal_bounds import Shape, least_runs, refuted
from gcdesign.designs.squares.plans import transversal_plan

MOST_PARTS = 200
"""Arrays are put together from different ones up to this index; beyond it only from equal ones."""

MOST_INDEX = 20_000
"""How far the index of the smallest array is looked for."""


@dataclass(frozen=True)
class Plan:
    """How an orthogonal array is made.

    Attributes
    ----------
    shape
        Its parameters.
    method
        One of `METHODS`.
    parts
        The smaller arrays that it is made of.
    """

    shape: Shape
    method: str
    parts: tuple[Plan, ...] = ()

    def __str__(self) -> str:
        inside = f" of {', '.join(map(str, self.parts))}" if self.parts else ""
        return f"{self.shape} by {self.method}{inside}"


METHODS = {
    "all tuples": "all tuples of levels, and their sums as one more column",
    "Latin squares": "mutually orthogonal Latin squares",
    "Hadamard": "a Hadamard matrix (Plackett and Burman 1946)",
    "polynomials": "values of polynomials over a field (Bush 1952)",
    "points": "linear forms for the points of a projective space (Rao 1947)",
    "ovoid": "linear forms for the points of an elliptic quadric (Bose 1947)",
    "powers": "linear forms of a BCH code (Bose and Ray-Chaudhuri 1960)",
    "differences": "a difference scheme (Bose and Bush 1952)",
    "fold": "an array and its complement (Seiden 1954)",
    "product": "pairs of levels of two arrays (Bush 1952)",
    "rows": "the rows of smaller arrays",
}
"""Each method in words."""


@lru_cache(maxsize=1 << 15)
def orthogonal_plan(wanted: Shape) -> Plan | None:
    """Return how an orthogonal array can be made here, or None.

    Examples
    --------
    >>> print(orthogonal_plan(Shape(72, 7, 6, 2)))
    None
    >>> print(orthogonal_plan(Shape(108, 4, 6, 2)))
    OA(108,4,6,2) by product of OA(12,4,2,2) by Hadamard, OA(9,4,3,2) by Latin squares
    """
    return None if refuted(wanted) else exact_plan(wanted) or _together(wanted)


@lru_cache(maxsize=1 << 16)
def exact_plan(wanted: Shape) -> Plan | None:
    """Return a plan that does not begin by putting rows together, or None.

    Parts of a fold, of a product and of an array of more strength need no other: rows may as well
    be put together at the end.
    """
    return None if refuted(wanted) else next(_plans(wanted), None)


def smallest_plan(
    columns: int, levels: int, strength: int, *, entries: int = 50_000_000
) -> tuple[int, Plan | None]:
    """Return the least number of runs not excluded, and the plan with the fewest runs.

    There is none if all plans have more entries.

    Examples
    --------
    >>> least, plan = smallest_plan(7, 3, 2)
    >>> least, plan.shape.runs
    (18, 18)
    """
    candidates = least_runs(columns, levels, strength)
    least = next(candidates)
    runs = least
    while runs * columns <= entries and runs <= MOST_INDEX * levels**strength:
        # No smaller array has a plan, so this one is not put together from rows of smaller ones.
        plan = exact_plan(Shape(runs, columns, levels, strength))
        if plan is not None:
            return least, plan
        runs = next(candidates)
    return least, None


def _plans(w: Shape) -> Iterator[Plan]:
    """Yield plans of exactly this array that repeat no smaller one, the quickest first."""
    if w.lambda_ == 1 and w.columns <= w.strength + 1:
        yield Plan(w, "all tuples")
    if w.strength == 2:
        if w.lambda_ == 1 and transversal_plan(w.columns, w.levels) is not None:
            yield Plan(w, "Latin squares")
        if w.levels == 2 and w.runs <= MAX_ORDER and hadamard_recipe(w.runs) is not None:
            yield Plan(w, "Hadamard")
    yield from _linear(w)
    if w.levels == 2 and w.strength % 2 and w.strength > 2:
        part = exact_plan(Shape(w.runs // 2, w.columns - 1, 2, w.strength - 1))
        if part is not None:
            yield Plan(w, "fold", (part,))
    if w.strength == 2 and scheme_exists(w.runs // w.levels, w.levels):
        yield from _differences(w)
    yield from _products(w)
    if w.strength < w.columns and w.runs % w.levels ** (w.strength + 1) == 0:
        stronger = exact_plan(Shape(*w[:3], w.strength + 1))
        if stronger is not None:
            yield stronger


def _linear(w: Shape) -> Iterator[Plan]:
    """Yield what is made of linear forms over GF(q): any t of them are independent."""
    q, m = w.levels, 0
    while q**m < w.runs:
        m += 1
    if q**m != w.runs or prime_power(q) is None:
        return
    if w.strength == m and w.columns <= q + 1 + (m == 3 and q % 2 == 0):
        yield Plan(w, "polynomials")
    if w.strength == 2 and w.columns <= (q**m - 1) // (q - 1):
        yield Plan(w, "points")
    if (w.strength, m) == (3, 4) and w.columns <= q * q + 1:
        yield Plan(w, "ovoid")
    half = w.strength // 2
    if q == 2 and w.strength % 2 == 0 and m % half == 0 and w.columns < 2 ** (m // half):
        yield Plan(w, "powers")


def _differences(w: Shape) -> Iterator[Plan]:
    """Yield n columns of a scheme, and beside them those of an array of n rows."""
    rows = w.runs // w.levels
    others = max(1, w.columns - rows)
    if others == 1:
        yield Plan(w, "differences")
        return
    part = orthogonal_plan(Shape(rows, others, w.levels, 2))
    if part is not None:
        yield Plan(w, "differences", (part,))


def _products(w: Shape) -> Iterator[Plan]:
    """Yield s = ab, with a first array of a levels and a second of b."""
    for a in divisors(w.levels)[1:-1]:
        b = w.levels // a
        for times in divisors(w.lambda_) if a <= b else ():
            for first in {times, w.lambda_ // times}:
                shapes = [Shape(first * a**w.strength, w.columns, a, w.strength)]
                rest = w.lambda_ // first
                shapes.append(Shape(rest * b**w.strength, w.columns, b, w.strength))
                parts = [plan for shape in shapes if (plan := exact_plan(shape)) is not None]
                if len(parts) == 2:
                    yield Plan(w, "product", tuple(parts))


def _together(w: Shape) -> Plan | None:
    """Return a plan that puts the rows of smaller arrays together."""
    tuples = w.levels**w.strength
    sizes = range(w.lambda_ - 1, 0, -1) if w.lambda_ <= MOST_PARTS else divisors(w.lambda_)[-2::-1]
    for index in sizes:
        shape = Shape(index * tuples, *w[1:])
        one = exact_plan(shape)
        if one is None:
            continue
        if w.lambda_ > MOST_PARTS:
            return Plan(w, "rows", (one,) * (w.lambda_ // index))
        rest = orthogonal_plan(Shape(w.runs - shape.runs, *w[1:]))
        if rest is not None:
            return Plan(w, "rows", (one, *(rest.parts if rest.method == "rows" else (rest,))))
    return None
