"""Searches with a prescribed group: finds are counted by plain sets, refutations are known."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice, permutations
from math import exp, inf
from typing import Any

import numpy as np
import pytest

from gcdesign.designs.actions import Action, Multiplier
from gcdesign.designs.base_block_program import solve_base_blocks
from gcdesign.designs.base_blocks import BaseBlocks
from gcdesign.designs.candidates import candidate_actions, candidate_decompositions, rings_of
from gcdesign.designs.compositions import forecast, plans
from gcdesign.designs.kramer_mesner import kramer_mesner
from gcdesign.designs.local_search import anneal_once
from gcdesign.designs.prescribed import Prescribed, orbits_of, picked
from gcdesign.designs.randomness import Draws
from gcdesign.designs.rings import Ring
from gcdesign.designs.searching import Attempt, attempts, search, turn_of
from gcdesign.designs.tactical import Decomposition
from gcdesign.errors import InputError, LimitError


def index_of(family: BaseBlocks | None) -> tuple[int, int, set[int]] | None:
    """Return v, k and the numbers of blocks through two points, counted pair by pair."""
    if family is None:
        return None
    design = family.design()
    pairs = Counter(pair for block in design.blocks() for pair in combinations(block, 2))
    sizes = {len(set(block)) for block in design.blocks()}
    assert len(sizes) == 1
    return design.v, sizes.pop(), {pairs[pair] for pair in combinations(range(design.v), 2)}


def action(ring: str, copies: int = 1, fixed: int = 0, unit: int = 0) -> Action:
    return Action(Ring.parse(ring), copies, fixed, (Multiplier(unit),) if unit else ())


@pytest.mark.parametrize(
    ("group", "k", "lambda_"),
    [
        (action("Z11", 6, 0, 3), 26, 10),
        (action("Z13", 6, 0, 3), 22, 6),
        (action("Z13", 5, 4, 3), 17, 4),
        (action("Z7", 2, 1, 2), 7, 3),
        (action("Z3", 6, 7), 9, 3),
        (action("Z7", 3, 0), 7, 3),  # not symmetric: three orbits of points, four of blocks
        (action("F4", 4), 6, 2),
    ],
)
def test_orbit_matrices(group: Action, k: int, lambda_: int) -> None:
    wanted = Decomposition.of(group, k, lambda_)
    draws = Draws(3)
    found = None
    for matrix in wanted.matrices(draws, starts=4000, nodes=20_000):
        assert (matrix[: group.copies].sum(axis=1) == wanted.r).all()
        found = wanted.index(matrix, draws, nodes=3000)
        if found is not None:
            break
    assert index_of(found) == (group.v, k, {lambda_})


def test_no_orbit_matrix_where_there_is_none() -> None:
    """A plane of order 2 has no automorphism of order 5; order 6 has no plane at all."""
    for group, k in ((action("Z5", 1, 2), 3), (action("Z43", 1, 0, 6), 7)):
        wanted = Decomposition.of(group, k, 1)
        matrices = wanted.matrices(Draws(1), starts=5, nodes=100_000)
        assert all(wanted.index(m, Draws(1), nodes=100_000) is None for m in matrices)


@pytest.mark.parametrize(
    ("group", "k", "lambda_"),
    [
        (action("Z13"), 4, 1),
        (action("Z7", 1, 1, 2), 4, 3),
        (action("Z5", 2, 0, 4), 4, 2),
        (action("F9", 1, 1, 4), 4, 2),
        (action("Z15"), 3, 1),  # a short orbit
        (action("Z1", 7), 3, 1),  # the incidence matrix itself
    ],
)
def test_annealing(group: Action, k: int, lambda_: int) -> None:
    wanted = Prescribed(group, k, lambda_)
    draws = Draws(1)
    runs = (anneal_once(wanted, draws, moves=60_000) for _ in range(200))
    assert index_of(next(found for found in runs if found)) == (group.v, k, {lambda_})


def test_annealing_is_reproducible() -> None:
    wanted = Prescribed(action("Z21", 1, 1), 4, 2)
    first, second = (
        [anneal_once(wanted, draws, moves=20_000) for _ in range(4)]
        for draws in (Draws(5), Draws(5))
    )
    assert first == second


def test_pair_orbits_and_kinds_by_brute_force() -> None:
    group = Action(Ring.parse("Z6"), 2, 1, (Multiplier(5, (1, 0, 2)),))
    wanted = Prescribed(group, 4, 2)
    number, sizes = wanted.pairs
    elements = [tuple(g) for g in group.group.tolist()]
    assert len(set(elements)) == wanted.order == 12
    for pair in combinations(range(group.v), 2):
        orbit = {frozenset(g[p] for p in pair) for g in elements}
        assert all(number[tuple(image)] == number[pair] for image in orbit)
        assert sizes[number[pair]] == len(orbit)
    for kind in wanted.kinds:
        assert sorted(p for atom in kind.atoms for p in atom) == list(range(group.v))
        stabiliser = [
            g for g in elements if all({g[p] for p in atom} == set(atom) for atom in kind.atoms)
        ]
        assert len(stabiliser) * kind.orbit >= wanted.order
        assert orbits_of([np.array(g) for g in stabiliser], group.v) == kind.atoms


def test_a_random_base_block_has_its_size_and_its_pairs() -> None:
    wanted = Prescribed(Action(Ring.parse("Z5"), 2, 1, (Multiplier(4),)), 4, 3)
    draws = Draws(1)
    for kind in wanted.kinds:
        block = picked(kind, 4, draws)
        assert len(block.points) == 4
        assert all(
            set(atom) <= set(block.points) for atom in np.array(kind.atoms, object)[block.chosen]
        )
        images = [
            frozenset(pair)
            for g in wanted.action.group.tolist()
            for pair in combinations([g[p] for p in block.points], 2)
        ]
        met = Counter(int(wanted.pairs[0][tuple(pair)]) for pair in images)
        expected = [met[o] * kind.orbit // wanted.order for o in range(len(wanted.pairs[1]))]
        assert wanted.covered(block).tolist() == expected


def test_plans_leave_out_what_a_congruence_excludes() -> None:
    """In a cyclic triple system on 15 points, 5 is a difference of a short block alone."""
    wanted = Prescribed(action("Z15"), 3, 1)
    full, short = (next(k for k in wanted.kinds if k.orbit == n) for n in (15, 5))
    assert forecast(wanted, [full, full, short], Draws(1)) > -5
    assert forecast(wanted, [full, *[short] * 4], Draws(1)) < -15  # it is met four times or more
    assert forecast(wanted, [short] * 7, Draws(1)) == -inf
    assert [kind.orbit for kind in plans(wanted, Draws(1))[0].kinds] == [15, 15, 5]


@pytest.mark.parametrize(("ring", "k", "lambda_"), [("Z21", 5, 1), ("Z15", 7, 3), ("Z19", 9, 4)])
def test_forecast_against_all_choices(ring: str, k: int, lambda_: int) -> None:
    """The number of difference sets is forecast to within what a normal law is worth."""
    wanted = Prescribed(action(ring), k, lambda_)
    full = next(kind for kind in wanted.kinds if kind.orbit == wanted.action.v)
    m = wanted.action.v
    there = sum(
        set(Counter((x - y) % m for x in block for y in block if x != y).values()) == {lambda_}
        for block in combinations(range(1, m), k - 1)
        for block in [(0, *block)]
    )  # through 0: k of the m translates
    expected = exp(forecast(wanted, [full], Draws(1)))
    assert there / k / 30 < expected < 30 * there / k


def test_turns_go_round_with_more_groups_each_time() -> None:
    for groups in (1, 7, 50, 700):
        turns = [turn_of(turn, groups) for turn in range(1500)]
        rounds = Counter(effort for effort, _ in turns)
        for effort in range(max(rounds)):
            places = [place for e, place in turns if e == effort]
            assert places == list(range(min(groups, 40 * (effort + 1) ** 2)))


def test_a_larger_design_by_its_best_plan() -> None:
    wanted = Prescribed(action("Z34", 1, 1), 10, 9)
    best = plans(wanted, Draws(1))[0]
    found = (
        anneal_once(wanted, Draws(seed), moves=1_000_000, kinds=best.kinds) for seed in range(60)
    )
    assert index_of(next(filter(None, found))) == (35, 10, {9})


def test_kramer_mesner_against_all_choices() -> None:
    """2-(7, 3, 1) with a group of order 3: found; with one of order 6: refuted, as it should be."""
    lines = [(0, 1, 3), (1, 2, 4), (2, 3, 5), (3, 4, 6), (0, 4, 5), (1, 5, 6), (0, 2, 6)]
    plane = {frozenset(line) for line in lines}

    def automorphism(cycles: Action) -> bool:
        g = cycles.translated(np.arange(7))[1].tolist()
        return any(
            {frozenset(p[g[q.index(x)]] for x in line) for line in plane} == plane
            for p in permutations(range(7))
            for q in (p,)
        )

    for group, there in ((action("Z3", 2, 1), True), (action("Z6", 1, 1), False)):
        assert automorphism(group) == there
        done, found = kramer_mesner(Prescribed(group, 3, 1), seconds=30)
        assert done
        assert index_of(found) == ((7, 3, {1}) if there else None)


def test_base_blocks_by_cp_sat() -> None:
    wanted = Prescribed(action("Z3", 8, 1), 9, 3)
    plain = next(kind for kind in wanted.kinds if kind.orbit == 3)
    fixed = next(kind for kind in wanted.kinds if kind.orbit == 1)
    done, found = solve_base_blocks(wanted, [plain] * 8 + [fixed], seconds=60)
    if found is not None:  # a slow machine may not get there; what is found must be right
        assert done
        assert index_of(found) == (25, 9, {3})
    small = Prescribed(action("Z1", 6), 3, 2)
    done, found = solve_base_blocks(small, small.kinds * 10, seconds=60)
    assert done
    assert index_of(found) == (6, 3, {2})
    six = Prescribed(action("Z6", 1, 1), 3, 1)
    kinds = [kind for kind in six.kinds if kind.orbit == 6] + [
        kind for kind in six.kinds if kind.orbit == 1
    ][:1]
    assert sum(kind.orbit for kind in kinds) in (6, 7)
    done, found = solve_base_blocks(six, kinds, seconds=60)
    assert (done, found) == (True, None)


@pytest.mark.parametrize("wanted", [(7, 3, 1), (13, 4, 1), (16, 6, 2), (66, 26, 10), (15, 7, 3)])
def test_search(wanted: tuple[int, int, int]) -> None:
    seen: list[Attempt] = []
    result = search(*wanted, seconds=300, seed=1, report=seen.append)
    v, k, lambda_ = wanted
    assert index_of(result.base_blocks) == (v, k, {lambda_})
    assert result.attempt == seen[-1]
    assert [attempt.number for attempt in seen] == sorted({a.number for a in seen})
    again = search(*wanted, seconds=300, seed=1, first=result.next_attempt - 1)
    assert (again.base_blocks, again.attempt) == (result.base_blocks, result.attempt)


def test_a_search_that_is_stopped_says_where_to_go_on() -> None:
    seen: list[int] = []
    result = search(
        22, 8, 4, seconds=300, report=lambda a: seen.append(a.number), stopped=lambda: len(seen) > 3
    )
    assert result.base_blocks is None
    assert result.next_attempt == seen[-1] + 1
    assert "group" not in str(result.attempt)
    further = next(attempts(22, 8, 4, seed=1, first=result.next_attempt))[0]
    assert further.number == result.next_attempt


@pytest.mark.parametrize(
    ("wanted", "options", "message"),
    [
        ((8, 4, 1), {"seconds": 1}, r"^v=8, k=4, λ=1; r = λ\(v−1\)/\(k−1\) or b = vr/k"),
        ((7, 7, 1), {"seconds": 1}, r"^v=7, k=7, λ=1; expected 2 ≤ k < v"),
        ((7, 3, 0), {"seconds": 1}, r"expected 2 ≤ k < v and λ ≥ 1"),
        ((7, 3, 1), {"seconds": -1}, r"^a time limit of -1 s; expected 0 or more"),
        ((7, 3, 1), {"seconds": 1, "first": -1}, r"^first attempt -1; expected 0 or more"),
        ((7, 3, 1), {"seconds": 1, "seed": -1}, r"seed=-\d+; expected 0 or more"),
    ],
)
def test_refused(wanted: tuple[int, int, int], options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        search(*wanted, **options)


def test_too_large() -> None:
    with pytest.raises(LimitError, match=r"^v=1003; a search takes on at most 1000 points"):
        search(1003, 3, 1, seconds=1)


def test_candidates_have_the_right_shape() -> None:
    assert [str(ring) for ring in rings_of(12)] == ["Z12", "F4xZ3"]
    for group in candidate_actions(22, 44, 7, seed=1):
        assert group.v == 22
    orders = {len(group.group) for group in islice(candidate_actions(22, 44, 7, seed=1), 40)}
    assert all(order > 1 for order in orders)
    assert any(len(group.multipliers) == 2 for group in candidate_actions(22, 44, 7, seed=1))
    for wanted in candidate_decompositions(22, 7, 4):
        m = wanted.action.ring.order
        assert wanted.action.v == 22
        assert m * wanted.block_orbits + wanted.fixed_blocks == 44
