"""Schemes: found by name, exact where they promise it, and ready when enough has arrived."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from gcdesign.codes import load_code
from gcdesign.errors import InputError
from gcdesign.training import (
    CodeScheme,
    Scheme,
    has_own_workers,
    make_scheme,
    scheme_kind,
    scheme_names,
)
from gcdesign.training.rules import Classes, Count, Groups, Lossless

RNG = np.random.default_rng(7)

SCHEMES = {
    "naive": make_scheme("naive", workers=6),
    "ignore": make_scheme("ignore-stragglers", workers=6, stragglers=2),
    "cyclic": make_scheme("cyclic", workers=6, stragglers=2),
    "cyclic-mds": make_scheme("cyclic-mds", workers=6, stragglers=2),
    "frc": make_scheme("frc", workers=6, stragglers=2),
    "pg": make_scheme("pg:q=2", stragglers=2),
    "ag": make_scheme("ag:q=2", stragglers=2),
    "circulant": make_scheme("circulant:workers=6,load=3", stragglers=3),
    "partial-cyclic": make_scheme("partial-cyclic", workers=6, stragglers=2),
    "partial-repetition": make_scheme("partial-repetition:alpha=3/2", workers=6, stragglers=2),
}


def total(scheme: Scheme, arrived: list[tuple[int, int]], gradients: np.ndarray) -> np.ndarray:
    """Decode real messages, made from the encoding matrices as dense arrays."""
    encodings = [e.toarray() for e in scheme.encodings]  # type: ignore[attr-defined]
    contents = {(w, m): encodings[m][w] @ gradients for w, m in arrived}
    return scheme.decode(arrived).combine(contents, gradients.shape[1])


@pytest.mark.parametrize("name", SCHEMES)
def test_waits_are_those_of_the_messages_one_by_one(name: str) -> None:
    scheme = SCHEMES[name]
    arrivals = RNG.exponential(size=(200, scheme.workers, scheme.messages)).cumsum(axis=2)
    arrivals[RNG.random(arrivals.shape[:2]) < 0.1] = np.inf
    wanted = []
    for times in arrivals:
        order = sorted(
            (time, (w, m)) for w, row in enumerate(times.tolist()) for m, time in enumerate(row)
        )
        here: list[tuple[int, int]] = []
        ready = np.inf
        for time, message in order:
            here.append(message)
            if time < np.inf and scheme.enough(here):
                ready = time
                break
        wanted.append(ready)
    assert np.array_equal(scheme.waits(arrivals), wanted)
    assert np.array_equal(Scheme.waits(scheme, arrivals), wanted)


@pytest.mark.parametrize("name", ["cyclic", "cyclic-mds", "frc"])
def test_an_exact_code_decodes_any_set_of_enough_workers(name: str) -> None:
    scheme = SCHEMES[name]
    gradients = RNG.standard_normal((scheme.parts, 4))
    for alive in combinations(range(6), 4):
        messages = [(worker, 0) for worker in alive]
        assert scheme.enough(messages)
        assert np.allclose(total(scheme, messages, gradients), gradients.sum(axis=0), atol=1e-9)


@pytest.mark.parametrize("name", ["partial-cyclic", "partial-repetition"])
def test_a_partial_scheme_needs_all_first_messages_and_decodes(name: str) -> None:
    scheme = SCHEMES[name]
    gradients = RNG.standard_normal((scheme.parts, 4))
    first = [(worker, 0) for worker in range(6)]
    for alive in combinations(range(6), 4):
        second = [(worker, 1) for worker in alive]
        assert scheme.enough(first + second)
        assert not scheme.enough(first[:-1] + second)
        assert np.allclose(
            total(scheme, first + second, gradients), gradients.sum(axis=0), atol=1e-9
        )
    private = scheme.scheme.private  # type: ignore[attr-defined]
    assert scheme.decode(first[1:] + second).error == pytest.approx(private, abs=1e-9)


def test_an_approximate_code_decodes_with_the_least_error() -> None:
    scheme, code = SCHEMES["pg"], load_code("pg:q=2")
    encoding = code.dense_encoding()
    for silent in combinations(range(7), 2):
        alive = [w for w in range(7) if w not in silent]
        decoded = scheme.decode([(w, 0) for w in alive])
        residual = np.linalg.lstsq(encoding[alive].T, np.ones(7), rcond=None)[1]
        assert decoded.error == pytest.approx(float(residual[0]))
        weights = np.zeros(7)
        weights[[w for w, _ in decoded.messages]] = decoded.weights
        assert ((encoding.T @ weights - 1) ** 2).sum() == pytest.approx(decoded.error)


def test_a_code_stops_as_soon_as_nothing_is_lost() -> None:
    plane = make_scheme("ag:q=3", stragglers=2)
    code = load_code("ag:q=3")
    line = code.placement.design.block(0).tolist()
    parallel = [w for w in range(12) if not set(code.placement.design.block(w)) & set(line)]
    collector = plane.collector()
    ready = [collector.add((worker, 0)) for worker in [0, *parallel]]
    assert ready == [False, False, True]
    assert plane.decode(collector.arrived).error == pytest.approx(0, abs=1e-12)
    rules = {"frc": Groups, "ag": Classes, "circulant": Lossless, "cyclic": Count, "pg": Count}
    for name, rule in rules.items():
        found = SCHEMES[name]
        assert isinstance(found, CodeScheme)
        assert type(found.rule) is rule


def test_a_scheme_is_hopeless_once_too_many_are_lost() -> None:
    assert not SCHEMES["cyclic"].hopeless({0, 3})
    assert SCHEMES["cyclic"].hopeless({0, 3, 4})
    assert SCHEMES["naive"].hopeless({5})
    assert not SCHEMES["frc"].hopeless({0, 2, 4})  # one of each group is left
    assert SCHEMES["partial-cyclic"].hopeless({1})


def test_shares_are_loads_over_parts() -> None:
    assert SCHEMES["cyclic"].shares.tolist() == [[0.5]] * 6
    partial = SCHEMES["partial-cyclic"]  # 3 private parts and 3 coded ones of 24
    assert partial.shares.tolist() == [[3 / 24, 6 / 24]] * 6


def test_every_declared_scheme_says_what_it_is() -> None:
    for name in scheme_names():
        kind = scheme_kind(name)
        assert kind.name == name
        assert kind.summary
        assert kind.source


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        ("nix", {}, "no scheme is called 'nix'; expected .*naive"),
        ("naive", {}, "needs a number of workers"),
        ("naive:x=1", {"workers": 3}, "'x=1'; expected no options"),
        ("partial-cyclic:alpha=2,alpha=2", {"workers": 3}, "each once"),
        ("partial-cyclic:alpha=two", {"workers": 3}, "alpha=two; expected a number"),
        ("partial-cyclic:alpha=1", {"workers": 6, "stragglers": 1}, "alpha=1; expected more"),
        ("cyclic", {"workers": 5, "stragglers": 5}, "stragglers"),
        ("cyclic:workers=5,stragglers=1", {"stragglers": 2}, "was made for 1"),
        ("pg:q=2", {"workers": 8}, "has 7 workers, and 8 are asked for"),
        ("pg:q=2", {"stragglers": 7}, "expected 0 to 6"),
        ("rs", {"workers": 4}, "rs needs load"),
    ],
)
def test_what_makes_no_scheme_is_refused(name: str, values: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_scheme(name, **values)


def test_only_single_codes_have_workers_of_their_own() -> None:
    assert has_own_workers("pg:q=2")
    assert not has_own_workers("cyclic")
    assert not has_own_workers("naive")
