"""Results that arrive one by one, and results that lie."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.codes.computing import ArrivingResults, BerrutCode, find_outliers
from gcdesign.errors import InputError


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_the_estimate_is_the_decoding_of_what_is_settled(data: st.DataObject) -> None:
    workers, parts = data.draw(st.integers(1, 24)), data.draw(st.integers(1, 6))
    degree = data.draw(st.sampled_from([0, 0, 1, 2]))
    reach = data.draw(st.integers(0, 9))
    code = BerrutCode(parts, workers, degree)
    order = data.draw(st.permutations(range(workers)))
    values = np.random.default_rng(len(order)).normal(size=(workers, 2))
    arriving = ArrivingResults(code, reach=reach)
    for count, worker in enumerate(order, start=1):
        before = arriving.terms
        arriving.add(worker, values[worker])
        assert arriving.terms - before <= reach + 2 + 4 * degree
        settled = set(order[:count]) - set(arriving.waiting)
        if degree == 0:
            assert len(arriving.waiting) * (reach + 1) <= len(settled)
        expected = code.decode({i: values[i] for i in settled})
        assert arriving.estimate() == pytest.approx(expected, abs=1e-9)
        assert arriving.returned == tuple(sorted(order[:count]))
    settled_count, waiting, before = len(settled), len(arriving.waiting), arriving.terms
    assert arriving.finish() == pytest.approx(code.decode(enumerate(values)), abs=1e-9)
    assert arriving.waiting == ()
    if degree == 0:
        assert arriving.terms - before <= settled_count / 2 + waiting


def test_in_the_order_of_the_line_each_arrival_costs_one_term() -> None:
    code = BerrutCode(4, 50)
    values = np.cos(code.beta)
    arriving = ArrivingResults(code, reach=0)
    for worker in range(50):
        arriving.add(worker, values[worker])
        assert arriving.terms == worker + 1
        assert arriving.waiting == ()


def test_a_great_reach_settles_everything() -> None:
    code = BerrutCode(3, 40)
    arriving = ArrivingResults(code, reach=40)
    for worker in np.random.default_rng(1).permutation(40):
        arriving.add(worker, float(worker))
        assert arriving.waiting == ()
    assert 2 * 40 < arriving.terms < 40 * 40 / 4


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_types_and_coinciding_nodes(dtype: str) -> None:
    code = BerrutCode(2, 5)
    values = np.arange(10).reshape(5, 2).astype(dtype)
    values[3] *= np.array(-1, dtype) ** 0.5 if dtype == "complex128" else 2
    arriving = ArrivingResults(code)
    for worker in (4, 1, 0):
        arriving.add(worker, values[worker])
    found = arriving.estimate()
    assert found.dtype == np.dtype(dtype)
    assert (found[0] == values[1]).all()
    assert np.allclose(found, code.decode({i: values[i] for i in (0, 1, 4)}))


def test_another_array_library() -> None:
    xp = pytest.importorskip("array_api_strict", reason="array-api-strict is not installed")
    code = BerrutCode(2, 5)
    values = np.random.default_rng(0).normal(size=(5, 3))
    arriving = ArrivingResults(code)
    for worker in (3, 1, 0, 2):
        arriving.add(worker, xp.asarray(values[worker]))
    expected = code.decode({i: values[i] for i in range(4)})
    assert np.asarray(arriving.finish()) == pytest.approx(expected)


def test_quality_on_line() -> None:
    code = BerrutCode(4, 30)
    arriving = ArrivingResults(code)
    for worker in range(0, 30, 2):
        arriving.add(worker, np.sin(code.beta[worker]))
    found = arriving.quality(curvature=1.0, slope=1.0, tolerance=0.4)
    assert (found.enough, found.short_by, found.stragglers) == (True, 0, 15)
    error = np.abs(arriving.estimate() - np.sin(code.alpha)).max()
    assert found.bound is not None
    assert error <= found.bound
    assert arriving.quality().norms == "estimated"


def test_what_does_not_fit_is_refused() -> None:
    code = BerrutCode(3, 7)
    with pytest.raises(InputError, match="reach=-1"):
        ArrivingResults(code, reach=-1)
    arriving = ArrivingResults(code)
    with pytest.raises(InputError, match="no result"):
        arriving.estimate()
    arriving.add(2, [1.0, 2.0])
    for worker, result, message in (
        (2, [1.0, 2.0], "worker 2 has returned before"),
        (7, [1.0, 2.0], "unknown worker 7"),
        (3, [1.0], "worker 3 returned shape"),
        (3, [1.0, np.nan], "worker 3: NaN"),
    ):
        with pytest.raises(InputError, match=message):
            arriving.add(worker, result)
    assert arriving.returned == (2,)
    leaving = ArrivingResults(code, invalid="leave-out")
    leaving.add(3, [np.inf])
    leaving.add(4, [1.0])
    assert (leaving.left_out, leaving.returned) == ((3,), (4,))
    with pytest.raises(InputError, match="worker 3 has returned before"):
        leaving.add(3, [1.0])


# --- lies -----------------------------------------------------------------------------------


def honest(code: BerrutCode, seed: int) -> Any:
    """Results of a smooth function of curvature at most 9·√3, three numbers each."""
    shift = np.random.default_rng(seed).uniform(0, 6, size=3)
    return np.sin(3 * code.beta[:, None] + shift)


@pytest.mark.parametrize("seed", range(8))
def test_honest_results_are_never_suspected_with_a_known_curvature(seed: int) -> None:
    code = BerrutCode(4, 25)
    rng = np.random.default_rng(seed)
    kept = rng.permutation(25)[: rng.integers(4, 26)]
    values = honest(code, seed)
    found = find_outliers(code, {int(i): values[i] for i in kept}, at_most=0, curvature=9 * 3**0.5)
    assert (found.suspects, found.fits, found.proved) == ((), True, False)
    assert max(found.levels) <= 9 * 3**0.5


@pytest.mark.parametrize("seed", range(6))
def test_gross_lies_are_found(seed: int) -> None:
    code = BerrutCode(4, 25)
    values = honest(code, seed)
    liars = sorted(np.random.default_rng(seed).permutation(np.arange(1, 24, 4))[:2].tolist())
    values[liars] += 10.0
    given = {i: values[i] for i in range(25)}
    known = find_outliers(code, given, at_most=2, curvature=9 * 3**0.5)
    assert (list(known.suspects), known.fits, known.proved) == (liars, True, True)
    unknown = find_outliers(code, given, at_most=2)
    assert (list(unknown.suspects), unknown.fits, unknown.proved) == (liars, True, False)
    repaired = code.decode({i: v for i, v in given.items() if i not in unknown.suspects})
    assert np.abs(repaired - np.sin(3 * code.alpha[:, None] + shift_of(seed))).max() < 0.2


def shift_of(seed: int) -> Any:
    return np.random.default_rng(seed).uniform(0, 6, size=3)


def test_a_lie_in_one_coordinate_of_many_is_found() -> None:
    code = BerrutCode(3, 60)
    values = np.tile(np.cos(code.beta)[:, None], (1, 9000)).astype(np.complex128)
    values[17, 8999] += 50j
    given = enumerate(values)
    assert find_outliers(code, given, at_most=5).suspects == (17,)


def test_more_liars_than_allowed_do_not_fit() -> None:
    code = BerrutCode(3, 30)
    values = np.cos(code.beta)
    values[[4, 12, 20]] += [7, -9, 8]
    found = find_outliers(code, enumerate(values), at_most=1)
    assert not found.fits
    assert find_outliers(code, enumerate(values), at_most=3).suspects == (4, 12, 20)


def test_wrong_searches() -> None:
    code = BerrutCode(3, 30)
    values = dict(enumerate(np.cos(code.beta[:5])))
    with pytest.raises(InputError, match="5 results with up to 2 suspects; expected 4"):
        find_outliers(code, values, at_most=2)
    with pytest.raises(InputError, match="at_most=-1"):
        find_outliers(code, values, at_most=-1)
    with pytest.raises(InputError, match="curvature=-1"):
        find_outliers(code, values, at_most=1, curvature=-1.0)
