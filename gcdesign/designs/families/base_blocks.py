"""Designs developed from base blocks that come with gcdesign."""

from __future__ import annotations

from gcdesign.designs.base_block_table import stored, stored_lines
from gcdesign.designs.design import BlockDesign, Provenance, Size
from gcdesign.designs.registry import Family, Parameter
from gcdesign.errors import InputError


def construct(points: int, size: int, index: int) -> BlockDesign:
    """Return the stored 2-(v, k, λ) design, proved by the differences of its base blocks.

    Raises
    ------
    InputError
        If no base blocks are stored for these parameters.

    Notes
    -----
    Source: Bose 1939 for the method; each line of the table names where its blocks are from.

    Examples
    --------
    >>> construct(points=16, size=6, index=3).parameters.as_tuple()
    (16, 24, 9, 6, 3)
    """
    found = stored((points, size, index))
    if found is None:
        near = [key for key in stored_lines() if key[:2] == (points, size)]
        hint = f"; there are λ = {', '.join(str(key[2]) for key in near)}" if near else ""
        raise InputError(f"no base blocks are stored for ({points}, {size}, {index}){hint}")
    provenance = Provenance.of("base-blocks", points=points, size=size, index=index)
    return found[0].design(provenance)


def size_of(points: int, size: int, index: int) -> Size:
    """Return the numbers of points, blocks and incidences."""
    b = index * points * (points - 1) // (size * (size - 1)) if size > 1 else 0
    return Size(points, b, b * size)


FAMILY = Family(
    name="base-blocks",
    summary="a stored 2-(v, k, λ) design, developed from base blocks over a group",
    source="Bose 1939; Handbook of Combinatorial Designs 2007; searches with scripts of gcdesign",
    parameters=(
        Parameter("points", "number of points v"),
        Parameter("size", "block size k"),
        Parameter("index", "λ, the number of blocks through two points"),
    ),
    construct=construct,
    size=size_of,
    label=lambda points, size, index: f"2-({points}, {size}, {index}) design from base blocks",
    example={"points": 16, "size": 6, "index": 3},
    domain="the parameters in the table of base blocks",
)
