"""Orthogonal and covering arrays, counted tuple by tuple."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from math import comb, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from gcdesign.designs.covering import binary_runs, covering_array, least_rows, missing
from gcdesign.designs.difference_schemes import difference_scheme, scheme_exists
from gcdesign.designs.orthogonal import array_index, ask, carry_out, orthogonal_array, rao_bound
from gcdesign.designs.orthogonal_bounds import Shape, excluded
from gcdesign.designs.orthogonal_plans import smallest_plan
from gcdesign.errors import InputError, LimitError


def tuples(rows: np.ndarray, columns: tuple[int, ...]) -> Counter[tuple[int, ...]]:
    return Counter(tuple(row[c] for c in columns) for row in rows.tolist())


@pytest.mark.parametrize(
    ("runs", "columns", "levels", "strength"),
    [
        (4, 3, 2, 2), (8, 7, 2, 2), (12, 11, 2, 2), (92, 20, 2, 2), (9, 4, 3, 2), (27, 13, 3, 2),
        (18, 4, 3, 2), (54, 4, 3, 2), (16, 5, 4, 2), (36, 3, 6, 2), (144, 7, 12, 2),
        (8, 4, 2, 3), (24, 12, 2, 3), (27, 4, 3, 3), (64, 6, 4, 3), (125, 6, 5, 3), (64, 5, 4, 3),
        (18, 7, 3, 2), (50, 11, 5, 2), (54, 25, 3, 2), (32, 9, 4, 2), (128, 17, 8, 2),
        (162, 19, 9, 2), (108, 4, 6, 2), (45, 7, 3, 2), (668, 11, 2, 2),
        (81, 10, 3, 3), (256, 17, 4, 3), (216, 4, 6, 3), (216, 3, 6, 3), (24, 3, 2, 3),
        (16, 5, 2, 4), (64, 7, 2, 4), (256, 15, 2, 4), (128, 8, 2, 5), (625, 6, 5, 4),
        (1000, 4, 10, 3), (81, 5, 3, 4),
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


SMALL = [
    (index * levels**strength, columns, levels, strength)
    for levels, strength, most in ((2, 2, 7), (2, 3, 7), (2, 4, 7), (3, 2, 5), (3, 3, 5), (4, 2, 4))
    for columns in range(strength, most + 1)
    for index in (1, 2, 3)
    if columns > strength + 1 or index == 2
]


OPEN = {(48, 6, 2, 4), (48, 7, 2, 4), (54, 5, 3, 3)}
"""No theorem here excludes the first two, and no construction here makes the last."""


@pytest.mark.parametrize("shape", SMALL, ids=str)
def test_existence_against_a_program_in_whole_numbers(shape: tuple[int, int, int, int]) -> None:
    """An array is how often each tuple of k levels is a row: equations in whole numbers."""
    runs, columns, levels, strength = shape
    every = np.array(list(product(range(levels), repeat=columns)))
    equations = [
        (every[:, chosen] == np.array(wanted)).all(axis=1)
        for chosen in combinations(range(columns), strength)
        for wanted in product(range(levels), repeat=strength)
    ]
    index = runs // levels**strength
    found = milp(
        np.zeros(len(every)),
        integrality=np.ones(len(every), dtype=np.int64),
        bounds=Bounds(np.eye(1, len(every))[0], index),
        constraints=LinearConstraint(csr_array(np.array(equations, dtype=float)), index, index),
    )
    assert found.status in (0, 2)
    expected = {0: "exists", 2: "impossible"}[found.status]
    answer = ask(runs, columns, levels, strength=strength).status
    assert answer == ("unknown" if shape in OPEN else expected)


@pytest.mark.parametrize("levels", range(2, 11))
def test_every_smallest_array_is_one(levels: int) -> None:
    for strength in (2, 3, 4):
        for columns in range(strength, 9 if strength == 2 else 7):
            least, plan = smallest_plan(columns, levels, strength)
            if plan is None or plan.shape.runs > 3000:
                continue
            rows = carry_out(plan)
            assert least <= len(rows) == plan.shape.runs
            every = levels**strength
            for chosen in combinations(range(columns), strength):
                found = Counter(map(tuple, rows[:, chosen].tolist()))
                assert len(found) == every
                assert set(found.values()) == {len(rows) // every}


@pytest.mark.parametrize(
    ("rows", "levels"),
    [
        (9, 3),
        (6, 3),
        (18, 3),
        (36, 3),
        (10, 5),
        (18, 9),
        (8, 4),
        (16, 4),
        (16, 2),
        (14, 7),
        (27, 9),
    ],
)
def test_difference_schemes(rows: int, levels: int) -> None:
    """The sums of equal digits of both columns are turned over: differences by the digits."""
    scheme = difference_scheme(rows, levels)
    p = min(d for d in range(2, levels + 1) if levels % d == 0)
    digits = [scheme // p**i % p for i in range(levels) if p**i < levels]
    assert scheme.shape == (rows, rows)
    for i, j in combinations(range(rows), 2):
        shown = Counter(zip(*[((d[:, i] - d[:, j]) % p).tolist() for d in digits], strict=True))
        assert len(shown) == levels
        assert set(shown.values()) == {rows // levels}


def test_schemes_that_are_not_made() -> None:
    assert [n for n in range(1, 60) if scheme_exists(n, 4)] == [4, 8, 16, 32]
    assert [n for n in range(1, 40) if scheme_exists(n, 5)] == [5, 10, 25]
    assert not scheme_exists(12, 6)
    with pytest.raises(ValueError, match="12 rows over GF\\(3\\)"):
        difference_scheme(12, 3)


@pytest.mark.parametrize(
    ("shape", "least", "built"),
    [((7, 3, 2), 18, 18), ((11, 2, 2), 12, 12), ((4, 6, 2), 72, 72), ((5, 2, 4), 16, 16)],
)
def test_the_smallest_array(shape: tuple[int, int, int], least: int, built: int) -> None:
    found, plan = smallest_plan(*shape)
    assert plan is not None
    assert (found, plan.shape.runs) == (least, built)


def test_known_arrays_are_not_refuted() -> None:
    """Some that are published (Hedayat, Sloane and Stufken 1999) and not all made here."""
    known = [
        *[(48, 13, 4, 2), (54, 5, 3, 3), (256, 16, 2, 5), (24, 12, 2, 3), (243, 11, 3, 4)],
        *[(729, 12, 3, 5), (2048, 23, 2, 6), (4096, 24, 2, 7), (144, 7, 12, 2), (36, 13, 3, 2)],
    ]
    assert not [shape for shape in known if excluded(Shape(*shape))]
    assert excluded(Shape(243, 12, 3, 4))  # the ternary Golay code cannot be longer


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
        (36, 4, 6, 2, "Tarry"),
        (72, 7, 6, 2, "no construction here"),
        (100, 11, 10, 2, "Lam"),
        (100, 10, 10, 2, "part of a projective plane; exhaustive search"),
        (18, 8, 3, 2, "Bose–Bush: with index 2"),
        (27, 5, 3, 3, "Bush: with index 1 at most 4"),
        (16, 3, 2, 1, "2 or more"),
        (16, 3, 2, 4, "4 columns"),
        (4, 1, 2, 2, "2 columns"),
        (4, 2, 1, 2, "levels=1"),
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


def is_covering(rows: np.ndarray, levels: tuple[int, ...], strength: int) -> bool:
    """Whether every choice of columns shows the whole product of their levels."""
    return all(
        set(tuples(rows, chosen)) == set(product(*(range(levels[c]) for c in chosen)))
        for chosen in combinations(range(len(levels)), strength)
    )


@pytest.mark.parametrize(
    ("columns", "levels", "strength", "rows", "method"),
    [
        (2, 2, 2, 4, "subsets"), (10, 2, 2, 6, "subsets"), (30, 2, 2, 8, "subsets"),
        (4, 3, 2, 9, "orthogonal array"), (5, 4, 2, 16, "orthogonal array"),
        (4, 3, 3, 27, "orthogonal array"), (6, 4, 3, 64, "orthogonal array"),
        (7, 6, 2, 47, "fusion"), (8, 6, 2, 47, "fusion"), (12, 10, 2, 119, "fusion"),
        (12, 3, 2, 15, "product"), (20, 4, 2, 28, "product"), (30, 5, 2, 45, "product"),
        (11, 2, 3, 12, "Hadamard"), (12, 2, 4, 24, "Hadamard"), (20, 2, 3, 18, "doubling"),
        (8, 3, 3, 45, "doubling"),
    ],
)  # fmt: skip
def test_covering_arrays(columns: int, levels: int, strength: int, rows: int, method: str) -> None:
    """The sizes are those of the theorems: 2q² − q of products, (s + 1)² − 2 of fusion."""
    found = covering_array(columns, levels, strength=strength)
    assert is_covering(found.rows, (levels,) * columns, strength)
    assert (len(found.rows), found.method) == (rows, method)
    assert found.bound <= rows


@pytest.mark.parametrize(("columns", "levels", "strength"), [(5, 3, 2), (6, 5, 3), (6, 3, 4)])
def test_greedy_arrays_keep_what_the_method_promises(
    columns: int, levels: int, strength: int
) -> None:
    found = covering_array(columns, levels, strength=strength)
    assert is_covering(found.rows, (levels,) * columns, strength)
    promised = levels**strength * log(comb(columns, strength) * levels**strength)
    assert found.bound <= len(found.rows) <= promised


def test_a_prime_with_classes_that_cover() -> None:
    """Columns are sets of rows: any four and their complements have a row in common."""
    found = covering_array(40, 2, strength=4)
    assert (len(found.rows), found.method) == (67, "cyclotomy")
    ones = [sum(1 << row for row in np.flatnonzero(column).tolist()) for column in found.rows.T]
    sides = [(mask, (1 << 67) - 1 - mask) for mask in ones]
    pairs = {
        (i, j): [a & b for a in sides[i] for b in sides[j]] for i, j in combinations(range(40), 2)
    }
    for (i, j), first in pairs.items():
        for m, n in combinations(range(j + 1, 40), 2):
            assert all(a & b for a in first for b in pairs[m, n]), (i, j, m, n)


@pytest.mark.parametrize(
    ("levels", "strength", "bound"),
    [
        ((3, 2, 2), 2, 6),
        ((5, 4, 4, 3, 3, 2, 2), 2, 20),
        ((2, 3, 2, 3, 4), 3, 36),
        ((*(4,) * 9, 2), 2, 17),
    ],
)
def test_mixed_levels(levels: tuple[int, ...], strength: int, bound: int) -> None:
    found = covering_array(len(levels), levels, strength=strength)
    assert is_covering(found.rows, levels, strength)
    assert found.bound == bound <= len(found.rows)


@given(st.lists(st.integers(2, 4), min_size=2, max_size=6), st.integers(2, 3))
@settings(deadline=None, max_examples=60)
def test_any_levels(levels: list[int], strength: int) -> None:
    if len(levels) < strength:
        levels = [*levels, 2]
    found = covering_array(len(levels), levels, strength=strength)
    assert is_covering(found.rows, tuple(levels), strength)
    assert found.bound <= len(found.rows)
    where = missing(found.rows[1:], levels, strength)
    if where is not None:
        assert where[1] in set(tuples(found.rows, where[0])) - set(tuples(found.rows[1:], where[0]))


def test_bounds_do_not_pass_published_arrays() -> None:
    """Sizes of the tables of Colbourn: (t, k, s) and rows of an array that is known."""
    known = {
        **{(2, 5, 3): 11, (2, 7, 3): 12, (2, 9, 3): 13, (2, 10, 3): 14, (2, 20, 3): 15},
        **{(3, 5, 3): 33, (3, 6, 3): 33, (3, 11, 2): 12, (3, 12, 2): 15, (4, 12, 2): 24},
        **{(2, 6, 4): 19, (2, 7, 4): 21, (2, 4, 6): 37, (3, 4, 6): 216, (4, 5, 3): 81},
    }
    for (t, k, s), rows in known.items():
        assert least_rows((s,) * k, t)[0] <= rows
    assert least_rows((6,) * 4, 2)[0] == 37


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
    for columns, levels in ((1, 3), (3, 1), (3, (2, 1, 2)), (0, 2)):
        with pytest.raises(InputError, match="2 or more"):
            covering_array(columns, levels)
    with pytest.raises(InputError, match="strength=1"):
        covering_array(3, 2, strength=1)
    with pytest.raises(InputError, match="expected 4 or more"):
        covering_array(3, 2, strength=4)
    with pytest.raises(InputError, match="2 numbers of levels for 3 columns"):
        covering_array(3, (2, 2))
    for columns, levels, strength in (
        (10**5, 10, 2),
        (10**9, 2, 2),
        (10**6, 10**6, 10**5),
        (60, 7, 5),
    ):
        with pytest.raises(LimitError, match="take fewer"):
            covering_array(columns, levels, strength=strength)
