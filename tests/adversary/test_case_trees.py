"""Trees of cases, checked again by a small checker written from docs/certificates.md alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gcdesign.adversary import Settings, threshold, threshold_profile
from gcdesign.adversary.certificates import certificate
from gcdesign.adversary.evidence import Lemma
from gcdesign.adversary.running.settings import Watch
from gcdesign.adversary.thresholds import finish
from gcdesign.adversary.thresholds.overlaps import overlaps_of
from gcdesign.adversary.thresholds.recording import record_cases
from gcdesign.adversary.thresholds.trees import prove_by_cases
from gcdesign.checker import check
from gcdesign.codes import Placement, load_code
from gcdesign.designs import BlockDesign

Blocks = list[list[int]]
Thresholds = Callable[[Sequence[Sequence[int]], int], list[int]]

ODD: list[tuple[Blocks, int]] = [
    ([], 3),
    ([[]], 2),
    ([[0, 1, 2]], 3),
    ([[0, 1, 2], [0, 1, 2], []], 4),
    ([[0], [0], [0], [1, 2]], 5),
    ([[0, 1], [2, 3], [0, 1, 2, 3, 4]], 5),
    ([[0, 1, 2], [0, 1, 3], [4, 5], [4, 6], [5, 6]], 7),
]
"""No workers, empty workers, a worker with everything, repeated workers, unheld parts, pieces."""


def random_blocks(seed: int) -> tuple[Blocks, int]:
    """Return workers of all kinds: sparse or dense, at times with equal loads or repeated."""
    rng = np.random.default_rng(seed)
    parts, workers = (int(n) for n in rng.integers(2, 10, size=2))
    if seed % 3 == 0:
        load = int(rng.integers(1, parts + 1))
        blocks = [sorted(rng.permutation(parts)[:load].tolist()) for _ in range(workers)]
    else:
        chance = rng.uniform(0.15, 0.7)
        blocks = [np.flatnonzero(rng.random(parts) < chance).tolist() for _ in range(workers)]
    if seed % 5 == 0:
        blocks.append(blocks[0])
    return blocks, parts


class TreeChecker:
    """The proof ``cases``, rule by rule, with sets."""

    def __init__(self, blocks: Blocks, parts: int, eta: int, lower: int) -> None:
        self.blocks = [frozenset(block) for block in blocks]
        self.parts, self.eta, self.lower = parts, eta, lower

    def check(self, tree: Any, inside: frozenset[int], outside: frozenset[int]) -> None:
        if tree == 0:
            assert self.refuted(inside, outside)
        elif isinstance(tree, list):
            part, taken, left = tree
            assert part in set(range(self.parts)) - inside - outside
            self.check(taken, inside | {part}, outside)
            self.check(left, inside, outside | {part})
        else:
            orbit = self.orbit(tree["orbit"], tree["part"], inside, outside)
            assert not orbit & (inside | outside)
            self.check(tree["in"], inside | {tree["part"]}, outside)
            self.check(tree["out"], inside, outside | orbit)

    def orbit(
        self, group: list[list[int]], part: int, inside: frozenset[int], outside: frozenset[int]
    ) -> frozenset[int]:
        for image in group:
            assert sorted(image) == list(range(self.parts))
            moved = [sorted(image[p] for p in block) for block in self.blocks]
            assert sorted(moved) == sorted(sorted(block) for block in self.blocks)
            assert {image[p] for p in inside} == inside
            assert {image[p] for p in outside} == outside
        orbit, size = {part}, 0
        while len(orbit) > size:
            size = len(orbit)
            orbit |= {image[p] for image in group for p in orbit}
        return frozenset(orbit)

    def refuted(self, inside: frozenset[int], outside: frozenset[int]) -> bool:
        dead = {w for w, block in enumerate(self.blocks) if block & inside}
        alive = [block - outside for w, block in enumerate(self.blocks) if w not in dead]
        free = set(range(self.parts)) - inside - outside
        cost = {j: sum(j in block for block in alive) for j in free}
        n = self.eta - len(inside)
        if n < 0 or len(dead) >= self.lower:
            return True
        n = max(0, n - sum(cost[j] == 0 for j in free))
        free = {j for j in free if 0 < cost[j] < self.lower - len(dead)}
        alive = [block & free for block in alive if block & free]
        if n > len(free):
            return True
        copies = sum(sorted(cost[j] for j in free)[:n])
        caps = sorted((len(block) for block in alive), reverse=True)
        h = next(h for h in range(len(caps) + 1) if sum(caps[:h]) >= copies)
        if len(dead) + h >= self.lower:
            return True

        def shared(i: int, j: int) -> int:
            return sum(i in block and j in block for block in alive)

        most = [
            sum(sorted((shared(i, j) for j in free if j != i), reverse=True)[: max(n - 1, 0)])
            for i in free
        ]
        pairs = sum(sorted(most, reverse=True)[:n])
        return any(
            len(dead) - (-(2 * m * copies - pairs) // (m * (m + 1))) >= self.lower
            for m in range(1, max(map(len, self.blocks), default=0) + 1)
        ) or self.refuted_by_shares(alive, n, self.lower - len(dead))

    def refuted_by_shares(self, alive: list[frozenset[int]], n: int, short: int) -> bool:
        """Level the shares of a cost of 720720 up to 16 times."""
        shares = [dict.fromkeys(block, 0) for block in alive]
        for _ in range(16):
            for own in shares:
                without = {p: sum(s.get(p, 0) for s in shares) - own[p] for p in own}
                heights = []
                low = sorted(without.values())
                for i in range(1, len(low) + 1):
                    if i == len(low) or i * low[i] >= 720720 + sum(low[:i]):
                        heights.append((720720 + sum(low[:i])) // i)
                own.update((p, max(0, heights[0] - without[p])) for p in own)
                assert sum(own.values()) <= 720720
            parts = {p for block in alive for p in block}
            least = sorted(sum(s.get(p, 0) for s in shares) for p in parts)[:n]
            if -(-sum(least) // 720720) >= short:
                return True
        return False


def check_tree(blocks: Blocks, parts: int, eta: int, lower: int, proof: Mapping[str, Any]) -> None:
    assert set(proof) == {"by", "tree"}
    TreeChecker(blocks, parts, eta, lower).check(proof["tree"], frozenset(), frozenset())


def check_proof(placement: Placement, eta: int, lower: int, proof: Mapping[str, Any]) -> str:
    """Check what a lower end rests on as far as the kinds below go; return the kind."""
    blocks, parts = [list(b) for b in placement.design.blocks()], placement.parts
    copies = sorted(sum(j in b for b in blocks) for j in range(parts))
    loads = sorted(map(len, blocks), reverse=True)
    if proof["by"] == "monotone":
        lemma = proof["claim"]
        assert isinstance(lemma, Lemma)
        assert lemma.question == "threshold"
        assert lemma.asked <= eta
        assert lemma.value == lower
        return check_proof(placement, lemma.asked, lower, lemma.proof)
    if proof["by"] == "cases":
        check_tree(blocks, parts, eta, lower, proof)
    elif proof["by"] == "shares":
        given = proof["claim"].proof
        sums = [0] * parts
        for block, shares in zip(blocks, given["shares"], strict=True):
            assert min(shares, default=0) >= 0
            assert sum(shares) <= given["scale"]
            for part, share in zip(block, shares, strict=True):
                sums[part] += share
        assert -(-sum(sorted(sums)[:eta]) // given["scale"]) >= lower
    elif proof["by"] == "copies":
        assert sum(loads[: max(lower - 1, 0)]) < sum(copies[:eta]) or lower == 0
    elif proof["by"] == "pairs":
        m, most = proof["m"], []
        for i in range(parts):
            shared = [sum(i in b and j in b for b in blocks) for j in range(parts) if j != i]
            most.append(sum(sorted(shared, reverse=True)[: max(eta - 1, 0)]))
        pairs = sum(sorted(most, reverse=True)[:eta])
        assert -(-(2 * m * sum(copies[:eta]) - pairs) // (m * (m + 1))) >= lower
    return str(proof["by"])


@pytest.mark.parametrize("seed", range(120))
def test_random_placements(seed: int, thresholds: Thresholds) -> None:
    blocks, parts = random_blocks(seed)
    placement = Placement(BlockDesign.from_blocks(blocks, points=parts))
    for eta, true in enumerate(thresholds(blocks, parts)):
        for symmetric in (False, True):
            found = prove_by_cases(placement, eta, true, nodes=10_000, symmetric=symmetric)
            assert found.proof is not None
            check_tree(blocks, parts, eta, true, found.proof)
            worse = prove_by_cases(placement, eta, true + 1, nodes=10_000, symmetric=symmetric)
            assert worse.proof is None
            assert worse.parts is not None
            assert len(set(worse.parts)) == eta
            assert len(placement.neighbourhood(worse.parts)) <= true


@pytest.mark.parametrize("seed", range(120))
def test_recorded_searches(seed: int, thresholds: Thresholds) -> None:
    blocks, parts = random_blocks(seed)
    placement = Placement(BlockDesign.from_blocks(blocks, points=parts))
    overlaps = overlaps_of(placement, None)
    assert overlaps is not None
    for eta, true in list(enumerate(thresholds(blocks, parts)))[1:]:
        pairs = [overlaps.most(n) for n in range(eta + 1)] if seed % 2 else None
        watch = Watch(Settings(threads=1))
        found = record_cases(placement, eta, true, nodes=10_000, pairs=pairs, watch=watch)
        assert found.proof is not None
        check_tree(blocks, parts, eta, true, found.proof)
        worse = record_cases(placement, eta, true + 1, nodes=10_000, pairs=pairs, watch=watch)
        assert worse.parts is not None
        assert len(set(worse.parts)) == eta
        assert len(placement.neighbourhood(worse.parts)) <= true


def mixed(parts: int, load: int, seed: int) -> Placement:
    """Return as many workers as parts, where each part has ``load`` copies at random, or fewer."""
    rng = np.random.default_rng(seed)
    columns = rng.permuted(np.tile(np.arange(parts), (load, 1)), axis=1).T
    blocks = [sorted(set(block)) for block in columns.tolist()]
    return Placement(BlockDesign.from_blocks(blocks, points=parts))


@pytest.mark.parametrize(("parts", "eta", "seed"), [(24, 8, 0), (30, 9, 1), (36, 12, 2)])
def test_larger_searches_are_written_down(
    parts: int, eta: int, seed: int, milp_threshold: Callable[[Blocks, int, int], int]
) -> None:
    placement = mixed(parts, 4, seed)
    blocks = [list(block) for block in placement.design.blocks()]
    result = threshold(placement, eta, Settings(threads=1, proofs=True))
    assert result.value == milp_threshold(blocks, parts, eta)
    watch = Watch(Settings(threads=1))
    found = record_cases(placement, eta, int(result.value), nodes=50_000, watch=watch)
    assert found.proof is not None
    document = certificate(placement, [result, replace(result, evidence=found.proof)])
    assert check(document).status == "proved"
    claim = {"question": "threshold", "eta": eta, "lower": result.lower + 1, "placement": 0}
    document["claims"] = [claim | {"lemma": True, "proof": found.proof}]
    (finding,) = check(document).findings
    assert "this case is not refuted" in str(finding.problem)


def test_a_recording_ends_at_its_limits() -> None:
    placement = mixed(36, 4, 2)
    true = int(threshold(placement, 12).value)
    whole = record_cases(placement, 12, true, nodes=50_000, watch=Watch(Settings()))
    assert whole.proof is not None
    for nodes in (0, 1, whole.nodes - 1):
        cut = record_cases(placement, 12, true, nodes=nodes, watch=Watch(Settings()))
        assert (cut.proof, cut.parts) == (None, None)
        assert cut.nodes <= nodes + 1
    late = record_cases(placement, 12, true, nodes=50_000, watch=Watch(Settings(time_limit=0)))
    assert (late.proof, late.parts) == (None, None)


def test_a_tree_too_deep_for_a_certificate_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gcdesign.adversary.thresholds.recording.DEEPEST", 5)
    placement = mixed(36, 4, 2)
    true = int(threshold(placement, 12).value)
    found = record_cases(placement, 12, true, nodes=50_000, watch=Watch(Settings()))
    assert (found.proof, found.parts) == (None, None)


def test_searches_are_written_down_where_proofs_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(finish, "STEPS", (finish.by_search,))
    placement = mixed(30, 4, 1)
    plain = threshold(placement, 9, Settings(threads=1))
    written = threshold(placement, 9, Settings(threads=1, proofs=True))
    assert (plain.value, plain.evidence["by"]) == (written.value, "search")
    assert (written.proof, written.evidence["by"]) == ("cases", "cases")
    assert check(certificate(placement, [written])).status == "proved"
    monkeypatch.setattr(finish, "RECORD_NODES", 5)
    cut = threshold(placement, 9, Settings(threads=1, proofs=True))
    assert (cut.value, cut.proof, cut.evidence["by"]) == (plain.value, "search", "search")


@pytest.mark.parametrize(("blocks", "parts"), ODD)
def test_odd_placements(blocks: Blocks, parts: int, thresholds: Thresholds) -> None:
    placement = Placement(BlockDesign.from_blocks(blocks, points=parts))
    for eta, true in enumerate(thresholds(blocks, parts)):
        found = prove_by_cases(placement, eta, true, nodes=1000)
        assert found.proof is not None
        check_tree(blocks, parts, eta, true, found.proof)


def test_a_false_tree_is_noticed() -> None:
    blocks = [[0, 1], [1, 2], [2, 3], [0, 3]]
    with pytest.raises(AssertionError):
        check_tree(blocks, 4, 2, 4, {"by": "cases", "tree": 0})
    with pytest.raises(AssertionError):
        check_tree(blocks, 4, 2, 3, {"by": "cases", "tree": [0, [0, 0, 0], 0]})


def test_symmetry_shortens_the_tree() -> None:
    plane = load_code("pg:q=3").placement
    plain, short = (
        prove_by_cases(plane, 5, 11, nodes=5000, symmetric=symmetric) for symmetric in (False, True)
    )
    blocks = [list(block) for block in plane.design.blocks()]
    for found in (plain, short):
        assert found.proof is not None
        check_tree(blocks, 13, 5, 11, found.proof)
    assert 10 * short.nodes < plain.nodes


def test_a_limit_of_nodes_proves_nothing() -> None:
    found = prove_by_cases(load_code("pg:q=3").placement, 5, 11, nodes=5)
    assert (found.proof, found.parts) == (None, None)


@pytest.mark.parametrize("seed", range(0, 120, 3))
def test_profiles_carry_checked_proofs(seed: int, thresholds: Thresholds) -> None:
    blocks, parts = random_blocks(seed)
    placement = Placement(BlockDesign.from_blocks(blocks, points=parts))
    true = thresholds(blocks, parts)
    for eta, result in enumerate(threshold_profile(placement)):
        assert result.value == true[eta]
        kind = check_proof(placement, eta, true[eta], result.evidence)
        assert kind in {"cases", "copies", "pairs", "spectral", "groups", "shares"}


def test_planes_carry_checked_proofs(reference: dict[str, Any]) -> None:
    for q in (2, 3, 4):
        placement = load_code(f"pg:q={q}").placement
        for result in threshold_profile(placement, Settings(threads=1)):
            check_proof(placement, int(result.asked), int(result.value), result.evidence)
    assert threshold(load_code("pg:q=3").placement, 5).evidence["by"] != "search"
