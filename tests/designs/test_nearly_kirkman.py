"""Nearly Kirkman triple systems: pairs and classes counted with plain sets."""

from __future__ import annotations

from itertools import combinations

import pytest

from gcdesign.designs.steiner.nearly_kirkman import nearly_kirkman_size, nearly_kirkman_system
from gcdesign.designs.steiner.nearly_kirkman_plans import base_classes, nearly_kirkman_plan
from gcdesign.errors import InputError, LimitError

REACHED = [v for v in range(18, 400, 6) if nearly_kirkman_plan(v)]


@pytest.mark.parametrize("v", [v for v in REACHED if v <= 160 or v in (222, 240, 288)])
def test_a_system(v: int) -> None:
    """222 and 240 are frames of 10 and 7 groups, 288 is a multiple of the system on 24 points."""
    design = nearly_kirkman_system(v)
    blocks = [tuple(block) for block in design.blocks()]
    assert all(len(set(block)) == 3 for block in blocks)
    pairs = [pair for block in blocks for pair in combinations(sorted(block), 2)]
    assert len(pairs) == len(set(pairs)) == v * (v - 2) // 2
    left = set(combinations(range(v), 2)) - set(pairs)
    assert sorted(point for pair in left for point in pair) == list(range(v))
    classes = design.parallel_classes
    assert classes is not None
    assert len(classes) == v // 2 - 1
    for one in classes:
        assert sorted(point for i in one for point in blocks[i]) == list(range(v))
    assert nearly_kirkman_size(v).b == design.b


def test_what_is_reached() -> None:
    """Every method, and no fewer orders than there were."""
    methods = {plan.method for v in REACHED if (plan := nearly_kirkman_plan(v))}
    assert methods == {"base classes", "kirkman multiple", "multiple", "frame"}
    assert len(REACHED) >= 35
    assert set(range(18, 76, 6)) <= set(REACHED)


def test_stored_base_classes_part_the_points() -> None:
    for v, classes in base_classes().items():
        for one in classes:
            assert sorted(point for triple in one for point in triple) == list(range(v))


@pytest.mark.parametrize(
    ("v", "words"),
    [
        (12, "do not exist"),
        (6, "Kotzig and Rosa"),
        (20, "multiple|mod 6"),
        (0, "18 or more"),
        (-6, "18 or more"),
        (102, "though it exists"),
    ],
)
def test_refused(v: int, words: str) -> None:
    with pytest.raises(InputError, match=words):
        nearly_kirkman_size(v)


def test_too_large() -> None:
    with pytest.raises(LimitError):
        nearly_kirkman_system(600_000)
