"""Fair shares against the linear program, brute force, and the certificate checker."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import pytest

from gcdesign.adversary import Settings, threshold, threshold_profile
from gcdesign.adversary.bounds import placement_facts
from gcdesign.adversary.certificates import certificate
from gcdesign.adversary.thresholds.part_bounds import threshold_bounds
from gcdesign.adversary.thresholds.shares import UNIT, shared_costs
from gcdesign.checker import check
from gcdesign.codes import Placement, load_code
from gcdesign.designs import BlockDesign

Blocks = list[list[int]]
Thresholds = Callable[[Sequence[Sequence[int]], int], list[int]]


def placement_of(blocks: Blocks, parts: int) -> Placement:
    return Placement(BlockDesign.from_blocks(blocks, points=parts))


def random_blocks(seed: int) -> tuple[Blocks, int]:
    """Return workers of all kinds, idle ones too; parts that nobody holds, and pieces."""
    rng = np.random.default_rng(seed)
    parts, workers = (int(n) for n in rng.integers(1, 11, size=2))
    chance = rng.uniform(0.1, 0.9)
    masks = rng.random((workers, parts)) < chance
    if seed % 3 == 0:
        masks[: workers // 2, parts // 2 :] = False
        masks[workers // 2 :, : parts // 2] = False
    return [np.flatnonzero(mask).tolist() for mask in masks], parts


def envelope(least: list[int], eta: int) -> Fraction:
    """The linear program of S*(η): the lower convex envelope of S*."""
    return min(
        Fraction(least[a] * (b - eta) + least[b] * (eta - a), b - a)
        if a < b
        else Fraction(least[a])
        for a in range(eta + 1)
        for b in range(eta, len(least))
    )


@pytest.mark.parametrize("seed", range(100))
def test_random_placements(seed: int, thresholds: Thresholds) -> None:
    blocks, parts = random_blocks(seed)
    costs = shared_costs(placement_of(blocks, parts))
    if not any(blocks):
        assert costs is None
        return
    assert costs is not None
    rows = np.split(costs.shares, np.cumsum([len(block) for block in blocks])[:-1])
    assert [int(row.sum()) for row in rows] == [UNIT * bool(block) for block in blocks]
    assert costs.shares.min() >= 0
    sums = [0] * parts
    for block, row in zip(blocks, rows, strict=True):
        for part, share in zip(block, row.tolist(), strict=True):
            sums[part] += share
    true = thresholds(blocks, parts)
    for eta in range(parts + 1):
        assert costs.least[eta] == sum(sorted(sums)[:eta])
        best = envelope(true, eta)
        assert Fraction(int(costs.least[eta]), UNIT) <= best <= true[eta]
        assert best - Fraction(int(costs.least[eta]), UNIT) < Fraction(1, 500)
        assert costs.bound(eta) <= true[eta]
        if best.denominator == 1:
            assert costs.bound(eta) == best


@pytest.mark.parametrize("seed", range(1, 40, 3))
def test_bounds_carry_proofs_that_a_checker_accepts(seed: int, thresholds: Thresholds) -> None:
    blocks, parts = random_blocks(seed)
    placement = placement_of(blocks, parts)
    results = threshold_profile(placement, Settings(method="bounds"))
    document = json.loads(json.dumps(certificate(placement, results)))
    assert check(document).status == "proved"
    with_shares = [claim for claim in document["claims"] if "shares" in claim["proof"]]
    assert len(with_shares) <= 1
    for result, true in zip(results, thresholds(blocks, parts), strict=True):
        assert result.lower <= true


def uneven(workers: int, seed: int) -> Placement:
    """Return as many parts as workers, of two to five copies on random workers."""
    rng = np.random.default_rng(seed)
    blocks: Blocks = [[] for _ in range(workers)]
    for part, copies in enumerate(rng.integers(2, 6, size=workers).tolist()):
        for worker in rng.choice(workers, copies, replace=False).tolist():
            blocks[worker].append(part)
    return placement_of(blocks, workers)


def test_larger_placements_come_near_the_linear_program() -> None:
    from scipy.optimize import linprog

    placement = uneven(150, 1)
    edges = [(w, p) for w, block in enumerate(placement.design.blocks()) for p in block]
    rows = np.zeros((len(edges), 300))
    for i, (w, p) in enumerate(edges):
        rows[i, p], rows[i, 150 + w] = 1, -1
    cost = np.repeat([0.0, 1.0], 150)
    chosen = np.repeat([[1.0, 0.0]], 150, axis=1)
    costs = shared_costs(placement)
    assert costs is not None
    for eta in (5, 20, 50, 100):
        program = linprog(cost, rows, np.zeros(len(edges)), chosen, [eta], bounds=(0, 1))
        assert program.fun is not None
        assert program.fun - 0.01 < costs.least[eta] / UNIT < program.fun + 1e-6


def test_a_large_sparse_placement() -> None:
    placement = uneven(20_000, 2)
    costs = shared_costs(placement)
    assert costs is not None
    result = threshold(placement, 2000, Settings(method="bounds"))
    assert result.proof == "shares"
    others = threshold_bounds(placement_facts(placement), 2000)
    best = max(float(bound.value) for bound in others if bound.side == "lower")
    assert costs.bound(2000) == result.lower > 4 * best
    assert costs.bound(20_000) == np.count_nonzero(placement.loads)
    step = np.diff(costs.least)
    assert (np.diff(step) >= 0).all()


def test_a_certificate_holds_the_shares_once() -> None:
    placement = uneven(60, 3)
    results = [threshold(placement, eta, Settings(method="bounds")) for eta in (5, 10)]
    results += threshold_profile(placement, Settings(method="bounds"))
    document = certificate(placement, results)
    kinds = [claim["proof"]["by"] for claim in document["claims"]]
    assert kinds.count("shares") > 20
    assert sum("shares" in claim["proof"] for claim in document["claims"]) == 1
    assert check(document).status == "proved"


def test_even_placements_have_no_use_for_shares() -> None:
    for name in ("pg:q=3", "ag:q=3"):
        result = threshold(load_code(name).placement, 2)
        assert "shares" not in {bound.name for bound in result.bounds}
    assert "shares" in {bound.name for bound in threshold(uneven(12, 4), 2).bounds}


def test_too_large_a_placement_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gcdesign.adversary.thresholds.shares.MAX_INCIDENCES", 20)
    assert shared_costs(uneven(12, 4)) is None
    assert threshold(uneven(12, 4), 2).status == "exact"
