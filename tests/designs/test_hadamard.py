"""Hadamard and conference matrices and their designs, judged by plain integer arithmetic."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from gcdesign.designs import BlockDesign, verify
from gcdesign.designs.hadamard import (
    UNKNOWN_ORDERS,
    conference_matrix,
    hadamard_matrix,
    hadamard_recipe,
)
from gcdesign.designs.hadamard.designs import hadamard_design, hadamard_three_design
from gcdesign.designs.hadamard.sequences import golay_pair, has_t_rows, t_rows
from gcdesign.designs.hadamard.williamson import has_williamson, williamson_rows
from gcdesign.errors import InputError, LimitError

NOT_BUILT = (764, 876, 956)
"""Orders below 1000 that are known and that no construction here gives."""


def is_hadamard(matrix: NDArray[np.int8]) -> bool:
    """Products of ±1 rows are whole numbers below 2^24, so single precision is exact."""
    wide = matrix.astype(np.float32)
    only_signs = set(np.unique(matrix).tolist()) <= {-1, 1}
    gram = wide @ wide.T
    return only_signs and np.array_equal(gram, len(matrix) * np.eye(len(matrix)))


def brute_hadamard(matrix: NDArray[np.int8]) -> bool:
    rows = matrix.tolist()
    return all(
        sum(a * b for a, b in zip(rows[i], rows[j], strict=True)) == (len(rows) if i == j else 0)
        for i in range(len(rows))
        for j in range(i + 1)
    )


def test_every_order_below_668_is_built() -> None:
    for order in [1, 2, *range(4, 668, 4)]:
        assert is_hadamard(hadamard_matrix(order)), order


def test_orders_below_1000_without_a_recipe_are_those_listed() -> None:
    without = [n for n in range(4, 1000, 4) if hadamard_recipe(n) is None]
    assert without == sorted([*UNKNOWN_ORDERS, *NOT_BUILT])


@pytest.mark.parametrize("order", [i for i in range(668, 1000, 4) if hadamard_recipe(i)][::5])
def test_some_orders_above(order: int) -> None:
    assert is_hadamard(hadamard_matrix(order))


@pytest.mark.parametrize(
    ("order", "method"),
    [
        (16, "sylvester"),
        (12, "paley 1"),
        (36, "paley 2"),
        (92, "cooper-wallis"),
        (292, "miyamoto"),
        (412, "goethals-seidel"),
        (184, "product"),
    ],
)
def test_each_method(order: int, method: str) -> None:
    recipe = hadamard_recipe(order)
    assert recipe is not None
    assert recipe.method == method
    matrix = hadamard_matrix(order)
    assert is_hadamard(matrix)
    assert order > 100 or brute_hadamard(matrix)


def test_public_reports() -> None:
    """Orders 52 and 100 need GF(25) and GF(49); 116 and 1200 are products or sequences."""
    for order in (52, 100, 116, 1200):
        assert is_hadamard(hadamard_matrix(order))
    conference = conference_matrix(10).astype(int)
    assert np.array_equal(conference.T @ conference, 9 * np.eye(10))


@pytest.mark.parametrize("q", [3, 5, 7, 9, 11, 13, 25, 27, 49])
def test_conference_matrices(q: int) -> None:
    matrix = conference_matrix(q + 1).astype(int)
    assert np.array_equal(matrix @ matrix.T, q * np.eye(q + 1))
    assert not matrix.diagonal().any()
    assert np.array_equal(matrix.T, matrix if q % 4 == 1 else -matrix)


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (3, "1, 2 or a multiple of 4"),
        (-4, "1, 2 or a multiple of 4"),
        (0, "1, 2 or a multiple of 4"),
        (18, "1, 2 or a multiple of 4"),
        (668, "none has been published"),
        (764, "can be built here"),
    ],
)
def test_refused_orders(order: int, words: str) -> None:
    with pytest.raises(InputError, match=words):
        hadamard_matrix(order)


def test_limit_and_conference_refusals() -> None:
    with pytest.raises(LimitError):
        hadamard_matrix(2**40)
    with pytest.raises(InputError, match="no sum of two squares"):
        conference_matrix(22)
    with pytest.raises(InputError, match="odd order"):
        conference_matrix(9)


def autocorrelation(rows: list[list[int]], shift: int) -> int:
    return sum(row[i] * row[i + shift] for row in rows for i in range(len(row) - shift))


@pytest.mark.parametrize("t", [t for t in range(1, 108) if has_t_rows(t)])
def test_t_matrices(t: int) -> None:
    rows = t_rows(t).tolist()
    assert all(sorted(abs(row[i]) for row in rows) == [0, 0, 0, 1] for i in range(t))
    for shift in range(1, t):
        periodic = autocorrelation(rows, shift) + autocorrelation(rows, t - shift)
        assert periodic == 0, shift


@pytest.mark.parametrize("n", [n for n in range(1, 70) if has_williamson(n)])
def test_williamson(n: int) -> None:
    rows = williamson_rows(n).tolist()
    assert all(abs(x) == 1 for row in rows for x in row)
    assert all(row[i] == row[-i] for row in rows for i in range(1, n))
    for shift in range(1, n):
        assert autocorrelation(rows, shift) + autocorrelation(rows, n - shift) == 0


@pytest.mark.parametrize("length", [1, 2, 4, 8, 10, 16, 20, 40])
def test_golay(length: int) -> None:
    pair = golay_pair(length).tolist()
    assert all(autocorrelation(pair, shift) == 0 for shift in range(1, length))


def test_sequences_not_known_are_refused() -> None:
    for call, number in ((t_rows, 39), (williamson_rows, 35), (golay_pair, 6)):
        with pytest.raises(InputError, match=f"={number};"):
            call(number)


@pytest.mark.parametrize("order", [8, 12, 20, 40, 92])
def test_designs(order: int) -> None:
    m = order // 4
    symmetric = hadamard_design(order)
    assert symmetric.parameters.as_tuple() == (4 * m - 1, 4 * m - 1, 2 * m - 1, 2 * m - 1, m - 1)
    three = hadamard_three_design(order)
    assert verify(three, t=3).lambda_ == m - 1
    assert BlockDesign(three.v, three.indptr, three.indices) == three
    for first, second in three.parallel_classes or ():
        together = sorted([*three.block(first).tolist(), *three.block(second).tolist()])
        assert together == list(range(order))
    assert len(three.parallel_classes or ()) == order - 1


def test_a_design_needs_order_8() -> None:
    with pytest.raises(InputError, match="8 or more"):
        hadamard_design(4)
