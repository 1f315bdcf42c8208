"""Base blocks: developed and counted by plain sets, and proved by their differences."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.designs import build, label, parse_spec
from gcdesign.designs.actions import Action, Multiplier
from gcdesign.designs.base_block_table import (
    HEADER,
    Key,
    read_line,
    read_table,
    stored,
    stored_lines,
    written,
)
from gcdesign.designs.base_blocks import BaseBlocks
from gcdesign.designs.rings import Ring
from gcdesign.errors import InputError, LimitError

RINGS = ["Z1", "Z4", "Z5", "Z6", "F4", "F9", "Z2xZ4", "F4xZ3"]


def pair_counts(v: int, blocks: list[list[int]]) -> dict[tuple[int, int], int]:
    """Count common blocks of all pairs of points, pair by pair."""
    counts = Counter(pair for block in blocks for pair in combinations(sorted(block), 2))
    return {pair: counts[pair] for pair in combinations(range(v), 2)}


def developed(family: BaseBlocks) -> list[tuple[int, ...]]:
    """Develop by plain sets: the closure of each base block under the generators, one by one."""
    action = family.action
    identity = np.arange(action.v)
    generators = [action.permutation(m).tolist() for m in action.multipliers]
    generators += [row.tolist() for row in action.translated(identity)]
    blocks: list[tuple[int, ...]] = []
    for block in family.blocks:
        orbit, fresh = {frozenset(block)}, [frozenset(block)]
        while fresh:
            images = {frozenset(g[p] for p in b) for b in fresh for g in generators}
            fresh = list(images - orbit)
            orbit |= images
        blocks += [tuple(sorted(b)) for b in orbit]
    return blocks


@pytest.mark.parametrize("key", sorted(stored_lines()))
def test_every_stored_design_is_what_it_says(key: Key) -> None:
    v, k, lambda_ = key
    found = stored(key)
    assert found is not None
    family, source = found
    assert source
    design = family.design()
    incidence = design.dense_incidence().astype(np.int64)
    assert incidence.sum(axis=1).tolist() == [k] * design.b
    concurrence = incidence.T @ incidence
    off_diagonal = concurrence[~np.eye(v, dtype=bool)]
    assert off_diagonal.tolist() == [lambda_] * (v * (v - 1))
    assert family.coverage().lambda_ == lambda_
    assert read_line(written(key, family, source)) == (key, family, source)


@st.composite
def families(draw: st.DrawFn) -> BaseBlocks:
    ring = Ring.parse(draw(st.sampled_from(RINGS)))
    copies, fixed = draw(st.integers(1, 3)), draw(st.integers(0, 2))
    units = [x for x in range(ring.order) if ring.is_unit(x)]
    slots = [*draw(st.permutations(range(copies)))]
    slots += draw(st.permutations(range(copies, copies + fixed)))
    multiplier = Multiplier(draw(st.sampled_from(units)), tuple(slots))
    action = Action(ring, copies, fixed, draw(st.sampled_from([(), (multiplier,)])))
    points = st.sets(st.integers(0, action.v - 1), min_size=1, max_size=5)
    blocks = draw(st.lists(points.map(lambda b: tuple(sorted(b))), min_size=1, max_size=3))
    return BaseBlocks(action, tuple(blocks))


@settings(max_examples=150, deadline=None)
@given(families())
def test_development_and_coverage_against_plain_sets(family: BaseBlocks) -> None:
    design = family.design()
    assert Counter(map(tuple, design.blocks())) == Counter(developed(family))
    assert design.b == family.b
    counts = pair_counts(design.v, design.blocks())
    coverage = family.coverage()
    if counts:
        assert (coverage.least, coverage.most) == (min(counts.values()), max(counts.values()))
    assert coverage.lambda_ == (coverage.least if coverage.least == coverage.most else None)


@pytest.mark.parametrize("name", RINGS)
def test_rings_are_rings(name: str) -> None:
    ring = Ring.parse(name)
    every = np.arange(ring.order)
    zero = np.zeros(1, dtype=np.int64)
    assert str(ring) == name
    assert np.prod(ring.moduli) == ring.order
    for a, b, c in product(range(ring.order), repeat=3):
        x, y, z = (np.array([e]) for e in (a, b, c))
        assert ring.add(ring.add(x, y), z) == ring.add(x, ring.add(y, z))
        assert ring.subtract(ring.add(x, y), y) == x
        left = ring.times(a)[ring.add(y, z)]
        assert left == ring.add(ring.times(a)[y], ring.times(a)[z])
        assert ring.times(int(ring.times(a)[b]))[c] == ring.times(a)[ring.times(b)[c]]
    assert (ring.add(every, zero) == every).all()
    assert (ring.times(ring.one) == every).all()
    for a in range(ring.order):
        assert ring.element(ring.components(a)) == a
        assert ring.is_unit(a) == (sorted(ring.times(a).tolist()) == every.tolist())


def test_the_family_of_stored_designs() -> None:
    design = build(parse_spec("base-blocks:points=16,size=6,index=3"))
    assert design.parameters.as_tuple() == (16, 24, 9, 6, 3)
    assert label(design) == "2-(16, 6, 3) design from base blocks"
    with pytest.raises(InputError, match=r"^no base blocks are stored for \(16, 6, 1\); there are"):
        build(parse_spec("base-blocks:points=16,size=6,index=1"))
    with pytest.raises(InputError, match=r"^no base blocks are stored for \(17, 6, 1\)$"):
        build(parse_spec("base-blocks:points=17,size=6,index=1"))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("7 3 1 | Z7 | 1 0 |  | 0 1 3", "expected v k λ | group"),
        ("7 3 | Z7 | 1 0 |  | 0 1 3 | x", "expected v k λ | group"),
        ("7 3 1 | Z7 | 1 0 |  | 0 1 a | x", "expected v k λ | group"),
        ("7 3 1 | Q7 | 1 0 |  | 0 1 3 | x", "'Q7'; expected factors such as Z13"),
        ("7 3 1 | F6 | 1 0 |  | 0 1 3 | x", "6 is no prime power"),
        ("7 3 1 | Z0 | 1 0 |  | 0 1 3 | x", "expected factors such as Z13"),
        ("7 3 1 | Z7 | 0 0 |  | 0 1 3 | x", "copies=0, fixed=0; expected copies ≥ 1"),
        ("7 3 1 | Z7 | 1 0 | 7 | 0 1 3 | x", "multiplier 7 is no unit of Z7"),
        ("7 3 1 | Z7 | 1 1 | 2:1 0 | 0 1 3 | x", "expected a permutation of 1 copies"),
        ("7 3 1 | Z7 | 1 0 |  | 0 1 7 | x", "expected points 0 to 6"),
        ("7 3 1 | Z7 | 1 0 |  | 0 3 1 | x", "expected increasing points"),
        ("7 3 1 | Z7 | 1 0 |  | 0 0 1 | x", "expected increasing points"),
    ],
)
def test_lines_that_are_refused(line: str, message: str) -> None:
    with pytest.raises(InputError, match=message.replace("|", r"\|")):
        read_line(line)


def test_tables_of_another_version_are_refused() -> None:
    assert read_table(f"{HEADER}\n# a comment\n\n7 3 1 | Z7 | 1 0 |  | 0 1 3 | x\n")
    for text in ("", HEADER.replace("version 1", "version 2"), "7 3 1 | Z7 | 1 0 |  | 0 1 3 | x"):
        with pytest.raises(InputError, match="a table of base blocks begins with"):
            read_table(text)


def test_base_blocks_of_ones_own() -> None:
    design = build(parse_spec("developed:group=Z2xZ6,blocks=0+1+3/2+5+7,fixed=1,unit=11"))
    assert design.provenance is not None
    assert build(parse_spec(design.provenance.spec)) == design
    assert label(design) == "2 base blocks over Z2xZ6 + 1"
    short = build(parse_spec("developed:group=Z15,blocks=0+1+4/0+2+9/0+5+10"))
    assert short.parameters.as_tuple() == (15, 35, 7, 3, 1)
    for spec, message in (
        ("developed:group=Z7,blocks=0+1+7", r"^base block \(0, 1, 7\); expected points 0 to 6$"),
        ("developed:group=Z7,blocks=1+0", "expected increasing points"),
        ("developed:group=Z7,blocks=0+x", r"^blocks=0\+x; expected blocks such as"),
        ("developed:group=S7,blocks=0+1", "^group 'S7'; expected factors"),
        ("developed:group=Z6,blocks=0+1,unit=2", "^multiplier 2 is no unit of Z6$"),
        ("developed:group=Z6,blocks=0+1,copies=2,slots=0+0", "expected a permutation"),
    ):
        with pytest.raises(InputError, match=message):
            build(parse_spec(spec))


def test_groups_that_are_too_large_are_refused() -> None:
    with pytest.raises(LimitError, match="the limit is"):
        Ring.parse("Z9999999")
    with pytest.raises(LimitError, match="too large to list"):
        _ = Action(Ring.parse("Z100000")).group


@pytest.mark.parametrize("group", ["Z7", "F9", "Z2xZ6", "F9xZ5", "F4xF5"])
def test_without_a_multiplier_only_the_group_develops(group: str) -> None:
    ring = Ring.parse(group)
    design = build(parse_spec(f"developed:group={group},blocks=0+1+3"))
    assert sorted(map(tuple, design.blocks())) == sorted(
        {
            tuple(sorted(int(ring.add(np.array([p]), np.array([t]))[0]) for p in (0, 1, 3)))
            for t in range(ring.order)
        }
    )
    assert design.provenance is not None
    assert build(parse_spec(design.provenance.spec)) == design
