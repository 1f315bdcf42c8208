"""Assignments by mutually orthogonal Latin squares, the placements of ByzShield."""

from __future__ import annotations

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.near import near_members
from gcdesign.designs.nets import check_squares, latin_squares, net_of
from gcdesign.designs.registry import Family, Parameter
from gcdesign.errors import InputError


def construct(order: int, squares: int) -> BlockDesign:
    """Return the placement of r Latin squares L_k(i, j) = k·i + j of order l.

    Parts (files) are the l² cells; worker (k, s) holds the cells in which square k shows s.
    N = rl, K = l², L = l, R = r: a net without rows and columns.

    Parameters
    ----------
    order
        l ≥ 2.
    squares
        r ≥ 1: up to l − 1 for a prime power l; see `gcdesign.designs.nets.most_squares`.

    Raises
    ------
    InputError
        If so many squares are not known; the nearest choices are named.

    Notes
    -----
    Source: Konstantinidis and Ramamoorthy 2021, ByzShield, section 4.
    """
    check_size(size(order, squares), name=f"mols:order={order},squares={squares}")
    provenance = Provenance.of("mols", order=order, squares=squares)
    return net_of(latin_squares(order, squares), provenance, grid=False)


def size(order: int, squares: int) -> Size:
    """Return the size of the placement; errors as in `construct`."""
    found = Size(order * order, squares * order, squares * order * order)
    check_size(found, name=f"mols:order={order},squares={squares}")
    if squares < 1:
        raise InputError(f"squares={squares}; expected 1 or more")
    check_squares(order, squares)
    return found


FAMILY = Family(
    name="mols",
    summary="cells of a grid by the symbols of orthogonal Latin squares",
    source="Konstantinidis and Ramamoorthy 2021 (ByzShield)",
    parameters=(
        Parameter("order", "order of the squares l; K = l*l"),
        Parameter("squares", "number of squares r; up to l-1 for a prime power"),
    ),
    construct=construct,
    size=size,
    label=lambda order, squares: f"MOLS ({order},{squares})",
    example={"order": 5, "squares": 3},
    domain="1 ≤ squares ≤ least prime power factor of order, minus 1",
    point_transitive=True,
    near=near_members(
        "mols",
        size,
        lambda workers, load: (
            {"order": order, "squares": min(order - 1, workers // order)}
            for order in range(3, load + 1)
        ),
    ),
)
