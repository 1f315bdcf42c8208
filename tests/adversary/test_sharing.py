"""The bound from what S workers can share: against brute force, and its proof in fractions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from numpy.typing import NDArray

from gcdesign.adversary.bounds import placement_facts
from gcdesign.adversary.relaxations.sharing import largest_cliques, sharing_bound, uneven_family
from gcdesign.codes import GradientCode, load_code

HALF = Path(__file__).parents[1] / "data" / "lps-13-5-half.mtx"


def semidefinite(matrix: list[list[Fraction]]) -> bool:
    """Whether a symmetric matrix of fractions is positive semidefinite, by elimination."""
    left = [row[:] for row in matrix]
    for k in range(len(left)):
        pivot = left[k][k]
        if pivot < 0 or (pivot == 0 and any(left[k][k:])):
            return False
        for i in range(k + 1, len(left)):
            if pivot and left[i][k]:
                times = left[i][k] / pivot
                left[i] = [x - times * y for x, y in zip(left[i], left[k], strict=True)]
    return True


def proof_is_right(
    matrix: NDArray[np.int64], stragglers: int, bound: Fraction, proof: Mapping[str, Any]
) -> bool:
    """Check a proof of kind ``sharing`` as the page on certificates describes it."""
    n, parts = matrix.shape
    load, replication = int(matrix[0].sum()), int(matrix[:, 0].sum())
    if (matrix.sum(axis=1) != load).any() or (matrix.sum(axis=0) != replication).any():
        return False
    second, weight, sets = proof["second_squared"], proof["weight"], proof["sets"]
    slope = (load * replication - second) / n
    shared = second * stragglers + slope * stragglers**2
    overlaps = np.zeros((n, n), dtype=np.int64)
    even = Fraction(0)
    if sets:
        size = len(sets[0])
        for members in sets:
            if len(set(members)) != size or len(members) != size:
                return False
            overlaps[np.ix_(members, members)] += 1
        times = int(overlaps[0, 0])
        if (np.diagonal(overlaps) != times).any() or weight < 0:
            return False
        even = Fraction(times * size, n)
        # Least sum of squares of len(sets) whole numbers that add up to times · S.
        loads = [0] * len(sets)
        for _ in range(times * stragglers):
            loads[loads.index(min(loads))] += 1
        shared -= weight * (sum(x * x for x in loads) - even * stragglers**2)
    gram = (matrix @ matrix.T).tolist()
    table = [
        [
            (second if i == j else 0) + slope - gram[i][j] - weight * (int(overlaps[i, j]) - even)
            for j in range(n)
        ]
        for i in range(n)
    ]
    most = max(t for t in range(int(shared) + 1) if (t - load * stragglers) % 2 == 0)
    survivors = replication**2 * parts - 2 * replication * load * stragglers + most
    reached = Fraction((load * (n - stragglers)) ** 2, survivors) if survivors > 0 else 0
    return semidefinite(table) and bound >= parts - reached


def worst(matrix: NDArray[np.float64], stragglers: int) -> float:
    found = 0.0
    for silent in combinations(range(len(matrix)), stragglers):
        alive = np.delete(matrix, silent, axis=0)
        error = ((np.linalg.pinv(alive.T).sum(axis=1) @ alive - 1) ** 2).sum()
        found = max(found, float(error))
    return found


def circulant(workers: int, shifts: tuple[int, ...]) -> NDArray[np.float64]:
    matrix = np.zeros((workers, workers))
    for shift in shifts:
        matrix[np.arange(workers), (np.arange(workers) + shift) % workers] = 1
    return matrix


def grid() -> NDArray[np.float64]:
    """Nine workers in three rows and three columns, which are the parts: it decodes badly."""
    return np.array([[w // 3 == p or w % 3 == p - 3 for p in range(6)] for w in range(9)], float)


@pytest.mark.parametrize(
    "matrix", [circulant(9, (0, 1, 3)), circulant(10, (0, 1, 2, 5)), grid(), grid().T.copy()]
)
def test_no_set_costs_more_and_the_proof_is_right(matrix: NDArray[np.float64]) -> None:
    code = GradientCode.from_matrix(matrix)
    second = placement_facts(code.placement).second_squared
    assert second is not None
    family = uneven_family(code.placement, second)
    for stragglers in range(code.workers + 1):
        found = sharing_bound(code.placement, stragglers, second, family)
        assert found is not None
        bound, proof = found
        assert bound >= worst(matrix, stragglers) - 1e-9
        assert proof_is_right(matrix.astype(np.int64), stragglers, bound, proof)
        if 0 < stragglers < code.workers:
            assert (
                not proof_is_right(
                    matrix.astype(np.int64), stragglers, bound * Fraction(9, 10), proof
                )
                or bound == 0
            )


def test_a_ramanujan_graph_lies_less_evenly_than_its_spectrum_allows() -> None:
    """PSL(2,5) on 6 points: 36 sets of 10 elements that take one point to another."""
    code = load_code(str(HALF))
    family = uneven_family(code.placement, Fraction(16))
    assert family is not None
    assert len(family.sets) == 36
    assert family.weight == 1
    assert {len(members) for members in family.sets} == {10}
    matrix = code.dense_encoding().astype(np.int64)
    bounds = {s: sharing_bound(code.placement, s, Fraction(16), family) for s in (1, 4, 8, 13)}
    exact = {1: 0.03653, 4: 0.22695, 8: 0.60682, 13: 1.26330}
    assert all(found and found[0] >= exact[s] - 1e-5 for s, found in bounds.items())
    found = bounds[13]
    assert found is not None
    bound, proof = found
    assert bound < Fraction(129, 100)
    assert proof_is_right(matrix, 13, bound, proof)
    wrong = {**proof, "weight": Fraction(11, 10)}
    assert not proof_is_right(matrix, 13, bound, wrong)


def test_irregular_placements_are_left_alone() -> None:
    code = GradientCode.from_matrix(np.array([[1, 1, 0], [1, 0, 0]]))
    assert sharing_bound(code.placement, 1, Fraction(3), None) is None
    assert uneven_family(code.placement, Fraction(3)) is None


def test_largest_cliques_against_networkx() -> None:
    for seed in range(10):
        rng = np.random.default_rng(seed)
        joined = rng.random((12, 12)) < 0.6
        joined = np.triu(joined, 1) | np.triu(joined, 1).T
        every = [tuple(sorted(c)) for c in nx.find_cliques(nx.from_numpy_array(joined))]
        most = max(map(len, every))
        assert largest_cliques(joined) == sorted(c for c in every if len(c) == most)


@pytest.mark.parametrize(("stragglers", "worst"), [(13, 1.26330), (14, 1.34929), (15, 1.47867)])
def test_the_half_of_a_ramanujan_graph_within_three_per_cent(stragglers: int, worst: float) -> None:
    """The worst errors are known from an exhaustive search elsewhere, to five decimals."""
    placement = load_code("lps:p=13,q=5").placement
    second = placement_facts(placement).second_squared
    assert second == 16
    found = sharing_bound(placement, stragglers, second, uneven_family(placement, second))
    assert found is not None
    assert worst - 1e-5 <= float(found[0]) <= 1.03 * worst
