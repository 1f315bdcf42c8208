"""Placements: who holds what, read either way round, and what is lost."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.codes import Placement, load_code
from gcdesign.designs import BlockDesign, projective_geometry
from gcdesign.errors import InputError

BLOCKS = [[0, 2], [], [0, 1, 2], [2], [4]]
UNEVEN = Placement(BlockDesign.from_blocks(BLOCKS, points=6))


@settings(max_examples=50, deadline=None, derandomize=True)
@given(st.integers(0, 7), st.data())
def test_against_plain_sets(parts: int, data: st.DataObject) -> None:
    block = st.sets(st.integers(0, max(0, parts - 1)), max_size=parts)
    sets = data.draw(st.lists(block, max_size=7)) if parts else [set[int]()] * 3
    placement = Placement(BlockDesign.from_blocks(sets, points=parts))
    assert (placement.workers, placement.parts) == (len(sets), parts)
    assert placement.loads.tolist() == [len(s) for s in sets]
    holders = [[w for w, s in enumerate(sets) if j in s] for j in range(parts)]
    assert placement.replications.tolist() == [len(h) for h in holders]
    assert [placement.holders_of(j).tolist() for j in range(parts)] == holders
    chosen = data.draw(st.sets(st.integers(0, parts - 1))) if parts else set()
    together = sorted({w for j in chosen for w in holders[j]})
    assert placement.neighbourhood(chosen).tolist() == together
    assert set(chosen) <= set(placement.lost_parts(together).tolist())
    graph = placement.graph()
    edges = {(w, len(sets) + j) for w, s in enumerate(sets) for j in s}
    assert {tuple(sorted(edge)) for edge in graph.edges} == edges
    assert len(graph) == len(sets) + parts


def test_loads_and_replications() -> None:
    assert (UNEVEN.load, UNEVEN.replication) == (None, None)
    plane = Placement(projective_geometry(3))
    assert (plane.load, plane.replication) == (4, 4)
    empty = Placement(BlockDesign.from_blocks([], points=0))
    assert (empty.workers, empty.parts, empty.load, empty.replication) == (0, 0, None, None)


def test_lost_parts() -> None:
    assert UNEVEN.lost_parts([]).tolist() == [3, 5]
    assert UNEVEN.lost_parts([0, 2]).tolist() == [0, 1, 3, 5]
    assert UNEVEN.lost_parts(range(5)).tolist() == list(range(6))
    assert UNEVEN.neighbourhood([]).tolist() == []
    assert UNEVEN.neighbourhood([3]).tolist() == []


def test_both_readings_of_a_design() -> None:
    design = BlockDesign.from_blocks(BLOCKS, points=6)
    points = Placement.from_design(design, workers="points")
    assert (points.workers, points.parts) == (6, 5)
    assert points.design.blocks() == [[0, 2], [2], [0, 2, 3], [], [4], []]
    assert Placement.from_design(design) == UNEVEN
    unknown: Any = "lines"
    with pytest.raises(InputError, match="workers='lines'"):
        Placement.from_design(design, workers=unknown)


@pytest.mark.parametrize("part", [-1, 6])
def test_no_such_part(part: int) -> None:
    for ask in (UNEVEN.holders_of, lambda part: UNEVEN.neighbourhood([part])):
        with pytest.raises(InputError, match=f"part {part}"):
            ask(part)


def test_masks() -> None:
    assert UNEVEN.mask([3, 0]).tolist() == [True, False, False, True, False]
    assert UNEVEN.mask(np.array([1])).tolist() == [False, True, False, False, False]
    assert UNEVEN.mask(iter([2])).sum() == 1


# A mask given for numbers would silently name workers 0 and 1.
@pytest.mark.parametrize(
    "wrong", [[True, False], np.array([False, True]), [1.0], ["1"], [5], [-1], [2, 2]], ids=str
)
def test_no_such_workers(wrong: Any) -> None:
    with pytest.raises(InputError):
        UNEVEN.mask(wrong)


def test_labels() -> None:
    assert load_code("pg:q=5").placement.label == "PG(2,5)"
    assert UNEVEN.label == "design with v=6, b=5"
    points = Placement.from_design(projective_geometry(2), workers="points")
    assert points.label == "dual of PG(2,2)"
