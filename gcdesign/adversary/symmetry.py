"""Symmetries of a placement: its automorphism group, orbits, canonical forms, self-duality."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes import Placement

Permutation = NDArray[np.int64]
Cells = Sequence[Sequence[int]]


@dataclass(frozen=True, eq=False)
class Group:
    """Generators of a group that acts on the parts and on the workers of a placement.

    Attributes
    ----------
    parts, workers
        Shapes (g, K) and (g, N): the image of each part, and of each worker, under each of the
        g generators.
    order
        The order of the group, a float if it is huge.
    part_orbits, worker_orbits
        Shapes (K,) and (N,): the least member of the orbit of each part and each worker.
    """

    parts: NDArray[np.int64]
    workers: NDArray[np.int64]
    order: float
    part_orbits: NDArray[np.int64]
    worker_orbits: NDArray[np.int64]


class IncidenceGraph:
    """The worker–part graph of a placement, prepared for questions about its symmetry.

    Workers are vertices 0 … N − 1, parts N … N + K − 1, and are never exchanged. A colouring
    (cells of workers and cells of parts) restricts the symmetries to those that keep each cell.
    """

    def __init__(self, placement: Placement) -> None:
        import pynauty

        self.workers, self.parts = placement.workers, placement.parts
        design = placement.design
        adjacency = {
            w: (design.block(w).astype(int) + self.workers).tolist() for w in range(self.workers)
        }
        self._nauty: Any = pynauty
        self._graph = pynauty.Graph(self.workers + self.parts, adjacency_dict=adjacency)

    def _colour(self, workers: Cells, parts: Cells) -> tuple[int, ...]:
        """Colour the graph; members outside the cells given form one more cell on each side."""
        cells: list[set[int]] = []
        for first, count, given in ((0, self.workers, workers), (self.workers, self.parts, parts)):
            rest = set(range(count)).difference(*given)
            cells += [{first + member for member in cell} for cell in (*given, rest)]
        self._graph.set_vertex_coloring([cell for cell in cells if cell])
        return tuple(len(cell) for cell in cells)

    def group(self, workers: Cells = (), parts: Cells = ()) -> Group:
        """Return the automorphisms that keep every cell.

        Examples
        --------
        >>> from gcdesign.designs import projective_geometry
        >>> IncidenceGraph(Placement(projective_geometry(3))).group().order
        5616.0
        """
        self._colour(workers, parts)
        generators, mantissa, exponent, orbits, _ = self._nauty.autgrp(self._graph)
        images = np.array(generators, dtype=np.int64).reshape(-1, self.workers + self.parts)
        least = np.array(orbits, dtype=np.int64)
        return Group(
            images[:, self.workers :] - self.workers,
            images[:, : self.workers],
            mantissa * 10.0**exponent,
            least[self.workers :] - self.workers,
            least[: self.workers],
        )

    def canonical(self, workers: Cells = (), parts: Cells = ()) -> tuple[tuple[int, ...], bytes]:
        """Return a form that two colourings share exactly if a symmetry carries one to the other.

        Examples
        --------
        >>> from gcdesign.designs import projective_geometry
        >>> graph = IncidenceGraph(Placement(projective_geometry(2)))
        >>> graph.canonical(parts=[[0, 1]]) == graph.canonical(parts=[[2, 5]])
        True
        """
        sizes = self._colour(workers, parts)
        return sizes, self._nauty.certificate(self._graph)

    def carry(self, side: str, member: int, to: int) -> Permutation | None:
        """Return where the parts go under a symmetry that carries one member to another.

        Parameters
        ----------
        side
            ``"workers"`` or ``"parts"``: what the two are.
        member, to
            The two members.

        Examples
        --------
        >>> from gcdesign.designs import projective_geometry
        >>> graph = IncidenceGraph(Placement(projective_geometry(3)))
        >>> int(graph.carry("parts", 4, 9)[4])
        9
        """
        labels, forms = [], []
        for one in (member, to):
            cells = {side: [[one]]}
            forms.append(self.canonical(**cells))
            labels.append(np.array(self._nauty.canon_label(self._graph), dtype=np.int64))
        if forms[0] != forms[1]:
            return None
        image = np.empty(self.workers + self.parts, dtype=np.int64)
        image[labels[0]] = labels[1]
        return image[self.workers :] - self.workers


def self_duality(placement: Placement) -> tuple[Permutation, Permutation] | None:
    """Return a correlation, (parts → workers, workers → parts), or None if there is none.

    It carries incidence to incidence: part p is held by worker w exactly if part
    ``workers_to_parts[w]`` is held by worker ``parts_to_workers[p]``.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> to_workers, to_parts = self_duality(Placement(projective_geometry(3)))
    >>> len(to_workers), len(to_parts)
    (13, 13)
    """
    if placement.workers != placement.parts:
        return None
    n = placement.workers
    negatives = -np.arange(n, dtype=np.int64) % n
    if _is_correlation(placement, negatives, negatives):
        return negatives, negatives  # a cyclic design: worker w holds part p if p - w is in D
    return _by_canonical_labels(placement)


def _by_canonical_labels(placement: Placement) -> tuple[Permutation, Permutation] | None:
    import pynauty

    n = placement.workers
    graphs = []
    for swapped in (False, True):
        adjacency: dict[int, list[int]] = {}
        for w in range(n):
            for p in placement.design.block(w).tolist():
                one, other = (n + p, w) if swapped else (w, n + p)
                # Exchanged sides: parts become the vertices 0 … n − 1.
                one, other = (one - n, other + n) if swapped else (one, other)
                adjacency.setdefault(one, []).append(other)
        colouring = [set(range(n)), set(range(n, 2 * n))]
        graphs.append(pynauty.Graph(2 * n, adjacency_dict=adjacency, vertex_coloring=colouring))
    if pynauty.certificate(graphs[0]) != pynauty.certificate(graphs[1]):
        return None
    plain, swapped_labels = (np.array(pynauty.canon_label(graph)) for graph in graphs)
    # canon_label lists the vertices in canonical order: the i-th of one goes to the i-th of other.
    image = np.empty(2 * n, dtype=np.int64)
    image[plain] = swapped_labels
    workers_to_parts, parts_to_workers = image[:n], image[n:] - n
    if not _is_correlation(placement, parts_to_workers, workers_to_parts):
        return None
    return parts_to_workers, workers_to_parts


def _is_correlation(
    placement: Placement, parts_to_workers: Permutation, workers_to_parts: Permutation
) -> bool:
    n = placement.workers
    design = placement.design
    held = np.sort(design.block_of_incidence.astype(np.int64) * n + design.indices)
    images = parts_to_workers[design.indices] * n + workers_to_parts[design.block_of_incidence]
    return bool(np.array_equal(held, np.sort(images)))
