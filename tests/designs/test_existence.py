"""Which designs exist: against brute force, other criteria, and the literature."""

from __future__ import annotations

import csv
from itertools import combinations
from math import comb, isqrt
from pathlib import Path

import numpy as np
import pytest

from gcdesign.designs import BlockDesign, bibd, build, explain, parse_spec, verify
from gcdesign.designs.existence import Exists, Impossible, Unknown, exists
from gcdesign.designs.existence.answers import RecipeError
from gcdesign.designs.existence.hilbert import failing_prime, hilbert_symbol
from gcdesign.designs.existence.parameters import Bibd
from gcdesign.designs.existence.source import sources
from gcdesign.errors import InputError, LimitError

TABLE = Path(__file__).parents[1] / "data" / "bibd_parameters.csv"
ROWS = [
    Bibd(int(row["v"]), int(row["k"]), int(row["lambda"]))
    for row in csv.DictReader(TABLE.read_text().splitlines())
]


def test_every_recipe_of_the_table_gives_its_design() -> None:
    """Nothing counts as existing that does not build and pass the count of all pairs."""
    built = [
        answer.build()
        for p in ROWS
        if isinstance(answer := exists(*p), Exists) and answer.recipe is not None
    ]
    assert len(built) >= 592


@pytest.mark.parametrize(
    ("v", "k", "times"),
    [(10**6, 2, 1), (10**6, 2, 7), (10**6, 10**6 - 1, 1), (6000, 2, 1), (30, 15, 2)],
)
def test_all_subsets_are_a_design_however_many(v: int, k: int, times: int) -> None:
    answer = exists(v, k, times * comb(v - 2, min(k - 2, v - k)))
    assert isinstance(answer, Exists)
    if answer.recipe is None:
        assert answer.reason.startswith(f"complete: all {k}-subsets of {v} points")
        assert answer.reason.endswith("too large to be built here")
        assert (f"each {times} times" in answer.reason) == (times > 1)
    with pytest.raises(LimitError):
        answer.build()


def test_higmans_design_and_what_comes_of_it() -> None:
    """Its residual and derived designs, and complements."""
    for wanted in ((176, 50, 14), (126, 36, 14), (50, 14, 13), (176, 126, 90)):
        answer = exists(*wanted)
        assert isinstance(answer, Exists)
        assert answer.recipe is not None
        answer.build()
        assert "between, pair=0+1, meets=0+4\n" in explain(answer.recipe)


def test_how_often_all_subsets_are_a_design() -> None:
    for v in range(2, 12):
        for k in range(2, v + 1):
            every = sum({0, 1} <= set(block) for block in combinations(range(v), k))
            times = [Bibd(v, k, lambda_).times_complete for lambda_ in range(1, 2 * every + 2)]
            assert [i + 1 for i, n in enumerate(times) if n] == [
                every,
                2 * every,
                *[3] * (every < 2),
            ]


def test_a_large_lambda_takes_no_time() -> None:
    """Divisors are looked for, not all smaller numbers: 10^12 of these would take days."""
    assert exists(45, 9, 6 * 10**11).status == "exists"
    with pytest.raises(LimitError, match="1000000000001; the limit is 1000000000000"):
        exists(7, 3, 10**12 + 1)


def test_nothing_of_the_table_is_refuted_wrongly() -> None:
    """40 by Bruck–Ryser–Chowla alone, as a study of the table with other code found."""
    refuted = [a for p in ROWS if isinstance(a := exists(*p), Impossible)]
    assert len([a for a in refuted if a.theorem == "Bruck–Ryser–Chowla"]) == 40
    assert len(refuted) == 54
    for v, k, lambda_ in ((36, 6, 2), (36, 6, 5), (43, 7, 2), (43, 7, 5), (46, 6, 2), (46, 6, 4)):
        assert not isinstance(exists(v, k, lambda_), Impossible)


@pytest.mark.parametrize(
    ("parameters", "theorem", "words"),
    [
        ((8, 3, 1), "divisibility", "r = λ(v − 1)/(k − 1) = 1·7/2"),
        ((11, 3, 1), "divisibility", "b = vr/k = 11·5/3"),
        ((16, 6, 1), "Fisher", "b = 8 blocks are fewer than v = 16"),
        ((22, 7, 2), "Bruck–Ryser–Chowla", "v = 22 is even, and k − λ = 5 is no square"),
        ((43, 7, 1), "Bruck–Ryser–Chowla", "at p = 3"),
        ((93, 24, 6), "Bruck–Ryser–Chowla", "p = 3"),
        ((141, 21, 3), "Bruck–Ryser–Chowla", "p = 3"),
        ((36, 6, 1), "affine plane", "an affine plane of order 6 extends"),
        ((15, 5, 2), "Hall–Connor", "residual of a symmetric (22,7,2)"),
        ((196, 14, 1), "affine plane", "(211,15,1)"),
        ((100, 10, 1), "affine plane", "Lam, Thiel and Swiercz 1989"),
        ((22, 8, 4), "exhaustive search", "2007"),
        ((15, 10, 9), "Hall–Connor", "the complement is a (15,5,2) design"),
    ],
)
def test_reasons(parameters: tuple[int, int, int], theorem: str, words: str) -> None:
    answer = exists(*parameters)
    assert isinstance(answer, Impossible)
    assert answer.theorem == theorem
    assert words in answer.reason
    assert "\n" not in answer.reason
    with pytest.raises(InputError, match="there is no"):
        bibd(*parameters)


def has_point(a: int, b: int) -> bool:
    """Whether z² = ax² + by² has a point, by Holzer's bounds and nothing else."""
    for square in range(isqrt(max(abs(a), abs(b))), 1, -1):
        while a % square**2 == 0:
            a //= square**2
        while b % square**2 == 0:
            b //= square**2
    return any(
        (x, y) != (0, 0) and (z := a * x * x + b * y * y) >= 0 and isqrt(z) ** 2 == z
        for x in range(isqrt(abs(b)) + 1)
        for y in range(isqrt(abs(a)) + 1)
    )


def test_conics_against_searching_their_points() -> None:
    for a in range(1, 41):
        for b in [*range(-40, 0), *range(1, 41)]:
            assert (failing_prime(a, b) is None) == has_point(a, b), (a, b)


def test_hilbert_symbols_multiply_to_one() -> None:
    primes = (0, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29)
    for a, b in combinations([n for n in range(-30, 31) if n], 2):
        symbols = [hilbert_symbol(a, b, p) for p in primes]
        assert symbols.count(-1) % 2 == 0


def solutions(v: int, k: int, lambda_: int) -> bool:
    """Whether there is a design, by trying all multisets of blocks point by point."""
    blocks = list(combinations(range(v), k))
    left = dict.fromkeys(combinations(range(v), 2), lambda_)

    def covered(start: int) -> bool:
        pair = next((pair for pair, count in left.items() if count), None)
        if pair is None:
            return True
        for number, block in enumerate(blocks):
            pairs = list(combinations(block, 2))
            if pair not in pairs or not all(left[p] for p in pairs):
                continue
            for p in pairs:
                left[p] -= 1
            if covered(number):
                return True
            for p in pairs:
                left[p] += 1
        return False

    return covered(0)


def test_small_parameters_against_brute_force() -> None:
    for v in range(3, 8):
        for k in range(2, v + 1):
            for lambda_ in range(1, 4):
                answer = exists(v, k, lambda_)
                if isinstance(answer, Impossible):
                    assert not Bibd(*answer.wanted).divides or not solutions(v, k, lambda_)
                elif isinstance(answer, Exists):
                    assert answer.build().v == v


def test_designs_of_more_than_half_the_points() -> None:
    assert bibd(7, 4, 2).parameters.as_tuple() == (7, 7, 4, 4, 2)
    assert bibd(5, 5, 3).blocks() == [[0, 1, 2, 3, 4]] * 3
    assert bibd(5, 4, 3).parameters.as_tuple() == (5, 5, 4, 4, 3)
    assert bibd(5, 4, 6).parameters.as_tuple() == (5, 10, 8, 4, 6)


def test_unknown_says_what_was_tried() -> None:
    answer = exists(157, 13, 1)  # a plane of order 12
    assert isinstance(answer, Unknown)
    assert set(answer.tried) == {source.name for source in sources()}
    with pytest.raises(InputError, match="no \\(157,13,1\\) design is known here"):
        bibd(157, 13, 1)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ((1, 2, 1), "v=1; expected 2 or more"),
        ((7, 1, 1), "k=1; expected 2 or more"),
        ((7, 3, 0), "lambda=0; expected 1 or more"),
        ((7, 8, 1), "k=8; a block cannot hold more than all v=7 points"),
    ],
)
def test_no_question(parameters: tuple[int, int, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        exists(*parameters)
    with pytest.raises(LimitError, match="limit"):
        exists(10**9, 3, 1)


def test_large_questions_are_quick() -> None:
    """Existence needs no design: the plane of order 997 would hold a billion incidences."""
    answer = exists(997**2 + 997 + 1, 998, 1)
    assert isinstance(answer, Exists)
    with pytest.raises(LimitError, match="limit"):
        answer.build()


def test_a_recipe_that_lies_is_caught() -> None:
    lie = Exists(Bibd(7, 3, 2), "a test", parse_spec("pg:q=2"))
    with pytest.raises(RecipeError, match="gives v=7, k=3, λ=1, not \\(7,3,2\\)"):
        lie.build()
    assert lie.build(verify=False).b == 7


def test_explain_lists_the_whole_tree() -> None:
    recipe = parse_spec("union(multiple(pg:q=2,times=2),other=(residual(pg:q=3,block=1)))")
    assert explain(recipe).splitlines() == [
        "union",
        "  multiple, times=2",
        "    pg:q=2",
        "  residual, block=1",
        "    pg:q=3",
    ]


def test_every_recipe_is_a_name_in_place() -> None:
    for wanted in ROWS:
        answer = exists(*wanted)
        if isinstance(answer, Exists) and answer.recipe is not None and wanted.v <= 40:
            again = build(parse_spec(answer.recipe.spec))
            assert verify(again).lambda_ == wanted.lambda_
            assert again.provenance is not None
            assert again.provenance.spec == answer.recipe.spec


SAGE_WRONG = [
    *((36, 6, lambda_) for lambda_ in range(2, 6)),
    *((43, 7, lambda_) for lambda_ in range(2, 6)),
    *((46, 6, lambda_) for lambda_ in range(2, 5)),
]
"""SageMath 10.8 says of these that they do not exist: it carries λ = 1 over to larger λ."""


def test_the_designs_that_others_refute_wrongly() -> None:
    refuted = {
        (int(row["v"]), int(row["k"]), int(row["lambda"]))
        for row in csv.DictReader(TABLE.read_text().splitlines())
        if row["sage_10_8"] == "refutes"
    }
    found = {p for p in refuted if isinstance(exists(*p), Exists)}
    assert found <= set(SAGE_WRONG)
    assert set(SAGE_WRONG) - found == set()


@pytest.mark.parametrize("parameters", [p for p in SAGE_WRONG if p != (46, 6, 3)])
def test_they_are_built(parameters: tuple[int, int, int]) -> None:
    pairs = np.zeros((parameters[0], parameters[0]), dtype=int)
    for block in bibd(*parameters, verify=False).blocks():
        assert len(set(block)) == len(block) == parameters[1]
        pairs[np.ix_(block, block)] += 1
    assert set(pairs[~np.eye(len(pairs), dtype=bool)]) == {parameters[2]}


def test_all_that_sage_builds_is_known_too() -> None:
    for row in csv.DictReader(TABLE.read_text().splitlines()):
        if row["sage_10_8"] == "builds":
            answer = exists(int(row["v"]), int(row["k"]), int(row["lambda"]))
            assert isinstance(answer, Exists), answer


def test_what_is_too_large_is_refused_before_its_parts_are_built() -> None:
    answer = exists(100_000, 4, 1)
    assert isinstance(answer, Exists)
    with pytest.raises(LimitError, match="833325000 blocks"):
        answer.build()


# --- bugs that users of other tools met -----------------------------------------------------


def test_an_unbalanced_design_is_refused_with_its_numbers() -> None:
    """(15, b = 12, k = 5): λ = 16/14 is no whole number, and b < v."""
    for lambda_ in (1, 2):
        assert isinstance(exists(15, 5, lambda_), Impossible)
    blocks = [[(3 * i + j) % 15 for j in range(5)] for i in range(12)]
    assert not verify(BlockDesign.from_blocks(blocks, points=15)).holds


def test_parameters_of_the_fano_plane_and_of_what_cannot_be() -> None:
    answer = exists(7, 3, 1)
    assert (answer.wanted.b, answer.wanted.r) == (7, 3)
    assert "no whole number" in exists(8, 3, 1).reason


def test_planes_of_card_decks() -> None:
    """Symbols on a card and cards: orders 3, 4, 8 and 9 by their fields; order 6 never."""
    for order in (3, 4, 7, 8, 9):
        cards = bibd(order * order + order + 1, order + 1, 1).blocks()
        assert len(cards) == order * order + order + 1
        for one, two in combinations(map(set, cards), 2):
            assert len(one & two) == 1
    answer = exists(43, 7, 1)
    assert isinstance(answer, Impossible)


def test_affine_planes_at_prime_powers() -> None:
    for q in (4, 8, 9):
        plane = bibd(q * q, q, 1)
        assert plane.b == q * q + q
        classes = plane.parallel_classes
        assert classes is not None
        assert len(classes) == q + 1
        for parallel in classes:
            points = sorted(p for block in parallel for p in plane.block(block).tolist())
            assert points == list(range(q * q))


def test_a_design_is_a_multiset() -> None:
    double = bibd(13, 4, 2)
    assert double.b == 26
    assert bibd(3, 3, 4).blocks() == [[0, 1, 2]] * 4
    assert exists(5, 2, 3).status == "exists"


def test_a_hadamard_design_is_found_by_its_parameters() -> None:
    assert bibd(39, 19, 9).parameters.as_tuple() == (39, 39, 19, 19, 9)


def test_every_source_keeps_its_word() -> None:
    """Each proposal of each source, not only the first, for all small parameters, builds."""
    from gcdesign.designs.existence.asking import known

    count = 0
    for v in range(6, 29):
        for k in range(3, v // 2 + 1):
            for lambda_ in range(1, 7):
                wanted = Bibd(v, k, lambda_)
                if not wanted.divides or wanted.b < v or isinstance(exists(*wanted), Impossible):
                    continue
                for source in sources():
                    for recipe in source.propose(wanted, known):
                        Exists(wanted, source.name, recipe).build()
                        count += 1
    assert count > 300


@pytest.mark.parametrize(
    ("wanted", "kind"),
    [
        ((999999, 5, 999990), Exists),
        ((1000000, 1000, 999), Unknown),
        ((35, 7, 30000), Exists),
        ((10, 3, 600000), Exists),
        ((85, 7, 5040), Exists),
    ],
    ids=str,
)
def test_large_questions_end(wanted: tuple[int, int, int], kind: type) -> None:
    """Sums and fillings of all smaller λ would otherwise be tried for hours."""
    assert isinstance(exists(*wanted), kind)
