"""Groups, isomorphism, canonical forms and dualities, against brute force and known orders."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from math import exp, factorial, prod

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.designs import (
    BlockDesign,
    affine_geometry,
    build,
    complement,
    dual,
    parse_spec,
    projective_geometry,
)
from gcdesign.designs.symmetry import (
    IncidenceGraph,
    automorphism_group,
    canonical_form,
    certificate,
    find_polarity,
    isomorphism,
    self_duality,
)
from gcdesign.designs.symmetry.permutations import StabiliserChain, orbit_labels
from gcdesign.designs.symmetry.quadrilaterals import quadrilaterals


@st.composite
def designs(draw: st.DrawFn) -> BlockDesign:
    """Draw a small design, with repeated and empty blocks and isolated points."""
    v = draw(st.integers(1, 5))
    blocks = draw(st.lists(st.sets(st.integers(0, v - 1)), max_size=5))
    if blocks:
        blocks += draw(st.lists(st.sampled_from(blocks), max_size=3))
    return BlockDesign.from_blocks(blocks, points=v)


def multiset(design: BlockDesign) -> Counter[frozenset[int]]:
    return Counter(frozenset(block) for block in design.blocks())


def brute_force_group(design: BlockDesign) -> list[tuple[int, ...]]:
    """Return all permutations of the points that keep the multiset of blocks."""
    blocks = multiset(design)
    return [
        g
        for g in permutations(range(design.v))
        if Counter(frozenset(g[p] for p in block) for block in blocks.elements()) == blocks
    ]


def shuffled(design: BlockDesign, seed: int) -> BlockDesign:
    """Return the design with its points renamed and its blocks in another order."""
    rng = np.random.default_rng(seed)
    names = rng.permutation(design.v).tolist()
    blocks = [[names[p] for p in block] for block in design.blocks()]
    return BlockDesign.from_blocks([blocks[i] for i in rng.permutation(design.b)], points=design.v)


# --- groups -------------------------------------------------------------------------------


@given(designs())
@settings(max_examples=80, deadline=None)
def test_groups_against_all_permutations(design: BlockDesign) -> None:
    every = brute_force_group(design)
    group = automorphism_group(design)
    assert group.order == len(every)
    assert group.block_swaps == prod(factorial(n) for n in multiset(design).values())
    assert group.point_orbits.tolist() == [min(g[p] for g in every) for p in range(design.v)]
    sets = [frozenset(block) for block in design.blocks()]
    images = [{frozenset(g[p] for p in block) for g in every} for block in sets]
    least = [min(i for i, s in enumerate(sets) if s in found) for found in images]
    assert group.block_orbits.tolist() == least
    generated = {tuple(g) for g in group.points.tolist()}
    assert generated <= set(every)
    for points, blocks in zip(group.points, group.blocks, strict=True):
        for number, block in enumerate(sets):
            assert sets[int(blocks[number])] == {int(points[p]) for p in block}


def test_generators_of_the_group_generate_it() -> None:
    design = BlockDesign.from_blocks([[0, 1], [0, 1], [2, 3], [2, 3], [4]], points=6)
    group = automorphism_group(design)
    seen = {tuple(range(6))}
    fresh = list(seen)
    while fresh:
        fresh = [tuple(g[i] for i in e) for e in fresh for g in group.points.tolist()]
        fresh = [e for e in dict.fromkeys(fresh) if e not in seen]
        seen |= set(fresh)
    assert len(seen) == group.order == 8
    assert group.block_swaps == 4


def pgl(n: int, p: int, e: int) -> int:
    """Return |PΓL(n, q)| by the formula."""
    q: int = p**e
    return e * prod(int(q**n - q**i) for i in range(n)) // (q - 1)


@pytest.mark.parametrize(
    ("design", "order"),
    [
        (projective_geometry(2), 168),
        (projective_geometry(3), 5616),
        (projective_geometry(9), pgl(3, 3, 2)),
        (projective_geometry(16), pgl(3, 2, 4)),
        (projective_geometry(2, 4), pgl(5, 2, 1)),
        (projective_geometry(3, 3, 1), pgl(4, 3, 1)),
        (affine_geometry(8), 64 * 7 * pgl(2, 2, 3)),
        (affine_geometry(5, 3), 125 * 4 * pgl(3, 5, 1)),
    ],
    ids=str,
)
def test_orders_of_geometries_by_their_formulas(design: BlockDesign, order: int) -> None:
    for one in (design, complement(design)):
        group = automorphism_group(one)
        assert group.order == order
        assert group.point_transitive
        assert group.block_transitive


def test_orders_beyond_floats_are_exact() -> None:
    assert automorphism_group(build(parse_spec("uncoded:workers=60"))).order == factorial(60)
    twins = BlockDesign.from_blocks([range(100)] * 3 + [range(100, 200)] * 3)
    group = automorphism_group(twins)
    assert group.order == 2 * factorial(100) ** 2
    assert group.block_swaps == 36


def test_nothing_has_a_group() -> None:
    empty = BlockDesign.from_blocks([])
    group = automorphism_group(empty)
    assert (group.order, group.block_swaps) == (1, 1)
    assert canonical_form(empty) == empty
    assert isomorphism(empty, empty) is not None
    assert automorphism_group(BlockDesign.from_blocks([[], []])).block_swaps == 2


def test_elements_of_a_chain_are_the_group() -> None:
    plane = projective_geometry(2)
    found = IncidenceGraph(plane).group()
    chain = StabiliserChain(found.points, found.log_order)
    elements = np.concatenate(list(chain.elements()))
    assert len({tuple(e) for e in elements.tolist()}) == len(elements) == 168
    blocks = multiset(plane)
    for element in [*elements[::20], chain.random(np.random.default_rng(1))]:
        assert Counter(frozenset(element[p] for p in block) for block in blocks) == blocks
        assert chain.sift(element)[0] == len(chain.levels)
    assert chain.sift(np.array([1, 0, 2, 3, 4, 5, 6]))[1].tolist() != list(range(7))


@given(st.lists(st.permutations(range(7)), min_size=1, max_size=3))
@settings(max_examples=30, deadline=None)
def test_chains_from_any_generators(generators: list[list[int]]) -> None:
    seen, fresh = {tuple(range(7))}, [tuple(range(7))]
    while fresh:
        images = {tuple(g[i] for i in e) for e in fresh for g in generators}
        fresh = sorted(images - seen)
        seen |= set(fresh)
    chain = StabiliserChain(np.array(generators), float(np.log(len(seen))))
    assert chain.order == len(seen)
    orbits = orbit_labels(np.array(generators), 7).tolist()
    assert orbits == [min(e[p] for e in seen) for p in range(7)]


# --- isomorphism --------------------------------------------------------------------------


@given(designs(), st.integers(0, 1000))
@settings(max_examples=80, deadline=None)
def test_renamed_designs_are_isomorphic_and_share_their_form(
    design: BlockDesign, seed: int
) -> None:
    other = shuffled(design, seed)
    found = isomorphism(design, other)
    assert found is not None
    sets = [set(block) for block in other.blocks()]
    for number, block in enumerate(design.blocks()):
        assert sets[int(found.blocks[number])] == {int(found.points[p]) for p in block}
    assert sorted(found.blocks.tolist()) == list(range(design.b))
    form = canonical_form(design)
    assert form == canonical_form(other)
    assert certificate(design) == certificate(other)
    assert isomorphism(form, design) is not None
    assert sorted(multiset(form).values()) == sorted(multiset(design).values())


@given(designs(), designs())
@settings(max_examples=80, deadline=None)
def test_isomorphism_against_all_permutations(one: BlockDesign, other: BlockDesign) -> None:
    truth = one.v == other.v and any(
        Counter(frozenset(g[p] for p in block) for block in multiset(one).elements())
        == multiset(other)
        for g in permutations(range(one.v))
    )
    assert (isomorphism(one, other) is not None) is truth
    assert (certificate(one) == certificate(other)) is truth


def test_how_often_blocks_are_repeated_counts() -> None:
    one = BlockDesign.from_blocks([[0, 1], [0, 1], [2, 3]])
    other = BlockDesign.from_blocks([[0, 1], [2, 3], [2, 3]])
    thrice = BlockDesign.from_blocks([[0, 1], [0, 1], [0, 1]], points=4)
    assert isomorphism(one, other) is not None
    assert isomorphism(one, thrice) is None
    # The same distinct blocks, the copies elsewhere: a path of 4 points, its end or middle twice.
    end = BlockDesign.from_blocks([[0, 1], [0, 1], [1, 2], [2, 3]])
    middle = BlockDesign.from_blocks([[0, 1], [1, 2], [1, 2], [2, 3]])
    assert isomorphism(end, middle) is None
    assert certificate(end) != certificate(middle)


def test_identical_hypergraphs_are_isomorphic() -> None:
    hypergraph = BlockDesign.from_blocks([[0, 1, 2], [2, 3], [3, 4, 5, 0], [1, 5]])
    found = isomorphism(hypergraph, hypergraph)
    assert found is not None
    assert found.holds(hypergraph, hypergraph)
    assert len({certificate(shuffled(hypergraph, seed)) for seed in range(20)}) == 1


def test_isomorphism_agrees_with_networkx() -> None:
    cycles = [[i, (i + 1) % 6] for i in range(6)], [[0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [5, 3]]
    for blocks in (cycles, (cycles[0], cycles[0][::-1])):
        one, other = (BlockDesign.from_blocks(each) for each in blocks)
        same = nx.is_isomorphic(
            one.graph(), other.graph(), node_match=lambda a, b: a["bipartite"] == b["bipartite"]
        )
        assert (isomorphism(one, other) is not None) is same


def test_the_number_of_small_hypergraphs_up_to_isomorphism() -> None:
    # Graphs on 4 vertices: 11 up to isomorphism.
    edges = list(combinations(range(4), 2))
    every = [c for size in range(7) for c in combinations(edges, size)]
    assert len({certificate(BlockDesign.from_blocks(c, points=4)) for c in every}) == 11


# --- the graph ----------------------------------------------------------------------------


def test_generators_are_automorphisms_and_orbits_are_theirs() -> None:
    blocks = [[0, 1], [1, 2], [2, 3], [3, 0], [4]]
    group = IncidenceGraph(BlockDesign.from_blocks(blocks)).group()
    assert round(exp(group.log_order)) == 8
    assert group.point_orbits.tolist() == [0, 0, 0, 0, 4]
    for points, images in zip(group.points, group.blocks, strict=True):
        for number, block in enumerate(blocks):
            assert {int(points[p]) for p in block} == set(blocks[int(images[number])])


def test_canonical_forms_tell_orbits_of_sets_apart() -> None:
    graph = IncidenceGraph(projective_geometry(3))
    forms = {graph.canonical(points=[[*three]]) for three in combinations(range(13), 3)}
    assert len(forms) == 2  # three points on one line, or not


# --- dualities ----------------------------------------------------------------------------


def developed(base: list[int], modulus: int) -> BlockDesign:
    return BlockDesign.from_blocks([[(x + i) % modulus for x in base] for i in range(modulus)])


SELF_DUAL = {
    "PG(2,2)": projective_geometry(2),
    "PG(2,3) renamed": shuffled(projective_geometry(3), 1),
    "complement of PG(2,2)": complement(projective_geometry(2)),
    "biplane (11, 5, 2)": developed([1, 3, 4, 5, 9], 11),
    "PG(3,2)": projective_geometry(2, 3),
}


@pytest.mark.parametrize("name", SELF_DUAL)
def test_dualities_carry_incidence_to_incidence(name: str) -> None:
    design = SELF_DUAL[name]
    duality = self_duality(design)
    assert duality is not None
    to_blocks, to_points = duality
    blocks = [set(block) for block in design.blocks()]
    for number, block in enumerate(blocks):
        for p in range(design.v):
            assert (p in block) == (int(to_points[number]) in blocks[int(to_blocks[p])])


def test_a_design_that_is_not_self_dual_has_no_duality() -> None:
    assert self_duality(BlockDesign.from_blocks([[0, 1], [0, 1], [0, 2]])) is None
    assert self_duality(affine_geometry(3)) is None
    assert isomorphism(dual(affine_geometry(3)), affine_geometry(3)) is None


@pytest.mark.parametrize("q", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", [None, 3])
def test_polarities_of_planes(q: int, seed: int | None) -> None:
    plane = projective_geometry(q)
    if seed is not None:
        plane = shuffled(plane, seed)
    found = find_polarity(plane)
    assert found.status == "exists"
    assert found.polarity is not None
    matrix = plane.dense_incidence()[found.polarity.to_blocks]
    assert (matrix == matrix.T).all()
    absolute = found.polarity.absolute.tolist()
    assert absolute == np.flatnonzero(np.diag(matrix)).tolist()
    # Baer: at least q + 1 absolute points; orthogonal q + 1, unitary q√q + 1.
    assert len(absolute) in {q + 1, round(q**1.5) + 1}


def brute_force_polar(design: BlockDesign) -> bool:
    matrix = design.dense_incidence()
    return any(
        (matrix[list(order)] == matrix[list(order)].T).all()
        for order in permutations(range(design.b))
    )


@given(st.lists(st.sets(st.integers(0, 4), min_size=1), min_size=5, max_size=5))
@settings(max_examples=60, deadline=None)
def test_polarities_against_all_orders_of_the_blocks(blocks: list[set[int]]) -> None:
    design = BlockDesign.from_blocks(blocks, points=5)
    found = find_polarity(design)
    truth = brute_force_polar(design)
    assert found.status in ({"exists", "unknown"} if truth else {"impossible", "unknown"})
    if (
        len({frozenset(block) for block in blocks})
        == 5
        == len({tuple(column) for column in design.dense_incidence().T.tolist()})
    ):
        assert found.status == ("exists" if truth else "impossible")


@pytest.mark.parametrize(
    "name", ["random-sts:points=13,seed=3", "transversal:groups=3,side=4", "ag:q=4"]
)
def test_quadrilaterals_are_counted(name: str) -> None:
    """Against all triples of blocks with each block, over plain sets."""
    design = build(parse_spec(name))
    blocks = [set(block) for block in design.blocks()]
    expected = []
    for side in blocks:
        near = [block for block in blocks if len(block & side) == 1]
        expected.append(
            sum(
                len(one & two) == len(one & three) == len(two & three) == 1
                and len((one & side) | (two & side) | (three & side)) == 3
                and len((one & two) | (one & three) | (two & three)) == 3
                for one, two, three in combinations(near, 3)
            )
        )
    assert quadrilaterals(design).tolist() == expected
    assert max(expected) > 0


def test_a_random_triple_system_is_told_from_another() -> None:
    """Degrees tell no two of its points apart, so nauty alone would try all triples of points."""
    design, other = (build(parse_spec(f"random-sts:points=99,seed={seed}")) for seed in (1, 2))
    rng = np.random.default_rng(5)
    names, order = rng.permutation(99), rng.permutation(design.b)
    shuffled = [names[design.block(block)].tolist() for block in order.tolist()]
    image = BlockDesign.from_blocks(shuffled)
    assert automorphism_group(design).order == 1
    found = isomorphism(design, image)
    assert found is not None
    assert found.points.tolist() == names.tolist()
    assert isomorphism(design, other) is None
