"""The 8-regular expander of Margulis, Gabber and Galil: edge multiplicities are weights."""

from __future__ import annotations

from math import isqrt

import numpy as np

from gcdesign.codes.code import GradientCode
from gcdesign.codes.placement import Placement
from gcdesign.codes.registry import CodeFamily
from gcdesign.designs import Parameter, Provenance
from gcdesign.designs.design import BlockDesign, Size, check_size
from gcdesign.designs.graphs.catalogue import margulis_gabber_galil_graph
from gcdesign.designs.near import near_members
from gcdesign.errors import InputError


def construct(n: int) -> GradientCode:
    """Return the code whose encoding matrix is the adjacency matrix of the graph on (Z mod n)².

    N = K = n². The graph has loops and multiple edges, which no placement can show: a worker
    holds each neighbour's part once, and its own if it has a loop, and the number of edges is the
    weight. Every row and column sums to 8 and λ₂ ≤ 5√2; loads vary, up to 8.

    Raises
    ------
    InputError
        If n is below 2.

    Notes
    -----
    Source: Gabber and Galil 1981. The code that was published with Raviv, Tamo, Tandon, Dimakis
    2020 calls it Margulis.

    Examples
    --------
    >>> construct(5).dense_encoding().sum(axis=1).tolist() == [8.0] * 25
    True
    """
    check_size(size(n), name=f"margulis-gabber-galil:n={n}")
    graph = margulis_gabber_galil_graph(n)
    design = BlockDesign.from_arrays(graph.vertices, graph.indptr, graph.indices)
    provenance = Provenance.of("margulis-gabber-galil", n=n)
    return GradientCode(Placement(design), graph.counts, provenance)


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


FAMILY = CodeFamily(
    name="margulis-gabber-galil",
    summary="8-regular expander on n*n vertices; edge multiplicities are weights",
    source="Gabber and Galil 1981; called Margulis in the code of Raviv et al. 2020",
    parameters=(Parameter("n", "side of the grid, 2 or more; N = K = n*n"),),
    construct=construct,
    size=size,
    label=lambda n: f"Margulis–Gabber–Galil (n={n})",
    example={"n": 5},
    domain="n ≥ 2",
    near=near_members(
        "margulis-gabber-galil",
        size,
        lambda workers, load: [{"n": isqrt(workers)}] if load >= 8 else [],
    ),
)
