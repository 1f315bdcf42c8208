"""Decoders beside least squares: components of graphs, one weight for all, cost and condition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from gcdesign.codes import (
    GradientCode,
    GraphComponents,
    Placement,
    decode,
    load_code,
    stochastic_code,
    stochastic_error,
    stochastic_gradient_error,
)
from gcdesign.designs import BlockDesign
from gcdesign.errors import InputError

LeastError = Callable[[Sequence[Sequence[Any]], int], Fraction]
QUIET = settings(max_examples=80, deadline=None, derandomize=True)

PETERSEN = (
    [[i, (i + 1) % 5] for i in range(5)]
    + [[i, i + 5] for i in range(5)]
    + [[5 + i, 5 + (i + 2) % 5] for i in range(5)]
)


def graph_code(edges: Sequence[Sequence[int]], parts: int) -> GradientCode:
    return GradientCode.from_design(BlockDesign.from_blocks(edges, points=parts))


def test_petersen_graph_against_least_squares(least_error: LeastError) -> None:
    code = graph_code(PETERSEN, 10)
    assert code.structure is None
    assert isinstance(code.graph, GraphComponents)
    matrix = code.dense_encoding().astype(int)
    rng = np.random.default_rng(0)
    for size in range(16):
        for _ in range(12):
            silenced = rng.permutation(15)[:size]
            decoding = code.decode(silenced)
            alive = [row.tolist() for w, row in enumerate(matrix) if w not in silenced]
            assert decoding.method == "components of a graph"
            assert decoding.error_exact == least_error(alive, 10)
            residual = matrix.T @ decoding.weights - 1
            assert residual @ residual == pytest.approx(decoding.error, abs=1e-12)
            assert decoding.cost == 15 + 10
            assert code.graph.error(code.placement.mask(silenced)) == decoding.error_exact


def test_petersen_isolating_vertices_is_a_bound_that_the_worst_set_keeps() -> None:
    """Isolating ⌊S/d⌋ vertices loses so many parts; no set of 3 edges does more than one."""
    code = graph_code(PETERSEN, 10)
    worst = max(decode(code, silenced).error_exact or 0 for silenced in combinations(range(15), 3))
    assert worst == 1
    isolated = [w for w, edge in enumerate(PETERSEN) if 0 in edge]
    assert code.decode(isolated).error_exact == 1


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[list[int]], int]:
    parts = draw(st.integers(1, 8))
    block = st.lists(st.integers(0, parts - 1), max_size=2, unique=True)
    return draw(st.lists(block, min_size=1, max_size=12)), parts


@QUIET
@given(graphs(), st.data())
def test_graphs_with_loops_and_repeated_edges(
    least_error: LeastError, graph: tuple[list[list[int]], int], data: st.DataObject
) -> None:
    edges, parts = graph
    code = graph_code(edges, parts)
    assert code.graph is not None
    silenced = data.draw(st.sets(st.integers(0, len(edges) - 1)))
    mask = code.placement.mask(silenced)
    weights, error = code.graph.decode(mask)
    matrix = code.dense_encoding().astype(int)
    assert error == least_error(matrix[~mask].tolist(), parts)
    assert not weights[mask].any()
    residual = matrix.T @ weights - 1
    assert residual @ residual == pytest.approx(float(error), abs=1e-12)


def test_a_long_path_is_decoded_in_one_go() -> None:
    """Two sides of m + 1 and m vertices lose 1/(2m + 1), however long the path is."""
    m = 5000
    path = graph_code([[i, i + 1] for i in range(2 * m)], 2 * m + 1)
    assert path.decode([]).error_exact == Fraction(1, 2 * m + 1)


def test_three_parts_on_a_worker_are_no_graph() -> None:
    assert graph_code([[0, 1, 2], [1, 2]], 3).graph is None
    assert GradientCode.from_matrix([[0.5, 1.0]]).graph is None


@QUIET
@given(st.integers(0, 10**6))
def test_the_best_constant_weight(seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = (rng.random((5, 6)) < 0.5) * (1.0 if seed % 2 else rng.normal(size=(5, 6)))
    code = GradientCode.from_matrix(matrix)
    silenced = np.flatnonzero(rng.random(5) < 0.3)
    arrived = np.delete(matrix, silenced, axis=0).sum(axis=0)
    best = minimize_scalar(lambda rho: float(((rho * arrived - 1) ** 2).sum()))
    found = code.decode(silenced, decoder="constant")
    assert found.error == pytest.approx(best.fun, abs=1e-7)
    plain = code.decode(silenced, decoder="sum")
    assert plain.error == pytest.approx(float(((arrived - 1) ** 2).sum()), abs=1e-9)
    optimal = decode(code, silenced, exact=False).error
    assert optimal - 1e-9 <= found.error <= plain.error + found.tolerance + 1e-9


def test_one_step_weighs_ahead() -> None:
    code = load_code("pg:q=2")
    decoding = code.decode([0], decoder="one-step")
    assert decoding.error_exact == Fraction(7, 27)
    assert set(decoding.weights.tolist()) == {0.0, 7 / 18}


def test_wrong_decoders() -> None:
    code = load_code("pg:q=2")
    with pytest.raises(InputError, match="optimal, one-step, constant, sum"):
        code.decode([], decoder="best")  # type: ignore[arg-type]
    real = GradientCode.from_matrix([[0.5, 1.0]])
    with pytest.raises(InputError, match="0/1"):
        real.decode([], decoder="one-step")


def test_condition_is_that_of_the_sum() -> None:
    # Figure 1(b) of Tandon and others: with the last silent, (1, 2, 0) = 2·(½, 1, 0) − (0, 1, −1)
    # has terms of sizes 1, 2, 1 and 1 for a sum of three ones.
    code = GradientCode.from_matrix([[0.5, 1, 0], [0, 1, -1], [0.5, 0, 1]])
    assert code.decode([2]).condition == pytest.approx(5 / 3)
    assert load_code("pg:q=3").decode([0, 1]).condition == 1.0
    odd = graph_code([[0, 1], [1, 2], [2, 3], [3, 4], [4, 2]], 5)  # a triangle with a tail
    decoding = odd.decode([])
    matrix = odd.dense_encoding()
    terms = np.abs(matrix * decoding.weights[:, None]).sum()
    assert decoding.condition == pytest.approx(terms / np.abs(matrix.T @ decoding.weights).sum())


def test_costs_grow_as_they_say() -> None:
    assert load_code("ag:q=3").decode([0]).cost == 12
    matrix = np.eye(4) + np.eye(4, k=1) + np.eye(4, k=2)
    code = GradientCode.from_matrix(matrix)
    assert code.decode([0]).cost == 3**3
    assert decode(code, [0], exact=False).cost == 2 * 3**2 * 4


def test_masks_of_arrays_and_lists_are_the_same() -> None:
    placement = load_code("pg:q=3").placement
    for workers in ([], [3], [5, 0, 12]):
        assert (placement.mask(np.array(workers, dtype=int)) == placement.mask(workers)).all()
    for wrong in ([0, 0], [13], [-1]):
        with pytest.raises(InputError):
            placement.mask(np.array(wrong))


# --- stochastic gradient codes --------------------------------------------------------------


def test_stochastic_codes_against_all_sets() -> None:
    """The mean of the sum is right, and its errors are those of the formulas."""
    blocks = [[0, 1], [1, 2, 3], [0, 3], [2], [1, 3]]
    placement = Placement(BlockDesign.from_blocks(blocks, points=5))
    p = Fraction(1, 3)
    code = stochastic_code(placement, p)
    matrix = code.dense_encoding()
    gradients = np.random.default_rng(0).normal(size=(5, 3))
    whole = gradients[:4].sum(axis=0)  # nobody holds part 4
    mean, error, spread = np.zeros(5), 0.0, 0.0
    for choice in range(32):
        alive = np.array([choice >> w & 1 for w in range(5)], dtype=float)
        chance = float(np.prod(np.where(alive > 0, 2 / 3, 1 / 3)))
        arrived = matrix.T @ alive
        mean += chance * arrived
        error += chance * float(((arrived - 1) ** 2).sum())
        spread += chance * float(((arrived @ gradients - whole) ** 2).sum())
    assert mean == pytest.approx([1, 1, 1, 1, 0])
    assert float(stochastic_error(placement, p)) == pytest.approx(error)
    assert stochastic_gradient_error(placement, 1 / 3, gradients) == pytest.approx(spread)


def test_wrong_stochastic_codes() -> None:
    placement = load_code("pg:q=2").placement
    with pytest.raises(InputError, match="probability"):
        stochastic_code(placement, 1)
    with pytest.raises(InputError, match="7 rows"):
        stochastic_gradient_error(placement, 0.5, np.zeros((6, 2)))
