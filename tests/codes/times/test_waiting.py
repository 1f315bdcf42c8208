"""Mean waiting times: held against closed forms and enumeration that share no code with them."""

from __future__ import annotations

from itertools import product
from math import gamma, inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.codes.times import Fixed, LoadTime, Recorded, expected_wait, parse_time
from gcdesign.errors import InputError, LimitError


@pytest.mark.parametrize(("rate", "wait"), [(0.5, 10.120), (1, 5.060), (2, 2.530)])
def test_the_waits_of_horii_with_one_straggler(rate: float, wait: float) -> None:
    # N = 240 workers, one part each, s = 1: (H_240 − H_1)/μ. The paper prints H_239/μ.
    time = parse_time(f"exp:rate={rate}")
    assert expected_wait(time, [1] * 240, 239).value == pytest.approx(wait, abs=5e-4)
    assert expected_wait(time, [1] * 239, 239).value == pytest.approx(6.056 / rate, abs=1.1e-3)


def test_different_exponential_rates_by_inclusion_and_exclusion() -> None:
    # Loads 1, 2, 4 scale the rates to 1, 1/2, 1/4: E[max] = Σ 1/λ_A over sets A with signs.
    rates = [1, 1 / 2, 1 / 4]
    greatest = sum(
        (-1) ** (sum(a) + 1) / sum(r for r, chosen in zip(rates, a, strict=True) if chosen)
        for a in product((0, 1), repeat=3)
        if any(a)
    )
    time = parse_time("exp:rate=1")
    assert expected_wait(time, [1, 2, 4], 3).value == pytest.approx(greatest, rel=1e-9)
    assert expected_wait(time, [1, 2, 4], 1).value == pytest.approx(1 / 1.75, rel=1e-9)


@pytest.mark.parametrize("shape", [1.05, 1.5, 4])
def test_order_statistics_of_pareto_times(shape: float) -> None:
    # E X_(k:n) = Γ(n+1) Γ(n−k+1−1/a) / (Γ(n−k+1) Γ(n+1−1/a)).
    time = parse_time(f"pareto:scale=1,shape={shape}")
    for n, k in ((1, 1), (5, 3), (9, 9)):
        expected = gamma(n + 1) * gamma(n - k + 1 - 1 / shape)
        expected /= gamma(n - k + 1) * gamma(n + 1 - 1 / shape)
        assert expected_wait(time, [1] * n, k).value == pytest.approx(expected, rel=1e-7)


def test_a_mean_that_does_not_exist_is_infinite() -> None:
    time = parse_time("pareto:scale=1,shape=0.5")
    assert expected_wait(time, [1] * 4, 3).value == inf
    assert expected_wait(time, [1] * 4, 2).value < inf


def test_the_least_of_weibull_times() -> None:
    time = parse_time("weibull:scale=1,shape=0.5,work=2,scaled=no")
    assert expected_wait(time, [3] * 9, 1).value == pytest.approx(6 + gamma(3) / 81, rel=1e-9)


@settings(max_examples=30, deadline=None)
@given(
    times=st.lists(st.integers(0, 6), min_size=1, max_size=3),
    loads=st.lists(st.integers(0, 3), min_size=1, max_size=4),
    needed=st.integers(0, 4),
    work=st.sampled_from([0.0, 0.5]),
    scaled=st.booleans(),
)
def test_recorded_times_by_enumeration(
    times: list[int], loads: list[int], needed: int, work: float, scaled: bool
) -> None:
    needed = min(needed, len(loads))
    total = 0.0
    for drawn in product(times, repeat=len(loads)):
        done = sorted(
            (work + x) * load if scaled else (work * load + x) * (load > 0) or 0.0
            for x, load in zip(drawn, loads, strict=True)
        )
        total += done[needed - 1] if needed else 0.0
    mean = total / len(times) ** len(loads)
    time = LoadTime(Recorded(tuple(map(float, times))), work=work, scaled=scaled)
    assert expected_wait(time, loads, needed).value == pytest.approx(mean, abs=1e-9)


def test_many_workers_and_different_loads_together() -> None:
    time = parse_time("shifted-exp:shift=1,rate=1")
    wait = expected_wait(time, [1] * 1000 + [2] * 1000, 1500)
    # Half way through its tail the 1500th of 2000 is sharply concentrated: F(t) + F(t/2) = 3/2.
    low, high = 1.0, 20.0
    for _ in range(60):
        t = (low + high) / 2
        reached = sum(float(time.cdf(t, load)) for load in (1, 2)) >= 1.5
        low, high = (low, t) if reached else (t, high)
    assert wait.value == pytest.approx(low, rel=2e-3)


def test_wrong_questions_are_refused() -> None:
    time = LoadTime(Fixed(1))
    with pytest.raises(InputError, match="needed=3; expected 0 to 2"):
        expected_wait(time, [1, 1], 3)
    with pytest.raises(InputError, match="load -1"):
        expected_wait(time, [1, -1], 1)
    with pytest.raises(LimitError, match="20001 workers"):
        expected_wait(time, [1] * 20001, 1)
