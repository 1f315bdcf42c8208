"""Proofs that S*(η) is at least some number: each returns the bound that it shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from heapq import nsmallest
from itertools import accumulate

from gcdesign.checker.apart import apart
from gcdesign.checker.case import Case
from gcdesign.checker.document import Code
from gcdesign.checker.knapsack import fewest_workers
from gcdesign.checker.reading import distinct, whole
from gcdesign.checker.sharing import shares
from gcdesign.checker.spectrum import biregular
from gcdesign.checker.tree import most_meetings, refuted_everywhere


def copies(case: Case) -> int:
    """S workers hold at most so many copies, η parts have at least so many."""
    case.members()
    needed = sum(nsmallest(case.asked, case.code.replications))
    return fewest_to_reach(case.code.loads, needed)


def fewest_to_reach(sizes: Sequence[int], needed: int) -> int:
    """Return the least number of sizes whose sum reaches a number that all of them reach."""
    sums = accumulate(sorted(sizes, reverse=True), initial=0)
    return next(count for count, total in enumerate(sums) if total >= needed)


def pairs(case: Case) -> int:
    """Count pairs of parts that meet in a worker (Corrádi)."""
    proof, eta, holders = case.members("m"), case.asked, list(case.code.holders)
    m = whole(proof["m"], f"{case.place}.m", least=1)
    meetings = most_meetings(holders, eta, case.budget)
    needed = sum(nsmallest(eta, case.code.replications))
    return -((meetings - 2 * m * needed) // (m * (m + 1)))


def spectral(case: Case) -> int:
    """Bound the second singular value (Tanner 1984, Haemers)."""
    load, replication, second = biregular(case)
    eta, k = case.asked, case.code.parts
    if eta == 0:
        return 0
    bound = Fraction(replication**2 * eta) / (second + (replication * load - second) * eta / k)
    return -(-bound.numerator // bound.denominator)


def groups(case: Case) -> int:
    """Choose among groups of equal workers."""
    case.members()
    return fewest_workers(case)


def monotone(case: Case) -> int:
    """More parts have no fewer workers."""
    case.members("claim")
    earlier = case.lemma("threshold", same=("placement",))
    case.require(earlier.asked <= case.asked, f"{earlier.place} is about more parts", "claim")
    return lower_of(earlier.lower)


def lower_of(lower: Fraction | None) -> int:
    """Return the lower end of a claim on a threshold, which all of them have."""
    assert lower is not None
    return int(lower)


def correlation(case: Case) -> int:
    """Turn parts and workers round, where a correlation carries one to the other."""
    proof, code = case.members("claim", "parts_to_workers", "workers_to_parts"), case.code
    earlier = case.lemma("threshold", same=("placement",))
    n = code.workers
    case.require(n == code.parts, "there are not as many workers as parts")
    to_workers, to_parts = (
        distinct(proof[name], f"{case.place}.{name}", below=n, length=n)
        for name in ("parts_to_workers", "workers_to_parts")
    )
    case.budget.spend(sum(code.loads))
    for worker, block in enumerate(code.blocks):
        # All of them together are as many as there are, so none is left over.
        images = code.holders[to_parts[worker]]
        if not all(images >> to_workers[part] & 1 for part in block):
            case.refuse("workers_to_parts", f"incidence is not kept at worker {worker}")
    few = n + 1 - lower_of(earlier.lower)
    case.require(few <= case.asked, f"it shows S*({few}) only, and η is {case.asked}", "claim")
    return n - int(earlier.asked) + 1


def extension(case: Case) -> int:
    """Go through a larger placement, of which this one is a part."""
    proof, code = case.members("claim", "workers", "parts", "extra"), case.code
    earlier = case.lemma("threshold")
    larger = case.codes[earlier.placement]
    place = case.place
    workers = distinct(
        proof["workers"], f"{place}.workers", below=larger.workers, length=code.workers
    )
    parts = distinct(proof["parts"], f"{place}.parts", below=larger.parts, length=code.parts)
    extra = distinct(proof["extra"], f"{place}.extra", below=larger.parts)
    case.require(not set(extra) & set(parts), "an extra part is an image", "extra")
    images = _incidences_kept(case, larger, workers, parts)
    more = case.asked + len(extra)
    case.require(earlier.asked <= more, f"{earlier.place} is about over {more} parts", "claim")
    lost = set(extra)
    image_of_a_part = set(parts)
    spoilt = sum(
        1
        for worker, block in enumerate(larger.blocks)
        if not lost.isdisjoint(block)
        or (worker not in images and not image_of_a_part.isdisjoint(block))
    )
    return lower_of(earlier.lower) - spoilt


def _incidences_kept(
    case: Case, larger: Code, workers: Sequence[int], parts: Sequence[int]
) -> set[int]:
    """Check that parts are held exactly if their images are; return the workers' images."""
    inside = set(parts)
    for worker, block in enumerate(case.code.blocks):
        image = larger.blocks[workers[worker]]
        case.budget.spend(len(block) + len(image))
        if {parts[part] for part in block} != inside.intersection(image):
            case.refuse("workers", f"incidence is not kept at worker {worker}")
    return set(workers)


def cases(case: Case) -> int:
    """Refute a smaller attack in every case."""
    proof, least = case.members("tree"), int(case.goal)
    refuted_everywhere(case, proof["tree"], least)
    return least


PROOFS: Mapping[str, Callable[[Case], int]] = {
    "copies": copies,
    "pairs": pairs,
    "spectral": spectral,
    "groups": groups,
    "shares": shares,
    "monotone": monotone,
    "correlation": correlation,
    "extension": extension,
    "cases": cases,
    "apart": apart,
}
