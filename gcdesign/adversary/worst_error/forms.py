"""Worst-case errors as extremes of a quadratic form over all sets of one size.

With G = EEᵀ, Q = (G + εI)⁻¹ and c = QE1 the ridged error of a set T of silent workers is

    min { ‖Eᵀv − 1‖² + ε‖v‖² : v_T = 0 } = base + φ(T),   φ(T) = c_Tᵀ (Q_TT)⁻¹ c_T,

by the Schur complement, and it is never less than the error. From the other side, a set A of
survivors leaves the error K − φ(A) with the form of Q = G and c = E1. So both ways a search over
sets of a few elements is a search for an extreme φ; any matrix E may be asked.

Nothing here rests on how well Q was computed. For *any* positive definite Q and any c let
v = c − Q_T x with Q_TT x = c_T, so that v_T = 0. With r = Eᵀc − 1, s = Er and
Ψ = I − (G + εI)Q,

    ‖Eᵀv − 1‖² = ‖r‖² − 2xᵀQs + xᵀQGQx,    QGQ = Q − εQ² − QΨ.

If ‖Ψ‖ ‖Q⁻¹‖ ≤ ε/2 then QGQ ⪯ Q − (ε/2)Q², and as −2xᵀQs ≤ (ε/2)‖Qx‖² + 2‖s‖²/ε, the error is at
most base + φ(T) with base = ‖r‖² + 2‖s‖²/ε. So Q and c are the floats that were found, ε is
raised until the condition is proved (all norms bounded in floats with their rounding), and the
search is over numbers that are exact. It also follows that Q is positive definite: a product of
G + εI with a norm of Ψ below 1 has its eigenvalues to the right of 0.

Rounding of the search. Rows and columns are scaled by powers of 2, to a diagonal near 1. In
eliminations of sets of s elements rounding moves Q_ij by less than 2(s + 8) 2⁻⁵² √(Q_ii Q_jj),
hence Q_TT by less than its diagonal times 2s(s + 8) 2⁻⁵². A form for upper ends is lowered on the
diagonal by η, 8 times that or more: what is computed is then φ of a matrix below Q, which is more
than φ. Rounding of c_i, less than 2(s + 8) 2⁻⁵² √φ √Q_ii, changes √φ by at most that times
√(2s/η). Both are in `Form.relative`. ε is also raised until 4η ≤ the least eigenvalue that Q can
have with that diagonal, so that no pivot is near 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.running.chunks import Stop
from gcdesign.adversary.worst_error.targets import Floats, Leaders, Sets, Task, padded

UNIT = 2.0**-52
LOWERED = 1e-10
"""Least η, the relative change of the diagonal that covers rounding."""

MAX_SOLVED = 20_000_000
"""Sets of a chunk that single precision may leave to double precision before it gives up."""

SWAP_RIDGE = 1e-7
"""Added to the diagonal by the swaps among survivors; what they find is judged without it."""

BLUR = 1e-4
"""Relative change of a matrix, or distance, up to which a lower form is of use."""

ATTACK_RIDGE = 1e-8
"""ε of a form that proves nothing, in the same parts."""

RIDGES = 10.0 ** np.arange(-13, -3)
"""The ε that are tried, in parts of the greatest row sum of G."""


@dataclass(frozen=True, eq=False)
class Form:
    """A quadratic form whose value on a set bounds the error of that set, as a `Target`.

    Attributes
    ----------
    alive
        Whether sets are survivors (error ≤ base − φ) or silent workers (error ≤ base + φ).
    want
        1 for a form that bounds errors from above, whose greatest is sought; -1 for one that
        bounds them from below, whose least is sought.
    matrix, vector
        Q with η taken off or put on the diagonal, and c.
    rows, norms
        The encoding matrix in the same scaling, and its rows' lengths.
    base
        The constant of the error.
    relative, absolute
        What φ may be wrong by: relative · φ + absolute.
    """

    alive: bool
    want: int
    matrix: Floats
    vector: Floats
    rows: Floats
    norms: Floats
    base: float
    relative: float
    absolute: float

    @property
    def size(self) -> int:
        """Number of workers N."""
        return len(self.vector)

    @property
    def sign(self) -> float:
        """1 if the greatest φ is sought, -1 for the least."""
        return float(-self.want if self.alive else self.want)

    def wanting(self, want: int) -> Form:
        """Return the form for attacks towards the greatest (1) or the least (-1) error."""
        return replace(self, want=want)

    def promise(self) -> Floats:
        """Return φ of each worker alone, which tends to be great in sets of great φ."""
        alone: Floats = self.vector**2 / np.diag(self.matrix)
        return alone

    def permuted(self, order: NDArray[np.int64]) -> Form:
        """Return the form with its workers in another order."""
        return replace(
            self,
            matrix=np.ascontiguousarray(self.matrix[np.ix_(order, order)]),
            vector=self.vector[order],
            rows=np.ascontiguousarray(self.rows[order]),
            norms=self.norms[order],
        )

    def climb(self, starts: Sets, stop: Stop) -> Floats:
        """Improve starts in place by swaps; see `Target.climb`."""
        from gcdesign.adversary.worst_error.swap_kernels import climb

        values, matrix = np.empty(len(starts)), self.matrix.copy()
        if self.alive:  # survivors may depend on each other
            matrix[np.diag_indices(self.size)] += SWAP_RIDGE
        climb(matrix, self.vector, self.sign, starts, values, stop)
        return self.want * self.base + self.sign * values

    def visit(self, tasks: Sequence[Task], leaders: Leaders, stop: Stop) -> bool:
        """Visit all sets of some tasks; see `Target.visit`."""
        from gcdesign.adversary.worst_error.form_kernels import visit

        arrays = (self.matrix, self.vector, self.rows, self.norms)
        numbers = (self.base, float(self.want), self.relative, self.absolute)
        return all(
            visit(
                arrays,
                numbers,
                self.sign,
                *padded(known, leaders.sets.shape[1]),
                below,
                leaders.arrays,
                MAX_SOLVED,
                stop,
            )
            for known, below in tasks
        )


def _scaled(
    gram: Floats, vector: Floats, rows: Floats, *, alive: bool, want: int, base: float, eta: float
) -> Form:
    """Scale by powers of 2 to a diagonal between 1/2 and 2, and change it by η."""
    diagonal = np.diag(gram)
    safe = np.where(diagonal > 0, diagonal, 1.0)
    powers = -np.round(np.log2(safe) / 2).astype(np.int32)
    matrix = np.ldexp(np.ldexp(gram, powers[:, None]), powers[None, :])
    matrix[np.diag_indices_from(matrix)] *= 1 + (eta if alive == (want > 0) else -eta)
    matrix[np.diag_indices_from(matrix)] += diagonal <= 0
    scaled = np.ascontiguousarray(np.ldexp(rows, (powers if alive else -powers)[:, None]))
    n, parts = rows.shape
    # c_i is wrong by the rounding of eliminations, and of E1 itself where sets are survivors.
    relative = 8 * sqrt(2 * n / eta) * (n + 8) * UNIT
    absolute = 8 * sqrt(2 * n / eta) * parts * UNIT * parts if alive else 0.0
    norms = np.sqrt((scaled**2).sum(axis=1))
    entries = np.ldexp(vector, powers)
    return Form(alive, want, matrix, entries, scaled, norms, base, relative, absolute)


def survivors_form(encoding: Floats) -> Form:
    """Return the form on sets of survivors: error = K − φ(A), Q = EEᵀ, c = E1.

    Examples
    --------
    >>> form = survivors_form(np.eye(3))
    >>> form.alive, form.base, form.vector.tolist()
    (True, 3.0, [1.0, 1.0, 1.0])
    """
    n, parts = encoding.shape
    eta = max(LOWERED, 16 * n * (n + parts + 8) * UNIT)
    gram, vector = encoding @ encoding.T, encoding.sum(axis=1)
    return _scaled(gram, vector, encoding, alive=True, want=1, base=float(parts), eta=eta)


def silent_form(encoding: Floats) -> Form | None:
    """Return the form on sets of silent workers; None where rounding leaves nothing of it.

    Examples
    --------
    >>> form = silent_form(np.eye(3))
    >>> form.alive, form.base < 1e-9
    (False, True)
    """
    n, parts = encoding.shape
    gram = encoding @ encoding.T
    size = float(np.abs(gram).sum(axis=1).max(initial=0.0)) or 1.0
    eta = max(LOWERED, 16 * n * (n + 8) * UNIT)
    for ridge in (RIDGES * size).tolist():
        shifted = gram + ridge * np.eye(n)
        inverse = np.linalg.inv(shifted)
        inverse = (inverse + inverse.T) / 2
        if _is_inverse(gram, shifted, inverse, ridge, parts, eta):
            vector = inverse @ encoding.sum(axis=1)
            base = _base(encoding, vector, ridge)
            return _scaled(inverse, vector, encoding, alive=False, want=1, base=base, eta=eta)
    return None


def silent_attack_form(encoding: Floats) -> Form:
    """Return the form on sets of silent workers with any inverse: for attacks, which are judged.

    Examples
    --------
    >>> silent_attack_form(np.zeros((2, 3))).size
    2
    """
    gram = encoding @ encoding.T
    size = float(np.abs(gram).sum(axis=1).max(initial=0.0)) or 1.0
    inverse = np.linalg.inv(gram + ATTACK_RIDGE * size * np.eye(len(gram))).astype(np.float64)
    vector = inverse @ encoding.sum(axis=1)
    return _scaled(inverse, vector, encoding, alive=False, want=1, base=0.0, eta=LOWERED)


def silent_lower_form(encoding: Floats) -> Form | None:
    """Return a form that bounds the error of silent workers from below.

    It needs independent workers: with G⁻¹ within τ of Q, Q + τI is above G⁻¹ and φ of it is less
    than the error's. c − G⁻¹E1 = G⁻¹s moves √φ by at most ‖G⁻¹‖‖s‖√‖G‖. None where rounding
    leaves nothing of that.
    """
    n, parts = encoding.shape
    gram = encoding @ encoding.T
    try:
        inverse = np.linalg.inv(gram)
    except np.linalg.LinAlgError:
        return None
    inverse = (inverse + inverse.T) / 2
    off, length = _distance(gram, gram, inverse, parts), float(np.linalg.norm(inverse))
    if not off < 0.25:
        return None
    tau = length * off / (1 - off)
    eta = max(LOWERED, 16 * n * (n + 8) * UNIT) + 4 * tau / float(np.diag(inverse).min())
    vector = inverse @ encoding.sum(axis=1)
    _, steep = _remainders(encoding, vector)
    moved = length / (1 - off) * steep * sqrt(float(np.linalg.norm(gram)))
    if eta > BLUR or moved > BLUR:
        return None
    form = _scaled(inverse, vector, encoding, alive=False, want=-1, base=0.0, eta=eta)
    return replace(form, absolute=2 * sqrt(parts) * moved)


def _is_inverse(
    gram: Floats, shifted: Floats, inverse: Floats, ridge: float, parts: int, eta: float
) -> bool:
    """Prove ‖Ψ‖ ‖Q⁻¹‖ ≤ ε/2, and that η leaves every pivot positive."""
    off = _distance(gram, shifted, inverse, parts)
    if not off < 0.25:
        return False
    opposite = (float(np.abs(shifted).sum(axis=1).max(initial=0.0)) + ridge) / (1 - off)
    least = 1 / (opposite * float(np.diag(inverse).max(initial=0.0)))
    return 2.1 * off * opposite <= ridge and 8 * eta <= least


def _distance(gram: Floats, shifted: Floats, inverse: Floats, parts: int) -> float:
    """Return a bound on ‖I − AQ‖, A the matrix that was meant, ``shifted`` what is known of it."""
    n = len(gram)
    length = float(np.linalg.norm(inverse))
    off = float(np.linalg.norm(np.eye(n) - shifted @ inverse))
    off += (n + 3) * UNIT * float(np.linalg.norm(shifted)) * length
    return off + (parts + 1) * UNIT * float(np.trace(gram)) * length


def _base(encoding: Floats, vector: Floats, ridge: float) -> float:
    """Return ‖r‖² + 2‖s‖²/ε, rounding included."""
    far, steep = _remainders(encoding, vector)
    return (far**2 + 2 * steep**2 / ridge) * (1 + 8 * UNIT)


def _remainders(encoding: Floats, vector: Floats) -> tuple[float, float]:
    """Return bounds on ‖r‖ and ‖s‖, r = Eᵀc − 1 and s = Er."""
    n, parts = encoding.shape
    size = np.abs(encoding)
    rest = encoding.T @ vector - 1
    blur = (n + 4) * UNIT * (size.T @ np.abs(vector) + 1)
    slope = encoding @ rest
    blurred = size @ blur + (parts + 4) * UNIT * (size @ np.abs(rest))
    more = 1 + (n + parts) * UNIT
    far = float(np.linalg.norm(rest) + np.linalg.norm(blur)) * more
    return far, float(np.linalg.norm(slope) + np.linalg.norm(blurred)) * more
