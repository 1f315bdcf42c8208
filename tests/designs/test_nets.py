"""Latin squares, nets, Ramanujan bigraphs, products and circulants against their theorems."""

from __future__ import annotations

from itertools import combinations, product
from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.designs import (
    BlockDesign,
    affine_geometry,
    build,
    dual,
    family,
    intersection_numbers,
    label,
    parse_spec,
)
from gcdesign.designs.nets import latin_squares, most_squares
from gcdesign.designs.registry import size_of
from gcdesign.errors import InputError, LimitError


def sets(design: BlockDesign) -> set[frozenset[int]]:
    return {frozenset(block) for block in design.blocks()}


# --- Latin squares ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "most"),
    [(2, 1), (3, 2), (4, 3), (5, 4), (6, 1), (8, 7), (9, 8), (10, 1), (12, 2), (15, 2), (20, 3)],
)
def test_orthogonal_latin_squares(order: int, most: int) -> None:
    assert most_squares(order) == most
    squares = latin_squares(order, most).tolist()
    assert len(squares) == most
    for square in squares:
        for line in [*square, *zip(*square, strict=True)]:
            assert sorted(line) == list(range(order))
    cells = list(product(range(order), repeat=2))
    for one, two in combinations(squares, 2):
        assert len({(one[i][j], two[i][j]) for i, j in cells}) == order**2


def test_byzshields_squares() -> None:
    """L_k(i, j) = k·i + j over a prime order."""
    squares = latin_squares(7, 6)
    for k, i, j in product(range(6), range(7), range(7)):
        assert squares[k, i, j] == ((k + 1) * i + j) % 7


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "mols:order=6,squares=2",
            r"no two of order 6 exist \(Tarry 1900\); the nearest: 1 square",
        ),
        ("mols:order=10,squares=2", r"this construction gives 1 for order 10; .*, or order=11$"),
        ("mols:order=5,squares=5", r"at most 4 for any order 5; .*: 4 squares, or order=7$"),
        ("mols:order=5,squares=0", r"^squares=0; expected 1 or more$"),
        ("mols:order=1,squares=1", r"^order=1; expected 2 or more$"),
        ("net:order=5,classes=1", r"^classes=1; expected 2 or more"),
        ("net:order=5,classes=7", r"^5 mutually orthogonal Latin squares of order 5: there are at"),
        ("net:order=-2,classes=3", r"negative size|expected 2 or more"),
        ("ramanujan-bigraph:m=3,s=6", r"^s=6 is no prime; the nearest: s=5 or s=7$"),
        ("ramanujan-bigraph:m=7,s=5", r"^m=7 is above s=5 .*the nearest: m=5 or m=10$"),
        ("ramanujan-bigraph:m=1,s=5", r"^m=1, s=5; expected 2 or more for both$"),
    ],
)
def test_refusals(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        build(parse_spec(spec))


@pytest.mark.parametrize(
    "spec",
    [
        "mols:order=999999999999,squares=2",
        "net:order=3000,classes=2999",
        "ramanujan-bigraph:m=3,s=999999937",
        "product:left=(pg:q=128),right=(pg:q=128)",
    ],
)
def test_too_large(spec: str) -> None:
    with pytest.raises(LimitError):
        build(parse_spec(spec))


@pytest.mark.parametrize(("order", "count"), [(100_000, 2), (2**20, 2**19), (10**30, 2)])
def test_squares_are_refused_before_they_take_memory(order: int, count: int) -> None:
    with pytest.raises(LimitError, match=f"{count} Latin squares of order {order}"):
        latin_squares(order, count)


# --- nets -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("order", "classes"), [(3, 2), (4, 5), (5, 4), (6, 3), (12, 4), (9, 10)])
def test_nets(order: int, classes: int) -> None:
    design = build(parse_spec(f"net:order={order},classes={classes}"))
    assert (design.v, design.b) == (order**2, order * classes)
    assert BlockDesign(design.v, design.indptr, design.indices) == design
    parallel = design.parallel_classes
    assert parallel is not None
    assert [len(members) for members in parallel] == [order] * classes
    blocks = design.blocks()
    for one, two in combinations(range(design.b), 2):
        same = any({one, two} <= set(members) for members in parallel)
        assert len(set(blocks[one]) & set(blocks[two])) == (0 if same else 1)


@pytest.mark.parametrize("q", [2, 3, 4, 5])
def test_the_full_net_is_the_affine_plane(q: int) -> None:
    assert sets(build(parse_spec(f"net:order={q},classes={q + 1}"))) == sets(affine_geometry(q))


def test_squares_are_the_net_without_its_grid() -> None:
    net, mols = (build(parse_spec(s)) for s in ("net:order=5,classes=5", "mols:order=5,squares=3"))
    assert mols.blocks() == net.blocks()[10:]


def corrupted(design: BlockDesign, liars: int) -> int:
    """Return the most parts of which at least half of the holders lie, by trying all sets."""
    matrix = design.dense_incidence().astype(np.int64)
    majority = (design.replication_numbers + 1) // 2
    chosen = np.array(list(combinations(range(design.b), liars)))
    return int((matrix[chosen].sum(axis=1) >= majority).sum(axis=1).max())


def test_byzshields_distortion_counts() -> None:
    """The values of ByzShield's tables, for (l, r) = (5, 3) and the bigraph (5, 5)."""
    mols = build(parse_spec("mols:order=5,squares=3"))
    assert [corrupted(mols, q) for q in range(2, 8)] == [1, 3, 5, 8, 12, 14]
    bigraph = build(parse_spec("ramanujan-bigraph:m=5,s=5"))
    assert [corrupted(bigraph, q) for q in range(3, 6)] == [1, 1, 2]


@pytest.mark.parametrize(("q", "dim"), [(2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (4, 2), (5, 2)])
def test_pairwise_balanced_placements(q: int, dim: int) -> None:
    design = build(parse_spec(f"pairwise-balanced:q={q},dim={dim}"))
    matrix = design.dense_incidence().astype(np.int64)
    workers, parts = q**dim, (q**dim - 1) // (q - 1)
    assert matrix.shape == (workers, parts)
    shared = matrix.T @ matrix
    copies = q ** (dim - 1)
    expected = np.full((parts, parts), copies * copies // workers)
    np.fill_diagonal(expected, copies)
    assert np.array_equal(shared, expected)
    assert copies * copies % workers == 0
    assert matrix[0].all()
    assert family("pairwise-balanced").size_of({"q": q, "dim": dim}) == (
        parts,
        workers,
        design.incidences,
    )


# --- Ramanujan bigraphs -----------------------------------------------------------------------


@pytest.mark.parametrize(("m", "s"), [(2, 3), (3, 5), (4, 5), (5, 5), (10, 5), (2, 2), (6, 2)])
def test_bigraphs_are_arrays_of_powers_of_a_shift(m: int, s: int) -> None:
    shift = np.roll(np.eye(s, dtype=np.int64), 1, axis=1)  # row a has its 1 in column a + 1
    rows = [[np.linalg.matrix_power(shift, i * j) for j in range(m)] for i in range(s)]
    array = np.block(rows)
    expected = array.T if m < s else array
    design = build(parse_spec(f"ramanujan-bigraph:m={m},s={s}"))
    assert np.array_equal(design.dense_incidence(), expected)
    assert (design.b, design.v) == ((m * s, s * s) if m < s else (s * s, m * s))


@pytest.mark.parametrize(("m", "s"), [(2, 3), (3, 5), (5, 7), (5, 5), (10, 5), (6, 3)])
def test_bigraphs_are_ramanujan(m: int, s: int) -> None:
    design = build(parse_spec(f"ramanujan-bigraph:m={m},s={s}"))
    values = np.linalg.svd(design.dense_incidence().astype(float), compute_uv=False)
    assert values[0] == pytest.approx(sqrt(m * s))
    assert values[1] == pytest.approx(sqrt(max(m, s)))
    assert values[1] <= sqrt(m - 1) + sqrt(s - 1) + 1e-9


# --- circulants and products ------------------------------------------------------------------


def test_circulants_block_by_block() -> None:
    design = build(parse_spec("circulant:workers=7,offsets=0+1+3"))
    assert sets(design) == {frozenset((i + d) % 7 for d in (0, 1, 3)) for i in range(7)}
    assert design.parameters.as_tuple() == (7, 7, 3, 3, 1)


FACTORS = ("pg:q=2", "uncoded:workers=3", "mols:order=3,squares=2", "bgc:workers=4,load=2,seed=3")


@pytest.mark.parametrize(("left", "right"), list(product(FACTORS, repeat=2)))
def test_products_are_kronecker_products(left: str, right: str) -> None:
    design = family("product").build({"left": left, "right": right})
    one, two = (build(parse_spec(name)).dense_incidence() for name in (left, right))
    assert np.array_equal(design.dense_incidence(), np.kron(one, two))
    assert BlockDesign(design.v, design.indptr, design.indices) == design
    size = family("product").size_of({"left": left, "right": right})
    assert size == (design.v, design.b, design.incidences)


def test_a_product_of_products() -> None:
    inner = "product:left=pg:q=2,right=uncoded:workers=2"
    design = build(parse_spec(f"product:left=({inner}),right=(frc:workers=4,stragglers=1)"))
    factors = ("pg:q=2", "uncoded:workers=2", "frc:workers=4,stragglers=1")
    one, two, three = (build(parse_spec(name)).dense_incidence() for name in factors)
    assert np.array_equal(design.dense_incidence(), np.kron(np.kron(one, two), three))
    assert design.provenance is not None
    assert build(parse_spec(design.provenance.spec)) == design


@given(st.integers(1, 20), st.integers(1, 20), st.integers(1, 6), st.integers(1, 6))
@settings(max_examples=40, deadline=None)
def test_constant_weights_on_products_of_block_designs(
    first: int, second: int, seed_one: int, seed_two: int
) -> None:
    """The error of v = w·1 for the best w is K − (Σ loads)²/‖Σ rows‖², for any survivors."""
    design = build(parse_spec("product:left=pg:q=2,right=pg:q=2")).dense_incidence().astype(float)
    rng = np.random.default_rng([first, second, seed_one, seed_two])
    alive = rng.random(49) < 0.6
    if not alive.any():
        return
    grid = alive.reshape(7, 7)
    f, rows, columns = alive.sum(), grid.sum(axis=1), grid.sum(axis=0)
    q = 4 * f + 2 * (rows**2).sum() + 2 * (columns**2).sum() + f**2  # a = 2, λ = 1 twice
    total = design[alive].sum(axis=0)
    best = 49 - total.sum() ** 2 / (total @ total)
    assert best == pytest.approx(49 - 81 * f**2 / q)


def test_factors_may_be_made_by_operations() -> None:
    one, other = "restriction(pg:q=2,kept=0+1+3)", "dual(product:left=(pg:q=2),right=(ag:q=2))"
    design = build(parse_spec(f"product:left=({one}),right=({other})"))
    factors = [build(parse_spec(name)).dense_incidence() for name in (one, other)]
    assert (design.dense_incidence() == np.kron(*factors)).all()
    assert size_of(parse_spec(str(design.provenance and design.provenance.spec))) == (
        design.v,
        design.b,
        design.incidences,
    )
    assert label(design).startswith("restriction of PG(2,2) at kept 0+1+3 × dual of PG(2,2) × ")


def test_factors_without_incidences_are_refused() -> None:
    empty = next(
        f"bgc:workers=1,parts=9,load=1,seed={seed}"
        for seed in range(99)
        if build(parse_spec(f"bgc:workers=1,parts=9,load=1,seed={seed}")).incidences == 0
    )
    with pytest.raises(InputError, match="has no incidence at all"):
        build(parse_spec(f"product:left=pg:q=2,right=({empty})"))


def test_graph_codes_hold_the_ends_of_edges() -> None:
    design = build(parse_spec("graph-code:graph=petersen"))
    assert (design.b, design.v) == (15, 10)
    assert set(design.block_sizes.tolist()) == {2}
    assert intersection_numbers(dual(design)) == {0: comb(10, 2) - 15, 1: 15}
    loops = build(parse_spec("graph-code:graph=polarity:q=3"))
    assert loops.b == 24
    assert sorted(loops.replication_numbers.tolist()) == [3] * 4 + [4] * 9
