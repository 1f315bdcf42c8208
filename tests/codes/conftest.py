"""An oracle for optimal decoding that shares no code with gcdesign."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest


@pytest.fixture(scope="session")
def least_error() -> Callable[[Sequence[Sequence[Any]], int], Fraction]:
    """min ‖Rᵀv − 1‖² for the rows R of the survivors, in fractions, by Gram and Schmidt."""

    def error(rows: Sequence[Sequence[Any]], parts: int) -> Fraction:
        residual = [Fraction(1)] * parts
        basis: list[list[Fraction]] = []
        for given in rows:
            row = [Fraction(x) for x in given]
            for other in basis:
                row = minus(row, other)
            if any(row):
                basis.append(row)
                residual = minus(residual, row)
        return sum((x * x for x in residual), Fraction(0))

    def minus(a: list[Fraction], b: list[Fraction]) -> list[Fraction]:
        along = sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))
        times = along / sum((x * x for x in b), Fraction(0))
        return [x - times * y for x, y in zip(a, b, strict=True)]

    return error
