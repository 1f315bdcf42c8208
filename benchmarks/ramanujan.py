"""The Ramanujan graphs of Lubotzky, Phillips and Sarnak, as matrices for the benchmarks."""

from __future__ import annotations

from itertools import product
from math import isqrt

import numpy as np
from numpy.typing import NDArray

Element = tuple[int, int, int, int]


def lps_half(p: int, q: int) -> NDArray[np.float64]:
    """Return the biadjacency matrix of the bipartite graph X^{p,q}, p no square modulo q.

    The workers are the elements of PSL(2,q), the parts those of PGL(2,q) outside it; an edge is
    a multiplication from the right by a generator, one for each integral quaternion of norm p.

    Notes
    -----
    Source: Lubotzky, Phillips, Sarnak, Ramanujan graphs, Combinatorica 8 (1988).
    """
    steps = _generators(p, q)
    start: Element = (1, 0, 0, 1)
    number, order, side = {start: 0}, [start], {start: 0}
    edges = []
    for element in order:
        for step in steps:
            other = _normalised(_times(element, step, q), q)
            if other not in number:
                number[other], side[other] = len(order), 1 - side[element]
                order.append(other)
            if side[other] == side[element]:
                raise ValueError(f"p={p} is a square modulo q={q}: the graph is not bipartite")
            if side[element] == 0:
                edges.append((element, other))
    rows = {e: i for i, e in enumerate(e for e in order if side[e] == 0)}
    columns = {e: i for i, e in enumerate(e for e in order if side[e] == 1)}
    matrix = np.zeros((len(rows), len(columns)))
    for worker, part in edges:
        matrix[rows[worker], columns[part]] += 1
    return matrix


def _generators(p: int, q: int) -> list[Element]:
    """Return matrices of the quaternions of norm p with a odd and positive and b, c, d even."""
    root = next(i for i in range(q) if (i * i + 1) % q == 0)
    size = isqrt(p)
    evens = [x for x in range(-size, size + 1) if x % 2 == 0]
    found = []
    for a, b, c, d in product(range(1, size + 1, 2), evens, evens, evens):
        if a * a + b * b + c * c + d * d == p:
            matrix = (a + root * b, c + root * d, -c + root * d, a - root * b)
            found.append(_normalised(matrix, q))
    return found


def _times(x: Element, y: Element, q: int) -> Element:
    a, b, c, d = x
    e, f, g, h = y
    return (a * e + b * g) % q, (a * f + b * h) % q, (c * e + d * g) % q, (c * f + d * h) % q


def _normalised(x: Element, q: int) -> Element:
    """Return the multiple whose first entry other than 0 is 1."""
    first = next(entry % q for entry in x if entry % q)
    inverse = pow(first, -1, q)
    a, b, c, d = (entry * inverse % q for entry in x)
    return a, b, c, d
