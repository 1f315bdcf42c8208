"""Orthogonal arrays, transversal designs, and the closures that they feed."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from gcdesign.designs import BlockDesign, affine_geometry, build, parse_spec
from gcdesign.designs.fields import prime_power
from gcdesign.designs.squares import (
    known_squares,
    most_columns,
    orthogonal_latin_squares,
    transversal_array,
)
from gcdesign.designs.squares.designs import transversal_design, transversal_pbd
from gcdesign.designs.weighting import grouped, weight
from gcdesign.errors import InputError, LimitError


def pair_counts(design: BlockDesign) -> Counter[tuple[int, int]]:
    return Counter(pair for block in design.blocks() for pair in combinations(block, 2))


@pytest.mark.parametrize("side", [*range(2, 63), 65, 66, 68, 74, 75])
def test_arrays_hold_every_pair_once(side: int) -> None:
    """As many columns as there are, up to 12: more would only cost time."""
    columns = min(most_columns(side), 12)
    rows = transversal_array(columns, side)
    assert rows.shape == (side * side, columns)
    for i, j in combinations(range(columns), 2):
        pairs = set(zip(rows[:, i].tolist(), rows[:, j].tolist(), strict=True))
        assert pairs == {(a, b) for a in range(side) for b in range(side)}


def test_no_more_is_built_than_is_known() -> None:
    for side in range(2, 100):
        assert most_columns(side) - 2 <= known_squares(side), side


def test_where_more_are_known_than_are_built() -> None:
    fewer = [n for n in range(2, 101) if most_columns(n) - 2 < known_squares(n)]
    assert fewer == [15, 18, 40, 50, 58, 69, 76, 80, 82, 87, 90, 91, 93, 94, 100]


def test_squares_are_latin() -> None:
    squares = orthogonal_latin_squares(21, 3)
    numbers = list(range(21))
    for square in squares.tolist():
        assert all(sorted(line) == numbers for line in [*square, *zip(*square, strict=True)])


@pytest.mark.parametrize("order", [4, 8, 9])
def test_byzshields_composite_orders(order: int) -> None:
    """k·i + j modulo n is Latin for 2 of 3 slopes of order 4, 6 of 8 of order 9; a field's all."""
    naive = [
        [sorted((k * i + j) % order for i in range(order)) for j in range(order)]
        for k in range(1, order)
    ]
    latin = sum(all(column == list(range(order)) for column in square) for square in naive)
    assert latin < order - 1
    assert most_columns(order) - 2 == order - 1


@pytest.mark.parametrize(
    ("columns", "side", "words"),
    [
        (4, 6, "Tarry"),
        (6, 4, "at most 5 groups"),
        (9, 10, "known in the literature|can be built here"),
        (1, 5, "2 or more"),
        (3, 1, "2 or more"),
    ],
)
def test_refused_arrays(columns: int, side: int, words: str) -> None:
    with pytest.raises(InputError, match=words):
        transversal_array(columns, side)


def test_limit_of_the_side() -> None:
    with pytest.raises(LimitError):
        transversal_array(3, 10**6)


@pytest.mark.parametrize(("groups", "side"), [(3, 4), (4, 4), (5, 4), (4, 12), (3, 6), (5, 21)])
def test_transversal_designs(groups: int, side: int) -> None:
    design = transversal_design(groups, side)
    assert BlockDesign(design.v, design.indptr, design.indices) == design
    counts = pair_counts(design)
    for a, b in combinations(range(design.v), 2):
        assert counts[a, b] == (0 if a // side == b // side else 1)
    for parallel in design.parallel_classes or ():
        points = sorted(p for b in parallel for p in design.block(b).tolist())
        assert points == list(range(design.v))
    assert (design.parallel_classes is not None) == (most_columns(side) > groups)


@pytest.mark.parametrize(
    ("groups", "side", "last", "infinity"),
    [(4, 3, 1, 0), (4, 3, 0, 0), (4, 3, 3, 1), (5, 4, 2, 1), (5, 7, 4, 0), (3, 2, 0, 1)],
)
def test_pairwise_balanced(groups: int, side: int, last: int, infinity: int) -> None:
    design = transversal_pbd(groups, side, last, infinity)
    assert BlockDesign(design.v, design.indptr, design.indices) == design
    assert design.v == (groups - 1) * side + last + infinity
    counts = pair_counts(design)
    assert all(counts[pair] == 1 for pair in combinations(range(design.v), 2))


def test_refused_pairwise_balanced() -> None:
    for arguments, words in (
        ((4, 3, 4, 0), "last=4"),
        ((4, 3, 1, 2), "infinity=2"),
        ((2, 3, 1, 0), "groups=2"),
    ):
        with pytest.raises(InputError, match=words):
            transversal_pbd(*arguments)


def test_weight_and_grouped_make_a_design() -> None:
    """(49,4,1) from AG(2,4): 16 points of weight 3, blocks filled from AG(2,4)... and (13,4,1)."""
    recipe = "fill(weight(ag:q=4,times=3),other=(grouped(pg:q=3)))"
    design = build(parse_spec(recipe))
    assert design.parameters.as_tuple() == (49, 196, 16, 4, 1)
    assert set(pair_counts(design).values()) == {1}


def test_grouped_is_group_divisible() -> None:
    design = grouped(affine_geometry(5), point=7)
    counts = pair_counts(design)
    for a, b in combinations(range(24), 2):
        assert counts[a, b] == (0 if a // 4 == b // 4 else 1)


def test_refused_weights_and_groups() -> None:
    plane = affine_geometry(3)
    with pytest.raises(InputError, match="times=0"):
        weight(plane, 0)
    with pytest.raises(InputError, match="point 9 of 9"):
        grouped(plane, 9)
    with pytest.raises(InputError, match="do not part"):
        grouped(affine_geometry(2, 3, 2))
    with pytest.raises(LimitError):
        weight(plane, 10**8)


def test_every_side_up_to_100_has_its_table_entry() -> None:
    entries = [known_squares(side) for side in range(2, 101)]
    assert all(entries[q - 2] == q - 1 for q in range(2, 101) if prime_power(q))
    assert np.array(entries)[8] == 2
    with pytest.raises(InputError, match="2 to 100"):
        known_squares(101)
