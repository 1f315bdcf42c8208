"""Arithmetic modulo a prime below 2³¹: products of matrices, interpolation, Reed–Solomon decoding.

Arrays hold whole numbers of 64 bits from 0 to p − 1, polynomials are lists of coefficients, the
constant first. galois has all of this, but compiles for seconds in each process; it is the tests'
oracle.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]


def product_mod(matrix: Whole, rows: Whole, prime: int) -> Whole:
    """Return a product of matrices, (m, n) and (n, D), modulo p; no sum exceeds 64 bits.

    Examples
    --------
    >>> product_mod(np.array([[3, 5]]), np.array([[4], [6]]), 7).tolist()
    [[0]]
    """
    total = np.zeros((len(matrix), rows.shape[1]), dtype=np.int64)
    for column, row in zip(matrix.T, rows, strict=True):
        total = (total + column[:, None] * row[None, :]) % prime
    return total


def interpolation_mod(nodes: Whole, at: Whole, prime: int) -> Whole:
    """Return the matrix from values at nodes to those of their polynomial elsewhere, (m, n).

    Examples
    --------
    >>> interpolation_mod(np.array([0, 1]), np.array([1, 2]), 7).tolist()
    [[0, 1], [6, 2]]
    """
    matrix = np.empty((len(at), len(nodes)), dtype=np.int64)
    for k, node in enumerate(nodes.tolist()):
        above, below = np.ones(len(at), dtype=np.int64), 1
        for other in np.delete(nodes, k).tolist():
            above = above * ((at - other) % prime) % prime
            below = below * (node - other) % prime
        matrix[:, k] = above * pow(below, -1, prime) % prime
    return matrix


def nearest_polynomial(
    nodes: Sequence[int], values: Sequence[int], *, terms: int, prime: int
) -> list[int] | None:
    """Return the polynomial of so few terms that is wrong at the fewest of n nodes.

    It is found if it is wrong at no more than (n − terms)/2 of them; None if there is none such.

    Notes
    -----
    Source: Gao, A New Algorithm for Decoding Reed–Solomon Codes, 2003: Euclid's algorithm on
    Π (x − x_i) and the polynomial through all values, ended halfway.

    Examples
    --------
    >>> nearest_polynomial([0, 1, 2, 3, 4], [1, 3, 0, 0, 2], terms=2, prime=7)
    [1, 2]
    """
    before, now = _product_of_roots(nodes, prime), _through(nodes, values, prime)
    before_factor: list[int] = []
    factor = [1]
    while 2 * (len(now) - 1) >= len(nodes) + terms:
        quotient, rest = _divided(before, now, prime)
        before, now = now, rest
        step = _times(quotient, factor, prime)
        before_factor, factor = factor, _minus(before_factor, step, prime)
    polynomial, rest = _divided(now, factor, prime)
    return None if rest or len(polynomial) > terms else polynomial


def value_mod(polynomial: Sequence[int], at: int, prime: int) -> int:
    """Return the value of a polynomial.

    Examples
    --------
    >>> value_mod([1, 2], 3, 5)
    2
    """
    value = 0
    for coefficient in reversed(polynomial):
        value = (value * at + coefficient) % prime
    return value


def _product_of_roots(nodes: Sequence[int], prime: int) -> list[int]:
    whole = [1]
    for node in nodes:
        whole = _times(whole, [-node % prime, 1], prime)
    return whole


def _through(nodes: Sequence[int], values: Sequence[int], prime: int) -> list[int]:
    """Return the polynomial through all values, by Newton's divided differences."""
    found: list[int] = []
    roots = [1]
    for node, value in zip(nodes, values, strict=True):
        missing = value - value_mod(found, node, prime)
        share = missing * pow(value_mod(roots, node, prime), -1, prime) % prime
        found = _minus(found, [-share * c % prime for c in roots], prime)
        roots = _times(roots, [-node % prime, 1], prime)
    return found


def _times(left: Sequence[int], right: Sequence[int], prime: int) -> list[int]:
    if not left or not right:
        return []
    result = [0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            result[i + j] = (result[i + j] + a * b) % prime
    return result


def _minus(left: Sequence[int], right: Sequence[int], prime: int) -> list[int]:
    size = max(len(left), len(right))
    padded = [[*side, *[0] * (size - len(side))] for side in (left, right)]
    return _trimmed([(a - b) % prime for a, b in zip(*padded, strict=True)])


def _divided(above: Sequence[int], below: Sequence[int], prime: int) -> tuple[list[int], list[int]]:
    """Return quotient and rest."""
    rest = list(above)
    inverse = pow(below[-1], -1, prime)
    quotient = [0] * max(0, len(rest) - len(below) + 1)
    for at in range(len(quotient) - 1, -1, -1):
        quotient[at] = rest[at + len(below) - 1] * inverse % prime
        for k, coefficient in enumerate(below):
            rest[at + k] = (rest[at + k] - quotient[at] * coefficient) % prime
    return _trimmed(quotient), _trimmed(rest)


def _trimmed(polynomial: list[int]) -> list[int]:
    """Remove leading zeros, so that the length is the degree + 1 and zero is empty."""
    while polynomial and polynomial[-1] == 0:
        polynomial.pop()
    return polynomial
