"""Upper bounds of the worst error with a certificate in whole numbers, of kind ``multiplier``.

A multiplier W = ((S − 1) diag(D) − V)/d in whole numbers d, D, V with V_ij² ≤ D_i D_j has
zᵀWz ≥ 0 wherever z has at most S non-zero entries; with [[I − EᵀWE, 1], [1ᵀ, b]] positive
semidefinite no S silent workers cost more than b. ``docs/certificates.md`` has the proof.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np

from gcdesign.adversary.evidence import Proof
from gcdesign.adversary.relaxations.definite import EPSILON, Matrix, corner, rounded_up
from gcdesign.adversary.relaxations.quadratic import normalised_rows, product_radius
from gcdesign.adversary.relaxations.splitting import Multiplier
from gcdesign.codes import GradientCode

BITS = 32
"""Bits of the greatest D, counted for workers whose rows are of length about 1."""

SHRINKS = (1.0, 1 - 1e-9, 1 - 1e-8, 1 - 1e-7, 1 - 1e-6, 1 - 1e-5, 1 - 1e-4, 0.999, 0.99, 0.9, 0.5)
"""Parts of the multiplier that are tried until one is proved."""


def certified(
    code: GradientCode, stragglers: int, multiplier: Multiplier
) -> tuple[Fraction, Proof]:
    """Return a proved upper bound of err_S, and the proof in whole numbers.

    Parameters
    ----------
    code, stragglers
        The code and S.
    multiplier
        Any D ≥ 0 and V in the scale of `quadratic.normalised_rows`; the better they are, the
        better the bound. With none of it the bound is K.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> code = GradientCode.from_design(projective_geometry(2))
    >>> bound, proof = certified(code, 3, Multiplier(np.zeros(7), np.zeros((7, 7))))
    >>> round(float(bound), 6), sorted(proof)
    (7.0, ['by', 'diagonal', 'off_diagonal', 'scale'])
    """
    encoding, powers = normalised_rows(code)
    best: tuple[Fraction, Proof] | None = None
    for part in SHRINKS:
        whole = _whole(multiplier, part, powers.tolist())
        found = _corner(encoding, _as_floats(whole, stragglers, powers))
        if found is not None and (best is None or found < best[0]):
            best = found, _proof(whole)
        elif best is not None:
            break
    if best is None:
        nothing = Multiplier(np.zeros(len(powers)), np.zeros((len(powers), len(powers))))
        best = Fraction(code.parts), _proof(_whole(nothing, 1.0, powers.tolist()))
    return best


def _corner(encoding: Matrix, multiplier: Matrix) -> Fraction | None:
    """Return b for W in floats, each entry true to a relative 2⁻⁵³."""
    gap = np.eye(encoding.shape[1]) - encoding.T @ multiplier @ encoding
    gap = (gap + gap.T) / 2
    radius = product_radius(encoding.T, multiplier, encoding) + 4 * EPSILON * len(gap)
    found = corner(gap, np.ones(len(gap)), radius=radius)
    return None if found is None else rounded_up(found)


Whole = tuple[int, list[int], list[list[int]]]
"""The exponent of the scale, D, and the rows of V's strict lower triangle."""


def _whole(multiplier: Multiplier, part: float, powers: list[int]) -> Whole:
    """Round to whole numbers, for the rows of E as they are: D upwards, V towards 0."""
    greatest = float(multiplier.levels.max(initial=0.0))
    exponent = BITS - 2 * min(powers, default=0)
    exponent -= int(np.frexp(greatest)[1]) if greatest > 0 else 0
    exponent = max(exponent, 0)
    levels = (multiplier.levels * part).tolist()
    diagonal = [
        -int(-Fraction(level) * _power(exponent + 2 * power) // 1)
        for level, power in zip(levels, powers, strict=True)
    ]
    entries = multiplier.off * part
    if len(set(diagonal)) == 1 and len(set(powers)) == 1 and diagonal[0] < 2**50:
        sizes = np.trunc(np.ldexp(np.abs(entries), exponent + 2 * powers[0]))
        signed = np.minimum(sizes, diagonal[0]) * np.where(entries > 0, -1, 1)
        whole = signed.astype(np.int64).tolist()
        return exponent, diagonal, [row[:i] for i, row in enumerate(whole)]
    rows = entries.tolist()
    lower = [
        [
            _towards(rows[i][j], exponent + powers[i] + powers[j], isqrt(diagonal[i] * diagonal[j]))
            for j in range(i)
        ]
        for i in range(len(powers))
    ]
    return exponent, diagonal, lower


def _power(exponent: int) -> Fraction:
    return Fraction(2**exponent) if exponent >= 0 else Fraction(1, 2**-exponent)


def _towards(entry: float, exponent: int, most: int) -> int:
    """Return −entry · 2^exponent rounded towards 0, at most ``most`` in size: an entry of V."""
    size = int(abs(Fraction(entry)) * _power(exponent))
    return min(size, most) * (-1 if entry > 0 else 1)


def _as_floats(whole: Whole, stragglers: int, powers: Any) -> Matrix:
    """Return W for the normalised rows: ((S − 1)D − V)/d, entry (i, j) over 2^(p_i + p_j)."""
    exponent, diagonal, lower = whole
    n = len(diagonal)
    matrix = np.zeros((n, n))
    for i in range(n):
        matrix[i, :i] = [-float(entry) for entry in lower[i]]
    matrix += matrix.T
    matrix[np.diag_indices(n)] = [float((stragglers - 1) * entry) for entry in diagonal]
    scaled: Matrix = np.ldexp(matrix, -(exponent + powers[:, None] + powers[None, :]))
    return scaled


def _proof(whole: Whole) -> Proof:
    exponent, diagonal, lower = whole
    return {
        "by": "multiplier",
        "scale": 2**exponent,
        "diagonal": diagonal,
        "off_diagonal": [entry for row in lower for entry in row],
    }
