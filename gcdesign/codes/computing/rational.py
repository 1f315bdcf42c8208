"""Rational interpolation without poles: Berrut's interpolant, and that of Floater and Hormann."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.computing.nodes import COINCIDE, Reals


def barycentric_weights(nodes: Reals, degree: int = 0) -> Reals:
    """Return the weights w of Floater and Hormann's interpolant of degree d, Σ (w_k/(z − x_k)) y_k.

    It blends the polynomials of degree d through d + 1 neighbouring nodes. d = 0 is Berrut's
    interpolant, with weights ±1; d = n − 1 is the polynomial through all n nodes.

    Parameters
    ----------
    nodes
        Shape (n,): the nodes in decreasing order.
    degree
        The degree d; more than n − 1 counts as n − 1.

    Returns
    -------
    array
        Shape (n,); the signs alternate from +1 on. A weight depends on the nodes that are at most
        d places away, and on nothing else but the sign.

    Notes
    -----
    Source: Floater, Hormann 2007, formula (18): w_k = (−1)^(k−d) Σ_i Π_j 1/|x_k − x_j|, the sum
    over the runs i, …, i + d that hold k. Theorem 1 there: no pole on the real line, for any d
    and any different nodes. Distances are doubled, which scales all weights alike and keeps long
    products of distances within [−1, 1] near 1.

    Examples
    --------
    >>> barycentric_weights(np.array([1.0, 0.5, 0.0])).tolist()
    [1.0, -1.0, 1.0]
    >>> barycentric_weights(np.array([1.0, 0.5, 0.0]), 2).tolist()
    [0.5, -1.0, 0.5]
    """
    count = len(nodes)
    degree = min(degree, count - 1)
    weights = np.zeros(count)
    if degree <= 0:
        weights += 1.0
    for start in range(count - degree if degree > 0 else 0):
        run = slice(start, start + degree + 1)
        distances = 2 * np.abs(nodes[run, None] - nodes[None, run])
        np.fill_diagonal(distances, 1.0)
        weights[run] += 1 / distances.prod(axis=1)
    weights[1::2] *= -1
    return weights


def basis(nodes: Reals, weights: Reals, at: Reals) -> Reals:
    """Return the values of the basis functions, ℓ_k(z) = (w_k/(z − x_k)) / Σ_j w_j/(z − x_j).

    Parameters
    ----------
    nodes, weights
        Shape (n,): the nodes and their barycentric weights.
    at
        Shape (m,): where the functions are wanted. At a node, its own function is 1 and all
        others are 0.

    Returns
    -------
    array
        Shape (m, n); rows sum to 1.

    Examples
    --------
    >>> x = np.array([1.0, 0.0, -1.0])
    >>> basis(x, barycentric_weights(x), np.array([0.5, 0.0])).round(3).tolist()
    [[0.6, 0.6, -0.2], [0.0, 1.0, 0.0]]
    """
    gaps = at[:, None] - nodes[None, :]
    hits = coinciding(nodes, at)
    at_none = ~hits.any(axis=1, keepdims=True)
    terms: Reals = np.where(at_none, weights / np.where(hits, 1.0, gaps), hits)
    values: Reals = terms / terms.sum(axis=1, keepdims=True)
    return values


def coinciding(nodes: Reals, at: Reals) -> NDArray[np.bool_]:
    """Return which of some numbers are nodes, but for rounding, shape (m, n).

    Where several nodes are as near as that, the nearest counts.
    """
    gaps = np.abs(at[:, None] - nodes[None, :])
    span = max(float(np.abs(nodes).max(initial=0.0)), float(np.abs(at).max(initial=0.0)))
    hits = np.less_equal(gaps, COINCIDE * span)
    several = hits.sum(axis=1) > 1
    if several.any():
        hits[several] = gaps[several] == gaps[several].min(axis=1, keepdims=True)
    return hits
