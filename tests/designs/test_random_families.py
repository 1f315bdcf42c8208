"""Random placements: what the seed fixes, exact degrees, and laws within Monte Carlo error.

Every sample here is fixed by seeds, so these tests pass or fail the same way each time.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from gcdesign.designs import BlockDesign, build, family, parse_spec
from gcdesign.designs.graphs.catalogue import graph
from gcdesign.designs.graphs.regular import random_incidences
from gcdesign.designs.randomness import Draws
from gcdesign.errors import InputError, LimitError

RANDOM = ("bgc", "ldgm", "rbgc", "regular", "sbm", "sgc", "soft")
ERRORS = 4.5
"""Standard errors that a seeded mean may be off."""


def dense(spec: str) -> NDArray[np.float64]:
    return build(parse_spec(spec)).dense_incidence().astype(np.float64)


def close(samples: list[float], expected: float) -> bool:
    """Whether the mean of the samples is within Monte Carlo error of what is expected."""
    spread = np.std(samples, ddof=1) / sqrt(len(samples))
    return abs(float(np.mean(samples)) - expected) <= ERRORS * float(spread)


# --- draws ------------------------------------------------------------------------------------


def test_the_streams_are_fixed_for_good() -> None:
    """From the raw bits of PCG64 that numpy promises to keep."""
    draws = Draws(7)
    assert draws.below(1000, 6).tolist() == FIXED_BELOW
    assert draws.permutation(6).tolist() == FIXED_PERMUTATION
    assert draws.binomial(10, 0.3, 6).tolist() == FIXED_BINOMIAL
    assert draws.subsets(5, np.array([2, 4, 0]))[1].tolist() == FIXED_SUBSETS


FIXED_BELOW = [625, 897, 775, 225, 300, 873]
FIXED_PERMUTATION = [0, 5, 4, 3, 2, 1]
FIXED_BINOMIAL = [2, 3, 3, 3, 7, 4]
FIXED_SUBSETS = [3, 4, 0, 2, 3, 4]


@pytest.mark.parametrize("size", [0, 1, 2, 3, 5, 6])
def test_all_subsets_of_one_size_are_equally_likely(size: int) -> None:
    count, population = 12_000, 6
    indptr, members = Draws(3).subsets(population, np.full(count, size, dtype=np.int64))
    assert indptr.tolist() == list(range(0, count * size + 1, size or 1))[: count + 1] or size == 0
    found = Counter(map(tuple, members.reshape(count, size).tolist()))
    expected = count / comb(population, size)
    assert set(found) == set(combinations(range(population), size))
    square = sum((n - expected) ** 2 / expected for n in found.values())
    freedom = comb(population, size) - 1
    assert square <= freedom + 5 * sqrt(2 * max(freedom, 1))


@pytest.mark.parametrize(("trials", "chance"), [(1, 0.5), (12, 0.25), (40, 0.9), (5000, 0.002)])
def test_binomial_numbers(trials: int, chance: float) -> None:
    drawn = Draws(5).binomial(trials, chance, 20_000)
    assert 0 <= drawn.min() <= drawn.max() <= trials
    most = Counter(drawn.tolist())
    for value, found in most.most_common(6):
        mass = comb(trials, value) * chance**value * (1 - chance) ** (trials - value)
        assert abs(found - 20_000 * mass) <= ERRORS * sqrt(20_000 * mass * (1 - mass))


def test_binomial_numbers_that_are_certain() -> None:
    assert Draws(0).binomial(9, 0.0, 3).tolist() == [0, 0, 0]
    assert Draws(0).binomial(9, 1.0, 3).tolist() == [9, 9, 9]
    assert Draws(0).binomial(0, 0.5, 3).tolist() == [0, 0, 0]
    with pytest.raises(InputError, match=r"^seed=-1; expected 0 or more$"):
        Draws(-1)


# --- all families -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", RANDOM)
def test_the_seed_decides(name: str) -> None:
    declared = family(name)
    designs = [declared.build({**declared.example, "seed": seed}) for seed in (1, 2, 3, 1)]
    assert designs[0] == designs[3]
    assert len({design.indices.tobytes() for design in designs}) == 3
    unnamed = {key: value for key, value in declared.example.items() if key != "seed"}
    made = declared.build(unnamed)
    assert made.provenance is not None
    assert made.provenance.values["seed"] == 0
    assert made == declared.build({**unnamed, "seed": 0})


@given(st.sampled_from(RANDOM), st.integers(1, 9), st.integers(1, 9), st.integers(0, 40), st.data())
@settings(max_examples=150, deadline=None)
def test_sizes_are_those_of_the_designs(
    name: str, workers: int, parts: int, seed: int, data: st.DataObject
) -> None:
    values: dict[str, int | str | tuple[int, ...]] = {
        "workers": workers,
        "parts": parts,
        "seed": seed,
    }
    if name in ("bgc", "rbgc", "regular"):
        values["load"] = data.draw(st.integers(1, parts))
    elif name == "ldgm":
        load = data.draw(st.integers(1, parts))
        values |= {"degrees": f"x^{load}", "copies": "uniform"}
    elif name == "soft":
        values["replication"] = data.draw(st.integers(1, workers))
    elif name == "sgc":
        one = st.integers(1, workers)
        values["replication"] = tuple(data.draw(st.lists(one, min_size=parts, max_size=parts)))
    else:
        groups = data.draw(
            st.sampled_from([g for g in (1, 2, 3) if not (workers % g or parts % g)])
        )
        inside = data.draw(st.integers(0, parts // groups))
        outside = data.draw(st.integers(0, parts - parts // groups))
        values |= {"groups": groups, "inside": inside, "outside": outside}
    declared = family(name)
    if name == "regular" and workers * int(str(values["load"])) % parts:
        with pytest.raises(InputError, match="is no multiple of parts"):
            declared.size_of(values)
        return
    design = declared.build(values)
    assert declared.size_of(values) == (design.v, design.b, design.incidences)
    assert BlockDesign(design.v, design.indptr, design.indices) == design  # checked in full


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("bgc:workers=0,load=1", r"^workers=0; expected 1 or more$"),
        ("bgc:workers=5,load=6", r"^load=6; expected 1 to 5 \(parts\)$"),
        ("rbgc:workers=5,load=0", r"^load=0; expected 1 to 5"),
        ("bgc:workers=5,load=2,parts=0", r"^parts=0; expected 1 or more$"),
        ("bgc:workers=5,load=2,seed=-1", r"^seed=-1; expected 0 or more$"),
        ("regular:workers=5,load=6", r"^load=6; expected 1 to 5 \(parts\)$"),
        ("regular:workers=5,load=2,seed=-1", r"^seed=-1; expected 0 or more$"),
        (
            "regular:workers=6,load=3,parts=4",
            r"^workers=6 times load=3 is no multiple of parts=4; the nearest: load=2 or load=4$",
        ),
        ("soft:workers=5,replication=6", r"^replication=6; expected 1 to 5 \(workers\)$"),
        ("sgc:workers=5,replication=1+6", r"^replication=6; expected 1 to 5 \(workers\)$"),
        ("sgc:workers=5,replication=1+2,parts=3", r"^2 replications for parts=3; expected 1 or 3"),
        ("sbm:workers=10,groups=3,inside=1,outside=1", r"the nearest: workers=9 or workers=12$"),
        (
            "sbm:workers=9,groups=3,inside=1,outside=1,parts=10",
            r"the nearest: parts=9 or parts=12$",
        ),
        ("sbm:workers=9,groups=3,inside=4,outside=1", r"^inside=4; expected 0 to 3"),
        ("sbm:workers=9,groups=3,inside=1,outside=7", r"^outside=7; expected 0 to 6"),
        ("sbm:workers=9,groups=0,inside=1,outside=7", r"^groups=0; expected 1 or more$"),
    ],
)
def test_refusals(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        build(parse_spec(spec))


@pytest.mark.parametrize(
    "spec",
    [
        "bgc:workers=99999999999,load=3",
        "bgc:workers=9000000,load=9000000",
        "regular:workers=900000,load=90000",
        "soft:workers=9000000,replication=9000",
        "sgc:workers=5,replication=2,parts=999999999999",
        "sbm:workers=3,groups=3,inside=1,outside=1,parts=999999999",
    ],
)
def test_too_large(spec: str) -> None:
    with pytest.raises(LimitError):
        build(parse_spec(spec))


# --- regular ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("workers", "load", "parts"),
    [(31, 6, 31), (8, 8, 8), (9, 8, 9), (12, 5, 10), (10, 6, 12), (6, 1, 3), (200, 20, 100)],
)
def test_regular_placements_are_biregular(workers: int, load: int, parts: int) -> None:
    for seed in range(4):
        values = {"workers": workers, "load": load, "parts": parts, "seed": seed}
        design = family("regular").build(values)
        assert set(design.block_sizes.tolist()) == {load}
        assert set(design.replication_numbers.tolist()) == {workers * load // parts}
        assert BlockDesign(design.v, design.indptr, design.indices) == design


def test_all_small_regular_placements_occur_about_equally_often() -> None:
    """The 90 matrices of side 4 with row and column sums 2; the law is close to uniform."""
    count = 2_700
    found = Counter(random_incidences(4, 4, 2, Draws(seed)).tobytes() for seed in range(count))
    assert len(found) == 90
    expected = count / 90
    assert sum((n - expected) ** 2 / expected for n in found.values()) <= 89 + 5 * sqrt(2 * 89)


@given(st.integers(1, 12), st.integers(0, 11), st.integers(0, 99))
@settings(max_examples=80, deadline=None)
def test_random_regular_graphs(n: int, degree: int, seed: int) -> None:
    if degree >= n or n * degree % 2:
        with pytest.raises(InputError):
            graph(f"regular:n={n},degree={degree},seed={seed}")
        return
    found = graph(f"regular:n={n},degree={degree},seed={seed}")
    assert set(found.degrees.tolist()) == {degree}
    assert found.simple


# --- Bernoulli codes --------------------------------------------------------------------------


def test_the_mean_error_of_bernoulli_codes() -> None:
    """E err₁ = K²/(rs)·(1 − s/K) for the one-step decoder with r of K = 20 workers left."""
    parts, load, survivors = 20, 4, 12
    rho = parts / (survivors * load)
    errors = [
        float(
            ((rho * dense(f"bgc:workers=20,load=4,seed={seed}")[:survivors].sum(0) - 1) ** 2).sum()
        )
        for seed in range(500)
    ]
    assert close(errors, parts**2 / (survivors * load) * (1 - load / parts))


def test_entries_of_bernoulli_codes_are_independent() -> None:
    count, chance = 1000, 0.4
    sample = np.stack([dense(f"bgc:workers=6,load=2,parts=5,seed={s}") for s in range(count)])
    spread = sqrt(chance * (1 - chance) / count)
    assert np.abs(sample.mean(axis=0) - chance).max() <= ERRORS * spread
    centred = sample.reshape(count, 30) - chance
    covariance = centred.T @ centred / count
    apart = covariance[~np.eye(30, dtype=bool)]
    assert np.abs(apart).max() <= ERRORS * chance * (1 - chance) / sqrt(count)


def test_only_overloaded_workers_are_thinned() -> None:
    changed = 0
    for seed in range(60):
        plain = family("bgc").build({"workers": 30, "load": 2, "seed": seed})
        thin = family("rbgc").build({"workers": 30, "load": 2, "seed": seed})
        before, after = plain.block_sizes, thin.block_sizes
        assert after.tolist() == [2 if n > 4 else n for n in before.tolist()]
        changed += int((before > 4).sum())
    assert changed > 20


# --- stochastic block codes -------------------------------------------------------------------


def test_workers_of_block_codes_have_a_group() -> None:
    """With nothing outside, two workers share parts only within one of equal groups."""
    design = dense("sbm:workers=12,groups=3,inside=4,outside=0,seed=5")
    groups = design.reshape(12, 3, 4).any(axis=2)
    assert groups.sum(axis=1).tolist() == [1] * 12
    assert groups.sum(axis=0).tolist() == [4, 4, 4]
    assert groups.argmax(axis=1).tolist() != sorted(groups.argmax(axis=1).tolist())


def test_the_mean_loads_of_block_codes() -> None:
    near, far = [], []
    for seed in range(150):
        matrix = dense(f"sbm:workers=12,groups=3,inside=3,outside=0,seed={seed}")
        mixed = dense(f"sbm:workers=12,groups=3,inside=3,outside=2,seed={seed}")
        near.append(float(matrix.sum()) / 12)
        far.append(float(mixed.sum()) / 12)
    assert close(near, 3)
    assert close(far, 5)


# --- soft designs and stochastic gradient codes -----------------------------------------------


def test_soft_designs_are_block_designs_on_average() -> None:
    workers, parts, copies = 7, 14, 3
    load = parts * copies / workers
    shared = parts * copies * (copies - 1) / (workers * (workers - 1))
    grams = []
    for seed in range(600):
        matrix = dense(f"soft:workers={workers},replication={copies},parts={parts},seed={seed}")
        assert matrix.sum(axis=0).tolist() == [copies] * parts
        grams.append(matrix @ matrix.T)
    for i, j in [(0, 0), (3, 3), (0, 1), (2, 6)]:
        assert close([float(g[i, j]) for g in grams], load if i == j else shared)


def test_stochastic_gradient_placements_are_pairwise_balanced_on_average() -> None:
    copies = (1, 2, 5, 8)
    shared = []
    for seed in range(600):
        matrix = dense(f"sgc:workers=10,replication={'+'.join(map(str, copies))},seed={seed}")
        assert matrix.sum(axis=0).tolist() == list(copies)
        shared.append(matrix.T @ matrix)
    for i, j in combinations(range(4), 2):
        assert close([float(s[i, j]) for s in shared], copies[i] * copies[j] / 10)
