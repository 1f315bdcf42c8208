"""Stochastic gradient codes: the sum of what arrives is right in the mean, and nothing is decoded.

Worker i sends Σ_j g_j/(d_j(1 − p)) over its parts, d_j the number of holders of part j. If each
worker is silent with probability p by itself, the sum of the answers has mean Σ_j g_j.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.code import GradientCode
from gcdesign.codes.placement import Placement
from gcdesign.errors import InputError


def stochastic_code(placement: Placement, probability: Fraction | float) -> GradientCode:
    """Return the code with weights 1/(d_j(1 − p)), to be decoded with ``decoder="sum"``.

    Parameters
    ----------
    placement
        Who holds what; pairwise balanced placements have the smallest errors.
    probability
        The probability p with which each worker is silent, 0 ≤ p < 1.

    Raises
    ------
    InputError
        If the probability is out of its domain.

    Notes
    -----
    Source: Bitar, Wootters, El Rouayheb 2020 (stochastic gradient coding).

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> code = stochastic_code(Placement(projective_geometry(2)), 0.5)
    >>> code.decode([0, 1, 3], decoder="sum").weights.tolist()
    [0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0]
    """
    _check(probability)
    scale = placement.replications[placement.design.indices] * (1 - float(probability))
    return GradientCode(placement, 1 / scale)


def stochastic_error(placement: Placement, probability: Fraction | float) -> Fraction:
    """Return the mean of ‖E_Fᵀ 1 − 1‖², p/(1 − p) Σ 1/d_j; a part without holders loses 1.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> stochastic_error(Placement(projective_geometry(2)), Fraction(1, 4))
    Fraction(7, 9)
    """
    _check(probability)
    odds = Fraction(probability) / (1 - Fraction(probability))
    counts = np.unique(placement.replications, return_counts=True)
    return sum(
        (n * (odds / d if d else 1) for d, n in zip(*(c.tolist() for c in counts), strict=True)),
        Fraction(0),
    )


def stochastic_gradient_error(
    placement: Placement, probability: float, gradients: NDArray[np.float64]
) -> float:
    """Return the mean squared error of the sum for given gradients of the parts.

    It is p/(1 − p) Σ_ij |W_i ∩ W_j|/(d_i d_j) ⟨g_i, g_j⟩, W_i the holders of part i; a part
    without holders is not part of the sum that is meant.

    Parameters
    ----------
    placement, probability
        As in `stochastic_code`.
    gradients
        Shape (K, dimension): the gradient of each part.

    Raises
    ------
    InputError
        If the gradients are not one row a part.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> placement = Placement(projective_geometry(2))
    >>> round(stochastic_gradient_error(placement, 0.25, np.eye(7)), 12)
    0.777777777778
    """
    _check(probability)
    gradients = np.asarray(gradients, dtype=np.float64)
    if gradients.ndim != 2 or len(gradients) != placement.parts:
        raise InputError(f"gradients of shape {gradients.shape}; expected {placement.parts} rows")
    holders = np.maximum(placement.replications, 1)
    arriving = placement.design.incidence.astype(np.float64) @ (gradients / holders[:, None])
    return float(probability / (1 - probability) * (arriving**2).sum())


def _check(probability: Fraction | float) -> None:
    if not 0 <= probability < 1:
        raise InputError(f"probability={probability}; expected 0 or more and less than 1")
