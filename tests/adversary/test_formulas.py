"""Closed forms: numbers put in, and held against the blocks of the design itself."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from gcdesign.adversary.formulas import formula_families, formula_sheet
from gcdesign.codes import load_code
from gcdesign.designs.registry import family as declared
from gcdesign.errors import InputError

MEMBERS = {
    "pg": [{"q": 2, "dim": 2}, {"q": 3, "dim": 2}, {"q": 2, "dim": 3}, {"q": 4, "dim": 4}],
    "ag": [{"q": 2, "dim": 2}, {"q": 3, "dim": 2}, {"q": 2, "dim": 3}, {"q": 5, "dim": 3}],
    "dual-ag": [{"q": 2, "dim": 2}, {"q": 3, "dim": 2}, {"q": 2, "dim": 3}, {"q": 4, "dim": 3}],
    "net": [{"order": 3, "classes": 2}, {"order": 4, "classes": 3}],
    "frc": [{"workers": 6, "stragglers": 1}, {"workers": 9, "stragglers": 2}],
    "uncoded": [{"workers": 5}],
}
SMALL = [(name, member) for name, members in MEMBERS.items() for member in members[:2]]


def brute_force(matrix: NDArray[np.float64], stragglers: int) -> float:
    """Return err_S by least squares on every set."""
    workers, parts = matrix.shape
    worst = 0.0
    for alive in combinations(range(workers), workers - stragglers):
        rows = matrix[list(alive)]
        weights = np.linalg.lstsq(rows.T, np.ones(parts), rcond=None)[0]
        worst = max(worst, float(((rows.T @ weights - 1) ** 2).sum()))
    return worst


def spec(name: str, member: dict[str, int]) -> str:
    return f"{name}:" + ",".join(f"{key}={value}" for key, value in member.items())


@pytest.mark.parametrize("name", MEMBERS)
def test_the_sizes_are_those_of_the_registry(name: str) -> None:
    assert set(MEMBERS) == set(formula_families())
    for member in MEMBERS[name]:
        sheet = formula_sheet(name, member)
        size = declared(name).size_of(member)
        assert sheet["N"].value == size.b
        assert sheet["K"].value == size.v
        placement = load_code(spec(name, member)).placement
        assert (sheet["L"].value, sheet["R"].value) == (placement.load, placement.replication)


@pytest.mark.parametrize(("name", "member"), SMALL, ids=str)
def test_the_worst_error_is_that_of_all_sets(name: str, member: dict[str, int]) -> None:
    code = load_code(spec(name, member))
    matrix = code.encoding.toarray().astype(float)
    for stragglers in range(1, code.workers):
        found = error_of(name, member, stragglers)
        assert float(found) == pytest.approx(brute_force(matrix, stragglers), abs=1e-9)


def error_of(name: str, member: dict[str, int], stragglers: int) -> Fraction:
    sheet = formula_sheet(name, {**member, "S": stragglers})
    if name in ("frc", "uncoded"):
        groups, load = sheet["lost groups"].value, sheet["L"].value
        assert groups is not None
        assert load is not None
        return groups * load
    classes = sheet["R"].value
    assert classes is not None
    if name in ("ag", "net") and stragglers < classes:
        return Fraction(0)
    value = sheet["err_S"].value
    assert value is not None
    return value


@pytest.mark.parametrize("member", MEMBERS["pg"][:3], ids=str)
def test_the_error_threshold_is_the_least_number_of_stragglers(member: dict[str, int]) -> None:
    workers = formula_sheet("pg", member)["N"].value
    assert workers is not None
    for eta in range(1, int(workers) + 1):
        found = formula_sheet("pg", {**member, "eta": eta})["error threshold"].value
        assert found is not None
        assert error_of("pg", member, int(found)) >= eta > error_of("pg", member, int(found) - 1)


@pytest.mark.parametrize("name", ["pg", "ag", "dual-ag", "net"])
def test_the_second_eigenvalue_is_numpys(name: str) -> None:
    for member in MEMBERS[name]:
        matrix = load_code(spec(name, member)).encoding.toarray().astype(float)
        values = np.linalg.svd(matrix, compute_uv=False) ** 2
        second = formula_sheet(name, member)["sigma_2^2"].value
        assert second is not None
        assert float(second) == pytest.approx(values[1])


def test_the_papers_reduced_expression() -> None:
    assert formula_sheet("pg", {"m": 2})["err_S"].latex.endswith(
        r"\frac{S q}{- S + q^{2} + 2 q + 1}"
    )
    same = formula_sheet("ag", {"m": 2})["err_S, r | S"].text
    assert same == formula_sheet("pg", {"m": 2})["err_S"].text


def test_wrong_symbols_are_refused() -> None:
    with pytest.raises(InputError, match="no closed form for 'lps'"):
        formula_sheet("lps")
    with pytest.raises(InputError, match="'x' is no symbol of pg"):
        formula_sheet("pg", {"x": 1})
    with pytest.raises(InputError, match="q=0; expected 1"):
        formula_sheet("pg", {"q": 0})
    with pytest.raises(InputError, match="give one of them"):
        formula_sheet("pg", {"m": 2, "dim": 3})
