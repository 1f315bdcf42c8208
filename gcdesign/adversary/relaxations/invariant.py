"""The semidefinite relaxation of a code with automorphisms, on the orbits of pairs of workers.

The average of a multiplier over a group of automorphisms is no worse, so Z and P may be taken
constant on the orbits of ordered pairs. Such matrices form an algebra. For a worker o of each
orbit of workers, let B hold the normalised indicators of the orbits of o's stabiliser: they
span what the algebra makes of o's unit vector, so X ↦ BᵀXB, over all o, respects products and
loses nothing. X is positive semidefinite exactly if all the small matrices BᵀXB are, and the
positive part of X has in o's column what the positive parts of the small ones have there.

Source: de Klerk, Pasechnik, Schrijver, Reduction of symmetric semidefinite programs using the
regular *-representation, Math. Program. 109 (2007); the splitting is that of
`gcdesign.adversary.relaxations.splitting`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.relaxations.definite import Matrix
from gcdesign.adversary.relaxations.pair_orbits import pair_orbits
from gcdesign.adversary.relaxations.splitting import (
    PENALTY,
    RELAXATION,
    Multiplier,
    Relaxation,
    project_pairs_of,
)
from gcdesign.adversary.running.settings import Watch

MAX_SIDE = 100
"""Greatest side of a small matrix; the tables of the small matrices have its cube entries."""

ROUNDS = 6000
"""Rounds of the iteration; they are cheap, as the matrices are small."""


@dataclass(frozen=True, eq=False)
class Corner:
    """The small matrix of one orbit of workers.

    Attributes
    ----------
    representative
        The worker o.
    labels
        For each orbit of o's stabiliser, the label of the pair (member, o); o itself first.
    table
        Shape (side², labels): takes values on orbits of pairs to BᵀXB.
    root
        Square roots of the orbits' sizes.
    basis
        BᵀΠB for the projector Π on the range of E, or None.
    """

    representative: int
    labels: NDArray[np.int64]
    table: Matrix
    root: Matrix
    basis: Matrix | None

    def positive(self, values: Matrix) -> Matrix:
        """Return the column of the positive part, at `labels`."""
        side = len(self.labels)
        small = (self.table @ values).reshape(side, side)
        small = (small + small.T) / 2
        if self.basis is not None:
            small = self.basis @ small @ self.basis
        sizes, vectors = np.linalg.eigh(small)
        kept = vectors[:, sizes > 0] * np.sqrt(sizes[sizes > 0])
        return np.asarray(kept @ kept[0] / self.root)


class Algebra:
    """Matrices that are constant on orbits of pairs, as vectors of their values.

    Examples
    --------
    >>> algebra = Algebra([(1, 2, 3, 0)], 4)
    >>> algebra.expand(np.array([5.0, 1.0, 0.0, 1.0]))[0]
    array([5., 1., 0., 1.])
    """

    def __init__(self, generators: Sequence[Sequence[int]], workers: int) -> None:
        self._orbit_of = pair_orbits(generators, workers)
        flat = self._orbit_of.ravel()
        _, first = np.unique(flat, return_index=True)
        self._rows, self._columns = np.divmod(first, workers)
        self.sizes = np.bincount(flat).astype(np.float64)
        self.transposed = self._orbit_of[self._columns, self._rows]
        diagonal = np.diagonal(self._orbit_of)
        self.diagonal, representatives = np.unique(diagonal, return_index=True)
        self.representatives = representatives
        self.row_orbit = np.searchsorted(self.diagonal, diagonal[self._rows])
        self.is_diagonal = np.isin(np.arange(len(first)), self.diagonal)
        self.valencies = (
            self.sizes / np.bincount(np.searchsorted(self.diagonal, diagonal))[self.row_orbit]
        )

    @property
    def is_small(self) -> bool:
        """Whether the small matrices are few and small enough to be worth it."""
        sides = [len(np.unique(self._orbit_of[:, o])) for o in self.representatives]
        return max(sides, default=0) <= MAX_SIDE and len(self.sizes) <= MAX_SIDE

    def values(self, matrix: Matrix) -> Matrix:
        """Return the values of an invariant matrix."""
        return np.asarray(matrix[self._rows, self._columns])

    def expand(self, values: Matrix) -> Matrix:
        """Return the whole matrix."""
        return np.asarray(values[self._orbit_of])

    def corners(self, projector: Matrix | None) -> list[Corner]:
        """Return the small matrices' data, for all orbits of workers."""
        return [self._corner(int(o), projector) for o in self.representatives]

    def _corner(self, representative: int, projector: Matrix | None) -> Corner:
        labels, cells = np.unique(self._orbit_of[:, representative], return_inverse=True)
        # The orbit that is o alone comes first.
        own = int(cells[representative])
        order = np.concatenate([[own], np.delete(np.arange(len(labels)), own)])
        labels, cells = labels[order], np.argsort(order)[cells]
        side, root = len(labels), np.sqrt(np.bincount(cells))
        table = np.zeros((side, side, len(self.sizes)))
        basis = None if projector is None else np.zeros((side, side))
        for cell in range(side):
            worker = int(np.flatnonzero(cells == cell)[0])
            np.add.at(table[cell], (cells, self._orbit_of[worker]), 1.0)
            if basis is not None and projector is not None:
                np.add.at(basis[cell], cells, projector[worker])
        scale = root[:, None] / root[None, :]
        table *= scale[:, :, None]
        return Corner(
            representative,
            labels,
            table.reshape(side * side, -1),
            root,
            None if basis is None else basis * scale,
        )


def invariant_multiplier(
    relaxation: Relaxation, algebra: Algebra, size: int, *, watch: Watch
) -> Multiplier:
    """Return a multiplier for sets of ``size`` workers, as good as the rounds make it.

    It is constant on orbits of pairs, and not yet proved to be of use.
    """
    start = relaxation.start(size)
    matrix, linear, basis = relaxation.scaled(start.members)
    projector = None if basis is None else basis @ basis.T
    corners = algebra.corners(projector)
    cost = algebra.values(matrix) / (2 * PENALTY)
    outer = algebra.values(np.outer(linear, linear))
    square = float(algebra.sizes @ (outer * outer))
    tables = [algebra.values(table) for table in start.tables]
    for _ in range(ROUNDS):
        if watch.stopped():
            break
        positive, sparse, paired, summed, *ties = tables
        middle = 0.5 * (positive - ties[0] + sparse - ties[1]) - cost
        middle += (1 - float(algebra.sizes @ (outer * middle))) / square * outer
        pairs = 0.5 * (paired - ties[2] + summed - ties[3])
        aims = [
            RELAXATION * new + (1 - RELAXATION) * old + tie
            for new, old, tie in zip((middle, middle, pairs, pairs), tables[:4], ties, strict=True)
        ]
        positive = np.empty_like(positive)
        for corner in corners:
            positive[corner.labels] = corner.positive(aims[0])
        sparse, paired = project_pairs_of(aims[1], aims[2], aims[2][algebra.transposed])
        diagonal, summed = _project_rows(algebra, aims[1], aims[3], size - 1)
        sparse[algebra.diagonal] = diagonal
        copies = [positive, sparse, paired, summed]
        tables = copies + [aim - copy for aim, copy in zip(aims, copies, strict=True)]
    off = -PENALTY * relaxation.matrix_unit * algebra.expand(tables[5])
    off = (off + off.T) / 2
    levels = np.maximum(np.diagonal(off), 0.0) / max(size - 1, 1)
    off[np.diag_indices_from(off)] = 0.0
    return Multiplier(levels, off).scaled(1.0)


def _project_rows(
    algebra: Algebra, sparse: Matrix, pairs: Matrix, more: int
) -> tuple[Matrix, Matrix]:
    """Do what `project_rows` of the splitting does, with one row for an orbit."""
    weights = np.where(algebra.is_diagonal, 0.0, algebra.valencies)
    orbits = len(algebra.diagonal)
    sums = np.bincount(algebra.row_orbit, weights * pairs, orbits)
    lengths = np.bincount(algebra.row_orbit, weights, orbits)
    diagonal = sparse[algebra.diagonal]
    excess = np.maximum(sums - more * diagonal, 0.0) / np.maximum(lengths + more * more, 1.0)
    summed = np.where(algebra.is_diagonal, 0.0, pairs - excess[algebra.row_orbit])
    return diagonal + more * excess, summed
