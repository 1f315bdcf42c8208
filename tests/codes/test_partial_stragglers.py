"""Partial stragglers: the identities of the two-message scheme, and its sums."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gcdesign.codes import partial_scheme
from gcdesign.codes.partial import private_parts
from gcdesign.errors import InputError


@pytest.mark.parametrize(
    ("n", "s", "n1", "parts", "load", "share", "full"),
    [
        (12, 1, 2, 36, 4, "1/9", "1/6"),
        (12, 2, 3, 48, 6, "1/8", "1/4"),
        (10, 4, 5, 60, 10, "1/6", "1/2"),
    ],
)
@pytest.mark.parametrize("coding", ["cyclic", "repetition"])
def test_values_of_the_paper(
    n: int, s: int, n1: int, parts: int, load: int, share: str, full: str, coding: Any
) -> None:
    scheme = partial_scheme(n, s, 2, coding=coding)
    assert (scheme.private, scheme.parts, scheme.load) == (n1, parts, load)
    assert (str(scheme.load_fraction), str(scheme.full_straggler_fraction)) == (share, full)


@given(st.integers(1, 6), st.integers(0, 5), st.integers(1, 12))
def test_identities(groups: int, s: int, n1: int) -> None:
    n = groups * (s + 1)
    alpha = 1 + Fraction(s + 1, n1)
    assert private_parts(s, alpha) == n1
    scheme = partial_scheme(n, s, alpha, coding="repetition")
    assert scheme.parts == n * (n1 + 1) == scheme.placement.parts
    assert scheme.load == n1 + s + 1 == scheme.placement.load
    # A worker α times slower does its private parts while another does all of its own.
    assert n1 * scheme.alpha == scheme.load
    assert scheme.alpha == Fraction(scheme.load, scheme.load - s - 1)
    assert scheme.load_fraction == scheme.alpha * (s + 1) / (n * (s + scheme.alpha))
    assert scheme.full_straggler_fraction == Fraction(s + 1, n)
    assert Fraction(1, n) <= scheme.load_fraction <= scheme.full_straggler_fraction
    private, coded = (
        scheme.placement.replications[: n * n1],
        scheme.placement.replications[n * n1 :],
    )
    assert (private == 1).all()
    assert (coded == s + 1).all()
    assert Fraction(n1, scheme.parts) == Fraction(1, n) / (1 + Fraction(1, n1))


def test_between_the_extremes() -> None:
    """Towards α = 1 a worker holds 1/N of the data, and towards infinity (S + 1)/N."""
    shares = [partial_scheme(12, 2, 1 + Fraction(3, n1)).load_fraction for n1 in range(1, 200)]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] < Fraction(3, 12)
    assert float(shares[-1]) == pytest.approx(1 / 12, rel=0.02)


@pytest.mark.parametrize("coding", ["cyclic", "repetition"])
def test_sums_with_any_second_messages_missing(coding: Any) -> None:
    scheme = partial_scheme(6, 2, Fraction(5, 2), coding=coding)
    assert scheme.private == 2
    gradients = np.random.default_rng(0).normal(size=(18, 3))
    first, second = scheme.first_messages(gradients), scheme.second_messages(gradients)
    assert first == pytest.approx(
        np.array([gradients[2 * i] + gradients[2 * i + 1] for i in range(6)])
    )
    for s in range(3):
        for missing in combinations(range(6), s):
            late = second.copy()
            late[list(missing)] = np.nan
            found = scheme.gradient(first, late, missing=missing)
            assert found == pytest.approx(gradients.sum(axis=0), abs=1e-9)


def test_what_workers_send_is_of_parts_that_they_hold() -> None:
    scheme = partial_scheme(5, 1, 3, seed=4)
    for worker in range(5):
        others = np.setdiff1d(np.arange(scheme.parts), scheme.placement.design.block(worker))
        gradients = np.ones(scheme.parts)
        sent = scheme.first_messages(gradients)[worker], scheme.second_messages(gradients)[worker]
        gradients[others] = 100
        again = scheme.first_messages(gradients)[worker], scheme.second_messages(gradients)[worker]
        assert sent == pytest.approx(again)


def test_repetition_waits_for_one_of_each_group_only() -> None:
    scheme = partial_scheme(6, 2, 4, coding="repetition")
    gradients = np.arange(12.0)
    first, second = scheme.first_messages(gradients), scheme.second_messages(gradients)
    assert scheme.gradient(first, second, missing=[0, 1, 4, 5]) == pytest.approx(66)
    with pytest.raises(InputError, match=r"workers \[0, 1, 2\] are missing and the sum is lost"):
        scheme.gradient(first, second, missing=[0, 1, 2])


@pytest.mark.parametrize(
    ("s", "alpha", "message"),
    [
        (
            2,
            Fraction(11, 5),
            r"need 5/2 private .* alpha=5/2 \(2 private\) or alpha=2 \(3 private\)",
        ),
        (1, Fraction(5), r"need 1/2 private parts a worker; the nearest: alpha=3 \(1 private\)$"),
        (2, Fraction(1), r"^alpha=1; expected more than 1"),
        (2, Fraction(1, 2), r"^alpha=1/2; expected more than 1"),
        (-1, Fraction(2), r"^stragglers=-1; expected 0 or more$"),
    ],
)
def test_alpha_without_a_whole_number(s: int, alpha: Fraction, message: str) -> None:
    with pytest.raises(InputError, match=message):
        private_parts(s, alpha)


@given(st.integers(0, 8), st.fractions(Fraction(41, 40), 12, max_denominator=40))
def test_the_nearest_choices_are_feasible_and_nearest(s: int, alpha: Fraction) -> None:
    try:
        exact = private_parts(s, alpha)
    except InputError as error:
        nearest = str(error).partition("nearest: ")[2].split(" or ")
        offered = [Fraction(text.split("=")[1].split(" ")[0]) for text in nearest]
        counts = [private_parts(s, choice) for choice in offered]
        real = (s + 1) / (alpha - 1)
        assert counts == [n for n in (int(real), int(real) + 1) if n]
        assert offered[-1] < alpha
    else:
        assert exact * alpha == exact + s + 1


def test_other_bad_input() -> None:
    for arguments, message in (
        ((6, 6, 8), "stragglers=6; expected 0 to 5"),
        ((7, 2, 2), "nearest: workers=6 or workers=9"),
    ):
        with pytest.raises(InputError, match=message):
            partial_scheme(*arguments, coding="repetition")
    with pytest.raises(InputError, match="coding='frc'"):
        partial_scheme(6, 2, 2, coding="frc")  # type: ignore[arg-type]
    for alpha in (float("nan"), float("inf")):
        with pytest.raises(InputError, match="alpha="):
            partial_scheme(6, 2, alpha)
    assert partial_scheme(6, 2, 1.5).alpha == Fraction(3, 2)
    with pytest.raises(InputError, match="expected one for each of 24 parts"):
        partial_scheme(6, 2, 2).first_messages(np.ones(23))
