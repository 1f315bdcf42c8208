"""Compiled loops of the Monte Carlo trials: workers arrive one by one, errors on the way.

Imported only inside functions that need it, since it loads numba.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.compiled import compiled

Ints = NDArray[np.int64]
Reals = NDArray[np.float64]


@compiled
def component_errors(arrivals: Ints, first: Ints, second: Ints, parts: int) -> Reals:
    """Return the error of a graph code after each arrival, by union–find with sides.

    Parameters
    ----------
    arrivals
        Shape (trials, N): the workers in the order in which they answer.
    first, second, parts
        The graph, as in `gcdesign.codes.components.GraphComponents`.

    Returns
    -------
    errors
        Shape (trials, N + 1): entry f is the error with the first f workers.
    """
    trials, workers = arrivals.shape
    errors = np.empty((trials, workers + 1))
    parent, side = np.empty(parts, np.int64), np.empty(parts, np.int64)
    size, lean, odd = (
        np.empty(parts, np.int64),
        np.empty(parts, np.int64),
        np.empty(parts, np.bool_),
    )
    for trial in range(trials):
        for part in range(parts):
            parent[part], side[part], size[part], lean[part] = part, 0, 1, 1
            odd[part] = False
        error = float(parts)
        errors[trial, 0] = error
        for f in range(workers):
            worker = arrivals[trial, f]
            a, b = first[worker], second[worker]
            if a >= 0:
                at_a, at_b = 0, 0
                while parent[a] != a:
                    at_a ^= side[a]
                    a = parent[a]
                while parent[b] != b:
                    at_b ^= side[b]
                    b = parent[b]
                if a == b:
                    if at_a == at_b and not odd[a]:
                        odd[a] = True
                        error -= lean[a] * lean[a] / size[a]
                else:
                    if size[a] < size[b]:
                        a, b = b, a
                    if not odd[a]:
                        error -= lean[a] * lean[a] / size[a]
                    if not odd[b]:
                        error -= lean[b] * lean[b] / size[b]
                    parent[b] = a
                    side[b] = 1 ^ at_a ^ at_b
                    lean[a] += -lean[b] if side[b] else lean[b]
                    size[a] += size[b]
                    odd[a] = odd[a] or odd[b]
                    if not odd[a]:
                        error += lean[a] * lean[a] / size[a]
            errors[trial, f + 1] = error
    return errors


@compiled
def copy_sums(arrivals: Ints, indptr: Ints, indices: Ints, parts: int) -> Ints:
    """Return Σ c_j and Σ c_j² after each arrival, c_j the number of arrived holders of part j.

    The result has shape (trials, N + 1, 2).
    """
    trials, workers = arrivals.shape
    sums = np.zeros((trials, workers + 1, 2), np.int64)
    copies = np.empty(parts, np.int64)
    for trial in range(trials):
        copies[:] = 0
        total, squares = 0, 0
        for f in range(workers):
            worker = arrivals[trial, f]
            for at in range(indptr[worker], indptr[worker + 1]):
                part = indices[at]
                squares += 2 * copies[part] + 1
                copies[part] += 1
                total += 1
            sums[trial, f + 1, 0], sums[trial, f + 1, 1] = total, squares
    return sums


@compiled
def gather_lower(matrix: Reals, chosen: Ints, part: Reals) -> None:
    """Fill the lower triangle of ``part`` with the chosen rows and columns of a matrix."""
    for i in range(len(chosen)):
        row = chosen[i]
        for j in range(i + 1):
            part[i, j] = matrix[row, chosen[j]]
