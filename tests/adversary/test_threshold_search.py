"""Every search for S* by itself against brute force, references and each other."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from gcdesign.adversary import Settings, threshold, threshold_profile
from gcdesign.adversary.bounds import placement_facts
from gcdesign.adversary.running.settings import Watch
from gcdesign.adversary.thresholds import finish
from gcdesign.adversary.thresholds.annealing import anneal, starts
from gcdesign.adversary.thresholds.branching import (
    Case,
    refute,
    search_threshold,
    split,
    tables_of,
)
from gcdesign.adversary.thresholds.greedy import PartAttack
from gcdesign.adversary.thresholds.orbits import cases_up_to_symmetry, symmetries
from gcdesign.adversary.thresholds.overlaps import overlaps_of
from gcdesign.codes import Placement, load_code
from gcdesign.designs import BlockDesign

Blocks = list[list[int]]
Thresholds = Callable[[Sequence[Sequence[int]], int], list[int]]
MilpThreshold = Callable[[Blocks, int, int], int]

ODD: list[tuple[Blocks, int]] = [
    ([], 3),
    ([[]], 2),
    ([[0, 1, 2]], 3),
    ([[0, 1, 2], [0, 1, 2], []], 4),
    ([[0], [0], [0], [1, 2]], 5),
    ([[0, 1], [2, 3], [0, 1, 2, 3, 4]], 5),
    ([[0, 1, 2], [0, 1, 3], [4, 5], [4, 6], [5, 6]], 7),
]


def placement_of(blocks: Blocks, parts: int) -> Placement:
    return Placement(BlockDesign.from_blocks(blocks, points=parts))


def random_blocks(seed: int, most: int = 12) -> tuple[Blocks, int]:
    """Return workers of all kinds, at times with equal loads or repeated, at times in pieces."""
    rng = np.random.default_rng(seed)
    parts, workers = (int(n) for n in rng.integers(1, most, size=2))
    if seed % 3 == 0:
        load = int(rng.integers(0, parts + 1))
        blocks = [sorted(rng.permutation(parts)[:load].tolist()) for _ in range(workers)]
    elif seed % 3 == 1:
        half = [np.arange(parts) < parts // 2, np.arange(parts) >= parts // 2]
        masks = [half[w % 2] & (rng.random(parts) < 0.6) for w in range(workers)]
        blocks = [np.flatnonzero(mask).tolist() for mask in masks]
    else:
        chance = rng.uniform(0.1, 0.9)
        blocks = [np.flatnonzero(rng.random(parts) < chance).tolist() for _ in range(workers)]
    if seed % 5 == 0:
        blocks.append(blocks[0])
    return blocks, parts


def regular_blocks(parts: int, load: int, seed: int) -> Blocks:
    """Return a biregular placement with N = K, by shuffling columns until no part repeats."""
    rng = np.random.default_rng(seed)
    columns = [rng.permutation(parts)]
    while len(columns) < load:
        column = rng.permutation(parts)
        for _ in range(10_000):
            bad = [i for i in range(parts) if any(c[i] == column[i] for c in columns)]
            if not bad:
                columns.append(column)
                break
            i, j = bad[0], int(rng.integers(parts))
            column[i], column[j] = column[j], column[i]
    return [sorted(int(c[i]) for c in columns) for i in range(parts)]


def every(placement: Placement, eta: int) -> PartAttack:
    """Return the plainest attack: η parts and all workers."""
    return PartAttack(tuple(range(eta)), tuple(range(placement.workers)))


def check_search(blocks: Blocks, parts: int, true: list[int]) -> None:
    """Run the compiled search from nothing, with and without its extras, for every η."""
    placement = placement_of(blocks, parts)
    overlaps = overlaps_of(placement, None)
    assert overlaps is not None
    for eta in range(1, parts + 1):
        extras: list[dict[str, Any]] = [
            {},
            {"pairs": [overlaps.most(n) for n in range(eta + 1)]},
            {"roots": cases_up_to_symmetry(placement, eta)},
        ]
        for extra in extras:
            watch, start = Watch(Settings(threads=1)), every(placement, eta)
            answer = search_threshold(placement, eta, lower=0, start=start, watch=watch, **extra)
            assert answer.lower == true[eta]
            assert not answer.stopped
            if answer.attack is None:
                assert true[eta] == placement.workers
            else:
                assert len(answer.attack.parts) == eta
                assert set(answer.attack.workers) == {
                    w for w, block in enumerate(blocks) if set(block) & set(answer.attack.parts)
                }
                assert len(answer.attack.workers) == true[eta]


@pytest.mark.parametrize("seed", range(150))
def test_random_placements(seed: int, thresholds: Thresholds) -> None:
    blocks, parts = random_blocks(seed)
    check_search(blocks, parts, thresholds(blocks, parts))


@pytest.mark.parametrize(("blocks", "parts"), ODD)
def test_odd_placements(blocks: Blocks, parts: int, thresholds: Thresholds) -> None:
    check_search(blocks, parts, thresholds(blocks, parts))


@pytest.mark.parametrize("step", finish.STEPS)
def test_each_step_alone(
    step: Any, thresholds: Thresholds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finish, "STEPS", (step,))
    module = import_module(
        "gcdesign.adversary.thresholds.threshold"
    )  # a function has the same name
    monkeypatch.setattr(module, "attack_parts", _plainest)
    for seed in range(3, 40, 9 if step is finish.by_solver else 1):
        blocks, parts = random_blocks(seed, most=10)
        profile = threshold_profile(placement_of(blocks, parts), Settings(threads=1))
        assert [r.value for r in profile] == thresholds(blocks, parts), (blocks, parts)


def _plainest(placement: Placement, eta: int, **_: Any) -> PartAttack:
    """Stand in for the quick attack, so that searches have something to do."""
    return PartAttack.on(placement, np.arange(eta))


@pytest.mark.parametrize("family", ["PG2", "AG2", "dualAG2"])
def test_reference_profiles(
    family: str, reference: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finish, "STEPS", (finish.by_search,))
    name = {"PG2": "pg", "AG2": "ag", "dualAG2": "dual-ag"}[family]
    for q, values in reference[f"Sstar_{family}"].items():
        placement = load_code(f"{name}:q={q}").placement
        etas = range(len(values)) if int(q) < 5 else (7, 9, 12, 14)
        for eta in etas:
            assert threshold(placement, eta, Settings(threads=2)).value == values[eta]


@pytest.mark.parametrize(("parts", "load", "seed"), [(24, 3, 0), (20, 4, 1), (18, 5, 2)])
def test_against_the_plain_program(
    parts: int, load: int, seed: int, milp_threshold: MilpThreshold
) -> None:
    blocks = regular_blocks(parts, load, seed)
    placement = placement_of(blocks, parts)
    for eta in (3, parts // 3, parts // 2):
        answer = search_threshold(
            placement, eta, lower=0, start=every(placement, eta), watch=Watch(Settings(threads=2))
        )
        assert answer.lower == milp_threshold(blocks, parts, eta)


def test_threads_do_not_change_the_answer() -> None:
    blocks = regular_blocks(40, 4, 5)
    placement = placement_of(blocks, 40)
    tables = tables_of(placement, 12)
    levels = []
    for threads in (1, 2, 3):
        watch = Watch(Settings(threads=threads))
        levels.append([refute(tables, 12, limit, ((),), watch=watch) for limit in range(19, 24)])
    for level in zip(*levels, strict=True):
        assert len({(one.finished, one.parts is None) for one in level}) == 1
    again = refute(tables, 12, 23, ((),), watch=Watch(Settings(threads=2)))
    assert again.parts == refute(tables, 12, 23, ((),), watch=Watch(Settings(threads=2))).parts


def test_a_case_can_be_cut_short_sent_and_taken_up_again() -> None:
    placement = placement_of(regular_blocks(30, 4, 3), 30)
    tables = tables_of(placement, 10)
    whole = Case(tables, 10, 16, ())
    whole.go_on(10**6)
    pieces = Case(tables, 10, 16, ())
    while not pieces.finished:
        pieces.go_on(7)
        pieces = pickle.loads(pickle.dumps(pieces))
    assert whole.finished
    assert (whole.nodes, whole.parts) == (pieces.nodes, pieces.parts)


def test_split_cases_cover_the_search() -> None:
    placement = placement_of(regular_blocks(24, 3, 1), 24)
    tables = tables_of(placement, 8)
    for limit in (10, 11, 12, 13, 14):
        whole = Case(tables, 8, limit, ())
        whole.go_on(10**7)
        cases = [Case(tables, 8, limit, d) for d in split(tables, 8, limit, ((),), 20)[0]]
        for case in cases:
            case.go_on(10**7)
        assert whole.finished
        assert all(case.finished for case in cases)
        assert any(case.parts is not None for case in cases) == (whole.parts is not None)


def test_a_limit_of_nodes_leaves_a_bracket() -> None:
    placement = placement_of(regular_blocks(60, 4, 7), 60)
    start = every(placement, 20)
    answer = search_threshold(
        placement, 20, lower=20, start=start, watch=Watch(Settings(threads=1)), nodes=30_000
    )
    assert answer.stopped
    assert 20 <= answer.lower < 33


@pytest.mark.parametrize("limit", [1, 500, 5000])
def test_the_limit_of_nodes_of_the_settings_is_kept(limit: int) -> None:
    """Tree and search count their nodes together; it takes some ten thousand to the end."""
    placement = placement_of(regular_blocks(44, 5, 3), 44)
    settings = Settings(threads=1, node_limit=limit)
    found, again = (threshold(placement, 16, settings) for _ in range(2))
    assert (found.status, found.stopped) == ("bracket", f"node limit of {limit}")
    assert (found.lower, found.workers) == (again.lower, again.workers)
    watch = Watch(settings)
    search_threshold(placement, 16, lower=0, start=every(placement, 16), watch=watch)
    assert (
        limit <= watch.nodes <= limit + 100
    )  # one level may be split into cases after the last look


def test_orbits_are_orbits() -> None:
    assert [len(o) for o in symmetries(load_code("pg:q=3").placement).orbits] == [13]
    blocks = [[0, 1], [1, 2], [2, 3], [3, 4]]
    found = symmetries(placement_of(blocks, 5))
    assert found.orbits == ((0, 4), (1, 3), (2,))
    assert found.generators == ((4, 3, 2, 1, 0),)
    assert symmetries(placement_of(blocks, 5), [{0}]).generators == ()
    assert symmetries(placement_of([], 3)).orbits == ((0, 1, 2),)


def test_cases_up_to_symmetry_reach_every_set() -> None:
    # Every set of points of the Fano plane has an image that keeps to one of the cases.
    plane = load_code("pg:q=2").placement
    group, new = {tuple(range(7))}, {tuple(range(7))}
    while new:
        products = {tuple(g[i] for i in h) for g in symmetries(plane).generators for h in new}
        new = products - group
        group |= new
    assert len(group) == 168
    all_cases = [cases_up_to_symmetry(plane, eta, most=6) for eta in range(8)]
    for bits in range(1 << 7):
        cases = all_cases[bits.bit_count()]
        images = [{g[i] for i in range(7) if bits >> i & 1} for g in group]
        assert any(
            all((part in image) if part >= 0 else (~part not in image) for part in case)
            for image in images
            for case in cases
        )


@pytest.mark.parametrize("seed", range(30))
def test_overlaps_are_sums_of_pairs(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks, parts = random_blocks(seed)
    placement = placement_of(blocks, parts)
    shared = [[sum(i in b and j in b for b in blocks) for j in range(parts)] for i in range(parts)]
    for dense in (100, 0):
        monkeypatch.setattr("gcdesign.adversary.thresholds.overlaps.MAX_DENSE_PARTS", dense)
        overlaps = overlaps_of(placement, placement_facts(placement).shared)
        assert overlaps is not None
        for eta in range(parts + 1):
            most = [
                sum(
                    sorted((row[j] for j in range(parts) if j != i), reverse=True)[
                        : max(eta - 1, 0)
                    ]
                )
                for i, row in enumerate(shared)
            ]
            assert overlaps.most(eta) == sum(sorted(most, reverse=True)[:eta])


def test_annealing_finds_what_is_known(reference: dict[str, Any]) -> None:
    placement = load_code("pg:q=5").placement
    for eta in (6, 9, 13):
        best = reference["Sstar_PG2"]["5"][eta]
        found = anneal(
            placement, every(placement, eta), target=best, watch=Watch(Settings(threads=1))
        )
        assert len(found.workers) == best
        assert PartAttack.on(placement, np.array(found.parts)) == found
        assert len(set(found.parts)) == eta


def test_annealing_starts_are_sets_of_the_right_size() -> None:
    for seed in range(20):
        blocks, parts = random_blocks(seed)
        placement = placement_of(blocks, parts)
        for eta in range(1, parts + 1):
            for start in starts(placement, every(placement, eta), 4, seed):
                assert len(set(start)) == eta
                assert set(start) <= set(range(parts))
