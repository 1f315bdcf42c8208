"""One-step decoding: every survivor gets the same weight, fixed before anything arrives."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.code import GradientCode
from gcdesign.errors import InputError


def one_step_weight(code: GradientCode, stragglers: int) -> Fraction:
    """Return ρ = KN/(f · number of copies), which for constant load is K/(fL).

    It makes the mean of ρ E_Fᵀ 1 equal to 1 when stragglers are random; 0 without survivors.

    Notes
    -----
    Source: Charles, Papailiopoulos, Ellenberg 2017, ρ = k/(rs) in their letters.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> one_step_weight(GradientCode.from_design(projective_geometry(2)), 1)
    Fraction(7, 18)
    """
    survivors = code.workers - stragglers
    copies = code.placement.design.incidences
    if survivors == 0 or copies == 0:
        return Fraction(0)
    return Fraction(code.parts * code.workers, survivors * copies)


def one_step_error(code: GradientCode, silenced: NDArray[np.bool_]) -> Fraction:
    """Return ‖ρ E_Fᵀ 1 − 1‖² exactly, for a 0/1 code and a mask of silenced workers.

    Raises
    ------
    InputError
        If the code has real weights: one-step decoding is defined for 0/1 codes.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> code = GradientCode.from_design(projective_geometry(2))
    >>> one_step_error(code, code.placement.mask([0]))
    Fraction(7, 27)
    """
    require_zero_one(code)
    design = code.placement.design
    alive = ~silenced[design.block_of_incidence]
    copies = np.bincount(design.indices[alive], minlength=design.v)
    weight = one_step_weight(code, int(silenced.sum()))
    return weight**2 * int((copies**2).sum()) - 2 * weight * int(copies.sum()) + design.v


def require_zero_one(code: GradientCode) -> None:
    """Refuse a code with real weights."""
    if code.weights is not None:
        raise InputError("one-step decoding needs a 0/1 code, and this one has other weights")
