"""Reference values and oracles: plain brute force that shares no code with gcdesign."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

Silenced = tuple[int, ...]
Blocks = Sequence[Iterable[int]]

DATA = Path(__file__).parents[1] / "data" / "reference_values.json"


@pytest.fixture(scope="session")
def reference() -> dict[str, Any]:
    """Reference values from the literature and from programs of others."""
    values: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
    return values


@pytest.fixture(scope="session")
def thresholds() -> Callable[[Blocks, int], list[int]]:
    """S*(η) for η = 0 … K: the fewest holders of η parts, over all sets of parts."""

    def all_of_them(blocks: Blocks, parts: int) -> list[int]:
        sets = [set(block) for block in blocks]
        holders = [sum(1 << w for w, s in enumerate(sets) if j in s) for j in range(parts)]
        least = [0] + [len(sets)] * parts
        for chosen in range(1, 1 << parts):
            together = 0
            for j in range(parts):
                if chosen >> j & 1:
                    together |= holders[j]
            eta = chosen.bit_count()
            least[eta] = min(least[eta], together.bit_count())
        return least

    return all_of_them


@pytest.fixture(scope="session")
def milp_threshold() -> Callable[[Blocks, int, int], int]:
    """S*(η) by the plain integer program and HiGHS."""

    def solve(blocks: Blocks, parts: int, eta: int) -> int:
        edges = [(w, j) for w, block in enumerate(blocks) for j in block]
        cost = np.concatenate([np.zeros(parts), np.ones(len(blocks))])
        rows = np.zeros((len(edges) + 1, len(cost)))
        rows[0, :parts] = 1
        for i, (w, j) in enumerate(edges, start=1):
            rows[i, j], rows[i, parts + w] = -1, 1
        least = np.concatenate([[eta], np.zeros(len(edges))])
        answer = milp(
            cost,
            constraints=LinearConstraint(rows, least, np.inf),
            integrality=np.ones(len(cost), dtype=int),
            bounds=Bounds(0, 1),
        )
        assert answer.success
        return round(answer.fun)

    return solve


@pytest.fixture(scope="session")
def errors_of_sets() -> Callable[[Sequence[Sequence[Any]], int], dict[Silenced, Fraction]]:
    """min ‖Eᵀv − 1‖² for every set of silenced workers, in fractions, by Gram and Schmidt.

    Sets that begin alike share their orthogonal bases.
    """

    def dot(a: list[Fraction], b: list[Fraction]) -> Fraction:
        return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))

    def minus(a: list[Fraction], times: Fraction, b: list[Fraction]) -> list[Fraction]:
        return [x - times * y for x, y in zip(a, b, strict=True)] if times else a

    def all_of_them(matrix: Sequence[Sequence[Any]], parts: int) -> dict[Silenced, Fraction]:
        rows = [[Fraction(x) for x in row] for row in matrix]
        found: dict[Silenced, Fraction] = {}

        def visit(
            worker: int,
            basis: list[tuple[list[Fraction], Fraction]],
            residual: list[Fraction],
            silenced: Silenced,
        ) -> None:
            if worker == len(rows):
                found[silenced] = dot(residual, residual)
                return
            visit(worker + 1, basis, residual, (*silenced, worker))
            row = rows[worker]
            for other, norm in basis:
                row = minus(row, dot(rows[worker], other) / norm, other)
            square = dot(row, row)
            if square:
                basis = [*basis, (row, square)]
                residual = minus(residual, dot(residual, row) / square, row)
            visit(worker + 1, basis, residual, silenced)

        visit(0, [], [Fraction(1)] * parts, ())
        return found

    return all_of_them


@pytest.fixture(scope="session")
def float_errors_of_sets() -> Callable[[Any], dict[Silenced, float]]:
    """The same in floating point: the pseudo-inverse of each surviving matrix by itself."""

    def all_of_them(matrix: Any) -> dict[Silenced, float]:
        encoding = np.asarray(matrix, dtype=float)
        workers = len(encoding)
        sets = [s for size in range(workers + 1) for s in combinations(range(workers), size)]
        found: dict[Silenced, float] = {}
        for start in range(0, len(sets), 2048):
            batch = sets[start : start + 2048]
            alive = np.repeat(encoding[None], len(batch), axis=0)
            for i, silenced in enumerate(batch):
                alive[i, list(silenced)] = 0
            weights = np.linalg.pinv(alive.transpose(0, 2, 1)).sum(axis=2)
            residuals = np.einsum("swp,sw->sp", alive, weights) - 1
            found.update(zip(batch, (residuals**2).sum(axis=1).tolist(), strict=True))
        return found

    return all_of_them


@pytest.fixture(scope="session")
def one_step_error() -> Callable[[Blocks, int, Silenced], Fraction]:
    """‖ρ E_Fᵀ1 − 1‖² with ρ = KN/(f · copies), part by part."""

    def error(blocks: Blocks, parts: int, silenced: Silenced) -> Fraction:
        sets = [set(block) for block in blocks]
        alive = [s for w, s in enumerate(sets) if w not in silenced]
        copies = sum(map(len, sets))
        known = bool(alive and copies)
        weight = Fraction(parts * len(sets), len(alive) * copies) if known else Fraction(0)
        return sum(
            ((weight * sum(j in s for s in alive) - 1) ** 2 for j in range(parts)), Fraction(0)
        )

    return error


@pytest.fixture(scope="session")
def worst_by_size() -> Callable[[dict[Silenced, Any], int], list[Any]]:
    """The greatest error for each number of stragglers."""

    def worst(errors: dict[Silenced, Any], workers: int) -> list[Any]:
        return [max(e for s, e in errors.items() if len(s) == n) for n in range(workers + 1)]

    return worst


@pytest.fixture(scope="session")
def least_by_size() -> Callable[[dict[Silenced, Any], int], list[Any]]:
    """The least error for each number of stragglers."""

    def least(errors: dict[Silenced, Any], workers: int) -> list[Any]:
        return [min(e for s, e in errors.items() if len(s) == n) for n in range(workers + 1)]

    return least
