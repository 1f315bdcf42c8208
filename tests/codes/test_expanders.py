"""Expander codes, graph codes and products: bounds that are never violated."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from gcdesign.codes import load_code
from gcdesign.codes.registry import declared
from gcdesign.designs.graphs.catalogue import graph
from gcdesign.designs.graphs.measures import expansion, second_eigenvalue
from gcdesign.errors import InputError


def samples(workers: int, count: int) -> list[NDArray[np.intp]]:
    """Return random sets of stragglers of all sizes, always the same."""
    rng = np.random.default_rng(workers)
    sizes = rng.integers(1, workers, count)
    return [np.sort(rng.choice(workers, size=size, replace=False)) for size in sizes]


def least_squares_error(matrix: NDArray[np.float64], silent: NDArray[np.intp]) -> float:
    rows = np.delete(matrix, silent, axis=0)
    weights = np.linalg.lstsq(rows.T, np.ones(matrix.shape[1]), rcond=None)[0]
    return float(((rows.T @ weights - 1) ** 2).sum())


@pytest.mark.parametrize(
    "name",
    [
        "lps:p=13,q=5",
        "paley:q=13",
        "paley:q=25",
        "polarity:q=4",
        "regular:workers=31,load=6,seed=1",
        "adjacency:graph=petersen",
        "adjacency:graph=(regular:n=24,degree=5,seed=2)",
        "margulis-gabber-galil:n=5",
        "circulant:workers=13,offsets=0+1+3+9",
    ],
)
def test_the_expander_bound_is_never_violated(name: str) -> None:
    """err ≤ (σ₂/d)² NS/(N − S), by one vector of equal weights and by the best one."""
    matrix = load_code(name).dense_encoding()
    n, d = len(matrix), float(matrix[0].sum())
    assert set(matrix.sum(axis=0)) == set(matrix.sum(axis=1)) == {d}
    second = float(np.linalg.svd(matrix, compute_uv=False)[1])
    for silent in samples(n, 25):
        bound = (second / d) ** 2 * n * len(silent) / (n - len(silent))
        equal = np.delete(matrix, silent, axis=0).sum(axis=0) * n / (d * (n - len(silent)))
        constant = float(((equal - 1) ** 2).sum())
        assert least_squares_error(matrix, silent) <= constant + 1e-9
        assert constant <= bound + 1e-9


def test_a_ramanujan_code_is_below_its_own_bound() -> None:
    """At 1092 workers of load 6: err ≤ 4p/(p + 1)²·NS/(N − S) for every set of stragglers."""
    code = load_code("lps:p=5,q=13")
    matrix = code.encoding
    for silent in samples(1092, 12):
        alive = np.ones(1092)
        alive[silent] = 0
        found = matrix.T @ alive * 1092 / (6 * alive.sum())
        error = float(((found - 1) ** 2).sum())
        assert error <= 4 * 5 / 36 * 1092 * len(silent) / alive.sum()


@pytest.mark.parametrize("name", ["petersen", "complete:n=5", "cycle:n=9", "paley:q=9"])
def test_the_bound_of_glasgow_and_wootters(name: str) -> None:
    """err ≤ K(2d − l)/(2d)·p/(1 − p), l the spectral gap, p = S/N; and decoding agrees."""
    chosen = graph(name)
    degree = int(chosen.degrees[0])
    gap = degree - second_eigenvalue(chosen)
    code = load_code(f"graph-code:graph={name}")
    matrix = code.dense_encoding()
    for silent in samples(code.workers, 25):
        share = len(silent) / code.workers
        bound = code.parts * (2 * degree - gap) / (2 * degree) * share / (1 - share)
        error = least_squares_error(matrix, silent)
        assert error <= bound + 1e-9
        assert code.decode(silent.tolist()).error == pytest.approx(error, abs=1e-9)


def test_components_of_the_petersen_graph() -> None:
    """Bipartite components with sides a, b lose (a − b)²/(a + b), all others nothing."""
    code = load_code("graph-code:graph=petersen")
    edges = [tuple(block) for block in code.placement.design.blocks()]
    for silent in combinations(range(15), 3):
        alive = [edge for number, edge in enumerate(edges) if number not in silent]
        assert code.decode(silent).error == pytest.approx(component_error(alive), abs=1e-9)


def component_error(edges: list[tuple[int, ...]]) -> float:
    colour: dict[int, int] = {}
    total = 0.0
    for root in range(10):
        if root in colour:
            continue
        colour[root], stack, odd, members = 0, [root], False, [root]
        while stack:
            here = stack.pop()
            for a, b in edges:
                if here not in (a, b):
                    continue
                other = a + b - here
                if other not in colour:
                    colour[other] = 1 - colour[here]
                    stack.append(other)
                    members.append(other)
                odd = odd or colour[other] == colour[here]
        sides = [colour[v] for v in members]
        difference = sides.count(0) - sides.count(1)
        total += 0.0 if odd else difference**2 / len(members)
    return total


def test_weights_of_margulis_gabber_and_galil() -> None:
    code = load_code("margulis-gabber-galil:n=5")
    matrix = code.dense_encoding()
    assert np.array_equal(matrix, matrix.T)
    assert set(matrix.sum(axis=0)) == {8.0}
    assert np.sort(np.linalg.eigvalsh(matrix))[-2] == pytest.approx(5.3254, abs=5e-5)
    assert matrix.max() == 4
    for n in range(2, 9):
        made = load_code(f"margulis-gabber-galil:n={n}").placement.design
        found = declared("margulis-gabber-galil").size(n=n)
        assert found == (made.v, made.b, made.incidences)
    with pytest.raises(InputError, match=r"^n=1; expected 2 or more$"):
        load_code("margulis-gabber-galil:n=1")


def test_a_product_is_no_better_than_its_factor() -> None:
    """err_{jN₂}(E₁ ⊗ E₂) ≥ K₂ err_j(E₁), by silencing super-rows."""
    one, two = load_code("pg:q=2"), load_code("frc:workers=4,stragglers=1")
    both = load_code("product:left=pg:q=2,right=(frc:workers=4,stragglers=1)")
    for j in range(1, 7):
        error = both.decode(range(4 * j)).error_exact
        assert error == two.parts * (one.decode(range(j)).error_exact or Fraction(0))


def test_expansion_of_the_placements_used() -> None:
    assert expansion(graph("lps:p=13,q=5")) <= 2 * sqrt(13)
