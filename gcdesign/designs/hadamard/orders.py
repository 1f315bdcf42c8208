"""Which construction gives a Hadamard matrix of an order, as a recipe that can be carried out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from gcdesign.designs.fields import prime_power, primitive_root
from gcdesign.designs.hadamard.arrays import circulant, cooper_wallis, goethals_seidel
from gcdesign.designs.hadamard.miyamoto import miyamoto
from gcdesign.designs.hadamard.paley import Signs, paley_one, paley_two
from gcdesign.designs.hadamard.sequences import has_t_rows, t_rows
from gcdesign.designs.hadamard.stored import stored
from gcdesign.designs.hadamard.williamson import has_williamson, williamson_rows
from gcdesign.errors import InputError, LimitError

MAX_ORDER = 8192
"""Largest order of a Hadamard matrix that is built (64 MiB of signs)."""

UNKNOWN_ORDERS = (668, 716, 892)
"""The multiples of 4 below 1000 for which no Hadamard matrix has been published."""


@dataclass(frozen=True)
class Recipe:
    """How a Hadamard matrix is made.

    Attributes
    ----------
    order
        Its order.
    method
        ``"sylvester"``, ``"paley 1"``, ``"paley 2"``, ``"cooper-wallis"``, ``"goethals-seidel"``,
        ``"miyamoto"`` or ``"product"``.
    parameters
        The method's numbers: the order for Sylvester, q for Paley and Miyamoto, t and n for Cooper
        and Wallis, n for Goethals and Seidel.
    parts
        The smaller Hadamard matrices that it is made of.
    """

    order: int
    method: str
    parameters: tuple[int, ...] = ()
    parts: tuple[Recipe, ...] = ()

    def __str__(self) -> str:
        inside = [*map(str, self.parameters), *map(str, self.parts)]
        return f"{self.method}({', '.join(inside)})"


def hadamard_matrix(order: int) -> Signs:
    """Return a Hadamard matrix: entries ±1, H Hᵀ = nI.

    It is the one of `hadamard_recipe`, not normalised.

    Raises
    ------
    InputError
        If n is none of 1, 2 and the multiples of 4, or no construction is known here.
    LimitError
        If n is above `MAX_ORDER`.

    Examples
    --------
    >>> h = hadamard_matrix(92).astype(int)
    >>> bool((h @ h.T == 92 * np.eye(92)).all())
    True
    """
    return _carry_out(required_recipe(order))


def required_recipe(order: int) -> Recipe:
    """Return the recipe of an order, or refuse with what is known; errors as `hadamard_matrix`."""
    if order > MAX_ORDER:
        raise LimitError(f"order={order}; Hadamard matrices are built up to order {MAX_ORDER}")
    recipe = hadamard_recipe(order)
    if recipe is not None:
        return recipe
    if order < 1 or (order > 2 and order % 4):
        raise InputError(f"order={order}; a Hadamard matrix has order 1, 2 or a multiple of 4")
    known = ": none has been published" if order in UNKNOWN_ORDERS else ""
    raise InputError(f"order={order}; no Hadamard matrix of this order can be built here{known}")


@lru_cache(maxsize=4096)
def hadamard_recipe(order: int) -> Recipe | None:
    """Return how a Hadamard matrix of this order can be made here, or None.

    Examples
    --------
    >>> print(hadamard_recipe(1200))
    product(sylvester(2), paley 1(599))
    >>> hadamard_recipe(668) is None
    True
    """
    if order < 1 or (order > 2 and order % 4):
        return None
    return next(_recipes(order), None)


def _recipes(order: int) -> Iterator[Recipe]:
    """Yield recipes, the quickest first."""
    quarter = order // 4
    if order & (order - 1) == 0:
        yield Recipe(order, "sylvester", (order,))
    if prime_power(order - 1) and order % 4 == 0:
        yield Recipe(order, "paley 1", (order - 1,))
    if quarter and (order // 2 - 1) % 4 == 1 and prime_power(order // 2 - 1):
        yield Recipe(order, "paley 2", (order // 2 - 1,))
    yield from _products(order)
    for t in range(1, quarter + 1):
        if quarter % t == 0 and has_t_rows(t) and has_williamson(quarter // t):
            yield Recipe(order, "cooper-wallis", (t, quarter // t))
    if str(quarter) in stored("cosets"):
        yield Recipe(order, "goethals-seidel", (quarter,))
    if quarter % 4 == 1 and prime_power(quarter):
        smaller = hadamard_recipe(quarter - 1)
        if smaller is not None:
            yield Recipe(order, "miyamoto", (quarter,), (smaller,))


def _products(order: int) -> Iterator[Recipe]:
    for a in range(2, int(order**0.5) + 1, 2):
        if order % a == 0 and (order // a) % 2 == 0:
            left, right = hadamard_recipe(a), hadamard_recipe(order // a)
            if left is not None and right is not None:
                yield Recipe(order, "product", (), (left, right))


def _carry_out(recipe: Recipe) -> Signs:
    parts, numbers = [_carry_out(part) for part in recipe.parts], recipe.parameters
    match recipe.method:
        case "sylvester":
            return _sylvester(recipe.order)
        case "paley 1":
            return paley_one(*numbers)
        case "paley 2":
            return paley_two(*numbers)
        case "cooper-wallis":
            return cooper_wallis(t_rows(numbers[0]), williamson_rows(numbers[1]))
        case "goethals-seidel":
            return goethals_seidel(_coset_circulants(numbers[0]))
        case "miyamoto":
            return miyamoto(numbers[0], parts[0])
    return np.kron(*parts)


def _sylvester(order: int) -> Signs:
    """Entry (i, j) is −1 to the number of common ones of i and j in binary (Sylvester 1867)."""
    matrix = np.ones((1, 1), dtype=np.int8)
    while len(matrix) < order:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return matrix


def _coset_circulants(n: int) -> list[Signs]:
    """Return four circulants that are −1 on stored unions of cosets of a subgroup modulo n."""
    entry, generator = stored("cosets")[str(n)], primitive_root(n)
    index, circulants = (n - 1) // entry["h"], []
    for exponents in entry["sets"]:
        row = np.ones(n, dtype=np.int8)
        for e in exponents:
            row[[pow(generator, e + index * i, n) for i in range(entry["h"])]] = -1
        circulants.append(circulant(row))
    return circulants
