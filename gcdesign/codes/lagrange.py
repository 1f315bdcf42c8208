"""Decoding by Lagrange interpolation at 0: O(f²) products and no linear system."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import InputError


def lagrange_weights(points: NDArray[Any] | Sequence[complex]) -> NDArray[Any]:
    """Return the weights with which values at some points give the value at 0.

    Σ_i w_i p(a_i) = p(0) for every polynomial p of degree below the number f of points, with
    w_i = Π_(j≠i) a_j/(a_j − a_i).

    Parameters
    ----------
    points
        Shape (f,): the points a_i, distinct and different from 0.

    Returns
    -------
    array
        Shape (f,), complex for complex points.

    Raises
    ------
    InputError
        If two points are equal, or one is 0.

    Notes
    -----
    Source: Halbawi, Azizan-Ruhi, Salehi, Hassibi 2018, decoding in O(f²).

    Examples
    --------
    >>> float(lagrange_weights([1.0, 2.0]) @ [5.0 + 1, 5.0 + 2])
    5.0
    """
    given = np.asarray(points)
    if given.ndim != 1 or not given.all() or not np.isfinite(given).all():
        raise InputError("interpolation at 0 needs a list of finite points different from 0")
    if len(np.unique(given)) < len(given):
        raise InputError("interpolation needs points that differ, and two are equal")
    weights = np.ones(len(given), dtype=np.result_type(given, float))
    for at, point in enumerate(given):
        others = np.delete(given, at)
        weights[at] = np.prod(others / (others - point))
    return weights
