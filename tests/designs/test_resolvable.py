"""Kirkman systems, near-resolvable designs, completion: classes counted point by point."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from ortools.sat.python import cp_model

from gcdesign.designs import BlockDesign, affine_geometry, build, parse_spec, projective_geometry
from gcdesign.designs.joining import union
from gcdesign.designs.steiner.kirkman import kirkman_triple_system
from gcdesign.designs.steiner.kirkman_plans import kirkman_plan
from gcdesign.designs.steiner.near_resolvable import near_resolvable_design
from gcdesign.designs.symmetry import isomorphism
from gcdesign.designs.weighting import completed
from gcdesign.errors import InputError


def pairs_once(design: BlockDesign) -> bool:
    counts = Counter(pair for block in design.blocks() for pair in combinations(block, 2))
    return set(counts.values()) == {1} and len(counts) == design.v * (design.v - 1) // 2


def parts(design: BlockDesign) -> bool:
    """Whether every class holds every point once."""
    whole = list(range(design.v))
    return all(
        sorted(p for b in parallel for p in design.block(b).tolist()) == whole
        for parallel in design.parallel_classes or ()
    )


@pytest.mark.parametrize("points", [*range(9, 130, 6), 141, 165, 213, 231, 285, 357, 375])
def test_kirkman(points: int) -> None:
    """141 = 2·70 + 1 comes from stored base blocks, 165, 231 and 285 are multiples.

    357 = 2·178 + 1 and 213 come from weights, 375 from a closure.
    """
    design = kirkman_triple_system(points)
    assert BlockDesign(design.v, design.indptr, design.indices) == design
    assert set(map(len, design.blocks())) == {3}
    assert pairs_once(design)
    assert parts(design)
    assert len(design.parallel_classes or ()) == (points - 1) // 2


def test_no_kirkman_system_is_missing() -> None:
    assert [v for v in range(9, 2000, 6) if kirkman_plan((v - 1) // 2) is None] == []
    for wrong in (3, 7, 12, 13):
        with pytest.raises(InputError, match="3 \\(mod 6\\)"):
            kirkman_triple_system(wrong)


def test_fifteen_schoolgirls_walk_for_seven_days() -> None:
    design = kirkman_triple_system(15)
    assert (design.b, len(design.parallel_classes or ())) == (35, 7)


def test_twelve_golfers_in_triples() -> None:
    """Four rounds of TD(3,4) use 48 of the 66 pairs once.

    In a fifth every golfer would meet 10 of the 11 others, so that the pairs that never meet are
    a perfect matching.
    """
    design = build(parse_spec("transversal:groups=3,side=4"))
    assert parts(design)
    assert len(design.parallel_classes or ()) == 4
    counts = Counter(p for block in design.blocks() for p in combinations(block, 2))
    assert (len(counts), set(counts.values())) == (48, {1})


def test_twelve_golfers_in_triples_do_not_last_for_five_rounds() -> None:
    """The solver goes through all; golfers 2i and 2i + 1 are those that never meet.

    In the first round golfer 0 is with 2 and 4, in the second with 3.
    """
    triples = [t for t in combinations(range(12), 3) if len({golfer // 2 for golfer in t}) == 3]
    model = cp_model.CpModel()
    plays = [{t: model.new_bool_var(f"{t} in {number}") for t in triples} for number in range(5)]
    for plan in plays:
        for golfer in range(12):
            model.add_exactly_one(plan[t] for t in triples if golfer in t)
    for pair in combinations(range(12), 2):
        if pair[0] // 2 != pair[1] // 2:
            model.add_exactly_one(plan[t] for plan in plays for t in triples if {*pair} <= {*t})
    model.add(plays[0][0, 2, 4] == 1)
    model.add_exactly_one(plays[1][t] for t in triples if {0, 3} <= {*t})
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    assert solver.solve(model) == cp_model.INFEASIBLE


@pytest.mark.parametrize(("q", "size"), [(7, 3), (7, 2), (9, 4), (13, 4), (16, 5), (16, 3)])
def test_near_resolvable(q: int, size: int) -> None:
    design = near_resolvable_design(q, size)
    assert BlockDesign(design.v, design.indptr, design.indices) == design
    assert design.parameters.as_tuple() == (q, q * (q - 1) // size, q - 1, size, size - 1)
    per_class = (q - 1) // size
    for x in range(q):
        blocks = range(x * per_class, (x + 1) * per_class)
        points = sorted(p for b in blocks for p in design.block(b).tolist())
        assert points == [p for p in range(q) if p != x]


def test_refused_near_resolvable() -> None:
    for q, size, words in ((7, 4, "divides"), (6, 5, "prime power"), (7, 1, "2 or more")):
        with pytest.raises(InputError, match=words):
            near_resolvable_design(q, size)


@pytest.mark.parametrize("q", [2, 3, 4, 5])
def test_completed_affine_planes_are_projective(q: int) -> None:
    plane = completed(affine_geometry(q))
    assert BlockDesign(plane.v, plane.indptr, plane.indices) == plane
    assert isomorphism(plane, projective_geometry(q))


def test_completion_needs_classes() -> None:
    with pytest.raises(InputError, match="parallel classes"):
        completed(projective_geometry(2))


@pytest.mark.parametrize(
    ("q", "points", "lines", "classes", "per_class"), [(3, 9, 12, 4, 3), (4, 16, 20, 5, 4)]
)
def test_affine_planes_have_their_classes(
    q: int, points: int, lines: int, classes: int, per_class: int
) -> None:
    plane = affine_geometry(q)
    assert (plane.v, plane.b) == (points, lines)
    assert [len(c) for c in plane.parallel_classes or ()] == [per_class] * classes
    assert parts(plane)


def test_repeated_blocks_are_counted() -> None:
    """A design is a multiset: the plane twice has every block twice and λ = 2."""
    plane = affine_geometry(3)
    assert union(plane, plane).parameters.as_tuple() == (9, 24, 8, 3, 2)


def test_an_alpha_design_with_two_replicates() -> None:
    """r = 2, k = 2, v = 8: eight blocks of two in two classes is a resolvable placement."""
    blocks = [[0, 1], [2, 3], [4, 5], [6, 7], [0, 2], [1, 3], [4, 6], [5, 7]]
    design = BlockDesign.from_blocks(blocks, block_classes=[0] * 4 + [1] * 4)
    assert design.parameters.as_tuple()[:4] == (8, 8, 2, 2)
    assert parts(design)
