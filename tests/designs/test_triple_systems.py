"""Triple systems with λ > 1: all orders against the necessary conditions and a count of pairs."""

from __future__ import annotations

import numpy as np
import pytest

from gcdesign.designs.existence import Exists, exists
from gcdesign.designs.steiner.repeated import (
    has_triple_system,
    idempotent_quasigroup,
    triple_system,
)
from gcdesign.errors import InputError


@pytest.mark.parametrize("n", [1, *range(3, 20)])
def test_quasigroups(n: int) -> None:
    square = idempotent_quasigroup(n)
    for line in [*square, *square.T]:
        assert sorted(line.tolist()) == list(range(n))
    assert np.diag(square).tolist() == list(range(n))


def test_every_order() -> None:
    for v in range(3, 40):
        for index in (2, 3, 6):
            if not has_triple_system(v, index):
                continue
            pairs = np.zeros((v, v), dtype=int)
            for block in triple_system(v, index).blocks():
                assert len(set(block)) == 3
                for x in block:
                    pairs[x, block] += 1
            assert set(pairs[~np.eye(v, dtype=bool)]) == {index}


def test_all_triple_systems_that_can_be_are_known_with_a_recipe() -> None:
    """Hanani 1961: for k = 3 divisibility is enough."""
    for v in range(4, 60):
        for lambda_ in range(1, 8):
            if lambda_ * (v - 1) % 2 == 0 and lambda_ * v * (v - 1) % 6 == 0:
                answer = exists(v, 3, lambda_)
                assert isinstance(answer, Exists), answer
                assert answer.recipe is not None or (v, lambda_) == (6, 2)


@pytest.mark.parametrize(("v", "index"), [(6, 2), (7, 2), (8, 2), (10, 3), (2, 6), (9, 1), (9, 4)])
def test_refusals(v: int, index: int) -> None:
    with pytest.raises(InputError, match="expected"):
        triple_system(v, index)
