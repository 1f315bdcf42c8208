"""Structures of 0/1 placements that give optimal decoding in closed form.

Each structure is recognised from the blocks alone, so a closed form never rests on a name.
The encoding matrix is the incidence matrix E (row = worker), the error of a set F of f = N − S
surviving workers is err(F) = min_v ‖E_Fᵀ v − 1‖², and all values are exact fractions.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.placement import Placement
from gcdesign.designs.counting import concurrence_rows
from gcdesign.designs.cyclic import cyclic_base, difference_range
from gcdesign.designs.operations import dual

MAX_PAIR_WORK = 400_000_000
"""Largest Σ_j R_j², the work of counting the workers' common parts, that is taken on."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ReplicaGroups:
    """Workers with equal parts form a group, and different groups share no part.

    Attributes
    ----------
    group_of
        Shape (N,): the group of each worker.
    sizes, loads
        Number of workers, and of parts, of each group.
    unheld
        Number of parts that nobody holds.
    """

    group_of: NDArray[np.int64]
    sizes: tuple[int, ...]
    loads: tuple[int, ...]
    unheld: int

    name = "disjoint replica groups"
    formula = "err = number of parts of the groups that are silenced whole"

    def error(self, silenced: Mask) -> Fraction:
        """Return the parts of the groups without a survivor, and those that nobody holds."""
        dead = np.bincount(self.group_of[silenced], minlength=len(self.sizes)) == self.sizes
        return Fraction(self.unheld + int(np.array(self.loads)[dead].sum()))

    def weights(self, silenced: Mask) -> NDArray[np.float64]:
        """Return the decoding vector: weight 1 on the first survivor of each group."""
        weights = np.zeros(len(silenced))
        alive = np.flatnonzero(~silenced)
        weights[alive[np.unique(self.group_of[alive], return_index=True)[1]]] = 1.0
        return weights


@dataclass(frozen=True)
class ConstantIntersection:
    """All workers hold L parts and any two of them share exactly λ parts.

    Then E Eᵀ = (L − λ)I + λJ, so the error depends on the number of stragglers alone:
    err_S = K − L²f/(L + λ(f − 1)) with the constant decoding vector L/(L + λ(f − 1)).

    Notes
    -----
    Source: Kadhe, Koyluoglu, Ramchandran 2019, for symmetric designs and duals of
    designs, which are one statement in this form.
    """

    workers: int
    parts: int
    load: int
    intersection: int

    name = "constant intersection of workers"
    formula = "err = K - L²f/(L + λ(f-1)), f = N-S"

    def error_of(self, stragglers: int) -> Fraction:
        """Return err_S, the same for every set of S stragglers."""
        survivors = self.workers - stragglers
        return self.parts - survivors * self.load * self.weight(stragglers)

    def weight(self, stragglers: int) -> Fraction:
        """Return the common decoding weight of the survivors (0 if there is none)."""
        survivors = self.workers - stragglers
        if survivors == 0:
            return Fraction(0)
        return Fraction(self.load, self.load + self.intersection * (survivors - 1))

    def error(self, silenced: Mask) -> Fraction:
        """Return err_S for S = the number of silenced workers."""
        return self.error_of(int(np.count_nonzero(silenced)))

    def weights(self, silenced: Mask) -> NDArray[np.float64]:
        """Return the decoding vector, constant on the survivors."""
        return np.where(silenced, 0.0, float(self.weight(int(np.count_nonzero(silenced)))))


@dataclass(frozen=True, eq=False)
class ParallelClasses:
    """r classes of n workers each; a class partitions the parts, two classes meet in μ.

    Nets and affine resolvable designs. With s_i stragglers in class i the error is 0 if some
    s_i = 0, else K/(1 − r + n Σ_i 1/s_i): it depends on which workers are silent.

    Notes
    -----
    Source: derived for the affine planes of Kadhe, Koyluoglu, Ramchandran 2019, whose summary
    (the error depends on the number of stragglers only) does not hold for them.
    """

    class_of: NDArray[np.int64]
    classes: int
    class_size: int
    parts: int

    name = "parallel classes"
    formula = "err = 0 if a class is whole, else K/(1 - r + n Σ 1/s_i)"

    def counts(self, silenced: Mask) -> list[int]:
        """Return s_i, the number of silenced workers of each class."""
        counted: list[int] = np.bincount(self.class_of[silenced], minlength=self.classes).tolist()
        return counted

    def error_of(self, counts: list[int]) -> Fraction:
        """Return the error for s_i stragglers in class i."""
        if 0 in counts:
            return Fraction(0)
        return self.parts / self._denominator(counts)

    def _denominator(self, counts: list[int]) -> Fraction:
        reciprocals = sum((Fraction(1, s) for s in counts), Fraction(0))
        return 1 - self.classes + self.class_size * reciprocals

    def error(self, silenced: Mask) -> Fraction:
        """Return the error of one set of stragglers."""
        return self.error_of(self.counts(silenced))

    def weights(self, silenced: Mask) -> NDArray[np.float64]:
        """Return the decoding vector: (n/s_i)/(1 − r + n Σ 1/s_j), or one whole class."""
        counts = self.counts(silenced)
        if 0 in counts:
            whole = counts.index(0)
            by_class = [float(i == whole) for i in range(self.classes)]
        else:
            scale = self.class_size / self._denominator(counts)
            by_class = [float(scale / s) for s in counts]
        return np.where(silenced, 0.0, np.array(by_class)[self.class_of])


Structure = ReplicaGroups | ConstantIntersection | ParallelClasses


def structure_of(placement: Placement) -> Structure | None:
    """Return the structure of a placement that decodes in closed form, or None.

    Counting the common parts of workers is skipped, and None returned, where it would take
    more than `MAX_PAIR_WORK` steps.

    Examples
    --------
    >>> from gcdesign.designs import build, parse_spec
    >>> structure_of(Placement(build(parse_spec("pg:q=3"))))
    ConstantIntersection(workers=13, parts=13, load=4, intersection=1)
    """
    return _replica_groups(placement) or _by_intersections(placement)


def _replica_groups(placement: Placement) -> ReplicaGroups | None:
    group_of: list[int] = []
    number: dict[bytes, int] = {}
    loads: list[int] = []
    held, covered = int((placement.replications > 0).sum()), 0
    for worker in range(placement.workers):
        block = placement.design.block(worker)
        group = number.setdefault(block.tobytes(), len(number))
        if group == len(loads):
            loads.append(len(block))
            covered += len(block)
            if covered > held:
                return None
        group_of.append(group)
    sizes = np.bincount(np.array(group_of, dtype=np.int64), minlength=len(loads))
    return ReplicaGroups(
        np.array(group_of, dtype=np.int64),
        tuple(sizes.tolist()),
        tuple(loads),
        placement.parts - held,
    )


def _by_intersections(placement: Placement) -> Structure | None:
    load, workers = placement.load, placement.workers
    if load is None or load == 0 or workers < 2:
        return None
    base = cyclic_base(placement.design)
    if base is not None:
        least, most = difference_range(base, placement.parts)
        if least == most:  # the dual of a symmetric design is one too
            return ConstantIntersection(workers, placement.parts, load, least)
    if int((placement.replications**2).sum()) > MAX_PAIR_WORK:
        return None
    found = _intersection_values(placement)
    if found is None:
        return None
    values, leaders = found
    if len(values) == 1:
        return ConstantIntersection(workers, placement.parts, load, values[0])
    return _parallel_classes(placement, leaders) if values[0] == 0 else None


def _intersection_values(placement: Placement) -> tuple[list[int], NDArray[np.int64]] | None:
    """Return the intersection numbers of workers, if there are at most two, and leaders.

    The leader of a worker is the first worker that is disjoint from it, or itself.
    """
    values: set[int] = set()
    leaders: list[NDArray[np.int64]] = []
    for start, rows in concurrence_rows(dual(placement.design)):
        own = np.arange(len(rows))
        rows[own, start + own] = 0
        leaders.append((rows == 0).argmax(axis=1))
        rows[own, start + own] = -1
        values.update(np.flatnonzero(np.bincount(rows[rows >= 0].ravel())).tolist())
        if len(values) > 2:
            return None
    return sorted(values), np.concatenate(leaders)


def _parallel_classes(placement: Placement, leaders: NDArray[np.int64]) -> ParallelClasses | None:
    """Return the classes if the workers of each leader partition the parts.

    With intersection numbers 0 and μ nothing more is needed. A leader is in its own class, since
    all others there are disjoint from it. A class with a later leader meets it in all its n
    workers, so that L = nμ, and any worker outside that class, which meets it in L parts
    altogether and in at most μ of each worker, meets each of them in μ.
    """
    assert placement.load is not None
    names, class_of = np.unique(leaders, return_inverse=True)
    design = placement.design
    cells = class_of[design.block_of_incidence] * placement.parts + design.indices
    if not len(np.unique(cells)) == len(cells) == len(names) * placement.parts:
        return None
    size = placement.parts // placement.load
    return ParallelClasses(class_of.astype(np.int64), len(names), size, placement.parts)
