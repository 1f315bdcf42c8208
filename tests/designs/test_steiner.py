"""Steiner systems, counted subset by subset over plain sets."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from gcdesign.designs import BlockDesign
from gcdesign.designs.steiner.candelabra import candelabrum, four_groups, one_factors
from gcdesign.designs.steiner.quadruples import quadruple_plan, steiner_quadruple_system
from gcdesign.designs.steiner.quintuples import quintuple_design
from gcdesign.designs.steiner.triples import steiner_triple_system
from gcdesign.designs.steiner.witt import SIZES, witt_design
from gcdesign.errors import InputError, LimitError


def subset_counts(design: BlockDesign, t: int) -> set[int]:
    """Return how often t-subsets occur; 0 is among them if one does not."""
    counts = Counter(s for block in design.blocks() for s in combinations(block, t))
    covered = set(counts.values())
    everything = len(counts) == sum(1 for _ in combinations(range(design.v), t))
    return covered if everything else covered | {0}


@pytest.mark.parametrize("points", [v for v in range(3, 100) if v % 6 in (1, 3)])
def test_triple_systems(points: int) -> None:
    design = steiner_triple_system(points)
    assert subset_counts(design, 2) == {1}
    assert set(map(len, design.blocks())) == {3}
    assert BlockDesign(design.v, design.indptr, design.indices) == design


@pytest.mark.parametrize(
    ("points", "words"), [(1, "3 or more"), (8, "take 7 or 9"), (11, "take 9 or 13"), (-5, "3 or")]
)
def test_no_triple_system(points: int, words: str) -> None:
    with pytest.raises(InputError, match=words):
        steiner_triple_system(points)


def test_a_triple_system_that_is_too_large() -> None:
    with pytest.raises(LimitError, match="limit"):
        steiner_triple_system(600_003)


@pytest.mark.parametrize("points", sorted(SIZES))
def test_witt_designs(points: int) -> None:
    t, k, blocks = SIZES[points]
    design = witt_design(points)
    assert design.b == blocks
    assert set(map(len, design.blocks())) == {k}
    assert subset_counts(design, t) == {1}


def test_no_witt_design() -> None:
    with pytest.raises(InputError, match="11, 12, 22, 23, 24"):
        witt_design(10)


@pytest.mark.parametrize("q", [5, 9, 13, 17, 25])
def test_quintuples(q: int) -> None:
    design = quintuple_design(q)
    assert BlockDesign(design.v, design.indptr, design.indices) == design
    assert set(map(len, design.blocks())) == {5}
    assert subset_counts(design, 2) == {1}


@pytest.mark.parametrize("points", [*(v for v in range(4, 71) if v % 6 in (2, 4)), 74, 86, 98])
def test_quadruple_systems(points: int) -> None:
    design = steiner_quadruple_system(points)
    assert BlockDesign(design.v, design.indptr, design.indices) == design
    assert set(map(len, design.blocks())) == {4}
    assert subset_counts(design, 3) == {1}


@pytest.mark.parametrize(
    ("groups", "size", "stem"),
    [(3, 2, 2), (3, 3, 1), (3, 8, 2), (3, 14, 2), (3, 10, 4), (3, 12, 2), (4, 4, 2), (4, 10, 2)],
)
def test_candelabra(groups: int, size: int, stem: int) -> None:
    """Three points are in one quadruple, but for those in one group and the stem."""
    rows = four_groups(size) if groups == 4 else candelabrum(size, stem)
    counts = Counter(s for row in rows.tolist() for s in combinations(sorted(row), 3))
    points = range(groups * size + stem)
    group_of = [min(point // size, groups) for point in points]
    expected = {
        three
        for three in combinations(points, 3)
        if len({group_of[point] for point in three} - {groups}) > 1
    }
    assert set(counts) == expected
    assert set(counts.values()) == {1}


def test_no_quadruple_system_is_missing() -> None:
    assert all(quadruple_plan(v) for v in range(4, 3000) if v % 6 in (2, 4))
    with pytest.raises(InputError, match="2 or 4"):
        steiner_quadruple_system(12)


def test_round_robin() -> None:
    factors = one_factors(8).tolist()
    assert len(factors) == 7
    assert all(sorted(p for pair in factor for p in pair) == list(range(8)) for factor in factors)
    pairs = {frozenset(pair) for factor in factors for pair in factor}
    assert len(pairs) == 28


def test_four_players_in_pairs_for_three_rounds() -> None:
    rounds = {frozenset(map(frozenset, factor)) for factor in one_factors(4).tolist()}
    expected = [((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2))]
    assert rounds == {frozenset(map(frozenset, one)) for one in expected}
