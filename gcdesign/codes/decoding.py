"""Optimal decoding: the weights v that bring E_Fᵀ v nearest to the all-ones vector."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.exact import MAX_SURVIVORS, least_squares

if TYPE_CHECKING:
    from gcdesign.codes.code import GradientCode

MAX_DENSE_ENTRIES = 16_000_000
"""Largest E_F that is solved densely; larger ones go to an iterative sparse solver."""

DEPENDENT = 1e-11
"""Combinations of levelled workers with a singular value below this part of the greatest are
not decoded with: they would need weights 10¹¹ times the others."""

INTERPOLATED = 1e-9
"""Largest residual ‖E_Fᵀv − 1‖ of an interpolation with which least squares are not tried."""

ROUNDING = 2.0**-49
"""Times the longer side: the relative size of what rounding may do to a worker's row."""


@dataclass(frozen=True, eq=False)
class Decoding:
    """Decoding weights for one set of stragglers, and what they lose.

    Attributes
    ----------
    silenced
        The silenced workers, in increasing order.
    weights
        Shape (N,), read-only: the decoding vector v, 0 at silenced workers. Of a complex code
        it is complex, and the gradient is the real part of Σ_i v_i × (what worker i sent).
    error
        err = ‖E_Fᵀ v − 1‖² (squared), with floating-point tolerance ``tolerance``.
    error_exact
        The error as a fraction, for 0/1 codes; None where it was not computed.
    method
        How the weights were found.
    tolerance
        Absolute tolerance of ``error``; 0 if it is the float nearest to ``error_exact``. It is
        large where workers are so nearly dependent that floats do not decide the error.
    notice
        A warning for people: that more workers are silent than the code was made for. None if
        there is nothing to say.
    """

    silenced: tuple[int, ...]
    weights: NDArray[np.float64] = field(repr=False)
    error: float
    error_exact: Fraction | None
    method: str
    tolerance: float
    notice: str | None = None

    def __post_init__(self) -> None:
        self.weights.flags.writeable = False


def decode(code: GradientCode, silenced: Iterable[int], *, exact: bool = True) -> Decoding:
    """Decode optimally when some workers are silent.

    Closed form where the placement's structure gives one; else least squares, in exact
    fractions for 0/1 codes with at most `MAX_SURVIVORS` survivors, in floating point beyond.

    Parameters
    ----------
    code
        The gradient code.
    silenced
        The silenced workers, 0-based.
    exact
        Whether least squares may be solved in fractions, which takes seconds for hundreds of
        survivors.

    Raises
    ------
    InputError
        If a worker is out of range or named twice.

    Notes
    -----
    Source: Kadhe, Koyluoglu, Ramchandran 2019, equation for err(E, F); the error is squared.

    In floating point, workers that depend on others but for the rounding of their entries count
    as dependent. Where that cannot be told from `DEPENDENT`, the tolerance covers both answers.

    Examples
    --------
    >>> from gcdesign.codes import GradientCode
    >>> from gcdesign.designs import affine_geometry
    >>> decode(GradientCode.from_design(affine_geometry(3)), [0, 1, 3, 6, 9]).error_exact
    Fraction(6, 5)
    """
    mask = code.placement.mask(silenced)
    gone = tuple(np.flatnonzero(mask).tolist())
    structure = code.structure
    if structure is not None:
        error = structure.error(mask)
        weights = np.array([float(w) for w in structure.weights(mask)])
        return Decoding(gone, weights, float(error), error, structure.name, 0.0)
    weights = np.zeros(code.workers, dtype=complex if code.is_complex else float)
    alive = np.flatnonzero(~mask)
    if exact and code.weights is None and len(alive) <= MAX_SURVIVORS:
        rows = code.placement.design.incidence[alive].toarray().astype(np.int64)
        solution, error = least_squares(rows)
        weights[alive] = [float(w) for w in solution]
        return Decoding(gone, weights, float(error), error, "exact least squares", 0.0)
    found = _floating_least_squares(code, alive)
    weights[alive] = found.weights
    notice = beyond_design(code, len(gone))
    return Decoding(gone, weights, found.error, None, found.method, found.tolerance, notice)


def beyond_design(code: GradientCode, stragglers: int) -> str | None:
    """Return a warning if a code was made for fewer stragglers than there are."""
    if code.tolerates is None or stragglers <= code.tolerates:
        return None
    return (
        f"{stragglers} workers are silent and {code.label} was made for {code.tolerates} at most: "
        "nothing is promised, and the error can be near K"
    )


def level(greatest: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return the power of 2 that brings each row, given its greatest entry, to between 1 and 2.

    Workers that send multiples of their rows are decoded with multiples of their weights, so
    that the error stays the same; but in floating point small rows would count as dependent.
    """
    return (1 - np.frexp(greatest)[1]).astype(np.int32)


@dataclass(frozen=True, eq=False)
class _Solution:
    weights: NDArray[Any]
    error: float
    tolerance: float
    method: str

    @classmethod
    def of(cls, rows: Any, weights: NDArray[Any], method: str) -> _Solution:
        """Return what these weights lose, and how far rounding may have moved it.

        The weights are the best ones for rows that differ from the true ones by `ROUNDING`.
        """
        residual = rows.T @ weights - 1
        error = float(residual @ residual)
        norms = np.sqrt(np.asarray((rows * rows).sum(axis=1)).ravel())
        size = float(np.abs(weights) @ norms) + sqrt(rows.shape[1])
        drift = ROUNDING * max(rows.shape) * size
        return cls(weights, error, 2 * sqrt(error) * drift + drift**2, method)


def _floating_least_squares(code: GradientCode, alive: NDArray[np.int64]) -> _Solution:
    if len(alive) == 0:
        return _Solution(np.zeros(0), float(code.parts), 0.0, "no survivor")
    rows = code.encoding[alive]
    powers = level(abs(rows).max(axis=1).toarray().ravel())
    rows.data = rows.data * np.ldexp(1.0, np.repeat(powers, np.diff(rows.indptr)))
    if code.is_complex:  # every worker sends two real messages, levelled as one
        from scipy.sparse import vstack

        rows = vstack([rows.real, -rows.imag], format="csr")
    found = _interpolated(code, alive, rows, powers)
    if found is None or found.error > INTERPOLATED**2:
        solved = _least_squares(rows)
        found = solved if found is None or solved.error < found.error else found
    weights = found.weights
    if code.is_complex:
        weights = weights[: len(alive)] + 1j * weights[len(alive) :]
    weights = weights * np.ldexp(1.0, powers)
    return _Solution(weights, found.error, found.tolerance, found.method)


def _interpolated(
    code: GradientCode, alive: NDArray[np.int64], rows: Any, powers: NDArray[np.int32]
) -> _Solution | None:
    """Interpolate a Reed–Solomon code, if enough workers answered."""
    points = code.evaluation_points
    if points is None or code.tolerates is None or len(alive) < code.workers - code.tolerates:
        return None
    from gcdesign.codes.lagrange import lagrange_weights

    needed = code.workers - code.tolerates
    weights = np.zeros(len(alive), dtype=complex)
    weights[:needed] = lagrange_weights(points[alive[:needed]])
    weights *= np.ldexp(1.0, -powers)
    both = np.concatenate([weights.real, weights.imag]) if code.is_complex else weights.real
    return _Solution.of(rows, both, "Lagrange interpolation at 0")


def _least_squares(rows: Any) -> _Solution:
    dense = rows.shape[0] * rows.shape[1] <= MAX_DENSE_ENTRIES
    return _dense_least_squares(rows.toarray()) if dense else _sparse_least_squares(rows)


def _dense_least_squares(rows: NDArray[np.float64]) -> _Solution:
    ones = np.ones(rows.shape[1])
    weights, _, _, singular = np.linalg.lstsq(rows.T, ones, rcond=DEPENDENT)
    found = _Solution.of(rows, weights, "least squares (LAPACK gelsd)")
    parts_of_greatest = singular / max(singular.max(initial=0.0), 1e-300)
    noise = ROUNDING * max(rows.shape)
    if not ((parts_of_greatest < DEPENDENT) & (parts_of_greatest > noise)).any():
        return found
    # Are these workers dependent or not? The error lies between the two answers.
    other = _Solution.of(rows, np.linalg.lstsq(rows.T, ones, rcond=noise)[0], found.method)
    least = max(0.0, other.error - other.tolerance)
    tolerance = max(found.tolerance, found.error - least)
    return _Solution(weights, found.error, tolerance, found.method)


def _sparse_least_squares(rows: Any) -> _Solution:
    from scipy.sparse.linalg import lsmr

    ones = np.ones(rows.shape[1])
    answer = lsmr(rows.T, ones, atol=1e-12, btol=1e-12, maxiter=20 * rows.shape[0])
    weights, gradient, norm, condition = answer[0], answer[4], answer[5], answer[6]
    found = _Solution.of(rows, weights, "sparse least squares (LSMR)")
    unconverged = (gradient * condition / max(norm, 1e-300)) ** 2
    return _Solution(weights, found.error, found.tolerance + unconverged, found.method)
