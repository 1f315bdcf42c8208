"""Recorded numbers of non-isomorphic designs, against enumeration with nauty's certificates."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from gcdesign.designs import build, parse_spec, verify
from gcdesign.designs.existence import Impossible, exists
from gcdesign.designs.existence.counts import _counts, nonisomorphic
from gcdesign.designs.existence.parameters import Bibd
from gcdesign.designs.existence.resolvable import resolvability
from gcdesign.designs.tools.resolution import find_resolution
from gcdesign.designs.tools.solving import Limits

Block = tuple[int, ...]


def designs(v: int, k: int, lambda_: int) -> Iterator[list[Block]]:
    """Yield every design with labelled points once, as a list of blocks.

    The next block covers the first pair that is not covered often enough; blocks for the same
    pair come in order.
    """
    through = {
        pair: [block for block in combinations(range(v), k) if set(pair) <= set(block)]
        for pair in combinations(range(v), 2)
    }
    left = dict.fromkeys(through, lambda_)
    chosen: list[Block] = []

    def extend(last: tuple[int, int], start: int) -> Iterator[list[Block]]:
        pair = next((pair for pair, count in left.items() if count), None)
        if pair is None:
            yield list(chosen)
            return
        for number in range(start if pair == last else 0, len(through[pair])):
            block = through[pair][number]
            pairs = list(combinations(block, 2))
            if all(left[p] for p in pairs):
                for p in pairs:
                    left[p] -= 1
                chosen.append(block)
                yield from extend(pair, number)
                chosen.pop()
                for p in pairs:
                    left[p] += 1

    yield from extend((0, 0), 0)


def certificate(v: int, blocks: list[Block]) -> bytes:
    pynauty = pytest.importorskip("pynauty")
    graph = pynauty.Graph(
        v + len(blocks),
        adjacency_dict={v + number: list(block) for number, block in enumerate(blocks)},
        vertex_coloring=[set(range(v)), set(range(v, v + len(blocks)))],
    )
    return bytes(pynauty.certificate(graph))


@pytest.mark.parametrize(
    "parameters",
    [(6, 3, 2), (6, 3, 4), (6, 3, 6), (7, 3, 1), (7, 3, 2), (9, 3, 1)],
)
def test_small_designs_are_counted_again(parameters: tuple[int, int, int]) -> None:
    v = parameters[0]
    seen: set[tuple[Block, ...]] = set()
    kinds = set()
    for blocks in designs(*parameters):
        key = tuple(sorted(blocks))
        assert key not in seen
        seen.add(key)
        kinds.add(certificate(v, blocks))
    count = nonisomorphic(Bibd(*parameters))
    assert count is not None
    assert len(kinds) == count.number


def test_every_counted_design_exists() -> None:
    for wanted, count in _counts().items():
        assert count.number >= 1
        assert exists(*wanted).status == "exists"


def test_resolvability() -> None:
    assert resolvability(Bibd(9, 3, 1)).answer == "yes"
    assert resolvability(Bibd(6, 3, 2)).answer == "no"
    assert resolvability(Bibd(15, 5, 2)).answer == "no"  # b = v + r − 1, 25/15 is no whole number
    assert resolvability(Bibd(16, 4, 1)).reason == "Hanani, Ray-Chaudhuri and Wilson 1972"
    assert resolvability(Bibd(27, 9, 4)).answer == "yes"
    assert resolvability(Bibd(10, 4, 2)).reason == "k = 4 does not divide v = 10"
    assert resolvability(Bibd(64, 16, 5)).reason == "flats of an affine geometry"
    for blocks in designs(6, 3, 2):
        pairs = [set(b) | set(c) == set(range(6)) for b, c in combinations(blocks, 2)]
        assert sum(pairs) < 5  # five classes would be five complementary pairs


@pytest.mark.parametrize("q", [4, 5, 7, 8, 9])
def test_affine_planes_are_resolvable(q: int) -> None:
    assert resolvability(Bibd(q * q, q, 1)).answer == "yes"
    assert resolvability(Bibd(q * q, q, 2)).answer == "yes"


@pytest.mark.parametrize(("v", "k"), [(4, 2), (6, 3), (8, 4), (9, 3), (10, 5)])
def test_all_subsets_of_one_size_are_resolvable(v: int, k: int) -> None:
    complete = build(parse_spec(f"complete:points={v},size={k}"))
    found = find_resolution(complete, limits=Limits(seconds=20))
    lambda_ = verify(complete).lambda_
    assert found.status == "exists"
    assert lambda_ is not None
    assert resolvability(Bibd(v, k, lambda_)).answer == "yes"
    assert resolvability(Bibd(v, k, 3 * lambda_)).answer == "yes"


@pytest.mark.parametrize("v", [2, 3, 7, 1000])
def test_a_block_of_all_points_is_a_parallel_class(v: int) -> None:
    """Bose's b ≥ v + r − 1 holds for blocks that do not hold all points."""
    for lambda_ in (1, 5):
        assert resolvability(Bibd(v, v, lambda_)) == ("yes", "each block holds all points")


def test_no_resolvable_design_where_there_is_none() -> None:
    for v in range(6, 60, 2):
        for k in (3, 4, 5, 6):
            for lambda_ in range(1, 6):
                wanted = Bibd(v, k, lambda_)
                if wanted.divides and isinstance(exists(*wanted), Impossible):
                    assert resolvability(wanted).answer != "yes"
