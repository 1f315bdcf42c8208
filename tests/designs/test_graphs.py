"""Graphs against theorems, networkx and dense linear algebra."""

from __future__ import annotations

from itertools import pairwise
from math import sqrt

import networkx as nx
import numpy as np
import pytest

from gcdesign.designs import BlockDesign, build, intersection_numbers, parse_spec
from gcdesign.designs.fields import galois_field
from gcdesign.designs.graphs.catalogue import (
    GRAPHS,
    full_name,
    graph,
    graph_order,
    margulis_gabber_galil_graph,
)
from gcdesign.designs.graphs.graph import Graph
from gcdesign.designs.graphs.lps import lps_order, nearest_admissible, quaternions
from gcdesign.designs.graphs.measures import (
    expansion,
    girth,
    second_eigenvalue,
    second_singular_value,
    strongly_regular,
)
from gcdesign.errors import InputError, LimitError

LPS = [
    (5, 13, 2184, True, 8, 4.24972),
    (13, 5, 120, True, 4, 4.0),
    (17, 13, 1092, False, 3, 7.85086),
    (5, 17, 4896, True, 8, 4.30892),
    (13, 17, 2448, False, 6, 7.09017),
    (5, 29, 12180, False, 9, 4.44202),
]
"""(p, q), vertices, bipartite, girth and λ, computed once by a script that is not of gcdesign."""

EXAMPLES = [
    "petersen",
    "cycle:n=3",
    "cycle:n=8",
    "complete:n=2",
    "complete:n=7",
    "hypercube:dim=1",
    "hypercube:dim=4",
    "regular:n=1,degree=0",
    "regular:n=20,degree=3,seed=4",
    "regular:n=9,degree=6",
    "regular:n=6,degree=5",
    "lps:p=13,q=5",
    "paley:q=25",
    "polarity:q=3",
    "polarity:q=4",
]


def to_networkx(given: Graph) -> nx.Graph[int]:
    made: nx.Graph[int] = nx.Graph()
    made.add_nodes_from(range(given.vertices))
    made.add_edges_from(given.edges.tolist())
    return made


@pytest.mark.parametrize("name", EXAMPLES)
def test_orders_degrees_and_girth(name: str) -> None:
    found, order = graph(name), graph_order(name)
    assert (found.vertices, len(found.edges), found.loops) == order
    arcs = set(zip(found.tails.tolist(), found.indices.tolist(), strict=True))
    assert arcs == {(b, a) for a, b in arcs}
    assert (found.counts == 1).all()
    if found.loops == 0:
        shortest = nx.girth(to_networkx(found))
        assert girth(found) == (None if shortest == float("inf") else shortest)
    bipartite = nx.is_bipartite(to_networkx(found)) and found.loops == 0
    assert (found.sides is not None) is bipartite
    assert full_name(full_name(name)) == full_name(name)


def test_named_graphs_are_those_of_networkx() -> None:
    pairs = [
        ("petersen", nx.petersen_graph()),
        ("cycle:n=8", nx.cycle_graph(8)),
        ("complete:n=7", nx.complete_graph(7)),
        ("hypercube:dim=4", nx.hypercube_graph(4)),
        ("paley:q=13", nx.paley_graph(13).to_undirected()),
    ]
    for name, other in pairs:
        assert nx.is_isomorphic(to_networkx(graph(name)), other), name
    assert {name.partition(":")[0] for name in EXAMPLES} == set(GRAPHS)
    assert {name: full_name(kind.example).partition(":")[0] for name, kind in GRAPHS.items()} == {
        name: name for name in GRAPHS
    }


@pytest.mark.parametrize("name", ["petersen", "hypercube:dim=4", "lps:p=13,q=5", "paley:q=17"])
def test_a_graph_called_transitive_looks_the_same_from_everywhere(name: str) -> None:
    found = graph(name)
    assert found.transitive
    other = to_networkx(found)
    distances = {
        tuple(sorted(nx.single_source_shortest_path_length(other, v).values())) for v in other
    }
    assert len(distances) == 1


# --- Ramanujan graphs -------------------------------------------------------------------------


def test_six_graphs_of_lubotzky_phillips_and_sarnak() -> None:
    for p, q, vertices, bipartite, shortest, second in LPS:
        found = graph(f"lps:p={p},q={q}")
        assert found.vertices == vertices == lps_order(p, q)
        assert set(found.degrees.tolist()) == {p + 1}
        assert found.simple
        assert (found.sides is not None) is bipartite
        assert girth(found) == shortest
        assert expansion(found) == pytest.approx(second, abs=2e-5)
        assert expansion(found) <= 2 * sqrt(p)


def test_their_placements_are_halves_where_they_are_bipartite() -> None:
    for p, q, vertices, bipartite, _, second in LPS:
        design = build(parse_spec(f"lps:p={p},q={q}"))
        assert design.b == design.v == (vertices // 2 if bipartite else vertices)
        assert set(design.block_sizes.tolist()) == {p + 1}
        assert set(design.replication_numbers.tolist()) == {p + 1}
        assert second_singular_value(design) == pytest.approx(second, abs=2e-5)
        assert second_singular_value(design) <= 2 * sqrt(p)


def test_the_half_of_a_bipartite_graph_by_its_whole_spectrum() -> None:
    whole = np.linalg.eigvalsh(graph("lps:p=13,q=5").adjacency.toarray())
    half = build(parse_spec("lps:p=13,q=5")).dense_incidence().astype(float)
    values = np.linalg.svd(half, compute_uv=False)
    assert np.allclose(np.sort(np.concatenate([values, -values])), whole, atol=1e-9)


@pytest.mark.parametrize("p", [5, 13, 17, 29, 97])
def test_jacobis_number_of_quaternions(p: int) -> None:
    found = quaternions(p).tolist()
    assert len({tuple(a) for a in found}) == len(found) == p + 1
    for a in found:
        assert sum(x * x for x in a) == p
        assert [x % 2 for x in a] == [1, 0, 0, 0]
        assert a[0] > 0


def test_the_generators_of_a_graph_by_hand() -> None:
    """(5, 13) from its definition, with plain integers: neighbours of the identity."""
    q, root = 13, 5  # 5² = 25 ≡ −1
    reached = set()
    for a0, a1, a2, a3 in quaternions(5).tolist():
        matrix = (a0 + root * a1, a2 + root * a3, -a2 + root * a3, a0 - root * a1)
        lead = next(x % q for x in matrix if x % q)
        reached.add(tuple(x * pow(lead, -1, q) % q for x in matrix))
    assert len(reached) == 6
    for a, b, c, d in reached:
        assert pow((a * d - b * c) % q, (q - 1) // 2, q) == q - 1  # 5 is no square modulo 13


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("lps:p=7,q=13", r"^p=7 is no prime ≡ 1 mod 4; the nearest: p=5 or p=13$"),
        ("lps:p=5,q=15", r"^q=15 is no prime ≡ 1 mod 4; the nearest: q=13 or q=17$"),
        ("lps:p=13,q=13", r"^q=13 is the same as p; the nearest: q=5 or q=17$"),
        ("lps:p=2,q=13", r"^p=2 is no prime ≡ 1 mod 4; the nearest: p=5$"),
        ("lps:p=-3,q=13", r"^p=-3 is no prime ≡ 1 mod 4; the nearest: p=5$"),
        ("lps:p=9973,q=13", r"^q=13 is too small for p=9973; q > 2√p is enough: q=229$"),
        ("lps:p=101,q=5", r"^q=5 is too small for p=101; q > 2√p is enough: q=29$"),
        ("paley:q=7", r"^q=7 is no prime power ≡ 1 mod 4; the nearest: q=5 or q=9$"),
        ("paley:q=21", r"the nearest: q=17 or q=25$"),
        ("paley:q=0", r"the nearest: q=5$"),
        ("polarity:q=6", r"^q=6 is no prime power"),
        ("polarity:q=1", r"^q=1; expected a prime power, 2 or more$"),
        ("graph-code:graph=cycle:n=2", r"^n=2; expected 3 or more$"),
        ("graph-code:graph=star", r"^no graph is called 'star'; expected one of: petersen, cycle"),
        ("graph-code:graph=cycle", r"^the graph cycle needs n: for example cycle:n=7$"),
        ("graph-code:graph=petersen:n=3", r"^the graph petersen has no parameter 'n'"),
        ("graph-code:graph=hypercube:dim=60", r"^dim=60; expected 1 to 24$"),
        (
            "graph-code:graph=(regular:n=5,degree=3)",
            r"^n=5 times degree=3 is odd.*the nearest: degree=2 or degree=4 or n=6$",
        ),
        ("graph-code:graph=(regular:n=5,degree=5)", r"^degree=5; expected 0 to 4"),
        ("graph-code:graph=(regular:n=4,degree=3,seed=-1)", r"^seed=-1; expected 0 or more$"),
    ],
)
def test_refusals_name_what_would_do(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        build(parse_spec(spec))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "spec",
    [
        "lps:p=5,q=9973",
        "lps:p=5,q=1000033",
        "paley:q=100049",
        "adjacency:graph=complete:n=99999999",
        "graph-code:graph=hypercube:dim=24",
    ],
)
def test_too_large(spec: str) -> None:
    with pytest.raises(LimitError):
        build(parse_spec(spec))


def test_every_suggestion_is_accepted() -> None:
    for n in range(-5, 120):
        for near in nearest_admissible(n):
            assert near != n
            assert lps_order(near, 97 if near != 97 else 89) > 0


# --- strongly regular and polarity graphs -----------------------------------------------------


@pytest.mark.parametrize("q", [5, 9, 13, 17, 25, 29, 49])
def test_paley_graphs_are_strongly_regular(q: int) -> None:
    found = graph(f"paley:q={q}")
    assert strongly_regular(found) == (q, (q - 1) // 2, (q - 5) // 4, (q - 1) // 4)
    assert second_eigenvalue(found) == pytest.approx((sqrt(q) - 1) / 2)
    assert expansion(found) == pytest.approx((sqrt(q) + 1) / 2)


def test_graphs_that_are_not_strongly_regular() -> None:
    for name in ("cycle:n=6", "complete:n=5", "polarity:q=3", "regular:n=12,degree=3,seed=1"):
        assert strongly_regular(graph(name)) is None


@pytest.mark.parametrize("q", [2, 3, 4, 5, 7, 8, 9])
def test_polarity_graphs(q: int) -> None:
    found = graph(f"polarity:q={q}")
    adjacency = found.adjacency.toarray()
    n = q * q + q + 1
    assert np.array_equal(adjacency, adjacency.T)
    assert np.array_equal(adjacency @ adjacency, q * np.eye(n) + 1)
    assert found.loops == q + 1
    design = build(parse_spec(f"polarity:q={q}"))
    assert design.parameters.as_tuple() == (n, n, q + 1, q + 1, 1)
    assert intersection_numbers(design) == {1: n * (n - 1) // 2}


@pytest.mark.parametrize("q", [2, 3, 4, 5])
def test_the_polarity_is_the_orthogonal_one(q: int) -> None:
    """Against points of GF(q)³, joined if x·y = 0; the loops are kept as a mark."""
    field = galois_field(q)
    vectors = [(1, a, b) for a in range(q) for b in range(q)]
    vectors += [*((0, 1, a) for a in range(q)), (0, 0, 1)]
    points = np.array(vectors, dtype=np.int32)
    terms = field.multiply(points[:, None, :], points[None, :, :])
    products = field.add(field.add(terms[..., 0], terms[..., 1]), terms[..., 2])
    other: nx.Graph[int] = nx.from_numpy_array((products == 0).astype(int))
    ours = to_networkx(graph(f"polarity:q={q}"))
    found = graph(f"polarity:q={q}")
    ours.add_edges_from((v, v) for v in found.tails[found.tails == found.indices].tolist())
    assert nx.is_isomorphic(ours, other)


# --- Margulis, Gabber, Galil ------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 9])
def test_the_graph_of_margulis_gabber_and_galil(n: int) -> None:
    found = margulis_gabber_galil_graph(n)
    adjacency = found.adjacency.toarray()
    assert np.array_equal(adjacency, adjacency.T)
    assert set(found.degrees.tolist()) == {8}
    other = nx.margulis_gabber_galil_graph(n)
    nodes = [(x, y) for x in range(n) for y in range(n)]
    theirs = nx.to_numpy_array(other, nodelist=nodes)
    theirs += np.diag(np.diag(theirs))  # networkx counts a loop once
    assert np.array_equal(adjacency, theirs)
    assert second_eigenvalue(found) <= 5 * sqrt(2)


def test_its_second_eigenvalue_at_5() -> None:
    assert second_eigenvalue(margulis_gabber_galil_graph(5)) == pytest.approx(5.3254, abs=5e-5)
    assert girth(margulis_gabber_galil_graph(5)) == 1


# --- measures ---------------------------------------------------------------------------------


def test_lanczos_and_dense_spectra_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    found, design = graph("lps:p=13,q=5"), build(parse_spec("regular:workers=60,load=4,seed=2"))
    dense = second_eigenvalue(found), expansion(found), second_singular_value(design)
    monkeypatch.setattr("gcdesign.designs.graphs.measures.DENSE_SIDE", 10)
    lanczos = second_eigenvalue(found), expansion(found), second_singular_value(design)
    assert lanczos == pytest.approx(dense, abs=1e-9)


def test_girth_of_graphs_with_and_without_cycles() -> None:
    path = np.array(list(pairwise(range(5))))
    assert girth(Graph.from_edges(5, path)) is None
    assert girth(Graph.from_edges(5, np.concatenate([path, [[0, 4]]]))) == 5
    assert girth(Graph.from_edges(2, np.array([[0, 1], [0, 1]]))) == 2
    late = np.concatenate([path, [[4, 5], [5, 6], [6, 4]]])  # far from the first vertex
    assert girth(Graph.from_edges(7, late)) == 3


def test_measures_of_what_has_none() -> None:
    with pytest.raises(InputError, match="regular graphs of 4 vertices"):
        expansion(Graph.from_edges(4, np.array([[0, 1], [1, 2], [2, 3]])))
    with pytest.raises(InputError, match="fewer than 2 points"):
        second_singular_value(BlockDesign.from_blocks([[0, 1]]))
