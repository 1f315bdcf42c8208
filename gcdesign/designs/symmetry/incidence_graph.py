"""The graph of blocks and points, prepared for questions about its symmetry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign
from gcdesign.designs.symmetry.quadrilaterals import quadrilaterals
from gcdesign.errors import InputError, LimitError

MAX_VERTICES = 40_000
"""Most blocks and points together; nauty takes a bit for each pair of them."""

Permutation = NDArray[np.int64]
Cells = Sequence[Sequence[int]]


@dataclass(frozen=True, eq=False)
class Symmetries:
    """Generators of the automorphisms of an incidence graph, as nauty finds them.

    Attributes
    ----------
    points, blocks
        Shapes (g, v) and (g, b): the image of each point, and of each block, under each of the
        g generators. Copies of a repeated block are told apart.
    log_order
        Natural logarithm of the order of the group, as a float.
    point_orbits, block_orbits
        Shapes (v,) and (b,): the least member of the orbit of each point and each block.
    """

    points: NDArray[np.int64]
    blocks: NDArray[np.int64]
    log_order: float
    point_orbits: NDArray[np.int64]
    block_orbits: NDArray[np.int64]


class IncidenceGraph:
    """The bipartite graph of a design; a colouring restricts its symmetries.

    Blocks are vertices 0 … b − 1, points b … b + v − 1, and are never exchanged. A colouring
    (cells of blocks and cells of points) keeps the symmetries that map each cell to itself. Blocks
    in different numbers of quadrilaterals are in different cells anyway, which spares nauty work.

    Raises
    ------
    InputError
        If pynauty, which does the work, is not installed.
    LimitError
        If there are more than `MAX_VERTICES` blocks and points.

    Notes
    -----
    Source: B. D. McKay, A. Piperno, *Practical graph isomorphism, II*, 2014 (nauty).
    """

    def __init__(self, design: BlockDesign) -> None:
        self._nauty = nauty()
        self.b, self.v = design.b, design.v
        if self.b + self.v > MAX_VERTICES:
            raise LimitError(
                f"{self.b + self.v} points and blocks; symmetry takes up to {MAX_VERTICES}"
            )
        self._sides = quadrilaterals(design)
        adjacency = _adjacency(design)
        self._graph = self._nauty.Graph(self.b + self.v, adjacency_dict=adjacency)

    def _colour(self, blocks: Cells, points: Cells) -> tuple[int, ...]:
        """Colour the graph; members outside the cells given form one more cell on each side."""
        cells: list[set[int]] = []
        for first, count, given in ((0, self.b, blocks), (self.b, self.v, points)):
            rest = set(range(count)).difference(*given)
            cells += [{first + member for member in cell} for cell in (*given, rest)]
        cells = [part for cell in cells for part in self._by_sides(cell)]
        self._graph.set_vertex_coloring([cell for cell in cells if cell])
        return tuple(len(cell) for cell in cells)

    def _by_sides(self, cell: set[int]) -> list[set[int]]:
        """Split a cell of blocks by their numbers of quadrilaterals, in increasing order."""
        parts: dict[int, set[int]] = {}
        for member in cell:
            number = int(self._sides[member]) if member < self.b else 0
            parts.setdefault(number, set()).add(member)
        return [parts[number] for number in sorted(parts)]

    def group(self, blocks: Cells = (), points: Cells = ()) -> Symmetries:
        """Return the automorphisms that keep every cell.

        Examples
        --------
        >>> from gcdesign.designs import projective_geometry
        >>> from math import exp
        >>> round(exp(IncidenceGraph(projective_geometry(3)).group().log_order))
        5616
        """
        self._colour(blocks, points)
        if self.b + self.v == 0:
            none = np.empty(0, dtype=np.int64)
            return Symmetries(none.reshape(0, 0), none.reshape(0, 0), 0.0, none, none)
        generators, mantissa, exponent, orbits, _ = self._nauty.autgrp(self._graph)
        images = np.array(generators, dtype=np.int64).reshape(-1, self.b + self.v)
        least = np.array(orbits, dtype=np.int64)
        return Symmetries(
            images[:, self.b :] - self.b,
            images[:, : self.b],
            log(mantissa) + exponent * log(10),
            least[self.b :] - self.b,
            least[: self.b],
        )

    def canonical(self, blocks: Cells = (), points: Cells = ()) -> tuple[tuple[int, ...], bytes]:
        """Return a form that two colourings share exactly if a symmetry carries one to the other.

        Examples
        --------
        >>> from gcdesign.designs import projective_geometry
        >>> graph = IncidenceGraph(projective_geometry(2))
        >>> graph.canonical(points=[[0, 1]]) == graph.canonical(points=[[2, 5]])
        True
        """
        sizes = self._colour(blocks, points)
        return sizes, self._nauty.certificate(self._graph)

    def labelling(self, blocks: Cells = (), points: Cells = ()) -> tuple[Permutation, Permutation]:
        """Return the blocks and the points in their canonical order, cell by cell.

        Examples
        --------
        >>> graph = IncidenceGraph(BlockDesign.from_blocks([[0, 1], [1], [1, 2]]))
        >>> order = graph.labelling()[1].tolist()  # the point in all blocks stands apart
        >>> sorted(order), order.index(1) in (0, 2)
        ([0, 1, 2], True)
        """
        self._colour(blocks, points)
        if self.b + self.v == 0:
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
        order = np.array(self._nauty.canon_label(self._graph), dtype=np.int64)
        return order[: self.b], order[self.b :] - self.b

    def carry(self, side: str, member: int, to: int) -> Permutation | None:
        """Return where the points go under a symmetry that carries one member to another.

        Parameters
        ----------
        side
            ``"blocks"`` or ``"points"``: what the two are.
        member, to
            The two members.

        Examples
        --------
        >>> from gcdesign.designs import projective_geometry
        >>> graph = IncidenceGraph(projective_geometry(3))
        >>> int(graph.carry("points", 4, 9)[4])
        9
        """
        labels, forms = [], []
        for one in (member, to):
            cells = {side: [[one]]}
            forms.append(self.canonical(**cells))
            labels.append(self.labelling(**cells)[1])
        if forms[0] != forms[1]:
            return None
        image = np.empty(self.v, dtype=np.int64)
        image[labels[0]] = labels[1]
        return image


def nauty() -> Any:
    """Return the module pynauty.

    Raises
    ------
    InputError
        If it is not installed.
    """
    if find_spec("pynauty") is None:
        raise InputError("symmetry needs pynauty, which is not installed: pip install pynauty")
    import pynauty

    return pynauty


def _adjacency(design: BlockDesign) -> dict[int, list[int]]:
    shifted = (design.indices.astype(np.int64) + design.b).tolist()
    return {
        block: shifted[start:stop]
        for block, (start, stop) in enumerate(pairwise(design.indptr.tolist()))
    }
