"""The value type of graphs, and the two placements that a graph gives."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.counting import ranges
from gcdesign.designs.design import BlockDesign, Provenance, offsets

if TYPE_CHECKING:
    import scipy.sparse


@dataclass(frozen=True, eq=False)
class Graph:
    """An undirected graph, in which loops and multiple edges are allowed.

    Parameters
    ----------
    vertices
        Number of vertices n; vertices are 0, …, n − 1.
    indptr, indices
        Compressed rows: the different neighbours of each vertex, in increasing order.
    counts
        Shape as ``indices``: how many edges lead there. A loop that is walked in both
        directions counts 2, as in the adjacency matrix.
    transitive
        Whether the construction proves that every vertex looks like every other.

    Examples
    --------
    >>> triangle = Graph.from_edges(3, np.array([[0, 1], [1, 2], [0, 2]]))
    >>> triangle.degrees.tolist(), triangle.edges.tolist()
    ([2, 2, 2], [[0, 1], [0, 2], [1, 2]])
    """

    vertices: int
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    counts: NDArray[np.int64]
    transitive: bool = False

    @classmethod
    def from_arcs(
        cls,
        vertices: int,
        tails: NDArray[np.integer],
        heads: NDArray[np.integer],
        *,
        transitive: bool = False,
    ) -> Graph:
        """Build a graph from arcs, which must hold each edge in both directions."""
        keys, counts = np.unique(tails.astype(np.int64) * vertices + heads, return_counts=True)
        sizes = np.bincount(keys // vertices, minlength=vertices)
        indices = (keys % vertices).astype(np.int32)
        return cls(vertices, offsets(sizes), indices, counts.astype(np.int64), transitive)

    @classmethod
    def from_edges(
        cls, vertices: int, edges: NDArray[np.integer], *, transitive: bool = False
    ) -> Graph:
        """Build a graph from edges without loops, shape (m, 2)."""
        first, second = edges[:, 0], edges[:, 1]
        tails, heads = np.concatenate([first, second]), np.concatenate([second, first])
        return cls.from_arcs(vertices, tails, heads, transitive=transitive)

    @cached_property
    def tails(self) -> NDArray[np.int32]:
        """Shape as ``indices``: the vertex whose neighbour each entry is."""
        return np.repeat(np.arange(self.vertices, dtype=np.int32), np.diff(self.indptr))

    @cached_property
    def degrees(self) -> NDArray[np.int64]:
        """Shape (n,): the row sums of the adjacency matrix."""
        return np.bincount(self.tails, weights=self.counts, minlength=self.vertices).astype(
            np.int64
        )

    @property
    def loops(self) -> int:
        """Number of vertices with a loop."""
        return int((self.tails == self.indices).sum())

    @property
    def simple(self) -> bool:
        """Whether there is neither a loop nor a multiple edge."""
        return self.loops == 0 and bool((self.counts == 1).all())

    @cached_property
    def edges(self) -> NDArray[np.int32]:
        """Shape (m, 2): each edge between different vertices, once for each copy, u < v."""
        up = self.tails < self.indices
        pairs = np.stack([self.tails[up], self.indices[up]], axis=1)
        return np.repeat(pairs, self.counts[up], axis=0)

    @cached_property
    def adjacency(self) -> scipy.sparse.csr_array:
        """The adjacency matrix, sparse, n × n; entries are numbers of edges."""
        from scipy.sparse import csr_array

        data = self.counts.astype(np.float64)
        return csr_array((data, self.indices, self.indptr), shape=(self.vertices, self.vertices))

    def neighbours(self, some: NDArray[np.integer]) -> NDArray[np.int32]:
        """Return the neighbours of some vertices, one after another."""
        return self.indices[ranges(self.indptr[some], np.diff(self.indptr)[some])]

    @cached_property
    def sides(self) -> NDArray[np.int8] | None:
        """Shape (n,): 0 or 1, the side of each vertex; None if the graph is not bipartite.

        The least vertex of each component is on side 0.
        """
        side = np.full(self.vertices, -1, dtype=np.int8)
        for root in range(self.vertices):
            if side[root] >= 0:
                continue
            frontier, parity = np.array([root], dtype=np.int32), 0
            while len(frontier):
                side[frontier] = parity
                parity = 1 - parity
                heads = np.unique(self.neighbours(frontier))
                frontier = heads[side[heads] < 0]
        return None if (side[self.tails] == side[self.indices]).any() else side


def adjacency_design(graph: Graph, provenance: Provenance) -> BlockDesign:
    """Return the placement in which worker i holds part j if i and j are joined.

    N = K = n. A worker holds a part once, however many edges lead to it, and its own part if
    it has a loop: multiplicities are weights, and belong to a code and not to a placement.

    Notes
    -----
    Source: Raviv, Tamo, Tandon, Dimakis 2020, the expander codes B = A(G)/d.
    """
    return BlockDesign.from_arrays(
        graph.vertices, graph.indptr, graph.indices, provenance=provenance
    )


def half_design(graph: Graph, provenance: Provenance) -> BlockDesign:
    """Return the placement of a bipartite graph: one side works, the other is the parts.

    The whole graph would be two copies of this placement, which know nothing of each other.
    Both sides are numbered in the order of their vertices.
    """
    sides = graph.sides
    assert sides is not None  # only bipartite graphs have halves
    number_of = np.where(sides == 0, np.cumsum(sides == 0), np.cumsum(sides == 1)) - 1
    workers = np.flatnonzero(sides == 0)
    parts = number_of[graph.neighbours(workers)].astype(np.int32)
    sizes = np.diff(graph.indptr)[workers]
    return BlockDesign.from_arrays(
        int((sides == 1).sum()), offsets(sizes), parts, provenance=provenance
    )


def edge_design(graph: Graph, provenance: Provenance) -> BlockDesign:
    """Return the placement with an edge as worker, which holds the parts at its two ends.

    Notes
    -----
    Source: Glasgow and Wootters 2021, Approximate gradient coding with optimal decoding.
    """
    return BlockDesign.from_rows(graph.vertices, graph.edges, provenance=provenance)
