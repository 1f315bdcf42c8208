"""The two-sided search for parts and workers apart, against brute force and known profiles."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from gcdesign.adversary.bounds import placement_facts
from gcdesign.adversary.certificates import certificate
from gcdesign.adversary.running.settings import Settings, Watch
from gcdesign.adversary.symmetric.completion import completion_of
from gcdesign.adversary.symmetric.pairs import PairSearch, SymmetricDesign, search_pair
from gcdesign.adversary.symmetric.profile import Proved, SymmetricProfile, profile_of
from gcdesign.adversary.thresholds.greedy import PartAttack
from gcdesign.adversary.thresholds.part_bounds import best_lower, threshold_bounds, whole
from gcdesign.adversary.thresholds.threshold import threshold_profile
from gcdesign.checker import check
from gcdesign.codes import Placement, structure_of
from gcdesign.designs import BlockDesign, affine_geometry, complement, dual, projective_geometry

REFERENCE = json.loads((Path(__file__).parents[1] / "data" / "reference_values.json").read_text())


def developed(base: list[int], modulus: int) -> BlockDesign:
    """Return the cyclic design with one base block."""
    return BlockDesign.from_blocks([[(x + i) % modulus for x in base] for i in range(modulus)])


SMALL = {
    "PG(2,2)": projective_geometry(2),
    "PG(2,3)": projective_geometry(3),
    "complement of PG(2,2), λ = 2": complement(projective_geometry(2)),
    "biplane (11, 5, 2)": developed([1, 3, 4, 5, 9], 11),
    "PG(3,2), λ = 3": projective_geometry(2, 3),
}


def truth(placement: Placement) -> list[int]:
    """Return S*(η) for all η, by bit masks over all sets of parts."""
    holders = [sum(1 << int(w) for w in placement.holders_of(p)) for p in range(placement.parts)]
    best = [placement.workers] * (placement.parts + 1)
    unions = {0: 0}
    best[0] = 0
    for mask in range(1, 1 << placement.parts):
        low = (mask & -mask).bit_length() - 1
        unions[mask] = unions[mask & (mask - 1)] | holders[low]
        size = mask.bit_count()
        best[size] = min(best[size], unions[mask].bit_count())
    return best


def symmetric(design: BlockDesign, shared: int) -> SymmetricDesign:
    found = SymmetricDesign.of(Placement(design), (shared, shared))
    assert found is not None
    return found


def unproved(design: SymmetricDesign) -> tuple[list[Proved], list[PartAttack]]:
    """Return bounds and attacks that leave all the work to the search."""
    lower = [Proved(0, "nothing", {"by": "copies"})] * (design.v + 1)
    attacks = [PartAttack.on(design.placement, np.arange(t)) for t in range(design.v + 1)]
    return lower, attacks


def searched(design: SymmetricDesign, threads: int = 1) -> SymmetricProfile:
    """Return a profile that neither bounds nor annealing have helped with."""
    watch = Watch(Settings(threads=threads))
    profile = SymmetricProfile(design, *unproved(design), watch=watch)
    profile.close(list(range(design.v + 1)))
    return profile


@pytest.mark.parametrize("name", SMALL)
def test_every_pair_is_decided_as_brute_force_does(name: str) -> None:
    block, other = (set(SMALL[name].block(i).tolist()) for i in (0, 1))
    design = symmetric(SMALL[name], len(block & other))
    profile = searched(design)
    expected = truth(design.placement)
    assert [bound.value for bound in profile.lower] == expected
    assert [len(attack.workers) for attack in profile.attacks] == expected
    for t, attack in enumerate(profile.attacks):
        assert len(attack.parts) == t
        assert set(attack.workers) == set(design.placement.neighbourhood(attack.parts).tolist())


def test_without_a_duality_the_answers_are_the_same() -> None:
    design = symmetric(SMALL["PG(2,3)"], 1)
    profile = SymmetricProfile(design, *unproved(design), watch=Watch(Settings(threads=1)))
    profile._duality = None
    profile.close(list(range(design.v + 1)))
    assert [bound.value for bound in profile.lower] == truth(design.placement)


@pytest.mark.parametrize("q", [4, 5])
def test_planes_have_the_profile_known_from_elsewhere(q: int) -> None:
    design = symmetric(projective_geometry(q), 1)
    facts = placement_facts(design.placement)
    bounds = [whole(best_lower(threshold_bounds(facts, t))) for t in range(design.v + 1)]
    lower = [Proved(value, "bounds", {"by": "pairs"}) for value in bounds]
    watch = Watch(Settings(threads=2))
    profile = profile_of(
        design, lower, unproved(design)[1], wanted=list(range(design.v + 1)), watch=watch
    )
    assert [bound.value for bound in profile.lower] == REFERENCE["Sstar_PG2"][str(q)]
    assert not profile.open


def test_a_search_that_runs_out_of_nodes_decides_nothing() -> None:
    design = symmetric(projective_geometry(7), 1)
    search = PairSearch(design, 10, 17)
    answer = search_pair(search, watch=Watch(Settings(threads=1)), nodes=1)
    assert answer.feasible is None


@pytest.mark.parametrize("q", [2, 3])
@pytest.mark.parametrize("dual_plane", [False, True], ids=["AG", "dual AG"])
def test_affine_planes_through_their_completion(q: int, dual_plane: bool) -> None:
    plane = affine_geometry(q)
    placement = Placement(dual(plane) if dual_plane else plane)
    completion = completion_of(placement, structure_of(placement), None)
    assert completion is not None
    profile = searched(completion.design)
    expected = truth(placement)
    for eta, value in enumerate(expected):
        attack = completion.attack(profile, eta)
        assert min(completion.proved(profile, eta).value, placement.workers) == value
        if attack is not None:
            assert len(attack.workers) >= value
            assert len(attack.parts) == eta


@pytest.mark.parametrize("dual_plane", [False, True], ids=["AG", "dual AG"])
def test_what_a_plane_proves_of_an_affine_one_is_checked_on_the_plane(
    dual_plane: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gcdesign.adversary.symmetric.planes.SMALL", 0)
    plane = affine_geometry(3)
    placement = Placement(dual(plane) if dual_plane else plane)
    results = threshold_profile(placement, settings=Settings(proofs=True))
    document = json.loads(json.dumps(certificate(placement, results)))
    assert {claim["placement"] for claim in document["claims"]} == {0, 1}
    assert {finding.status for finding in check(document).findings} == {"proved"}


def test_what_is_no_affine_plane_has_no_completion() -> None:
    for design in (projective_geometry(3), affine_geometry(2, 3), developed([0, 1, 2], 9)):
        placement = Placement(design)
        assert completion_of(placement, structure_of(placement), None) is None
