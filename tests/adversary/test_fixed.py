"""Worst errors for fixed decoding weights against every set, in fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from gcdesign.adversary import Settings, worst_case_error, worst_fixed_error
from gcdesign.codes import GradientCode, load_code
from gcdesign.errors import InputError


def error(matrix: np.ndarray, weights: np.ndarray, silenced: tuple[int, ...]) -> Fraction:
    alive = [i for i in range(len(matrix)) if i not in silenced]
    sums = (
        sum((Fraction(weights[i]) * Fraction(matrix[i, j]) for i in alive), Fraction(0))
        for j in range(matrix.shape[1])
    )
    return sum(((each - 1) ** 2 for each in sums), Fraction(0))


@pytest.mark.parametrize("seed", range(12))
def test_every_set(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(1, 8)), int(rng.integers(1, 7))
    matrix = (rng.random((n, k)) < 0.5) * (rng.normal(size=(n, k)) if seed % 2 else 1.0)
    weights = rng.normal(size=n) if seed % 3 else np.full(n, 0.375)
    code = GradientCode.from_matrix(matrix)
    for stragglers in range(n + 1):
        sets = combinations(range(n), stragglers)
        worst = max(error(matrix, weights, silenced) for silenced in sets)
        result = worst_fixed_error(code, weights, stragglers)
        assert result.status == "exact"
        assert abs(Fraction(result.value) - worst) <= result.tolerance
        assert result.value == error(matrix, weights, result.workers)
        assert len(result.workers) == stragglers
        for method in ("greedy", "bounds"):
            bracket = worst_fixed_error(code, weights, stragglers, settings=Settings(method=method))
            assert bracket.lower <= worst <= bracket.upper


def test_one_step_weights_are_fixed_weights() -> None:
    code = load_code("pg:q=3")
    for stragglers in (1, 4, 9):
        weight = 13 / ((13 - stragglers) * 4)
        expected = worst_case_error(code, stragglers, decoder="one-step").value
        found = worst_fixed_error(code, [weight] * 13, stragglers)
        assert float(found.value) == pytest.approx(float(expected), abs=1e-9)


@pytest.mark.parametrize("weights", [[1.0], [1.0] * 8, [np.nan] * 7, [np.inf] * 7])
def test_no_such_weights(weights: list[float]) -> None:
    with pytest.raises(InputError, match="weights"):
        worst_fixed_error(load_code("pg:q=2"), weights, 1)
