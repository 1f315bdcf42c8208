"""Difference families of one block's multiples, and what the closures make of them."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from gcdesign.designs import BlockDesign, exists
from gcdesign.designs.existence.answers import Exists
from gcdesign.designs.existence.parameters import Bibd
from gcdesign.designs.steiner.wilson import wilson_base, wilson_family
from gcdesign.errors import InputError, LimitError


def index(design: BlockDesign) -> set[int]:
    counts = Counter(p for block in design.blocks() for p in combinations(block, 2))
    covered = set(counts.values())
    return covered if len(counts) == design.v * (design.v - 1) // 2 else covered | {0}


@pytest.mark.parametrize(("q", "size"), [(7, 3), (11, 4), (19, 5), (23, 4), (27, 5), (47, 3)])
def test_any_block_will_do_for_half_of_the_units(q: int, size: int) -> None:
    design = wilson_family(q, 2, tuple(range(size)))
    assert BlockDesign(design.v, design.indptr, design.indices) == design
    assert index(design) == {size * (size - 1) // 2}


@pytest.mark.parametrize(
    ("q", "order", "size", "half", "lambda_"),
    [(61, 10, 5, 1, 1), (37, 6, 4, 1, 1), (31, 6, 4, 0, 2), (16, 3, 3, 0, 2), (41, 10, 5, 0, 2)],
)
def test_blocks_that_are_found(q: int, order: int, size: int, half: int, lambda_: int) -> None:
    base = wilson_base(q, order, size)
    assert base is not None
    assert index(wilson_family(q, order, base, half)) == {lambda_}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((6, 5, (0, 1), 0), "prime power"),
        ((7, 4, (0, 1), 0), "divisor"),
        ((7, 2, (0, 1, 3), 1), "half=1"),
        ((8, 7, (0, 1, 3), 1), "half=1"),
        ((7, 2, (0, 0), 0), "different"),
        ((7, 2, (0, 7), 0), "different"),
        ((2, 1, (0, 1), 0), "3 or more"),
    ],
)
def test_refused(arguments: tuple[int, int, tuple[int, ...], int], words: str) -> None:
    with pytest.raises(InputError, match=words):
        wilson_family(*arguments)


def test_limit() -> None:
    with pytest.raises(LimitError):
        wilson_family(10**9, 2, (0, 1))


@pytest.mark.parametrize(("k", "residues", "modulus"), [(4, (1, 4), 12), (5, (1, 5), 20)])
def test_every_admissible_order_has_a_recipe(
    k: int, residues: tuple[int, ...], modulus: int
) -> None:
    """Hanani 1961, 1975; up to 1000 points, and those below 120 counted pair by pair."""
    for v in (n for n in range(k + 1, 1001) if n % modulus in residues):
        answer = exists(v, k, 1)
        assert isinstance(answer, Exists)
        assert answer.recipe is not None, v
        if v < 120 or v in (281, 997, 1000, 981):
            assert answer.build(verify=False).v == v
            assert index(answer.build(verify=False)) == {1}, v


@pytest.mark.parametrize("k", [4, 5])
def test_every_admissible_index_has_a_recipe_or_a_theorem(k: int) -> None:
    """(15,5,2) alone does not exist; the least λ of each v up to 80, all built."""
    for v in range(2 * k, 81):
        answer = exists(v, k, Bibd(v, k, 1).step)
        if isinstance(answer, Exists) and answer.recipe is not None:
            design = answer.build(verify=False)
            assert index(design) == {answer.wanted.lambda_}, answer.recipe.spec
        else:
            assert (v, k) == (15, 5) or answer.status == "exists"
