"""The hyperplanes of GF(q)^d as sets of numbered vectors, for difference sets made of them."""

from __future__ import annotations

import numpy as np

from gcdesign.designs.fields import galois_field
from gcdesign.designs.rings import Ring


def vector_ring(q: int, dim: int, copies: int) -> Ring:
    """Return the ring GF(q)^d × Z_n, whose first q^d elements are the vectors of one coset."""
    return Ring((("F", q),) * dim + (("Z", copies),))


def hyperplanes(q: int, dim: int) -> list[list[int]]:
    """Return the (q^d − 1)/(q − 1) hyperplanes through 0, vectors numbered by base-q digits.

    Examples
    --------
    >>> hyperplanes(2, 2)
    [[0, 2], [0, 3], [0, 1]]
    """
    field = galois_field(q)
    vectors = np.arange(q**dim, dtype=np.int32)
    digits = [vectors // q**i % q for i in range(dim)]
    found = []
    for leading in range(dim):
        for number in range(q ** (dim - 1 - leading)):
            normal = [0] * leading + [1] + [number // q**i % q for i in range(dim - 1 - leading)]
            product = np.zeros(len(vectors), dtype=np.int32)
            for coefficient, digit in zip(normal, digits, strict=True):
                product = field.add(product, field.scale(coefficient, digit))
            found.append(np.flatnonzero(product == 0).tolist())
    return found
