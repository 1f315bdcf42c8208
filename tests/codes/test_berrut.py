"""Berrut codes: the reference values, poles, coincidences, shapes and types, wrong input.

The oracles are the barycentric formula written out in Python, polynomials' roots, and values that
were computed independently.
"""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from math import cos, pi
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.codes.computing import BerrutCode, coincidences, make_nodes
from gcdesign.codes.computing.rational import barycentric_weights
from gcdesign.errors import InputError, LimitError

REFERENCE: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "berrut_reference_values.json").read_text(
        encoding="utf-8"
    )
)
CASES = REFERENCE["bacc"]


def written_out(nodes: Sequence[float], values: Sequence[float], z: float) -> float:
    """Berrut's interpolant as the paper has it, for nodes in decreasing order."""
    above = below = 0.0
    for k, (node, value) in enumerate(zip(nodes, values, strict=True)):
        if abs(z - node) < 1e-15:
            return value
        above += (-1) ** k * value / (z - node)
        below += (-1) ** k / (z - node)
    return above / below


# --- values ---------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"K={case['K']}")
def test_reference_values(case: dict[str, Any]) -> None:
    code = BerrutCode(parts=case["K"], workers=case["workers"])
    for found, expected in (
        (code.alpha, case["alpha"]),
        (code.beta, case["beta"]),
        (code.encoding, case["encode"]),
        (code.decoding(case["returned"]), case["decode"]),
    ):
        assert found == pytest.approx(np.array(expected), abs=1e-12)
    results = dict(zip(case["returned"], case["worker_out"], strict=True))
    assert code.decode(results) == pytest.approx(np.array(case["estimate"]), abs=1e-12)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"K={case['K']}")
def test_the_order_of_arrival_is_of_no_account(case: dict[str, Any]) -> None:
    code = BerrutCode(parts=case["K"], workers=case["workers"])
    pairs = list(zip(case["returned"], case["worker_out"], strict=True))
    expected = code.decode(pairs).tolist()
    assert code.decode(pairs[::-1]).tolist() == expected
    assert code.decode(dict(pairs[::2] + pairs[1::2])).tolist() == expected
    assert (code.decoding(case["returned"][::-1]) == code.decoding(case["returned"])).all()


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_against_the_formula_written_out(data: st.DataObject) -> None:
    parts, workers = data.draw(st.integers(1, 9)), data.draw(st.integers(2, 24))
    code = BerrutCode(parts=parts, workers=workers)
    kept = sorted(data.draw(st.sets(st.integers(0, workers - 1), min_size=1)))
    values = data.draw(st.lists(st.floats(-9, 9), min_size=len(kept), max_size=len(kept)).map(list))
    decoded = code.decode(dict(zip(kept, values, strict=True)))
    nodes = [cos(i * pi / (workers - 1)) for i in kept]
    for j in range(parts):
        z = cos((2 * j + 1) * pi / (2 * parts))
        scale = max(1.0, *map(abs, values)) * float(np.abs(code.decoding(kept)[j]).sum())
        assert decoded[j] == pytest.approx(written_out(nodes, values, z), abs=1e-10 * scale)


def test_constants_are_exact_and_the_identity_is_not() -> None:
    code = BerrutCode(parts=3, workers=8)
    same = code.encode(np.full((3, 2), 7.0))
    assert same == pytest.approx(np.full((8, 2), 7.0))
    assert code.decode({0: same[0], 5: same[5]}) == pytest.approx(np.full((3, 2), 7.0))
    data = np.array([0.0, 1.0, 0.0])
    assert np.abs(code.decode(enumerate(code.encode(data))) - data).max() > 1e-3


@pytest.mark.parametrize("choice", ["chebyshev-1", "chebyshev-2", "equispaced"])
@pytest.mark.parametrize("degree", [0, 1, 3])
def test_partition_of_unity(choice: Any, degree: int) -> None:
    rng = np.random.default_rng(5)
    for workers in (1, 2, 7, 64, 200):
        code = BerrutCode(9, workers, degree, worker_nodes=choice)
        assert np.abs(code.encoding.sum(axis=1) - 1).max() < 1e-13
        for size in {1, workers // 3 or 1, workers - workers // 10, workers}:
            rows = code.decoding(rng.permutation(workers)[:size])
            assert (np.abs(rows.sum(axis=1) - 1) <= 1e-13 * np.abs(rows).sum(axis=1)).all()


def test_degrees_reproduce_polynomials() -> None:
    """Floater and Hormann's Theorem 2, on any subset with more than d nodes."""
    for degree in range(1, 6):
        code = BerrutCode(5, 14, degree)
        kept = [0, 2, 3, 6, 7, 9, 12]
        for power in range(degree + 1):
            expected = code.alpha**power
            assert code.decoding(kept) @ code.beta[kept] ** power == pytest.approx(expected)
        beyond = code.decoding(kept) @ code.beta[kept] ** (degree + 2) - code.alpha ** (degree + 2)
        assert np.abs(beyond).max() > 1e-4 or degree >= 5


# --- poles ----------------------------------------------------------------------------------


def pole_inside(nodes: np.ndarray[Any, Any], weights: np.ndarray[Any, Any]) -> bool:
    """Whether Σ w_k Π (z − x_j), j ≠ k, the denominator, has a real root in [−1, 1]."""
    whole = np.poly(nodes)
    quotient = np.zeros((len(nodes), len(nodes)))  # of the whole by z − x_k, Horner's scheme
    for k, coefficient in enumerate(whole[:-1]):
        quotient[:, k] = coefficient + (nodes * quotient[:, k - 1] if k else 0)
    total = weights @ quotient
    total[np.abs(total) < 1e-12] = 0.0
    roots = np.roots(total)
    real = roots[np.abs(roots.imag) < 1e-9].real
    return bool((np.abs(real) <= 1).any())


def test_no_subset_has_a_pole_up_to_12_workers() -> None:
    for workers in range(1, 13):
        beta = make_nodes("chebyshev-2", workers)
        for size in range(1, workers + 1):
            for kept in combinations(range(workers), size):
                nodes = beta[list(kept)]
                assert not pole_inside(nodes, barycentric_weights(nodes)), (workers, kept)


def test_the_signs_of_all_workers_would_have_poles() -> None:
    beta = make_nodes("chebyshev-2", 3)[[0, 2]]
    assert pole_inside(beta, np.array([1.0, 1.0]))


@pytest.mark.parametrize("degree", [0, 2])
def test_random_subsets_to_200_workers_have_no_pole(degree: int) -> None:
    """Between neighbours the denominator has one sign, and the opposite one in the next gap."""
    rng = np.random.default_rng(7)
    for workers in (13, 50, 120, 200):
        beta = make_nodes("chebyshev-2", workers)
        for size in rng.integers(2, workers + 1, size=12):
            nodes = beta[np.sort(rng.permutation(workers)[:size])]
            weights = barycentric_weights(nodes, degree)
            ends = np.concatenate([[2.0], nodes, [-2.0]])
            for gap, (high, low) in enumerate(pairwise(ends)):
                at = low + (high - low) * np.linspace(1e-6, 1 - 1e-6, 64)
                values = (weights / (at[:, None] - nodes)).sum(axis=1)
                sign = 1 if gap == 0 else (-1) ** gap
                assert (sign * values > 0).all(), (workers, size, gap)


# --- coinciding nodes -----------------------------------------------------------------------


@pytest.mark.parametrize(("parts", "workers"), [(2, 5), (3, 7), (5, 11), (6, 13), (3, 5)])
def test_coinciding_nodes_are_exact(parts: int, workers: int) -> None:
    """α_j = β_i where (2j + 1)(N − 1) = 2Ki, in whole numbers."""
    code = BerrutCode(parts, workers)
    expected = {
        (j, i)
        for j in range(parts)
        for i in range(workers)
        if (2 * j + 1) * (workers - 1) == 2 * parts * i
    }
    assert set(coincidences(code)) == expected
    assert expected
    data = np.random.default_rng(0).normal(size=(parts, 3))
    coded = code.encode(data)
    assert np.isfinite(coded).all()
    for part, worker in expected:
        assert (coded[worker] == data[part]).all()
        with_it = code.decode({worker: coded[worker], 0: coded[0], workers - 1: coded[-1]})
        assert (with_it[part] == data[part]).all()
        assert np.isfinite(with_it).all()


# --- shapes, types, memory ------------------------------------------------------------------


@pytest.mark.parametrize(
    "dtype", ["float16", "float32", "float64", "longdouble", "complex64", "complex128"]
)
@pytest.mark.parametrize("shape", [(), (0,), (5,), (2, 3), (2, 1, 4)])
def test_any_shape_and_floating_type(dtype: str, shape: tuple[int, ...]) -> None:
    code = BerrutCode(4, 9)
    rng = np.random.default_rng(1)
    data = rng.normal(size=(4, *shape)).astype(dtype)
    if data.dtype.kind == "c":
        data = data + np.array(1j, dtype) * rng.normal(size=(4, *shape)).astype(dtype)
    coded = code.encode(data)
    assert (coded.shape, coded.dtype) == ((9, *shape), np.dtype(dtype))
    exact = np.tensordot(code.encoding, data.astype(np.clongdouble), axes=1)
    tolerance = {2: 2e-3, 4: 1e-6}.get(data.real.dtype.itemsize, 1e-14)
    assert np.allclose(coded, exact, rtol=tolerance, atol=tolerance)
    decoded = code.decode({i: coded[i] for i in (1, 8, 4, 2)})
    assert (decoded.shape, decoded.dtype) == ((4, *shape), np.dtype(dtype))
    expected = np.tensordot(code.decoding((1, 2, 4, 8)), coded[[1, 2, 4, 8]], axes=1)
    assert np.allclose(decoded, expected, rtol=2 * tolerance, atol=2 * tolerance)


def test_arrays_that_do_not_lie_in_one_block() -> None:
    code = BerrutCode(3, 6)
    whole = np.random.default_rng(2).normal(size=(3, 8, 10))
    for view in (whole[:, ::2, ::3], whole.transpose(0, 2, 1), np.asfortranarray(whole[:, 0])):
        expected = code.encode(np.ascontiguousarray(view))
        assert code.encode(view) == pytest.approx(expected)
        results = dict(enumerate(np.asfortranarray(expected)))
        assert code.decode(results) == pytest.approx(code.decode(enumerate(expected)))


def test_bytes_in_the_other_order() -> None:
    code = BerrutCode(2, 4)
    for dtype in (">f8", "<f8", ">c16", ">f4"):
        data = np.array([[1.0, 3.0], [2.0, -1.0]], dtype=dtype)
        coded = code.encode(data)
        assert coded == pytest.approx(code.encode(np.array(data.tolist())), rel=1e-6)
        swapped = {w: coded[w].astype(dtype) for w in (0, 2, 3)}
        expected = code.decode({w: np.array(v.tolist()) for w, v in swapped.items()})
        assert code.decode(swapped) == pytest.approx(expected, rel=1e-6)


def test_lists_and_whole_numbers_are_taken() -> None:
    code = BerrutCode(2, 3)
    assert code.encode([1, 3])[1] == pytest.approx(2.0)
    assert code.decode({0: 1, 2: 3}).shape == (2,)
    assert code.decode({np.int64(1): [1, 2]}).tolist() == [[1.0, 2.0], [1.0, 2.0]]


def test_another_array_library_is_never_imported() -> None:
    xp = pytest.importorskip("array_api_strict", reason="array-api-strict is not installed")
    code = BerrutCode(3, 7)
    data = np.random.default_rng(3).normal(size=(3, 2, 4))
    coded = code.encode(xp.asarray(data))
    assert type(coded).__module__.startswith("array_api_strict")
    assert np.asarray(coded) == pytest.approx(code.encode(data))
    some = {i: coded[i, ...] for i in (6, 1, 3)}
    decoded = code.decode(some)
    assert type(decoded).__module__.startswith("array_api_strict")
    expected = code.decode({i: code.encode(data)[i] for i in (1, 3, 6)})
    assert np.asarray(decoded) == pytest.approx(expected)
    flat = code.encode(xp.asarray(data[:, 0, 0], dtype=xp.float32))
    assert flat.dtype == xp.float32
    with pytest.raises(InputError, match="worker 2 returned an array of another library"):
        code.decode({1: coded[1, ...], 2: np.zeros((2, 4))})
    with pytest.raises(InputError, match="worker 1: NaN or infinity"):
        code.decode({1: coded[1, ...] * float("nan"), 2: coded[2, ...]})
    with pytest.raises(InputError, match="expected floating-point"):
        code.encode(xp.asarray([1, 2, 3]))


def test_nothing_is_held_beyond_the_output() -> None:
    """A product adds the output and a buffer of 1 MB, however large the data and wherever."""
    code = BerrutCode(16, 24)
    data = np.random.default_rng(4).normal(size=(16, 100, 1000))
    complex_data, turned = data[:, :50] * 1j, data.transpose(0, 2, 1)
    coded = code.encode(data)
    results = {i: coded[i] for i in range(0, 24, 2)}
    calls: list[Callable[[], Any]] = [
        lambda: code.encode(data),
        lambda: code.encode(turned),
        lambda: code.encode(complex_data),
        lambda: code.decode(results),
    ]
    for call in calls:
        tracemalloc.start()
        output = call()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < output.nbytes + 1_600_000 < output.nbytes + data.nbytes / 3


# --- wrong input ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ({}, "no result has come back"),
        ({7: 1.0}, "unknown worker 7; expected a number from 0 to 6"),
        ({-1: 1.0}, "unknown worker -1"),
        ({"0": 1.0}, "unknown worker '0'"),
        ({True: 1.0}, "unknown worker True"),
        ([(2, 1.0), (2, 1.0)], "worker 2 has two results"),
        ({0: [1.0], 3: [1.0, 2.0]}, r"worker 3 returned shape \(2,\), worker 0 \(1,\)"),
        ({0: [float("nan")], 3: [1.0], 4: [float("inf")]}, "workers 0, 4: NaN or infinity"),
        ({0: ["a"]}, "results of worker 0"),
        ({0: [[1.0], [1.0, 2.0]]}, "results of worker 0 are no array"),
        ({0: True}, "expected floating-point"),
        (5, "no mapping"),
        ([1, 2], "no mapping"),
    ],
    ids=str,
)
def test_wrong_results(results: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        BerrutCode(3, 7).decode(results)
    assert "\n" not in str(caught.value)


def test_broken_results_can_be_left_out() -> None:
    code = BerrutCode(3, 7)
    good = {1: [1.0, 2.0], 4: [2.0, 1.0]}
    results = {**good, 6: [np.nan, 0.0], 0: [0.0, -np.inf]}
    assert (code.decode(results, invalid="leave-out") == code.decode(good)).all()
    assert code.receive(results, invalid="leave-out").left_out == (0, 6)
    with pytest.raises(InputError, match="in every result"):
        code.decode({6: [np.nan]}, invalid="leave-out")
    with pytest.raises(InputError, match="invalid='drop'"):
        code.decode(good, invalid="drop")  # type: ignore[arg-type]
    huge = {0: np.array([1e308, 1e308]), 1: np.array([1e308, 1e308])}
    assert code.receive(huge).left_out == ()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"parts": 0, "workers": 3}, "parts=0; expected a whole number, 1 or more"),
        ({"parts": 3, "workers": 0}, "workers=0"),
        ({"parts": 2.5, "workers": 3}, "parts=2.5"),
        ({"parts": True, "workers": 3}, "parts=True"),
        ({"parts": 2, "workers": 3, "degree": -1}, "degree=-1"),
        ({"parts": 2, "workers": 3, "part_nodes": "random"}, "nodes 'random'"),
        ({"parts": 2, "workers": 3, "part_nodes": [0.0]}, "expected 2 numbers"),
        ({"parts": 2, "workers": 3, "part_nodes": [0.0, 0.0]}, "two nodes are equal"),
        ({"parts": 2, "workers": 3, "part_nodes": [0.0, float("nan")]}, "NaN or infinite"),
        ({"parts": 2, "workers": 3, "part_nodes": ["a", "b"]}, "expected real numbers"),
        ({"parts": 2, "workers": 3, "part_nodes": [1j, 0]}, "complex128; expected real numbers"),
        ({"parts": 2, "workers": 3, "part_nodes": [[0], [0, 1]]}, "no line of numbers"),
    ],
    ids=str,
)
def test_wrong_codes(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        BerrutCode(**arguments)


def test_wrong_inputs() -> None:
    code = BerrutCode(3, 7)
    with pytest.raises(InputError, match="expected one for each of 3 parts"):
        code.encode(np.zeros((4, 2)))
    with pytest.raises(InputError, match="expected one for each of 3 parts"):
        code.encode(np.float64(1))
    with pytest.raises(InputError, match="NaN or infinite"):
        code.encode(np.array([1.0, np.nan, 2.0]))
    with pytest.raises(InputError, match="masked entries"):
        code.encode(np.ma.array([1.0, 9.0, 2.0], mask=[False, True, False]))
    with pytest.raises(InputError, match="named twice"):
        code.decoding([1, 1])
    with pytest.raises(InputError, match="no worker"):
        code.decoding([])
    with pytest.raises(LimitError, match="at most 4096"):
        BerrutCode(3, 5000)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex128"])
def test_numbers_that_would_overflow(dtype: str) -> None:
    """At the outermost worker 1.2071 x₀ − 0.2071 x₁: finite inputs alone are not enough."""
    code = BerrutCode(2, 5)
    largest = np.finfo(dtype).max
    inputs = np.array([[largest], [-largest]], dtype=dtype)
    for data in (inputs, inputs[:, ::-1], np.repeat(inputs, 4, axis=1)[:, ::2]):
        with pytest.raises(InputError, match=f"combinations overflow {dtype}; scale them down"):
            code.encode(data)
    assert np.isfinite(code.encode(inputs / np.asarray(1.5, dtype))).all()
    with pytest.raises(InputError, match="scale them down"):
        code.decode({0: inputs[0], 1: inputs[1]})


def test_nodes_in_any_order() -> None:
    """Workers may stand on the line in any order: only their nodes count."""
    shuffled = BerrutCode(3, 5, worker_nodes=[0.1, -1.0, 1.0, 0.6, -0.5])
    sorted_ = BerrutCode(3, 5, worker_nodes=[1.0, 0.6, 0.1, -0.5, -1.0])
    order = [2, 3, 0, 4, 1]
    assert shuffled.encoding[order] == pytest.approx(sorted_.encoding)
    values = [1.0, 4.0, 2.0, 5.0, 3.0]
    found = shuffled.decode({order[i]: values[i] for i in (0, 2, 3)})
    assert found == pytest.approx(sorted_.decode({i: values[i] for i in (0, 2, 3)}))
