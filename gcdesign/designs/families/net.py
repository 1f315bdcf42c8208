"""Nets: r parallel classes of an affine plane, or of a grid with Latin squares."""

from __future__ import annotations

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.near import near_members
from gcdesign.designs.nets import check_squares, latin_squares, net_of
from gcdesign.designs.registry import Family, Parameter
from gcdesign.errors import InputError


def construct(order: int, classes: int) -> BlockDesign:
    """Return the net of r classes: rows and columns of an l × l grid, and r − 2 Latin squares.

    N = rl, K = l², L = l, R = r. Blocks of one class are disjoint, others meet in one point.
    With r = l + 1 it is the affine plane AG(2,l).

    Parameters
    ----------
    order
        l ≥ 2.
    classes
        r ≥ 2: up to l + 1 for a prime power l; see `gcdesign.designs.nets.most_squares`.

    Raises
    ------
    InputError
        If there are not as many classes; the nearest choices are named.

    Notes
    -----
    Source: Bruck 1951; the affine codes of Kadhe, Koyluoglu, Ramchandran 2019 are the case
    r = l + 1.
    """
    check_size(size(order, classes), name=f"net:order={order},classes={classes}")
    provenance = Provenance.of("net", order=order, classes=classes)
    return net_of(latin_squares(order, classes - 2), provenance, grid=True)


def size(order: int, classes: int) -> Size:
    """Return the size of the net; errors as in `construct`."""
    found = Size(order * order, classes * order, classes * order * order)
    check_size(found, name=f"net:order={order},classes={classes}")
    if classes < 2:
        raise InputError(f"classes={classes}; expected 2 or more: rows, columns, Latin squares")
    check_squares(order, classes - 2)
    return found


FAMILY = Family(
    name="net",
    summary="r parallel classes of an affine plane: rows, columns, Latin squares",
    source="Bruck 1951; Kadhe, Koyluoglu, Ramchandran 2019 (affine planes)",
    parameters=(
        Parameter("order", "side of the grid l; K = l*l"),
        Parameter("classes", "number of parallel classes r; up to l+1 for a prime power"),
    ),
    construct=construct,
    size=size,
    label=lambda order, classes: f"net (order {order}, {classes} classes)",
    example={"order": 4, "classes": 3},
    domain="2 ≤ classes ≤ least prime power factor of order, plus 1",
    point_transitive=True,
    near=near_members(
        "net",
        size,
        lambda workers, load: (
            {"order": order, "classes": min(order, workers // order)}
            for order in range(2, load + 1)
        ),
    ),
)
