"""Lying workers: ByzShield's values, and brute force over all sets of workers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from threading import Event

import numpy as np
import pytest

from gcdesign.adversary import Settings, byzantine
from gcdesign.adversary.certificates import certificate
from gcdesign.codes import Placement, load_code
from gcdesign.designs import BlockDesign
from gcdesign.errors import InputError

MOLS = {2: 1, 3: 3, 4: 5, 5: 8, 6: 12, 7: 14}
"""c_max(q) of the placement of three MOLS of order 5, ByzShield's table."""

RAMANUJAN = {3: 1, 4: 1, 5: 2, 6: 4, 7: 5, 10: 12}
"""c_max(q) of the Ramanujan bigraph with m = s = 5."""


def net(n: int, maps: list[Callable[[int, int], int]]) -> Placement:
    """Return n workers for each map of an n × n square to symbols; parts are the cells."""
    blocks = [
        [n * i + j for i, j in product(range(n), repeat=2) if symbol(i, j) % n == value]
        for symbol in maps
        for value in range(n)
    ]
    return Placement(BlockDesign.from_blocks(blocks, points=n * n))


def slopes(*given: int) -> list[Callable[[int, int], int]]:
    return [lambda i, j, a=a: a * i + j for a in given]  # type: ignore[misc]


def corrupted(placement: Placement, workers: tuple[int, ...]) -> set[int]:
    holders: dict[int, set[int]] = {j: set() for j in range(placement.parts)}
    for worker, block in enumerate(placement.design.blocks()):
        for part in block:
            holders[int(part)].add(worker)
    return {j for j, who in holders.items() if len(who & set(workers)) * 2 > len(who)}


@pytest.mark.parametrize(("q", "parts"), MOLS.items())
def test_mols_of_order_five(q: int, parts: int) -> None:
    placement = net(5, slopes(1, 2, 3))
    found = byzantine(placement, q)
    assert (found.value, found.question, found.decoder) == (parts, "byzantine", "majority")
    assert len(found.workers) == q
    assert set(found.parts) == corrupted(placement, found.workers)
    assert all(bound.value >= parts for bound in found.bounds)


@pytest.mark.parametrize(("q", "parts"), RAMANUJAN.items())
def test_ramanujan_bigraph(q: int, parts: int) -> None:
    placement = net(5, [lambda i, j: i, *slopes(0, 1, 2, 3)])
    assert byzantine(placement, q).value == parts


@pytest.mark.parametrize("seed", range(25))
def test_random_placements_against_all_sets(seed: int) -> None:
    rng = np.random.default_rng(seed)
    workers, parts = (int(n) for n in rng.integers(1, 9, 2))
    matrix = rng.random((workers, parts)) < rng.uniform(0.2, 0.8)
    blocks = [np.flatnonzero(row).tolist() for row in matrix]
    placement = Placement(BlockDesign.from_blocks(blocks, points=parts))
    for q in range(workers + 1):
        sets = combinations(range(workers), q)
        most = max(len(corrupted(placement, chosen)) for chosen in sets)
        for method in ("exact", "greedy", "bounds"):
            found = byzantine(placement, q, Settings(method=method))
            assert found.lower <= most <= found.upper
            assert len(found.workers) == q
            assert set(found.parts) == corrupted(placement, found.workers)
            assert len(found.parts) == found.lower
            assert all(bound.value >= most for bound in found.bounds)
        assert byzantine(placement, q).value == most


def test_a_tie_is_no_majority() -> None:
    placement = load_code("frc:workers=4,stragglers=1").placement
    assert [byzantine(placement, q).value for q in range(5)] == [0, 0, 2, 2, 4]


def test_a_stopped_search_is_a_bracket() -> None:
    stop = Event()
    stop.set()
    found = byzantine(net(5, slopes(1, 2, 3)), 6, Settings(stop=stop))
    assert (found.status, found.stopped) == ("bracket", "interrupted")
    assert found.lower < 12 < found.upper
    with pytest.raises(ValueError, match="bracket"):
        _ = found.value


def test_nodes_are_counted() -> None:
    placement = net(5, slopes(1, 2, 3))
    found = byzantine(placement, 6, Settings(node_limit=50))
    assert (found.status, found.stopped) == ("bracket", "node limit of 50")
    assert byzantine(placement, 6, Settings(node_limit=10**7)).value == 12


def test_a_certificate_has_no_place_for_votes() -> None:
    placement = load_code("pg:q=2").placement
    with pytest.raises(InputError, match="byzantine"):
        certificate(placement, [byzantine(placement, 2)])


@pytest.mark.parametrize("q", [-1, 8, 1.0, True, None])
def test_wrong_numbers(q: int) -> None:
    with pytest.raises(InputError, match="byzantine"):
        byzantine(load_code("pg:q=2").placement, q)
