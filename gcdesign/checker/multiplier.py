"""Multipliers: quadratic forms that bound the error of every set of silent workers at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from gcdesign.checker.case import Case
from gcdesign.checker.decoding import one_step_weight
from gcdesign.checker.document import Code
from gcdesign.checker.linear import semidefinite
from gcdesign.checker.reading import Json, items, whole, wholes
from gcdesign.checker.verdicts import Budget, Refused, TooMuch

MAX_ROWS = 4096


@dataclass(frozen=True)
class Multiplier:
    """A form on the undecided workers that is not negative where few of them are silent.

    Attributes
    ----------
    scale
        d.
    diagonal
        D.
    off_diagonal
        The strict lower triangle of V, row by row.
    """

    scale: int
    diagonal: list[int]
    off_diagonal: list[int]

    def form(self, silent: int) -> list[list[int]]:
        """Return the lower triangle of dW for so many silent workers."""
        rows, start = [], 0
        for i, own in enumerate(self.diagonal):
            row = [-entry for entry in self.off_diagonal[start : start + i]]
            rows.append([*row, (silent - 1) * own])
            start += i
        return rows


def read_multiplier(proof: Mapping[str, Json], place: str, size: int, budget: Budget) -> Multiplier:
    """Read a multiplier for so many undecided workers, and check V_ij² ≤ D_i D_j.

    Raises
    ------
    Refused
        If an entry of V is greater than that.
    """
    scale = whole(proof["scale"], f"{place}.scale", least=1)
    diagonal = wholes(proof["diagonal"], f"{place}.diagonal", length=size)
    length = size * (size - 1) // 2
    budget.spend(length)
    off = wholes(proof["off_diagonal"], f"{place}.off_diagonal", length=length, least=None)
    start = 0
    for i, own in enumerate(diagonal):
        for j, entry in enumerate(off[start : start + i]):
            if entry * entry > own * diagonal[j]:
                raise Refused(
                    f"{place}.off_diagonal[{start + j}]", "its square is over the product of two D"
                )
        start += i
    return Multiplier(scale, diagonal, off)


def check_size(code: Code) -> None:
    """Refuse matrices of as many rows as there are workers, or parts, if that is too many.

    Raises
    ------
    TooMuch
        If it is.
    """
    most = max(code.workers, code.parts)
    if most >= MAX_ROWS:
        raise TooMuch(f"matrices of {most} rows are too large")


def multiplier(case: Case) -> Fraction:
    """Return ``upper`` if the multiplier shows it for optimal decoding."""
    proof, code = case.members("scale", "diagonal", "off_diagonal"), case.code
    case.require(case.claim.decoder == "optimal", "it is for optimal decoding")
    found = read_multiplier(proof, case.place, code.workers, case.budget)
    rows = found.form(case.asked)
    if not error_is_bounded(code, rows, found.scale, case.goal, case.budget):
        case.refuse("", "its matrix is not positive semidefinite")
    return case.goal


def error_is_bounded(
    code: Code, form: Sequence[Sequence[int]], scale: int, bound: Fraction, budget: Budget
) -> bool:
    """Return whether [I − EᵀWE 1; 1ᵀ b] is semidefinite; W is a form over its scale."""
    check_size(code)
    k = code.parts
    weights, below = _common(code)
    # The matrix times `times`: whole numbers throughout.
    times = lcm(scale * below * below, bound.denominator)
    factor = times // (scale * below * below)
    rows = [[0] * (i + 1) for i in range(k)]
    for worker, image in enumerate(_images(code, form, weights, budget)):
        block, own = code.blocks[worker], weights[worker]
        budget.spend(k * len(block) // 4)
        for part, weight in zip(block, own, strict=True):
            share = factor * weight
            rows[part] = [x - share * y for x, y in zip(rows[part], image, strict=False)]
    for i, row in enumerate(rows):
        row[i] += times
    rows.append([times] * k + [int(bound * times)])
    return semidefinite(rows, budget)


def _common(code: Code) -> tuple[list[list[int]], int]:
    """Return the weights as whole numbers over one denominator."""
    if code.weights is None:
        return [[1] * load for load in code.loads], 1
    below = lcm(*(weight.denominator for row in code.weights for weight in row))
    return [[int(weight * below) for weight in row] for row in code.weights], below


def _images(
    code: Code, form: Sequence[Sequence[int]], weights: list[list[int]], budget: Budget
) -> list[list[int]]:
    """Return the rows of WE, in whole numbers."""
    full = [list(row) for row in form]
    for i, row in enumerate(form):
        for j in range(i):
            full[j].append(row[j])
    found = []
    for row in full:
        budget.spend(len(row) * 4)
        image = [0] * code.parts
        for entry, block, own in zip(row, code.blocks, weights, strict=True):
            if entry:
                for part, weight in zip(block, own, strict=True):
                    image[part] += entry * weight
        found.append(image)
    return found


def one_step_multiplier(case: Case) -> Fraction:
    """Return ``upper`` if the multiplier shows it for one-step decoding."""
    proof = case.members("scale", "diagonal", "linear", "pairs")
    case.require(case.claim.decoder == "one-step", "it is for one-step decoding")
    check_size(case.code)
    weight = one_step_weight(case.code, case.code.workers - case.asked)
    scale = whole(proof["scale"], f"{case.place}.scale", least=1)
    times = lcm(scale, weight.denominator**2, case.goal.denominator)
    rows = _slack(case, weight, times)
    _subtract(case, proof, times // scale, rows)
    # Every entry off the diagonal stands for half a coefficient: double the diagonal.
    for i, row in enumerate(rows):
        row[i] *= 2
    if not semidefinite(rows, case.budget):
        case.refuse("", "its matrix is not positive semidefinite")
    return case.goal


def _slack(case: Case, weight: Fraction, times: int) -> list[list[int]]:
    """Return upper − q(z), times a number, by coefficients of (1, z): constant, linear, products.

    q(z) = ρ² zᵀGz − 2 (ρ² G1 − ρL)ᵀz + ρ² 1ᵀG1 − 2ρ ΣL + K.
    """
    code, gram = case.code, case.code.gram(case.budget)
    square, twice = int(weight * weight * times), int(2 * weight * times)
    meetings = [sum(code.replications[part] for part in block) for block in code.blocks]
    constant = square * sum(meetings) - twice * sum(code.loads) + code.parts * times
    rows = [[int(case.goal * times) - constant]]
    for worker, products in enumerate(gram):
        linear = 2 * square * meetings[worker] - twice * code.loads[worker]
        row = [-2 * square * product for product in products]
        row[worker] = -square * products[worker]
        rows.append([linear, *row])
    return rows


def _subtract(case: Case, proof: Mapping[str, Json], factor: int, rows: list[list[int]]) -> None:
    """Take off Σ u(z² − z), (m₀ + mᵀz)(1ᵀz − S) and Σ 2n z z', all by coefficients."""
    n, place, silent = case.code.workers, case.place, case.asked
    own = wholes(proof["diagonal"], f"{place}.diagonal", length=n, least=None)
    constant, *linear = wholes(proof["linear"], f"{place}.linear", length=n + 1, least=None)
    rows[0][0] += factor * constant * silent
    for i in range(n):
        case.budget.spend(i)
        row, more = rows[i + 1], linear[i]
        row[0] += factor * (own[i] - constant + more * silent)
        row[1:] = [x - factor * (more + other) for x, other in zip(row[1:], linear, strict=False)]
        row[i + 1] += factor * (more - own[i])
    for index, pair in enumerate(items(proof["pairs"], f"{place}.pairs")):
        at = f"{place}.pairs[{index}]"
        i, j, count = wholes(pair, at, length=3)
        if not i < j < n:
            raise Refused(at, f"expected two workers in increasing order, below {n}")
        rows[j + 1][i + 1] -= 2 * factor * count
