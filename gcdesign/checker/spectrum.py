"""Biregular placements and a bound on their second singular value."""

from __future__ import annotations

from fractions import Fraction

from gcdesign.checker.case import Case
from gcdesign.checker.linear import semidefinite
from gcdesign.checker.reading import number
from gcdesign.checker.verdicts import TooMuch

MAX_ROWS = 4096


def biregular(case: Case) -> tuple[int, int, Fraction]:
    """Return L, R and σ², once σ²I − EᵀE + (RL/K)J is known to be semidefinite.

    The smaller of that matrix and σ²I − EEᵀ + (RL/N)J is taken.
    """
    proof = case.members("second_squared")
    second = number(proof["second_squared"], f"{case.place}.second_squared")
    code = case.code
    loads, replications = set(code.loads), set(code.replications)
    case.require(
        len(loads) == len(replications) == 1 and min(loads) >= 1,
        "the placement is not biregular",
    )
    load, replication = loads.pop(), replications.pop()
    lists = code.masks if code.workers <= code.parts else code.holders
    n = len(lists)
    if n > MAX_ROWS:
        raise TooMuch(f"a matrix of {n} rows is too large")
    # n times the matrix, times the denominator of σ².
    ones, off = second.denominator * replication * load, second.denominator * n
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
    return load, replication, second
