"""Dual, complement, residual and derived designs against plain sets and theorems."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.designs import (
    BlockDesign,
    affine_geometry,
    complement,
    derived,
    dual,
    projective_geometry,
    residual,
)
from gcdesign.designs.operation_table import OPERATIONS
from gcdesign.designs.operations import transpose
from gcdesign.errors import InputError

SYMMETRIC = [(2, 2), (3, 2), (4, 2), (9, 2), (2, 3), (3, 3), (2, 4)]
RAGGED = [[0, 1, 2, 3], [], [2], [2], [0, 3, 5], []]


@st.composite
def designs(draw: st.DrawFn, min_blocks: int = 0) -> BlockDesign:
    v = draw(st.integers(0, 9))
    points = st.integers(0, v - 1) if v else st.nothing()
    blocks = draw(st.lists(st.sets(points, max_size=v), min_size=min_blocks, max_size=8))
    return BlockDesign.from_blocks(blocks, points=v)


def sets(design: BlockDesign) -> list[set[int]]:
    return [set(block) for block in design.blocks()]


def is_well_formed(design: BlockDesign) -> bool:
    """Whether the arrays pass the checks that constructions skip."""
    again = BlockDesign(design.v, design.indptr, design.indices)
    return again == design and design.indices.dtype == "int32" and design.indptr.dtype == "int64"


@settings(deadline=None)
@given(designs())
def test_dual_is_the_transpose(design: BlockDesign) -> None:
    result = dual(design)
    assert is_well_formed(result)
    assert (result.v, result.b) == (design.b, design.v)
    blocks = sets(design)
    assert sets(result) == [
        {i for i, block in enumerate(blocks) if x in block} for x in range(design.v)
    ]
    assert dual(result) == design


@settings(deadline=None)
@given(designs())
def test_complement_by_sets(design: BlockDesign) -> None:
    result = complement(design)
    assert is_well_formed(result)
    assert result.v == design.v
    assert sets(result) == [set(range(design.v)) - block for block in sets(design)]
    assert complement(result) == design


@settings(deadline=None)
@given(designs(min_blocks=1), st.data())
def test_residual_and_derived_by_sets(design: BlockDesign, data: st.DataObject) -> None:
    chosen = data.draw(st.integers(0, design.b - 1))
    blocks = sets(design)
    inside = sorted(blocks[chosen])
    outside = sorted(set(range(design.v)) - blocks[chosen])
    others = [block for i, block in enumerate(blocks) if i != chosen]
    for result, points in ((derived(design, chosen), inside), (residual(design, chosen), outside)):
        assert is_well_formed(result)
        assert result.v == len(points)
        expected = [{points.index(x) for x in block if x in points} for block in others]
        assert sets(result) == expected


def test_operations_on_a_ragged_design() -> None:
    design = BlockDesign.from_blocks(RAGGED, points=7)
    assert dual(design).blocks() == [[0, 4], [0], [0, 2, 3], [0, 4], [], [4], []]
    assert complement(design).blocks()[0] == [4, 5, 6]
    assert complement(design).blocks()[1] == list(range(7))
    assert residual(design, 0).blocks() == [[], [], [], [1], []]
    assert derived(design, 4).blocks() == [[0, 1], [], [], [], []]
    assert derived(design, 1).v == 0
    assert residual(design, 1).blocks() == [RAGGED[0], *RAGGED[2:]]


def test_chunks_of_the_complement_join() -> None:
    """A design of more points than one chunk of the complement holds rows for."""
    v = (1 << 24) // 3
    design = BlockDesign.from_blocks([[i, v - 1] for i in range(7)], points=v)
    result = complement(design)
    for i in range(7):
        block = result.block(i)
        assert len(block) == v - 2
        assert block[i] == i + 1
        assert block[-1] == v - 2


@pytest.mark.parametrize(("q", "m"), SYMMETRIC)
def test_parameters_of_a_symmetric_design(q: int, m: int) -> None:
    design = projective_geometry(q, m)
    v, k = sum(q**i for i in range(m + 1)), sum(q**i for i in range(m))
    lambda_ = sum(q**i for i in range(m - 1))
    assert dual(design).parameters.as_tuple() == (v, v, k, k, lambda_)
    assert complement(design).parameters.as_tuple() == (v, v, v - k, v - k, v - 2 * k + lambda_)
    for block in {0, 1, v - 1}:
        rest = residual(design, block).parameters.as_tuple()
        assert rest == (v - k, v - 1, k, k - lambda_, lambda_)
        within = derived(design, block).parameters.as_tuple()
        pairs = lambda_ - 1 if k > 1 else None
        assert within == (k, v - 1, k - 1, lambda_, pairs)


@pytest.mark.parametrize(("q", "m"), [(2, 2), (3, 2), (4, 2), (3, 3)])
def test_residual_of_a_projective_geometry_has_the_parameters_of_the_affine(q: int, m: int) -> None:
    assert residual(projective_geometry(q, m)).parameters == affine_geometry(q, m).parameters


@pytest.mark.parametrize(("q", "m", "d"), [(3, 2, 1), (4, 2, 1), (3, 3, 1), (2, 4, 2)])
def test_complement_of_a_two_design(q: int, m: int, d: int) -> None:
    design = affine_geometry(q, m, d)
    v, b, r, k, lambda_ = design.parameters.as_tuple()
    assert r is not None
    assert k is not None
    assert lambda_ is not None
    assert complement(design).parameters.as_tuple() == (v, b, b - r, v - k, b - 2 * r + lambda_)


def test_transpose_lists_blocks_in_increasing_order() -> None:
    indptr, blocks = transpose(affine_geometry(4))
    for start, stop in zip(indptr[:-1].tolist(), indptr[1:].tolist(), strict=True):
        row = blocks[start:stop].tolist()
        assert row == sorted(set(row))


@pytest.mark.parametrize("operation", [residual, derived])
@pytest.mark.parametrize("block", [-1, 7, 10**9])
def test_no_such_block(operation: Any, block: int) -> None:
    with pytest.raises(InputError, match=rf"^block {block} of 7; expected 0 to 6$"):
        operation(projective_geometry(2), block)


def test_provenance_is_kept() -> None:
    plane = projective_geometry(3)
    provenance = residual(dual(complement(plane)), 2).provenance
    assert provenance is not None
    assert provenance.spec == "residual(dual(complement(pg:q=3,dim=2,flats=1)),block=2)"
    assert {"dual", "complement", "residual", "derived"} <= set(OPERATIONS)
