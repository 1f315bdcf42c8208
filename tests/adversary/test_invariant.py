"""The relaxation on orbits of pairs: the same bound as without symmetry."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from gcdesign.adversary.relaxations.invariant import Algebra
from gcdesign.adversary.relaxations.semidefinite import multiplier_bound
from gcdesign.adversary.running.settings import Settings, Watch
from gcdesign.codes import GradientCode


def circulant(workers: int, shifts: tuple[int, ...]) -> NDArray[np.float64]:
    matrix = np.zeros((workers, workers))
    for shift in shifts:
        matrix[np.arange(workers), (np.arange(workers) + shift) % workers] = 1
    return matrix


def turned(workers: int, step: int = 1) -> list[int]:
    return [(w + step) % workers for w in range(workers)]


def two_orbits() -> tuple[NDArray[np.float64], list[list[int]]]:
    """Two circulants on the same parts, with different loads: the turn of both at once."""
    matrix = np.vstack([circulant(8, (0, 1)), circulant(8, (0, 1, 3, 4))])
    return matrix, [turned(8) + [8 + w for w in turned(8)]]


CODES = {
    "regular": (circulant(11, (0, 1, 4)), [turned(11)]),
    "singular": (circulant(12, (0, 1, 2, 3)), [turned(12)]),
    "two orbits of workers": two_orbits(),
}


@pytest.mark.parametrize("name", CODES)
def test_no_set_costs_more(name: str) -> None:
    matrix, generators = CODES[name]
    worst = 0.0
    for silent in combinations(range(len(matrix)), 4):
        alive = np.delete(matrix, silent, axis=0)
        error = ((np.linalg.pinv(alive.T).sum(axis=1) @ alive - 1) ** 2).sum()
        worst = max(worst, float(error))
    code = GradientCode.from_matrix(matrix)
    watch = Watch(Settings(threads=1))
    bound, _ = multiplier_bound(code, 4, watch=watch, generators=generators)
    assert worst - 1e-9 <= bound < code.parts


@pytest.mark.parametrize("name", CODES)
@pytest.mark.parametrize("stragglers", [3, 5])
def test_symmetry_loses_nothing(name: str, stragglers: int) -> None:
    matrix, generators = CODES[name]
    code = GradientCode.from_matrix(matrix)
    watch = Watch(Settings(threads=1))
    plain, _ = multiplier_bound(code, stragglers, watch=watch)
    symmetric, proof = multiplier_bound(code, stragglers, watch=watch, generators=generators)
    # Both end near the same optimum; dependent workers make the plain iteration slow, and only
    # leave it further on the safe side.
    assert float(symmetric) <= float(plain) * 1.005 + 1e-3
    if name == "regular":
        assert float(symmetric) >= float(plain) * 0.995
    if proof["by"] == "multiplier":
        entries = iter(proof["off_diagonal"])
        table = np.zeros((len(matrix), len(matrix)), dtype=object)
        for i in range(len(matrix)):
            for j in range(i):
                table[i, j] = table[j, i] = next(entries)
        for generator in generators:
            image = np.array(generator)
            assert (table[np.ix_(image, image)] == table).all()


def test_small_matrices_have_the_eigenvalues_of_the_whole() -> None:
    rng = np.random.default_rng(2)
    for matrix, generators in CODES.values():
        algebra = Algebra(generators, len(matrix))
        values = rng.standard_normal(len(algebra.sizes))
        whole = algebra.expand(values + values[algebra.transposed])
        found = []
        positive = np.zeros(len(values))
        for corner in algebra.corners(None):
            side = len(corner.labels)
            small = (corner.table @ algebra.values(whole)).reshape(side, side)
            found += np.linalg.eigvalsh(small).tolist()
            positive[corner.labels] = corner.positive(algebra.values(whole))
        expected, vectors = np.linalg.eigh(whole)
        assert all(np.abs(expected - size).min() < 1e-9 for size in found)
        assert all(np.abs(np.array(found) - size).min() < 1e-9 for size in expected)
        nearest = (vectors * np.maximum(expected, 0)) @ vectors.T
        assert np.allclose(algebra.expand(positive), nearest, atol=1e-9)
