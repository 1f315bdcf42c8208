"""One certificate for each kind of proof: it passes, and every change to it is seen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.checker import CertificateError, check
from gcdesign.checker.errors import PROOFS as ERRORS
from gcdesign.checker.threshold import PROOFS as THRESHOLDS

Json = Any
Kit = Any


def test_true_claims_pass(known: str, document: Json, kit: Kit) -> None:
    report = check(document)
    assert report.problems == ()
    assert [finding.status for finding in report.findings] == ["proved"] * len(document["claims"])
    assert all(kit.holds(document, claim) for claim in document["claims"])


def test_the_catalogue_has_every_kind_of_proof(kit: Kit) -> None:
    claims = [c for document in kit.catalogue().values() for c in document["claims"]]
    kinds = {(c["question"] == "threshold", c["proof"]["by"]) for c in claims}
    wanted = {(True, by) for by in THRESHOLDS} | {(False, by) for by in ERRORS}
    assert kinds == wanted - {(True, "apart")}  # which has tests of its own


def places(value: Json) -> Iterator[tuple[Json, Any]]:
    """Yield (container, key) of every value inside a JSON value."""
    stack = [value]
    while stack:
        value = stack.pop()
        keys = list(value) if isinstance(value, dict) else range(len(value))
        for key in keys:
            yield value, key
            if isinstance(value[key], dict | list):
                stack.append(value[key])


def neighbours(value: Json) -> Iterator[Json]:
    """Yield values close to a number or a string that holds digits."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value - 1, value + 1)
    elif isinstance(value, str):
        for i, character in enumerate(value):
            if character.isdigit():
                for other in {(int(character) + 1) % 10, (int(character) - 1) % 10}:
                    yield f"{value[:i]}{other}{value[i + 1 :]}"


def changes(document: Json) -> Iterator[str]:
    """Make one small change after the other, each in turn taken back."""
    for name in ("placements", "weights", "claims"):
        for container, key in list(places({name: document[name]})):
            before = container[key]
            for after in neighbours(before):
                container[key] = after
                yield f"{before} → {after}"
            container[key] = before
            if isinstance(container, list) and key and container[key - 1] != before:
                container[key - 1 : key + 1] = before, container[key - 1]
                yield f"swapped at {key}"
                container[key - 1 : key + 1] = container[key], container[key - 1]


def verdict(document: Json) -> str:
    """``"refused"``, also for what is no certificate any more, or ``"proved"``."""
    try:
        report = check(document)
    except CertificateError:
        return "refused"
    if report.status == "refused":
        assert report.problems
        assert all(problem.isprintable() for problem in report.problems)
    return report.status


def test_a_change_shows_in_a_digest(known: str, document: Json) -> None:
    before = json.dumps(document)
    count = 0
    for change in changes(document):
        assert verdict(document) == "refused", change
        count += 1
    assert count > 20
    assert json.dumps(document) == before


def test_a_change_that_hides_itself_is_refused_unless_the_claim_is_true(
    known: str, document: Json, kit: Kit
) -> None:
    refused = 0
    for change in changes(document):
        found = verdict(kit.sign(document))
        assert found in ("refused", "proved"), change
        if found == "proved":
            assert all(kit.holds(document, claim) for claim in document["claims"]), change
        refused += found == "refused"
    assert refused > 10


def test_a_changed_digest_is_named(known: str, document: Json) -> None:
    for name in ("placements", "weights", "claims"):
        digests = dict(document["digests"])
        document["digests"][name] = digests[name][::-1]
        assert check(document).problems == (f"digests.{name}: {name} has another digest",)
        document["digests"] = digests


SMALL = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12) | st.sampled_from(["1/2", "search", "", "0"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["by", "claim", "tree", "m", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_nonsense_anywhere_is_an_error_and_no_crash(kit: Kit, data: st.DataObject) -> None:
    named = data.draw(st.sampled_from(sorted(kit.catalogue())))
    document = json.loads(json.dumps(kit.catalogue()[named]))
    for _ in range(data.draw(st.integers(1, 2))):
        inside = [(c, k) for c, k in places(document) if c is not document or k != "digests"]
        container, key = inside[data.draw(st.integers(0, len(inside) - 1))]
        if data.draw(st.booleans()):
            container[key] = data.draw(SMALL)
        elif isinstance(container, dict):
            del container[key]
        else:
            container.insert(key, data.draw(SMALL))
    if all(name in document for name in ("placements", "weights", "claims")):
        kit.sign(document)
    if verdict(document) == "proved":
        assert all(kit.holds(document, claim) for claim in document["claims"])


@pytest.mark.parametrize("member", ["lower", "upper"])
def test_a_bracket_that_is_too_narrow_is_refused(
    known: str, document: Json, kit: Kit, member: str
) -> None:
    """Whatever the proof: no end is proved beyond the truth."""
    for claim in document["claims"]:
        if member not in claim:
            continue
        before = claim[member]
        step = Fraction(1) if claim["question"] != "error" else Fraction(1, 10**9)
        claim[member] = kit.exact(Fraction(before) + (step if member == "lower" else -step))
        if not kit.holds(document, claim):
            assert verdict(kit.sign(document)) == "refused"
        claim[member] = before
