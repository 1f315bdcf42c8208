"""Positive semidefinite or not, for certain: against minors, and where floats cannot tell."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.checker import linear
from gcdesign.checker.linear import semidefinite
from gcdesign.checker.verdicts import Budget, TooMuch

Rows = list[list[int]]


def determinant(rows: list[list[Fraction]]) -> Fraction:
    """By Gauss, with exchange of rows."""
    rows, value = [list(row) for row in rows], Fraction(1)
    while rows:
        pivot = next((row for row in rows if row[0]), None)
        if pivot is None:
            return Fraction(0)
        value *= pivot[0] * (-1) ** rows.index(pivot)
        rest = [row for row in rows if row is not pivot]
        rows = [
            [x - row[0] / pivot[0] * y for x, y in zip(row[1:], pivot[1:], strict=True)]
            for row in rest
        ]
    return value


def by_minors(full: Rows) -> bool:
    """Whether no principal minor is negative."""
    n = len(full)
    return all(
        determinant([[Fraction(full[i][j]) for j in chosen] for i in chosen]) >= 0
        for size in range(1, n + 1)
        for chosen in combinations(range(n), size)
    )


def triangle(full: Rows) -> Rows:
    return [row[: i + 1] for i, row in enumerate(full)]


def gram(vectors: Rows) -> Rows:
    return [[sum(x * y for x, y in zip(a, b, strict=True)) for b in vectors] for a in vectors]


def scattered(n: int, rank: int, seed: int) -> Rows:
    rng = random.Random(seed)
    return gram([[rng.randint(-3, 3) for _ in range(rank)] for _ in range(n)])


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_small_matrices(data: st.DataObject) -> None:
    n, rank = data.draw(st.integers(0, 5)), data.draw(st.integers(1, 5))
    entry = st.integers(-2, 2)
    full = gram([data.draw(st.lists(entry, min_size=rank, max_size=rank)) for _ in range(n)])
    if n and data.draw(st.booleans()):
        i, j = data.draw(st.integers(0, n - 1)), data.draw(st.integers(0, n - 1))
        change = data.draw(entry)
        full[i][j] += change
        full[j][i] = full[i][j]
    assert semidefinite(triangle(full), Budget(None)) is by_minors(full)


@pytest.mark.parametrize("shift", [-1, 0, 1])
@pytest.mark.parametrize(("n", "rank"), [(20, 12), (30, 29), (30, 30), (40, 17)])
def test_what_floats_cannot_tell_is_told(n: int, rank: int, shift: int) -> None:
    """A singular matrix times 2^90, one moved on the diagonal: 10⁻²⁷ of it."""
    full = [[x << 90 for x in row] for row in scattered(n, rank, n)]
    for i in range(n):
        full[i][i] += shift
    assert semidefinite(triangle(full), Budget(None)) is (shift >= 0 or rank == n)


@pytest.mark.parametrize("n", [17, 40, 60])
def test_well_conditioned_matrices(n: int) -> None:
    full = scattered(n, n, n)
    most = max(map(sum, ([abs(x) for x in row] for row in full)))
    for i in range(n):
        full[i][i] += most
    assert semidefinite(triangle(full), Budget(None))
    for i in range(n):  # now every row sums to less than nothing
        full[i][i] -= most + sum(full[i]) + 1
    if all(full[i][i] > 0 for i in range(n)):
        assert not semidefinite(triangle(full), Budget(None))


def test_a_negative_direction_is_found_without_elimination(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clearly indefinite, though no minor of two rows is negative."""
    monkeypatch.setattr(linear, "_exactly", None)
    n = 50
    full = [[100 if i == j else -3 for j in range(n)] for i in range(n)]  # 1ᵀA1 = 50(103 − 150)
    assert not semidefinite(triangle(full), Budget(None))
    full = [[100 if i == j else -2 for j in range(n)] for i in range(n)]
    assert semidefinite(triangle(full), Budget(None))


@pytest.mark.parametrize("entry", [10**400, -(10**400)])
def test_numbers_beyond_floats(entry: int) -> None:
    n = 20
    full = [[entry * (2 * (i == j) - 1) for j in range(n)] for i in range(n)]
    assert not semidefinite(triangle(full), Budget(None))
    full = [[abs(entry) * (1 + (i == j)) for j in range(n)] for i in range(n)]
    assert semidefinite(triangle(full), Budget(None))


def test_all_ones_are_semidefinite() -> None:
    """The eigenvalues are 6 and 0 five times, some of which floats may give as -1e-16."""
    full = [[10**18] * 6 for _ in range(6)]
    assert semidefinite(triangle(full), Budget(None))
    full[5][5] -= 1
    assert not semidefinite(triangle(full), Budget(None))


def test_rows_of_nothing() -> None:
    assert semidefinite([[0], [0, 1], [0, 0, 0]], Budget(None))
    assert not semidefinite([[0], [1, 1]], Budget(None))
    assert not semidefinite([[1], [1, 0]], Budget(None))
    assert semidefinite([], Budget(None))


def test_what_would_fill_the_memory_is_not_begun() -> None:
    n = 3000
    rows = [[1 << 80] * (i + 1) for i in range(n)]
    with pytest.raises(TooMuch, match="3000 rows"):
        linear._exactly(rows, Budget(None))
