"""Semidefinite bounds: valid against brute force, certified, as good as a solver's.

The certificates are checked here from their description alone, by elimination in fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from gcdesign.adversary.relaxations.definite import corner, factor, is_semidefinite
from gcdesign.adversary.relaxations.multiplier import certified
from gcdesign.adversary.relaxations.quadratic import sparse_quadratic
from gcdesign.adversary.relaxations.semidefinite import multiplier_bound, semidefinite_bound
from gcdesign.adversary.relaxations.splitting import (
    Multiplier,
    Relaxation,
    project_pairs,
    project_rows,
)
from gcdesign.adversary.running.settings import Settings, Watch
from gcdesign.codes import GradientCode

Rows = list[list[Fraction]]


def semidefinite(matrix: Rows) -> bool:
    """Whether a symmetric matrix of fractions is positive semidefinite, by elimination."""
    left = [row[:] for row in matrix]
    for k in range(len(left)):
        pivot = left[k][k]
        if pivot < 0 or (pivot == 0 and any(left[k][k:])):
            return False
        for i in range(k + 1, len(left)):
            if pivot and left[i][k]:
                factor = left[i][k] / pivot
                left[i] = [x - factor * y for x, y in zip(left[i], left[k], strict=True)]
    return True


def multiplier_is_right(
    matrix: NDArray[np.float64], stragglers: int, bound: Fraction, proof: Mapping[str, Any]
) -> bool:
    """Check a proof of kind ``multiplier`` as the page on certificates describes it."""
    rows = [[Fraction(x) for x in row] for row in matrix.tolist()]
    workers, parts = matrix.shape
    scale, diagonal, lower = proof["scale"], proof["diagonal"], iter(proof["off_diagonal"])
    v = [[0] * workers for _ in range(workers)]
    for i in range(workers):
        for j in range(i):
            v[i][j] = v[j][i] = next(lower)
            if v[i][j] ** 2 > diagonal[i] * diagonal[j]:
                return False
    if next(lower, None) is not None or min(diagonal) < 0 or scale < 1:
        return False
    w = [
        [
            Fraction((stragglers - 1) * diagonal[i] if i == j else -v[i][j], scale)
            for j in range(workers)
        ]
        for i in range(workers)
    ]
    we = [
        [sum(w[i][k] * rows[k][j] for k in range(workers)) for j in range(parts)]
        for i in range(workers)
    ]
    whole = [
        [
            (i == j) - sum((rows[k][i] * we[k][j] for k in range(workers)), Fraction(0))
            for j in range(parts)
        ]
        + [Fraction(1)]
        for i in range(parts)
    ]
    whole.append([Fraction(1)] * parts + [bound])
    return semidefinite(whole)


def watch() -> Watch:
    return Watch(Settings(threads=1))


def codes() -> dict[str, NDArray[np.float64]]:
    """Square, wide, tall, dependent, real, and unevenly scaled matrices."""
    rng = np.random.default_rng(7)
    square = (rng.random((7, 7)) < 0.5).astype(float)
    tall = (rng.random((9, 5)) < 0.5).astype(float)
    real = rng.standard_normal((6, 8))
    return {
        "square": square,
        "tall": tall,
        "wide": np.ascontiguousarray(tall.T),
        "dependent": np.vstack([square[:5], square[:2]]),
        "real": real,
        "scaled": real * 2.0 ** np.arange(-6, 6, 2)[:, None],
        "no worker holds a part": np.vstack([np.zeros(6), np.hstack([tall[:5], np.zeros((5, 1))])]),
    }


@pytest.mark.parametrize("name", codes())
def test_bounds_hold_and_their_certificates_are_right(
    name: str,
    float_errors_of_sets: Callable[[Any], dict[tuple[int, ...], float]],
    worst_by_size: Callable[[dict[tuple[int, ...], Any], int], list[Any]],
) -> None:
    matrix = codes()[name]
    code = GradientCode.from_matrix(matrix)
    worst = worst_by_size(float_errors_of_sets(matrix), code.workers)
    for stragglers in {0, 1, 2, code.workers // 2, code.workers}:
        bound, proof = multiplier_bound(code, stragglers, watch=watch())
        assert bound >= worst[stragglers] - 1e-9
        assert bound <= code.parts * (1 + Fraction(1, 10**6))
        assert multiplier_is_right(matrix, stragglers, bound, proof)
        best, _ = semidefinite_bound(code, stragglers, watch=watch())
        assert best >= worst[stragglers] - 1e-9
        assert best <= bound
        assert best <= code.parts


def test_a_certificate_of_too_little_is_refused_here() -> None:
    """The check of these tests can fail: a bound lowered by a thousandth is not proved."""
    matrix = codes()["square"]
    bound, proof = multiplier_bound(GradientCode.from_matrix(matrix), 3, watch=watch())
    assert multiplier_is_right(matrix, 3, bound, proof)
    assert not multiplier_is_right(matrix, 3, bound * Fraction(999, 1000), proof)
    assert not multiplier_is_right(matrix, 4, bound, proof)


def regular(workers: int, load: int, seed: int) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    while True:
        matrix = np.sum([np.eye(workers)[rng.permutation(workers)] for _ in range(load)], axis=0)
        if matrix.max() == 1 and np.linalg.matrix_rank(matrix) == workers:
            return np.asarray(matrix)


def by_solver(matrix: NDArray[np.float64], stragglers: int) -> float:
    """The relaxation's value by an interior-point solver, for a square regular code.

    Z and P are the variables; 2 × 2 cones and rows as in the module's description.
    """
    clarabel = pytest.importorskip("clarabel")
    from scipy.sparse import csc_array

    n = len(matrix)
    q, c = np.linalg.inv(matrix @ matrix.T), np.linalg.inv(matrix).sum(axis=1)
    place = {pair: k for k, pair in enumerate((i, j) for j in range(n) for i in range(j + 1))}
    size = len(place) + n * n
    p = [[len(place) + i * n + j for j in range(n)] for i in range(n)]
    cost = np.zeros(size)
    rows: list[dict[int, float]] = [{}]
    for (i, j), k in place.items():
        twice = 1 if i == j else 2
        cost[k] = twice * q[i, j]
        rows[0][k] = twice * c[i] * c[j]
    right, cones = [1.0], [clarabel.ZeroConeT(1)]
    for i in range(n):
        rows.append({p[i][j]: 1.0 for j in range(n) if j != i} | {place[i, i]: -(stragglers - 1.0)})
        right.append(0.0)
    cones.append(clarabel.NonnegativeConeT(n))
    for (i, j), k in place.items():
        if i != j:
            rows += [{p[i][j]: -1.0}, {k: -np.sqrt(2)}, {p[j][i]: -1.0}]
            right += [0.0] * 3
            cones.append(clarabel.PSDTriangleConeT(2))
    rows += [{k: -1.0 if i == j else -np.sqrt(2)} for (i, j), k in place.items()]
    right += [0.0] * len(place)
    cones.append(clarabel.PSDTriangleConeT(n))
    table = csc_array(
        (
            [x for row in rows for x in row.values()],
            ([r for r, row in enumerate(rows) for _ in row], [k for row in rows for k in row]),
        ),
        shape=(len(rows), size),
    )
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    solver = clarabel.DefaultSolver(
        csc_array((size, size)), cost, table, np.array(right), cones, settings
    )
    return 1 / float(solver.solve().obj_val)


@pytest.mark.parametrize(("workers", "load", "stragglers"), [(10, 3, 3), (12, 4, 4), (14, 3, 5)])
def test_the_iteration_comes_to_what_a_solver_finds(
    workers: int, load: int, stragglers: int
) -> None:
    matrix = regular(workers, load, seed=workers)
    expected = by_solver(matrix, stragglers)
    bound, _ = multiplier_bound(GradientCode.from_matrix(matrix), stragglers, watch=watch())
    assert expected * (1 - 1e-5) <= bound <= expected * 1.002


@pytest.mark.parametrize("stragglers", [2, 4, 7])
def test_never_worse_than_the_spectral_bound(stragglers: int) -> None:
    matrix = regular(15, 4, seed=3)
    second = np.sort(np.linalg.eigvalsh(matrix @ matrix.T))[-2]
    spectral = 15 * second * stragglers / (16 * (15 - stragglers) + second * stragglers)
    bound, _ = multiplier_bound(GradientCode.from_matrix(matrix), stragglers, watch=watch())
    assert bound <= spectral * (1 + 1e-6)


def test_large_codes_make_do_with_the_spectral_multiplier(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    matrix = regular(15, 4, seed=3)
    second = np.sort(np.linalg.eigvalsh(matrix @ matrix.T))[-2]
    spectral = 15 * second * 4 / (16 * 11 + second * 4)
    monkeypatch.setattr("gcdesign.adversary.relaxations.semidefinite.MAX_ITERATED", 14)
    bound, proof = multiplier_bound(GradientCode.from_matrix(matrix), 4, watch=watch())
    assert bound <= spectral * 1.2
    assert multiplier_is_right(matrix, 4, bound, proof)


def test_a_run_that_is_cut_short_still_proves_what_it_says() -> None:
    matrix = regular(12, 4, seed=1)
    hurried = Watch(Settings(time_limit=0, threads=1))
    bound, proof = multiplier_bound(GradientCode.from_matrix(matrix), 4, watch=hurried)
    assert bound < 12
    assert multiplier_is_right(matrix, 4, bound, proof)


def test_any_multiplier_gives_a_bound() -> None:
    """Random V and D, clipped, also far from any optimum."""
    matrix = codes()["wide"]
    code = GradientCode.from_matrix(matrix)
    rng = np.random.default_rng(0)
    n = code.workers
    for size in (1e-3, 1.0, 1e3):
        off = rng.standard_normal((n, n)) * size
        multiplier = Multiplier(np.full(n, size), off + off.T)
        bound, proof = certified(code, 3, multiplier)
        assert multiplier_is_right(matrix, 3, bound, proof)


def test_the_quadratic_problem_never_undercounts(
    float_errors_of_sets: Callable[[Any], dict[tuple[int, ...], float]],
) -> None:
    for matrix in codes().values():
        quadratic = sparse_quadratic(GradientCode.from_matrix(matrix))
        assert quadratic is not None
        for silent, error in float_errors_of_sets(matrix).items():
            value = quadratic.value(np.array(silent, dtype=np.int64))
            assert error - 1e-9 <= value <= error + 2e-2


def test_projections_are_the_nearest_points() -> None:
    """Against the optimality conditions of the projection onto a convex cone."""
    rng = np.random.default_rng(1)
    z = rng.standard_normal((6, 6))
    z, p = z + z.T, rng.standard_normal((6, 6))
    np.fill_diagonal(z, 0.0)
    np.fill_diagonal(p, 0.0)
    new_z, new_p = project_pairs(z, p)
    assert (new_p >= -1e-12).all()
    assert (new_z**2 <= new_p * new_p.T + 1e-12).all()
    inner = (z - new_z) * new_z * 2 + (p - new_p) * new_p + ((p - new_p) * new_p).T
    assert np.abs(inner).max() < 1e-12
    diagonal = rng.standard_normal(6)
    new_diagonal, rows = project_rows(diagonal, p, 3)
    assert (rows.sum(axis=1) <= 3 * new_diagonal + 1e-12).all()
    assert abs((diagonal - new_diagonal) @ new_diagonal + ((p - rows) * rows).sum()) < 1e-12


def test_definiteness_is_claimed_only_with_a_margin() -> None:
    ones = np.ones((5, 5))
    assert factor(ones) is None
    assert factor(ones + 1e-13 * np.eye(5)) is not None
    assert factor(ones + 1e-13 * np.eye(5), radius=1e-12) is None
    assert corner(ones, np.ones(5)) is None
    found = corner(ones + np.eye(5), np.ones(5))
    assert found is not None
    assert 5 / 6 <= found <= 5 / 6 + 1e-9


def test_exact_elimination_against_eigenvalues() -> None:
    rng = np.random.default_rng(5)
    seen = set()
    for _ in range(60):
        half = rng.integers(-2, 3, size=(5, rng.integers(1, 6)))
        matrix = half @ half.T
        matrix[0, 0] -= rng.integers(0, 2)
        expected = bool(np.linalg.eigvalsh(matrix.astype(float))[0] > -1e-9)
        seen.add(expected)
        assert is_semidefinite(matrix.tolist()) == expected
    assert seen == {True, False}


def test_a_warm_start_reaches_the_target_sooner() -> None:
    quadratic = sparse_quadratic(GradientCode.from_matrix(regular(14, 3, seed=14)))
    assert quadratic is not None
    relaxation = Relaxation(quadratic)
    none, every = np.arange(0), np.arange(14)
    first = relaxation.solve(none, every, 4, relaxation.start(4), rounds=400)
    again = relaxation.solve(none, every, 4, first.state, target=first.bound * 1.001)
    cold = relaxation.solve(none, every, 4, relaxation.start(4), target=first.bound * 1.001)
    assert again.bound <= first.bound * 1.001 + 1e-9
    assert again.rounds <= cold.rounds
