"""Steiner systems, counted subset by subset over plain sets."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from gcdesign.designs import BlockDesign
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
