"""Shared costs: no shares show more than is true, and what are no shares is refused."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from gcdesign.checker import CertificateError, check
from gcdesign.checker.sharing import PASSES, UNIT, Levelling
from gcdesign.checker.verdicts import Budget, TooMuch

Json = Any
Kit = Any


def placement(seed: int) -> tuple[list[list[int]], int]:
    """Uneven workers, some idle; parts that nobody holds occur."""
    rng = random.Random(seed)
    parts = rng.randint(1, 7)
    return [
        sorted(rng.sample(range(parts), rng.randint(0, parts))) for _ in range(rng.randint(1, 7))
    ], parts


def random_shares(blocks: list[list[int]], scale: int, rng: random.Random) -> list[list[int]]:
    """Shares that are allowed, all of the cost or less."""
    found = []
    for block in blocks:
        cuts = sorted(rng.randint(0, scale) for _ in block)
        found.append([b - a for a, b in zip([0, *cuts], cuts, strict=False)])
    return found


def status(document: Json) -> str:
    try:
        return check(document).status
    except CertificateError:
        return "refused"


@pytest.mark.parametrize("seed", range(25))
def test_shares_show_what_their_sums_say_and_nothing_beyond_the_truth(kit: Kit, seed: int) -> None:
    blocks, parts = placement(seed)
    rng = random.Random(seed)
    for eta in range(parts + 1):
        true = kit.threshold(blocks, eta, None, parts=parts)
        scale = rng.choice([1, 2, 6, 1000])
        shares = random_shares(blocks, scale, rng)
        held = [
            (part, share)
            for block, row in zip(blocks, shares, strict=True)
            for part, share in zip(block, row, strict=True)
        ]
        sums = [sum(share for p, share in held if p == part) for part in range(parts)]
        shown = -(-sum(sorted(sums)[:eta]) // scale)
        assert shown <= true["lower"]
        for lower in range(len(blocks) + 1):
            claim = kit.as_lemma(true | {"lower": lower})
            claim["proof"] = {"by": "shares", "scale": scale, "shares": shares}
            wanted = "proved" if lower <= shown else "refused"
            assert status(kit.certificate(blocks, claim, parts=parts)) == wanted


@pytest.mark.parametrize("seed", range(25))
def test_levelled_shares_are_fair(seed: int) -> None:
    """They come close to the linear program for every number of parts, and never above it."""
    blocks, parts = placement(seed)
    rows = [block for block in blocks if block]
    for wanted in range(parts + 1):
        best = least_fraction(rows, parts, wanted)
        for workers in range(len(blocks) + 1):
            levelling = Levelling(rows, range(parts), wanted)
            found = levelling.exceeds(workers, PASSES, Budget(None))
            assert not (found and best <= workers)
            assert found or best <= workers + Fraction(1, 50)


def least_fraction(rows: list[list[int]], parts: int, wanted: int) -> Fraction:
    """The linear program: the lower convex envelope of the least |N(T)| over all |T|, at η."""
    least = [
        min(
            sum(not set(lost).isdisjoint(row) for row in rows)
            for lost in combinations(range(parts), size)
        )
        for size in range(parts + 1)
    ]
    return min(
        Fraction(least[a] * (b - wanted) + least[b] * (wanted - a), b - a)
        if a < b
        else Fraction(least[a])
        for a in range(wanted + 1)
        for b in range(wanted, parts + 1)
    )


def test_levelling_in_pieces_is_levelling() -> None:
    rows = [[0, 1], [1, 2], [2, 3], [3], [0, 3]]
    whole, pieces = Levelling(rows, range(4), 2), Levelling(rows, range(4), 2)
    for workers in (3, 2, 1):
        in_one = whole.exceeds(workers, 6, Budget(None))
        assert in_one == any(pieces.exceeds(workers, 1, Budget(None)) for _ in range(6))
    assert UNIT % 16 == 0


def test_levelling_minds_the_time() -> None:
    with pytest.raises(TooMuch):
        Levelling([[0, 1]] * 9, range(2), 1).exceeds(99, PASSES, Budget(0))


FALSE: dict[str, tuple[dict[str, Json], str]] = {
    "more than its cost": ({"shares": [[1, 2], [1, 1], [2], [2], [2], [1, 1]]}, "shares[0]"),
    "a share below 0": ({"shares": [[3, -1], [1, 1], [2], [2], [2], [1, 1]]}, "shares[0][1]"),
    "a fraction": ({"shares": [["1/2", 1], [1, 1], [2], [2], [2], [1, 1]]}, "shares[0][0]"),
    "true": ({"shares": [[1, 1], [1, 1], [True], [2], [2], [1, 1]]}, "shares[2][0]"),
    "a worker too few": ({"shares": [[1, 1], [1, 1], [2], [2], [2]]}, "shares"),
    "a worker too many": ({"shares": [[1, 1], [1, 1], [2], [2], [2], [1, 1], []]}, "shares"),
    "a share too few": ({"shares": [[1], [1, 1], [2], [2], [2], [1, 1]]}, "shares[0]"),
    "a share too many": ({"shares": [[1, 1, 0], [1, 1], [2], [2], [2], [1, 1]]}, "shares[0]"),
    "a number for a row": ({"shares": [2, [1, 1], [2], [2], [2], [1, 1]]}, "shares[0]"),
    "a number for all": ({"shares": 1}, "shares"),
    "scale 0": ({"scale": 0}, "scale"),
    "scale -2": ({"scale": -2}, "scale"),
    "a scale as a fraction": ({"scale": "5/2"}, "scale"),
    "a smaller scale": ({"scale": 1}, "shares[0]"),
    "a larger scale": ({"scale": 3}, ""),
    "too little": ({"shares": [[1, 1], [1, 1], [2], [2], [2], [0, 0]]}, ""),
    "a claim as well": ({"claim": 0}, ""),
    "another member": ({"m": 1}, ""),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_are_no_shares_is_refused_by_place(kit: Kit, name: str) -> None:
    changes, place = FALSE[name]
    document = json.loads(json.dumps(kit.catalogue()["shares"]))
    document["claims"] = document["claims"][:1]
    document["claims"][0]["proof"] |= changes
    report = check(kit.sign(document))
    where = f"claims[0].proof.{place}: " if place else "claims[0].proof"
    assert report.status == "refused"
    assert report.problems[0].startswith(where)


@pytest.mark.parametrize("missing", ["scale", "shares"])
def test_both_members_are_needed(kit: Kit, missing: str) -> None:
    document = json.loads(json.dumps(kit.catalogue()["shares"]))
    del document["claims"][0]["proof"][missing]
    report = check(kit.sign(document))
    assert [finding.status for finding in report.findings] == ["refused", "refused"]
    assert f"'{missing}' is missing" in report.problems[0]
    assert "has no shares" in report.problems[1]


def test_shares_of_a_false_claim_may_be_used_for_a_true_one(kit: Kit) -> None:
    document = json.loads(json.dumps(kit.catalogue()["shares"]))
    document["claims"][0] |= {"lower": 4, "upper": 4}
    report = check(kit.sign(document))
    assert [finding.status for finding in report.findings] == ["refused", "proved"]


@pytest.mark.parametrize("claim", [1, 2, -1, True, "0", None, [0]])
def test_shares_come_from_an_earlier_claim(kit: Kit, claim: Json) -> None:
    document = json.loads(json.dumps(kit.catalogue()["shares"]))
    document["claims"][1]["proof"]["claim"] = claim
    (problem,) = check(kit.sign(document)).problems
    assert problem.startswith("claims[1].proof.claim: ")


def test_a_first_claim_has_no_earlier_one(kit: Kit) -> None:
    document = json.loads(json.dumps(kit.catalogue()["shares"]))
    document["claims"] = [document["claims"][1] | {"proof": {"by": "shares", "claim": 0}}]
    (problem,) = check(kit.sign(document)).problems
    assert problem.startswith("claims[0].proof.claim: ")


def test_shares_of_another_question_or_placement_are_refused(kit: Kit) -> None:
    blocks, shares = [[0, 1], [1]], {"by": "shares", "scale": 1, "shares": [[1, 0], [1]]}
    own = kit.threshold(blocks, 2, {"by": "shares", "claim": 0})
    error = kit.as_lemma(kit.error(blocks, 1, shares))
    elsewhere = kit.as_lemma(kit.threshold(blocks, 2, shares)) | {"placement": 1}
    more = [{"parts": 2, "blocks": blocks}]
    for first in (error, elsewhere):
        report = check(kit.certificate(blocks, first, own, more=more))
        assert "about something else" in report.problems[-1]
        assert report.findings[1].status == "refused"
    here = elsewhere | {"placement": 0}
    assert status(kit.certificate(blocks, here, own, more=more)) == "proved"
    copies = kit.as_lemma(kit.threshold(blocks, 2, {"by": "copies"}))
    assert "has no shares" in check(kit.certificate(blocks, copies, own)).problems[-1]
