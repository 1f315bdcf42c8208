"""Peeling against plain sets, and against linear algebra; on-line, by arrivals, and in rounds."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.codes import GradientCode, Placement, load_code
from gcdesign.codes.ldgm.online import PeelingDecoder
from gcdesign.codes.ldgm.peeling import arrival_counts, peel, recover
from gcdesign.designs import BlockDesign
from gcdesign.errors import InputError

blocks_and_silent = st.integers(1, 8).flatmap(
    lambda parts: st.lists(
        st.tuples(st.sets(st.integers(0, parts - 1)), st.booleans()), min_size=1, max_size=12
    ).map(lambda rows: (parts, [set(b) for b, _ in rows], [i for i, r in enumerate(rows) if r[1]]))
)


def closure(blocks: list[set[int]], silent: Iterable[int]) -> tuple[set[int], list[int]]:
    """Return what plain sets peel, and how many parts are known after each round."""
    known: set[int] = set()
    rounds: list[int] = []
    live = [block for i, block in enumerate(blocks) if i not in set(silent)]
    while True:
        fresh = set().union(*(b - known for b in live if len(b - known) == 1)) if live else set()
        if not fresh:
            return known, rounds
        known |= fresh
        rounds.append(len(known))


@given(blocks_and_silent)
@settings(max_examples=200, deadline=None)
def test_peeling_is_the_closure(case: tuple[int, list[set[int]], list[int]]) -> None:
    parts, blocks, silent = case
    placement = Placement(BlockDesign.from_blocks(blocks, points=parts))
    found = peel(placement, silent)
    known, rounds = closure(blocks, silent)
    assert set(found.recovered.tolist()) == known
    assert found.after.tolist() == rounds
    stopping = set(found.stopping_set.tolist())
    live = [b for i, b in enumerate(blocks) if i not in silent]
    assert all(len(b & stopping) != 1 for b in live)
    assert set(found.missing.tolist()) == set(range(parts)) - known
    assert set(found.lost.tolist()) == set(range(parts)) - set().union(*live)
    assert found.complete == (len(known) == parts)


@given(blocks_and_silent, st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_each_way_of_peeling_gives_the_same(
    case: tuple[int, list[set[int]], list[int]], random: object
) -> None:
    parts, blocks, silent = case
    code = GradientCode.from_design(BlockDesign.from_blocks(blocks, points=parts))
    gradients = np.random.default_rng(len(blocks)).normal(size=(parts, 3))
    messages = code.encode(gradients)
    arrivals = [i for i in range(len(blocks)) if i not in silent]
    random.shuffle(arrivals)  # type: ignore[attr-defined]
    decoder, counts = PeelingDecoder(code), []
    for worker in arrivals:
        decoder.arrive(worker, messages[worker])
        counts.append(len(decoder.recovered))
    assert arrival_counts(code.placement, arrivals).tolist() == counts
    found = peel(code.placement, silent)
    assert set(decoder.recovered) == set(found.recovered.tolist())
    assert decoder.stopping_set == found.stopping_set.tolist()
    assert decoder.complete == found.complete
    values = recover(code, messages, found)
    for both in (values, decoder.values if arrivals else values):
        known = found.recovered
        np.testing.assert_allclose(both[known], gradients[known], atol=1e-9)
        assert np.isnan(both[found.missing]).all()
    if arrivals:
        np.testing.assert_allclose(decoder.total, gradients[found.recovered].sum(axis=0), atol=1e-9)


def test_weights_are_divided_out() -> None:
    matrix = np.array([[2.0, 0, 0], [1, -3, 0], [0.5, 1, 4]])
    code = GradientCode.from_matrix(matrix)
    gradients = np.array([[1.0, 2], [3, 4], [5, 6]])
    messages = code.encode(gradients)
    found = peel(code.placement, [])
    assert found.recovered.tolist() == [0, 1, 2]
    assert found.operations == 3
    np.testing.assert_allclose(recover(code, messages, found), gradients)
    decoder = PeelingDecoder(code)
    given = [decoder.arrive(worker, messages[worker]) for worker in (2, 1, 0)]
    assert given == [[], [], [0, 1, 2]]
    np.testing.assert_allclose(decoder.values, gradients)


def test_gradients_of_any_shape() -> None:
    code = load_code("ldgm:parts=40,workers=120,degrees=0.4x+0.6x^2")
    gradients = np.random.default_rng(0).normal(size=(40, 2, 3))
    found = peel(code.placement, [3, 5])
    values = recover(code, code.encode(gradients), found)
    assert values.shape == (40, 2, 3)
    np.testing.assert_allclose(values[found.recovered], gradients[found.recovered])
    flat = recover(code, code.encode(gradients[:, 0, 0]), found)
    np.testing.assert_allclose(flat, values[:, 0, 0])


def test_refusals() -> None:
    code = load_code("ldgm:parts=6,workers=12,degrees=0.5x+0.5x^2")
    decoder = PeelingDecoder(code)
    decoder.arrive(0, np.zeros(2))
    for wrong, message in (
        (lambda: decoder.arrive(0, np.zeros(2)), "worker 0 has answered before"),
        (lambda: decoder.arrive(12, np.zeros(2)), "worker 12; expected 0 to 11"),
        (lambda: decoder.arrive(1, np.zeros(3)), r"shape \(3,\); the first had \(2,\)"),
        (lambda: decoder.arrive(1, np.array([1.0, np.nan])), "worker 1: NaN or infinity"),
        (lambda: decoder.arrive(1, np.array([1j, 0])), "real messages; this one is complex"),
        (lambda: recover(code, np.full(12, 1j), peel(code.placement, [])), "these are complex"),
        (lambda: peel(code.placement, [0, 0]), "worker 0 is named twice"),
        (lambda: arrival_counts(code.placement, [12]), "worker 12"),
        (lambda: recover(code, np.zeros(5), peel(code.placement, [])), r"messages of shape \(5,\)"),
        (lambda: PeelingDecoder(load_code("rs:workers=6,load=3")), "complex weights"),
    ):
        with pytest.raises(InputError, match=message):
            wrong()


def test_no_parts_and_no_workers() -> None:
    empty = Placement(BlockDesign.from_blocks([], points=0))
    assert peel(empty, []).complete
    assert peel(empty, []).fraction == 1
    idle = Placement(BlockDesign.from_blocks([[], []], points=1))
    assert peel(idle, [0]).lost.tolist() == [0]
