"""The semidefinite relaxation of a sparse quadratic problem, by splitting (ADMM).

Of 1/err = min {zᵀQz : cᵀz = 1, z with at most r non-zero entries among the candidates} the matrix
Z = zzᵀ is kept, and P_ij = z_i² for z_j ≠ 0, else 0. Of them it is asked that Z is positive
semidefinite, that cᵀZc = 1, that Z_ij² ≤ P_ij P_ji for any two candidates, and that
Σ_j P_ij ≤ (r − 1) Z_ii, j ≠ i. Some workers are forced to be silent: their entries are free.
The dual is a multiplier W, zero for the forced, with W = (r − 1) diag(D) − V and
V_ij² ≤ D_i D_j on the candidates: zᵀWz ≥ 0 wherever z is sparse enough, and
err ≤ cᵀ(Q − W)⁻¹c. Every bound that is handed out is proved from such a W, whatever led to it.

With one D for all workers the relaxation is that of d'Aspremont, El Ghaoui, Jordan, Lanckriet,
SIAM Review 49 (2007), for sparse eigenvectors. The method is that of Boyd et al., Found. Trends
Mach. Learn. 3 (2011): Z and P have two copies each, and every copy is projected by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.relaxations.definite import EPSILON, Matrix, corner, factor, proves_corner
from gcdesign.adversary.relaxations.quadratic import SparseQuadratic

Workers = NDArray[np.int64]

PENALTY = 2.0
"""The step ρ, for a problem scaled to |c| = 1 and a mean of 1 of the eigenvalues of Q⁻¹."""

RELAXATION = 1.6
CHECK = 25
"""Rounds between two looks at what is proved."""

SHRINKS = (1.0, 0.9999, 0.9995, 0.998, 0.995, 0.98, 0.95, 0.9, 0.8, 0.6, 0.3, 0.0)
"""Parts of the multiplier that are tried: a smaller one is further from the edge."""


@dataclass(frozen=True, eq=False)
class Multiplier:
    """W on the candidates: ``levels``·(r − 1) on the diagonal, ``off`` elsewhere."""

    levels: Matrix
    off: Matrix

    def scaled(self, part: float) -> Multiplier:
        """Return a multiple of it, with off_ij² ≤ levels_i levels_j for certain."""
        levels = self.levels * part
        roots = np.sqrt(levels) * (1 - 4 * EPSILON)
        most = np.outer(roots, roots)
        return Multiplier(levels, np.clip(self.off * part, -most, most))

    def matrix(self, size: int) -> Matrix:
        """Return W for sets of ``size`` candidates; its diagonal is rounded upwards."""
        whole = self.off.copy()
        whole[np.diag_indices_from(whole)] = self.levels * ((size - 1) * (1 + 2 * EPSILON))
        return whole


@dataclass(frozen=True, eq=False)
class State:
    """Where the iteration stands, for a warm start elsewhere.

    ``members`` are the workers of the rows; ``tables`` are, in this order, Z as a positive
    matrix, Z as a sparse one, P in pairs and P in rows, and then what ties each of the four to
    the others.
    """

    members: Workers
    tables: tuple[Matrix, ...]

    def restricted(self, members: Workers, forced: int) -> list[Matrix]:
        """Return the tables for fewer workers, the first ``forced`` of them free."""
        place = {int(worker): row for row, worker in enumerate(self.members)}
        rows = np.array([place[int(worker)] for worker in members], dtype=np.int64)
        at = np.ix_(rows, rows)
        copies = [table[at].copy() for table in self.tables]
        for tie in (copies[5], copies[6], copies[7]):
            tie[:forced] = 0
            tie[:, :forced] = 0
        return copies


@dataclass(frozen=True, eq=False)
class Relaxed:
    """What a run proved, and where it stopped.

    Attributes
    ----------
    bound
        A proved upper bound of the error, infinite if there is none.
    estimate
        The value of the relaxation, as far as the iteration has come: no bound.
    multiplier
        What proves the bound, for the candidates in the order asked, in the quadratic's scale.
    state
        For a warm start.
    rounds
        Number of rounds.
    """

    bound: float
    estimate: float
    multiplier: Multiplier | None
    state: State
    rounds: int

    @property
    def weights(self) -> dict[int, float]:
        """Return the diagonal of Z: how much each worker matters."""
        diagonal = np.diagonal(self.state.tables[0]).tolist()
        return dict(zip(self.state.members.tolist(), diagonal, strict=True))


def project_pairs(matrix: Matrix, pairs: Matrix) -> tuple[Matrix, Matrix]:
    """Return the nearest matrices with Z_ij² ≤ P_ij P_ji and P ≥ 0, for a symmetric Z.

    For each i ≠ j the 2 × 2 matrix [[P_ij, Z_ij], [Z_ij, P_ji]] is projected by itself.

    Examples
    --------
    >>> z, p = project_pairs(np.array([[0.0, 1.0], [1.0, 0.0]]), np.zeros((2, 2)))
    >>> float(z[0, 1]), p[0, 1].item(), p[1, 0].item()
    (0.5, 0.5, 0.5)
    """
    return project_pairs_of(matrix, pairs, pairs.T)


def project_pairs_of(matrix: Matrix, pairs: Matrix, transposed: Matrix) -> tuple[Matrix, Matrix]:
    """Do the same entry by entry: Z_ij, P_ij and P_ji in three arrays of one shape."""
    mean, half = 0.5 * (pairs + transposed), 0.5 * (pairs - transposed)
    root = np.sqrt(half * half + matrix * matrix)
    upper, lower = mean + root, mean - root
    # Of the eigenvalues mean ± root the negative ones are cut off.
    larger = np.maximum(upper, 0.0)
    smaller = np.maximum(lower, 0.0)
    turn = (larger - smaller) / np.maximum(2 * root, 1e-300)
    return turn * matrix, 0.5 * (larger + smaller) + turn * half


def project_rows(diagonal: Matrix, pairs: Matrix, more: int) -> tuple[Matrix, Matrix]:
    """Return the nearest diagonal and P with Σ_j P_ij ≤ more · diagonal_i, row by row.

    The diagonal of ``pairs`` is not looked at, and comes back as 0.

    Examples
    --------
    >>> project_rows(np.array([0.0, 1.0]), np.array([[0.0, 1.0], [1.0, 0.0]]), 1)
    (array([0.5, 1. ]), array([[0. , 0.5],
           [1. , 0. ]]))
    """
    n = len(diagonal)
    pairs = pairs.copy()
    pairs[np.diag_indices(n)] = 0.0
    excess = np.maximum(pairs.sum(axis=1) - more * diagonal, 0.0) / max(n - 1 + more * more, 1)
    pairs -= excess[:, None]
    pairs[np.diag_indices(n)] = 0.0
    return diagonal + more * excess, pairs


def project_positive(matrix: Matrix, basis: Matrix | None) -> Matrix:
    """Return the nearest positive semidefinite matrix, within the range of the basis."""
    if basis is not None:
        inner = project_positive(basis.T @ matrix @ basis, None)
        return basis @ inner @ basis.T
    values, vectors = np.linalg.eigh(matrix)
    positive = values > 0
    if positive.sum() <= len(values) / 2:
        kept = vectors[:, positive]
        return np.asarray((kept * values[positive]) @ kept.T)
    kept = vectors[:, ~positive]
    return np.asarray(matrix - (kept * values[~positive]) @ kept.T)


class Relaxation:
    """The relaxation of one code, solved for any forced workers and candidates.

    Examples
    --------
    >>> from gcdesign.adversary.relaxations.quadratic import sparse_quadratic
    >>> from gcdesign.codes import GradientCode
    >>> from gcdesign.designs import projective_geometry
    >>> code = GradientCode.from_design(projective_geometry(2))
    >>> relaxation = Relaxation(sparse_quadratic(code))
    >>> none, every = np.arange(0), np.arange(7)
    >>> round(relaxation.solve(none, every, 3, relaxation.start(3)).bound, 5)
    1.0
    """

    def __init__(self, quadratic: SparseQuadratic) -> None:
        self.quadratic = quadratic
        matrix, linear, basis = quadratic.matrix, quadratic.linear, quadratic.basis
        inner = matrix if basis is None else basis.T @ matrix @ basis
        self.matrix_unit = len(inner) / float(np.trace(np.linalg.inv(inner)))
        self._linear_unit = max(float(np.linalg.norm(linear)), 1e-150)
        self._unit = self._linear_unit**2 / self.matrix_unit

    def start(self, size: int) -> State:
        """Return where to begin with all workers: at the best multiplier κ(S diag(g²) − ggᵀ).

        For a regular code g is constant, and that is the multiplier of the spectral bound.
        """
        every = np.arange(self.quadratic.workers)
        matrix, linear, _ = self.scaled(every)
        level, g = self._even(size)
        outer, squares = np.outer(g, g), g * g
        off = level * (outer - size * np.diag(squares))
        values, vectors = np.linalg.eigh(matrix + off)
        direct = vectors @ ((vectors.T @ linear) / np.maximum(values, 1e-9))
        first = np.outer(direct, direct) / float(direct @ linear) ** 2
        # The rest of the primal lies where the dual is nearly singular.
        near = vectors[:, values <= 2 * max(values[0], 0.0) + 0.1 * np.median(values)]
        excess = float(g @ first @ g) - size * float(squares @ np.diagonal(first))
        spread = near @ near.T
        slope = size * float(squares @ np.diagonal(spread)) - float(g @ spread @ g)
        if excess > 0 and slope > 0:
            first = first + excess / slope * spread
        step = off / PENALTY
        best = float(direct @ linear)
        tie = (np.outer(linear, linear) / best - matrix - off) / PENALTY
        levels = np.broadcast_to(level * squares[:, None] / PENALTY, first.shape).copy()
        levels[np.diag_indices_from(levels)] = 0.0
        share = (size - 1) / max(len(linear) - 1, 1)
        pairs = share * np.broadcast_to(np.diagonal(first)[:, None], first.shape)
        # The multiplier's diagonal is that of the rows' copies alone.
        step[np.diag_indices_from(step)] = -level * squares * (size - 1) / PENALTY
        return State(every, (first, first, pairs, pairs, tie, step, -levels, levels))

    def _even(self, size: int) -> tuple[float, Matrix]:
        """Return κ and g of the best multiplier κ(S diag(g²) − ggᵀ), in the iteration's scale."""
        matrix, linear, _ = self.scaled(np.arange(self.quadratic.workers))
        typical = max(float(np.abs(linear).mean()), 1e-150)
        sign = np.where(linear < 0, -1.0, 1.0)
        g = sign * np.clip(np.abs(linear) / typical, 0.5, 2.0)
        return _best_level(matrix, linear, size * np.diag(g * g) - np.outer(g, g)), g

    def even_multiplier(self, size: int) -> Multiplier:
        """Return the multiplier of `start`: no iteration, and about as good as the spectrum."""
        level, g = self._even(size)
        unit = level * self.matrix_unit
        off = -unit * np.outer(g, g)
        off[np.diag_indices_from(off)] = 0.0
        return Multiplier(unit * g * g, off)

    def solve(
        self,
        forced: Workers,
        candidates: Workers,
        size: int,
        state: State,
        *,
        target: float | None = None,
        rounds: int = 800,
        least: int = 150,
        hopeless: float = 1.02,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Relaxed:
        """Bound the error of all sets of the forced workers and ``size`` ≥ 1 candidates.

        Parameters
        ----------
        forced, candidates
            Workers that are silent, and those of whom ``size`` more are.
        size
            r.
        state
            A state whose members include them.
        target
            Stop as soon as the bound is below it, or as it is clear that it will not be: after
            ``least`` rounds an estimate above ``hopeless`` times the target, later less above.
        rounds
            Most rounds.
        stopped
            Asked at every look.
        """
        run = _Run(self, forced, candidates, size, state)
        for count in range(1, rounds + 1):
            run.round()
            if count % CHECK and count < rounds:
                continue
            aim = None if target is None else self._inner(target)
            if run.look(aim) or stopped():
                break
            if target is not None and count >= least:
                # The estimate settles with the rounds, and so does what it says.
                above = 1 + (hopeless - 1) * (least / count) ** 2
                if self._outer(run.estimate) > target * above:
                    break
        multiplier = run.multiplier
        if multiplier is not None:
            unit = self.matrix_unit
            multiplier = Multiplier(multiplier.levels * unit, multiplier.off * unit)
        bound = np.inf if multiplier is None else self._outer(run.bound)
        return Relaxed(bound, self._outer(run.estimate), multiplier, run.state, count)

    def _inner(self, value: float) -> float:
        """Return what an error is in the scale of the iteration."""
        return (value - self.quadratic.constant) / self._unit * (1 - 16 * EPSILON)

    def _outer(self, value: float) -> float:
        return (value * self._unit + self.quadratic.constant) * (1 + 16 * EPSILON)

    def scaled(self, members: Workers) -> tuple[Matrix, Matrix, Matrix | None]:
        """Return Q, c and the basis for some workers, in the scale of the iteration."""
        matrix, linear = self.quadratic.restricted(members)
        # The range of E matters only where all workers are there: elsewhere Q keeps Z near it.
        basis = self.quadratic.basis if len(members) == self.quadratic.workers else None
        if basis is not None:
            basis = basis[members]
        return matrix / self.matrix_unit, linear / self._linear_unit, basis


def _best_level(matrix: Matrix, linear: Matrix, shape: Matrix) -> float:
    """Return a κ with a small cᵀ(Q − κ·shape)⁻¹c, to within 3%: first among powers of 2."""

    def corner_at(exponent: float) -> float:
        lower = factor(matrix - 2.0**exponent * shape)
        if lower is None:
            return np.inf
        half = np.linalg.solve(lower, linear)
        return float(half @ half)

    best = min(range(-30, 11), key=corner_at)
    fine = min((best + step / 24 for step in range(-23, 24)), key=corner_at)
    return float(2.0**fine) if corner_at(fine) < np.inf else 0.0


class _Run:
    """One run of the iteration."""

    def __init__(
        self, relaxation: Relaxation, forced: Workers, candidates: Workers, size: int, state: State
    ) -> None:
        members = np.concatenate([forced, candidates]).astype(np.int64)
        self._members, self._free, self._size = members, len(forced), size
        self._matrix, self._linear, self._basis = relaxation.scaled(members)
        self._outer = np.outer(self._linear, self._linear)
        self._square = float((self._outer**2).sum())
        self._step = self._matrix / (2 * PENALTY)
        self._tables = state.restricted(members, self._free)
        reached = float((self._outer * self._tables[0]).sum())
        if reached > 1e-12:
            self._tables[:4] = [table / reached for table in self._tables[:4]]
        self._z = self._tables[0]
        self._radius = EPSILON * float(np.abs(self._matrix).sum(axis=1).max(initial=0.0))
        self.bound = np.inf
        self.multiplier: Multiplier | None = None

    def round(self) -> None:
        """Do one round: the linear part, then the projections of the copies."""
        positive, sparse, paired, summed, *ties = self._tables
        middle = 0.5 * (positive - ties[0] + sparse - ties[1]) - self._step
        missing = (1 - float((self._outer * middle).sum())) / self._square
        self._z = middle + missing * self._outer
        pairs = 0.5 * (paired - ties[2] + summed - ties[3])
        aims = [
            RELAXATION * new + (1 - RELAXATION) * old + tie
            for new, old, tie in zip(
                (self._z, self._z, pairs, pairs), self._tables[:4], ties, strict=True
            )
        ]
        copies = [project_positive(aims[0], self._basis), *self._project_sparse(*aims[1:])]
        self._tables = copies + [aim - copy for aim, copy in zip(aims, copies, strict=True)]

    def _project_sparse(
        self, sparse: Matrix, paired: Matrix, summed: Matrix
    ) -> tuple[Matrix, Matrix, Matrix]:
        """Project the candidates' part of Z as a sparse matrix, with both copies of P."""
        here = slice(self._free, None)
        new, pairs, rows = sparse.copy(), paired.copy(), summed.copy()
        block, pairs[here, here] = project_pairs(sparse[here, here], paired[here, here])
        diagonal, rows[here, here] = project_rows(
            np.diagonal(sparse)[here], summed[here, here], self._size - 1
        )
        block[np.diag_indices_from(block)] = diagonal
        new[here, here] = block
        return new, pairs, rows

    def look(self, target: float | None) -> bool:
        """Try to prove a bound from the dual; return whether the target is reached."""
        off = -PENALTY * self._tables[5][self._free :, self._free :]
        off = (off + off.T) / 2
        levels = np.maximum(np.diagonal(off), 0.0) / max(self._size - 1, 1)
        off[np.diag_indices_from(off)] = 0.0
        if self._size == 1:  # any D will do
            levels = np.full(len(off), float(np.abs(off).max(initial=0.0)))
        whole = Multiplier(levels, off)
        for part in SHRINKS:
            multiplier = whole.scaled(part)
            reduced, radius = self._reduced(multiplier)
            if target is not None:
                if proves_corner(
                    reduced, self._linear, target, radius=radius, vector_radius=2 * EPSILON
                ):
                    self.bound, self.multiplier = target, multiplier
                    return True
                continue
            # The vector is of length 1; it was scaled, and so rounded.
            found = corner(reduced, self._linear, radius=radius, vector_radius=2 * EPSILON)
            if found is not None and found < self.bound:
                self.bound, self.multiplier = found, multiplier
        return False

    def _reduced(self, multiplier: Multiplier) -> tuple[Matrix, float]:
        reduced, free = self._matrix.copy(), self._free
        taken = multiplier.matrix(self._size)
        reduced[free:, free:] -= taken
        radius = EPSILON * float(np.abs(taken).sum(axis=1).max(initial=0.0)) + 2 * self._radius
        return reduced, radius

    @property
    def estimate(self) -> float:
        """The value of the relaxation at Z, which is nearly feasible."""
        return 1 / max(float((self._matrix * self._z).sum()), 1e-300)

    @property
    def state(self) -> State:
        """Where the iteration stands."""
        return State(self._members, tuple(self._tables))
