"""Decoding: weights v that bring E_Fᵀ v near to the all-ones vector, the optimal ones nearest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.exact import MAX_SURVIVORS, least_squares
from gcdesign.errors import InputError

if TYPE_CHECKING:
    from gcdesign.codes.code import GradientCode

DecoderName = Literal["optimal", "one-step", "constant", "sum"]
"""``optimal``: least squares, in closed form where there is one. ``one-step``: every survivor
weighted K/(fL), fixed ahead. ``constant``: every survivor weighted alike, as is best for this
set. ``sum``: every survivor weighted 1, no decoding at all."""

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
    cost
        Number of additions and multiplications, by its leading term, that finding the weights
        takes: N where there is a closed form, K + N for components of a graph, 2f²K for
        dense least squares, f² for interpolation, 4 a nonzero entry and iteration for LSMR, f³
        operations on fractions for exact least squares. Adding up the workers' answers, f for each
        coordinate of a gradient, comes on top and is the same for all.
    condition
        How much rounding or noise in the workers' answers may be magnified in the decoded sum:
        Σ|v_i E_ij| / Σ_j |Σ_i v_i E_ij|, the condition number of a sum (Higham 2002, §4.2);
        1 is the least, and is attained where no two terms cancel.
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
    cost: int
    condition: float
    notice: str | None = None

    def __post_init__(self) -> None:
        self.weights.flags.writeable = False


def decode(
    code: GradientCode,
    silenced: Iterable[int],
    *,
    decoder: DecoderName = "optimal",
    exact: bool = True,
) -> Decoding:
    """Decode when some workers are silent.

    Optimal decoding takes a closed form where the placement's structure gives one, or the
    components of a graph; else least squares, in exact fractions for 0/1 codes with at most
    `MAX_SURVIVORS` survivors, in floating point beyond.

    Parameters
    ----------
    code
        The gradient code.
    silenced
        The silenced workers, 0-based.
    decoder
        Optimal by default; the others are described at `DecoderName`.
    exact
        Whether least squares may be solved in fractions, which takes seconds for hundreds of
        survivors.

    Raises
    ------
    InputError
        If a worker is out of range or named twice, there is no such decoder, or one-step
        decoding is asked of a code with real weights.

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
    if decoder != "optimal":
        check_decoder(decoder)
        from gcdesign.codes.onestep import decode_alike

        return decode_alike(code, mask, decoder)
    structure = code.structure
    if structure is not None:
        return closed_decoding(
            code, mask, structure.weights(mask), structure.error(mask), structure.name
        )
    if code.graph is not None:
        weights, error = code.graph.decode(mask)
        return closed_decoding(code, mask, weights, error, code.graph.name, extra=code.parts)
    return _solved(code, mask, exact=exact)


def check_decoder(name: str) -> None:
    """Refuse a decoder that there is not."""
    if name not in get_args(DecoderName):
        raise InputError(f"decoder={name!r}; expected {', '.join(get_args(DecoderName))}")


def closed_decoding(
    code: GradientCode,
    mask: NDArray[np.bool_],
    weights: NDArray[np.float64],
    error: Fraction,
    method: str,
    *,
    extra: int = 0,
) -> Decoding:
    """Return the decoding whose error is known as a fraction, found in N and ``extra`` steps."""
    return Decoding(
        tuple(np.flatnonzero(mask).tolist()),
        weights,
        float(error),
        error,
        method,
        0.0,
        code.workers + extra,
        condition_of(code, weights),
    )


def condition_of(code: GradientCode, weights: NDArray[Any]) -> float:
    """Return the condition number of the decoded sum, Σ|v_i E_ij| / Σ_j |Σ_i v_i E_ij|.

    Of complex weights the real part of the sum is what is decoded.

    Examples
    --------
    >>> from gcdesign.codes import GradientCode
    >>> code = GradientCode.from_matrix([[0.5, 1, 0], [0, 1, -1], [0.5, 0, 1]])
    >>> condition_of(code, np.array([2.0, -1.0, 0.0]))
    1.6666666666666667
    """
    if code.weights is None and not (weights < 0).any():
        return 1.0
    encoding = code.encoding
    terms = float(np.abs(weights) @ abs(encoding).sum(axis=1))
    total = float(np.abs((encoding.T @ weights).real).sum())
    return max(1.0, terms / total) if total else 1.0


def _solved(code: GradientCode, mask: NDArray[np.bool_], *, exact: bool) -> Decoding:
    weights = np.zeros(code.workers, dtype=complex if code.is_complex else float)
    alive = np.flatnonzero(~mask)
    if exact and code.weights is None and len(alive) <= MAX_SURVIVORS:
        rows = code.placement.design.incidence[alive].toarray().astype(np.int64)
        solution, fraction = least_squares(rows)
        weights[alive] = [float(w) for w in solution]
        found = closed_decoding(code, mask, weights, fraction, "exact least squares")
        return replace(found, cost=len(alive) ** 3)
    solved = _floating_least_squares(code, alive)
    weights[alive] = solved.weights
    return Decoding(
        tuple(np.flatnonzero(mask).tolist()),
        weights,
        solved.error,
        None,
        solved.method,
        solved.tolerance,
        solved.cost,
        condition_of(code, weights),
        beyond_design(code, len(mask) - len(alive)),
    )


def beyond_design(code: GradientCode, stragglers: int) -> str | None:
    """Return a warning if a code was made for fewer stragglers than there are."""
    if code.tolerates is None or code.promises(stragglers):
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
    cost: int

    @classmethod
    def of(cls, rows: Any, weights: NDArray[Any], method: str, cost: int) -> _Solution:
        """Return what these weights lose, and how far rounding may have moved it.

        The weights are the best ones for rows that differ from the true ones by `ROUNDING`.
        """
        residual = rows.T @ weights - 1
        error = float(residual @ residual)
        norms = np.sqrt(np.asarray((rows * rows).sum(axis=1)).ravel())
        size = float(np.abs(weights) @ norms) + sqrt(rows.shape[1])
        drift = ROUNDING * max(rows.shape) * size
        return cls(weights, error, 2 * sqrt(error) * drift + drift**2, method, cost)


def _floating_least_squares(code: GradientCode, alive: NDArray[np.int64]) -> _Solution:
    if len(alive) == 0:
        return _Solution(np.zeros(0), float(code.parts), 0.0, "no survivor", 0)
    rows = code.encoding[alive]
    powers = level(abs(rows).max(axis=1).toarray().ravel())
    rows.data = rows.data * np.ldexp(1.0, np.repeat(powers, np.diff(rows.indptr)))
    if code.is_complex:  # every worker sends two real messages, levelled as one
        from scipy.sparse import vstack

        rows = vstack([rows.real, -rows.imag], format="csr")
    found = _interpolated(code, alive, rows, powers)
    if found is None or found.error > INTERPOLATED**2:
        solved = _solve(rows)
        found = solved if found is None or solved.error < found.error else found
    weights = found.weights
    if code.is_complex:
        weights = weights[: len(alive)] + 1j * weights[len(alive) :]
    weights = weights * np.ldexp(1.0, powers)
    return replace(found, weights=weights)


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
    return _Solution.of(rows, both, "Lagrange interpolation at 0", needed**2)


def _solve(rows: Any) -> _Solution:
    dense = rows.shape[0] * rows.shape[1] <= MAX_DENSE_ENTRIES
    return _dense_least_squares(rows.toarray()) if dense else _sparse_least_squares(rows)


def _dense_least_squares(rows: NDArray[np.float64]) -> _Solution:
    ones = np.ones(rows.shape[1])
    weights, _, _, singular = np.linalg.lstsq(rows.T, ones, rcond=DEPENDENT)
    cost = 2 * min(rows.shape) ** 2 * max(rows.shape)
    found = _Solution.of(rows, weights, "least squares (LAPACK gelsd)", cost)
    parts_of_greatest = singular / max(singular.max(initial=0.0), 1e-300)
    noise = ROUNDING * max(rows.shape)
    if not ((parts_of_greatest < DEPENDENT) & (parts_of_greatest > noise)).any():
        return found
    # Are these workers dependent or not? The error lies between the two answers.
    other = _Solution.of(rows, np.linalg.lstsq(rows.T, ones, rcond=noise)[0], found.method, cost)
    least = max(0.0, other.error - other.tolerance)
    tolerance = max(found.tolerance, found.error - least)
    return replace(found, tolerance=tolerance)


def _sparse_least_squares(rows: Any) -> _Solution:
    from scipy.sparse.linalg import lsmr

    ones = np.ones(rows.shape[1])
    answer = lsmr(rows.T, ones, atol=1e-12, btol=1e-12, maxiter=20 * rows.shape[0])
    weights, steps, gradient, norm, condition = answer[0], answer[2], *answer[4:7]
    found = _Solution.of(rows, weights, "sparse least squares (LSMR)", 4 * rows.nnz * int(steps))
    unconverged = (gradient * condition / max(norm, 1e-300)) ** 2
    return replace(found, tolerance=found.tolerance + unconverged)
