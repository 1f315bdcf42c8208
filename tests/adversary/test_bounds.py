"""Bounds: at the ends of their domains, for unusual placements, and their margins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.io import mmread

from gcdesign.adversary import error_bounds, placement_facts, threshold_bounds
from gcdesign.adversary.bounds import one_step_bounds
from gcdesign.codes import GradientCode, Placement, load_code
from gcdesign.designs import BlockDesign, build, complement, dual, parse_spec

Silenced = tuple[int, ...]
Thresholds = Callable[[Sequence[Sequence[int]], int], list[int]]
FloatErrors = Callable[[Any], dict[Silenced, float]]

NAMES = ["pg:q=2", "pg:q=4", "ag:q=3", "ag:q=2,dim=3", "dual-ag:q=3", "uncoded:workers=5"]
NAMES += ["frc:workers=6,stragglers=1", "frc:workers=4,stragglers=3", "pg:q=2,dim=3,flats=1"]


def circulant(n: int, shifts: Sequence[int]) -> BlockDesign:
    return BlockDesign.from_blocks(
        [sorted((i + s) % n for s in shifts) for i in range(n)], points=n
    )


DESIGNS = [build(parse_spec(name)) for name in NAMES]
DESIGNS += [complement(build(parse_spec("pg:q=2"))), dual(build(parse_spec("ag:q=3")))]
DESIGNS += [circulant(n, shifts) for n, shifts in ((8, (0, 1, 3)), (9, (0, 3, 6)), (7, (0, 1)))]
DESIGNS += [BlockDesign.from_blocks([[0, 1], [2, 3]] * 3, points=4)]
DESIGNS += [BlockDesign.from_blocks([[], []], points=2), BlockDesign.from_blocks([[0]], points=1)]


@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_the_second_singular_value(design: BlockDesign) -> None:
    facts = placement_facts(Placement(design))
    values = np.linalg.svd(design.dense_incidence().astype(float), compute_uv=False)
    if min(design.v, design.b) < 2:
        assert facts.second_squared is None
        return
    second = sorted(values)[-2] ** 2
    assert facts.second_squared is not None
    assert float(facts.second_squared) == pytest.approx(second, abs=1e-6)
    # Never below the truth, to the accuracy with which it is known here.
    assert float(facts.second_squared) >= second - 1e-12 * max(1, values.max() ** 2)


def test_a_margin_lies_on_the_safe_side() -> None:
    # The eigenvalues of a circulant are known: |1 + ω^j + ω^3j|².
    for n in (8, 11, 25, 60):
        roots = np.exp(2j * np.pi * np.arange(1, n) / n)
        second = float((np.abs(1 + roots + roots**3) ** 2).max())
        facts = placement_facts(Placement(circulant(n, (0, 1, 3))))
        assert facts.second_squared is not None
        assert second < facts.second_squared < second + 1e-7


def test_facts_of_an_irregular_placement() -> None:
    design = BlockDesign.from_blocks([[0, 1, 2], [1], [], [1, 2]], points=4)
    facts = placement_facts(Placement(design))
    assert (facts.load, facts.replication, facts.second_squared) == (None, None, None)
    assert facts.copies.tolist() == [0, 0, 1, 3, 6]
    assert facts.capacity.tolist() == [0, 3, 5, 6, 6]
    assert facts.shared == (0, 2)


@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_bounds_at_the_ends(design: BlockDesign) -> None:
    code = GradientCode.from_design(design)
    facts = placement_facts(code.placement)
    held = int((design.replication_numbers > 0).sum())
    for eta, least in ((0, 0), (design.v, design.b if 0 not in design.block_sizes else None)):
        for bound in threshold_bounds(facts, eta):
            if least is not None and held == design.v:
                assert bound.value <= least if bound.side == "lower" else bound.value >= least
    for bounds in (error_bounds, one_step_bounds):
        nobody = bounds(code, facts, 0)
        everybody = bounds(code, facts, design.b)
        assert all(b.value >= 0 for b in nobody if b.side == "upper")
        assert all(b.value == design.v - held for b in nobody if b.side == "lower")
        assert all(b.value >= design.v for b in everybody if b.side == "upper")
        assert all(b.value <= design.v for b in everybody if b.side == "lower")


@pytest.mark.parametrize("design", [d for d in DESIGNS if d.b <= 12 and d.v <= 12], ids=str)
def test_bounds_against_brute_force(
    design: BlockDesign, thresholds: Thresholds, float_errors_of_sets: FloatErrors
) -> None:
    code = GradientCode.from_design(design)
    facts = placement_facts(code.placement)
    for eta, least in enumerate(thresholds(design.blocks(), design.v)):
        for bound in threshold_bounds(facts, eta):
            assert bound.value <= least if bound.side == "lower" else bound.value >= least
    errors = float_errors_of_sets(code.dense_encoding())
    for stragglers in range(design.b + 1):
        worst = max(e for s, e in errors.items() if len(s) == stragglers)
        for bound in error_bounds(code, facts, stragglers):
            if bound.side == "lower":
                assert bound.value <= worst + 1e-9
            else:
                assert bound.value >= worst - 1e-9


def test_bounds_of_a_real_code_claim_little() -> None:
    code = GradientCode.from_matrix([[0.5, 1.0], [0.0, 2.0]])
    bounds = error_bounds(code, placement_facts(code.placement), 1)
    assert [(b.name, b.value) for b in bounds] == [("no decoding", 2)]


def test_a_symmetric_design_attains_the_spectral_bounds() -> None:
    code = load_code("pg:q=4")
    facts = placement_facts(code.placement)
    for stragglers in range(21):
        spectral = {b.name: b.value for b in error_bounds(code, facts, stragglers)}["spectral"]
        assert spectral == Fraction(4 * stragglers, 25 - stragglers)


def test_a_whole_second_eigenvalue_is_proved_whole() -> None:
    """The half of the Ramanujan graph LPS(13,5): singular values 14, 4 and 2 ."""
    entries = mmread(Path(__file__).parents[1] / "data" / "lps-13-5-half.mtx")
    code = GradientCode.from_matrix(entries)
    facts = placement_facts(code.placement)
    assert facts.second_squared == 16
    spectral = {s: best for s in (12, 18, 24, 30) for best in error_bounds(code, facts, s)[1:2]}
    assert {s: bound.value for s, bound in spectral.items()} == {
        12: Fraction(6, 5),
        18: Fraction(144, 71),
        24: Fraction(96, 31),
        30: Fraction(240, 53),
    }
