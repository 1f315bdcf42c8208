"""One part fixed by symmetry: only where the symmetry is there, and then nothing is lost by it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from gcdesign.adversary import threshold_profile
from gcdesign.adversary.bounds import placement_facts
from gcdesign.adversary.running.settings import Settings, Watch
from gcdesign.adversary.thresholds.greedy import PartAttack
from gcdesign.adversary.thresholds.solver import solve_threshold
from gcdesign.codes import Placement, load_code
from gcdesign.designs import BlockDesign, dual, parse_spec, projective_geometry
from gcdesign.designs.design import Provenance

Thresholds = Callable[[Sequence[Sequence[int]], int], list[int]]
FANO = Provenance.of("pg", q=2, dim=2, flats=1)

# Part 0 is held by more workers than the others: to fix it as lost is dear.
UNEVEN = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [1, 5], [2, 6], [3, 4, 6], [0, 4, 5]]


def solved(placement: Placement, eta: int) -> tuple[int, int]:
    """Return both ends from the solver alone, with no other bound and a plain attack."""
    watch = Watch(Settings(threads=1))
    every = PartAttack(tuple(range(eta)), tuple(range(placement.workers)))
    answer = solve_threshold(
        placement, placement_facts(placement), eta, lower=0, start=every, watch=watch
    )
    assert answer.attack is not None
    return answer.lower, len(answer.attack.workers)


@pytest.mark.parametrize(
    "name", ["pg:q=3", "ag:q=3", "dual-ag:q=3", "pg:q=2,dim=3", "frc:workers=8,stragglers=1"]
)
def test_fixing_a_part_loses_nothing(name: str) -> None:
    fixed = load_code(name).placement
    free = Placement(fixed.design.with_provenance(None))
    assert fixed.part_transitive
    assert not free.part_transitive
    for eta in range(1, fixed.parts + 1, 2):
        lower, upper = solved(fixed, eta)
        assert lower == upper
        assert solved(free, eta) == (lower, upper)


def test_a_false_provenance_proves_nothing(thresholds: Thresholds) -> None:
    design = BlockDesign.from_blocks(UNEVEN, points=7, provenance=FANO)
    placement = Placement(design)
    assert not placement.part_transitive
    assert [r.value for r in threshold_profile(placement)] == thresholds(UNEVEN, 7)


@pytest.mark.parametrize("provenance", [Provenance.of("pg", q=6), Provenance.of("pg", q=3, dim=9)])
def test_an_impossible_provenance_proves_nothing(provenance: Provenance) -> None:
    design = BlockDesign.from_blocks(UNEVEN, points=7, provenance=provenance)
    assert not Placement(design).part_transitive


def test_only_the_family_itself_counts() -> None:
    plane = projective_geometry(2)
    assert Placement(plane).part_transitive
    turned = BlockDesign.from_blocks(plane.blocks()[::-1], points=7, provenance=plane.provenance)
    assert not Placement(turned).part_transitive
    assert not Placement(dual(plane)).part_transitive
    assert parse_spec("pg:q=2").spec == "pg:q=2"
