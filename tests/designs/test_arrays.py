"""Orthogonal and covering arrays, counted tuple by tuple."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from math import comb, log

import numpy as np
import pytest

from gcdesign.designs.covering import binary_runs, covering_array
from gcdesign.designs.orthogonal import array_index, orthogonal_array, rao_bound
from gcdesign.errors import InputError, LimitError


def tuples(rows: np.ndarray, columns: tuple[int, ...]) -> Counter[tuple[int, ...]]:
    return Counter(tuple(row[c] for c in columns) for row in rows.tolist())


@pytest.mark.parametrize(
    ("runs", "columns", "levels", "strength"),
    [
        (4, 3, 2, 2), (8, 7, 2, 2), (12, 11, 2, 2), (92, 20, 2, 2), (9, 4, 3, 2), (27, 13, 3, 2),
        (18, 4, 3, 2), (54, 4, 3, 2), (16, 5, 4, 2), (36, 3, 6, 2), (144, 7, 12, 2),
        (8, 4, 2, 3), (24, 12, 2, 3), (27, 4, 3, 3), (64, 6, 4, 3), (125, 6, 5, 3), (64, 5, 4, 3),
    ],
)  # fmt: skip
def test_arrays(runs: int, columns: int, levels: int, strength: int) -> None:
    rows = orthogonal_array(runs, columns, levels, strength=strength)
    assert rows.shape == (runs, columns)
    index = runs // levels**strength
    every = dict.fromkeys(product(range(levels), repeat=strength), index)
    for chosen in combinations(range(columns), strength):
        assert tuples(rows, chosen) == every, chosen
    assert array_index(rows, levels=levels, strength=strength) == index


def test_fifty_four_rows_of_three_levels() -> None:
    """Each pair of columns shows each pair of levels six times."""
    assert set(tuples(orthogonal_array(54, 4, 3), (1, 3)).values()) == {6}


@pytest.mark.parametrize(
    ("runs", "columns", "levels", "strength", "words"),
    [
        (17, 3, 2, 2, "multiple of 2\\^2 = 4"),
        (12, 3, 2, 3, "multiple of 2\\^3 = 8"),
        (8, 8, 2, 2, "Rao"),
        (9, 5, 3, 2, "Rao"),
        (36, 4, 6, 2, "can be built here"),
        (16, 3, 2, 4, "2 or 3"),
        (4, 1, 2, 2, "2 columns"),
        (0, 3, 2, 2, "0 runs"),
    ],
)
def test_refused_arrays(runs: int, columns: int, levels: int, strength: int, words: str) -> None:
    with pytest.raises(InputError, match=words):
        orthogonal_array(runs, columns, levels, strength=strength)


def test_arrays_that_are_none() -> None:
    rows = orthogonal_array(9, 4, 3)
    with pytest.raises(InputError, match="multiple of 3\\^3"):
        array_index(rows, levels=3, strength=3)
    with pytest.raises(InputError, match="multiple of 2\\^2 = 4"):
        array_index(np.zeros((17, 3), dtype=np.int32), levels=2, strength=2)
    rows[0, 0] = (rows[0, 0] + 1) % 3
    with pytest.raises(InputError, match="columns \\(0, 1\\) show"):
        array_index(rows, levels=3, strength=2)
    with pytest.raises(InputError, match="outside"):
        array_index(rows, levels=2, strength=1)
    with pytest.raises(InputError, match="strength=5"):
        array_index(rows, levels=3, strength=5)
    with pytest.raises(LimitError):
        orthogonal_array(2**30, 2**20, 2)


def test_the_bound_of_rao_is_what_the_theorem_says() -> None:
    assert rao_bound(13, 3, 2) == 27
    assert rao_bound(12, 2, 3) == 24


@pytest.mark.parametrize(
    ("columns", "levels"), [(2, 2), (10, 2), (30, 2), (4, 3), (7, 3), (5, 4), (12, 5), (5, 6)]
)
def test_covering_arrays(columns: int, levels: int) -> None:
    found = covering_array(columns, levels)
    for chosen in combinations(range(columns), 2):
        assert len(tuples(found.rows, chosen)) == levels**2
    assert found.bound <= len(found.rows)
    if found.method != "greedy":
        assert len(found.rows) == found.bound
    else:
        assert len(found.rows) <= levels**2 * log(comb(columns, 2) * levels**2)


def test_binary_optima_by_exhaustion() -> None:
    """With N rows, columns are N-bit numbers of which any two cover all four pairs."""

    def most_columns(runs: int) -> int:
        whole = 2**runs - 1
        good = {
            (a, b)
            for a in range(whole + 1)
            for b in range(a)
            if a & b and a & ~b and b & ~a and whole & ~(a | b)
        }
        best = 1
        layers: list[tuple[int, ...]] = [(a,) for a in range(whole + 1)]
        while layers:
            layers = [
                (*clique, b)
                for clique in layers
                for b in range(clique[-1])
                if all((a, b) in good for a in clique)
            ]
            best += bool(layers)
        return best

    assert [most_columns(runs) for runs in (4, 5)] == [3, 4]
    assert [binary_runs(k) for k in (3, 4, 5)] == [4, 5, 6]


def test_refused_covering_arrays() -> None:
    for columns, levels in ((1, 3), (3, 1)):
        with pytest.raises(InputError, match="2 or more"):
            covering_array(columns, levels)
    with pytest.raises(LimitError):
        covering_array(10**5, 10)
