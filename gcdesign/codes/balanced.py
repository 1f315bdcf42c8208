"""A balanced design as a gradient code, known from its parameters before it is built."""

from __future__ import annotations

from fractions import Fraction

from gcdesign.errors import InputError


def guaranteed_error(v: int, k: int, lambda_: int, stragglers: int) -> Fraction:
    """Return a bound on err_S that holds for every 2-(v, k, λ) design with blocks as workers.

    With N = b, K = v, L = k, R = r and σ₂² = r − λ, constant decoding weights give
    err_S ≤ Kσ₂²S/(RL(N − S) + σ₂²S), and K if all are silent. For a symmetric design it is the
    error itself.

    Parameters
    ----------
    v, k, lambda_
        Parameters of a design, for which r and b are whole.
    stragglers
        S, from 0 to b.

    Raises
    ------
    InputError
        If there are not so many workers.

    Notes
    -----
    Source: Raviv, Tamo, Tandon, Dimakis 2020, with the best constant weights; the eigenvalues
    of a balanced design's incidence matrix are rk and r − λ.

    Examples
    --------
    >>> guaranteed_error(31, 6, 1, 10)
    Fraction(25, 13)
    """
    r = lambda_ * (v - 1) // (k - 1)
    b = v * r // k
    if not 0 <= stragglers <= b:
        raise InputError(f"stragglers={stragglers}; expected 0 to N={b}")
    second = (r - lambda_) * stragglers
    below = r * k * (b - stragglers) + second
    return Fraction(v * second, below) if below and stragglers < b else Fraction(v)
