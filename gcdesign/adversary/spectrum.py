"""A proved upper bound on σ₂², the second eigenvalue of EᵀE, for a biregular placement.

An eigenvalue solver only suggests a value. It is proved by a Cholesky factorisation that runs
to completion, with a margin for all rounding, and made exact where the eigenvalues are few
whole numbers, which one product of matrices proves.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes import Placement

MAX_SIDE = 3000
"""Largest Gram matrix that is factorised: some seconds and 200 MB."""

MAX_SPECTRUM_SIDE = 600
"""Up to this side all eigenvalues are computed, beyond it the second alone, by Lanczos."""

MAX_DISTINCT = 8
"""Most distinct eigenvalues that are tried to be shown whole numbers."""

MARGIN = 1e-9
"""First margin above the suggested value, relative to σ₁² = RL."""


def second_squared(placement: Placement) -> Fraction | None:
    """Return σ₂² or a little more, proved; None if not biregular, or too large.

    σ²I − EᵀE + (RL/K)J is positive semidefinite for the σ² returned.

    Examples
    --------
    >>> from gcdesign.designs import BlockDesign
    >>> square = BlockDesign.from_blocks([[0, 1], [1, 2], [2, 3], [0, 3]], points=4)
    >>> second_squared(Placement(square))
    Fraction(2, 1)
    """
    load, replication = placement.load, placement.replication
    side = min(placement.workers, placement.parts)
    if load is None or replication is None or not 2 <= side <= MAX_SIDE:
        return None
    gram = _gram(placement)
    top = load * replication
    spectrum: list[float] | None = None
    if side <= MAX_SPECTRUM_SIDE:
        spectrum = np.linalg.eigvalsh(gram).tolist()
    estimate = spectrum[-2] if spectrum is not None else _lanczos(gram, top)
    for exponent in range(4):
        value = max(estimate, 0.0) + MARGIN * 10.0**exponent * max(top, 1)
        if _is_proved(gram, top, value):
            exact = None if spectrum is None else _whole_eigenvalue(gram, spectrum, value)
            return Fraction(value) if exact is None else Fraction(exact)
    return None


def _gram(placement: Placement) -> NDArray[np.float64]:
    """Return EᵀE or EEᵀ, whichever is smaller: the second eigenvalue is the same."""
    incidence = placement.design.incidence.astype(np.float64)
    wide = placement.workers <= placement.parts
    dense: NDArray[np.float64] = (
        incidence @ incidence.T if wide else incidence.T @ incidence
    ).toarray()
    return dense


def _lanczos(gram: NDArray[np.float64], top: int) -> float:
    """Return the largest eigenvalue beside that of the all-ones vector: an estimate from below."""
    from scipy.sparse.linalg import LinearOperator, eigsh

    side = len(gram)
    mean = top / side
    deflated = LinearOperator(
        gram.shape, matvec=lambda x: gram @ x - mean * x.sum(), dtype=np.float64
    )
    start = np.random.default_rng(0).standard_normal(side)
    values = eigsh(deflated, k=1, which="LA", v0=start, return_eigenvectors=False, tol=1e-12)
    return float(values[0])


def _is_proved(gram: NDArray[np.float64], top: int, value: float) -> bool:
    """Whether value·I − G + (RL/side)J is positive definite, all rounding covered.

    Notes
    -----
    Source: Rump 2006, verification of positive definiteness: a Cholesky factorisation of
    A − cI that runs to completion with c ≥ (n + 1)u/(1 − (n + 1)u) tr A proves it.
    """
    side = len(gram)
    matrix = top / side - gram
    own = np.arange(side)
    matrix[own, own] += value
    unit = np.finfo(np.float64).eps
    rounding = 4 * side * unit * float(np.abs(matrix).max())
    matrix[own, own] -= (side + 2) * unit * float(np.trace(matrix)) + rounding
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True


def _whole_eigenvalue(gram: NDArray[np.float64], spectrum: list[float], most: float) -> int | None:
    """Return the greatest eigenvalue up to ``most`` if all are whole numbers, provably.

    They are if the product of G − θI over the rounded eigenvalues θ is zero.
    """
    whole = sorted({round(value) for value in spectrum})
    if len(whole) > MAX_DISTINCT or max(abs(v - round(v)) for v in spectrum) > 1e-6:
        return None
    if float(2 * whole[-1] + 1) ** len(whole) > 2.0**62:
        return None
    factor = np.rint(gram).astype(np.int64)
    identity = np.eye(len(gram), dtype=np.int64)
    product = identity
    for value in whole:
        product = product @ (factor - value * identity)
    if product.any():
        return None
    return max(value for value in whole if value <= most)
