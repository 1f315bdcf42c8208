"""Workers share their cost among their parts: what some parts cost at least, in whole numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import nsmallest

from gcdesign.checker.case import Case
from gcdesign.checker.document import Claim
from gcdesign.checker.reading import Json, items, whole, wholes
from gcdesign.checker.verdicts import Budget

UNIT = 720_720
"""What a worker costs, where the checker finds the shares."""

PASSES = 16
"""How often all workers share anew."""


class Levelling:
    """Shares that are levelled: each worker in turn raises its cheapest parts to one height.

    Parameters
    ----------
    rows
        For each worker the parts among which it shares its cost, at least one.
    parts
        The parts that may be chosen.
    wanted
        How many of them are to be paid for.
    """

    def __init__(self, rows: Sequence[Sequence[int]], parts: Iterable[int], wanted: int) -> None:
        self._rows = [(row, [0] * len(row)) for row in rows]
        self._sums = dict.fromkeys(parts, 0)
        self._wanted = wanted
        self._work = sum(map(len, rows)) + len(self._sums)
        self._left = PASSES

    def exceeds(self, workers: int, passes: int, budget: Budget) -> bool:
        """Return whether up to so many more passes show that more than ``workers`` are needed."""
        for _ in range(min(passes, self._left)):
            budget.spend(self._work)
            self._left -= 1
            self._share()
            if sum(nsmallest(self._wanted, self._sums.values())) > workers * UNIT:
                return True
        return False

    def _share(self) -> None:
        """Let every worker share its cost anew."""
        sums = self._sums
        for row, shares in self._rows:
            others = [sums[part] - own for part, own in zip(row, shares, strict=True)]
            total, count = UNIT, 0
            for least in sorted(others):
                if count and least * count >= total:
                    break
                total += least
                count += 1
            height = total // count
            shares[:] = [max(height - other, 0) for other in others]
            for part, other in zip(row, others, strict=True):
                sums[part] = max(height, other)


def shares(case: Case) -> int:
    """Bound what η parts cost by shares that the proof gives, or an earlier one."""
    if "claim" in case.proof:
        case.members("claim")
        given, place = _given_before(case)
    else:
        given, place = case.members("scale", "shares"), case.place
    scale = whole(given["scale"], f"{place}.scale", least=1)
    sums = _sums_of_parts(case, given["shares"], f"{place}.shares", scale)
    return -(-sum(nsmallest(case.asked, sums)) // scale)


def _given_before(case: Case) -> tuple[Mapping[str, Json], str]:
    """Return the proof of an earlier claim that has the shares; what it claims is not used."""
    index = whole(case.proof["claim"], f"{case.place}.claim", most=case.claim.index - 1)
    earlier: Claim = case.claims[index]
    about_this = earlier.question == "threshold" and earlier.placement == case.claim.placement
    case.require(about_this, f"{earlier.place} is about something else", "claim")
    proof = earlier.proof
    has_them = isinstance(proof, dict) and {*proof} == {"by", "scale", "shares"}
    case.require(has_them, f"{earlier.place} has no shares", "claim")
    return proof, f"{earlier.place}.proof"


def _sums_of_parts(case: Case, value: Json, place: str, scale: int) -> list[int]:
    """Return what each part gets, once it is known that no worker gives more than its cost."""
    code = case.code
    sums = [0] * code.parts
    rows = items(value, place, length=code.workers)
    for worker, (block, row) in enumerate(zip(code.blocks, rows, strict=True)):
        case.budget.spend(len(block))
        own = wholes(row, f"{place}[{worker}]", length=len(block))
        case.require(sum(own) <= scale, "a worker shares more than it costs", f"shares[{worker}]")
        for part, share in zip(block, own, strict=True):
            sums[part] += share
    return sums
