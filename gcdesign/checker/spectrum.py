"""Biregular placements and a bound on their second singular value."""

from __future__ import annotations

from fractions import Fraction

from gcdesign.checker.case import Case
from gcdesign.checker.linear import semidefinite
from gcdesign.checker.reading import number
from gcdesign.checker.verdicts import TooMuch

MAX_ROWS = 4096


def regularity(case: Case) -> tuple[int, int]:
    """Return L and R, both at least 1, the same for all workers and for all parts."""
    loads, replications = set(case.code.loads), set(case.code.replications)
    case.require(
        len(loads) == len(replications) == 1 and min(loads) >= 1,
        "the placement is not biregular",
    )
    return loads.pop(), replications.pop()


def biregular(case: Case) -> tuple[int, int, Fraction]:
    """Return L, R and σ², once the last is known to be no less than the second singular value²."""
    proof = case.members("second_squared")
    second = number(proof["second_squared"], f"{case.place}.second_squared")
    load, replication = regularity(case)
    check_second(case, second)
    return load, replication, second


def check_second(case: Case, second: Fraction) -> None:
    """Check that σ²I − EᵀE + (RL/K)J is semidefinite, for a placement that is biregular.

    The smaller of that matrix and σ²I − EEᵀ + (RL/N)J is taken.
    """
    code = case.code
    lists = code.masks if code.workers <= code.parts else code.holders
    n = len(lists)
    if n > MAX_ROWS:
        raise TooMuch(f"a matrix of {n} rows is too large")
    # n times the matrix, times the denominator of σ².
    ones = second.denominator * code.replications[0] * code.loads[0]
    off = second.denominator * n
    matrix = []
    for i, mask in enumerate(lists):
        case.budget.spend(i)
        matrix.append([ones - off * (mask & other).bit_count() for other in lists[: i + 1]])
        matrix[i][i] += second.numerator * n
    case.require(
        semidefinite(matrix, case.budget),
        "the second singular value is greater: the matrix is not positive semidefinite",
        "second_squared",
    )
