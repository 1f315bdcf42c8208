"""What users of other tools met in public reports, and the right answer."""

from __future__ import annotations

from math import cos, pi, sqrt

import numpy as np
import pytest

from gcdesign.designs import projective_geometry
from gcdesign.designs.cyclic import cyclic_blocks, difference_range
from gcdesign.designs.fields import galois_field, primitive_polynomial
from gcdesign.designs.graphs.catalogue import graph
from gcdesign.designs.graphs.measures import second_singular_value
from gcdesign.designs.hadamard import hadamard_matrix, hadamard_recipe
from gcdesign.designs.singer import singer_difference_set
from gcdesign.designs.steiner.triples import steiner_triple_system
from gcdesign.designs.tools.block_graph import block_graph, spectrum


@pytest.mark.parametrize("q", [2, 3, 4, 5])
def test_a_repeated_second_singular_value_is_not_missed(q: int) -> None:
    """PG(2, q) has σ₂ = √q with multiplicity q² + q; the all-ones direction has σ₁ = q + 1."""
    plane = projective_geometry(q)
    assert second_singular_value(plane) == pytest.approx(sqrt(q))
    values = np.linalg.svd(plane.dense_incidence().astype(float), compute_uv=False)
    assert values[0] == pytest.approx(q + 1)
    assert values[1:] == pytest.approx([sqrt(q)] * (q * q + q))


def test_eigenvalues_of_symmetric_matrices_are_real() -> None:
    """The block graph of STS(13): srg(26, 15, 8, 9), eigenvalues 15, 2 and −3."""
    found = spectrum(block_graph(steiner_triple_system(13)))
    assert [float(e.value) for e in found.eigenvalues] == pytest.approx([15.0, 2.0, -3.0])
    assert [e.multiplicity for e in found.eigenvalues] == [1, 12, 13]


def test_the_ramanujan_bound_is_twice_a_root() -> None:
    """2√(d − 1) is 2.828 at d = 3 and 4.472 at d = 6, not 2^√(d − 1)."""
    from gcdesign.designs.graphs.measures import expansion

    for name, degree, bound in (("petersen", 3, 2.828), ("lps:p=5,q=13", 6, 4.472)):
        assert set(graph(name).degrees.tolist()) == {degree}
        assert expansion(graph(name)) <= bound
    assert expansion(graph("cycle:n=60")) == pytest.approx(2 * cos(pi / 30))
    assert expansion(graph("cycle:n=60")) < 2


@pytest.mark.parametrize(("p", "e"), [(2, 2), (2, 3), (3, 2), (2, 8), (5, 2), (3, 4)])
def test_the_polynomials_are_not_reducible(p: int, e: int) -> None:
    """x² + 1 over GF(2) is (x + 1)²: its x has order 2, where the order has to be q − 1."""
    low = primitive_polynomial(p, e)
    element, order = [0, 1, *[0] * (e - 2)], 1
    one = [1, *[0] * (e - 1)]
    while element != one:
        lead = element[-1]
        shifted = [0, *element[:-1]]
        element = [(a - lead * c) % p for a, c in zip(shifted, low, strict=True)]
        order += 1
    assert order == p**e - 1


@pytest.mark.parametrize("q", [2, 3, 4, 5, 7])
def test_another_primitive_element_gives_the_same_parameters(q: int) -> None:
    """It numbers the points by another multiple: the difference set times a unit modulo v."""
    v, base = q * q + q + 1, singer_difference_set(q, 2).astype(np.int64)
    for unit in (u for u in range(2, v) if np.gcd(u, v) == 1):
        other = np.sort(base * unit % v).astype(np.int32)
        assert difference_range(other, v) == (1, 1)
        assert cyclic_blocks(other, v).shape == (v, q + 1)


def test_elements_are_polynomials_and_not_residues() -> None:
    """With x⁸ + x⁴ + x³ + x + 1, 0xFF times 2 is 0xE5 = 229; ours is reduced by its own."""
    field = galois_field(256)
    low = primitive_polynomial(2, 8)
    polynomial = 256 + sum(bit << i for i, bit in enumerate(low))
    double = 0xFF << 1
    expected = double ^ polynomial
    assert int(field.multiply(np.array([0xFF]), np.array([2]))[0]) == expected
    assert (0xFF << 1) ^ 0x11B == 229
    gf9 = galois_field(9)  # 3 is x, 4 is x + 1, 8 is 2x + 2: 4 + 8 = 0
    assert int(gf9.add(np.array([4], dtype=np.int32), np.array([8], dtype=np.int32))[0]) == 0
    assert int(gf9.add(np.array([1], dtype=np.int32), np.array([2], dtype=np.int32))[0]) == 0


def test_a_field_made_later_leaves_an_earlier_one_alone() -> None:
    first = galois_field(16)
    before = first.exp.copy()
    for q in (4, 8, 256, 9, 27):
        galois_field(q)
    assert np.array_equal(galois_field(16).exp, before)
    assert not first.exp.flags.writeable


def test_hadamard_orders_are_sides() -> None:
    """The number asked for is the side of the matrix, not the exponent of 2."""
    assert hadamard_matrix(8).shape == (8, 8)
    assert hadamard_matrix(12).shape == (12, 12)
    assert hadamard_recipe(1200) is not None
