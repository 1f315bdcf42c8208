"""The best degrees against reference optima, grids and a second search; the bound on all codes."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.codes.ldgm.crosscheck import differential_evolution
from gcdesign.codes.ldgm.ensemble import Ensemble
from gcdesign.codes.ldgm.evolution import evolve
from gcdesign.codes.ldgm.gains import gains
from gcdesign.codes.ldgm.limit import envelope, jensen_bound, limit
from gcdesign.codes.ldgm.optimise import Objective, optimise
from gcdesign.codes.times import parse_time
from gcdesign.designs.ensembles.degrees import Degrees, parse_degrees
from gcdesign.errors import InputError

DATA = Path(__file__).parents[2] / "data" / "ldgm_reference_values.json"
REFERENCE: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
OPTIMA = REFERENCE["horii_optima"]
HALF = Fraction(1, 2)


@pytest.mark.parametrize("case", OPTIMA, ids=lambda case: f"mu={case['mu']},dv={case['dv']}")
def test_at_least_as_good_as_the_reference(case: dict[str, Any]) -> None:
    found = optimise(
        parse_time(f"exp:rate={case['mu']}"),
        1.0,
        copies=case["dv"],
        largest=case["dmax"],
        objective="edge",
    )
    assert found.value <= case["x"] + 1e-5
    assert found.lower <= found.value <= found.lower * (1 + 1e-5)
    assert found.ensemble.rate == HALF
    shares = dict(found.ensemble.loads.shares)
    for degree, share in case["R"].items():
        assert float(shares[int(degree)]) == pytest.approx(share, abs=1e-3)
    assert found.infimum == ("note" in case)


@pytest.mark.parametrize(("mu", "worst"), [(0.5, 0.5618), (1, 0.3617), (2, 0.0682)])
def test_over_all_degrees_of_the_parts(mu: float, worst: float) -> None:
    found = optimise(parse_time(f"exp:rate={mu}"), 1.0, objective="edge")
    assert found.value <= worst
    larger = optimise(parse_time(f"exp:rate={mu}"), 1.0, largest=20, objective="edge")
    assert larger.value <= found.value + 1e-9


def test_no_degrees_of_a_grid_are_better() -> None:
    """All shares of degrees 1 to 4 in steps of 1/40 that have the rate 1/2, by plain steps."""
    time, found = (
        parse_time("exp:rate=1.5"),
        optimise(parse_time("exp:rate=1.5"), 1.0, copies=3, largest=4, objective="edge"),
    )
    chances = [1 - exp(-1.5 / i) for i in range(1, 5)]
    tried = 0
    for third, fourth in product(range(41), repeat=2):
        # R_1 + … + R_4 = 1 and R_1 + 2R_2 + 3R_3 + 4R_4 = 3/2, in units of 1/40.
        second = 20 - 2 * third - 3 * fourth
        first = 40 - second - third - fourth
        if min(first, second) < 0:
            continue
        nodes = [first, second, third, fourth]
        rho = [i * n / 60 for i, n in enumerate(nodes, start=1)]
        x = 1.0
        for _ in range(300):
            x = (
                1
                - sum(
                    r * f * (1 - x) ** i for i, (r, f) in enumerate(zip(rho, chances, strict=True))
                )
            ) ** 2
        assert x >= found.lower - 1e-9
        tried += 1
    assert tried > 40
    assert evolve(found.ensemble, time, 1.0).edge_erasure == pytest.approx(found.value)


def test_differential_evolution_agrees() -> None:
    time = parse_time("exp:rate=1")
    _, x = differential_evolution(time, 1.0, copies=3, largest=6, generations=40)
    found = optimise(time, 1.0, copies=3, largest=6, objective="edge")
    assert found.lower - 1e-9 <= x <= found.value + 1e-3


def test_a_given_irregular_distribution_of_parts() -> None:
    copies = parse_degrees("0.5x^2+0.5x^4")
    found = optimise(parse_time("exp:rate=2"), 1.0, copies=copies, largest=6, objective="edge")
    assert found.ensemble.copies == copies
    assert found.ensemble.rate == HALF
    assert found.lower <= found.value <= found.lower * (1 + 1e-4)


def test_a_start_is_kept() -> None:
    found = optimise(parse_time("exp:rate=2"), 1.0, copies=5, objective="edge", start=0.01)
    assert float(dict(found.ensemble.loads.shares)[1]) >= 0.01 - 1e-9
    assert not found.infimum
    assert 0.0680 < found.value < 0.0700


# --- the bound --------------------------------------------------------------------------------


@pytest.mark.parametrize("mu", [0.5, 1, 2])
def test_memoryless_times_leave_nothing_to_win(mu: float) -> None:
    found = limit(parse_time(f"exp:rate={mu}"), 1.0, HALF, largest=30)
    reference = REFERENCE["horii_bound"][f"mu={mu}"]
    assert found.floor == pytest.approx(reference, rel=1e-12)
    assert found.uncoded == pytest.approx(reference, rel=1e-12)
    assert found.repetition == pytest.approx(reference, rel=1e-12)
    assert jensen_bound(mu, 1.0, 2) == pytest.approx(reference, rel=1e-12)
    assert not found.coding_can_win


LAWS = (
    "exp:rate=1.5",
    "shifted-exp:shift=0.1,rate=2",
    "exp:rate=1,work=0.1,scaled=no",
    "pareto:scale=0.2,shape=1.1",
    "weibull:scale=0.5,shape=0.5",
    "weibull:scale=0.5,shape=2",
)


@given(
    st.sampled_from(LAWS),
    st.dictionaries(st.integers(1, 8), st.integers(1, 9), min_size=1, max_size=4),
    st.dictionaries(st.integers(1, 6), st.integers(1, 9), min_size=1, max_size=3),
)
@settings(max_examples=150, deadline=None)
def test_no_ensemble_passes_the_bound(
    law: str, loads: dict[int, int], copies: dict[int, int]
) -> None:
    r, v = (
        Degrees.from_table({d: Fraction(w, sum(t.values())) for d, w in t.items()})
        for t in (loads, copies)
    )
    ensemble, time = Ensemble(v, r), parse_time(law)
    bound = limit(time, 1.0, ensemble.rate, largest=8)
    assert evolve(ensemble, time, 1.0, seeded=True).unrecovered >= bound.floor * (1 - 1e-9)


def test_the_envelope_is_that_of_the_points() -> None:
    late = np.array([0.1, 0.5, 0.4, 0.9])
    points = [(1 / (i + 1), value) for i, value in enumerate(late)]
    for u in np.linspace(0.25, 1.0, 31):
        # The least mean of two points that lies at u.
        means = [
            b if a == u else (y * (u - a) + b * (x - u)) / (x - a)
            for a, b in points
            for x, y in points
            if a <= u <= x and (a < x or a == u)
        ]
        assert envelope(late, float(u)) == pytest.approx(min(means))


def test_where_nobody_or_hardly_anybody_answers() -> None:
    """No degrees recover anything; with rate μ → 0 the best is repetition, exp(−2μ) at rate 1/2."""
    nobody = optimise(parse_time("fixed:time=5"), 1.0, largest=4)
    assert (nobody.value, nobody.lower, nobody.limit.floor) == (1, 1, 1)
    assert nobody.ensemble.rate == HALF
    stuck = optimise(parse_time("exp:rate=9,scaled=no"), 1.0, rate=Fraction(1), largest=4, copies=4)
    assert str(stuck.ensemble.loads) == "x^4"  # nothing else has mean load 4, and it never starts
    assert (stuck.value, stuck.lower, stuck.infimum) == (1, 1, False)
    with pytest.raises(InputError, match=r"^start=0.1: no degrees of this rate"):
        optimise(parse_time("exp:rate=9"), 1.0, rate=Fraction(1), largest=4, copies=4, start=0.1)
    hardly = optimise(parse_time("exp:rate=1e-7"), 1.0, largest=4)
    assert hardly.value == pytest.approx(exp(-2e-7), abs=1e-12)
    [early] = gains([parse_time("pareto:scale=0.2,shape=1.2")], (0.1,), largest=3)
    assert (early.coded, early.verdict) == (1, "no code wins")


def test_where_coding_wins() -> None:
    laws = [parse_time(law) for law in (LAWS[0], LAWS[1], LAWS[2], LAWS[3])]
    verdicts = [one.verdict for one in gains(laws, largest=5)]
    assert verdicts == ["no code wins", "no code wins", "coding wins", "coding wins"]
    assert [one.verdict for one in gains([laws[2]], (0.3, 2.0), largest=3)] == ["coding wins"] * 2


# --- wrong input ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rate": Fraction(0)}, "^rate=0; expected more than 0$"),
        ({"largest": 0}, "^largest degree 0; expected 1 to 200$"),
        ({"copies": 1}, "^parts of degree 1 are not coded"),
        ({"copies": 3, "largest": 1}, "need workers of mean degree 1.5; expected 1 to 1$"),
        ({"objective": "both"}, "^objective='both'; expected unrecovered or edge$"),
        ({"start": 2.0}, "^start=2.0; expected a share"),
        ({"start": 1.0, "copies": 4}, "no degrees of this rate have so many workers of degree 1"),
        ({"rate": Fraction(1, 100), "largest": 1}, "leaves no degree of the parts"),
    ],
)
def test_refusals(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        optimise(parse_time("exp:rate=1"), 1.0, **options)


def test_refusals_of_the_bound() -> None:
    time = parse_time("exp:rate=1")
    for rate, largest, deadline in ((Fraction(0), 3, 1.0), (HALF, 0, 1.0), (HALF, 3, -1.0)):
        with pytest.raises(InputError, match="expected"):
            limit(time, deadline, rate, largest=largest)
    with pytest.raises(InputError, match=r"workers of mean degree 1.5; expected 1 to 1"):
        differential_evolution(time, 1.0, copies=3, largest=1)


def test_objectives_are_what_they_say() -> None:
    time = parse_time("exp:rate=2")
    kinds: tuple[Objective, ...] = ("edge", "unrecovered")
    edge, parts = (optimise(time, 1.0, largest=6, objective=kind) for kind in kinds)
    assert edge.evolution.edge_erasure <= parts.evolution.edge_erasure
    assert parts.evolution.unrecovered <= edge.evolution.unrecovered
    assert parts.evolution.unrecovered == pytest.approx(exp(-4), rel=1e-9)
    assert parts.gain == pytest.approx(0, abs=1e-12)
