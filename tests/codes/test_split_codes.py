"""Ye–Abbe codes: short messages, decoded exactly, with the load that theory asks for."""

from __future__ import annotations

from itertools import combinations
from math import ceil

import numpy as np
import pytest

from gcdesign.codes import SplitCode, load_code, ye_abbe
from gcdesign.codes.split import spread_points
from gcdesign.errors import InputError


@pytest.mark.parametrize(
    ("n", "s", "m"), [(7, 2, 2), (7, 2, 1), (5, 0, 3), (6, 3, 3), (8, 1, 4), (4, 3, 1), (9, 2, 3)]
)
def test_every_set_of_stragglers(n: int, s: int, m: int) -> None:
    code = ye_abbe(n, s, pieces=m)
    assert code.placement.load == s + m
    gradients = np.random.default_rng(0).normal(size=(n, 11))
    messages = code.encode(gradients)
    assert messages.shape == (n, ceil(11 / m))
    for gone in combinations(range(n), s):
        decoding = code.decode(gone)
        assert decoding.error < 1e-18
        assert decoding.notice is None
        assert decoding.condition < 1e5
        assert not decoding.weights[:, list(gone)].any()
        spoilt = messages.copy()
        spoilt[list(gone)] = np.nan
        found = code.gradient(spoilt, silenced=gone, length=11)
        assert found == pytest.approx(gradients.sum(axis=0), abs=1e-9)


@pytest.mark.parametrize(("n", "s", "m"), [(7, 2, 2), (8, 2, 3), (6, 0, 2)])
def test_messages_are_values_of_one_polynomial(n: int, s: int, m: int) -> None:
    """Its degree is below N − S, and its m leading coefficients are the pieces of the sum."""
    code = ye_abbe(n, s, pieces=m)
    gradients = np.random.default_rng(1).normal(size=(n, m))
    values = code.encode(gradients)[:, 0]
    powers = np.vander(spread_points(n), increasing=True)
    coefficients = np.linalg.solve(powers, values)
    assert coefficients[n - s :] == pytest.approx(np.zeros(s), abs=1e-9)
    assert coefficients[n - s - m : n - s] == pytest.approx(gradients.sum(axis=0), abs=1e-9)


def test_workers_send_nothing_of_parts_that_they_do_not_hold() -> None:
    code = ye_abbe(7, 2, pieces=2)
    held = code.placement.design.dense_incidence().astype(bool)
    assert (code.coefficients.any(axis=2) == held).all()


def test_one_piece_is_a_gradient_code() -> None:
    split, code = ye_abbe(8, 3), load_code("ye-abbe:workers=8,stragglers=3")
    assert split.coefficients[:, :, 0] == pytest.approx(code.dense_encoding())
    assert code.decode([0, 3, 7]).error < 1e-20


def test_no_smaller_load_decodes() -> None:
    """d ≥ S + m: with one straggler more than d − m the pieces are lost."""
    code = ye_abbe(7, 2, pieces=2)
    decoding = code.decode([0, 1, 2])
    assert decoding.error > 0.1
    assert decoding.notice is not None
    assert "3 workers are silent" in decoding.notice
    assert code.decode(range(7)).error == pytest.approx(14)
    assert code.decode(range(7)).condition == float("inf")


def test_random_stragglers_of_larger_codes() -> None:
    rng = np.random.default_rng(4)
    for n, s, m in ((20, 4, 4), (30, 3, 3), (100, 3, 2)):
        code = ye_abbe(n, s, pieces=m)
        for _ in range(3):
            decoding = code.decode(rng.choice(n, s, replace=False).tolist())
            assert decoding.error < 1e-18


@pytest.mark.parametrize(
    ("n", "s", "m", "message"),
    [
        (7, 2, 0, r"^pieces=0; expected 1 or more$"),
        (7, 7, 1, r"^stragglers=7; expected 0 to 6"),
        (7, -1, 1, r"^stragglers=-1; expected 0 to 6"),
        (0, 0, 1, r"^workers=0; expected 1 or more$"),
        (7, 4, 4, r"^stragglers\+pieces=8 .* nearest: pieces=3 or stragglers=3$"),
    ],
)
def test_bad_input(n: int, s: int, m: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        ye_abbe(n, s, pieces=m)


def test_shapes_are_checked() -> None:
    code = ye_abbe(5, 1, pieces=2)
    assert isinstance(code, SplitCode)
    for wrong in (np.ones(5), np.ones((4, 2)), np.ones((5, 2, 2))):
        with pytest.raises(InputError, match="expected a row for each of 5 parts"):
            code.encode(wrong)
    with pytest.raises(InputError):
        code.decode([5])
