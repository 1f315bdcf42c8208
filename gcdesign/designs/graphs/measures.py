"""What makes a graph an expander, computed: girth, second eigenvalue, strong regularity."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, constant
from gcdesign.designs.graphs.graph import Graph
from gcdesign.designs.randomness import Draws
from gcdesign.errors import InputError

DENSE_SIDE = 300
"""Matrices up to this side are diagonalised whole, larger ones by Lanczos iteration."""


def girth(graph: Graph) -> int | None:
    """Return the length of a shortest cycle, or None if there is no cycle.

    A loop is a cycle of length 1 and a double edge one of length 2. The search goes breadth
    first from every vertex, or from one where all vertices look alike; from a vertex on a
    shortest cycle it meets that cycle first.

    Examples
    --------
    >>> from gcdesign.designs.graphs.catalogue import graph
    >>> girth(graph("petersen")), girth(graph("cycle:n=7"))
    (5, 7)
    """
    if graph.loops:
        return 1
    if not graph.simple:
        return 2
    best = graph.vertices + 1
    for root in range(1 if graph.transitive else graph.vertices):
        best = min(best, _first_cycle(graph, root, best))
    return best if best <= graph.vertices else None


def _first_cycle(graph: Graph, root: int, best: int) -> int:
    """Return the length of the first cycle met from a root, or ``best`` if none is shorter."""
    depth_of = np.full(graph.vertices, -1, dtype=np.int32)
    frontier, depth = np.array([root], dtype=np.int32), 0
    while len(frontier) and 2 * depth + 1 < best:
        depth_of[frontier] = depth
        heads = graph.neighbours(frontier)
        if (depth_of[heads] == depth).any():
            return 2 * depth + 1
        new = heads[depth_of[heads] < 0]
        frontier = np.unique(new)
        if len(frontier) < len(new):
            return min(best, 2 * depth + 2)
        depth += 1
    return best


def second_eigenvalue(graph: Graph) -> float:
    """Return λ₂, the second greatest eigenvalue of the adjacency matrix of a regular graph.

    Examples
    --------
    >>> from gcdesign.designs.graphs.catalogue import graph
    >>> round(second_eigenvalue(graph("petersen")), 9)
    1.0
    """
    _degree(graph)
    return float(np.sort(_extreme(graph.adjacency, "LA", 2))[-2])


def expansion(graph: Graph) -> float:
    """Return λ, the greatest |eigenvalue| of a connected regular graph but for d.

    For a bipartite graph −d does not count either. A graph with λ ≤ 2√(d − 1) is a Ramanujan
    graph.

    Examples
    --------
    >>> from gcdesign.designs.graphs.catalogue import graph
    >>> round(expansion(graph("petersen")), 9)
    2.0
    """
    _degree(graph)
    trivial = 1 if graph.sides is None else 2
    return float(np.sort(np.abs(_extreme(graph.adjacency, "LM", trivial + 1)))[-1 - trivial])


def second_singular_value(design: BlockDesign) -> float:
    """Return σ₂, the second greatest singular value of the incidence matrix.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry
    >>> round(second_singular_value(affine_geometry(4)), 9)
    2.0
    """
    if min(design.b, design.v) < 2:
        raise InputError("a design with fewer than 2 points or blocks; σ₂ needs both")
    incidence = design.incidence.astype(np.float64)
    gram = incidence @ incidence.T if design.b <= design.v else incidence.T @ incidence
    return float(np.sqrt(max(np.sort(_extreme(gram, "LA", 2))[-2], 0.0)))


def strongly_regular(graph: Graph) -> tuple[int, int, int, int] | None:
    """Return (n, k, λ, μ) of a strongly regular graph, or None if it is not one.

    Joined vertices have λ common neighbours, others μ. Complete and empty graphs do not count.

    Examples
    --------
    >>> from gcdesign.designs.graphs.catalogue import graph
    >>> strongly_regular(graph("petersen"))
    (10, 3, 0, 1)
    """
    degree = constant(graph.degrees)
    if degree is None or not graph.simple or not 0 < degree < graph.vertices - 1:
        return None
    joined = graph.adjacency.toarray() == 1
    if 8 * degree > graph.vertices:  # dense: the entries stay exact in floats
        adjacency = joined.astype(np.float64)
        paths = (adjacency @ adjacency).astype(np.int64)
    else:
        paths = (graph.adjacency @ graph.adjacency).toarray().astype(np.int64)
    others = ~joined & ~np.eye(graph.vertices, dtype=bool)
    near, far = constant(paths[joined]), constant(paths[others])
    return None if near is None or far is None else (graph.vertices, degree, near, far)


def _degree(graph: Graph) -> int:
    degree = constant(graph.degrees)
    if degree is None or graph.vertices < 4:
        raise InputError("λ₂ is defined here for regular graphs of 4 vertices or more")
    return degree


def _extreme(matrix: Any, which: Literal["LA", "LM"], count: int) -> NDArray[np.float64]:
    """Return the ``count`` (or more) most extreme eigenvalues of a symmetric sparse matrix."""
    side = matrix.shape[0]
    if side <= DENSE_SIDE:
        return np.asarray(np.linalg.eigvalsh(matrix.toarray()))
    from scipy.sparse.linalg import eigsh

    start = Draws(0).uniform(side) - 0.5
    found = eigsh(matrix, k=count, which=which, v0=start, return_eigenvectors=False)
    return np.asarray(found, dtype=np.float64)
