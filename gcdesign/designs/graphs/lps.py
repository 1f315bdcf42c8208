"""The Ramanujan graphs X^{p,q} of Lubotzky, Phillips and Sarnak, and of Margulis.

A Cayley graph of PSL(2,q), or of PGL(2,q), whose p + 1 generators come from the integral
quaternions of norm p. Group elements are 2 × 2 matrices up to scalars, scaled so that the
first non-zero entry is 1: an element is then one number, and the whole graph is arithmetic on
arrays, one generator at a time.
"""

from __future__ import annotations

from math import isqrt

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import Size, check_size
from gcdesign.designs.fields import prime_factors, primitive_root
from gcdesign.designs.graphs.graph import Graph
from gcdesign.errors import InputError, LimitError

Matrices = NDArray[np.int64]
"""Shape (…, 4): the entries a, b, c, d of matrices [[a, b], [c, d]] modulo q."""

LARGEST_Q = 10_000
LARGEST_P = 10_000


def lps_graph(p: int, q: int) -> Graph:
    """Return the graph X^{p,q}: p + 1 regular, with |λ| ≤ 2√p for all other eigenvalues.

    If p is a square modulo q it has q(q² − 1)/2 vertices, the elements of PSL(2,q), and is not
    bipartite. Otherwise it has q(q² − 1) vertices, the elements of PGL(2,q), and is bipartite;
    then the elements of PSL(2,q) come first and are one side.

    Parameters
    ----------
    p, q
        Different primes ≡ 1 (mod 4). The theorem asks for q > 2√p; a smaller q is accepted if
        the p + 1 generators stay different and generate the group.

    Raises
    ------
    InputError
        If p or q is no such prime, with the nearest that are, or q is too small for p.
    LimitError
        If the graph is too large.

    Notes
    -----
    Source: Lubotzky, Phillips, Sarnak 1988, Theorem 4.1; Margulis 1988; as gradient codes
    Raviv, Tamo, Tandon, Dimakis 2020, Example 19.

    Examples
    --------
    >>> lps_graph(5, 13).vertices
    2184
    """
    generators = checked_generators(p, q)
    elements, number_of = _elements(q, special=is_square(p, q))
    heads = np.empty((len(elements), p + 1), dtype=np.int32)
    inverse = _inverses(q)
    for place, generator in enumerate(generators):
        heads[:, place] = number_of[_key(_scaled(_times(elements, generator, q), inverse, q), q)]
    tails = np.repeat(np.arange(len(elements)), p + 1)
    return Graph.from_arcs(len(elements), tails, heads.reshape(-1), transitive=True)


def lps_order(p: int, q: int) -> int:
    """Return the number of vertices of X^{p,q}; errors as in `lps_graph`.

    Examples
    --------
    >>> lps_order(5, 13), lps_order(17, 13)
    (2184, 1092)
    """
    checked_generators(p, q)
    return q * (q * q - 1) // (2 if is_square(p, q) else 1)


def is_square(a: int, q: int) -> bool:
    """Whether a is a non-zero square modulo an odd prime q (Euler's criterion).

    Examples
    --------
    >>> is_square(13, 17), is_square(5, 13)
    (True, False)
    """
    return pow(a, (q - 1) // 2, q) == 1


def quaternions(p: int) -> NDArray[np.int64]:
    """Return the p + 1 quaternions of norm p with a₀ > 0 odd and a₁, a₂, a₃ even.

    Shape (p + 1, 4), for a prime p ≡ 1 (mod 4); that there are p + 1 is Jacobi's theorem.

    Examples
    --------
    >>> quaternions(5).tolist()[0], len(quaternions(13))
    ([1, -2, 0, 0], 14)
    """
    top = isqrt(p)
    even = np.arange(-(top // 2) * 2, top + 1, 2)
    grids = np.meshgrid(np.arange(1, top + 1, 2), even, even, indexing="ij")
    three = np.stack(grids, axis=-1).reshape(-1, 3)
    rest = p - (three**2).sum(axis=1)
    last = np.sqrt(np.maximum(rest, 0)).round().astype(np.int64)
    fits = (last**2 == rest) & (last % 2 == 0)
    three, last = three[fits], last[fits]
    both = np.concatenate([np.column_stack([three, sign * last]) for sign in (1, -1)])
    found: NDArray[np.int64] = np.unique(both, axis=0)  # a last entry 0 came twice
    return found


def nearest_admissible(n: int, *, but: int = 0) -> tuple[int, ...]:
    """Return the primes ≡ 1 (mod 4) next below and next above n, other than ``but``.

    Examples
    --------
    >>> nearest_admissible(7), nearest_admissible(3)
    ((5, 13), (5,))
    """

    def fits(m: int) -> bool:
        return m % 4 == 1 and m > 1 and m != but and prime_factors(m) == [m]

    below = next((m for m in range(n - 1, 4, -1) if fits(m)), None)
    above = next(m for m in range(max(n + 1, 5), max(4 * n, 40)) if fits(m))
    return (above,) if below is None else (below, above)


def checked_generators(p: int, q: int) -> Matrices:
    """Return the generators modulo q and scalars, shape (p + 1, 4); errors as in `lps_graph`."""
    for name, value, other, top in (("p", p, 0, LARGEST_P), ("q", q, p, LARGEST_Q)):
        if value > top:
            raise LimitError(f"{name}={value}: the graph is too large; take {top} or less")
        if value < 2 or prime_factors(value) != [value] or value % 4 != 1 or value == other:
            wrong = "is the same as p" if value == other else "is no prime ≡ 1 mod 4"
            near = " or ".join(f"{name}={n}" for n in nearest_admissible(value, but=other))
            raise InputError(f"{name}={value} {wrong}; the nearest: {near}")
    order = q * (q * q - 1) // (2 if is_square(p, q) else 1)
    check_size(Size(order, order, order * (p + 1)), name=f"the graph of p={p}, q={q}")
    root = pow(primitive_root(q), (q - 1) // 4, q)  # of −1
    a0, a1, a2, a3 = quaternions(p).T
    matrices = np.stack([a0 + root * a1, a2 + root * a3, root * a3 - a2, a0 - root * a1], axis=1)
    generators = _scaled(matrices % q, _inverses(q), q)
    if q * q <= 4 * p and not _generate(generators, order, q):
        enough = next(
            m for m in range(2 * isqrt(p) + 1, 8 * p) if nearest_admissible(m - 1)[-1] == m
        )
        enough = enough if enough != p else nearest_admissible(p, but=p)[-1]
        raise InputError(f"q={q} is too small for p={p}; q > 2√p is enough: q={enough}")
    return generators


def _generate(generators: Matrices, order: int, q: int) -> bool:
    """Whether the generators are different and reach the whole group, by breadth-first search."""
    keys = _key(generators, q)
    if len(np.unique(keys)) < len(keys):
        return False
    inverse, found = _inverses(q), 1
    seen = np.zeros(q**3 + q * q, dtype=bool)
    frontier = np.array([[1, 0, 0, 1]], dtype=np.int64)
    seen[_key(frontier, q)] = True
    while len(frontier) and found < order:
        new = []
        for generator in generators:
            reached = _scaled(_times(frontier, generator, q), inverse, q)
            keys, first = np.unique(_key(reached, q), return_index=True)
            new.append(reached[first[~seen[keys]]])
            seen[keys] = True
            found += len(new[-1])
            if found == order:
                break
        frontier = np.concatenate(new)
    return found == order


def _elements(q: int, *, special: bool) -> tuple[Matrices, NDArray[np.int32]]:
    """Return the elements of PSL(2,q) or PGL(2,q), and the number of each key.

    Those of square determinant, which are PSL(2,q), come first.
    """
    keys = np.arange(q**3 + q * q, dtype=np.int64)
    tall = keys < q**3
    b = np.where(tall, keys // (q * q), 1)
    matrices = np.stack([tall.astype(np.int64), b, keys // q % q, keys % q], axis=1)
    a, b, c, d = matrices.T
    determinant = (a * d - b * c) % q
    squares = np.zeros(q, dtype=bool)
    squares[np.arange(1, q) ** 2 % q] = True
    chosen = np.flatnonzero(squares[determinant])
    if not special:
        others = np.flatnonzero(~squares[determinant] & (determinant != 0))
        chosen = np.concatenate([chosen, others])
    number_of = np.full(len(keys), -1, dtype=np.int32)
    number_of[chosen] = np.arange(len(chosen), dtype=np.int32)
    return matrices[chosen], number_of


def _inverses(q: int) -> NDArray[np.int64]:
    """Return 1/a modulo q at place a; place 0 is meaningless."""
    return np.array([0, *(pow(a, -1, q) for a in range(1, q))], dtype=np.int64)


def _times(left: Matrices, right: Matrices, q: int) -> Matrices:
    """Return the products of matrices with one matrix, modulo q."""
    a, b, c, d = left.T
    e, f, g, h = right.tolist()
    return np.stack([a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h], axis=1) % q


def _scaled(matrices: Matrices, inverse: NDArray[np.int64], q: int) -> Matrices:
    """Return multiples of the matrices whose first non-zero entry is 1."""
    lead = np.where(matrices[:, 0] != 0, matrices[:, 0], matrices[:, 1])
    scaled: Matrices = matrices * inverse[lead][:, None] % q
    return scaled


def _key(matrices: Matrices, q: int) -> NDArray[np.int64]:
    """Return one number for each scaled matrix: (1,b,c,d) come before (0,1,c,d)."""
    a, b, c, d = matrices.T
    key: NDArray[np.int64] = np.where(a == 1, b, q) * (q * q) + c * q + d
    return key
