"""Decoding with one weight for all survivors: fixed ahead, the best for the set, or 1."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.code import GradientCode
from gcdesign.codes.decoding import Decoding, closed_decoding, condition_of
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
    weight = one_step_weight(code, int(silenced.sum()))
    return _error_of(weight, surviving_copies(code, silenced))


def surviving_copies(code: GradientCode, silenced: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return E_Fᵀ 1 of a 0/1 code: the number of survivors that hold each part."""
    design = code.placement.design
    alive = ~silenced[design.block_of_incidence]
    return np.bincount(design.indices[alive], minlength=design.v)


def _error_of(weight: Fraction, copies: NDArray[np.int64]) -> Fraction:
    squares, total = int((copies**2).sum()), int(copies.sum())
    return weight**2 * squares - 2 * weight * total + len(copies)


def decode_alike(
    code: GradientCode,
    silenced: NDArray[np.bool_],
    decoder: Literal["one-step", "constant", "sum"],
) -> Decoding:
    """Decode with one weight for all survivors; see `gcdesign.codes.decoding.DecoderName`.

    The best constant weight for a set is Σ_j c_j / Σ_j c_j², c = E_Fᵀ 1.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> code = GradientCode.from_design(projective_geometry(2))
    >>> decode_alike(code, code.placement.mask([0]), "constant").error_exact
    Fraction(1, 4)
    """
    if decoder == "one-step":
        require_zero_one(code)
    if code.is_complex:
        raise InputError("complex weights; one weight for all is for real codes")
    if code.weights is not None:
        return _decode_real(code, silenced, best=decoder == "constant")
    copies = surviving_copies(code, silenced)
    weight = Fraction(1)
    if decoder == "one-step":
        weight = one_step_weight(code, int(silenced.sum()))
    elif decoder == "constant" and copies.any():
        weight = Fraction(int(copies.sum()), int((copies**2).sum()))
    weights = np.where(silenced, 0.0, float(weight))
    error = _error_of(weight, copies)
    return closed_decoding(
        code, silenced, weights, error, _NAMES[decoder], extra=code.placement.design.incidences
    )


_NAMES = {
    "one-step": "one weight, fixed ahead",
    "constant": "one weight, the best for this set",
    "sum": "weight 1, no decoding",
}


def _decode_real(code: GradientCode, silenced: NDArray[np.bool_], *, best: bool) -> Decoding:
    """Decode a code with real weights: the best constant, or 1."""
    arrived = code.encoding.T @ (~silenced).astype(np.float64)
    squares = float(arrived @ arrived)
    weight = float(arrived.sum()) / squares if best and squares else 1.0
    weights = np.where(silenced, 0.0, weight)
    residual = weight * arrived - 1
    error = float(residual @ residual)
    incidences = code.placement.design.incidences
    size = float(np.abs(weights) @ abs(code.encoding).sum(axis=1)) + code.parts
    return Decoding(
        tuple(np.flatnonzero(silenced).tolist()),
        weights,
        error,
        None,
        _NAMES["constant" if best else "sum"],
        2.0**-50 * (code.workers + code.parts) * size * (1 + error**0.5),
        code.workers + incidences,
        condition_of(code, weights),
    )


def require_zero_one(code: GradientCode) -> None:
    """Refuse a code with real weights."""
    if code.weights is not None:
        raise InputError("one-step decoding needs a 0/1 code, and this one has other weights")
