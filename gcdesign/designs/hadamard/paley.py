"""Paley's matrices: quadratic characters of GF(q) as conference and Hadamard matrices."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.fields import galois_field, prime_power
from gcdesign.errors import InputError

Signs = NDArray[np.int8]
"""A matrix of entries 0, 1 and −1."""


def jacobsthal_matrix(q: int) -> Signs:
    """Return the q × q matrix χ(x − y) over GF(q): 0 on the diagonal, 1 where x − y is a square.

    It is symmetric for q ≡ 1 and skew for q ≡ 3 (mod 4), and Q Qᵀ = qI − J.

    Raises
    ------
    InputError
        If q is no odd prime power.

    Examples
    --------
    >>> jacobsthal_matrix(3).tolist()
    [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
    """
    if q % 2 == 0 or prime_power(q) is None:
        raise InputError(f"q={q}; expected an odd prime power")
    field, elements = galois_field(q), np.arange(q, dtype=np.int32)
    character = np.zeros(q, dtype=np.int8)
    character[field.exp[: q - 1 : 2]] = 1
    character[field.exp[1 : q - 1 : 2]] = -1
    differences = field.add(elements[:, None], field.negative(elements)[None, :])
    result: Signs = character[differences]
    return result


def conference_matrix(order: int) -> Signs:
    """Return a conference matrix: C Cᵀ = (n − 1) I, zeros on the diagonal, ±1 elsewhere.

    It is symmetric for n ≡ 2 and skew for n ≡ 0 (mod 4).

    Raises
    ------
    InputError
        If n is no even number for which n − 1 is a prime power; for n ≡ 2 (mod 4) the message
        says whether n − 1 is a sum of two squares, without which there is none.

    Notes
    -----
    Source: Paley 1933; Belevitch 1950 for the sum of two squares.

    Examples
    --------
    >>> c = conference_matrix(10).astype(int)
    >>> bool((c @ c.T == 9 * np.eye(10)).all())
    True
    """
    q = order - 1
    if order < 2 or q % 2 == 0 or (q > 1 and prime_power(q) is None):
        squares = range(int(max(q, 0) ** 0.5) + 1)
        none = order % 4 == 2 and not any(q - a * a in {b * b for b in squares} for a in squares)
        why = f": there is none, as {q} is no sum of two squares (Belevitch)" if none else ""
        if order > 1 and order % 2:
            why = ": there is none of odd order"
        raise InputError(f"order={order}; expected an order n with n - 1 an odd prime power{why}")
    matrix = np.ones((order, order), dtype=np.int8)
    matrix[0, 0] = 0
    matrix[1:, 1:] = jacobsthal_matrix(q) if q > 1 else 0
    if order % 4 == 0:
        matrix[1:, 0] = -1
    return matrix


def paley_one(q: int) -> Signs:
    """Return the Hadamard matrix C + I of order q + 1, q ≡ 3 (mod 4) a prime power; it is skew."""
    if q % 4 != 3:
        raise InputError(f"q={q}; expected a prime power that is 3 modulo 4")
    return conference_matrix(q + 1) + np.eye(q + 1, dtype=np.int8)


def paley_two(q: int) -> Signs:
    """Return a symmetric Hadamard matrix of order 2(q + 1), q ≡ 1 (mod 4) a prime power.

    C ⊗ [[1, 1], [1, −1]] + I ⊗ [[1, −1], [−1, −1]] for the symmetric conference matrix C.
    """
    if q % 4 != 1:
        raise InputError(f"q={q}; expected a prime power that is 1 modulo 4")
    plus, minus = np.array([[1, 1], [1, -1]]), np.array([[1, -1], [-1, -1]])
    matrix = np.kron(conference_matrix(q + 1), plus) + np.kron(np.eye(q + 1, dtype=int), minus)
    return matrix.astype(np.int8)
