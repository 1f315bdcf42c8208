"""Stochastic gradient codes: nothing is decoded, the master scales the sum of what arrives.

Worker w sends Σ_j g_j/d_j over its parts j, where d_j workers hold part j, and the master divides
the sum of the answers by 1 − p, p being the chance that a worker is silent. On average that is
the full gradient.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.code import GradientCode
from gcdesign.codes.placement import Placement
from gcdesign.errors import InputError


def stochastic_code(placement: Placement) -> GradientCode:
    """Return the code with the weights 1/d_j on a placement.

    Raises
    ------
    InputError
        If a part is on no worker: its gradient cannot be estimated.

    Notes
    -----
    Source: Bitar, Wootters, El Rouayheb 2020.

    Examples
    --------
    >>> from gcdesign.designs import build, parse_spec
    >>> code = stochastic_code(Placement(build(parse_spec("sgc:workers=4,replication=1+2,seed=1"))))
    >>> code.dense_encoding().sum(axis=0)
    array([1., 1.])
    """
    copies = _copies(placement)
    return GradientCode(placement, 1 / copies[placement.design.indices])


def stochastic_error(placement: Placement, silent: Fraction) -> Fraction:
    """Return E‖v·E − 1‖² for independent silence: p/(1 − p) Σ_j 1/d_j.

    That is the mean of the squared error of a decoder that weights every survivor 1/(1 − p),
    in the sense of the other decoders: parts whose gradients are orthogonal and of length 1.

    Parameters
    ----------
    placement
        Who holds what.
    silent
        The chance p that a worker is silent, 0 ≤ p < 1.

    Raises
    ------
    InputError
        If p is out of range or a part is on no worker.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> stochastic_error(Placement(projective_geometry(2)), Fraction(1, 4))
    Fraction(7, 9)
    """
    chance = _chance(silent)
    return chance * sum((Fraction(1, int(d)) for d in _copies(placement)), Fraction(0))


def stochastic_gradient_error(
    placement: Placement, silent: float, products: NDArray[np.float64]
) -> float:
    """Return the mean squared error of the gradient for given inner products of its parts.

    p/(1 − p) Σ_ij |W_i ∩ W_j|/(d_i d_j)·⟨g_i, g_j⟩, where W_j are the workers that hold part j. On
    a pairwise balanced placement, |W_i ∩ W_j| = d_i d_j/N for i ≠ j.

    Parameters
    ----------
    placement
        Who holds what.
    silent
        The chance p that a worker is silent, 0 ≤ p < 1.
    products
        Shape (K, K): the inner products ⟨g_i, g_j⟩ of the parts' gradients.

    Raises
    ------
    InputError
        If p is out of range, a part is on no worker, or the shape is another.

    Notes
    -----
    Source: Bitar, Wootters, El Rouayheb 2020; the formula as derived from independence.
    """
    if products.shape != (placement.parts, placement.parts):
        raise InputError(
            f"inner products of shape {products.shape}; expected {(placement.parts,) * 2}"
        )
    encoding = stochastic_code(placement).encoding
    shared = (encoding.T @ encoding).toarray()
    return float(_chance(silent)) * float((shared * products).sum())


def _chance(silent: Fraction | float) -> Fraction:
    if not 0 <= silent < 1:
        raise InputError(f"silent={silent}; expected a chance from 0 to below 1")
    exact = Fraction(silent)
    return exact / (1 - exact)


def _copies(placement: Placement) -> NDArray[np.int64]:
    copies = placement.replications
    if (copies == 0).any():
        part = int(np.flatnonzero(copies == 0)[0])
        raise InputError(f"part {part} is on no worker; every part needs one at least")
    return copies
