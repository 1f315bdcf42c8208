"""Proofs that parts and workers are apart nowhere: true ones pass, everything less is refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
import pytest

from gcdesign.adversary.certificates import certificate, digest
from gcdesign.adversary.evidence import Lemma, search_proof
from gcdesign.adversary.results import AttackResult
from gcdesign.adversary.running.settings import Settings, Watch
from gcdesign.adversary.symmetric.pairs import PairSearch, SymmetricDesign, search_pair
from gcdesign.adversary.symmetric.pairs_proof import proof_of
from gcdesign.adversary.symmetric.profile import Proved, profile_of
from gcdesign.adversary.thresholds.greedy import PartAttack
from gcdesign.checker import CertificateError, check
from gcdesign.codes import Placement
from gcdesign.designs import BlockDesign, projective_geometry

PAIRS = {
    "PG(2,7)": (projective_geometry(7), 1, 10, 17),
    "biplane (37, 9, 2)": (
        BlockDesign.from_blocks(
            [[(x + i) % 37 for x in (1, 7, 9, 10, 12, 16, 26, 33, 34)] for i in range(37)]
        ),
        2,
        5,
        12,
    ),
}


def searched(name: str) -> dict[str, Any]:
    """Return a certificate with one search; the two claims before it are left to trust."""
    blocks, shared, t, u = PAIRS[name]
    placement = Placement(blocks)
    design = SymmetricDesign.of(placement, (shared, shared))
    assert design is not None
    assert search_pair(PairSearch(design, t, u), watch=Watch(Settings(threads=1))).feasible is False
    before = [
        Lemma("threshold", t + 1, design.v - u + 1, search_proof("trust")),
        Lemma("threshold", t, design.v - u, search_proof("trust")),
    ]
    proof = proof_of(PairSearch(design, t, u), *before)
    assert proof is not None
    attack = PartAttack.on(placement, np.arange(t))
    result = AttackResult(
        question="threshold",
        asked=t,
        code=name,
        decoder=None,
        lower=design.v - u + 1,
        upper=len(attack.workers),
        workers=attack.workers,
        parts=attack.parts,
        bounds=(),
        proof="search",
        evidence=proof,
    )
    document: dict[str, Any] = json.loads(json.dumps(certificate(placement, [result])))
    return document


@pytest.fixture(scope="module", params=PAIRS)
def document(request: pytest.FixtureRequest) -> dict[str, Any]:
    return searched(request.param)


def accepted(document: dict[str, Any]) -> bool:
    """Whether no claim of a document is refused, its digests made anew."""
    document["digests"] = {name: digest(document[name]) for name in document["digests"]}
    try:
        return all(finding.status != "refused" for finding in check(document).findings)
    except CertificateError:
        return False


def forgery(document: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a copy of a document, and the claim in it that has been searched."""
    copied = copy.deepcopy(document)
    return copied, copied["claims"][2]


def steps_of(tree: Any) -> Iterator[list[int]]:
    """Yield the lists of steps in a tree."""
    if isinstance(tree, list):
        yield tree
    else:
        for entry in tree["flags"] if "flags" in tree else tree["next"]:
            yield from steps_of(entry[-1])


def entries_of(tree: Any) -> Iterator[list[Any]]:
    """Yield the lists of entries in a tree."""
    if isinstance(tree, dict):
        entries = tree["flags"] if "flags" in tree else tree["next"]
        yield entries
        for entry in entries:
            yield from entries_of(entry[-1])


def test_a_search_is_checked_step_by_step(document: dict[str, Any]) -> None:
    report = check(copy.deepcopy(document))
    assert [finding.status for finding in report.findings] == ["search"] * 3
    assert all("trust" in text or "search" in text for text in report.findings[2].rests_on)
    assert sum(map(len, steps_of(document["claims"][2]["proof"]["tree"]))) > 200


def test_a_profile_is_proved_without_trust() -> None:
    placement = Placement(projective_geometry(5))
    design = SymmetricDesign.of(placement, (1, 1))
    assert design is not None
    lower = []
    for t in range(design.v + 1):
        bounds = [(Fraction(2 * m * t * 6 - t * (t - 1), m * (m + 1)), m) for m in range(1, 7)]
        value, m = max(bounds)
        lower.append(Proved(ceil(value), "bound", {"by": "pairs", "m": m}))
    attacks = [PartAttack.on(placement, np.arange(t)) for t in range(design.v + 1)]
    watch = Watch(Settings(threads=1, proofs=True))
    profile = profile_of(design, lower, attacks, wanted=list(range(32)), watch=watch)
    results = [
        AttackResult(
            question="threshold",
            asked=t,
            code="PG(2,5)",
            decoder=None,
            lower=bound.value,
            upper=len(attack.workers),
            workers=attack.workers,
            parts=attack.parts,
            bounds=(),
            proof=bound.name,
            evidence=bound.proof,
        )
        for t, (bound, attack) in enumerate(zip(profile.lower, profile.attacks, strict=True))
    ]
    report = check(certificate(placement, results))
    assert {finding.status for finding in report.findings} == {"proved"}
    assert "apart" in {finding.by for finding in report.findings}


def test_a_greater_lower_end_is_refused(document: dict[str, Any]) -> None:
    forged, claim = forgery(document)
    claim["lower"] += 1
    assert not accepted(forged)
    claim["proof"]["u"] -= 1
    assert not accepted(forged)


def test_no_entry_of_a_tree_can_be_left_out(document: dict[str, Any]) -> None:
    lists = list(entries_of(document["claims"][2]["proof"]["tree"]))
    for index, entries in enumerate(lists):
        for number in range(0, len(entries), 8):
            forged, claim = forgery(document)
            del list(entries_of(claim["proof"]["tree"]))[index][number]
            assert not accepted(forged)


def test_no_steps_can_be_left_out(document: dict[str, Any]) -> None:
    lists = list(steps_of(document["claims"][2]["proof"]["tree"]))
    index = max(range(len(lists)), key=lambda i: len(lists[i]))
    for shorter in ([-1], lists[index][:-1], [*lists[index], -1]):
        forged, claim = forgery(document)
        list(steps_of(claim["proof"]["tree"]))[index][:] = shorter
        assert not accepted(forged)


def test_a_changed_step_proves_nothing_false(document: dict[str, Any]) -> None:
    """What is refuted at once must be: steps that say so are tried in the place of branches."""
    lists = list(steps_of(document["claims"][2]["proof"]["tree"]))
    index = max(range(len(lists)), key=lambda i: len(lists[i]))
    branch = next(i for i, code in enumerate(lists[index]) if code >= 0 and code % 3 == 0)
    for kind in (1, 2):
        forged, claim = forgery(document)
        list(steps_of(claim["proof"]["tree"]))[index][branch] += kind
        assert not accepted(forged)


@pytest.mark.parametrize("name", ["larger_parts", "larger_workers"])
def test_what_keeps_a_side_from_growing_is_needed(document: dict[str, Any], name: str) -> None:
    forged, claim = forgery(document)
    claim["proof"][name] = None
    assert not accepted(forged)
    forged, claim = forgery(document)
    forged["claims"][claim["proof"][name]]["lower"] -= 1
    assert not accepted(forged)


def test_a_permutation_that_is_no_automorphism_is_refused(document: dict[str, Any]) -> None:
    forged, claim = forgery(document)
    tree = claim["proof"]["tree"]
    if isinstance(tree, list):  # a list of steps names no permutations
        claim["proof"]["tree"] = {"group": [], "flags": []}
    else:
        tree["group"][0][:2] = reversed(tree["group"][0][:2])
    assert not accepted(forged)


def test_what_is_no_symmetric_design_is_refused(document: dict[str, Any]) -> None:
    forged, _ = forgery(document)
    block = forged["placements"][0]["blocks"][0]
    block[0] = next(p for p in range(forged["placements"][0]["parts"]) if p not in block)
    assert not accepted(forged)
