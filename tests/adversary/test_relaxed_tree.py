"""Branch and bound, its search of leaves, and the orbits that it uses, against brute force."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from gcdesign.adversary.relaxations.leaves import enumerate_below
from gcdesign.adversary.relaxations.pair_orbits import Group, pair_orbits
from gcdesign.adversary.relaxations.quadratic import sparse_quadratic
from gcdesign.adversary.relaxations.relaxed_tree import Case, prove
from gcdesign.adversary.running.settings import Settings, Watch
from gcdesign.codes import GradientCode


def errors(matrix: NDArray[np.float64], stragglers: int) -> dict[tuple[int, ...], float]:
    """The error of every set of S silent workers, by the pseudo-inverse of the survivors."""
    found = {}
    for silent in combinations(range(len(matrix)), stragglers):
        alive = np.delete(matrix, silent, axis=0)
        found[silent] = float(((np.linalg.pinv(alive.T).sum(axis=1) @ alive - 1) ** 2).sum())
    return found


def random_matrix(workers: int, parts: int, seed: int) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    return (rng.random((workers, parts)) < 0.4).astype(float)


def circulant(workers: int, shifts: tuple[int, ...]) -> NDArray[np.float64]:
    matrix = np.zeros((workers, workers))
    for shift in shifts:
        matrix[np.arange(workers), (np.arange(workers) + shift) % workers] = 1
    return matrix


def watch(**settings: float) -> Watch:
    return Watch(Settings(threads=2, **settings))  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4])
def test_the_search_of_leaves_finds_the_best_set(size: int) -> None:
    rng = np.random.default_rng(size)
    half = rng.standard_normal((10, 10))
    matrix, linear = half @ half.T + 0.01 * np.eye(10), rng.standard_normal(10)
    forced, candidates = np.array([7, 2]), np.array([0, 9, 4, 1, 3, 8])
    values = {}
    for chosen in combinations(candidates.tolist(), size):
        rows = np.array(sorted((7, 2, *chosen)))
        inner = np.linalg.inv(matrix[np.ix_(rows, rows)])
        values[tuple(rows.tolist())] = float(linear[rows] @ inner @ linear[rows])
    best = max(values, key=lambda rows: values[rows])
    found = enumerate_below(matrix, linear, forced, candidates, size, values[best] * (1 - 1e-9))
    assert found is not None
    assert found.workers == best
    assert found.value == pytest.approx(values[best], rel=1e-9)
    bar = values[best] * (1 + 1e-9)
    assert enumerate_below(matrix, linear, forced, candidates, size, bar) is None


def test_the_search_is_safe_where_single_precision_is_not() -> None:
    """Nearly dependent workers: the quick test must let the best set pass."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        half = rng.standard_normal((12, 12))
        half[6:] = half[:6] + 1e-4 * rng.standard_normal((6, 12))
        matrix, linear = half @ half.T, half @ rng.standard_normal(12)
        every = np.arange(12)
        values = []
        for chosen in combinations(range(12), 4):
            rows = np.array(chosen)
            inner = np.linalg.solve(matrix[np.ix_(rows, rows)], linear[rows])
            values.append(float(linear[rows] @ inner))
        best = max(values)
        none = np.arange(0)
        found = enumerate_below(matrix, linear, none, every, 4, sorted(values)[-2] * (1 + 1e-6))
        if best > sorted(values)[-2] * (1 + 1e-5):
            assert found is not None
            assert best * (1 - 1e-6) <= found.value <= best * 1.01


def test_the_search_says_so_where_double_precision_is_not_enough() -> None:
    """Dependent workers: a value that means nothing must not pass for a small one."""
    rng = np.random.default_rng(0)
    half = rng.standard_normal((8, 8))
    half[4:] = half[:4]
    matrix, linear = half @ half.T, half @ rng.standard_normal(8) + rng.standard_normal(8)
    for size in (3, 4, 5):
        found = enumerate_below(matrix, linear, np.arange(0), np.arange(8), size, 1e9)
        assert found is not None
        assert found.value > 1e9
        assert len(set(found.workers)) == size


CODES = {
    "square": (random_matrix(12, 12, 1), 4),
    "wide": (random_matrix(10, 14, 2), 4),
    "tall": (random_matrix(12, 9, 3), 5),
    "circulant": (circulant(13, (0, 1, 4)), 5),
}


@pytest.mark.parametrize("name", CODES)
def test_it_proves_the_worst_error_and_finds_it_from_below(name: str) -> None:
    matrix, stragglers = CODES[name]
    by_set = errors(matrix, stragglers)
    worst = max(by_set.values())
    quadratic = sparse_quadratic(GradientCode.from_matrix(matrix))
    assert quadratic is not None
    above = prove(quadratic, stragglers, worst * 1.001 + 1e-3, watch=watch(), max_sets=20)
    assert above.complete
    assert above.found is None
    assert above.evidence["by"] == "search"
    assert above.evidence["cases"] == above.nodes > 0
    below = prove(quadratic, stragglers, worst * 0.8, watch=watch(), max_sets=20)
    assert below.complete
    assert below.found is not None
    assert worst <= below.upper + 1e-9
    assert below.upper == pytest.approx(worst, abs=2e-3)
    assert by_set[below.found.workers] == pytest.approx(worst, abs=2e-3)


def test_symmetry_changes_the_number_of_cases_but_not_the_answer() -> None:
    matrix, stragglers = CODES["circulant"]
    worst = max(errors(matrix, stragglers).values())
    quadratic = sparse_quadratic(GradientCode.from_matrix(matrix))
    assert quadratic is not None
    turn = [(w + 1) % 13 for w in range(13)]
    group = Group.generated([turn], 13)
    assert group is not None
    plain = prove(quadratic, stragglers, worst * 0.9, watch=watch(), max_sets=5)
    symmetric = prove(quadratic, stragglers, worst * 0.9, watch=watch(), max_sets=5, group=group)
    assert symmetric.complete
    assert symmetric.upper == pytest.approx(worst, rel=1e-6)
    assert plain.upper == pytest.approx(worst, rel=1e-6)
    assert symmetric.nodes < plain.nodes


def test_what_a_limit_left_open_can_be_gone_on_with() -> None:
    matrix, stragglers = CODES["square"]
    worst = max(errors(matrix, stragglers).values())
    quadratic = sparse_quadratic(GradientCode.from_matrix(matrix))
    assert quadratic is not None
    cut = prove(quadratic, stragglers, worst + 1e-3, watch=watch(time_limit=0), max_sets=5)
    assert not cut.complete
    assert all(isinstance(case, Case) for case in cut.open)
    rest = prove(quadratic, stragglers, worst + 1e-3, watch=watch(), max_sets=5, cases=cut.open)
    assert rest.complete
    assert rest.found is None


def test_groups_against_all_permutations() -> None:
    square = [(1, 2, 3, 0), (0, 3, 2, 1)]
    group = Group.generated(square, 4)
    assert group is not None
    edges = {frozenset(edge) for edge in ((0, 1), (1, 2), (2, 3), (3, 0))}
    expected = {
        p for p in permutations(range(4)) if {frozenset((p[a], p[b])) for a, b in edges} == edges
    }
    assert {tuple(element) for element in group.elements.tolist()} == expected
    fixing = group.fixing([0])
    assert {tuple(e) for e in fixing.elements.tolist()} == {p for p in expected if p[0] == 0}
    assert [orbit.tolist() for orbit in fixing.orbits(range(4))] == [[0], [1, 3], [2]]
    assert Group.generated(square, 4, limit=3) is None
    labels = pair_orbits(square, 4)
    assert labels.tolist() == [[0, 1, 2, 1], [1, 0, 1, 2], [2, 1, 0, 1], [1, 2, 1, 0]]
    turns = pair_orbits(square[:1], 4)
    assert turns.tolist() == [[0, 1, 2, 3], [3, 0, 1, 2], [2, 3, 0, 1], [1, 2, 3, 0]]
