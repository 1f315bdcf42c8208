"""Menon's difference sets, products of small ones."""

from __future__ import annotations

from itertools import product
from math import prod

from gcdesign.designs.actions import Action
from gcdesign.designs.base_blocks import BaseBlocks
from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.rings import Ring
from gcdesign.errors import InputError

DifferenceSet = tuple[tuple[tuple[str, int], ...], frozenset[int]]
"""The factors of a ring and the elements of the set."""

FOUR: DifferenceSet = (("Z", 4),), frozenset({0})
"""The (4, 1, 0) difference set."""

NINE_FOURS: DifferenceSet = (
    (("F", 3), ("F", 3), ("Z", 4)),
    frozenset({1, 2, 4, 5, 7, 8} | {9, 10, 11} | {18, 22, 26} | {27, 32, 34}),
)
"""A (36, 15, 6) difference set: three lines of AG(2,3) and the complement of the fourth."""


def construct(u: int) -> BlockDesign:
    """Return the symmetric (4u², 2u² − u, u² − u) design for u = 2^a 3^b with b ≤ a + 1.

    If D and E are such difference sets for u and w, the pairs with exactly one of x in D and y
    in E are one for 2uw.

    Raises
    ------
    InputError
        If u is not of that form.

    Notes
    -----
    Source: Menon 1962 for the product, Turyn 1965 for u = 3.

    Examples
    --------
    >>> construct(4).parameters.as_tuple()
    (64, 64, 28, 28, 12)
    """
    check_size(size(u), name=f"menon:u={u}")
    threes = _exponent(u, 3)
    parts = [NINE_FOURS] * threes
    parts += [FOUR] * (1 + _exponent(u, 2) - threes)
    ring = Ring(tuple(factor for factors, _ in parts for factor in factors))
    orders = [prod(order for _, order in factors) for factors, _ in parts]
    # The product turns over once for each of its parts: sizes 2u² − u need the smaller half.
    chosen = [
        element
        for element, *inside in (
            (_number(xs, orders), *(x in d for x, (_, d) in zip(xs, parts, strict=True)))
            for xs in product(*map(range, orders))
        )
        if sum(inside) % 2
    ]
    v = ring.order
    if len(chosen) > v // 2:
        chosen = sorted(set(range(v)) - set(chosen))
    block = tuple(sorted(chosen))
    return BaseBlocks(Action(ring), (block,)).design(Provenance.of("menon", u=u))


def _number(xs: tuple[int, ...], orders: list[int]) -> int:
    number, place = 0, 1
    for x, order in zip(xs, orders, strict=True):
        number, place = number + x * place, place * order
    return number


def _exponent(n: int, p: int) -> int:
    exponent = 0
    while n % p == 0:
        n, exponent = n // p, exponent + 1
    return exponent


def size(u: int) -> Size:
    """Return the size of the design; errors as in `construct`."""
    if u < 1 or u != 2 ** _exponent(u, 2) * 3 ** _exponent(u, 3) or (
        _exponent(u, 3) > _exponent(u, 2) + 1
    ):  # fmt: skip
        raise InputError(f"u={u}; expected 2^a 3^b with b ≤ a + 1, such as 2, 3, 4, 6, 8, 12")
    v = 4 * u * u
    return Size(v, v, v * (2 * u * u - u))


FAMILY = Family(
    name="menon",
    summary="symmetric design with v = 4u², from products of Menon difference sets",
    source="Menon 1962; Turyn 1965",
    parameters=(Parameter("u", "half the root of v, 2^a 3^b with b ≤ a + 1"),),
    construct=construct,
    size=size,
    label=lambda u: f"Menon (u={u})",
    example={"u": 2},
    domain="u = 2^a 3^b with b ≤ a + 1",
    point_transitive=True,
)
