"""Certificates of errors and error thresholds: each answer is written so that it is verified."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gcdesign.adversary import (
    Settings,
    error_threshold,
    worst_case_error,
    worst_case_error_profile,
)
from gcdesign.adversary.bounds import placement_facts
from gcdesign.adversary.certificates import certificate
from gcdesign.adversary.relaxations.semidefinite import multiplier_bound
from gcdesign.adversary.relaxations.sharing import sharing_bound, uneven_family
from gcdesign.adversary.results import AttackResult
from gcdesign.adversary.running.settings import Watch
from gcdesign.checker import check
from gcdesign.codes import GradientCode, load_code

HALF = Path(__file__).parents[1] / "data" / "lps-13-5-half.mtx"


def irregular() -> GradientCode:
    rng = np.random.default_rng(1)
    return GradientCode.from_matrix((rng.random((7, 6)) < 0.45).astype(float))


def deficient() -> GradientCode:
    """Two equal workers, an idle one, and a part that nobody holds."""
    matrix = (np.random.default_rng(2).random((7, 7)) < 0.4).astype(float)
    matrix[5], matrix[6], matrix[:, 3] = matrix[1], 0, 0
    return GradientCode.from_matrix(matrix)


def wide() -> GradientCode:
    return GradientCode.from_matrix((np.random.default_rng(3).random((5, 9)) < 0.4).astype(float))


def real() -> GradientCode:
    rng = np.random.default_rng(4)
    return GradientCode.from_matrix(np.round(rng.normal(size=(7, 5)), 3))


def nearly_dependent() -> GradientCode:
    """Rank 3 up to rounding, and full rank as the fractions that the floats are."""
    rng = np.random.default_rng(5)
    return GradientCode.from_matrix(rng.normal(size=(7, 3)) @ rng.normal(size=(3, 6)))


CODES = {
    "plane": lambda: load_code("pg:q=2"),
    "dual": lambda: load_code("dual-ag:q=2"),
    "groups": lambda: load_code("frc:workers=6,stragglers=1"),
    "irregular": irregular,
    "deficient": deficient,
    "wide": wide,
    "real": real,
    "nearly dependent": nearly_dependent,
}


def verified(code: GradientCode, *results: AttackResult) -> Any:
    """Return the document of some results, once every claim of it is proved."""
    document = certificate(code, results)
    report = check(document)
    assert report.problems == ()
    assert report.status == "proved"
    return document


ASKED = [(name, "optimal") for name in CODES]
ASKED += [
    (name, "one-step") for name in ("plane", "dual", "groups", "irregular", "deficient", "wide")
]


@pytest.mark.parametrize(("name", "decoder"), ASKED)
def test_every_answer_about_an_error_is_verified(name: str, decoder: Any) -> None:
    code = CODES[name]()
    verified(code, *worst_case_error_profile(code, decoder=decoder))
    verified(code, worst_case_error(code, 2, decoder=decoder))
    for error in (0, Fraction(1, 3), Fraction(6, 5), Fraction(5, 2), code.parts):
        verified(code, error_threshold(code, error, decoder=decoder))
    rough = Settings(method="bounds")
    verified(code, worst_case_error(code, 2, decoder=decoder, settings=rough))


def test_an_error_that_silencing_nobody_reaches_has_a_claim_without_a_proof() -> None:
    code = deficient()
    (claim,) = verified(code, error_threshold(code, 1))["claims"]
    assert (claim["lower"], claim["upper"], claim["workers"]) == (0, 0, [])
    assert claim["proof"] is None


def test_what_holds_for_floats_only_is_not_claimed_of_fractions() -> None:
    """Of 7 workers whose rows have rank 3 up to rounding, the fractions of 6 decode exactly."""
    code = nearly_dependent()
    result = worst_case_error(code, 1)
    assert result.lower > 1
    (claim,) = verified(code, result)["claims"]
    assert (claim["lower"], claim["workers"]) == (0, list(result.workers))
    assert Fraction(claim["upper"]) > 1
    known = error_threshold(code, 1)
    assert (known.lower, known.upper) == (0, 0)
    (claim,) = verified(code, known)["claims"]
    assert (claim["lower"], claim["upper"]) == (0, code.workers)


def test_many_workers_of_a_low_rank_decode_better_in_fractions() -> None:
    rng = np.random.default_rng(7)
    code = GradientCode.from_matrix(rng.normal(size=(70, 2)) @ rng.normal(size=(2, 4)))
    rough = Settings(method="bounds")
    result = worst_case_error(code, 1, settings=rough)
    assert result.lower > 1
    document = certificate(code, [result, error_threshold(code, 1, settings=rough)])
    assert check(document).problems == ()
    assert [claim["lower"] for claim in document["claims"]] == [0, 0]


@pytest.mark.parametrize("stragglers", [1, 5, 12, 18, 40])
def test_what_workers_share_is_verified(stragglers: int) -> None:
    """A graph of PSL(2,5): the sets of its elements that take one point to another."""
    code = load_code(str(HALF))
    second = placement_facts(code.placement).second_squared
    assert second is not None
    family = uneven_family(code.placement, second)
    assert family is not None
    for own in (family, None):
        found = sharing_bound(code.placement, stragglers, second, own)
        assert found is not None
        verified(code, _bracket(code, stragglers, *found))
        wrong = _bracket(code, stragglers, found[0] - Fraction(1, 10**9), found[1])
        assert check(certificate(code, [wrong])).status == "refused"


def test_a_bound_in_fractions_is_not_taken_for_the_float_beside_it() -> None:
    """Branch and bound that comes to nothing leaves the bound that it began with, and its proof."""
    code = load_code(str(HALF))
    result = worst_case_error(code, 13, settings=Settings(node_limit=1))
    assert (result.status, result.upper) == ("bracket", Fraction(4738, 3687))
    (claim,) = verified(code, result)["claims"]
    assert claim["proof"]["by"] == "sharing"


def _bracket(code: GradientCode, stragglers: int, upper: Fraction, proof: Any) -> AttackResult:
    quick = worst_case_error(code, stragglers, settings=Settings(method="bounds"))
    return AttackResult(
        question="error",
        asked=stragglers,
        code=quick.code,
        decoder="optimal",
        lower=quick.lower,
        upper=upper,
        workers=quick.workers,
        parts=quick.parts,
        bounds=(),
        proof=proof["by"],
        evidence=proof,
    )


@pytest.mark.parametrize("stragglers", [1, 4, 9])
def test_multipliers_of_a_random_regular_code_are_verified(stragglers: int) -> None:
    rng = np.random.default_rng(6)
    one = np.eye(24)
    matrix = one + np.roll(one, 1, axis=1) + np.roll(one, 5, axis=1)
    code = GradientCode.from_matrix(matrix[rng.permutation(24)])
    bound, proof = multiplier_bound(code, stragglers, watch=Watch(Settings()))
    verified(code, _bracket(code, stragglers, bound, proof))
