"""Complete designs: all subsets of one size."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np

from gcdesign.designs.design import (
    MAX_INCIDENCES,
    BlockDesign,
    Provenance,
    Size,
    check_size,
)
from gcdesign.designs.registry import Family, Parameter
from gcdesign.errors import InputError, LimitError


def construct(points: int, size: int) -> BlockDesign:
    """Return the complete design: every subset of ``size`` of the ``points`` is a block.

    A 2-(v, k, λ) design with b = C(v, k) and λ = C(v − 2, k − 2).

    Raises
    ------
    InputError
        If the size is not between 1 and the number of points.

    Notes
    -----
    Source: folklore.
    """
    found = complete_size(points, size)
    subsets = chain.from_iterable(combinations(range(points), size))
    rows = np.fromiter(subsets, dtype=np.int32, count=found.incidences).reshape(found.b, size)
    provenance = Provenance.of("complete", points=points, size=size)
    return BlockDesign.from_rows(points, rows, provenance=provenance)


def complete_size(points: int, size: int) -> Size:
    """Return the numbers of points, blocks and incidences; errors as in `construct`."""
    if not 1 <= size <= points:
        raise InputError(f"size={size}; expected 1 to points={points}")
    name = f"complete:points={points},size={size}"
    check_size(Size(points, 0, 0), name=name)
    blocks = 1
    for taken in range(min(size, points - size)):  # C(n, k), given up before it is enormous
        blocks = blocks * (points - taken) // (taken + 1)
        if blocks * size > MAX_INCIDENCES:
            raise LimitError(
                f"{name} has {blocks * size} incidences or more; the limit is {MAX_INCIDENCES}: "
                "take a smaller one"
            )
    found = Size(points, blocks, blocks * size)
    check_size(found, name=name)
    return found


FAMILY = Family(
    name="complete",
    summary="every subset of one size is a block",
    source="folklore",
    parameters=(
        Parameter("points", "number of points v"),
        Parameter("size", "block size k, from 1 to v"),
    ),
    construct=construct,
    size=complete_size,
    label=lambda points, size: f"all {size}-subsets of {points} points",
    example={"points": 5, "size": 2},
    domain="1 ≤ size ≤ points",
    point_transitive=True,
)
