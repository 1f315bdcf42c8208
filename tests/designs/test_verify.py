"""t-design checks against counting over plain sets, and designs known from the literature."""

from __future__ import annotations

import itertools
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.designs import (
    BlockDesign,
    Verification,
    affine_geometry,
    build,
    counting,
    dual,
    pair_count_range,
    parse_spec,
    projective_geometry,
    verify,
)
from gcdesign.designs.translations import has_translations
from gcdesign.errors import InputError, LimitError


@st.composite
def designs(draw: st.DrawFn) -> BlockDesign:
    v = draw(st.integers(1, 8))
    sizes = st.sampled_from(draw(st.sampled_from([list(range(v + 1)), [min(3, v)], [min(4, v)]])))
    block = sizes.flatmap(lambda k: st.permutations(range(v)).map(lambda order: order[:k]))
    return BlockDesign.from_blocks(draw(st.lists(block, max_size=12)), points=v)


def counts(design: BlockDesign, t: int) -> list[int]:
    blocks = [set(block) for block in design.blocks()]
    return [
        sum(set(subset) <= block for block in blocks)
        for subset in itertools.combinations(range(design.v), t)
    ]


def mathieu_12() -> list[frozenset[int]]:
    """Return the 132 blocks of S(5, 6, 12): the squares modulo 11 and ∞ under PSL(2, 11)."""
    infinity = 11
    inverse = {0: infinity, infinity: 0} | {x: pow(x, -1, 11) for x in range(1, 11)}
    maps = [
        {x: x if x == infinity else (x + 1) % 11 for x in range(12)},
        {x: x if x == infinity else 3 * x % 11 for x in range(12)},
        {x: y if y == infinity else -y % 11 for x, y in inverse.items()},
    ]
    seen = {frozenset({infinity, 1, 3, 4, 5, 9})}
    waiting = list(seen)
    while waiting:
        block = waiting.pop()
        images = {frozenset(f[x] for x in block) for f in maps} - seen
        seen |= images
        waiting.extend(images)
    return sorted(seen, key=sorted)


def golay_octads() -> list[list[int]]:
    """Return the 759 words of weight 8 of the extended Golay code: the blocks of S(5, 8, 24)."""
    generator = 0b101011100011
    words = [0]
    for shift in range(12):
        words += [word ^ generator << shift for word in words]
    extended = [word << 1 | word.bit_count() & 1 for word in words]
    return [[i for i in range(24) if word >> i & 1] for word in extended if word.bit_count() == 8]


@settings(deadline=None, max_examples=150)
@given(designs(), st.integers(0, 5))
def test_counts_are_those_of_plain_sets(design: BlockDesign, t: int) -> None:
    if t > design.v:
        with pytest.raises(InputError):
            verify(design, t)
        return
    verified = verify(design, t)
    expected = counts(design, t)
    sizes = {len(block) for block in design.blocks()}
    uniform = next(iter(sizes)) if len(sizes) == 1 else None
    assert (verified.least, verified.most) == (min(expected), max(expected))
    assert verified.block_size == uniform
    holds = uniform is not None and uniform >= t and len(set(expected)) == 1 and expected[0] > 0
    assert verified.holds is holds
    assert verified.lambda_ == (expected[0] if holds else None)


@pytest.mark.parametrize("t", [2, 3, 4])
def test_all_subsets_of_one_size(t: int) -> None:
    design = BlockDesign.from_blocks(itertools.combinations(range(9), 4), points=9)
    assert verify(design, t).lambda_ == comb(9 - t, 4 - t)


def test_affine_space_over_two_elements_is_a_three_design() -> None:
    design = affine_geometry(2, 3, 2)
    assert design.parameters.as_tuple() == (8, 14, 7, 4, 3)
    assert verify(design, 3).lambda_ == 1
    assert verify(design, 4).holds is False
    assert verify(affine_geometry(2, 4, 2), 3).lambda_ == 1
    assert verify(affine_geometry(2, 4, 3), 3).lambda_ == 3
    assert verify(affine_geometry(3, 3, 2), 3).holds is False


def test_the_small_witt_design() -> None:
    design = BlockDesign.from_blocks(mathieu_12(), points=12)
    assert [verify(design, t).lambda_ for t in range(7)] == [132, 66, 30, 12, 4, 1, None]


def test_the_large_witt_design() -> None:
    design = BlockDesign.from_blocks(golay_octads(), points=24)
    assert [verify(design, t).lambda_ for t in range(6)] == [759, 253, 77, 21, 5, 1]


def test_uncovered_subsets_count() -> None:
    """A triangle on six points is no 1-design: three points lie in no block."""
    design = BlockDesign.from_blocks([[0, 1], [1, 2], [0, 2]], points=6)
    for t in (1, 2):
        verified = verify(design, t)
        assert (verified.least, verified.holds, verified.lambda_) == (0, False, None)
    alone = BlockDesign.from_blocks([[0, 1], [1, 2], [0, 2]], points=3)
    assert (verify(alone, 1).lambda_, verify(alone, 2).lambda_) == (2, 1)


@pytest.mark.parametrize("seed", range(5))
def test_no_twelve_blocks_of_five_balance_fifteen_points(seed: int) -> None:
    """r = 4 fits, but λ would be 16/14, and b < v contradicts Fisher."""
    order = np.random.default_rng(seed).permutation(15)
    blocks = [sorted(order[(5 * i + j + i // 3) % 15] for j in range(5)) for i in range(12)]
    design = BlockDesign.from_blocks(blocks, points=15)
    assert (design.b, design.parameters.r, design.parameters.k) == (12, 4, 5)
    assert verify(design, 1).holds is True
    assert verify(design, 2).holds is False
    assert design.parameters.lambda_ is None


@pytest.mark.parametrize("block", [[1, 1], [0, 1, 2, 1], [3, 3, 3]])
def test_a_block_with_a_point_twice_is_refused(block: list[int]) -> None:
    with pytest.raises(InputError, match=r"^block 1 holds point \d twice; each point may occur"):
        BlockDesign.from_blocks([[0, 2], block], points=4)
    flat = np.array([0, 2, *sorted(block)], dtype=np.int32)
    with pytest.raises(InputError, match=r"^block 1 holds point \d twice"):
        BlockDesign(4, np.array([0, 2, len(flat)]), flat)


@pytest.mark.parametrize("point", [4, -1, 10**6, 10**30])
def test_a_point_out_of_range_is_refused(point: int) -> None:
    with pytest.raises(InputError, match=rf"^block 1 names point {point}; expected points 0 to 3"):
        BlockDesign.from_blocks([[0, 2], [1, point]], points=4)


@pytest.mark.parametrize("blocks", [[[0, "a"]], [["a"]], [[0, None]], [[0, 1.0]], [[True]], [5]])
def test_what_is_no_point_is_refused(blocks: list[list[int]]) -> None:
    with pytest.raises(InputError, match=r"^block 0 "):
        BlockDesign.from_blocks(blocks, points=4)


def test_a_huge_point_without_a_number_of_points_is_refused() -> None:
    with pytest.raises(LimitError, match="limit"):
        BlockDesign.from_blocks([[0, 10**9]])
    with pytest.raises(LimitError, match="limit"):
        BlockDesign.from_blocks([[0, 10**30]])


def test_blocks_are_a_multiset() -> None:
    plane = projective_geometry(2)
    twice = BlockDesign.from_blocks(plane.blocks() * 2)
    assert twice.parameters.as_tuple() == (7, 14, 6, 3, 2)
    assert verify(twice).lambda_ == 2


def test_trivial_and_degenerate_designs() -> None:
    everything = BlockDesign.from_blocks([range(5)])
    assert [verify(everything, t).lambda_ for t in range(6)] == [1] * 6
    nothing = BlockDesign.from_blocks([], points=3)
    assert [verify(nothing, t).holds for t in range(4)] == [False] * 4
    empty_blocks = BlockDesign.from_blocks([[], []], points=3)
    assert verify(empty_blocks, 0).lambda_ == 2
    assert verify(empty_blocks, 1).holds is False
    ragged = BlockDesign.from_blocks([[0, 1, 2], [0, 1], [0, 2], [1, 2]])
    assert (verify(ragged).least, verify(ragged).most) == (2, 2)
    assert verify(ragged).holds is False
    assert verify(ragged).block_size is None


@pytest.mark.parametrize(
    ("spec", "t", "lambda_"),
    [
        ("pg:q=2", 2, 1),
        ("pg:q=3,dim=3", 2, 4),
        ("pg:q=3,dim=3,flats=1", 2, 1),
        ("ag:q=4", 2, 1),
        ("uncoded:workers=5", 1, 1),
        ("uncoded:workers=5", 2, None),
        ("frc:workers=6,stragglers=2", 1, 3),
        ("frc:workers=6,stragglers=2", 2, None),
        ("dual-ag:q=3", 2, None),
    ],
)
def test_families(spec: str, t: int, lambda_: int | None) -> None:
    assert verify(build(parse_spec(spec)), t).lambda_ == lambda_


def test_provenance_is_not_believed() -> None:
    plane = projective_geometry(3)
    blocks = [*plane.blocks()[:-1], [0, 1, 2, 3]]
    forged = BlockDesign.from_blocks(blocks, points=13, provenance=plane.provenance)
    assert verify(forged).holds is False
    assert verify(dual(forged)).holds is False


@pytest.mark.parametrize("t", [-1, 8, 100])
def test_t_out_of_range(t: int) -> None:
    with pytest.raises(InputError, match=rf"^t={t}; expected a number from 0 to v=7$"):
        verify(projective_geometry(2), t)


def test_too_many_subsets() -> None:
    with pytest.raises(LimitError, match=r"5-subsets of the points .*: lower t$"):
        verify(projective_geometry(32), 5)
    wide = BlockDesign.from_blocks([range(60)] * 100)
    with pytest.raises(LimitError, match=r"\d+ 4-subsets"):
        verify(BlockDesign.from_blocks([range(200)] * 100), 4)
    assert verify(wide, 3).lambda_ == 100


def test_a_verification_is_a_value() -> None:
    assert verify(projective_geometry(2)) == Verification(2, 3, 1, 1, "difference set")


@pytest.mark.parametrize(
    ("name", "carried"),
    [
        ("ag:q=9", True),
        ("ag:q=2,dim=5,flats=2", True),
        ("pg:q=3,dim=3,flats=1", True),
        ("hughes-plane:q=3", False),
        ("random-sts:points=27,seed=1", False),
        ("multiple(ag:q=4,times=3)", True),
    ],
)
def test_translations_are_found_and_one_point_speaks_for_all(
    name: str, carried: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Against counting every pair over plain sets."""
    design = build(parse_spec(name))
    assert has_translations(design) is carried
    monkeypatch.setattr(counting, "MANY_PAIRS", 0)
    assert set(counts(design, 2)) == {*pair_count_range(design)}


@given(designs())
@settings(max_examples=60, deadline=None)
def test_translations_of_small_designs(design: BlockDesign) -> None:
    """Against moving the blocks by every translation of Z_v, or of digits of 2 and 3."""
    v, blocks = design.v, sorted(map(sorted, design.blocks()))

    def carried(base: int, digits: int) -> bool:
        moves = [
            [x + step if x // step % base < base - 1 else x - (base - 1) * step for x in range(v)]
            for step in (base**i for i in range(digits))
        ]
        return all(
            sorted(sorted(move[x] for x in block) for block in blocks) == blocks for move in moves
        )

    expected = carried(v, 1) or (v in (4, 8) and carried(2, v.bit_length() - 1))
    one_size = len(set(map(len, blocks))) == 1 and blocks[0] != []
    assert has_translations(design) is (one_size and expected)
