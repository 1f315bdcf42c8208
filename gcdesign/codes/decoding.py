"""Optimal decoding: the weights v that bring E_Fᵀ v nearest to the all-ones vector."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.exact import MAX_SURVIVORS, least_squares

if TYPE_CHECKING:
    from gcdesign.codes.code import GradientCode

MAX_DENSE_ENTRIES = 16_000_000
"""Largest E_F that is solved densely; larger ones go to an iterative sparse solver."""


@dataclass(frozen=True)
class Decoding:
    """Decoding weights for one set of stragglers, and what they lose.

    Attributes
    ----------
    silenced
        The silenced workers, in increasing order.
    weights
        Shape (N,): the decoding vector, 0 at silenced workers.
    error
        err = ‖E_Fᵀ v − 1‖² (squared), with floating-point tolerance ``tolerance``.
    error_exact
        The error as a fraction, for 0/1 codes; None where it was not computed.
    method
        How the weights were found.
    tolerance
        Absolute tolerance of ``error``; 0 if it is the float nearest to ``error_exact``.
    """

    silenced: tuple[int, ...]
    weights: NDArray[np.float64] = field(repr=False)
    error: float
    error_exact: Fraction | None
    method: str
    tolerance: float


def decode(code: GradientCode, silenced: Iterable[int]) -> Decoding:
    """Decode optimally when some workers are silent.

    Closed form where the placement's structure gives one; else least squares, in exact
    fractions for 0/1 codes with at most `MAX_SURVIVORS` survivors, in floating point beyond.

    Parameters
    ----------
    code
        The gradient code.
    silenced
        The silenced workers, 0-based.

    Raises
    ------
    InputError
        If a worker is out of range or named twice.

    Notes
    -----
    Source: Kadhe, Koyluoglu, Ramchandran 2019, equation for err(E, F); the error is squared.

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
    weights = np.zeros(code.workers)
    alive = np.flatnonzero(~mask)
    if code.weights is None and len(alive) <= MAX_SURVIVORS:
        rows = code.placement.design.incidence[alive].toarray().astype(np.int64)
        solution, error = least_squares(rows)
        weights[alive] = [float(w) for w in solution]
        return Decoding(gone, weights, float(error), error, "exact least squares", 0.0)
    weights[alive], method = _floating_least_squares(code, alive)
    residual = code.encoding.T @ weights - 1
    scale = float((abs(code.encoding).T @ np.abs(weights)).max(initial=1.0))
    tolerance = 1e-9 * max(1.0, scale) * max(1, code.parts)
    return Decoding(gone, weights, float(residual @ residual), None, method, tolerance)


def _floating_least_squares(
    code: GradientCode, alive: NDArray[np.int64]
) -> tuple[NDArray[np.float64], str]:
    rows = code.encoding[alive]
    ones = np.ones(code.parts)
    if len(alive) == 0:
        return np.zeros(0), "no survivor"
    if rows.shape[0] * rows.shape[1] <= MAX_DENSE_ENTRIES:
        solution = np.linalg.lstsq(rows.toarray().T, ones, rcond=None)[0]
        return solution, "least squares (LAPACK gelsd)"
    from scipy.sparse.linalg import lsmr

    solution = lsmr(rows.T, ones, atol=1e-12, btol=1e-12, maxiter=20 * len(alive))[0]
    return solution, "sparse least squares (LSMR)"
