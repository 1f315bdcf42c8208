"""Graph codes: every worker holds two parts, and is decoded component by component.

Parts are the vertices of a graph and workers its edges. Among the survivors each connected
component is decoded by itself, in time linear in its edges: along a spanning tree the leaves
leave no choice, so that only the root remains to be put right.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.placement import Placement

Mask = NDArray[np.bool_]

MOST_PARTS = 2
"""Parts that a worker of a graph code holds at most; with one it is a half-edge, a loop."""


@dataclass(frozen=True, eq=False)
class GraphComponents:
    """Every worker holds at most two parts: machines are edges, or loops, of a graph on the parts.

    A component of the surviving graph that has an odd cycle or a loop is recovered in full.
    One that is bipartite with sides of a and b vertices is brought to 1 ∓ (a − b)/(a + b) on
    them and loses (a − b)²/(a + b); an isolated vertex loses 1.

    Attributes
    ----------
    first, second
        Shape (N,): the parts of each worker; equal for a loop, −1 for a worker without parts.
    parts
        Number of parts K.

    Notes
    -----
    Source: Glasgow, Wootters 2021, the optimal decoding vector of a graph code; loops are added
    here.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    parts: int

    name = "components of a graph"
    formula = "err = Σ (a-b)²/(a+b) over bipartite components with sides a, b"

    def decode(self, silenced: Mask) -> tuple[NDArray[np.float64], Fraction]:
        """Return the decoding vector and the error, in time linear in workers and parts."""
        weights = np.zeros(len(silenced))
        forest = _Forest(self, silenced)
        for tree in forest.trees:
            forest.weigh(tree, weights)
        return weights, sum((tree.loss for tree in forest.trees), Fraction(0))

    def error(self, silenced: Mask) -> Fraction:
        """Return the error of one set of stragglers."""
        return sum((tree.loss for tree in _Forest(self, silenced).trees), Fraction(0))


@dataclass(frozen=True)
class _Tree:
    """A spanning tree of a component: vertices in the order of the search, the root first.

    ``odd`` is an edge that joins two vertices of the same side, or a loop, if there is one;
    ``sides`` are the numbers of vertices at even and at odd distance from the root.
    """

    vertices: list[int]
    odd: int | None
    sides: tuple[int, int]

    @property
    def lean(self) -> Fraction:
        """(a − b)/(a + b), or 0 where the component is recovered in full."""
        a, b = self.sides
        return Fraction(0) if self.odd is not None else Fraction(a - b, a + b)

    @property
    def loss(self) -> Fraction:
        """What the component adds to the error."""
        return self.lean**2 * sum(self.sides)


class _Forest:
    """Spanning trees of the surviving graph."""

    def __init__(self, graph: GraphComponents, silenced: Mask) -> None:
        alive = np.flatnonzero(~silenced & (graph.first >= 0))
        self._ends = np.stack([graph.first, graph.second], axis=1).tolist()
        self._edges: list[list[int]] = [[] for _ in range(graph.parts)]
        for edge in alive.tolist():
            one, other = self._ends[edge]
            self._edges[one].append(edge)
            if other != one:
                self._edges[other].append(edge)
        self._side = [-1] * graph.parts
        self._parent = [-1] * graph.parts
        self.trees = [self._grow(v) for v in range(graph.parts) if self._side[v] < 0]

    def _grow(self, root: int) -> _Tree:
        side, ends = self._side, self._ends
        side[root] = 0
        vertices, odd = [root], None
        for vertex in vertices:
            for edge in self._edges[vertex]:
                one, other = ends[edge]
                neighbour = other if vertex == one else one
                if side[neighbour] < 0:
                    side[neighbour] = 1 - side[vertex]
                    self._parent[neighbour] = edge
                    vertices.append(neighbour)
                elif side[neighbour] == side[vertex]:
                    odd = edge
        at_odd = sum(side[v] for v in vertices)
        return _Tree(vertices, odd, (len(vertices) - at_odd, at_odd))

    def weigh(self, tree: _Tree, weights: NDArray[np.float64]) -> None:
        """Set the weights of a component, so that each vertex gets the target of its side."""
        side = self._side
        targets = float(1 - tree.lean), float(1 + tree.lean)
        left = {v: targets[side[v]] for v in tree.vertices}
        if tree.odd is not None:
            one, other = self._ends[tree.odd]
            a, b = tree.sides
            surplus = targets[0] * a - targets[1] * b
            share = surplus if one == other else surplus / 2
            weight = share if side[one] == 0 else -share
            weights[tree.odd] = weight
            for end in {one, other}:
                left[end] -= weight
        for vertex in reversed(tree.vertices[1:]):
            edge = self._parent[vertex]
            one, other = self._ends[edge]
            weights[edge] = left[vertex]
            left[one if vertex == other else other] -= left[vertex]


def graph_of(placement: Placement) -> GraphComponents | None:
    """Return the graph of a placement whose workers hold at most two parts, or None.

    Examples
    --------
    >>> from gcdesign.designs import BlockDesign
    >>> triangle_and_edge = BlockDesign.from_blocks([[0, 1], [1, 2], [0, 2], [3, 4]])
    >>> graph = graph_of(Placement(triangle_and_edge))
    >>> weights, error = graph.decode(np.zeros(4, dtype=bool))
    >>> weights.tolist(), error
    ([0.5, 0.5, 0.5, 1.0], Fraction(0, 1))
    """
    loads = placement.loads
    if len(loads) == 0 or int(loads.max()) > MOST_PARTS:
        return None
    indptr, indices = placement.design.indptr, placement.design.indices.astype(np.int64)
    ends = np.full((2, len(loads)), -1, dtype=np.int64)
    held = loads > 0
    ends[0, held] = indices[indptr[:-1][held]]
    ends[1, held] = indices[indptr[1:][held] - 1]
    return GraphComponents(ends[0], ends[1], placement.parts)
