"""Pair counts against dense matrix products, whatever the chunks, and the cyclic certificate."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.designs import (
    BlockDesign,
    affine_geometry,
    counting,
    dual,
    intersection_numbers,
    pair_count_range,
    projective_geometry,
    verify,
)
from gcdesign.designs.counting import concurrence_rows, pair_count_histogram
from gcdesign.designs.cyclic import cyclic_base, difference_range

CHUNKS = (1, 7, 40, 1000)


@st.composite
def designs(draw: st.DrawFn) -> BlockDesign:
    v = draw(st.integers(0, 12))
    points = st.integers(0, v - 1) if v else st.nothing()
    blocks = draw(st.lists(st.sets(points, max_size=v), max_size=10))
    return BlockDesign.from_blocks(blocks, points=v)


def concurrence(design: BlockDesign) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    matrix = np.zeros((design.b, design.v), dtype=np.int64)
    for i, block in enumerate(design.blocks()):
        matrix[i, block] = 1
    return matrix.T @ matrix


def off_diagonal(design: BlockDesign) -> list[int]:
    counts = concurrence(design)
    return [int(counts[i, j]) for i, j in combinations(range(design.v), 2)]


def shifts(base: list[int], v: int) -> list[list[int]]:
    return [sorted((x + i) % v for x in base) for i in range(v)]


@settings(deadline=None)
@given(designs(), st.sampled_from([*CHUNKS, counting.CHUNK_ENTRIES]))
def test_rows_are_those_of_the_matrix_product(design: BlockDesign, chunk: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "CHUNK_ENTRIES", chunk)
        parts = list(concurrence_rows(design))
    expected = concurrence(design)
    assert [start for start, _ in parts] == np.cumsum([0, *(len(rows) for _, rows in parts)])[
        :-1
    ].tolist()
    found = np.concatenate([rows for _, rows in parts]) if parts else np.zeros((0, 0))
    assert found.tolist() == expected.tolist()


@settings(deadline=None)
@given(designs())
def test_range_and_histogram(design: BlockDesign) -> None:
    pairs = off_diagonal(design)
    assert pair_count_histogram(design) == dict(sorted(Counter(pairs).items()))
    assert pair_count_range(design) == ((min(pairs), max(pairs)) if pairs else (0, 0))


@settings(deadline=None)
@given(designs())
def test_intersections(design: BlockDesign) -> None:
    meetings = Counter(len(set(a) & set(b)) for a, b in combinations(design.blocks(), 2))
    assert intersection_numbers(design) == dict(sorted(meetings.items()))


@pytest.mark.parametrize("chunk", CHUNKS)
def test_small_chunks_give_the_same_answers(monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    samples = [
        affine_geometry(4),
        dual(affine_geometry(3)),
        projective_geometry(3, 3, 1),
        BlockDesign.from_blocks([range(30), range(5), [], [29], range(30)], points=31),
    ]
    usual = [(pair_count_range(d), pair_count_histogram(d)) for d in samples]
    monkeypatch.setattr(counting, "CHUNK_ENTRIES", chunk)
    assert [(pair_count_range(d), pair_count_histogram(d)) for d in samples] == usual
    assert usual[0] == ((1, 1), {1: 120})
    assert usual[3] == ((0, 3), {0: 30, 2: 425, 3: 10})


@settings(deadline=None)
@given(st.data())
def test_differences_of_any_cyclic_design(data: st.DataObject) -> None:
    v = data.draw(st.integers(2, 25))
    base = sorted(data.draw(st.sets(st.integers(0, v - 1), min_size=1, max_size=v)))
    design = BlockDesign.from_blocks(shifts(base, v), points=v)
    certificate = cyclic_base(design)
    assert certificate is not None
    assert certificate.tolist() == base
    pairs = off_diagonal(design)
    assert difference_range(certificate, v) == (min(pairs), max(pairs)) == pair_count_range(design)


@pytest.mark.parametrize("q", [2, 3, 4, 5, 9])
def test_planes_are_proved_by_their_difference_set(q: int) -> None:
    verified = verify(projective_geometry(q))
    assert (verified.method, verified.lambda_) == ("difference set", 1)


@pytest.mark.parametrize("q", [2, 3, 4])
def test_affine_planes_are_proved_by_counting(q: int) -> None:
    verified = verify(affine_geometry(q))
    assert (verified.method, verified.lambda_) == ("all t-subsets counted", 1)


def test_a_cyclic_design_that_is_no_two_design() -> None:
    design = BlockDesign.from_blocks(shifts([0, 1, 2], 7))
    assert cyclic_base(design) is not None
    assert pair_count_range(design) == (0, 2)
    assert verify(design).holds is False


@pytest.mark.parametrize("changed", [0, 1, 5, 11, 12])
def test_one_changed_block_is_seen(changed: int) -> None:
    """Nearly cyclic: one block of PG(2, 3), first, last or within, has one other point."""
    blocks = projective_geometry(3).blocks()
    absent = next(x for x in range(13) if x not in blocks[changed])
    blocks[changed] = sorted([*blocks[changed][1:], absent])
    design = BlockDesign.from_blocks(blocks, points=13)
    assert cyclic_base(design) is None
    pairs = off_diagonal(design)
    assert pair_count_range(design) == (min(pairs), max(pairs)) == (0, 2)
    assert verify(design).holds is False


def test_other_orders_and_numbers_of_blocks_are_counted() -> None:
    blocks = projective_geometry(3).blocks()
    swapped = [*blocks[:4], blocks[5], blocks[4], *blocks[6:]]
    for same in (swapped, blocks[::-1], blocks + blocks):
        design = BlockDesign.from_blocks(same, points=13)
        assert cyclic_base(design) is None
        assert verify(design).holds is True
    assert cyclic_base(BlockDesign.from_blocks(blocks[:-1], points=13)) is None
    assert pair_count_range(BlockDesign.from_blocks(blocks[:-1], points=13)) == (0, 1)


def test_designs_with_fewer_than_two_points() -> None:
    for blocks, points in (([], 0), ([[]], 0), ([], 1), ([[0]], 1), ([[0], [0]], 1)):
        design = BlockDesign.from_blocks(blocks, points=points)
        assert pair_count_range(design) == (0, 0)
        assert pair_count_histogram(design) == {}
        assert design.parameters.lambda_ is None


def test_pairs_that_average_one_are_not_taken_for_one() -> None:
    """r(k − 1) = v − 1 holds here, but 1 and 2 are together twice, and others never."""
    blocks = [[0, 1, 2], [1, 2, 3], [3, 4, 5], [4, 5, 6], [0, 6, 3], [0, 1, 5], [2, 4, 6]]
    design = BlockDesign.from_blocks(blocks)
    assert set(design.replication_numbers.tolist()) == {3}
    assert pair_count_range(design) == (0, 2)
    assert pair_count_range(affine_geometry(5)) == (1, 1)
