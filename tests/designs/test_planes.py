"""Planes that are not Desarguesian: lines and points counted, ranks and groups from the books."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from gcdesign.designs import BlockDesign, build, dual, parse_spec, projective_geometry
from gcdesign.designs.planes.derivation import derivation, derivation_sets
from gcdesign.designs.planes.hughes import hughes_plane
from gcdesign.designs.planes.translation import SPREAD_SETS, hall_plane, translation_plane
from gcdesign.errors import InputError, LimitError


def is_plane(design: BlockDesign, order: int) -> bool:
    lines = [set(line) for line in design.blocks()]
    size = order * order + order + 1
    return (
        BlockDesign(design.v, design.indptr, design.indices) == design
        and len(lines) == design.v == size
        and {len(line) for line in lines} == {order + 1}
        and all(len(one & two) == 1 for one, two in combinations(lines, 2))
    )


def p_rank(design: BlockDesign, p: int) -> int:
    rows, rank = design.dense_incidence().astype(np.int64) % p, 0
    for column in range(design.v):
        pivots = np.flatnonzero(rows[rank:, column])
        if pivots.size:
            rows[[rank, rank + pivots[0]]] = rows[[rank + pivots[0], rank]]
            rows[rank] = rows[rank] * pow(int(rows[rank, column]), -1, p) % p
            others = rows[:, column].copy()
            others[rank] = 0
            rows = (rows - others[:, None] * rows[rank]) % p
            rank += 1
    return rank


@pytest.mark.parametrize("q", [3, 4, 5])
def test_hall_planes(q: int) -> None:
    assert is_plane(hall_plane(q), q * q)


@pytest.mark.parametrize("q", [3, 5])
def test_hughes_planes(q: int) -> None:
    assert is_plane(hughes_plane(q), q * q)


@pytest.mark.parametrize("number", range(1, 8))
def test_planes_of_order_16(number: int) -> None:
    assert is_plane(translation_plane(16, number), 16)


def test_two_ranks_of_the_planes_of_order_16() -> None:
    """Moorhouse's table has 98, 98, 98, 100, 102, 106, 106 for these, 82 for PG(2, 16)."""
    ranks = [p_rank(translation_plane(16, number), 2) for number in range(1, 8)]
    assert sorted(ranks) == [98, 98, 98, 100, 102, 106, 106]
    assert p_rank(projective_geometry(16), 2) == 82
    assert [f"2-rank {rank}" in name for rank, (name, _) in zip(ranks, SPREAD_SETS, strict=False)]


def test_three_ranks_of_the_planes_of_order_9() -> None:
    """37 for PG(2, 9) and 41 for the others (Sachar 1979); GAP tells these by their groups."""
    planes = [projective_geometry(9), hall_plane(3), dual(hall_plane(3)), hughes_plane(3)]
    assert [p_rank(plane, 3) for plane in planes] == [37, 41, 41, 41]


def test_translations_act_on_the_hall_plane() -> None:
    """(x, y) → (x + a, y + b) over GF(3)⁴ sends lines to lines."""
    plane = hall_plane(3)
    lines = {frozenset(line) for line in plane.blocks()}
    digits = np.arange(81)[:, None] // [27, 9, 3, 1] % 3
    for shift in np.eye(4, dtype=int):
        moved = ((digits + shift) % 3) @ [27, 9, 3, 1]
        images = [*moved.tolist(), *range(81, 91)]
        assert {frozenset(images[p] for p in line) for line in lines} == lines


def test_refused_planes() -> None:
    for call, wrong, words in (
        (hall_plane, 2, "3 or more"),
        (hall_plane, 6, "prime power"),
        (hughes_plane, 4, "odd"),
        (hughes_plane, 15, "prime power"),
    ):
        with pytest.raises(InputError, match=words):
            call(wrong)
        with pytest.raises(LimitError):
            call(10**9 + 1)
    for order, number in ((25, 1), (9, 2), (16, 0), (16, 8)):
        with pytest.raises(InputError, match="order"):
            translation_plane(order, number)


DERIVED = {
    "derivation(translation-plane:order=16,number=1,block=272,slopes=256+261+265+268+272)": 102,
    "derivation(translation-plane:order=16,number=2,block=272,slopes=256+257+260+261+272)": 100,
    "derivation(translation-plane:order=16,number=2,block=272,slopes=256+257+268+269+272)": 106,
    "derivation(translation-plane:order=16,number=3,block=272,slopes=256+257+260+268+271)": 98,
    "derivation(translation-plane:order=16,number=7,block=272,slopes=256+257+258+259+272)": 82,
    "derivation(translation-plane:order=16,number=2,block=256,slopes=0+1+2+3+272)": 114,
    "derivation(dual(translation-plane:order=16,number=7),block=256,slopes=0+1+2+3+272)": 110,
}
"""Planes of order 16 by their 2-rank. The last two are no plane made otherwise, and no dual."""


@pytest.mark.parametrize("name", DERIVED)
def test_derived_planes_of_order_16(name: str) -> None:
    plane = build(parse_spec(name))
    assert is_plane(plane, 16)
    assert binary_rank(plane) == DERIVED[name]


def binary_rank(design: BlockDesign) -> int:
    """The 2-rank, with rows as whole numbers."""
    basis: dict[int, int] = {}
    for line in design.blocks():
        row = sum(1 << point for point in line)
        while row and row.bit_length() in basis:
            row ^= basis[row.bit_length()]
        if row:
            basis[row.bit_length()] = row
    return len(basis)


def test_the_desarguesian_plane_gives_the_hall_plane() -> None:
    """Its derivation sets on a line are the Baer sublines: (q² + 1)q²(q² − 1)/(q + 1)q(q − 1)."""
    for q, count in ((2, 10), (3, 30)):
        plane = projective_geometry(q * q)
        assert len(set(derivation_sets(plane, 5))) == count
    derived = derivation(plane, (0, 1, 3, 77))
    assert is_plane(derived, 9)
    assert p_rank(derived, 3) == 41
    pytest.importorskip("pynauty")
    from gcdesign.designs.symmetry import automorphism_group

    assert automorphism_group(derived).order == 311_040  # 33 696 for the Hughes plane (GAP)


def test_derivation_is_undone() -> None:
    """The lines that went are the Baer subplanes of the new plane on the same points."""
    plane = projective_geometry(9)
    derived = derivation(plane, (0, 1, 3, 77))
    infinity = next(i for i, line in enumerate(derived.blocks()) if {0, 1, 3, 77} <= set(line))
    back = derivation(derived, (0, 1, 3, 77), infinity)
    line = set(plane.block(0))
    affine = [{frozenset(set(b) - line) for b in one.blocks()} for one in (plane, back)]
    assert affine[0] == affine[1]
    assert p_rank(back, 3) == 37


def test_what_has_no_derivation() -> None:
    hughes = hughes_plane(3)
    assert all(is_plane(derivation(hughes, s), 9) for s in derivation_sets(hughes, 0))
    one = list(projective_geometry(4).block(0))
    with pytest.raises(InputError, match="no common line"):
        derivation(BlockDesign.from_blocks([one] * 21, points=21), one[:3])
    with pytest.raises(LimitError, match="order 169"):
        derivation(projective_geometry(169), (0, 1))
