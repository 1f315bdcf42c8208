"""Ranks, resolutions, block graphs, extreme sets, extensions: against brute force and theorems."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from math import comb
from typing import Any

import networkx as nx
import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy.matrices.normalforms import smith_normal_form

from gcdesign.designs import (
    BlockDesign,
    affine_geometry,
    build,
    complement,
    parse_spec,
    projective_geometry,
    residual,
    verify,
)
from gcdesign.designs.steiner.random_triples import random_triple_system
from gcdesign.designs.symmetry import automorphism_group, certificate
from gcdesign.designs.tools.block_graph import block_graph, spectrum
from gcdesign.designs.tools.elimination import rank_mod, rational_rank, valuations
from gcdesign.designs.tools.embedding import embed_as_residual
from gcdesign.designs.tools.exact_cover import exact_covers
from gcdesign.designs.tools.extension import extend, strength
from gcdesign.designs.tools.point_sets import (
    PointSet,
    largest_arc,
    smallest_blocking_set,
    smallest_transversal,
)
from gcdesign.designs.tools.ranks import incidence_rank, p_rank, smith_form
from gcdesign.designs.tools.resolution import (
    all_resolutions,
    find_resolution,
    parallel_classes,
)
from gcdesign.designs.tools.solving import Limits
from gcdesign.errors import InputError, LimitError

FANO = projective_geometry(2)


def plain(design: BlockDesign) -> BlockDesign:
    """Return the same blocks without classes and origin."""
    return BlockDesign.from_blocks(design.blocks(), points=design.v)


def developed(base: list[int], modulus: int) -> BlockDesign:
    return BlockDesign.from_blocks([[(x + i) % modulus for x in base] for i in range(modulus)])


@st.composite
def designs(draw: st.DrawFn, most: int = 5) -> BlockDesign:
    v = draw(st.integers(1, most))
    blocks = draw(st.lists(st.sets(st.integers(0, v - 1), min_size=1), max_size=7))
    return BlockDesign.from_blocks(blocks, points=v)


# --- ranks --------------------------------------------------------------------------------

matrices = st.integers(1, 7).flatmap(
    lambda n: st.lists(st.lists(st.integers(-4, 4), min_size=n, max_size=n), min_size=1, max_size=7)
)


def rank_by_definition(matrix: list[list[int]], p: int) -> int:
    """Return the rank over GF(p) as the logarithm of the number of combinations of rows."""
    spanned = {(0,) * len(matrix[0])}
    for row in matrix:
        spanned = {
            tuple((x + c * y) % p for x, y in zip(v, row, strict=True))
            for v in spanned
            for c in range(p)
        }
    return next(i for i in range(9) if p**i == len(spanned))


@given(matrices, st.sampled_from([2, 3]))
@settings(max_examples=60, deadline=None)
def test_ranks_by_the_number_of_combinations(matrix: list[list[int]], p: int) -> None:
    assert rank_mod(np.array(matrix), p) == rank_by_definition(matrix[:5], p) or len(matrix) > 5
    assert rank_mod(np.array(matrix[:5]), p) == rank_by_definition(matrix[:5], p)


@given(matrices)
@settings(max_examples=40, deadline=None)
def test_rational_ranks_and_smith_forms_agree_with_sympy(matrix: list[list[int]]) -> None:
    exact = sympy.Matrix(matrix)
    assert rational_rank(np.array(matrix)) == exact.rank()
    form = smith_normal_form(exact, domain=sympy.ZZ)
    divisors = [abs(int(form[i, i])) for i in range(min(form.shape)) if form[i, i] != 0]
    for p in (2, 3, 7):
        most = max((sympy.multiplicity(p, d) for d in divisors), default=0)
        counts = [sum(sympy.multiplicity(p, d) == i for d in divisors) for i in range(most + 1)]
        assert valuations(np.array(matrix), p, int(most)) == counts


def test_large_panels() -> None:
    rng = np.random.default_rng(0)
    left, right = rng.integers(0, 3, (100, 70)), rng.integers(0, 3, (70, 140))
    for p in (5, 101, 8388593):
        assert rank_mod(left @ right, p) == 70
    assert rational_rank(left @ right) == 70


@pytest.mark.parametrize(("q", "p", "e"), [(2, 2, 1), (3, 3, 1), (4, 2, 2), (8, 2, 3), (9, 3, 2)])
def test_ranks_of_planes(q: int, p: int, e: int) -> None:
    """Graham and MacWilliams 1966: C(p + 1, 2)^e + 1; over other fields v, or v − 1 for p | k."""
    plane = projective_geometry(q)
    assert p_rank(plane, p) == comb(p + 1, 2) ** e + 1
    assert incidence_rank(plane) == plane.v
    for other in (3, 5, 7, 11):
        if q % other:
            assert p_rank(plane, other) == plane.v - ((q + 1) % other == 0)


def test_fano_has_rank_4_over_gf2_and_7_over_the_rationals() -> None:
    assert (p_rank(FANO, 2), incidence_rank(FANO)) == (4, 7)
    assert smith_form(FANO) == {1: 4, 2: 2, 6: 1}


def test_smith_forms_multiply_to_the_determinant() -> None:
    for design in (projective_geometry(4), developed([1, 3, 4, 5, 9], 11), complement(FANO)):
        form = smith_form(design)
        product = np.prod([float(d) ** n for d, n in form.items()])
        assert sum(form.values()) == design.v
        assert product == pytest.approx(abs(np.linalg.det(design.dense_incidence().astype(float))))
        divisors = sorted(form)
        assert all(larger % smaller == 0 for smaller, larger in pairwise(divisors))


def test_refused_ranks() -> None:
    for p in (0, 1, 4, -3, 2**31):
        with pytest.raises(InputError, match=f"p={p}; expected a prime"):
            p_rank(FANO, p)
    with pytest.raises(InputError, match="the Smith form is for 2-designs"):
        smith_form(BlockDesign.from_blocks([[0, 1], [1, 2]]))
    with pytest.raises(LimitError, match="take a smaller design"):
        valuations(np.eye(2, dtype=int), 2, 40)


# --- exact covers and resolutions ---------------------------------------------------------


def covers_by_brute_force(design: BlockDesign) -> list[list[int]]:
    blocks = design.blocks()
    found = []
    for size in range(design.b + 1):
        for chosen in combinations(range(design.b), size):
            points = [p for i in chosen for p in blocks[i]]
            if sorted(points) == list(range(design.v)):
                found.append(list(chosen))
    return found


@given(designs(6))
@settings(max_examples=80, deadline=None)
def test_exact_covers_against_all_sets_of_blocks(design: BlockDesign) -> None:
    found = exact_covers(design)
    truth = covers_by_brute_force(design)
    assert found.complete
    assert sorted(found.found) == sorted(truth)
    some = exact_covers(design, most=1)
    assert some.found == [] if not truth else some.found[0] in truth


@given(designs(5), st.integers(0, 5))
@settings(max_examples=60, deadline=None)
def test_covers_with_points_that_need_no_cover(design: BlockDesign, primary: int) -> None:
    primary = min(primary, design.v)
    truth = []
    for size in range(design.b + 1):
        for chosen in combinations(range(design.b), size):
            counts = Counter(p for i in chosen for p in design.blocks()[i])
            useful = all(min(design.blocks()[i]) < primary for i in chosen)
            if (
                useful
                and all(counts[p] == 1 for p in range(primary))
                and max(counts.values(), default=0) <= 1
            ):
                truth.append(list(chosen))
    assert sorted(exact_covers(design, primary=primary).found) == sorted(truth)


def test_the_number_of_covers_by_dominoes() -> None:
    squares = [(i, j) for i in range(6) for j in range(6)]
    dominoes = [
        [squares.index(s), squares.index(t)]
        for s, t in combinations(squares, 2)
        if abs(s[0] - t[0]) + abs(s[1] - t[1]) == 1
    ]
    assert len(exact_covers(BlockDesign.from_blocks(dominoes)).found) == 6728


def test_an_empty_option_is_refused() -> None:
    with pytest.raises(InputError, match="option 1 is empty"):
        exact_covers(BlockDesign.from_blocks([[0], []]))


def test_spreads_and_packings_of_pg32() -> None:
    lines = projective_geometry(2, 3, 1)
    assert len(parallel_classes(lines).found) == 56
    packings = all_resolutions(lines)
    assert packings is not None
    assert len(packings) == 240
    # Two Kirkman systems up to isomorphism, both with these 35 lines as blocks.
    classes = packings[0].parallel_classes
    assert classes is not None
    assert len(classes) == 7


def test_ag23_has_one_resolution_of_4_classes() -> None:
    plane = plain(affine_geometry(3))
    [resolved] = all_resolutions(plane) or []
    classes = resolved.parallel_classes
    assert classes is not None
    assert [len(each) for each in classes] == [3, 3, 3, 3]
    blocks = plane.blocks()
    assert all(sorted(p for i in each for p in blocks[i]) == list(range(9)) for each in classes)


@given(designs(4))
@settings(max_examples=80, deadline=None)
def test_resolvability_against_all_partitions(design: BlockDesign) -> None:
    def resolvable(left: frozenset[int]) -> bool:
        if not left:
            return True
        first = min(left)
        return any(
            first in cover and resolvable(left - set(cover))
            for cover in covers
            if set(cover) <= left
        )

    covers = covers_by_brute_force(design)
    found = find_resolution(design)
    assert found.status == ("exists" if resolvable(frozenset(range(design.b))) else "impossible")
    if found.design is not None:
        assert plain(found.design) == design
        labels = found.design.block_classes
        assert labels is not None
        for label in set(labels.tolist()):
            points = [p for i in np.flatnonzero(labels == label) for p in design.blocks()[i]]
            assert sorted(points) == list(range(design.v))


def test_reasons_why_there_is_no_resolution() -> None:
    def reason(design: BlockDesign) -> str:
        found = find_resolution(design)
        assert found.status == "impossible"
        return found.reason

    assert reason(FANO) == "the block size k = 3 does not divide v = 7"
    assert "different numbers of blocks" in reason(BlockDesign.from_blocks([[0, 1], [0, 1], [2]]))
    assert "block 1 is empty" in reason(BlockDesign.from_blocks([[0], []]))
    assert "Bose: b = v + r − 1" in reason(residual(developed([1, 3, 4, 5, 9], 11)))
    assert "is in no parallel class" in reason(
        BlockDesign.from_blocks([[0, 1], [1, 2], [0, 2], [3, 4], [4, 5], [3, 5]])
    )


def test_triple_systems_of_order_27() -> None:
    affine = find_resolution(plain(affine_geometry(3, 3, 1)))
    assert affine.status == "exists"
    assert affine.design is not None
    classes = affine.design.parallel_classes
    assert classes is not None
    assert len(classes) == 13
    drawn = find_resolution(random_triple_system(27))
    assert drawn.status == "impossible"
    assert drawn.reason.startswith("no exact cover of the blocks by all")


def test_social_golfers() -> None:
    """4 players in pairs, 3 rounds: 12|34, 13|24, 14|23, in one way."""
    pairs = BlockDesign.from_blocks(list(combinations(range(4), 2)))
    [rounds] = all_resolutions(pairs) or []
    assert rounds.parallel_classes == ((0, 5), (1, 4), (2, 3))


def test_the_solver_resolves_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gcdesign.designs.tools.resolution.MAX_CLASSES", 1)
    monkeypatch.setattr("gcdesign.designs.tools.resolution.invariant_resolution", lambda *_: None)
    found = find_resolution(plain(affine_geometry(4)), limits=Limits(60))
    assert found.status == "exists"
    assert found.reason.startswith("found by CP-SAT")
    none = find_resolution(build(parse_spec("sts:points=15")), limits=Limits(60))
    assert none.status in {"impossible", "unknown"}
    assert find_resolution(plain(affine_geometry(5)), limits=Limits(0)).status == "unknown"


@pytest.mark.parametrize("name", ["pg:q=2,dim=5,flats=1", "ag:q=4,dim=3,flats=1"])
def test_too_many_classes_to_list(name: str) -> None:
    design = plain(build(parse_spec(name)))
    found = find_resolution(design)
    assert (found.status, found.reason) == ("exists", "a few classes and their images")
    assert found.design is not None
    blocks, classes = design.blocks(), found.design.parallel_classes
    assert classes is not None
    assert len(classes) == (design.v - 1) // (len(blocks[0]) - 1)
    assert all(
        sorted(p for i in each for p in blocks[i]) == list(range(design.v)) for each in classes
    )


# --- block graphs -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("sts:points=15", (35, 18, 9, 9)),
        ("ag:q=3", (12, 9, 6, 9)),
        ("sts:points=13", (26, 15, 8, 9)),
    ],
)
def test_spectra_of_strongly_regular_block_graphs(name: str, parameters: tuple[int, ...]) -> None:
    graph = block_graph(build(parse_spec(name)))
    found = spectrum(graph)
    assert found.parameters == parameters
    numeric = np.linalg.eigvalsh(graph.adjacency.toarray().astype(float))
    ours = [e.value for e in found.eigenvalues for _ in range(e.multiplicity)]
    assert np.allclose(np.sort(ours), numeric)
    assert all(e.exact is not None for e in found.eigenvalues)


def test_eigenvalues_that_are_whole_are_shown_so() -> None:
    """The graph of the blocks 01, 02, 03 and 4, a triangle and a vertex: 2, 0 and −1 twice."""
    star = [[0, 1], [0, 2], [0, 3], [4]]
    found = spectrum(block_graph(BlockDesign.from_blocks(star)))
    assert [(e.value, e.multiplicity) for e in found.eigenvalues] == [(2, 1), (0, 1), (-1, 2)]
    path = spectrum(block_graph(BlockDesign.from_blocks([[0, 1], [1, 2], [2, 3], [9]])))
    assert [str(e) for e in path.eigenvalues] == ["1.41421", "0", "-1.41421"]


def test_irrational_spectra_are_exact() -> None:
    pentagon = block_graph(BlockDesign.from_blocks([[i, (i + 1) % 5] for i in range(5)]))
    found = spectrum(pentagon)
    assert [(str(e), e.multiplicity) for e in found.eigenvalues] == [
        ("2", 1),
        ("(-1 + √5)/2", 2),
        ("(-1 - √5)/2", 2),
    ]


@given(designs(5), st.none() | st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_block_graphs_by_definition(design: BlockDesign, meeting: int | None) -> None:
    graph = block_graph(design, meeting)
    blocks = [set(block) for block in design.blocks()]
    edges = [
        [i, j]
        for i, j in combinations(range(design.b), 2)
        if (len(blocks[i] & blocks[j]) == meeting if meeting is not None else blocks[i] & blocks[j])
    ]
    assert graph.edges.tolist() == edges
    known: Any = nx.empty_graph(0)
    known.add_edges_from(edges)
    known.add_nodes_from(range(design.b))
    found = spectrum(graph)
    ours = sorted(e.value for e in found.eigenvalues for _ in range(e.multiplicity))
    assert np.allclose(ours, np.sort(nx.adjacency_spectrum(known).real) if len(known) else [])
    n, k = design.b, graph.degrees.tolist()
    common = {
        joined: {
            len(set(known[i]) & set(known[j]))
            for i, j in combinations(range(n), 2)
            if known.has_edge(i, j) is joined
        }
        for joined in (True, False)
    }
    regular = n > 0 and len(set(k)) == 1 and 0 < k[0] < n - 1
    strongly = regular and all(len(counts) == 1 for counts in common.values())
    assert (found.parameters is not None) is strongly


# --- extreme sets -------------------------------------------------------------------------


def extreme_by_brute_force(design: BlockDesign, least: int, most: int, wanted: Any) -> int | None:
    sizes = [
        len(chosen)
        for size in range(design.v + 1)
        for chosen in combinations(range(design.v), size)
        if all(
            least <= len(set(chosen) & set(block)) <= (most if most >= 0 else len(block) + most)
            for block in design.blocks()
        )
    ]
    return wanted(sizes) if sizes else None


@given(designs(6))
@settings(max_examples=40, deadline=None)
def test_extreme_sets_against_all_sets(design: BlockDesign) -> None:
    def value(found: PointSet) -> int | None:
        assert found.status in {"exact", "impossible"}
        assert found.lower == found.upper
        return found.lower

    assert value(largest_arc(design)) == extreme_by_brute_force(design, 0, 2, max)
    assert value(largest_arc(design, degree=1)) == extreme_by_brute_force(design, 0, 1, max)
    assert value(smallest_transversal(design)) == extreme_by_brute_force(design, 1, 99, min)
    assert value(smallest_blocking_set(design)) == extreme_by_brute_force(design, 1, -1, min)


def test_a_triangle_is_no_plane_of_odd_order() -> None:
    """Its blocks are its sides, so all three points are an arc; q + 1 = 2 is not their number."""
    triangle = BlockDesign.from_blocks([[0, 1], [0, 2], [1, 2]])
    assert (largest_arc(triangle).status, largest_arc(triangle).upper) == ("exact", 3)


def test_the_reason_of_a_counted_transversal_is_true() -> None:
    """Ten blocks, at most four through a point: three points or more."""
    fours = [[0, 9 - i] for i in range(4)] + [[1, 9 - i] for i in range(4)] + [[2, 3], [2, 4]]
    found = smallest_transversal(BlockDesign.from_blocks(fours))
    assert (found.lower, found.reason) == (3, "counting: a point is on at most 4 of 10 blocks")


@pytest.mark.parametrize(("q", "arc", "blocking"), [(2, 4, None), (3, 4, 6), (4, 6, 7), (5, 6, 9)])
def test_arcs_and_blocking_sets_of_planes(q: int, arc: int, blocking: int | None) -> None:
    plane = projective_geometry(q)
    assert largest_arc(plane).lower == largest_arc(plane).upper == arc
    found = smallest_blocking_set(plane)
    assert (found.lower, found.upper) == (blocking, blocking)
    line = smallest_transversal(plane)
    assert (line.lower, line.upper) == (q + 1, q + 1)


def test_caps() -> None:
    cap = largest_arc(affine_geometry(3, 3, 1))
    assert (cap.status, cap.upper) == ("exact", 9)
    assert smallest_transversal(affine_geometry(4)).lower == 7  # Jamison: 2q − 1


def test_a_bracket_where_the_time_is_short() -> None:
    found = smallest_blocking_set(projective_geometry(8), limits=Limits(0))
    assert found.status == "bracket"
    assert found.lower == 12
    assert found.points is None or len(found.points) >= 12
    with pytest.raises(InputError, match="degree=-1"):
        largest_arc(FANO, degree=-1)
    with pytest.raises(InputError, match="a time limit of -1 s"):
        Limits(-1)


# --- extension and embedding --------------------------------------------------------------


def test_from_the_plane_of_order_4_to_the_witt_design() -> None:
    design = projective_geometry(4)
    for t in (2, 3, 4):
        assert strength(design) == (t, 1)
        larger = extend(design).design
        assert larger is not None
        design = larger
    assert (design.v, design.b) == (24, 759)
    assert verify(design, 5).lambda_ == 1
    group = automorphism_group(design)
    assert group.order == 24 * 23 * 22 * 21 * 20 * 48  # M24
    assert group.point_transitive
    assert group.block_transitive


def test_extensions_hold_the_design() -> None:
    found = extend(FANO).design
    assert found is not None
    new = found.v - 1
    through = [block[:-1] for block in found.blocks() if block[-1] == new]
    assert through == FANO.blocks()
    assert certificate(found) == certificate(affine_geometry(2, 3, 2))


def test_extensions_with_lambda_above_1() -> None:
    hadamard = developed([1, 3, 4, 5, 9], 11)
    found = extend(hadamard, limits=Limits(60))
    assert found.status == "exists"
    assert found.design is not None
    assert verify(found.design, 3).lambda_ == 2


def test_what_cannot_be_extended() -> None:
    assert extend(projective_geometry(3)).reason.startswith("divisibility")
    assert extend(projective_geometry(2, 3)).status == "exists"  # 3-(16, 8, 3)
    assert strength(residual(projective_geometry(2, 3))) == (3, 1)
    with pytest.raises(InputError, match="nothing to extend"):
        extend(BlockDesign.from_blocks([[0, 1], [1, 2]]))


def test_affine_planes_and_their_projective_planes() -> None:
    for q in (2, 3, 4):
        found = embed_as_residual(affine_geometry(q)).design
        assert found is not None
        assert certificate(found) == certificate(projective_geometry(q))
        assert residual(found, 0).blocks() == affine_geometry(q).blocks()


def test_embedding_of_biplanes() -> None:
    biplane = developed([1, 3, 4, 5, 9], 11)
    found = embed_as_residual(residual(biplane), limits=Limits(60)).design
    assert found is not None
    assert certificate(found) == certificate(biplane)


def test_what_is_no_residual() -> None:
    with pytest.raises(InputError, match="is not quasi-residual"):
        embed_as_residual(FANO)
    four = BlockDesign.from_blocks([*affine_geometry(3).blocks()] * 2, points=9)
    with pytest.raises(InputError, match="is not quasi-residual"):
        embed_as_residual(four)


# --- random triple systems ----------------------------------------------------------------


@given(st.sampled_from([3, 7, 9, 13, 15, 19, 27, 31]), st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_random_triple_systems_are_triple_systems(v: int, seed: int) -> None:
    design = random_triple_system(v, seed)
    pairs = Counter(pair for block in design.blocks() for pair in combinations(block, 2))
    assert len(pairs) == comb(v, 2)
    assert set(pairs.values()) == {1}
    assert random_triple_system(v, seed) == design


def test_moves_reach_every_system_of_13_points_and_most_of_15() -> None:
    assert len({certificate(random_triple_system(13, seed)) for seed in range(60)}) == 2
    assert len({certificate(random_triple_system(15, seed)) for seed in range(100)}) > 20


def test_a_seed_means_the_same_system_for_good() -> None:
    assert random_triple_system(9, 1).blocks()[:4] == [[0, 1, 2], [0, 3, 6], [0, 4, 8], [0, 5, 7]]
    with pytest.raises(InputError, match="seed=-1"):
        random_triple_system(9, -1)
    with pytest.raises(InputError, match="1 or 3"):
        random_triple_system(11)
