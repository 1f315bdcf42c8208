"""Proofs of kind ``sharing``: what they show is no less than the truth, and is shown exactly."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest

from gcdesign.checker import CertificateError, check, spread

Json = Any
Kit = Any

K33 = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8]]
SIDES = [[0, 1, 2], [3, 4, 5]]


def cyclic(seed: int) -> tuple[list[list[int]], int]:
    """A cyclic placement of 4 to 7 workers, each of its parts once or twice."""
    rng = random.Random(seed)
    n, copies = rng.randint(4, 7), rng.choice([1, 2])
    steps = rng.sample(range(n), rng.randint(1, n - 1))
    return [
        sorted((w + s) % n * copies + i for s in steps for i in range(copies)) for w in range(n)
    ], n * copies


def families(n: int, rng: random.Random) -> list[list[list[int]]]:
    """No sets, and the images of random ones under all rotations."""
    found: list[list[list[int]]] = [[]]
    for _ in range(4):
        base = rng.sample(range(n), rng.randint(1, n - 1))
        found.append([sorted((w + s) % n for w in base) for s in range(n)])
    return found


@pytest.mark.parametrize("seed", range(12))
def test_what_is_shown_is_true_and_nothing_less_is_shown(kit: Kit, seed: int) -> None:
    blocks, parts = cyclic(seed)
    rng, n = random.Random(seed), len(blocks)
    matrix = kit.encoding(tuple(map(tuple, blocks)), parts, None)
    least = [kit.worst(matrix, parts, "optimal", silent) for silent in range(n + 1)]
    claim = {"question": "error", "decoder": "optimal", "placement": 0, "lemma": True}
    shown = 0
    for sets, weight in product(families(n, rng), [Fraction(0), Fraction(1, 3), Fraction(2)]):
        given = {"second": Fraction(rng.randint(0, 2 * len(blocks[0]) ** 2), 2), "weight": weight}
        for silent in range(n + 1):
            proof, upper = kit.sharing(matrix, parts, silent, sets=sets, **given)
            assert upper is None or upper >= least[silent]
            ends = {Fraction(parts): upper is not None}
            if upper is not None:
                ends |= {upper: True, upper - Fraction(1, 10**9): False}
            for end, right in ends.items():
                if end >= 0:
                    own = claim | {"stragglers": silent, "upper": kit.exact(end), "proof": proof}
                    report = check(kit.certificate(blocks, own, parts=parts))
                    assert (report.status == "proved") is right
                    shown += right
    assert shown > 0


@pytest.mark.parametrize("seed", range(12))
def test_no_set_of_workers_shares_more(kit: Kit, seed: int) -> None:
    """The oracle's own bound of the sum of squares, which the errors above rest on."""
    blocks, parts = cyclic(seed)
    rng, n = random.Random(seed), len(blocks)
    matrix = kit.encoding(tuple(map(tuple, blocks)), parts, None)
    for sets in families(n, rng):
        for silent in range(n + 1):
            second, weight = Fraction(rng.randint(0, 30)), Fraction(rng.randint(0, 4), 2)
            most = kit.most_shared(matrix, silent, second=second, weight=weight, sets=sets)
            shared = max(
                sum(sum(part in blocks[w] for w in gone) ** 2 for part in range(parts))
                for gone in combinations(range(n), silent)
            )
            assert most is None or most >= shared


def test_sets_of_workers_sharpen_the_bound(kit: Kit) -> None:
    """One of two opposite workers: half a worker in each pair would be worse than can be."""
    document = kit.catalogue()["sharing, unevenly"]
    blocks = document["placements"][0]["blocks"]
    matrix = kit.encoding(tuple(map(tuple, blocks)), 16, None)
    _, without = kit.sharing(matrix, 16, 1, second=Fraction(8))
    with_sets = Fraction(document["claims"][0]["upper"])
    assert with_sets < without == 16 - Fraction(24**2, 64 - 32 + 10)


def refusal(kit: Kit, blocks: Json, change: Json, **others: Json) -> str:
    """Why a proof is refused, however high the end."""
    proof = {"by": "sharing", "second_squared": 3, "weight": 1, "sets": SIDES} | change
    claim = kit.error(blocks, 3, proof, upper=Fraction(100), **others)
    document = kit.certificate(blocks, kit.as_lemma(claim), weights=others.get("weights"))
    try:
        problems = check(document).problems
    except CertificateError as error:
        return str(error)
    return "; ".join(problems).removeprefix("claims[0].proof")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"second_squared": "299/100"}, ": its matrix is not positive semidefinite"),
        ({"second_squared": "299/100", "sets": []}, ".second_squared: the second singular value"),
        ({"second_squared": -1, "sets": []}, ".second_squared: the second singular value"),
        ({"weight": "101/100"}, ": its matrix is not positive semidefinite"),
        ({"weight": -1}, ".weight: it is negative"),
        ({"sets": [[0, 1, 3], [2, 4, 5]]}, ": its matrix is not positive semidefinite"),
        ({"sets": [[0, 1, 2]]}, ".sets: some workers are in more sets than others"),
        ({"sets": [[0, 1, 2], [2, 4, 5]]}, ".sets: some workers are in more sets than others"),
        ({"sets": [[0, 1, 2, 3], [4, 5]]}, ".sets[1]: 2 entries; expected 4"),
        ({"sets": [[0, 1, 1], [3, 4, 5]]}, ".sets[0]: an entry occurs twice"),
        ({"sets": [[0, 1, 2], [3, 4, 6]]}, ".sets[1][2]: 6; expected at most 5"),
        ({"sets": [0]}, ".sets[0]: 0; expected a list"),
        ({"more": 1}, ': "more" is no member here'),
    ],
)
def test_a_proof_that_does_not_hold_is_refused(kit: Kit, change: Json, reason: str) -> None:
    assert refusal(kit, K33, {}) == ""
    assert refusal(kit, K33, change).startswith(reason)


def test_it_is_for_biregular_codes_of_zeros_and_ones_under_optimal_decoding(kit: Kit) -> None:
    assert refusal(kit, K33, {}, decoder="one-step") == ": it is for optimal decoding"
    assert refusal(kit, K33, {}, weights=[[1, 1, 2]] * 6) == ": it is for 0/1 codes"
    for blocks in (K33[:5], [*K33[:5], [2, 5]], [[0, 1], [1, 2], [2]]):
        found = refusal(kit, blocks, {"sets": []})
        assert found == ": the placement is not biregular"
    claim = kit.as_lemma(kit.error([[]], 1, {"by": "sharing"}, upper=Fraction(9), parts=1))
    claim["proof"] |= {"second_squared": 0, "weight": 0, "sets": []}
    (problem,) = check(kit.certificate([[]], claim, parts=1)).problems
    assert problem == "claims[0].proof: the placement is not biregular"


def test_sets_that_would_fill_the_memory_rest_on_search(
    kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spread, "MAX_CELLS", 11)
    proof = {"by": "sharing", "second_squared": 3, "weight": 1, "sets": SIDES}
    claim = kit.as_lemma(kit.error(K33, 3, proof, upper=Fraction(9)))
    (finding,) = check(kit.certificate(K33, claim)).findings
    assert finding.status == "search"
    assert "2 sets of workers are too many" in " ".join(finding.rests_on)
