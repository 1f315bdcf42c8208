"""The automorphism group of a design: order, generators and orbits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign
from gcdesign.designs.symmetry.incidence_graph import IncidenceGraph, Symmetries
from gcdesign.designs.symmetry.permutations import StabiliserChain, orbit_labels
from gcdesign.designs.symmetry.twins import Reduced


@dataclass(frozen=True, eq=False)
class AutomorphismGroup:
    """The permutations of the points that map the multiset of blocks to itself.

    Attributes
    ----------
    order
        Their number, exactly.
    block_swaps
        Number of permutations of the blocks that fix every point: the product of m! over all
        blocks that occur m times. Automorphisms of the incidence graph, with blocks and points
        kept apart, are ``order * block_swaps``.
    points, blocks
        Shapes (g, v) and (g, b): where each point, and each block, goes under each of g
        generators. Copies of a block are carried in order.
    point_orbits, block_orbits
        Shapes (v,) and (b,): the least member of the orbit of each point and each block. Equal
        blocks are in one orbit.
    """

    order: int
    block_swaps: int
    points: NDArray[np.int64]
    blocks: NDArray[np.int64]
    point_orbits: NDArray[np.int64]
    block_orbits: NDArray[np.int64]

    @property
    def point_transitive(self) -> bool:
        """Whether any point can be carried to any other."""
        return bool((self.point_orbits == 0).all())

    @property
    def block_transitive(self) -> bool:
        """Whether any block can be carried to any other, copies of a block counting as one."""
        return bool((self.block_orbits == 0).all())


def automorphism_group(design: BlockDesign) -> AutomorphismGroup:
    """Return the automorphism group of a design.

    Raises
    ------
    InputError
        If pynauty is not installed.

    Notes
    -----
    Source: nauty (McKay, Piperno) for the generators; the order is the product of the orbit
    lengths of a stabiliser chain, see `gcdesign.designs.symmetry.permutations`.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> group = automorphism_group(projective_geometry(2))
    >>> group.order, group.point_transitive, group.block_transitive
    (168, True, True)
    >>> automorphism_group(BlockDesign.from_blocks([[0, 1], [0, 1], [2, 3], [2, 3]])).order
    8
    """
    reduced, chain, found = reduced_group(design)
    of_points, of_blocks = reduced.points, reduced.blocks
    swaps = of_points.swaps()
    points = np.array([of_points.lift(g) for g in found.points] or np.empty((0, design.v)))
    blocks = np.array([of_blocks.lift(g) for g in found.blocks] or np.empty((0, design.b)))
    still = np.tile(np.arange(design.b), (len(swaps), 1))
    points = np.concatenate([points.astype(np.int64), swaps])
    return AutomorphismGroup(
        order=chain.order * of_points.permutations,
        block_swaps=of_blocks.permutations,
        points=points,
        blocks=np.concatenate([blocks.astype(np.int64), still]),
        point_orbits=orbit_labels(points, design.v),
        block_orbits=_unfolded(found.block_orbits, of_blocks.class_of, of_blocks.first),
    )


def reduced_group(design: BlockDesign) -> tuple[Reduced, StabiliserChain, Symmetries]:
    """Return the design without twins, its group that keeps their numbers, and nauty's answer."""
    reduced = Reduced.of(design)
    found = IncidenceGraph(reduced.design).group(*reduced.cells())
    return reduced, StabiliserChain(found.points, found.log_order), found


def _unfolded(
    orbits: NDArray[np.int64], class_of: NDArray[np.int64], first: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the least block of the orbit of each block, from the orbits of classes."""
    # Classes are numbered by their first members, so the least class holds the least block.
    return first[orbits[class_of]] if len(class_of) else class_of
