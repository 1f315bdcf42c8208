"""PG(m, q) and AG(m, q): parameters by recurrence, blocks by coordinates, errors."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from functools import cache
from math import isqrt
from typing import Any

import galois
import numpy as np
import pytest

from gcdesign.designs import BlockDesign, affine_geometry, projective_geometry
from gcdesign.designs.fields import prime_power
from gcdesign.designs.geometry import plane_existence
from gcdesign.designs.singer import singer_points
from gcdesign.errors import InputError, LimitError

FLATS = [(q, dim, flats) for q in (2, 3, 4, 5) for dim in (2, 3, 4) for flats in range(1, dim)] + [
    (q, dim, flats) for q, dim in ((7, 3), (8, 3), (2, 5), (2, 6)) for flats in range(1, dim)
]
SMALL_FLATS = [(2, 2, 1), (3, 2, 1), (4, 2, 1), (5, 2, 1), (8, 2, 1), (9, 2, 1)]
SMALL_FLATS += [(2, 3, 1), (2, 3, 2), (3, 3, 1), (3, 3, 2), (4, 3, 2), (2, 4, 1), (2, 4, 2)]
LINES = [(2, 2), (3, 2), (4, 2), (5, 2), (2, 3), (3, 3), (4, 3), (2, 4)]


@cache
def subspaces(n: int, d: int, q: int) -> int:
    """Count the d-dimensional subspaces of GF(q)^n by the q-analogue of Pascal's rule.

    Fix a hyperplane H: a subspace lies in H, or meets H in dimension d − 1 in q^(n−d) ways.
    """
    if d < 0 or d > n:
        return 0
    if d in (0, n):
        return 1
    meeting: int = q ** (n - d) * subspaces(n - 1, d - 1, q)
    return subspaces(n - 1, d, q) + meeting


def oracle(q: int) -> Any:
    return galois.GF(q, compile="python-calculate")


def normalise(gf: Any, vector: Any) -> tuple[int, ...]:
    leading = next(x for x in vector if x)
    return tuple(int(x) for x in vector / gf(leading))


@pytest.mark.parametrize(("q", "dim", "flats"), FLATS)
def test_projective_parameters(q: int, dim: int, flats: int) -> None:
    n, d = dim + 1, flats + 1
    assert projective_geometry(q, dim, flats).parameters.as_tuple() == (
        subspaces(n, 1, q),
        subspaces(n, d, q),
        subspaces(n - 1, d - 1, q),
        subspaces(d, 1, q),
        subspaces(n - 2, d - 2, q),
    )


@pytest.mark.parametrize(("q", "dim", "flats"), FLATS)
def test_affine_parameters(q: int, dim: int, flats: int) -> None:
    geometry = affine_geometry(q, dim, flats)
    directions = subspaces(dim, flats, q)
    assert geometry.parameters.as_tuple() == (
        q**dim,
        q ** (dim - flats) * directions,
        directions,
        q**flats,
        subspaces(dim - 1, flats - 1, q),
    )
    classes = geometry.parallel_classes
    assert classes is not None
    assert len(classes) == directions


@pytest.mark.parametrize("q", [2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 32, 64])
def test_planes_by_closed_form(q: int) -> None:
    plane = projective_geometry(q).parameters
    assert plane.as_tuple() == (q * q + q + 1, q * q + q + 1, q + 1, q + 1, 1)
    affine = affine_geometry(q).parameters
    assert affine.as_tuple() == (q * q, q * q + q, q + 1, q, 1)


@pytest.mark.parametrize(("q", "symbols", "cards"), [(8, 9, 73), (4, 5, 21), (3, 4, 13)])
def test_card_decks(q: int, symbols: int, cards: int) -> None:
    deck = projective_geometry(q)
    assert (deck.b, set(deck.block_sizes.tolist())) == (cards, {symbols})
    for one, other in itertools.combinations(map(set, deck.blocks()), 2):
        assert len(one & other) == 1


@pytest.mark.parametrize(("q", "dim", "flats"), SMALL_FLATS)
def test_projective_flats_are_subspaces(q: int, dim: int, flats: int) -> None:
    """Enough points of rank at most d + 1 are exactly the points of a d-flat."""
    gf, points = oracle(q), singer_points(q, dim)
    design = projective_geometry(q, dim, flats)
    for block in design.blocks():
        assert len(block) == subspaces(flats + 1, 1, q)
        assert np.linalg.matrix_rank(gf(points[block])) == flats + 1
    assert len({tuple(block) for block in design.blocks()}) == design.b


@pytest.mark.parametrize(("q", "dim"), LINES)
def test_projective_lines_by_brute_force(q: int, dim: int) -> None:
    gf = oracle(q)
    points = gf(singer_points(q, dim))
    number = {tuple(int(x) for x in row): i for i, row in enumerate(points)}
    lines = set()
    for i, j in itertools.combinations(range(len(points)), 2):
        span = {number[normalise(gf, points[i] + gf(a) * points[j])] for a in range(q)}
        lines.add(frozenset(span | {j}))
    assert {frozenset(block) for block in projective_geometry(q, dim, 1).blocks()} == lines


@pytest.mark.parametrize(("q", "dim"), [(2, 2), (3, 2), (4, 2), (9, 2), (2, 3), (3, 3), (2, 4)])
def test_hyperplanes_are_the_zeros_of_linear_forms(q: int, dim: int) -> None:
    points = oracle(q)(singer_points(q, dim))
    zeros = np.asarray(points @ points.T) == 0
    expected = {frozenset(np.flatnonzero(row).tolist()) for row in zeros}
    assert {frozenset(block) for block in projective_geometry(q, dim).blocks()} == expected


@pytest.mark.parametrize(
    ("q", "dim", "flats"), [(2, 3, 2), (2, 4, 2), (2, 4, 3), (3, 3, 2), (3, 4, 2), (4, 3, 2)]
)
def test_projective_flats_are_closed_under_lines(q: int, dim: int, flats: int) -> None:
    line_through: dict[tuple[int, int], frozenset[int]] = {}
    for line in projective_geometry(q, dim, 1).blocks():
        line_through.update(dict.fromkeys(itertools.combinations(line, 2), frozenset(line)))
    for block in projective_geometry(q, dim, flats).blocks()[::7]:
        members = frozenset(block)
        assert all(line_through[pair] <= members for pair in itertools.combinations(block, 2))


@pytest.mark.parametrize(("q", "dim"), LINES)
def test_affine_lines_by_brute_force(q: int, dim: int) -> None:
    gf = oracle(q)
    vectors = gf(list(itertools.product(range(q), repeat=dim)))
    number = {tuple(int(x) for x in row): i for i, row in enumerate(vectors)}
    scalars = gf(list(range(q)))
    lines = set()
    for direction in {normalise(gf, vector) for vector in vectors[1:]}:
        steps = np.outer(scalars, gf(direction))
        for vector in vectors:
            rows = vector + steps
            lines.add(frozenset(number[tuple(int(x) for x in row)] for row in rows))
    assert {frozenset(block) for block in affine_geometry(q, dim, 1).blocks()} == lines


@pytest.mark.parametrize(("q", "dim"), [(2, 2), (3, 2), (4, 2), (8, 2), (2, 3), (3, 3), (2, 4)])
def test_affine_hyperplanes_are_level_sets_of_linear_forms(q: int, dim: int) -> None:
    vectors = oracle(q)(list(itertools.product(range(q), repeat=dim)))
    levels = np.asarray(vectors[1:] @ vectors.T)
    expected = {
        frozenset(np.flatnonzero(row == value).tolist()) for row in levels for value in range(q)
    }
    assert {frozenset(block) for block in affine_geometry(q, dim).blocks()} == expected


@pytest.mark.parametrize(("q", "dim", "flats"), [*SMALL_FLATS, (4, 3, 1), (3, 4, 2), (2, 5, 3)])
def test_parallel_classes_partition_the_points(q: int, dim: int, flats: int) -> None:
    geometry = affine_geometry(q, dim, flats)
    assert geometry.parallel_classes is not None
    assert [i for members in geometry.parallel_classes for i in members] == list(range(geometry.b))
    for members in geometry.parallel_classes:
        assert len(members) == q ** (dim - flats)
        covered = np.concatenate([geometry.block(i) for i in members])
        assert sorted(covered.tolist()) == list(range(q**dim))


@pytest.mark.parametrize(("q", "dim"), [(2, 3), (3, 2), (4, 2), (3, 3), (5, 2)])
def test_affine_hyperplanes_of_two_classes_meet_evenly(q: int, dim: int) -> None:
    geometry = affine_geometry(q, dim)
    classes = geometry.parallel_classes
    assert classes is not None
    for one, other in itertools.combinations(range(len(classes)), 2):
        for i, j in itertools.product(classes[one], classes[other]):
            assert len(np.intersect1d(geometry.block(i), geometry.block(j))) == q ** (dim - 2)


@pytest.mark.parametrize(
    ("q", "v", "blocks", "classes", "size"), [(3, 9, 12, 4, 3), (4, 16, 20, 5, 4)]
)
def test_small_affine_planes(q: int, v: int, blocks: int, classes: int, size: int) -> None:
    plane = affine_geometry(q)
    assert (plane.v, plane.b) == (v, blocks)
    assert plane.parallel_classes is not None
    assert [len(c) for c in plane.parallel_classes] == [size] * classes


def test_the_fano_plane_has_rank_4_over_gf2_and_7_over_the_rationals() -> None:
    matrix = projective_geometry(2).dense_incidence()
    assert np.linalg.matrix_rank(galois.GF(2, compile="python-calculate")(matrix)) == 4
    assert np.linalg.matrix_rank(matrix.astype(float)) == 7


@pytest.mark.parametrize("q", [2, 3, 4, 5])
def test_second_singular_value_with_its_multiplicity(q: int) -> None:
    matrix = projective_geometry(q).dense_incidence().astype(float)
    values = np.linalg.svd(matrix, compute_uv=False)
    assert values[0] == pytest.approx(q + 1)
    assert values[1:] == pytest.approx(np.full(q * q + q, q**0.5))


@pytest.mark.parametrize("q", [2, 3, 4, 5, 8, 9])
def test_hyperplanes_are_cyclic_shifts(q: int) -> None:
    plane = projective_geometry(q)
    base = plane.block(0).tolist()
    expected = [sorted((x + i) % plane.v for x in base) for i in range(plane.v)]
    assert plane.blocks() == expected


def test_provenance_names_all_parameters() -> None:
    assert str(projective_geometry(3)) == "pg:q=3,dim=2,flats=1: v=13, b=13, 52 incidences"
    provenance = affine_geometry(2, 3, 1).provenance
    assert provenance is not None
    assert provenance.spec == "ag:q=2,dim=3,flats=1"


def test_arrays_cannot_be_changed() -> None:
    for design in (projective_geometry(3), affine_geometry(3)):
        for array in (design.indptr, design.indices, design.block_classes):
            if array is not None:
                with pytest.raises(ValueError, match="read-only"):
                    array[0] = 1


KNOWN = {
    6: "no plane of order 6 exists at all (Bruck–Ryser",
    10: "no plane of order 10 exists at all (computer search",
    12: "whether any plane of order 12 exists is open",
    14: "no plane of order 14 exists at all (Bruck–Ryser",
    15: "whether any plane of order 15 exists is open",
    18: "whether any plane of order 18 exists is open",
    21: "no plane of order 21 exists at all (Bruck–Ryser",
    22: "no plane of order 22 exists at all (Bruck–Ryser",
}


@pytest.mark.parametrize("build", [projective_geometry, affine_geometry])
@pytest.mark.parametrize("q", KNOWN)
def test_orders_that_are_no_prime_powers(build: Any, q: int) -> None:
    with pytest.raises(InputError) as caught:
        build(q)
    message = str(caught.value)
    assert message.startswith(f"q={q} is no prime power")
    assert KNOWN[q] in message
    assert "\n" not in message
    with pytest.raises(InputError) as higher:
        build(q, 3)
    assert "plane of order" not in str(higher.value)


def test_plane_existence_by_brute_force() -> None:
    for order in (n for n in range(6, 300) if prime_power(n) is None and n != 10):
        sum_of_squares = any(
            isqrt(order - a * a) ** 2 == order - a * a for a in range(isqrt(order) + 1)
        )
        excluded = order % 4 in (1, 2) and not sum_of_squares
        assert plane_existence(order).startswith("no plane") == excluded, order


@pytest.mark.parametrize("build", [projective_geometry, affine_geometry])
@pytest.mark.parametrize("q", [1, 0, -1, -3])
def test_orders_below_two(build: Any, q: int) -> None:
    with pytest.raises(InputError, match=rf"^q={q}; expected a prime power, 2 or more$"):
        build(q)


@pytest.mark.parametrize("build", [projective_geometry, affine_geometry])
@pytest.mark.parametrize("dim", [1, 0, -2])
def test_dimensions_below_two(build: Any, dim: int) -> None:
    with pytest.raises(InputError, match=rf"^dim={dim}; .*2 or more$"):
        build(3, dim)


@pytest.mark.parametrize("build", [projective_geometry, affine_geometry])
@pytest.mark.parametrize("flats", [-1, 0, 3, 4])
def test_flats_out_of_range(build: Any, flats: int) -> None:
    with pytest.raises(InputError, match=rf"^flats={flats}; expected a dimension from 1 to 2"):
        build(2, 3, flats)


@pytest.mark.parametrize("build", [projective_geometry, affine_geometry])
@pytest.mark.parametrize(
    ("q", "dim"), [(10**9 + 7, 2), (10**12, 2), (2**61 - 1, 5), (4999, 2), (2, 24), (2, 400)]
)
def test_too_large(build: Any, q: int, dim: int) -> None:
    start = time.process_time()
    with pytest.raises(LimitError, match="limit") as caught:
        build(q, dim)
    assert time.process_time() - start < 0.5
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("build", [projective_geometry, affine_geometry])
@pytest.mark.parametrize(
    ("q", "dim"), [(10**4000, 2), (2, 20_000), (3, 100_000)], ids=["q", "dim", "larger dim"]
)
def test_sizes_with_thousands_of_digits(build: Any, q: int, dim: int) -> None:
    with pytest.raises(LimitError) as caught:
        build(q, dim)
    assert len(str(caught.value)) < 10_000


def test_flats_of_a_large_geometry_are_counted_before_they_are_listed() -> None:
    start = time.process_time()
    with pytest.raises(LimitError, match=r"blocks.*limit"):
        affine_geometry(2, 20, 10)
    assert time.process_time() - start < 0.5


def test_block_sizes_of_both_geometries_agree_with_the_residual() -> None:
    """PG(2, q) without a line is AG(2, q): as many blocks of each size, meeting as often."""
    for q in (2, 3, 4):
        plane, affine = projective_geometry(q), affine_geometry(q)
        outside = sorted(set(range(plane.v)) - set(plane.block(0).tolist()))
        rest = BlockDesign.from_blocks(
            [[outside.index(x) for x in block if x in outside] for block in plane.blocks()[1:]]
        )
        assert rest.parameters == affine.parameters
        meetings = [
            Counter(len(set(a) & set(b)) for a, b in itertools.combinations(design.blocks(), 2))
            for design in (rest, affine)
        ]
        assert meetings[0] == meetings[1]
