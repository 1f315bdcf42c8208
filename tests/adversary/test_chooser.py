"""The chooser: what fits, how it is ranked, and that what it says is so."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from gcdesign.adversary import Settings
from gcdesign.adversary.choosing.chooser import Recommendation, Wish, recommend
from gcdesign.codes import GradientCode, load_code
from gcdesign.codes.registry import code_families
from gcdesign.designs.near import about
from gcdesign.designs.registry import families
from gcdesign.errors import InputError

QUICK = Settings(method="bounds")
"""Closed forms are exact all the same; other codes get brackets at once."""


def circulant(workers: int, offsets: tuple[int, ...]) -> GradientCode:
    matrix = np.zeros((workers, workers))
    for offset in offsets:
        matrix[np.arange(workers), (np.arange(workers) + offset) % workers] = 1
    return GradientCode.from_matrix(matrix)


def names(found: tuple[Recommendation, ...]) -> list[str]:
    return [one.fit.name for one in found]


def test_a_plane_is_not_the_best_everywhere() -> None:
    """N = K = 7, L = 3: the cyclic placement loses 1/13 and 1/4, the plane 1/4 and 4/7."""
    own = [("cyclic", circulant(7, (0, 1, 2)))]
    for stragglers, cyclic, plane in ((1, "1/13", "1/4"), (2, "1/4", "4/7")):
        found = recommend(Wish(7, 3, stragglers), also=own)
        value = {one.fit.name: one.guarantee for one in found}
        assert (value["cyclic"], value["pg:q=2"]) == (Fraction(cyclic), Fraction(plane))
        assert names(found).index("cyclic") < names(found).index("pg:q=2")
    found = recommend(Wish(7, 3, 4), also=own)
    assert names(found).index("pg:q=2") < names(found).index("cyclic")


def test_thirty_workers() -> None:
    found = recommend(Wish(30, 6, 4), settings=QUICK)
    assert {"ag:q=5", "dual-ag:q=5", "frc:workers=30,stragglers=5", "pg:q=5"} <= set(names(found))
    shares = [round(one.share("guaranteed"), 9) for one in found]
    assert shares == sorted(shares)
    for one in found:
        fit = one.fit
        assert fit.code.workers + fit.idle == 30
        assert fit.load <= 6
        assert one.threshold == min(fit.code.placement.replications)
        assert one.why
    assert found[0].why.startswith("best: ")
    by_name = {one.fit.name: one for one in found}
    assert by_name["pg:q=5"].fit.left_out == 1
    assert "the last 1 are left out" in by_name["pg:q=5"].why
    assert by_name["dual-ag:q=5"].fit.idle == 5
    assert "5 of 30 workers left idle" in by_name["dual-ag:q=5"].why
    assert by_name["frc:workers=30,stragglers=5"].guaranteed.value == 0


def test_what_is_left_out_is_gone() -> None:
    """PG(2,5) without a worker: err_4 of it is err_5 of the plane, and so is its mean."""
    plane = {one.fit.name: one for one in recommend(Wish(30, 6, 4), settings=QUICK)}["pg:q=5"]
    assert plane.guaranteed.value == load_code("pg:q=5").decode(range(5)).error_exact
    assert plane.expected.value == plane.guaranteed.value
    assert plane.threshold == 5


def test_ranked_by_chance_another_one_wins() -> None:
    """Nine stragglers: chance hardly ever takes a whole group of six, an adversary does."""
    repetition, plane = "frc:workers=30,stragglers=5", "ag:q=5"
    mean = names(recommend(Wish(30, 6, 9, model="random"), settings=QUICK))
    worst = names(recommend(Wish(30, 6, 9), settings=QUICK))
    assert mean.index(repetition) < mean.index(plane)
    assert worst.index(plane) < worst.index(repetition)


def test_parts_are_merged_and_padded() -> None:
    found = {one.fit.name: one.fit for one in recommend(Wish(30, 12, 4, parts=50), settings=QUICK)}
    plane, repetition = found["ag:q=5"], found["frc:workers=30,stragglers=5"]
    assert (plane.each, plane.padded, plane.load) == (2, 0, 10)
    assert (repetition.each, repetition.padded, repetition.load) == (2, 10, 12)
    few = {one.fit.name: one.fit for one in recommend(Wish(31, 6, 4, parts=20), settings=QUICK)}
    assert (few["pg:q=5"].each, few["pg:q=5"].padded) == (1, 11)
    assert "frc:workers=30,stragglers=5" in few
    assert not recommend(Wish(30, 1, 4, parts=31), settings=QUICK)


def test_a_bracket_is_shown_as_one() -> None:
    rng = np.random.default_rng(0)
    matrix = np.zeros((40, 40))
    for row in matrix:
        row[rng.permutation(40)[:4]] = 1
    code = GradientCode.from_matrix(matrix)
    found = recommend(Wish(40, 4, 12), also=[("mine", code)], settings=Settings(time_limit=0.2))
    mine = next(one for one in found if one.fit.name == "mine")
    assert mine.guaranteed.status == "bracket"
    assert "only a bracket is known" in mine.why
    assert mine.expected.status == "estimate"


def test_what_a_code_was_made_for_is_its_guarantee() -> None:
    """No search could prove it of sixty workers, and the theorem of the family does."""
    found = {one.fit.name: one for one in recommend(Wish(60, 6, 5), settings=QUICK)}
    for family in ("cyclic", "cyclic-mds", "ye-abbe"):
        one = found[f"{family}:workers=60,stragglers=5"]
        assert (one.status, one.guarantee) == ("construction", 0)
        assert one.expected.value < 1e-9
        assert one.why.startswith("made to lose nothing with any 5 workers silent")
        assert [one.fit.code.promises(s) for s in (5, 6)] == [True, False]


def test_no_promise_that_rounding_breaks() -> None:
    """Any forty of 81 workers may be silent, but in floating point not forty neighbours."""
    found = recommend(Wish(81, 41, 40), settings=QUICK)
    one = next(one for one in found if one.fit.name == "cyclic-mds:workers=81,stragglers=40")
    assert one.fit.code.promises(40)
    assert one.fit.code.decode(range(40)).error > 0.1
    assert (one.status, one.guarantee) == ("bracket", 81)


def test_badly_conditioned_codes_can_be_left_out() -> None:
    """Two workers that disagree about the middle part: what they add up cancels."""
    near = GradientCode.from_matrix([[1, 1.0, 0], [0, -0.9, 1.0], [1, 0.1, 1]])
    all_of_them = recommend(Wish(3, 3, 1), also=[("near", near)])
    condition = next(one.condition for one in all_of_them if one.fit.name == "near")
    worst = max(near.decode([w]).condition for w in range(3))
    assert condition == pytest.approx(worst)
    assert condition > 1.3
    assert "near" not in names(
        recommend(Wish(3, 3, 1, at_most_condition=1.3), also=[("near", near)])
    )


def test_expected_errors_are_means_over_all_sets() -> None:
    code = circulant(7, (0, 1, 2))
    mine = next(one for one in recommend(Wish(7, 3, 2), also=[("m", code)]) if one.fit.name == "m")
    errors = [
        code.decode(silent).error_exact or Fraction(0) for silent in combinations(range(7), 2)
    ]
    assert mine.expected.value == sum(errors, Fraction(0)) / len(errors)
    assert mine.guaranteed.value == max(errors)


@pytest.mark.parametrize(
    ("workers", "load"), [(1, 1), (7, 3), (30, 6), (31, 6), (64, 20), (90, 10)]
)
def test_every_family_proposes_what_is_near(workers: int, load: int) -> None:
    for family in (*families(), *code_families()):
        for name in family.near(workers, load) if family.near else ():
            code = load_code(name)
            assert name.partition(":")[0] == family.name
            assert code.workers in about(workers)
            assert code.placement.loads.max() <= load


@pytest.mark.parametrize(
    "wrong",
    [
        {"workers": 0},
        {"load": 0},
        {"stragglers": -1},
        {"stragglers": 7},
        {"parts": 0},
        {"model": "worst"},
        {"at_most_condition": 0.5},
        {"at_most_condition": float("nan")},
    ],
    ids=str,
)
def test_wrong_wishes(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Wish(**({"workers": 7, "load": 3, "stragglers": 1} | wrong))
