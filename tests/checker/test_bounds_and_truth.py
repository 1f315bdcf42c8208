"""Small random placements, whose truth is known: no proof of any kind shows more than is true."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import pytest

from gcdesign.checker import check
from gcdesign.checker.case import Case
from gcdesign.checker.decoding import costs_at_least, worst_error
from gcdesign.checker.document import Code, read
from gcdesign.checker.tree import Node, Refutation
from gcdesign.checker.verdicts import Budget

Json = Any
Kit = Any

SEEDS = range(12)


def placement(seed: int) -> tuple[list[list[int]], int]:
    """Up to 7 workers and 7 parts; idle workers and parts that nobody holds occur."""
    rng = random.Random(seed)
    workers, parts = rng.randint(2, 6), rng.randint(2, 6)
    kind = seed % 3
    if kind == 0:  # any
        return [
            sorted(rng.sample(range(parts), rng.randint(0, parts))) for _ in range(workers)
        ], parts
    if kind == 1:  # groups of equal workers
        first, last = sorted(rng.sample(range(parts), 2))
        pieces = [list(range(first)), list(range(first, last))]
        return [list(pieces[rng.randrange(2)]) for _ in range(workers)], parts
    step = rng.sample(range(parts), rng.randint(1, parts))  # cyclic, so biregular
    return [sorted((w + s) % parts for s in step) for w in range(parts)], parts


def accepted(document: Json) -> bool:
    """Whether every claim is proved."""
    return check(document).status == "proved"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", ["copies", "pairs", "spectral", "groups", "cases"])
def test_no_threshold_is_shown_beyond_the_truth(kit: Kit, seed: int, kind: str) -> None:
    blocks, parts = placement(seed)
    shown = 0
    for eta in range(parts + 1):
        true = kit.threshold(blocks, eta, None, parts=parts)
        for lower in range(len(blocks) + 1):
            proofs: dict[str, list[Json]] = {
                "copies": [{"by": "copies"}],
                "pairs": [{"by": "pairs", "m": m} for m in range(1, 5)],
                "spectral": [{"by": "spectral", "second_squared": s} for s in range(12)],
                "groups": [{"by": "groups"}],
                "cases": [{"by": "cases", "tree": 0}],
            }
            for proof in proofs[kind]:
                claim = true | {"lower": lower, "proof": proof}
                claim["upper"] = max(lower, true["upper"])
                if accepted(kit.certificate(blocks, kit.as_lemma(claim), parts=parts)):
                    assert lower <= true["lower"]
                    shown += 1
    applies = {"spectral": seed % 3 == 2, "groups": seed % 3 == 1}.get(kind, True)
    assert shown > 0 or not applies


@pytest.mark.parametrize("seed", SEEDS)
def test_trees_prove_the_truth_and_no_tree_proves_more(kit: Kit, seed: int) -> None:
    blocks, parts = placement(seed)
    for eta in range(parts + 1):
        true = kit.threshold(blocks, eta, None, parts=parts)
        for rules in (1, 2, 3, 4):
            proof = kit.cases_of_parts(blocks, parts, eta, true["lower"], rules=rules)
            assert accepted(kit.certificate(blocks, true | {"proof": proof}, parts=parts))
            # A complete tree, down to every single T, for one more.
            above = kit.as_lemma(true | {"lower": true["lower"] + 1})
            if above["lower"] <= len(blocks):
                above["proof"] = {"by": "cases", "tree": complete(parts)}
                assert not accepted(kit.certificate(blocks, above, parts=parts))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_node_is_refuted_by_the_rules_and_only_where_no_attack_fits(kit: Kit, seed: int) -> None:
    rng = random.Random(seed)
    blocks, parts = placement(seed)
    holders = [sum(1 << w for w, b in enumerate(blocks) if p in b) for p in range(parts)]
    code = Code(parts, tuple(map(tuple, blocks)))
    for _ in range(60):
        inside = set(rng.sample(range(parts), rng.randint(0, parts // 2)))
        outside = {p for p in range(parts) if p not in inside and rng.random() < 0.3}
        eta, least = rng.randint(0, parts), rng.randint(0, len(blocks))
        node = Node(sum(1 << p for p in inside), sum(1 << p for p in outside), 0)
        for part in inside:
            node = Node(node.inside, node.outside, node.silenced | holders[part])
        document = {"eta": eta, "lower": least, "placement": 0, "proof": {}, "lemma": True}
        claim = document | {"question": "threshold"}
        certificate = read(kit.certificate(blocks, claim, parts=parts))
        case = Case(certificate.claims[0], (code,), certificate.claims, [], Budget(None))
        found = Refutation(case, least).refuted(node)
        assert found is kit.refuted(blocks, parts, eta, least, (inside, outside), rules=4)
        fits = any(
            inside <= set(lost)
            and not outside & set(lost)
            and sum(not set(lost).isdisjoint(block) for block in blocks) < least
            for lost in combinations(range(parts), eta)
        )
        assert not (found and fits)


def complete(parts: int, part: int = 0) -> Json:
    """The tree that decides every part."""
    return 0 if part == parts else [part, complete(parts, part + 1), complete(parts, part + 1)]


@pytest.mark.parametrize("seed", [seed for seed in range(15) if placement(seed)[1] <= 5])
def test_trees_by_orbits_prove_no_more(kit: Kit, seed: int) -> None:
    """All automorphisms, or permutations that are none: an orbit is only used where it may be."""
    blocks, parts = placement(seed)
    sets = sorted(map(frozenset, blocks), key=sorted)
    eta = 1 + seed % 2
    true = kit.threshold(blocks, eta, None, parts=parts)
    for move in permutations(range(parts)):
        keeps = sorted((frozenset(move[p] for p in b) for b in sets), key=sorted) == sets
        for part in range(parts):
            # Decide `part` first of all; whatever is left in complete trees.
            rest = [p for p in range(parts) if p != part]
            orbit, p = {part}, move[part]
            while p not in orbit:
                orbit.add(p)
                p = move[p]
            others = [p for p in rest if p not in orbit]
            tree = {
                "orbit": [list(move)],
                "part": part,
                "in": deciding(rest),
                "out": deciding(others),
            }
            for lower in (true["lower"], true["lower"] + 1):
                claim = kit.as_lemma(
                    true | {"lower": lower, "proof": {"by": "cases", "tree": tree}}
                )
                proved = accepted(kit.certificate(blocks, claim, parts=parts))
                assert proved == (keeps and lower == true["lower"])


def deciding(parts: list[int]) -> Json:
    """The tree that decides the parts listed."""
    return [parts[0], deciding(parts[1:]), deciding(parts[1:])] if parts else 0


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("decoder", ["optimal", "one-step"])
def test_no_error_is_shown_below_the_truth(kit: Kit, seed: int, decoder: str) -> None:
    blocks, parts = placement(seed)
    shown = set()
    for silent in range(len(blocks) + 1):
        true = kit.error(blocks, silent, None, decoder=decoder, parts=parts)
        value = Fraction(true["lower"])
        proofs: list[Json] = [
            *({"by": by} for by in ("all parts", "intersection", "classes", "groups", "alone")),
            {"by": "exhaustion"},
            *({"by": "spectral", "second_squared": s} for s in (0, 1, 2, 4, 9)),
        ]
        for proof in proofs:
            for upper in (value - Fraction(1, 1000), value, value + 1, value + 100):
                claim = kit.as_lemma(true | {"upper": kit.exact(upper), "proof": proof})
                if accepted(kit.certificate(blocks, claim, parts=parts)):
                    assert upper >= value
                    shown.add(proof["by"])
    assert shown >= {"exhaustion", "all parts" if decoder == "optimal" else "alone"}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("decoder", ["optimal", "one-step"])
def test_error_thresholds(kit: Kit, seed: int, decoder: str) -> None:
    """Each error that is reached, and just above: first with so many stragglers, and no more."""
    blocks, parts = placement(seed)
    claims = [
        kit.error(blocks, silent, None, decoder=decoder, parts=parts)
        for silent in range(len(blocks) + 1)
    ]
    errors = [Fraction(claim["lower"]) for claim in claims]
    for asked in sorted({Fraction(e) + d for e in errors for d in (0, Fraction(1, 7))}):
        first = next((s for s, e in enumerate(errors) if e >= asked), None)
        for silent, claim in enumerate(claims):
            own = kit.error_threshold(claim, {"by": "exhaustion"}) | {"error": kit.exact(asked)}
            assert accepted(kit.certificate(blocks, own, parts=parts)) is (silent == first)
            if silent == first:
                lower = own | {"lower": max(silent - 1, 0)}
                assert accepted(kit.certificate(blocks, lower, parts=parts))


@pytest.mark.parametrize("seed", range(8))
def test_errors_and_their_maximum_are_exact(kit: Kit, seed: int) -> None:
    """Random weights too: the shared elimination against Gram and Schmidt set by set."""
    rng = random.Random(100 + seed)
    blocks, parts = placement(seed)
    weights = None
    if seed % 2:
        weights = [
            [str(Fraction(rng.randint(-4, 4), rng.randint(1, 3))) for _ in block]
            for block in blocks
        ]
    matrix = kit.encoding(tuple(map(tuple, blocks)), parts, weights)
    held = [[Fraction(w) for w in row] for row in weights] if weights else None
    code = Code(parts, tuple(map(tuple, blocks)), None if held is None else tuple(map(tuple, held)))
    for decoder in ("optimal",) if weights else ("optimal", "one-step"):
        for silent in range(len(blocks) + 1):
            found = worst_error(code, silent, decoder, Budget(None))
            assert found == kit.worst(matrix, parts, decoder, silent)
            assert worst_error(code, silent, decoder, Budget(None), enough=found) == found
            for gone in combinations(range(len(blocks)), silent):
                true = kit.error_of(matrix, parts, decoder, frozenset(gone))
                assert costs_at_least(code, gone, decoder, true, Budget(None))
                more = true + Fraction(1, 10**20)
                assert not costs_at_least(code, gone, decoder, more, Budget(None))


def test_one_step_errors_do_not_fall_while_somebody_answers(kit: Kit) -> None:
    """What error thresholds rest on; and with nobody left they may fall."""
    falls = 0
    for seed in range(30):
        blocks, parts = placement(seed)
        matrix = kit.encoding(tuple(map(tuple, blocks)), parts, None)
        errors = [kit.worst(matrix, parts, "one-step", s) for s in range(len(blocks) + 1)]
        assert errors[:-1] == sorted(errors[:-1])
        falls += errors[-1] < errors[-2]
    assert falls > 0


def test_monotone_one_step_does_not_reach_the_last_worker(kit: Kit) -> None:
    blocks = [[0, 1, 2, 3], [0], []]
    last = kit.error(blocks, 3, {"by": "exhaustion"}, decoder="one-step")
    before = kit.error(blocks, 2, None, decoder="one-step")
    assert Fraction(last["upper"]) < Fraction(before["upper"])
    for asked, right in ((2, False), (3, True)):
        claim = kit.error(blocks, asked, {"by": "monotone", "claim": 0}, decoder="one-step")
        claim["upper"] = last["upper"]
        report = check(kit.certificate(blocks, kit.as_lemma(last), kit.as_lemma(claim)))
        assert (report.status == "proved") is right
        assert right or "nobody answers" in report.problems[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_multipliers_show_what_they_show_and_no_less(kit: Kit, seed: int) -> None:
    """The least upper end comes from Schur's complement; just below it the matrix is not."""
    rng = random.Random(seed)
    blocks, parts = placement(seed)
    weights = None
    if seed % 2:
        weights = [[rng.choice([1, -1, "1/2", 3]) for _ in block] for block in blocks]
    matrix = kit.encoding(tuple(map(tuple, blocks)), parts, weights)
    for silent in range(len(blocks) + 1):
        proof, shows = kit.multiplier(matrix, parts, silent, known=((), ()))
        assert shows >= kit.worst(matrix, parts, "optimal", silent)
        for upper, right in ((shows, True), (shows - Fraction(1, 10**12), False)):
            claim = kit.error(
                blocks,
                silent,
                {"by": "multiplier", **proof},
                upper=max(upper, 0),
                weights=weights,
                parts=parts,
            )
            lemma = kit.certificate(blocks, kit.as_lemma(claim), parts=parts, weights=weights)
            assert accepted(lemma) == (right or upper < 0)
            if weights is None:
                continue
            claim["proof"]["off_diagonal"] = [2 * x for x in claim["proof"]["off_diagonal"]]
            spoilt = kit.certificate(blocks, kit.as_lemma(claim), parts=parts, weights=weights)
            assert not accepted(spoilt) or len(blocks) < 2


@pytest.mark.parametrize("seed", [seed for seed in SEEDS if any(placement(seed)[0])])
def test_one_step_multipliers(kit: Kit, seed: int) -> None:
    blocks, parts = placement(seed)
    matrix = kit.encoding(tuple(map(tuple, blocks)), parts, None)
    for silent in range(len(blocks)):
        proof, shows = kit.one_step_multiplier(matrix, parts, silent)
        assert shows >= kit.worst(matrix, parts, "one-step", silent)
        for upper, right in ((shows, True), (shows - Fraction(1, 10**12), False)):
            claim = kit.error(blocks, silent, proof, upper=upper, decoder="one-step", parts=parts)
            lemma = kit.as_lemma(claim)
            assert accepted(kit.certificate(blocks, lemma, parts=parts)) is right
            lemma["proof"] = proof | {"pairs": [[0, 1, -1]]}
            assert not accepted(kit.certificate(blocks, lemma, parts=parts))


@pytest.mark.parametrize("seed", SEEDS)
def test_larger_placements_show_no_more_than_is_left(kit: Kit, seed: int) -> None:
    """A part of a random placement, other parts lost besides, and the bound by its formula."""
    rng = random.Random(seed)
    size = 6
    larger = [sorted(rng.sample(range(size), rng.randint(1, 4))) for _ in range(size)]
    workers, parts = rng.sample(range(size), 5), rng.sample(range(size), 4)
    rest = [p for p in range(size) if p not in parts]
    blocks = [[i for i, p in enumerate(parts) if p in larger[w]] for w in workers]
    for extra in ([], rest[:1], rest):
        lost = [
            w
            for w, block in enumerate(larger)
            if {*extra} & {*block} or (w not in workers and {*parts} & {*block})
        ]
        for eta, reached in product(range(len(parts) + 1), range(size + 1)):
            lemma = kit.threshold(larger, reached, None, parts=size) | {"placement": 1}
            lemma["proof"] = {"by": "cases", "tree": complete(size)}
            proof = {"by": "extension", "claim": 0, "workers": workers}
            proof |= {"parts": parts, "extra": extra}
            claim = kit.as_lemma(kit.threshold(blocks, eta, proof, parts=len(parts)))
            true, bound = claim["lower"], lemma["lower"] - len(lost)
            for claim["lower"] in {0, max(bound, 0), max(bound, 0) + 1, true + 1}:
                if claim["lower"] <= len(blocks):
                    found = accepted(
                        kit.certificate(
                            blocks,
                            kit.as_lemma(lemma),
                            claim,
                            parts=len(parts),
                            more=[{"parts": size, "blocks": larger}],
                        )
                    )
                    assert found == (reached <= eta + len(extra) and claim["lower"] <= bound)
                    assert claim["lower"] <= true or not found


@pytest.mark.parametrize("seed", range(2, 12, 3))
def test_correlations(kit: Kit, seed: int) -> None:
    """Cyclic placements are carried to their duals by p → −p; most other maps do not."""
    blocks, n = placement(seed)
    turn = [-p % n for p in range(n)]
    for reached, eta in product(range(n + 1), repeat=2):
        lemma = kit.as_lemma(kit.threshold(blocks, reached, None, parts=n))
        lemma["proof"] = {"by": "cases", "tree": complete(n)}
        for moved in (turn, turn[::-1]):
            proof = {"by": "correlation", "claim": 0}
            proof |= {"parts_to_workers": turn, "workers_to_parts": moved}
            claim = kit.as_lemma(kit.threshold(blocks, eta, proof, parts=n))
            true = claim["lower"]
            for claim["lower"] in range(n + 1):
                found = accepted(kit.certificate(blocks, lemma, claim, parts=n))
                fits = n + 1 - lemma["lower"] <= eta and claim["lower"] <= n + 1 - reached
                assert claim["lower"] <= true or not found
                assert found == fits or (moved is not turn and not found)


@pytest.mark.parametrize("seed", SEEDS)
def test_trees_of_workers(kit: Kit, seed: int) -> None:
    blocks, parts = placement(seed)
    matrix = kit.encoding(tuple(map(tuple, blocks)), parts, None)
    for silent in range(1, len(blocks)):
        for depth in range(1, len(blocks) + 1):
            proof, shows = kit.cases_of_workers(matrix, parts, silent, depth)
            claim = kit.as_lemma(kit.error(blocks, silent, proof, upper=shows, parts=parts))
            assert accepted(kit.certificate(blocks, claim, parts=parts))
            claim["upper"] = kit.exact(shows - Fraction(1, 10**12))
            assert shows == 0 or not accepted(kit.certificate(blocks, claim, parts=parts))
            claim["proof"] = {"by": "cases", "tree": 0}
            assert not accepted(kit.certificate(blocks, claim, parts=parts))


def spoilt(document: Json, place: str, value: Json) -> tuple[str, ...]:
    """Change a proof of the last claim and return what is wrong then."""
    claim = document["claims"][-1]
    claim["proof"] = claim["proof"] | {place: value}
    return check(document).problems[1:]  # the first is the digest


def test_an_extension_needs_every_incidence_and_no_other(kit: Kit) -> None:
    """Holding less than the image is wrong, for then fewer workers seem to be needed."""
    more = [{"parts": 3, "blocks": [[0, 1], [1, 2], [0, 2]]}]
    lemma = kit.as_lemma(kit.threshold([[0, 1], [1, 2], [0, 2]], 1, {"by": "copies"}))
    proof = {"by": "extension", "claim": 0, "workers": [0, 1, 2], "parts": [0, 1, 2], "extra": []}
    lemma |= {"placement": 1, "lower": 1}
    for blocks, right in (
        ([[0, 1], [1, 2], [0, 2]], True),
        ([[0, 1], [1, 2], [0]], False),
        ([[0, 1], [1, 2], [0, 1, 2]], False),
    ):
        claim = kit.as_lemma(kit.threshold(blocks, 1, proof)) | {"lower": 1}
        report = check(kit.certificate(blocks, lemma, claim, more=more))
        assert (report.status == "proved") is right
        assert right or "claims[1].proof.workers: incidence" in report.problems[0]


def test_an_extra_part_is_no_image(kit: Kit) -> None:
    document = json.loads(json.dumps(kit.catalogue()["extension with an extra part"]))
    assert check(document).problems == ()
    (problem,) = spoilt(document, "extra", [3])
    assert problem == "claims[1].proof.extra: an extra part is an image"


def test_what_is_known_of_more_parts_says_nothing_of_fewer(kit: Kit) -> None:
    more = kit.as_lemma(kit.threshold(kit.fano, 3, {"by": "pairs", "m": 1}))
    claim = kit.as_lemma(kit.threshold(kit.fano, 2, {"by": "monotone", "claim": 0}))
    for lower in (5, 6):
        claim["lower"] = lower
        (problem,) = check(kit.certificate(kit.fano, more, claim)).problems
        assert problem == "claims[1].proof.claim: claims[0] is about more parts"


def test_a_correlation_needs_as_many_workers_as_parts(kit: Kit) -> None:
    for blocks, parts in (([[0], [1], [0, 1]], 2), ([[0, 1, 2], [0, 1, 2]], 3)):
        n = len(blocks)
        proof = {"by": "correlation", "claim": 0}
        proof |= {"parts_to_workers": list(range(n)), "workers_to_parts": list(range(n))}
        lemma = kit.as_lemma(kit.threshold(blocks, 1, {"by": "copies"}, parts=parts)) | {"lower": 1}
        claim = kit.as_lemma(kit.threshold(blocks, parts, proof, parts=parts))
        (problem,) = check(kit.certificate(blocks, lemma, claim, parts=parts)).problems
        assert problem == "claims[1].proof: there are not as many workers as parts"


STRUCTURES: dict[str, tuple[str, list[list[int]]]] = {
    "loads that differ": ("intersection", [[0, 1, 2], [0, 3], [0, 4]]),
    "meetings that differ": ("intersection", [[0, 1], [1, 2], [2, 3]]),
    "classes that meet unevenly": ("classes", [[0, 1, 2], [3, 4, 5], [0, 1, 3], [2, 4, 5]]),
    "classes of different sizes": ("classes", [[0, 1], [2, 3], [0, 2]]),
    "a class that is no partition": ("classes", [[0, 1], [2, 3], [0, 2], [1, 2]]),
    "groups that overlap": ("groups", [[0, 1], [0, 1], [1, 2]]),
}


@pytest.mark.parametrize("name", STRUCTURES)
def test_a_closed_form_needs_its_structure(kit: Kit, name: str) -> None:
    """Refused even for an end that is far too high, where the formula would not matter."""
    by, blocks = STRUCTURES[name]
    for silent in range(len(blocks) + 1):
        claim = kit.as_lemma(kit.error(blocks, silent, {"by": by}, upper=Fraction(100)))
        report = check(kit.certificate(blocks, claim))
        assert report.problems[0].startswith("claims[0].proof: ")


@pytest.mark.parametrize(
    "by", ["intersection", "classes", "groups", "spectral", "all parts", "alone", "multiplier"]
)
def test_a_proof_for_another_kind_of_code_is_refused(kit: Kit, by: str) -> None:
    """Real weights, or the other decoder: however high the end."""
    fano = tuple(map(tuple, kit.fano))
    proof: Json = {"by": by} | ({"second_squared": 2} if by == "spectral" else {})
    if by == "multiplier":
        found, _ = kit.multiplier(kit.encoding(fano, 7, None), 7, 2, known=((), ()))
        proof |= found
    weights = [[1, 1, 2]] * 7 if by not in ("all parts", "alone", "multiplier") else None
    decoder = "one-step" if by in ("all parts", "multiplier") else "optimal"
    claim = kit.error(
        fano, 2, proof, upper=Fraction(100), weights=weights, decoder=decoder, parts=7
    )
    report = check(kit.certificate(fano, kit.as_lemma(claim), weights=weights))
    assert report.problems[0].startswith("claims[0].proof: it is for ")


def test_a_monotone_error_is_about_the_same_and_no_fewer_workers(kit: Kit) -> None:
    lemma = kit.as_lemma(kit.error(kit.fano, 3, {"by": "exhaustion"}))
    proof = {"by": "monotone", "claim": 0}
    high = Fraction(7)
    more = [{"parts": 7, "blocks": kit.fano}]
    for claim, reason in (
        (kit.error(kit.fano, 4, proof, upper=high), "is about fewer workers"),
        (kit.error(kit.fano, 2, proof, upper=high, decoder="one-step"), "another decoder"),
        (kit.error(kit.fano, 2, proof, upper=high) | {"placement": 1}, "another placement"),
    ):
        (problem,) = check(kit.certificate(kit.fano, lemma, claim, more=more)).problems
        assert problem.startswith("claims[1].proof.claim: claims[0] ")
        assert problem.endswith(reason)
    claim = kit.error(kit.fano, 2, proof, upper=high)
    assert check(kit.certificate(kit.fano, lemma, claim)).status == "proved"
