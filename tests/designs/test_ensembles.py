"""Degree distributions and the random graphs that are drawn from them."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from math import log, sqrt
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.designs import BlockDesign, build, parse_spec
from gcdesign.designs.ensembles.counts import DegreeSequences, degree_sequences, node_degrees
from gcdesign.designs.ensembles.degrees import Degrees, parse_degrees
from gcdesign.designs.ensembles.growth import grown_graph
from gcdesign.designs.ensembles.pairing import Repeated, configuration_model
from gcdesign.designs.ensembles.soliton import degrees_for, ideal_soliton, robust_soliton
from gcdesign.designs.randomness import Draws
from gcdesign.errors import InputError, LimitError

tables = st.dictionaries(st.integers(1, 30), st.integers(1, 50), min_size=1, max_size=6).map(
    lambda weights: {d: Fraction(w, sum(weights.values())) for d, w in weights.items()}
)


# --- distributions ----------------------------------------------------------------------------


def test_means_of_nodes_and_of_edges_are_different_things() -> None:
    degrees = parse_degrees("1/9x + 1/3x^2 + 5/9x^3")
    assert degrees.mean == Fraction(22, 9)
    assert round(float(degrees.mean), 4) == 2.4444
    # Counted edge by edge, over nine nodes.
    seen = [d for d in (1, 2, 2, 2, 3, 3, 3, 3, 3) for _ in range(d)]
    assert degrees.edge_mean == Fraction(sum(seen), len(seen))
    assert round(float(degrees.edge_mean), 4) == 2.6364


@given(tables)
def test_perspectives_convert_back_and_forth(table: dict[int, Fraction]) -> None:
    degrees = Degrees.from_table(table)
    assert Degrees.from_table(dict(degrees.edge_shares), edge=True) == degrees
    assert sum(share for _, share in degrees.edge_shares) == 1
    inverse = sum(share / degree for degree, share in degrees.edge_shares)
    assert degrees.mean == 1 / inverse


@given(tables)
def test_what_is_printed_is_read_again(table: dict[int, Fraction]) -> None:
    degrees = Degrees.from_table(table)
    assert parse_degrees(str(degrees)) == parse_degrees(degrees.text) == degrees
    assert parse_degrees(degrees.edge_text, edge=True) == degrees


@given(tables, st.floats(0, 1))
def test_values_are_those_of_the_polynomials(table: dict[int, Fraction], x: float) -> None:
    nodes = np.polynomial.Polynomial(
        [float(table.get(power, 0)) for power in range(max(table) + 1)]
    )
    edges = nodes.deriv() / nodes.deriv()(1)
    degrees = Degrees.from_table(table)
    assert degrees.node_value(x) == pytest.approx(nodes(x), abs=1e-12)
    assert degrees.edge_value(x) == pytest.approx(edges(x), abs=1e-12)
    assert degrees.edge_slope(x) == pytest.approx(edges.deriv()(x), abs=1e-9)


@pytest.mark.parametrize(
    "text",
    [
        "0.5x+0.5x^2",
        "0.5x^2 + .5x",
        '{"1": 0.5, "2": 0.5}',
        "1/2x+1/2*x^2",
        '{"2": "1/2", "1": 0.5}',
    ],
)
def test_one_distribution_has_many_texts(text: str) -> None:
    assert str(parse_degrees(text)) == "0.5x + 0.5x^2"


def test_decimals_that_are_nearly_1_together_are_scaled() -> None:
    thirds = parse_degrees("0.3333333x+0.3333333x^2+0.3333333x^3")
    assert sum(share for _, share in thirds.shares) == 1
    assert float(thirds.mean) == pytest.approx(2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0.5x+0.6x^2", r"^the shares of degrees sum to 1.1; expected 1$"),
        ("0.5x", r"sum to 0.5; expected 1$"),
        ("0.5+0.5x", r"^a node of degree 0; expected degrees from 1 to"),
        ('{"0": 1}', r"^a node of degree 0; expected"),
        ('{"-2": 1}', r"^a node of degree -2; expected"),
        ("1.5x-0.5x^2", r"^degree 2 has the share -1/2; expected 0 or more$"),
        ("x^99999999", r"expected a polynomial such as"),
        ("x^2000000", r"^a node of degree 2000000; expected"),
        ("0.5x+0.5x", r"^degree 1 occurs twice"),
        ('{"1": 0.5, "1": 0.5}', r"^degree 1 occurs twice"),
        ("", r"^degrees ''; expected a polynomial such as 0.5x\+0.5x\^2 or a table"),
        ("half", r"^degrees 'half'; expected a polynomial"),
        ("1/0x", r"expected a polynomial"),
        ("1e99999999x", r"expected a polynomial"),
        ("{1: 0.5}", r"expected a polynomial"),
        ('{"1": [0.5]}', r"expected a polynomial"),
        ("x++x", r"expected a polynomial"),
    ],
)
def test_what_is_no_distribution(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_degrees(text)


def test_shares_in_python_are_judged_too() -> None:
    with pytest.raises(InputError, match="share nan"):
        Degrees.from_table({1: float("nan"), 2: 1.0})
    with pytest.raises(InputError, match="increasing whole numbers"):
        Degrees(((2, Fraction(1, 2)), (1, Fraction(1, 2))))


# --- soliton ----------------------------------------------------------------------------------


@pytest.mark.parametrize("parts", [1, 2, 10, 64, 65, 1000])
def test_ideal_soliton_is_the_formula(parts: int) -> None:
    shares = dict(ideal_soliton(parts).shares)
    assert sum(shares.values()) == 1
    assert float(shares[1]) == pytest.approx(1 / parts)
    for i in range(2, min(parts, 40)):
        assert float(shares[i]) == pytest.approx(1 / (i * (i - 1)))


def test_robust_soliton_is_the_formula() -> None:
    parts, c, delta = 1000, 0.2, 0.05
    ripple = c * log(parts / delta) * sqrt(parts)
    rho = {1: 1 / parts} | {i: 1 / (i * (i - 1)) for i in range(2, parts + 1)}
    spike = round(parts / ripple)
    tau = {i: ripple / (i * parts) for i in range(1, spike)}
    tau[spike] = ripple * log(ripple / delta) / parts
    beta = sum(rho.values()) + sum(tau.values())
    found = dict(robust_soliton(parts, c, delta).shares)
    assert set(found) == set(rho)
    for i in rho:
        assert float(found[i]) == pytest.approx((rho[i] + tau.get(i, 0)) / beta, rel=1e-9)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("soliton:c=1", "soliton has no constants"),
        ("robust-soliton:c=0", "^c=0.0; expected more than 0"),
        ("robust-soliton:delta=1", "^delta=1.0; expected more than 0 and less than 1"),
        ("robust-soliton:c", "expected c=0.1 or delta=0.5"),
        ("robust-soliton:c=0.1,c=0.2", "^'c' is given twice"),
        ("robust-soliton:d=1", "expected c=0.1 or delta=0.5"),
    ],
)
def test_soliton_refusals(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        degrees_for(text, 10)
    with pytest.raises(InputError, match="perspective"):
        degrees_for("soliton", 10, edge=True)
    with pytest.raises(LimitError):
        degrees_for("soliton", 10**7)


# --- whole numbers ----------------------------------------------------------------------------


@given(tables, st.integers(1, 500))
def test_numbers_of_nodes_are_the_nearest(table: dict[int, Fraction], count: int) -> None:
    found = Counter(node_degrees(Degrees.from_table(table), count).tolist())
    assert sum(found.values()) == count
    for degree, share in table.items():
        assert abs(found[degree] - share * count) < 1


def test_rounded_numbers_give_way_so_that_edges_match() -> None:
    degrees = parse_degrees("0.32x+0.34x^2+0.34x^4")
    found = degree_sequences(101, 60, degrees, Degrees.regular(4))
    assert found.edges == 240 == found.parts.sum()
    for degree, share in degrees.shares:
        assert abs(np.count_nonzero(found.workers == degree) - float(share) * 101) <= 3


def test_a_few_parts_may_give_way_instead() -> None:
    """240 ones and tens never sum to 480."""
    degrees = parse_degrees("0.8889x+0.1111x^10")
    with pytest.raises(InputError, match=r"the nearest: parts=123 or workers=\d+$"):
        degree_sequences(240, 120, degrees, Degrees.regular(4))
    found = degree_sequences(240, 120, degrees, Degrees.regular(4), exact=False)
    assert found.edges == 483 == found.parts.sum()
    assert Counter(found.parts.tolist()) == {4: 117, 5: 3}


def test_a_rate_that_no_graph_has() -> None:
    with pytest.raises(InputError, match=r"the nearest: parts=120 or workers=200$"):
        degree_sequences(240, 100, parse_degrees("0.5x+0.5x^2"), Degrees.regular(3))
    with pytest.raises(InputError, match=r"^10 workers with 10 edges cannot reach 11 parts"):
        degree_sequences(10, 11, Degrees.regular(1))
    with pytest.raises(InputError, match="degree 5, and there are 4 parts"):
        degree_sequences(10, 4, Degrees.regular(5))
    with pytest.raises(InputError, match="degree 5, and there are 4 workers"):
        degree_sequences(4, 4, Degrees.regular(1), Degrees.regular(5))


# --- graphs -----------------------------------------------------------------------------------


def degrees_of(design: BlockDesign) -> tuple[list[int], list[int]]:
    return sorted(design.replication_numbers.tolist()), sorted(design.block_sizes.tolist())


@given(
    st.integers(2, 12).flatmap(
        lambda side: st.lists(st.sampled_from(range(side)), min_size=side, max_size=3 * side)
    ),
    st.integers(0, 99),
)
@settings(max_examples=60, deadline=None)
def test_degrees_of_an_existing_graph_are_realised(edges: list[int], seed: int) -> None:
    """Whatever graph the degrees come from, graphs with these degrees are found."""
    side = max(edges) + 2
    blocks: list[set[int]] = [set() for _ in range(side)]
    for at, part in enumerate(edges):
        blocks[at % side].add(part)
    model = BlockDesign.from_blocks(blocks, points=side)
    sequences = DegreeSequences(
        np.sort(model.replication_numbers)[::-1].copy(), np.sort(model.block_sizes)[::-1].copy()
    )
    for graph in (
        configuration_model(sequences, Draws(seed)),
        grown_graph(sequences, Draws(seed)),
    ):
        assert degrees_of(graph.design) == degrees_of(model)
        assert BlockDesign(side, graph.design.indptr, graph.design.indices) == graph.design
        assert (graph.multiplicities == 1).all()


def test_degrees_with_a_single_graph() -> None:
    """A staircase: only nested blocks have these degrees, and random switches do not find them."""
    stairs = np.arange(12, 0, -1)
    design = configuration_model(DegreeSequences(stairs, stairs), Draws(0)).design
    blocks = sorted(map(set, design.blocks()), key=len)
    assert all(a < b for a, b in pairwise(blocks))


def test_degrees_that_no_graph_has() -> None:
    sequences = DegreeSequences(np.array([3, 3, 1, 1]), np.array([4, 4, 0, 0]))
    with pytest.raises(InputError, match="the 2 workers of largest degree have 8 edges"):
        configuration_model(sequences, Draws(0))


@pytest.mark.parametrize("repeated", ["count", "drop", "switch"])
def test_repeated_edges(repeated: Repeated) -> None:
    twos = DegreeSequences(np.full(3, 2), np.full(3, 2))
    for seed in range(30):
        found = configuration_model(twos, Draws(seed), repeated=repeated)
        if repeated == "switch":
            assert set(found.design.block_sizes.tolist()) == {2}
        assert int(found.multiplicities.sum()) == 6
    several = [configuration_model(twos, Draws(s), repeated="count") for s in range(30)]
    assert any((graph.multiplicities == 2).any() for graph in several)


def test_grown_graphs_have_long_cycles() -> None:
    """A cubic graph of 14 + 14 nodes can have girth 6, the Heawood graph; pairing gives 4."""
    threes = DegreeSequences(np.full(120, 3), np.full(120, 3))
    girths = {
        "grown": [nx.girth(grown_graph(threes, Draws(s)).design.graph()) for s in range(3)],
        "drawn": [nx.girth(configuration_model(threes, Draws(s)).design.graph()) for s in range(3)],
    }
    assert min(girths["grown"]) >= 8
    assert max(girths["drawn"]) <= 6


def test_growing_what_is_too_large_is_refused() -> None:
    threes = DegreeSequences(np.full(100_000, 3), np.full(100_000, 3))
    with pytest.raises(LimitError, match="growing 300000 edges"):
        grown_graph(threes, Draws(0))


# --- the family -------------------------------------------------------------------------------


def test_the_family_has_the_degrees_asked_for() -> None:
    spec = "ldgm:parts=120,workers=240,degrees=0.5x+0.5x^2,copies=x^3"
    for seed in range(3):
        design = build(parse_spec(f"{spec},seed={seed}"))
        assert Counter(design.block_sizes.tolist()) == {1: 120, 2: 120}
        assert set(design.replication_numbers.tolist()) == {3}


def test_a_uniform_placement_is_that_of_lt_codes() -> None:
    spec = "ldgm:parts=200,workers=300,degrees=(robust-soliton:c=0.1,delta=0.5),copies=uniform"
    design = build(parse_spec(spec))
    expected = node_degrees(robust_soliton(200), 300)
    assert sorted(design.block_sizes.tolist(), reverse=True) == expected.tolist()
    assert len(set(design.replication_numbers.tolist())) > 5


@pytest.mark.parametrize(
    ("settings_", "message"),
    [
        ("parts=0,workers=5,degrees=x", "^parts=0; expected 1 or more$"),
        ("parts=5,workers=5,degrees=x,growth=2", "^growth=2; expected 0 or 1$"),
        ("parts=5,workers=5,degrees=x,growth=1,copies=uniform", "^growth=1 has no room"),
        ("parts=5,workers=5,degrees=x,seed=-1", "^seed=-1; expected 0 or more$"),
        ("parts=5,workers=5,degrees=0.7x", "sum to 0.7; expected 1$"),
        ("parts=100,workers=240,degrees=0.5x+0.5x^2,copies=x^3", "parts=120 or workers=200$"),
        ("parts=3,workers=5,degrees=x^4,copies=uniform", "^degree 4; expected at most parts=3$"),
    ],
)
def test_family_refusals(settings_: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        build(parse_spec(f"ldgm:{settings_}"))


@pytest.mark.parametrize("table", [{1.5: 1}, {"1": 1}, {True: 1}, {1: None}, {1: "1"}, {1: 1j}])
def test_tables_of_no_numbers(table: Any) -> None:
    with pytest.raises(InputError, match="expected"):
        Degrees.from_table(table)


def test_numbers_of_numpy_are_numbers() -> None:
    shares = {np.int64(2): np.float64(0.5), np.int64(1): np.float32(0.5)}
    found = Degrees.from_table(shares)  # type: ignore[arg-type]
    assert found == parse_degrees("0.5x+0.5x^2")
    with pytest.raises(InputError, match="workers=-3, parts=5; expected 1 or more of both"):
        degree_sequences(-3, 5, found)
