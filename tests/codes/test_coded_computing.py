"""The codes beside Berrut's: Lagrange over the reals and GF(p), MDS products, repetition.

Oracles: polynomials computed directly, whole numbers in Python, all outcomes of the random inputs.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gcdesign.codes.computing.berrut import BerrutCode
from gcdesign.codes.computing.collapse import collapse_table
from gcdesign.codes.computing.errors import computation_errors, label
from gcdesign.codes.computing.finite import FieldLagrangeCode
from gcdesign.codes.computing.functions import COMPUTATIONS, computation, sample_inputs
from gcdesign.codes.computing.lagrange import LagrangeCode
from gcdesign.codes.computing.modular import interpolation_mod, product_mod
from gcdesign.codes.computing.products import MdsProduct
from gcdesign.codes.computing.repetition import RepetitionCode
from gcdesign.codes.computing.thresholds import (
    recovery_threshold,
    repetition_threshold,
    workers_needed,
)
from gcdesign.errors import InputError, LimitError

REFERENCE: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "berrut_reference_values.json").read_text("utf-8")
)


# --- thresholds -----------------------------------------------------------------------------


@pytest.mark.parametrize("case", REFERENCE["lcc_threshold"], ids=str)
def test_reference_thresholds(case: dict[str, int]) -> None:
    found = recovery_threshold(case["K"], case["deg"], privacy=case["T"])
    assert found == case["threshold"]
    assert workers_needed(case["K"], case["deg"], privacy=case["T"]) == case["threshold"]


def test_repetition_needs_what_counting_says() -> None:
    for parts, workers in product(range(1, 5), range(1, 9)):
        if workers < parts:
            continue
        least = next(
            size
            for size in range(1, workers + 1)
            if all(
                len({w % parts for w in kept}) == parts
                for kept in combinations(range(workers), size)
            )
        )
        assert RepetitionCode(parts, workers).threshold == least
        assert repetition_threshold(parts, workers) == least


# --- Lagrange over the reals ----------------------------------------------------------------


@pytest.mark.parametrize("name", ["identity", "square", "cube", "gram"])
def test_polynomials_are_decoded_from_the_threshold_on(name: str) -> None:
    function = computation(name)
    assert function.degree is not None
    code = LagrangeCode(3, 9)
    inputs = sample_inputs(3, 4, square=name == "gram")
    truth, results = function.apply(inputs), function.apply(code.encode(inputs))
    needed = code.threshold(function.degree)
    for size in range(needed, 10):
        kept = np.random.default_rng(size).permutation(9)[:size].tolist()
        decoded = code.decode({w: results[w] for w in kept}, degree=function.degree)
        assert decoded == pytest.approx(truth, abs=1e-11)
    with pytest.raises(InputError, match=f"{needed - 1} results; a polynomial of degree"):
        code.decode({w: results[w] for w in range(needed - 1)}, degree=function.degree)


def test_random_inputs_over_the_reals() -> None:
    code = LagrangeCode(2, 8, privacy=1)
    inputs = np.array([[1.0, 2.0], [-1.0, 0.5]])
    first = code.encode(inputs, rng=np.random.default_rng(1))
    assert np.abs(first - code.encode(inputs, rng=np.random.default_rng(2))).min() > 0
    decoded = code.decode({w: first[w] ** 2 for w in (0, 2, 3, 5, 6)}, degree=2)
    assert decoded == pytest.approx(inputs**2, abs=1e-12)
    with pytest.raises(InputError, match="privacy=1 needs random inputs"):
        code.encode(inputs)
    with pytest.raises(InputError, match="worker 1 would get part 0 as it is"):
        LagrangeCode(2, 7, privacy=1)


def test_the_collapse_and_what_has_none() -> None:
    rows = collapse_table(computation("square"), parts=(2, 16, 32), trials=5)
    assert rows[0].textbook_error < 1e-12
    assert rows[1].condition > 1e12
    assert rows[2].textbook_error > 1
    assert rows[2].lagrange_amplification > 300 * rows[2].berrut_amplification
    assert max(row.berrut_error for row in rows) < 0.6
    single = collapse_table(computation("square"), parts=(64,), trials=3, dtype="float32")
    assert single[0].lagrange_error > single[0].berrut_error
    with pytest.raises(InputError, match="no polynomial"):
        collapse_table(computation("sin"), parts=(2,))
    with pytest.raises(InputError, match="share=1"):
        collapse_table(computation("square"), parts=(2,), share=1.0)


# --- Lagrange over GF(p) --------------------------------------------------------------------

PRIME = 1009


def cubed(value: Any) -> Any:
    return (value**3 + 5 * value + 7) % PRIME


@pytest.mark.parametrize("privacy", [0, 2])
def test_exact_over_a_field_with_liars(privacy: int) -> None:
    degree, adversaries = 3, 2
    workers = workers_needed(3, degree, stragglers=2, adversaries=adversaries, privacy=privacy)
    code = FieldLagrangeCode(3, workers, PRIME, privacy=privacy)
    rng = np.random.default_rng(privacy)
    inputs = rng.integers(0, PRIME, size=(3, 2, 2))
    results = cubed(code.encode(inputs))
    kept = sorted(rng.permutation(workers)[: workers - 2].tolist())
    lies = rng.permutation(kept)[:adversaries].tolist()
    given = {w: results[w].copy() for w in kept}
    for number, liar in enumerate(lies):  # each lies in a coordinate of its own
        given[liar][number % 2, 0] = (given[liar][number % 2, 0] + 1) % PRIME
    found = code.correct(given, degree=degree, adversaries=adversaries)
    assert (found.values == cubed(inputs)).all()
    assert found.liars == tuple(sorted(lies))
    assert (code.decode(given, degree=degree) == cubed(inputs)).all()


def test_arithmetic_is_that_of_galois() -> None:
    """With galois in plain Python, which compiles nothing."""
    import galois

    field = galois.GF(PRIME, compile="python-calculate")
    rng = np.random.default_rng(6)
    nodes, at = rng.permutation(PRIME)[:7], rng.permutation(PRIME)[:5]
    values = rng.integers(0, PRIME, size=(7, 2))
    matrix = interpolation_mod(nodes, at, PRIME)
    found = product_mod(matrix, values, PRIME)
    for column in range(2):
        polynomial = galois.lagrange_poly(field(nodes), field(values[:, column]))
        assert np.asarray(polynomial(field(at))).tolist() == found[:, column].tolist()
    whole = FieldLagrangeCode(3, 5, PRIME).encoding
    assert (
        np.asarray(field(whole) @ field(values[:3])) == product_mod(whole, values[:3], PRIME)
    ).all()


def test_products_do_not_overflow() -> None:
    prime = 2**31 - 1
    rows = np.full((40, 1), prime - 1)
    assert product_mod(np.full((1, 40), prime - 1), rows, prime).tolist() == [[40]]


def test_fewer_results_than_needed_or_more_liars() -> None:
    code = FieldLagrangeCode(3, 12, PRIME)
    inputs = np.array([1, 2, 3])
    results = dict(enumerate(code.encode(inputs) ** 2 % PRIME))
    with pytest.raises(InputError, match="4 results; degree 2 with 0 liars needs 5"):
        code.decode({w: results[w] for w in range(4)}, degree=2)
    with pytest.raises(InputError, match="6 results; degree 2 with 1 liars needs 7"):
        code.correct({w: results[w] for w in range(6)}, degree=2, adversaries=1)
    rng = np.random.default_rng(0)
    wild = {w: int(rng.integers(PRIME)) for w in range(12)}
    with pytest.raises(InputError, match="more than 3 of 12 results are wrong"):
        code.correct(wild, degree=2)
    results[4] = (results[4] + 1) % PRIME
    with pytest.raises(InputError, match="more than 0 of 12"):
        code.correct(results, degree=2, adversaries=0)


def test_what_colluding_workers_see_does_not_depend_on_the_inputs() -> None:
    """All T² outcomes of the random inputs, for every pair of workers and different inputs."""
    code = FieldLagrangeCode(2, 4, 11, privacy=2)
    for inputs in ((0, 0), (3, 10)):
        seen: dict[tuple[int, int], Counter[tuple[int, int]]] = {}
        for noise in product(range(11), repeat=2):
            coded = code.encoding @ np.array([*inputs, *noise]) % 11
            for pair in combinations(range(4), 2):
                seen.setdefault(pair, Counter())[int(coded[pair[0]]), int(coded[pair[1]])] += 1
        for counts in seen.values():
            assert len(counts) == 121
            assert set(counts.values()) == {1}


def test_random_inputs_are_drawn_from_the_whole_field() -> None:
    code = FieldLagrangeCode(1, 3, 5, privacy=1)
    shares = code.encode(np.zeros((1, 4000), dtype=int))
    counts = np.bincount(shares[0], minlength=5)
    assert counts.min() > 600  # 800 expected; the chance of failure is below 10⁻¹⁴
    again = [code.encode([1], rng=np.random.default_rng(3)).tolist() for _ in range(2)]
    assert again[0] == again[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"prime": 12}, "p=12 is no prime"),
        ({"prime": 7}, "too few elements"),
        ({"prime": 2**31 + 11}, "at most 2147483647"),
        ({"parts": 0}, "parts=0"),
        ({"privacy": -1}, "privacy=-1"),
    ],
    ids=str,
)
def test_wrong_fields(arguments: dict[str, int], message: str) -> None:
    with pytest.raises((InputError, LimitError), match=message):
        FieldLagrangeCode(**{"parts": 3, "workers": 5, "prime": 101, **arguments})


def test_wrong_elements() -> None:
    code = FieldLagrangeCode(2, 5, 101)
    for inputs, message in (
        ([1, 101], "inputs beyond 0 to 100"),
        ([1.5, 2.0], "expected whole numbers"),
        ([1, 2, 3], "expected one for each of 2 parts"),
        ([[1], [2, 3]], "no array"),
    ):
        with pytest.raises(InputError, match=message):
            code.encode(inputs)
    for results, message in (
        ([(1, 2), (1, 2)], "two results"),
        ({1: [2], 2: [3, 4]}, "worker 2: another shape"),
        ({5: 1}, "unknown worker 5"),
        ({}, "no result"),
    ):
        with pytest.raises(InputError, match=message):
            code.decode(results, degree=1)


# --- products and repetition ----------------------------------------------------------------


@pytest.mark.parametrize("rows", [1, 5, 6, 7])
def test_products_from_any_k_workers(rows: int) -> None:
    rng = np.random.default_rng(rows)
    left, right = rng.normal(size=(rows, 4)), rng.normal(size=(4, 3))
    code = MdsProduct(3, 6)
    results = [block @ right for block in code.encode(left)]
    assert code.threshold == 3
    for kept in combinations(range(6), 3):
        found = code.decode({w: results[w] for w in kept}, rows=rows)
        assert found == pytest.approx(left @ right, abs=1e-12)
    with pytest.raises(InputError, match="2 results"):
        code.decode({0: results[0], 1: results[1]}, rows=rows)
    with pytest.raises(InputError, match="rows=99"):
        code.decode(dict(enumerate(results)), rows=99)
    with pytest.raises(InputError, match="expected rows and columns"):
        code.encode(right[0])


def test_repetition() -> None:
    code = RepetitionCode(3, 7)
    inputs = sample_inputs(3, 2)
    coded = code.encode(inputs)
    assert (code.decode({w: coded[w] for w in (4, 6, 5)}) == inputs).all()
    with pytest.raises(InputError, match="parts 1, 2: no holder has returned"):
        code.decode({0: coded[0]})
    with pytest.raises(InputError, match="workers=2"):
        RepetitionCode(3, 2)
    xp = pytest.importorskip("array_api_strict", reason="array-api-strict is not installed")
    strict = code.encode(xp.asarray(inputs))
    assert (np.asarray(code.decode({w: strict[w, ...] for w in range(3)})) == inputs).all()


# --- errors against stragglers --------------------------------------------------------------


def test_errors_of_all_sets_are_those_of_a_loop() -> None:
    function, inputs, code = computation("xsin"), sample_inputs(3, 4, seed=2), BerrutCode(3, 7)
    found = computation_errors(code, function, inputs, stragglers=[0, 2])
    truth, results = function.apply(inputs), function.apply(code.encode(inputs))
    errors = [
        np.linalg.norm(code.decode({w: results[w] for w in kept}) - truth) / np.linalg.norm(truth)
        for kept in combinations(range(7), 5)
    ]
    assert (found.sets, found.complete, found.decoded) == ((1, 21), (True, True), (1.0, 1.0))
    assert found.mean[1] == pytest.approx(np.mean(errors))
    assert found.worst[1] == pytest.approx(max(errors))


def test_what_cannot_be_decoded_is_not_an_error() -> None:
    inputs = sample_inputs(3, 4)
    repetition = computation_errors(RepetitionCode(3, 6), computation("sin"), inputs)
    assert repetition.mean[:2] == (0.0, 0.0)
    assert repetition.decoded[:2] == (1.0, 1.0)
    assert 0 < repetition.decoded[2] < 1
    assert repetition.mean[4:] == (None, None)
    lagrange = computation_errors(LagrangeCode(3, 6), computation("square"), inputs)
    assert [value is None for value in lagrange.worst] == [False, False, True, True, True, True]
    none = computation_errors(LagrangeCode(3, 6), computation("sin"), inputs, stragglers=[0])
    assert none.decoded == (0.0,)
    assert label(RepetitionCode(3, 3)) == "uncoded (N=3, K=3)"
    assert label(BerrutCode(2, 3, degree=1)) == "Floater–Hormann, d=1 (N=3, K=2)"


def test_random_sets_are_the_same_for_all_codes_and_again() -> None:
    inputs = sample_inputs(4, 3)
    again = [
        computation_errors(
            BerrutCode(4, 30), computation("tanh"), inputs, stragglers=[9], trials=20, seed=5
        )
        for _ in range(2)
    ]
    assert again[0] == again[1]
    assert (again[0].sets, again[0].complete) == ((20,), (False,))


def test_every_named_function() -> None:
    for known in COMPUTATIONS.values():
        inputs = sample_inputs(2, 3, square=known.name == "gram")
        assert np.isfinite(known.apply(inputs)).all()
    for wrong, message in (
        ({"stragglers": [9]}, "stragglers=9; expected 0 to 8"),
        ({"trials": 0}, "trials=0"),
    ):
        with pytest.raises(InputError, match=message):
            computation_errors(BerrutCode(2, 9), computation("sin"), sample_inputs(2, 3), **wrong)
    with pytest.raises(InputError, match="no function is called 'sine'"):
        computation("sine")
    with np.errstate(over="ignore"), pytest.raises(InputError, match="NaN or infinite"):
        computation_errors(BerrutCode(2, 9), computation("exp"), 1e4 * np.ones((2, 1)))
