"""One-step decoding: the weight, the error, and its mean over random stragglers."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from gcdesign.codes import GradientCode, load_code
from gcdesign.codes.onestep import one_step_error, one_step_weight
from gcdesign.errors import InputError

NAMES = ["pg:q=2", "ag:q=2", "dual-ag:q=2", "frc:workers=6,stragglers=2", "uncoded:workers=5"]


def by_definition(code: GradientCode, silenced: tuple[int, ...]) -> Fraction:
    matrix = code.dense_encoding().astype(int).tolist()
    alive = [row for w, row in enumerate(matrix) if w not in silenced]
    weight = Fraction(code.parts * code.workers, len(alive) * sum(map(sum, matrix))) if alive else 0
    sums = [sum(row[j] for row in alive) for j in range(code.parts)]
    return sum((Fraction(weight * x - 1) ** 2 for x in sums), Fraction(0))


@pytest.mark.parametrize("name", NAMES)
def test_every_set(name: str) -> None:
    code = load_code(name)
    for size in range(code.workers + 1):
        for silenced in combinations(range(code.workers), size):
            error = one_step_error(code, code.placement.mask(silenced))
            assert error == by_definition(code, silenced)
            optimal = code.decode(silenced).error_exact
            assert optimal is not None
            assert error >= optimal


def test_the_weight_gets_the_mean_right() -> None:
    code = GradientCode.from_matrix([[1, 1, 0], [0, 1, 1], [1, 0, 0], [0, 0, 1]])
    for stragglers in range(4):
        weight = one_step_weight(code, stragglers)
        sets = list(combinations(range(4), 4 - stragglers))
        rows = code.dense_encoding().astype(int)
        mean = sum((weight * int(rows[list(alive)].sum()) for alive in sets), Fraction(0)) / len(
            sets
        )
        assert mean == code.parts
    assert one_step_weight(code, 4) == 0
    assert one_step_weight(GradientCode.from_matrix(np.zeros((2, 2))), 0) == 0


@pytest.mark.parametrize(("workers", "load"), [(6, 2), (6, 3), (8, 2), (8, 4)])
def test_the_mean_error_of_fractional_repetition(workers: int, load: int) -> None:
    # E = kρ²r (s/k)(1 − s/k)(k − r)/(k − 1), Charles, Papailiopoulos and Ellenberg.
    code = load_code(f"frc:workers={workers},stragglers={load - 1}")
    share = Fraction(load, workers)
    for alive in range(1, workers + 1):
        sets = list(combinations(range(workers), workers - alive))
        errors = (one_step_error(code, code.placement.mask(s)) for s in sets)
        mean = sum(errors, Fraction(0)) / len(sets)
        rho = Fraction(workers, alive * load)
        formula = workers * rho**2 * alive * share * (1 - share) * (workers - alive)
        assert mean == formula / (workers - 1)


def test_real_codes_are_refused() -> None:
    code = GradientCode.from_matrix([[0.5, 1.0]])
    with pytest.raises(InputError, match="0/1"):
        one_step_error(code, code.placement.mask([]))
