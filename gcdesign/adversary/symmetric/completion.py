"""Placements inside a symmetric design: the design itself, affine planes and their duals.

Lines that are parallel get a common point at infinity, and these points a line of their own. What
is known of S* of the projective plane then says what S* of the affine one is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.evidence import Lemma
from gcdesign.adversary.symmetric.pairs import SymmetricDesign
from gcdesign.adversary.symmetric.profile import Proved, SymmetricProfile
from gcdesign.adversary.thresholds.greedy import PartAttack
from gcdesign.codes import Placement
from gcdesign.codes.structure import ParallelClasses, Structure, structure_of
from gcdesign.designs import BlockDesign, dual


@dataclass(frozen=True, eq=False)
class Completion:
    """A placement inside a symmetric design.

    Workers and parts of the placement are the first workers and parts of the design.

    Attributes
    ----------
    placement
        The placement.
    design
        The symmetric design.
    extra
        Parts of the design that are lost besides; the placement lacks one part of the design if
        there is any, else one worker.
    """

    placement: Placement
    design: SymmetricDesign
    extra: tuple[int, ...]

    @property
    def is_whole(self) -> bool:
        """Whether the placement is the design itself."""
        return self.design.placement is self.placement

    @cached_property
    def beyond(self) -> int:
        """Number of workers of the design that an attack there silences and here need not."""
        big, small = self.design.placement, self.placement
        silent = np.zeros(big.workers, dtype=bool)
        silent[big.neighbourhood(range(small.parts))] = True
        silent[: small.workers] = False
        silent[big.neighbourhood(self.extra)] = True
        return int(silent.sum())

    def eta(self, eta: int) -> int:
        """Return the η that the design is asked about."""
        return eta + len(self.extra)

    def lifted(self, attack: PartAttack) -> PartAttack:
        """Return the attack on the design that loses these parts and the extra ones."""
        parts = np.array([*attack.parts, *self.extra], dtype=np.int64)
        return PartAttack.on(self.design.placement, parts)

    def proved(self, profile: SymmetricProfile, eta: int) -> Proved:
        """Return what the design's profile proves about the placement."""
        there = profile.lower[self.eta(eta)]
        if self.is_whole:
            return there
        lemma = Lemma(
            "threshold", self.eta(eta), there.value, there.proof, placement=self.design.placement
        )
        proof = {
            "by": "extension",
            "claim": lemma,
            "workers": list(range(self.placement.workers)),
            "parts": list(range(self.placement.parts)),
            "extra": list(self.extra),
        }
        value = max(0, there.value - self.beyond)
        return Proved(value, f"S*({self.eta(eta)}) of the plane ({there.name})", proof)

    def attack(self, profile: SymmetricProfile, eta: int) -> PartAttack | None:
        """Return the attack that the design's best one gives, moved by a symmetry if need be."""
        there = profile.attacks[self.eta(eta)]
        if self.is_whole:
            return there
        if self.extra:
            moved = self._moved(there, "points", there.parts, self.placement.parts)
        else:
            alive = np.setdiff1d(np.arange(self.design.v), there.workers).tolist()
            moved = self._moved(there, "blocks", alive, self.placement.workers)
        if moved is None:
            return None
        return PartAttack.on(self.placement, moved[moved < self.placement.parts][:eta])

    def _moved(
        self, attack: PartAttack, side: str, candidates: tuple[int, ...] | list[int], special: int
    ) -> NDArray[np.int64] | None:
        """Return the attack's parts, moved so that one of the candidates comes to the special."""
        parts = np.array(attack.parts, dtype=np.int64)
        if special in candidates:
            return parts
        for candidate in candidates:
            symmetry = self.design.graph.carry(side, candidate, special)
            if symmetry is not None:
                return symmetry[parts]
        return None


def completion_of(
    placement: Placement, structure: Structure | None, shared: tuple[int, int] | None
) -> Completion | None:
    """Return the symmetric design that a placement is, or that an affine plane lies in, or None.

    Parameters
    ----------
    placement
        The placement.
    structure
        Its structure, as `structure_of` finds it.
    shared
        Least and greatest number of workers that two parts share.

    Examples
    --------
    >>> from gcdesign.codes import structure_of
    >>> from gcdesign.designs import affine_geometry
    >>> affine = Placement(affine_geometry(3))
    >>> completion_of(affine, structure_of(affine), (1, 1)).design.v
    13
    """
    symmetric = SymmetricDesign.of(placement, shared)
    if symmetric is not None:
        return Completion(placement, symmetric, ())
    if isinstance(structure, ParallelClasses):
        return _of_affine(placement, structure.class_of)
    order, odd = divmod(placement.parts, max(1, placement.load or 1))
    if odd or placement.workers != order * order or placement.load != order + 1:
        return None
    lines = structure_of(Placement(dual(placement.design)))
    return _of_dual(placement, lines.class_of) if isinstance(lines, ParallelClasses) else None


def _of_affine(placement: Placement, class_of: NDArray[np.int64]) -> Completion | None:
    order = placement.load or 0
    if placement.parts != order**2 or placement.workers != order**2 + order:
        return None
    blocks = [
        [*block, placement.parts + int(number)]
        for block, number in zip(placement.design.blocks(), class_of, strict=True)
    ]
    blocks.append(list(range(placement.parts, placement.parts + order + 1)))
    design = _plane(BlockDesign.from_blocks(blocks, points=placement.parts + order + 1))
    return None if design is None else Completion(placement, design, ())


def _of_dual(placement: Placement, class_of: NDArray[np.int64]) -> Completion | None:
    order = (placement.load or 1) - 1
    infinite = placement.parts
    blocks = placement.design.blocks()
    for number in range(order + 1):
        blocks.append([*np.flatnonzero(class_of == number).tolist(), infinite])
    design = _plane(BlockDesign.from_blocks(blocks, points=infinite + 1))
    return None if design is None else Completion(placement, design, (infinite,))


def _plane(blocks: BlockDesign) -> SymmetricDesign | None:
    from gcdesign.designs.counting import pair_count_range

    placement = Placement(blocks)
    return SymmetricDesign.of(placement, pair_count_range(blocks))
