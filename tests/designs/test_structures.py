"""Circles, unitals, arcs, Baer subplanes and quadrangles, counted point by point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest

from gcdesign.designs import BlockDesign, affine_geometry, dual, projective_geometry
from gcdesign.designs.structures.plane_designs import arc_design, unital
from gcdesign.designs.structures.plane_sets import (
    baer_subplane,
    conic,
    cyclic_arc,
    hermitian_curve,
    hyperoval,
    maximal_arc,
)
from gcdesign.designs.structures.quadrangles import (
    hermitian_quadrangle,
    hyperoval_quadrangle,
    symplectic_quadrangle,
)
from gcdesign.designs.structures.spherical import spherical_geometry
from gcdesign.designs.symmetry import isomorphism
from gcdesign.errors import InputError, LimitError


def sound(design: BlockDesign) -> bool:
    """Whether the blocks pass the full check that blocks from outside meet."""
    return BlockDesign(design.v, design.indptr, design.indices) == design


def subset_counts(design: BlockDesign, t: int) -> set[int]:
    counts = Counter(s for block in design.blocks() for s in combinations(block, t))
    everything = len(counts) == sum(1 for _ in combinations(range(design.v), t))
    return set(counts.values()) | (set() if everything else {0})


def meets(plane: BlockDesign, points: np.ndarray) -> set[int]:
    inside = set(points.tolist())
    return {len(inside & set(line)) for line in plane.blocks()}


@pytest.mark.parametrize(("q", "dim"), [(2, 2), (2, 4), (3, 2), (3, 3), (4, 2), (5, 2), (8, 2)])
def test_spherical_geometries(q: int, dim: int) -> None:
    design = spherical_geometry(q, dim)
    assert sound(design)
    assert set(map(len, design.blocks())) == {q + 1}
    assert design.v == q**dim + 1
    assert subset_counts(design, 3) == {1}


@pytest.mark.parametrize("q", [2, 3, 4, 5, 7])
def test_unitals(q: int) -> None:
    design = unital(q)
    assert sound(design)
    assert design.parameters.as_tuple() == (q**3 + 1, q * q * (q * q - q + 1), q * q, q + 1, 1)
    assert subset_counts(design, 2) == {1}


@pytest.mark.parametrize(("q", "degree"), [(4, 2), (4, 4), (8, 2), (8, 4), (16, 4), (16, 8)])
def test_maximal_arcs(q: int, degree: int) -> None:
    assert meets(affine_geometry(q), maximal_arc(q, degree)) <= {0, degree}
    design = arc_design(q, degree)
    assert sound(design)
    assert subset_counts(design, 2) == {1}
    assert design.parameters.as_tuple()[3:] == (degree, 1)
    for parallel in design.parallel_classes or ():
        points = sorted(p for b in parallel for p in design.block(b).tolist())
        assert points == list(range(design.v))
    assert len(design.parallel_classes or ()) == q + 1


@pytest.mark.parametrize("q", [3, 4, 5, 8, 9])
def test_conics(q: int) -> None:
    points = conic(q)
    assert len(points) == q + 1
    assert meets(projective_geometry(q), points) == {0, 1, 2}


@pytest.mark.parametrize("q", [2, 4, 8, 16])
def test_hyperovals(q: int) -> None:
    points = hyperoval(q)
    assert len(points) == q + 2
    assert meets(projective_geometry(q), points) == {0, 2}


@pytest.mark.parametrize("root", [2, 3, 4, 5])
def test_sets_in_planes_of_square_order(root: int) -> None:
    q = root * root
    plane = projective_geometry(q)
    subplane = baer_subplane(q)
    assert len(subplane) == q + root + 1
    assert meets(plane, subplane) == {1, root + 1}
    curve = hermitian_curve(q)
    assert len(curve) == q * root + 1
    assert meets(plane, curve) == {1, root + 1}
    arc = cyclic_arc(q)
    assert len(arc) == q - root + 1
    assert max(meets(plane, arc)) <= 2


def is_quadrangle(design: BlockDesign, s: int, t: int) -> bool:
    """Count the flags: a point off a line is joined to exactly one point of the line."""
    lines = [set(line) for line in design.blocks()]
    joined: list[set[int]] = [set() for _ in range(design.v)]
    through = [0] * design.v
    for line in lines:
        for point in line:
            joined[point] |= line
            through[point] += 1
    return (
        {len(line) for line in lines} == {s + 1}
        and set(through) == {t + 1}
        and all(
            len(joined[point] & line) == 1
            for line in lines
            for point in range(design.v)
            if point not in line
        )
    )


@pytest.mark.parametrize("q", [2, 3, 4, 5])
def test_symplectic(q: int) -> None:
    design = symplectic_quadrangle(q)
    assert sound(design)
    assert is_quadrangle(design, q, q)
    assert is_quadrangle(dual(design), q, q)


@pytest.mark.parametrize("q", [2, 3])
def test_hermitian(q: int) -> None:
    design = hermitian_quadrangle(q)
    assert sound(design)
    assert is_quadrangle(design, q * q, q)


@pytest.mark.parametrize("q", [2, 4])
def test_hyperoval_quadrangles(q: int) -> None:
    design = hyperoval_quadrangle(q)
    assert sound(design)
    assert is_quadrangle(design, q - 1, q + 1)
    for parallel in design.parallel_classes or ():
        points = sorted(p for b in parallel for p in design.block(b).tolist())
        assert points == list(range(design.v))


def test_the_quadrangle_of_order_two_is_the_duads_and_synthemes() -> None:
    """W(2): 15 pairs of six things against 15 partitions into three pairs."""
    duads = list(combinations(range(6), 2))
    synthemes = [
        [duads.index(d) for d in three]
        for three in combinations(duads, 3)
        if len(set().union(*three)) == 6
    ]
    assert isomorphism(BlockDesign.from_blocks(synthemes, points=15), symplectic_quadrangle(2))


def test_refusals() -> None:
    call: Callable[[int], object]
    for call in (unital, symplectic_quadrangle, hermitian_quadrangle, spherical_geometry):
        with pytest.raises(InputError, match="prime power"):
            call(6)
        with pytest.raises(LimitError):
            call(10**9)
    for call in (hyperoval, hyperoval_quadrangle):
        with pytest.raises(InputError, match="power of 2"):
            call(9)
    for call in (baer_subplane, cyclic_arc, hermitian_curve):
        with pytest.raises(InputError, match="square"):
            call(8)
    with pytest.raises(InputError, match="degree=3"):
        arc_design(8, 3)
    with pytest.raises(InputError, match="dim=1"):
        spherical_geometry(3, 1)
