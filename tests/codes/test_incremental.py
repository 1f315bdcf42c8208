"""The incremental decoder against decoding anew, and collecting until it is enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gcdesign.codes import GradientCode, IncrementalDecoder, collect, load_code
from gcdesign.errors import InputError, LimitError

LeastError = Callable[[Sequence[Sequence[Any]], int], Fraction]
QUIET = settings(max_examples=60, deadline=None, derandomize=True)


@QUIET
@given(st.integers(0, 10**6))
@example(557184)  # a worker apart from the others by 10⁻⁸ of its length
@example(1642)
def test_workers_come_and_go(least_error: LeastError, seed: int) -> None:
    rng = np.random.default_rng(seed)
    workers, parts = rng.integers(1, 11, 2)
    matrix = (rng.random((workers, parts)) < 0.4) * (
        1.0 if seed % 2 else rng.choice([-1.0, 0.5, 2.0, 1e4], size=(workers, parts))
    )
    decoder = IncrementalDecoder(GradientCode.from_matrix(matrix))
    here: set[int] = set()
    for _ in range(25):
        worker = int(rng.integers(workers))
        if worker in here:
            here.remove(worker)
            error = decoder.leave(worker)
        else:
            here.add(worker)
            error = decoder.arrive(worker)
        expected = float(least_error(matrix[sorted(here)].tolist(), int(parts)))
        decoding = decoder.decoding()
        assert error == decoder.error == pytest.approx(expected, abs=1e-4)
        assert abs(decoding.error - expected) <= decoding.tolerance + 1e-9
        assert decoding.tolerance < 1e-3
        assert decoder.arrived == tuple(sorted(here))
        assert decoding.silenced == tuple(w for w in range(workers) if w not in here)
        for weights in (decoder.weights(), decoding.weights):
            assert set(np.flatnonzero(weights).tolist()) <= here
            residual = matrix.T @ weights - 1
            if decoding.method == "incremental Cholesky":
                assert residual @ residual == pytest.approx(expected, abs=1e-7)


def test_closed_forms_come_out_on_the_way() -> None:
    code = load_code("ag:q=4")
    rng = np.random.default_rng(3)
    order = rng.permutation(code.workers)
    errors = IncrementalDecoder(code).arrive_all(order.tolist())
    for heard, error in enumerate(errors, start=1):
        exact = code.decode(order[heard:]).error
        assert error == pytest.approx(exact, abs=1e-9)


def test_nearly_dependent_workers_are_told_in_the_tolerance() -> None:
    """Rows that differ by 10⁻⁷: the error lies within the tolerance of what is found."""
    matrix = np.array([[1.0, 1, 0], [1, 1 + 1e-7, 0], [0, 0, 1]])
    decoder = IncrementalDecoder(GradientCode.from_matrix(matrix))
    decoder.arrive_all([0, 1, 2])
    decoding = decoder.decoding()
    assert decoding.error - decoding.tolerance <= 0 <= decoding.error + decoding.tolerance


def test_wrong_arrivals() -> None:
    decoder = IncrementalDecoder(load_code("pg:q=2"))
    decoder.arrive(3)
    for wrong in (3, 7, -1):
        with pytest.raises(InputError):
            decoder.arrive(wrong)
    with pytest.raises(InputError, match="not here"):
        decoder.leave(0)


def test_too_many_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gcdesign.codes.incremental.MAX_WORKERS", 6)
    with pytest.raises(LimitError):
        IncrementalDecoder(load_code("pg:q=2"))


@pytest.mark.parametrize(
    ("most", "error", "heard", "lost", "enough"),
    [
        (None, 0.0, [0, 1, 4, 3, 8], 0, True),
        (4, 0.0, [0, 1, 4, 3], 3, False),
        (None, 3.0, [0, 1, 4], 3, True),
        (0, 0.0, [], 9, False),
        (None, 9.0, [], 9, True),
    ],
)
def test_collecting(
    most: int | None, error: float, heard: list[int], lost: int, enough: bool
) -> None:
    """Groups {0,1,2}, {3,4,5}, {6,7,8}: each new group takes 3 off the error."""
    code = load_code("frc:workers=9,stragglers=2")
    found = collect(code, [0, 1, 4, 3, 8, 7, 2], most=most, error=error)
    assert (list(found.heard), found.decoding.error, found.enough) == (heard, lost, enough)


def test_collecting_nothing_more_when_the_arrivals_end() -> None:
    found = collect(load_code("uncoded:workers=3"), [2, 0])
    assert (found.heard, found.enough) == ((2, 0), False)
    assert found.decoding.error_exact == 1
    with pytest.raises(InputError, match="most"):
        collect(load_code("pg:q=2"), [0], most=-1)
    with pytest.raises(InputError, match="error"):
        collect(load_code("pg:q=2"), [0], error=-1)
    with pytest.raises(InputError, match="already"):
        collect(load_code("pg:q=2"), [0, 0])
