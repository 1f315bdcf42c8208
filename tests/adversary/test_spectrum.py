"""σ₂²: proved from above, exact where it is a whole number, against numpy and closed forms."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from gcdesign.adversary import spectrum
from gcdesign.adversary.spectrum import second_squared
from gcdesign.codes import Placement, load_code
from gcdesign.designs import BlockDesign


def circulant(parts: int, base: tuple[int, ...]) -> Placement:
    blocks = [sorted((i + d) % parts for d in base) for i in range(parts)]
    return Placement(BlockDesign.from_blocks(blocks, points=parts))


def largest_beside_the_mean(placement: Placement) -> float:
    singular = np.linalg.svd(placement.design.incidence.toarray().astype(float))[1]
    return float(singular[1] ** 2)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("pg:q=3", 3), ("pg:q=5", 5), ("ag:q=4", 4), ("dual-ag:q=3", 3), ("pg:q=2,dim=3", 4)],
)
def test_whole_numbers_are_exact(name: str, expected: int) -> None:
    assert second_squared(load_code(name).placement) == expected


def test_a_multiple_greatest_eigenvalue() -> None:
    pieces = [[0, 1], [0, 1], [2, 3], [2, 3]]
    assert second_squared(Placement(BlockDesign.from_blocks(pieces, points=4))) == 4


@pytest.mark.parametrize("lanczos", [False, True])
@pytest.mark.parametrize(
    ("parts", "base"), [(11, (0, 1, 3)), (30, (0, 1, 5, 11)), (45, (0, 2, 3, 7, 20)), (6, (0,))]
)
def test_a_bound_from_above(
    parts: int, base: tuple[int, ...], lanczos: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if lanczos:
        monkeypatch.setattr(spectrum, "MAX_SPECTRUM_SIDE", 0)
    placement = circulant(parts, base)
    true = largest_beside_the_mean(placement)
    found = second_squared(placement)
    assert found is not None
    assert true - 1e-9 <= found <= true + 1e-6


def test_an_estimate_that_is_too_low_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spectrum, "MAX_SPECTRUM_SIDE", 0)
    monkeypatch.setattr(spectrum, "_lanczos", lambda *_: 1.0)
    assert second_squared(circulant(30, (0, 1, 5, 11))) is None


def test_only_biregular_placements() -> None:
    assert second_squared(Placement(BlockDesign.from_blocks([[0, 1], [1]], points=2))) is None
    assert second_squared(circulant(1, (0,))) is None


def test_the_matrix_is_positive_semidefinite_exactly() -> None:
    # 6·I − EᵀE + (RL/K)J by exact elimination, for a σ² that is no whole number.
    placement = circulant(13, (0, 1, 4))
    found = second_squared(placement)
    assert found is not None
    incidence = placement.design.incidence.toarray().astype(int)
    gram = (incidence.T @ incidence).tolist()
    rows = [[found * (i == j) - gram[i][j] + Fraction(9, 13) for j in range(13)] for i in range(13)]
    for k in range(13):
        assert rows[k][k] > 0
        for i in range(k + 1, 13):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
