"""Structures are found where they are, renamed or not, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from gcdesign.adversary import worst_case_error_profile
from gcdesign.codes import (
    ConstantIntersection,
    GradientCode,
    ParallelClasses,
    Placement,
    ReplicaGroups,
    structure_of,
)
from gcdesign.designs import BlockDesign, build, complement, dual, parse_spec

LeastError = Callable[[Sequence[Sequence[Any]], int], Fraction]
Blocks = list[list[int]]
Kind = type[ConstantIntersection] | type[ParallelClasses] | type[ReplicaGroups] | None


def family(name: str) -> BlockDesign:
    return build(parse_spec(name))


def net(n: int, squares: Sequence[Callable[[int, int], int]]) -> BlockDesign:
    """Return the net of rows, columns and the symbols of Latin squares on n × n cells."""
    maps = [lambda i, j: i, lambda i, j: j, *squares]
    blocks = [
        [n * i + j for i, j in product(range(n), repeat=2) if symbol(i, j) % n == value]
        for symbol in maps
        for value in range(n)
    ]
    return BlockDesign.from_blocks(blocks, points=n * n)


def some_classes(name: str, count: int) -> BlockDesign:
    design = family(name)
    assert design.parallel_classes is not None
    blocks = [design.block(b).tolist() for c in design.parallel_classes[:count] for b in c]
    return BlockDesign.from_blocks(blocks, points=design.v)


def renamed(design: BlockDesign, seed: int) -> BlockDesign:
    rng = np.random.default_rng(seed)
    parts = rng.permutation(design.v)
    blocks = [[int(parts[j]) for j in block] for block in design.blocks()]
    return BlockDesign.from_blocks([blocks[i] for i in rng.permutation(design.b)], points=design.v)


FOUND: list[tuple[str, BlockDesign, Kind]] = [
    *((name, family(name), ConstantIntersection) for name in ("pg:q=2", "pg:q=4", "pg:q=2,dim=3")),
    *((name, family(name), ConstantIntersection) for name in ("dual-ag:q=3", "dual-ag:q=2,dim=3")),
    ("complement of PG(2,3)", complement(family("pg:q=3")), ConstantIntersection),
    ("points of AG(2,3)", dual(family("ag:q=3")), ConstantIntersection),
    ("two of three", BlockDesign.from_blocks([[0, 1], [0, 2], [1, 2]]), ConstantIntersection),
    ("cyclic {0,1,3}", BlockDesign.from_blocks([[0, 1, 3], [1, 2, 4], [2, 3, 5], [3, 4, 6],
                                               [0, 4, 5], [1, 5, 6], [0, 2, 6]]),
     ConstantIntersection),
    ("two lines and a lost part", BlockDesign.from_blocks([[0, 1], [0, 2]], points=4),
     ConstantIntersection),
    *((name, family(name), ParallelClasses) for name in ("ag:q=2", "ag:q=4", "ag:q=3,dim=3")),
    ("grid of 3", net(3, []), ParallelClasses),
    ("net of order 4", some_classes("ag:q=4", 3), ParallelClasses),
    ("net of order 5", net(5, [lambda i, j: i + j, lambda i, j: i + 2 * j]), ParallelClasses),
    ("net of order 6", net(6, [lambda i, j: i + j]), ParallelClasses),
    ("planes of AG(3,2)", some_classes("ag:q=2,dim=3", 4), ParallelClasses),
    ("fractional repetition", family("frc:workers=8,stragglers=1"), ReplicaGroups),
    ("uncoded", family("uncoded:workers=4"), ReplicaGroups),
    ("one class", some_classes("ag:q=3", 1), ReplicaGroups),
    ("uneven groups", BlockDesign.from_blocks([[0], [1, 2], [0], [], [1, 2], [1, 2]], points=5),
     ReplicaGroups),
    ("everything", BlockDesign.from_blocks([[0, 1, 2]] * 3), ReplicaGroups),
    ("nothing", BlockDesign.from_blocks([[]] * 2, points=3), ReplicaGroups),
]  # fmt: skip


@pytest.mark.parametrize(("design", "kind"), [f[1:] for f in FOUND], ids=[f[0] for f in FOUND])
def test_structures_are_found(design: BlockDesign, kind: Kind, least_error: LeastError) -> None:
    assert kind is not None
    rng = np.random.default_rng(0)
    for each in (design, renamed(design, 1), renamed(design, 2)):
        code = GradientCode.from_design(each)
        assert isinstance(code.structure, kind)
        matrix = code.dense_encoding().astype(int).tolist()
        for _ in range(4):
            silenced = np.flatnonzero(rng.random(code.workers) < rng.random())
            decoding = code.decode(silenced)
            assert decoding.method == kind.name
            alive = [row for w, row in enumerate(matrix) if w not in silenced]
            assert decoding.error_exact == least_error(alive, code.parts)
            residual = np.array(matrix, dtype=float).T @ decoding.weights - 1
            assert residual @ residual == pytest.approx(decoding.error, abs=1e-9)


def changed(design: BlockDesign, worker: int, out: int, into: int) -> BlockDesign:
    """Return the design with one part of one block exchanged for another."""
    blocks = design.blocks()
    blocks[worker] = sorted({into, *blocks[worker]} - {out})
    return BlockDesign.from_blocks(blocks, points=design.v)


def near_misses() -> list[tuple[str, BlockDesign]]:
    found = []
    for name in ("pg:q=2", "pg:q=3", "ag:q=3", "dual-ag:q=3", "ag:q=2,dim=3"):
        design = family(name)
        first = design.block(0).tolist()
        other = next(j for j in range(design.v) if j not in first)
        found.append((f"{name}, one part exchanged", changed(design, 0, first[0], other)))
        found.append((f"{name}, one part less", changed(design, 0, first[0], first[1])))
        found.append((f"{name}, one part more", changed(design, 0, -1, other)))
    plane = family("ag:q=3")
    classes = plane.parallel_classes
    assert classes is not None
    blocks = plane.blocks()
    merged = [sorted({*blocks[a], *blocks[b]}) for a, b in zip(classes[0], classes[1], strict=True)]
    rest = [blocks[b] for c in classes[2:] for b in c]
    found.append(("two classes merged", BlockDesign.from_blocks(merged + rest, points=9)))
    short = [blocks[b] for c in classes for b in c][1:]
    found.append(("a class that lacks a line", BlockDesign.from_blocks(short, points=9)))
    twice = [block for block in blocks for _ in range(2)]
    found.append(("every line twice", BlockDesign.from_blocks(twice, points=9)))
    return found


MISSES: list[tuple[str, BlockDesign]] = [
    *near_misses(),
    ("lines of PG(3,2)", family("pg:q=2,dim=3,flats=1")),
    ("edges of a hexagon", BlockDesign.from_blocks([sorted((i, (i + 1) % 6)) for i in range(6)])),
    ("edges of K5", BlockDesign.from_blocks(combinations(range(5), 2))),
    ("near-pencil", BlockDesign.from_blocks([[0, 1, 2], [0, 3], [1, 3], [2, 3]])),
    ("cyclic, three in a row", BlockDesign.from_blocks(
        [sorted((i + s) % 7 for s in range(3)) for i in range(7)])),
    ("groups that overlap", BlockDesign.from_blocks([[0, 1], [0, 1], [1, 2], [1, 2]])),
    ("complement of AG(2,3)", complement(family("ag:q=3"))),
    # Lines meet in 0 or 1 points, here and in PG(3,2), where there are even resolutions.
    ("Desargues", BlockDesign.from_blocks(
        [[p for p, pair in enumerate(combinations(range(5), 2)) if set(pair) <= set(line)]
         for line in combinations(range(5), 3)])),
]  # fmt: skip


@pytest.mark.parametrize("design", [m[1] for m in MISSES], ids=[m[0] for m in MISSES])
def test_near_misses_are_not_taken_for_structures(
    design: BlockDesign, least_error: LeastError
) -> None:
    for each in (design, renamed(design, 3)):
        code = GradientCode.from_design(each)
        assert code.structure is None
        matrix = code.dense_encoding().astype(int).tolist()
        for silenced in ([], [0], [0, 1, 2], range(1, code.workers)):
            alive = [row for w, row in enumerate(matrix) if w not in silenced]
            assert code.decode(silenced).error_exact == least_error(alive, code.parts)


def test_a_plane_without_a_name_keeps_its_closed_form() -> None:
    named = GradientCode.from_design(family("pg:q=4"))
    plain = GradientCode.from_matrix(named.dense_encoding()[::-1])
    assert plain.placement.design.provenance is None
    for a, b in zip(worst_case_error_profile(named), worst_case_error_profile(plain), strict=True):
        assert a.value == b.value
        assert b.proof == "closed form: constant intersection of workers"


def test_real_weights_have_no_structure() -> None:
    plane = Placement(family("pg:q=2"))
    assert GradientCode(plane, np.full(21, 2.0)).structure is None
    assert isinstance(GradientCode(plane, np.ones(21)).structure, ConstantIntersection)


def test_counting_is_given_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gcdesign.codes.structure.MAX_PAIR_WORK", 10)
    assert structure_of(Placement(renamed(family("pg:q=2"), 0))) is None
    assert structure_of(Placement(family("pg:q=2"))) is not None  # by its differences
    assert structure_of(Placement(family("frc:workers=8,stragglers=3"))) is not None


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_the_errors_of_a_grid(n: int) -> None:
    code = GradientCode.from_design(net(n, []))
    assert code.decode(range(2 * n)).error_exact == n * n
    assert code.decode(range(n)).error_exact == 0
    assert code.decode(range(n, 2 * n)).error_exact == 0
    one_each = code.decode([0, n]).error_exact
    assert one_each == Fraction(n * n, 2 * n - 1)
