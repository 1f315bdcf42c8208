"""Families of designs against brute force over all sets of workers and all sets of parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from gcdesign.adversary import (
    threshold_profile,
    worst_case_error,
    worst_case_error_profile,
)
from gcdesign.codes import GradientCode, Placement, load_code
from gcdesign.designs import BlockDesign

Silenced = tuple[int, ...]
Thresholds = Callable[[Sequence[Sequence[int]], int], list[int]]
Errors = Callable[[Sequence[Sequence[Any]], int], dict[Silenced, Fraction]]
FloatErrors = Callable[[Any], dict[Silenced, float]]
BySize = Callable[[dict[Silenced, Any], int], list[Any]]

SMALL = ["pg:q=2", "ag:q=2", "dual-ag:q=2", "frc:workers=8,stragglers=1", "uncoded:workers=6"]
SMALL += ["frc:workers=9,stragglers=2", "dual-ag:q=2,dim=3", "dual-ag:q=3"]
LARGER = ["pg:q=3", "ag:q=3", "ag:q=2,dim=3"]
PLANES = ["pg:q=2", "ag:q=2", "dual-ag:q=2", "pg:q=3", "ag:q=3", "dual-ag:q=3"]
SPACES = ["pg:q=2,dim=3", "ag:q=2,dim=3", "dual-ag:q=2,dim=3"]
OTHERS = ["frc:workers=9,stragglers=2", "uncoded:workers=6", "pg:q=2,dim=3,flats=1"]


def shuffled(code: GradientCode, seed: int) -> GradientCode:
    """Return the code with workers and parts renamed, and no provenance."""
    rng = np.random.default_rng(seed)
    matrix = code.dense_encoding()
    renamed = matrix[rng.permutation(code.workers)][:, rng.permutation(code.parts)]
    return GradientCode.from_matrix(renamed)


@pytest.mark.parametrize("name", SMALL)
def test_every_set_of_workers(
    name: str, errors_of_sets: Errors, worst_by_size: BySize, least_by_size: BySize
) -> None:
    original = load_code(name)
    for code in (original, shuffled(original, 1)):
        errors = errors_of_sets(code.dense_encoding().astype(int).tolist(), code.parts)
        assert len(errors) == 2**code.workers
        for silenced, error in errors.items():
            assert code.decode(silenced).error_exact == error
        profile = worst_case_error_profile(code)
        assert [r.value for r in profile] == worst_by_size(errors, code.workers)
        assert [r.least and r.least.value for r in profile] == least_by_size(errors, code.workers)
        for stragglers, result in enumerate(profile):
            assert worst_case_error(code, stragglers).value == result.value
            assert errors[result.workers] == result.lower
            assert result.least is not None
            assert errors[result.least.workers] == result.least.value
            assert len(result.workers) == len(result.least.workers) == stragglers


@pytest.mark.parametrize("name", LARGER)
def test_every_set_of_more_workers(
    name: str, float_errors_of_sets: FloatErrors, worst_by_size: BySize, least_by_size: BySize
) -> None:
    code = load_code(name)
    errors = float_errors_of_sets(code.dense_encoding())
    assert len(errors) == 2**code.workers
    for silenced, error in errors.items():
        exact = code.decode(silenced).error_exact
        assert exact is not None
        assert float(exact) == pytest.approx(error, abs=1e-9)
    profile = worst_case_error_profile(code)
    assert [float(r.value) for r in profile] == pytest.approx(
        worst_by_size(errors, code.workers), abs=1e-9
    )
    assert [float(r.least.value) for r in profile if r.least] == pytest.approx(
        least_by_size(errors, code.workers), abs=1e-9
    )
    for result in profile:
        assert errors[result.workers] == pytest.approx(float(result.value), abs=1e-9)


@pytest.mark.parametrize("name", PLANES + SPACES + OTHERS)
def test_every_set_of_parts(name: str, thresholds: Thresholds) -> None:
    placement = load_code(name).placement
    expected = thresholds(placement.design.blocks(), placement.parts)
    profile = threshold_profile(placement)
    assert [result.value for result in profile] == expected
    for eta, result in enumerate(profile):
        assert result.asked == eta
        assert len(result.workers) == result.upper
        assert len(result.parts) == eta
        assert set(result.parts) <= set(placement.lost_parts(result.workers).tolist())
        assert set(placement.neighbourhood(result.parts).tolist()) == set(result.workers)


@pytest.mark.parametrize("name", PLANES)
def test_every_set_of_renamed_parts(name: str, thresholds: Thresholds) -> None:
    placement = shuffled(load_code(name), 2).placement
    assert not placement.part_transitive
    expected = thresholds(placement.design.blocks(), placement.parts)
    assert [result.value for result in threshold_profile(placement)] == expected


@pytest.mark.parametrize("name", ["pg:q=2", "ag:q=3", "dual-ag:q=3", "frc:workers=6,stragglers=2"])
def test_points_as_workers(name: str, thresholds: Thresholds) -> None:
    design = load_code(name).placement.design
    placement = Placement.from_design(design, workers="points")
    blocks = [
        [j for j, block in enumerate(design.blocks()) if point in block]
        for point in range(design.v)
    ]
    assert placement.design == BlockDesign.from_blocks(blocks, points=design.b)
    expected = thresholds(blocks, design.b)
    assert [result.value for result in threshold_profile(placement)] == expected
