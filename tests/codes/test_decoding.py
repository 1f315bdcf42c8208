"""Optimal decoding: weights, fractions and floats, against orthogonal projection."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.codes import GradientCode, decode, load_code
from gcdesign.codes.exact import MAX_SURVIVORS, least_squares
from gcdesign.errors import InputError

LeastError = Callable[[Sequence[Sequence[Any]], int], Fraction]
QUIET = settings(max_examples=60, deadline=None, derandomize=True)


@st.composite
def matrices(draw: st.DrawFn) -> np.ndarray[Any, np.dtype[np.int64]]:
    workers, parts = draw(st.integers(0, 6)), draw(st.integers(0, 6))
    entry = st.sampled_from([0, 0, 1, 1, 1, 2, -1, 5])
    rows = st.lists(entry, min_size=parts, max_size=parts)
    found = draw(st.lists(rows, min_size=workers, max_size=workers))
    return np.array(found, dtype=np.int64).reshape(workers, parts)


@QUIET
@given(matrices())
def test_normal_equations_in_fractions(least_error: LeastError, rows: Any) -> None:
    solution, error = least_squares(rows)
    assert error == least_error(rows.tolist(), rows.shape[1])
    residual = [
        sum((v * int(x) for v, x in zip(solution, column, strict=True)), Fraction(-1))
        for column in rows.T
    ]
    assert sum((x * x for x in residual), Fraction(0)) == error


@QUIET
@given(matrices(), st.data())
def test_decoding(least_error: LeastError, matrix: Any, data: st.DataObject) -> None:
    code = GradientCode.from_matrix(matrix)
    alive = data.draw(st.sets(st.integers(0, max(0, len(matrix) - 1))))
    silenced = [w for w in range(len(matrix)) if w not in alive]
    expected = least_error(
        [matrix[w].tolist() for w in sorted(alive) if w < len(matrix)], code.parts
    )
    for exact in (True, False):
        decoding = decode(code, silenced, exact=exact)
        assert decoding.silenced == tuple(silenced)
        assert decoding.weights.shape == (code.workers,)
        assert not decoding.weights[silenced].any()
        assert abs(decoding.error - float(expected)) <= decoding.tolerance + 1e-12
        residual = matrix.T @ decoding.weights - 1
        assert residual @ residual == pytest.approx(float(expected), abs=1e-9)
        if decoding.error_exact is not None:
            assert (decoding.error_exact, decoding.tolerance) == (expected, 0)
            assert decoding.error == float(expected)
    if code.weights is None:
        assert decode(code, silenced).error_exact == expected


def test_order_of_the_silenced_does_not_matter() -> None:
    code = GradientCode.from_matrix([[1, 1, 0], [0, 1, 1], [1, 0, 0]])
    a, b = code.decode([2, 0]), code.decode(np.array([0, 2]))
    assert a.silenced == b.silenced == (0, 2)
    assert a.error_exact == b.error_exact == Fraction(1)


@pytest.mark.parametrize(
    "silenced", [[-1], [7], [0, 0], [1.0], [True, False], ["0"], [None], [0, 3, 3], [np.True_]]
)
def test_wrong_workers(silenced: Any) -> None:
    with pytest.raises(InputError):
        load_code("pg:q=2").decode(silenced)


def test_many_survivors_are_decoded_in_floats() -> None:
    workers = MAX_SURVIVORS + 1
    rng = np.random.default_rng(0)
    matrix = (rng.random((workers, 30)) < 0.2).astype(int)
    code = GradientCode.from_matrix(matrix)
    assert code.structure is None
    floating, exact = code.decode([]), code.decode([0])
    assert floating.error_exact is None
    assert exact.error_exact == 0
    assert floating.error <= floating.tolerance + 1e-15


def test_the_sparse_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    matrix = (rng.random((40, 60)) < 0.1) * rng.normal(size=(40, 60))
    matrix *= 10.0 ** rng.integers(-8, 9, (40, 1))
    code = GradientCode.from_matrix(matrix)
    dense = code.decode([0, 5])
    monkeypatch.setattr("gcdesign.codes.decoding.MAX_DENSE_ENTRIES", 10)
    sparse = code.decode([0, 5])
    assert "LSMR" in sparse.method
    assert "gelsd" in dense.method
    assert abs(sparse.error - dense.error) <= sparse.tolerance + dense.tolerance
    assert sparse.tolerance < 1e-6
    assert sparse.weights == pytest.approx(dense.weights, rel=1e-5, abs=1e-12)


def test_no_survivor() -> None:
    real = GradientCode.from_matrix([[0.5, 1.0, 0.0], [0.0, 2.0, 0.0]])
    decoding = real.decode([0, 1])
    assert (decoding.error, decoding.tolerance) == (3.0, 0.0)
    assert load_code("ag:q=2").decode(range(6)).error_exact == 4


def test_rows_of_zeros_and_parts_that_nobody_holds() -> None:
    code = GradientCode.from_matrix([[0.0, 0.0, 0.0], [2.0, 2.0, 0.0]])
    assert code.decode([]).error == pytest.approx(1)
    assert code.decode([1]).error == pytest.approx(3)
    assert GradientCode.from_matrix(np.zeros((2, 3))).decode([0]).error_exact == 3
    assert GradientCode.from_matrix(np.zeros((2, 0))).decode([0]).error_exact == 0
    assert GradientCode.from_matrix(np.zeros((0, 2))).decode([]).error_exact == 2


def test_an_exact_code_of_reals_loses_nothing() -> None:
    # Figure 1(b) of Tandon and others: any two of three workers give the sum.
    code = GradientCode.from_matrix([[0.5, 1, 0], [0, 1, -1], [0.5, 0, 1]])
    for silenced, weights in (([0], [0, 1, 2]), ([1], [1, 0, 1]), ([2], [2, -1, 0])):
        decoding = code.decode(silenced)
        assert decoding.error <= decoding.tolerance + 1e-15
        assert decoding.weights == pytest.approx(weights)


def test_every_set_of_a_dependent_code(least_error: LeastError) -> None:
    # Every third worker is the sum of two others that share no part.
    matrix = [[1, 1, 0, 0, 0], [0, 0, 1, 1, 0], [1, 1, 1, 1, 0], [0, 0, 0, 1, 1], [1, 1, 0, 1, 1]]
    code = GradientCode.from_matrix(matrix)
    for size in range(6):
        for alive in combinations(range(5), size):
            silenced = [w for w in range(5) if w not in alive]
            expected = least_error([matrix[w] for w in alive], 5)
            assert code.decode(silenced).error_exact == expected
