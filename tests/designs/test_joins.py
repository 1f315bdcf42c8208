"""Joins of lists of base blocks: quotients against the designs that are known, lists and sums
against all of them listed with itertools."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice, product
from math import comb, exp, inf

import numpy as np
import pytest

from gcdesign.designs.actions import Action, Multiplier
from gcdesign.designs.base_block_table import read_line, stored_lines
from gcdesign.designs.base_blocks import BaseBlocks
from gcdesign.designs.joins.attempt import is_large, join_once
from gcdesign.designs.joins.equations import Equations, equations, excluded
from gcdesign.designs.joins.lists import all_blocks, near_blocks, scale
from gcdesign.designs.joins.profiles import profiles
from gcdesign.designs.joins.quotients import Quotient, goal, quotient, quotients, whole
from gcdesign.designs.joins.shapes import Shape, shape, shares, tables
from gcdesign.designs.joins.sums import Sums, cut_for, joined, near, table_of
from gcdesign.designs.prescribed import Kind, Prescribed, orbits_of
from gcdesign.designs.randomness import Draws
from gcdesign.designs.rings import Ring


def wanted_for(ring: str, k: int, lambda_: int, copies: int = 1, fixed: int = 0) -> Prescribed:
    return Prescribed(Action(Ring.parse(ring), copies, fixed), k, lambda_)


def covered(wanted: Prescribed, points: tuple[int, ...], length: int) -> Counter[int]:
    """Count the pairs of each orbit in all images of a block, pair by pair."""
    number = wanted.pairs[0]
    return Counter({o: length * n for o, n in _pairs(number, points).items()})


def _pairs(number: np.ndarray, points: tuple[int, ...]) -> Counter[int]:
    return Counter(int(number[x, y]) for x, y in combinations(points, 2))


def test_partitions_of_a_cyclic_group_are_its_subgroups() -> None:
    found = quotients(wanted_for("Z30", 5, 4))
    assert [q.cells for q in found] == [2, 3, 5, 6, 10, 15]
    for q in found:
        assert (q.cell_of == np.arange(30) % q.cells).all()


def test_partitions_are_kept_and_classes_count() -> None:
    action = Action(Ring.parse("Z5"), 3, 1, (Multiplier(4, (1, 2, 0, 3)),))
    wanted = Prescribed(action, 4, 3)
    found = quotients(wanted)
    assert [q.cells for q in found][:1] == [2]
    assert len(found) >= 3
    for q in found:
        for g in wanted.action.group:
            assert len({(int(q.cell_of[x]), int(q.cell_of[g[x]])) for x in range(16)}) == q.cells
        # The classes of pairs are the orbits of the group on pairs of cells.
        pairs = {
            frozenset(
                frozenset((int(q.cell_of[g[x]]), int(q.cell_of[g[y]]))) for g in wanted.action.group
            )
            for x, y in combinations(range(16), 2)
        }
        assert q.classes == len(pairs)


def test_profiles_list_every_block() -> None:
    wanted = wanted_for("Z12", 4, 3)
    halves = next(q for q in quotients(wanted) if q.cells == 2)
    for kind in wanted.kinds:
        listed = profiles(wanted, kind, halves)
        assert listed is not None
        seen: Counter[tuple[int, ...]] = Counter()
        most = goal(wanted, halves)
        for chosen in _unions(kind, 4):
            pairs = _class_counts(wanted, halves, kind, chosen)
            if (pairs <= most).all():
                seen[tuple(pairs)] += 1
        ways: Counter[tuple[int, ...]] = Counter()
        for row, number in zip(listed.covered, listed.ways, strict=True):
            ways[tuple(row)] += round(number)
        assert ways == seen


def _unions(kind: Kind, k: int) -> list[tuple[int, ...]]:
    return [
        tuple(sorted(point for atom in atoms for point in atom))
        for n in range(len(kind.atoms) + 1)
        for atoms in combinations(kind.atoms, n)
        if sum(map(len, atoms)) == k
    ]


def _class_counts(
    wanted: Prescribed, q: Quotient, kind: Kind, points: tuple[int, ...]
) -> np.ndarray:
    result = np.zeros(q.classes, dtype=np.int64)
    for orbit, count in covered(wanted, points, kind.orbit).items():
        result[q.class_of[orbit]] += count
    return result


def stabiliser_kind(wanted: Prescribed, block: tuple[int, ...]) -> Kind:
    """Return the kind of a block: the orbits of all group elements that fix it."""
    inside = np.isin(wanted.action.group, block)
    fixing = wanted.action.group[(inside[:, list(block)]).all(axis=1)]
    return Kind(wanted.order // len(fixing), orbits_of(list(fixing), wanted.action.v))


def small_stored() -> list[tuple[tuple[int, int, int], BaseBlocks]]:
    lines = [read_line(line) for line in stored_lines().values()]
    return [
        (key, family)
        for key, family, _ in lines
        if key[0] <= 28 and len(family.blocks) <= 8 and len(family.action.group) <= 200
    ]


def test_no_quotient_excludes_a_known_design() -> None:
    families = small_stored()[::6]
    assert len(families) > 4
    for (_, k, lambda_), family in families:
        wanted = Prescribed(family.action, k, lambda_)
        kinds: dict[tuple[tuple[int, ...], ...], Kind] = {}
        found = [stabiliser_kind(wanted, block) for block in family.blocks]
        shared = [kinds.setdefault(kind.atoms, kind) for kind in found]
        assert sum(kind.orbit for kind in shared) == wanted.b
        assert not excluded(wanted, shared, quotients(wanted)[:4])


@pytest.mark.parametrize(
    ("ring", "k", "lambda_", "fixed"),
    [
        ("Z8", 4, 3, 0),
        ("Z4", 2, 1, 1),
        ("Z6", 3, 2, 0),
        ("Z9", 3, 1, 0),
        ("Z10", 4, 2, 0),
        ("Z8", 3, 2, 1),
        ("Z7", 4, 3, 1),
    ],
)
def test_exclusions_agree_with_all_choices_of_base_blocks(
    ring: str, k: int, lambda_: int, fixed: int
) -> None:
    wanted = wanted_for(ring, k, lambda_, 1, fixed)
    sizes = wanted.pairs[1]
    target = Counter({o: lambda_ * int(n) for o, n in enumerate(sizes)})
    compositions = [
        kinds
        for n in range(1, 5)
        for kinds in _multisets(wanted.kinds, n)
        if sum(kind.orbit for kind in kinds) == wanted.b
    ]
    assert compositions
    for kinds in compositions:
        counts = [
            {frozenset(covered(wanted, points, kind.orbit).items()) for points in _unions(kind, k)}
            for kind in kinds
        ]
        exists = any(
            sum((Counter(dict(pairs)) for pairs in chosen), Counter()) == target
            for chosen in product(*counts)
        )
        assert not (exists and excluded(wanted, kinds, quotients(wanted)))


def _multisets(kinds: list[Kind], n: int) -> list[list[Kind]]:
    if n == 0:
        return [[]]
    return [[kind, *rest] for i, kind in enumerate(kinds) for rest in _multisets(kinds[i:], n - 1)]


def test_a_character_of_order_two() -> None:
    # (34, 12, 6) over Z34: with x of 12 points of each base block even, the sum of (2x − 12)² over
    # 51 / 34 orbits of blocks would be r − λ = 12; a short block has as many even as odd points,
    # so 12 would be the square of an even number.
    wanted = wanted_for("Z34", 12, 6)
    full, short = wanted.kinds
    assert (full.orbit, short.orbit) == (34, 17)
    assert excluded(wanted, [full, short], quotients(wanted))
    # (35, 14, 13) is not cyclic either: no profiles on five cells have the right sums.
    wanted = wanted_for("Z35", 14, 13)
    full, short = wanted.kinds
    assert (full.orbit, short.orbit) == (35, 5)
    five = next(q for q in quotients(wanted) if q.cells == 5)
    system = equations(wanted, five, [full] * 2 + [short] * 3)
    assert system is not None
    assert system.solvable is False


def test_drawn_profiles_have_the_right_sums() -> None:
    wanted = wanted_for("Z21", 5, 1)
    system = equations(wanted, quotients(wanted)[-1], [wanted.kinds[0]])
    assert system is not None
    assert system.solvable
    drawn: list[int] = system.draw(Draws(1))
    listed = system.listed[wanted.kinds[0]]
    assert (listed.covered[drawn[0]] == goal(wanted, system.quotient)).all()


def all_of(wanted: Prescribed, kind: Kind) -> Shape:
    listed = profiles(wanted, kind, whole(wanted))
    assert listed is not None
    return shape(kind, tables(wanted, kind), listed.type_of, listed.counts[0], Draws(1))


def test_all_blocks_are_listed_once_for_each_count() -> None:
    wanted = wanted_for("Z13", 4, 1)
    every = all_of(wanted, wanted.kinds[0])
    listed = all_blocks(every)
    counts = {
        frozenset(covered(wanted, points, 13).items()) for points in combinations(range(13), 4)
    }
    assert round(exp(every.log_blocks)) == comb(13, 4)
    assert len(listed.keys) == len(set(listed.keys.tolist())) == len(counts)
    assert {int(word).bit_count() for word in listed.members[:, 0]} == {4}


def test_walks_list_the_nearest_blocks() -> None:
    wanted = wanted_for("Z19", 6, 5)
    every = all_of(wanted, wanted.kinds[0])
    lanes = len(every.mean)
    target = np.zeros(lanes)
    target[: len(wanted.pairs[1])] = wanted.lambda_ * wanted.pairs[1]
    share = shares([every] * 3, target)[0]
    listed = near_blocks(every, share, scale(wanted, lanes, 19), Draws(4), most=100, walks=40)
    sizes = wanted.pairs[1]

    def cost(points: tuple[int, ...]) -> float:
        counts = covered(wanted, points, 19)
        return float(sum((counts[o] - share[o]) ** 2 / 19 / n for o, n in enumerate(sizes)))

    by_count = {
        frozenset(covered(wanted, points, 19).items()): cost(points)
        for points in combinations(range(19), 6)
    }
    best = sorted(by_count.values())[:100]
    found = sorted(
        cost(tuple(x for x in range(19) if int(word) >> x & 1)) for word in listed.members[:, 0]
    )
    assert found == pytest.approx(best, abs=0.2)


def random_sums(seed: int, length: int, dimension: int) -> Sums:
    rng = np.random.default_rng(seed)
    vectors = rng.integers(-3, 4, (length, dimension))
    weights = np.array([1, 1 << 20, 1 << 40], dtype=np.uint64)[:dimension]
    keys = (vectors.astype(np.uint64) * weights).sum(axis=1, dtype=np.uint64)
    places = np.arange(length, dtype=np.int32)[:, None]
    return Sums(keys, places, lambda: vectors.astype(np.float32))


@pytest.mark.parametrize("lengths", [[40], [50, 60], [12, 9, 30], [9, 8, 7, 10], [4, 5, 6, 7, 8]])
def test_joins_find_every_sum(lengths: list[int]) -> None:
    lists = [random_sums(i, n, 3) for i, n in enumerate(lengths)]
    found = {tuple(places) for places in joined(lists, np.uint64(0))}
    every = {
        places
        for places in product(*(range(n) for n in lengths))
        if not sum(part.vectors[i] for part, i in zip(lists, places, strict=True)).any()
    }
    assert found == every


@pytest.mark.parametrize("count", [3, 4])
def test_large_joins_find_near_sums(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # With room for few products the lists are joined by their near sums.
    monkeypatch.setattr("gcdesign.designs.joins.sums.MAX_PRODUCT", 10)
    lists = [random_sums(i, 60 if count == 3 else 25, 3) for i in range(count)]
    found = {tuple(places) for places in joined(lists, np.uint64(0))}
    assert found
    for places in found:
        assert not sum(part.vectors[i] for part, i in zip(lists, places, strict=True)).any()
    length = 60 if count == 3 else 25
    every = sum(
        not sum(part.vectors[i] for part, i in zip(lists, places, strict=True)).any()
        for places in product(*(range(length) for _ in range(count)))
    )
    assert len(found) == every


def test_pairs_near_zero() -> None:
    a, b = random_sums(5, 700, 3), random_sums(6, 900, 3)
    cut = cut_for(a, b, 20_000)
    found = np.concatenate(list(near(a, b, cut, inf)))
    squares = ((a.vectors[:, None] + b.vectors[None]) ** 2).sum(axis=2)
    assert {(int(i), int(j)) for i, j in found} == set(
        zip(*np.nonzero(squares <= cut), strict=True)
    )
    keys = a.keys[found[:9, 0]] + b.keys[found[:9, 1]]
    some = np.concatenate(list(near(a, b, cut, inf, table_of(keys))))
    assert set((a.keys[some[:, 0]] + b.keys[some[:, 1]]).tolist()) == set(keys.tolist())


def joins(wanted: Prescribed, kinds: list[Kind], seeds: int) -> BaseBlocks | None:
    systems = [equations(wanted, q, kinds) for q in (whole(wanted), *quotients(wanted))]
    solvable: list[Equations] = [s for s in systems if s is not None and s.solvable]
    finest = max(solvable, key=lambda s: s.quotient.classes)
    tries = (join_once(finest, Draws(seed)) for seed in range(seeds))
    return next((found for found in tries if found is not None), None)


@pytest.mark.parametrize(
    ("ring", "copies", "fixed", "k", "lambda_", "orbits"),
    [
        ("Z13", 1, 0, 4, 1, [13]),
        ("Z15", 1, 0, 7, 3, [15]),
        ("Z37", 1, 0, 9, 2, [37]),
        ("Z13", 1, 0, 6, 5, [13, 13]),
        ("F25", 1, 0, 4, 1, [25, 25]),
        ("Z15", 1, 0, 3, 1, [15, 15, 5]),
    ],
)
def test_joins_make_designs(
    ring: str, copies: int, fixed: int, k: int, lambda_: int, orbits: list[int]
) -> None:
    wanted = wanted_for(ring, k, lambda_, copies, fixed)
    by_length = {kind.orbit: kind for kind in wanted.kinds}
    found = joins(wanted, [by_length[n] for n in orbits], 4)
    assert found is not None
    assert found.coverage().lambda_ == lambda_


def test_a_join_of_lists_of_near_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    # With lists of all blocks only for very few, those of near blocks are what is joined.
    monkeypatch.setattr("gcdesign.designs.joins.attempt.ALL", 50)
    wanted = wanted_for("Z31", 6, 2)
    assert is_large(wanted.kinds[0], 6)
    found = joins(wanted, [wanted.kinds[0]] * 2, 20)
    assert found is not None
    assert found.coverage().lambda_ == 2


def test_a_quotient_by_hand() -> None:
    wanted = wanted_for("Z6", 3, 2)
    parity = quotient(wanted, np.arange(6, dtype=np.int64) % 2)
    assert parity.classes == 2
    assert parity.covered(np.array([[1, 2], [3, 0]])).tolist() in (
        [[1, 2], [3, 0]],
        [[2, 1], [0, 3]],
    )
    assert list(islice(map(int, parity.cell_of), 3)) == [0, 1, 0]
