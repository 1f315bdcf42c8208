"""Every reference value, to the last digit: errors, thresholds and bounds of known codes."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import ceil
from typing import Any

import numpy as np
import pytest

from gcdesign.adversary import (
    error_curve,
    error_threshold,
    figure_one,
    placement_facts,
    threshold_bounds,
    threshold_profile,
    worst_case_error,
    worst_case_error_profile,
)
from gcdesign.adversary.bounds import one_step_bound
from gcdesign.adversary.curve import ramanujan_bound
from gcdesign.adversary.thresholds.part_bounds import best_lower, whole
from gcdesign.codes import GradientCode, load_code
from gcdesign.codes.onestep import one_step_error

Reference = dict[str, Any]


def cyclic(workers: int, shifts: tuple[int, ...]) -> GradientCode:
    matrix = np.zeros((workers, workers), dtype=int)
    for shift in shifts:
        matrix[np.arange(workers), (np.arange(workers) + shift) % workers] = 1
    return GradientCode.from_matrix(matrix)


def values(code: GradientCode) -> list[Any]:
    results = worst_case_error_profile(code)
    assert all(result.status == "exact" and result.tolerance == 0 for result in results)
    assert not any(isinstance(result.value, float) for result in results)
    return [result.value for result in results]


def fractions(texts: list[Any]) -> list[Fraction]:
    return [Fraction(text) for text in texts]


@pytest.mark.parametrize("q", [2, 3, 4, 5])
@pytest.mark.parametrize(
    ("family", "key"),
    [("pg", "err_PG2"), ("dual-ag", "err_dualAG2"), ("ag", "err_AG2_worst")],
)
def test_errors_of_planes(reference: Reference, family: str, key: str, q: int) -> None:
    assert values(load_code(f"{family}:q={q}")) == fractions(reference[key][str(q)])


@pytest.mark.parametrize(("q", "dim"), [(2, 3), (3, 3)])
@pytest.mark.parametrize(
    ("family", "name"), [("pg", "PG"), ("dual-ag", "dualAG"), ("ag", "AG")], ids=lambda x: x
)
def test_errors_in_space(reference: Reference, q: int, dim: int, family: str, name: str) -> None:
    expected = reference["err_general_m"][f"m={dim},q={q}"][name]
    code = load_code(f"{family}:q={q},dim={dim}")
    placement = code.placement
    assert (placement.workers, placement.parts) == (expected["N"], expected["K"])
    assert (placement.load, placement.replication) == (expected["L"], expected["R"])
    assert values(code) == fractions(expected.get("err", expected.get("err_worst")))
    meets = {
        len(np.intersect1d(placement.design.block(i), placement.design.block(j)))
        for i, j in combinations(range(placement.workers), 2)
    }
    assert meets == ({0, expected["mu"]} if name == "AG" else {expected["lam"]})


def test_errors_of_affine_classes(reference: Reference) -> None:
    for case in reference["err_AG2_by_class_composition"]:
        code = load_code(f"ag:q={case['q']}")
        classes = code.placement.design.parallel_classes
        assert classes is not None
        silenced = [w for members, s in zip(classes, case["s"], strict=True) for w in members[:s]]
        assert code.decode(silenced).error_exact == Fraction(case["err"])


def test_decoding_vectors(reference: Reference) -> None:
    for name, stragglers, key in (
        ("pg:q=2", 2, "PG q=2 S=2"),
        ("pg:q=5", 10, "PG q=5 S=10"),
        ("dual-ag:q=3", 4, "dualAG q=3 S=4"),
    ):
        code = load_code(name)
        weights = code.decode(range(stragglers)).weights
        assert (weights[:stragglers] == 0).all()
        assert set(weights[stragglers:]) == {float(Fraction(reference["decoder_const"][key]))}
    example = reference["err_AG_decoder_example"]
    code = load_code(f"ag:q={example['q']}")
    classes = code.placement.design.parallel_classes
    assert classes is not None
    counts = list(zip(classes, example["stragglers_per_class"], strict=True))
    decoding = code.decode([w for members, s in counts for w in members[:s]])
    assert decoding.error_exact == Fraction(example["err"])
    for (members, s), weight in zip(counts, example["weights_per_class"], strict=True):
        assert set(decoding.weights[list(members[s:])]) == {float(Fraction(weight))}


@pytest.mark.parametrize(("workers", "load"), [(9, 3), (36, 6)])
def test_errors_of_fractional_repetition(reference: Reference, workers: int, load: int) -> None:
    code = load_code(f"frc:workers={workers},stragglers={load - 1}")
    assert values(code) == reference["err_FRC_worst"][f"N={workers},L={load}"]


def test_errors_of_circulants(reference: Reference) -> None:
    table = reference["err_worst_other"]
    plane, shifts, plain = (
        values(code) for code in (load_code("pg:q=2"), cyclic(7, (0, 1, 3)), cyclic(7, (0, 1, 2)))
    )
    for stragglers, row in enumerate(table["N7L3"]):
        assert float(plane[stragglers]) == pytest.approx(row[0])
        assert float(shifts[stragglers]) == pytest.approx(row[1])
        assert plain[stragglers] == Fraction(row[2])
        assert stragglers // 3 == row[3]
    repeated, plain = values(load_code("frc:workers=9,stragglers=2")), values(cyclic(9, (0, 1, 2)))
    assert [[str(a), str(b)] for a, b in zip(repeated, plain, strict=True)] == table["N9L3"]


@pytest.mark.parametrize(
    ("family", "key", "q"),
    [("pg", "Sstar_PG2", q) for q in (2, 3, 4)]
    + [(f, k, q) for f, k in (("ag", "Sstar_AG2"), ("dual-ag", "Sstar_dualAG2")) for q in (2, 3)],
)
def test_thresholds_of_planes(reference: Reference, family: str, key: str, q: int) -> None:
    profile = threshold_profile(load_code(f"{family}:q={q}").placement)
    assert [result.value for result in profile] == reference[key][str(q)]


def test_thresholds_of_the_plane_of_order_5(reference: Reference) -> None:
    profile = threshold_profile(load_code("pg:q=5").placement)
    assert [result.value for result in profile] == reference["Sstar_PG2"]["5"]


def test_thresholds_of_repetition_and_of_circulants(reference: Reference) -> None:
    repeated = load_code("frc:workers=9,stragglers=2").placement
    plain = cyclic(9, (0, 1, 2)).placement
    for placement, key in ((repeated, "Sstar_FRC_N9L3"), (plain, "Sstar_cyclic_N9L3")):
        assert [result.value for result in threshold_profile(placement)] == reference[key]


@pytest.mark.parametrize("q", [2, 3, 4, 5])
def test_bounds_on_thresholds(reference: Reference, q: int) -> None:
    facts = placement_facts(load_code(f"pg:q={q}").placement)
    spectral = fractions(reference["spectral_bound_PG2"][str(q)])
    for eta, expected in enumerate(reference["integer_bound_PG2"][str(q)]):
        bounds = {bound.name: bound for bound in threshold_bounds(facts, eta)}
        assert bounds["spectral"].value == spectral[eta]
        best = best_lower((bounds["pair counting"], bounds["spectral"]))
        assert whole(best) == expected


@pytest.mark.parametrize("q", [2, 3, 4])
def test_error_thresholds(reference: Reference, q: int) -> None:
    code = load_code(f"pg:q={q}")
    for eta, expected in enumerate(reference["err_threshold_PG2"][str(q)]):
        assert error_threshold(code, eta).value == expected
        assert error_threshold(code, eta).value == ceil(Fraction(eta * (q + 1) ** 2, q + eta))


@pytest.mark.parametrize("name", ["pg:q=5", "ag:q=5", "dual-ag:q=4"])
def test_an_error_that_is_reached_exactly_is_reached(name: str) -> None:
    # Fractions such as 25/13 lie below the float next to them.
    code = load_code(name)
    errors = [worst_case_error(code, stragglers).value for stragglers in range(code.workers + 1)]
    for error in set(errors):
        assert error_threshold(code, error).value == errors.index(error)


def test_raviv_bound(reference: Reference) -> None:
    for degree in (6, 10):
        curve = ramanujan_bound(degree)
        at = dict(zip(curve.fractions, curve.values, strict=True))
        key = min(at, key=lambda x: abs(x - 0.1))
        assert key == pytest.approx(0.1, abs=1e-12)
        assert at[key] == pytest.approx(reference["raviv_bound"][f"d={degree} x=0.1"], rel=1e-12)
        # (λ/d)² ns/(n − s) with λ = 2 √(d − 1), as a share of n.
        bound = one_step_bound(Fraction(4 * (degree - 1)), 60, degree, 6)
        assert Fraction(bound.value) / 60 == pytest.approx(at[key], rel=1e-12)


def test_figure_one(reference: Reference) -> None:
    curves, bounds = figure_one(5)
    drawn = {curve.family: curve for curve in curves}
    expected = reference["fig1_q5"]
    for family, key in (("pg", "PG"), ("dual-ag", "dualAG"), ("ag", "AG")):
        curve = drawn[family]
        assert curve.exact
        for point in expected[key]:
            stragglers, share = point[0], Fraction(point[-1])
            assert Fraction(curve.lower[stragglers]) / curve.parts == share
            assert curve.lower[stragglers] == curve.upper[stragglers]
            if len(point) == 3:
                assert stragglers / curve.workers == point[1]
    assert drawn["uncoded"].upper == tuple(range(32))
    assert drawn["frc"].upper == tuple(6 * (s // 6) for s in range(37))
    ramanujan, isolation = bounds
    assert ramanujan.side == "upper"
    assert isolation.side == "lower"
    assert isolation.values == tuple(s // 6 / 31 for s in range(32))


def test_random_stragglers_of_fractional_repetition(reference: Reference) -> None:
    for case in reference["charles_FRC_random"]:
        k, s, r = case["k"], case["s"], case["r"]
        code = load_code(f"frc:workers={k},stragglers={s - 1}")
        sets = list(combinations(range(k), k - r))
        decodings = [code.decode(silenced).error_exact for silenced in sets]
        optimal = sum((e for e in decodings if e is not None), Fraction(0)) / len(sets)
        masks = [code.placement.mask(silenced) for silenced in sets]
        simple = sum((one_step_error(code, mask) for mask in masks), Fraction(0)) / len(sets)
        assert (optimal, simple) == (Fraction(case["E_opt"]), Fraction(case["E_onestep"]))
        rho = Fraction(k, r * s)
        assert simple == k * rho**2 * r * Fraction(s, k) * (1 - Fraction(s, k)) * (k - r) / (k - 1)


def test_a_curve_is_its_profile() -> None:
    code = cyclic(7, (0, 1, 2))
    curve = error_curve(code)
    assert curve.lower == curve.upper == tuple(values(code))
    assert curve.family is None
