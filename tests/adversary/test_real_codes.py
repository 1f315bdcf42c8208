"""Codes with real weights against fractions: a float is a fraction, so the truth is known.

Scales from 10⁻⁸ to 10⁸, dependent rows and rows that are nearly dependent: what is called exact
must be right to within its tolerance, and a bracket must hold the truth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from gcdesign.adversary import (
    Settings,
    error_threshold,
    worst_case_error,
    worst_case_error_profile,
)
from gcdesign.codes import GradientCode, decode
from gcdesign.errors import InputError

Silenced = tuple[int, ...]
Errors = Callable[[Sequence[Sequence[Any]], int], dict[Silenced, Fraction]]
Matrix = NDArray[np.float64]
ROUNDING = 1e-13
KINDS = ["whole", "normal", "low rank", "nearly equal", "powers", "Vandermonde"]


def sample(kind: str, seed: int) -> Matrix:
    """Return a matrix of one kind, of up to 6 workers and 7 parts."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(1, 7)), int(rng.integers(1, 8))
    zero_one = rng.integers(0, 2, (n, k)).astype(float)
    if kind == "whole":
        return rng.integers(-2, 3, (n, k)).astype(float)
    if kind == "low rank":
        rank = int(rng.integers(1, min(n, k) + 1))
        wide = rng.integers(-3, 4, (n, rank)) @ rng.integers(-3, 4, (rank, k))
        return wide.astype(float)
    if kind == "nearly equal":
        zero_one[-1] = zero_one[0]
        zero_one[-1, 0] += 2.0 ** -int(rng.integers(5, 42))
        return zero_one
    if kind == "powers":
        powers: Matrix = np.ldexp(zero_one, rng.integers(-12, 12, (n, k)))
        return powers
    if kind == "Vandermonde":
        return np.vander(rng.uniform(0.5, 1.5, n), k)
    normal: Matrix = rng.normal(size=(n, k))
    return normal


def check(matrix: Matrix, errors: dict[Silenced, Fraction]) -> None:
    code = GradientCode.from_matrix(matrix)
    parts = max(1, code.parts)
    for silenced, error in errors.items():
        decoding = code.decode(silenced)
        assert abs(decoding.error - float(error)) <= decoding.tolerance + ROUNDING * parts
        assert (decoding.weights[list(silenced)] == 0).all()
        residual = matrix.T @ decoding.weights - 1
        assert residual @ residual == pytest.approx(decoding.error, abs=1e-6 * parts)
    profile = worst_case_error_profile(code)
    for stragglers, result in enumerate(profile):
        one_by_one = worst_case_error(code, stragglers)
        of_size = [e for s, e in errors.items() if len(s) == stragglers]
        greatest, least = max(of_size), min(of_size)
        for answer in (result, one_by_one):
            margin = Fraction(answer.tolerance) + Fraction(ROUNDING * parts)
            assert answer.lower - margin <= greatest <= answer.upper + margin
            assert (answer.stopped is None) == (answer.status == "exact")
            assert answer.tolerance <= 1e-9 * parts
            assert errors[answer.workers] >= Fraction(answer.lower) - margin
            if answer.least is not None:
                assert abs(float(answer.least.value) - float(least)) <= 2e-9 * parts
        for quick in (Settings(method="greedy"), Settings(method="bounds")):
            bracket = worst_case_error(code, stragglers, settings=quick)
            margin = Fraction(bracket.tolerance) + Fraction(ROUNDING * parts)
            assert bracket.lower - margin <= greatest <= bracket.upper + margin


@pytest.mark.parametrize("kind", KINDS)
def test_errors(errors_of_sets: Errors, kind: str) -> None:
    for seed in range(4):
        matrix = sample(kind, seed)
        scales = 10.0 ** np.random.default_rng(seed).integers(-8, 9, (len(matrix), 1))
        errors = errors_of_sets(matrix.tolist(), matrix.shape[1])
        check(matrix, errors)
        check(matrix * scales, errors)


ENTRIES = st.sampled_from([0.0, 0.0, 0.0, 1.0, 1.0, -1.0, 2.0, 0.5, 3.0, 1e-2])
SCALES = st.sampled_from([1e-8, 1.0, 1.0, -1e8])


@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.data())
def test_errors_of_mixed_scales(errors_of_sets: Errors, data: st.DataObject) -> None:
    parts = data.draw(st.integers(0, 5))
    row = st.lists(ENTRIES, min_size=parts, max_size=parts)
    rows = data.draw(st.lists(row, max_size=5))
    scales = data.draw(st.lists(SCALES, min_size=len(rows), max_size=len(rows)))
    matrix = np.array(rows, dtype=float).reshape(len(rows), parts)
    check(matrix * np.array(scales, dtype=float)[:, None], errors_of_sets(matrix.tolist(), parts))


@pytest.mark.parametrize("kind", ["whole", "low rank", "normal"])
def test_scales_change_no_error(kind: str) -> None:
    matrix = sample(kind, 7)
    scales = 10.0 ** np.random.default_rng(0).integers(-90, 90, (len(matrix), 1))
    plain, scaled = (
        worst_case_error_profile(GradientCode.from_matrix(m)) for m in (matrix, matrix * scales)
    )
    for a, b in zip(plain, scaled, strict=True):
        assert a.status == b.status == "exact"
        assert float(a.value) == pytest.approx(float(b.value), abs=1e-9)
        assert (a.least is None) == (b.least is None)


def tandon_cyclic(workers: int, stragglers: int, seed: int) -> Matrix:
    """Return the cyclic code of Tandon and others: any N − S workers span the vector of ones."""
    rng = np.random.default_rng(seed)
    null = rng.normal(size=(stragglers, workers))
    null[:, -1] = -null[:, :-1].sum(axis=1)
    code = np.zeros((workers, workers))
    for i in range(workers):
        first, *others = ((i + t) % workers for t in range(stragglers + 1))
        code[i, first] = 1
        code[i, others] = -np.linalg.solve(null[:, others], null[:, first])
    return code


@pytest.mark.parametrize(("workers", "stragglers"), [(5, 2), (7, 2), (10, 4), (16, 5)])
def test_cyclic_codes_lose_nothing_up_to_their_design(workers: int, stragglers: int) -> None:
    # Their surviving matrices have condition numbers up to 10⁷.
    code = GradientCode.from_matrix(tandon_cyclic(workers, stragglers, 0))
    profile = worst_case_error_profile(code)
    for result in profile[: stragglers + 1]:
        assert result.lower <= result.tolerance + 1e-15
        assert result.upper < 1e-4
    assert profile[stragglers + 1].lower > 1
    assert error_threshold(code, 1).value == stragglers + 1


@pytest.mark.parametrize("power", range(30, 56))
def test_the_tolerance_covers_both_answers(power: int) -> None:
    # Two rows that differ by 2^-power span the vector of ones: the error is 0, if they are two.
    # Their singular value falls from safely above what rounding does to below it.
    code = GradientCode.from_matrix(np.array([[1.0, 1.0, 1.0], [1.0, 1.0, 1.0 + 2.0**-power]]))
    skew = GradientCode.from_matrix(np.array([[1.0, 2.0, 2.0], [1.0, 2.0, 2.0 + 2.0**-power]]))
    assert code.decode([]).error == pytest.approx(0, abs=1e-12)
    decoding = skew.decode([])
    exact_if_one, exact_if_two = Fraction(2, 9), Fraction(1, 5)
    near = min(abs(decoding.error - float(e)) for e in (exact_if_one, exact_if_two))
    assert near <= decoding.tolerance + 1e-9
    if power <= 43:
        assert decoding.error - decoding.tolerance <= exact_if_two + 1e-9
        result = worst_case_error(skew, 0)
        assert result.lower - result.tolerance <= exact_if_two + 1e-9
        assert exact_if_two <= result.upper + result.tolerance
        assert result.tolerance <= 3e-9
        assert (result.status == "exact") == (decoding.tolerance <= 3e-9)


def test_many_survivors_without_fractions() -> None:
    rng = np.random.default_rng(0)
    zero_one = GradientCode.from_matrix(rng.random((14, 12)) < 0.3)
    for silenced in ([], [0, 3], [1, 2, 3, 4, 5, 6, 7], range(14)):
        exact, floating = (decode(zero_one, silenced, exact=e) for e in (True, False))
        assert floating.error_exact is None
        assert exact.error_exact is not None
        assert abs(floating.error - exact.error) <= floating.tolerance + 1e-15


@pytest.mark.parametrize("size", [1e101, 1e-101, -1e200, 5e-324])
def test_extreme_weights_are_refused(size: float) -> None:
    with pytest.raises(InputError, match="scale the workers' rows"):
        GradientCode.from_matrix([[1.0, size]])


THRESHOLD_CASES = {
    "diagonal": [[0.5, 0, 0], [0, 0.3, 0], [0, 0, 0.7]],
    "mixed scales": [[0, 0.5, 0], [1024, 0.5, 1], [0, 1024, 0.001]],
    "full rank": [[0.1, 0.2], [0.3, 0.7]],
    "repeated worker": [[1.5, 0, 0], [0, 1, 1], [0, 1, 1]],
}


@pytest.mark.parametrize("rows", THRESHOLD_CASES.values(), ids=THRESHOLD_CASES.keys())
def test_thresholds_beside_the_values_that_errors_take(
    rows: list[list[float]], errors_of_sets: Errors
) -> None:
    # The worst errors themselves, and numbers above them by less than any rounding.
    matrix = [[Fraction(entry) for entry in row] for row in rows]
    errors = errors_of_sets(matrix, len(rows[0]))
    worst = [max(e for s, e in errors.items() if len(s) == n) for n in range(len(rows) + 1)]
    code = GradientCode.from_matrix(np.array(rows))
    for value in set(worst):
        for above in (Fraction(0), Fraction(1, 10**40), Fraction(1, 10**18), Fraction(1, 10**15)):
            if value + above > code.parts:
                continue
            truth = next(n for n, error in enumerate(worst) if error >= value + above)
            found = error_threshold(code, value + above)
            assert found.lower <= truth <= found.upper
            assert (found.stopped is None) == (found.status == "exact")
            if found.status == "exact":
                assert found.tolerance == 0
    assert error_threshold(code, code.parts).value == len(rows)
