"""How much S silent workers of a biregular placement share, where they cannot lie evenly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from gcdesign.checker.case import Case
from gcdesign.checker.document import MAX_CELLS, bits
from gcdesign.checker.linear import semidefinite
from gcdesign.checker.reading import distinct, items, number
from gcdesign.checker.spectrum import MAX_ROWS, check_second, regularity
from gcdesign.checker.verdicts import TooMuch


@dataclass(frozen=True)
class Family:
    """What a proof of kind ``sharing`` brings along.

    Attributes
    ----------
    second
        σ².
    weight
        w ≥ 0.
    sets
        How many sets there are in ℬ.
    size, times
        Each holds b workers, and every worker is in r of them.
    members
        For each worker the sets that it is in, as bits.
    """

    second: Fraction
    weight: Fraction
    sets: int
    size: int
    times: int
    members: tuple[int, ...]

    @property
    def even(self) -> Fraction:
        """w·rb, the eigenvalue of w Σ 1_B 1_Bᵀ for the vector 1."""
        return self.weight * self.times * self.size

    def least_squares(self, silent: int) -> int:
        """Return μ, the least Σ |F ∩ B|² for whole numbers that add up to rS."""
        if not self.sets:
            return 0
        each, more = divmod(self.times * silent, self.sets)
        return more * (each + 1) ** 2 + (self.sets - more) * each**2


def read_family(case: Case) -> Family:
    """Read the members of the proof, and count that every worker is in equally many sets."""
    proof, place, n = (
        case.members("second_squared", "weight", "sets"),
        case.place,
        case.code.workers,
    )
    second = number(proof["second_squared"], f"{place}.second_squared")
    weight = number(proof["weight"], f"{place}.weight")
    case.require(weight >= 0, "it is negative", "weight")
    sets = items(proof["sets"], f"{place}.sets")
    if len(sets) * n > MAX_CELLS:
        raise TooMuch(f"{len(sets)} sets of workers are too many")
    size = len(items(sets[0], f"{place}.sets[0]")) if sets else 0
    held: list[list[int]] = [[] for _ in range(n)]
    for index, members in enumerate(sets):
        case.budget.spend(size + 1)
        for worker in distinct(members, f"{place}.sets[{index}]", below=n, length=size):
            held[worker].append(index)
    counts = {len(within) for within in held}
    case.require(len(counts) <= 1, "some workers are in more sets than others", "sets")
    times = max(counts, default=0)
    return Family(second, weight, len(sets), size, times, tuple(map(bits, held)))


def most_shared(case: Case, family: Family) -> tuple[int, int, Fraction]:
    """Return L, R and what Σ a_j² cannot exceed, a_j the silent workers that hold part j.

    M = σ²I + cJ − EEᵀ − w(Σ 1_B 1_Bᵀ − (rb/N)J), c = (RL − σ²)/N, is semidefinite; on both sides
    the indicator of the silent workers gives the bound. As M1 = 0, M + (σ²/N)J is semidefinite if
    M is, for σ² ≥ 0, and only then: that one leaves room for rounding.
    """
    load, replication = regularity(case)
    if family.sets:
        _check_family(case, family, load * replication)
    else:
        check_second(case, family.second)
    silent, second = case.asked, family.second
    everywhere = (replication * load - second + family.even) / case.code.workers
    shared = second * silent + everywhere * silent**2
    return load, replication, shared - family.weight * family.least_squares(silent)


def _check_family(case: Case, family: Family, greatest: int) -> None:
    """Check that σ²I + ((RL + w rb)/N)J − EEᵀ − w Σ 1_B 1_Bᵀ is semidefinite."""
    n, second = case.code.workers, family.second
    if n > MAX_ROWS:
        raise TooMuch(f"a matrix of {n} rows is too large")
    everywhere = (greatest + family.even) / n
    common = lcm(second.denominator, family.weight.denominator, everywhere.denominator)
    constant, weight = int(everywhere * common), int(family.weight * common)
    rows = []
    for i, products in enumerate(case.code.gram(case.budget)):
        own, members = family.members[i], family.members[: i + 1]
        case.budget.spend((i + 1) * (1 + family.sets // 256))
        rows.append(
            [
                constant - common * product - weight * (own & other).bit_count()
                for product, other in zip(products, members, strict=True)
            ]
        )
        rows[i][i] += int(second * common)
    case.require(semidefinite(rows, case.budget), "its matrix is not positive semidefinite")
