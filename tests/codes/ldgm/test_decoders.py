"""Inactivation against linear algebra, and the three decoders side by side; thresholds."""

from __future__ import annotations

from math import inf, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.codes import GradientCode, load_code
from gcdesign.codes.ldgm.ensemble import Ensemble, Poisson
from gcdesign.codes.ldgm.evolution import evolve, evolve_erasures
from gcdesign.codes.ldgm.inactivation import inactivation
from gcdesign.codes.ldgm.peeling import peel
from gcdesign.codes.ldgm.strengths import strengths
from gcdesign.codes.ldgm.thresholds import deadline_threshold, ldgm_threshold, ldpc_threshold
from gcdesign.codes.times import parse_time
from gcdesign.designs.ensembles.degrees import Degrees, parse_degrees
from gcdesign.errors import InputError

matrices = st.integers(1, 6).flatmap(
    lambda parts: st.lists(
        st.lists(st.sampled_from([0, 0, 1, 1, 1, -2, 3]), min_size=parts, max_size=parts),
        min_size=1,
        max_size=9,
    )
)


@given(matrices, st.data())
@settings(max_examples=150, deadline=None)
def test_inactivation_recovers_all_that_is_determined(
    rows: list[list[int]], data: st.DataObject
) -> None:
    matrix = np.array(rows, dtype=float)
    workers, parts = matrix.shape
    silent = sorted(data.draw(st.sets(st.integers(0, workers - 1))))
    code = GradientCode.from_matrix(matrix)
    found = inactivation(code, silent)
    live = np.delete(matrix, silent, axis=0)
    rank = np.linalg.matrix_rank(live) if len(live) else 0
    units = np.eye(parts)
    determined = [
        j
        for j in range(parts)
        if len(live) and np.linalg.matrix_rank(np.vstack([live, units[j]])) == rank
    ]
    assert found.recovered.tolist() == determined
    gradients = np.random.default_rng(parts).normal(size=(parts, 2))
    values = found.values(code.encode(gradients))
    np.testing.assert_allclose(values[determined], gradients[determined], atol=1e-8)
    assert np.isnan(np.delete(values, determined, axis=0)).all()
    assert set(peel(code.placement, silent).recovered.tolist()) <= set(determined)


def test_decoders_from_weak_to_strong() -> None:
    code = load_code("ldgm:parts=60,workers=120,degrees=0.3x+0.4x^2+0.3x^3")
    rng = np.random.default_rng(0)
    for _ in range(5):
        silent = np.sort(rng.permutation(120)[:60])
        peeled, dense, best = strengths(code, silent)
        assert peeled.recovered is not None
        assert dense.recovered is not None
        assert peeled.recovered <= dense.recovered
        assert best.error <= dense.error + 1e-9 <= peeled.error + 1e-9
        assert best.recovered is None
        assert min(one.operations for one in (peeled, dense, best)) > 0


def test_inactivation_refusals() -> None:
    with pytest.raises(InputError, match="complex weights"):
        inactivation(load_code("rs:workers=6,load=3"), [])
    with pytest.raises(InputError, match="worker 9"):
        inactivation(load_code("cyclic:workers=6,stragglers=2"), [9])
    found = inactivation(load_code("cyclic:workers=6,stragglers=2"), [0, 1])
    with pytest.raises(InputError, match=r"messages of shape \(5,\)"):
        found.values(np.zeros(5))


# --- thresholds -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [(3, 6, 0.4294), (4, 8, 0.3834), (3, 4, 0.6474), (3, 5, 0.5176), (5, 10, 0.3416)],
)
def test_textbook_thresholds(left: int, right: int, expected: float) -> None:
    """Richardson and Urbanke 2008, table of regular ensembles on the erasure channel."""
    found = ldpc_threshold(Ensemble(Degrees.regular(left), Degrees.regular(right)))
    assert round(found.value, 4) == pytest.approx(expected, abs=1e-4)
    assert found.stability == inf
    assert found.unrecovered < 1e-6 < found.beyond


def test_the_threshold_of_cycle_codes_is_that_of_stability() -> None:
    found = ldpc_threshold(Ensemble(Degrees.regular(2), Degrees.regular(4)))
    assert found.value == pytest.approx(1 / 3, abs=1e-6)
    assert found.stability == pytest.approx(1 / 3)


@pytest.mark.parametrize("copies", [Degrees.regular(1), parse_degrees("0.1x+0.9x^3"), Poisson(3.0)])
def test_variables_of_degree_1_leave_no_threshold(copies: Degrees | Poisson) -> None:
    """x = ε λ(…) ≥ ε λ(0) > 0 for every ε > 0, however small."""
    ensemble = Ensemble(copies, Degrees.regular(6))
    assert ldpc_threshold(ensemble).value == 0
    assert evolve_erasures(ensemble, 1e-6, ldpc=True).edge_erasure >= 1e-6 * copies.edge_value(0)


def test_the_largest_erasure_of_an_ldgm_code() -> None:
    ensemble = Ensemble(Degrees.regular(4), parse_degrees("0.2x+0.8x^2"))
    found = ldgm_threshold(ensemble, 0.05)
    assert found.unrecovered <= 0.05 < found.beyond + 1e-12
    assert evolve_erasures(ensemble, found.value * 0.999).unrecovered < 0.05
    assert evolve_erasures(ensemble, found.value * 1.001).unrecovered > 0.05


def test_the_shortest_deadline() -> None:
    alone = Ensemble(Degrees.regular(3), Degrees.regular(1))
    found = deadline_threshold(alone, parse_time("exp:rate=2"), 0.01)
    assert found.value == pytest.approx(-log(0.01) / 6)
    never = Ensemble(Degrees.regular(3), Degrees.regular(2))
    assert deadline_threshold(never, parse_time("exp:rate=2"), 0.01).value == inf
    some = Ensemble(Degrees.regular(3), parse_degrees("0.5x+0.5x^2"))
    shortest = deadline_threshold(some, parse_time("fixed:time=3"), 0.5)
    assert shortest.value == pytest.approx(3)  # one deadline recovers those of degree 1
    assert evolve(some, parse_time("fixed:time=3"), 2.9).unrecovered == 1


@pytest.mark.parametrize("target", [0.0, 1.0, -0.5])
def test_threshold_refusals(target: float) -> None:
    ensemble = Ensemble(Degrees.regular(3), Degrees.regular(2))
    with pytest.raises(InputError, match=r"^target="):
        ldgm_threshold(ensemble, target)
    with pytest.raises(InputError, match="without any erasure 1 stays unrecovered"):
        ldgm_threshold(ensemble, 0.5)
