"""Singer difference sets against plain counting, and their polynomials against galois."""

from __future__ import annotations

from collections import Counter

import galois
import numpy as np
import pytest
import sympy

from gcdesign.designs.fields import galois_field
from gcdesign.designs.singer import (
    point_count,
    singer_difference_set,
    singer_points,
    singer_polynomial,
)

PRIME_POWERS = [q for q in range(2, 65) if len(sympy.factorint(q)) == 1]
HIGHER = [(2, 3), (3, 3), (4, 3), (5, 3), (7, 3), (8, 3), (9, 3)]
HIGHER += [(2, 4), (3, 4), (4, 4), (5, 4), (2, 5), (3, 5), (4, 5), (2, 8)]


@pytest.mark.parametrize(("q", "m"), [(q, 2) for q in PRIME_POWERS] + HIGHER)
def test_every_difference_occurs_equally_often(q: int, m: int) -> None:
    v = sum(q**i for i in range(m + 1))
    k = sum(q**i for i in range(m))
    lambda_ = sum(q**i for i in range(m - 1))
    base = singer_difference_set(q, m).tolist()
    assert len(set(base)) == len(base) == k
    assert base == sorted(base)
    assert base[:m] == list(range(m))
    assert base[0] >= 0
    assert base[-1] < v
    counts = Counter((a - b) % v for a in base for b in base if a != b)
    assert counts == dict.fromkeys(range(1, v), lambda_)


@pytest.mark.parametrize("q", [2, 3, 4, 8, 9])
@pytest.mark.parametrize("m", [2, 3])
def test_polynomial_is_irreducible_and_projectively_primitive(q: int, m: int) -> None:
    gf = galois.GF(q, compile="python-calculate")
    f = galois.Poly([1, *reversed(singer_polynomial(galois_field(q), m))], field=gf)
    v = sum(q**i for i in range(m + 1))
    x = galois.Poly.Identity(gf)
    assert f.degree == m + 1
    assert f.is_irreducible()
    assert pow(x, v, f).degree == 0
    for prime in sympy.factorint(v):
        assert pow(x, v // prime, f).degree > 0


@pytest.mark.parametrize(
    ("q", "m"), [(2, 2), (3, 2), (4, 2), (7, 2), (9, 2), (2, 4), (3, 3), (4, 3)]
)
def test_points_are_all_normalised_vectors_once(q: int, m: int) -> None:
    points = singer_points(q, m)
    assert points.shape == (point_count(q, m), m + 1)
    assert ((points >= 0) & (points < q)).all()
    leading = points[np.arange(len(points)), (points != 0).argmax(axis=1)]
    assert leading.tolist() == [1] * len(points)
    assert len({tuple(row) for row in points.tolist()}) == len(points)


@pytest.mark.parametrize(("q", "m"), [(2, 2), (3, 2), (4, 2), (8, 2), (9, 2), (3, 3), (4, 3)])
def test_the_difference_set_is_where_the_last_coordinate_vanishes(q: int, m: int) -> None:
    points = singer_points(q, m)
    assert np.flatnonzero(points[:, m] == 0).tolist() == singer_difference_set(q, m).tolist()


def test_the_search_is_deterministic() -> None:
    assert singer_difference_set(5, 2).tolist() == [0, 1, 6, 18, 22, 29]
    assert singer_polynomial(galois_field(4), 2) == singer_polynomial(galois_field(4), 2)
