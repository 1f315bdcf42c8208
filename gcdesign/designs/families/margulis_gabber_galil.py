"""The 8-regular expander of Margulis, Gabber and Galil as a placement."""

from __future__ import annotations

import numpy as np

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.graphs.catalogue import margulis_gabber_galil_graph
from gcdesign.designs.graphs.graph import adjacency_design
from gcdesign.designs.registry import Family, Parameter
from gcdesign.errors import InputError


def construct(n: int) -> BlockDesign:
    """Return the placement of the graph on (Z mod n)²: a worker holds its neighbours' parts.

    N = K = n². The graph has loops and multiple edges. A part is held once, so loads vary, up
    to 8; the multiplicities, with which every row sums to 8, are weights, and
    `gcdesign.codes.expanders.adjacency_code` of the graph keeps them.

    Raises
    ------
    InputError
        If n is below 2.

    Notes
    -----
    Source: Gabber and Galil 1981. The code that was published with Raviv, Tamo, Tandon, Dimakis
    2020 calls it Margulis.
    """
    check_size(size(n), name=f"margulis-gabber-galil:n={n}")
    provenance = Provenance.of("margulis-gabber-galil", n=n)
    return adjacency_design(margulis_gabber_galil_graph(n), provenance)


def size(n: int) -> Size:
    """Return the size of the placement.

    From (x, y) lead |{±2y, ±(2y+1)}| different steps along x and as many, with x for y, along
    y; the step 0 of both is the same loop.
    """
    if n < 2:
        raise InputError(f"n={n}; expected 2 or more")
    check_size(Size(n * n, n * n, n * n), name=f"margulis-gabber-galil:n={n}")
    a = np.arange(n)
    steps = np.sort(np.stack([2 * a, -2 * a, 2 * a + 1, -2 * a - 1]) % n, axis=0)
    different = 1 + (np.diff(steps, axis=0) != 0).sum(axis=0)
    loops = int((steps[0] == 0).sum())
    return Size(n * n, n * n, int(2 * n * different.sum()) - loops * loops)


FAMILY = Family(
    name="margulis-gabber-galil",
    summary="8-regular expander on n*n vertices; multiple edges held once",
    source="Gabber and Galil 1981; called Margulis in the code of Raviv et al. 2020",
    parameters=(Parameter("n", "side of the grid, 2 or more; N = K = n*n"),),
    construct=construct,
    size=size,
    label=lambda n: f"Margulis–Gabber–Galil (n={n})",
    example={"n": 5},
    domain="n ≥ 2",
)
