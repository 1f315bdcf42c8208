"""Proofs that err_S is at most some number: each returns the bound that it shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import floor

from gcdesign.checker.branches import worst_in_every_case
from gcdesign.checker.case import Case
from gcdesign.checker.decoding import one_step_weight, worst_error
from gcdesign.checker.document import Code
from gcdesign.checker.knapsack import most_parts
from gcdesign.checker.multiplier import multiplier, one_step_multiplier
from gcdesign.checker.spectrum import biregular
from gcdesign.checker.spread import most_shared, read_family


def _optimal(case: Case) -> None:
    case.require(case.claim.decoder == "optimal", "it is for optimal decoding")


def _one_step(case: Case) -> None:
    case.require(case.claim.decoder == "one-step", "it is for one-step decoding")


def _zero_one(case: Case) -> Code:
    case.require(case.code.weights is None, "it is for 0/1 codes")
    return case.code


def all_parts(case: Case) -> Fraction:
    """Answering with 0 costs K."""
    case.members()
    _optimal(case)
    return Fraction(case.code.parts)


def intersection(case: Case) -> Fraction:
    """Any two workers share equally many parts, so every set is as bad."""
    case.members()
    _optimal(case)
    code = _zero_one(case)
    load = min(code.loads, default=0)
    case.require(load >= 1 and max(code.loads) == load, "workers have no load or different loads")
    gram = code.gram(case.budget)
    shared = gram[1][0] if code.workers > 1 else 0
    case.require(
        all(x == shared for i, row in enumerate(gram) for x in row[:i]),
        "some workers share more parts than others",
    )
    survivors = code.workers - case.asked
    if survivors == 0:
        return Fraction(code.parts)
    return code.parts - Fraction(load**2 * survivors, load + shared * (survivors - 1))


def classes(case: Case) -> Fraction:
    """Parallel classes that meet evenly; the worst is spread evenly over them."""
    case.members()
    _optimal(case)
    code = _zero_one(case)
    load = min(code.loads, default=0)
    case.require(load >= 1 and max(code.loads) == load, "workers have no load or different loads")
    case.require(code.parts % load == 0, "the load does not divide the number of parts")
    size = code.parts // load
    count = _count_classes(case, size)
    rounds, rest = divmod(case.asked, count)
    if rounds == 0:
        return Fraction(0)
    spread = Fraction(count - rest, rounds) + Fraction(rest, rounds + 1)
    return code.parts / (1 - count + size * spread)


def _count_classes(case: Case, size: int) -> int:
    """Return the number of parallel classes, whose members are disjoint, of so many workers."""
    code, gram = case.code, case.code.gram(case.budget)
    first: list[int] = []
    class_of: list[int] = []
    for worker, row in enumerate(gram):
        case.budget.spend(len(row) + len(first))
        own = next((c for c, other in enumerate(first) if row[other] == 0), len(first))
        if own == len(first):
            first.append(worker)
        class_of.append(own)
    case.require(
        set(Counter(class_of).values()) == {size}, "the workers fall into no parallel classes"
    )
    even = Fraction(code.parts, size**2)
    case.require(
        all(
            shared == (0 if class_of[i] == class_of[j] else even)
            for i, row in enumerate(gram)
            for j, shared in enumerate(row[:i])
        ),
        "two workers of one class share a part, or two of different ones not K/n² parts",
    )
    return len(first)


def groups(case: Case) -> Fraction:
    """Silence whole groups of equal workers."""
    case.members()
    _optimal(case)
    _zero_one(case)
    return Fraction(most_parts(case))


def spectral(case: Case) -> Fraction:
    """Bound the second singular value."""
    _zero_one(case)
    load, replication, second = biregular(case)
    n, k, silent = case.code.workers, case.code.parts, case.asked
    survivors = n - silent
    if case.claim.decoder == "one-step":
        return second * n * silent / (replication**2 * survivors) if survivors else Fraction(k)
    below = replication * load * survivors + second * silent
    return k * second * silent / below if below else Fraction(k)


def sharing(case: Case) -> Fraction:
    """Bound Σ a_j², a_j silent holders of part j, and with it the best constant decoding vector."""
    family = read_family(case)
    _optimal(case)
    code = _zero_one(case)
    load, replication, shared = most_shared(case, family)
    silent, survivors = case.asked, code.workers - case.asked
    # Σ a_j² is whole, and even exactly if Σ a_j = LS is.
    most = floor(shared)
    most -= (most - load * silent) % 2
    received = replication**2 * code.parts - 2 * replication * load * silent + most
    return (
        code.parts - Fraction((load * survivors) ** 2, received)
        if received > 0
        else Fraction(code.parts)
    )


def monotone(case: Case) -> Fraction:
    """Fewer silent workers cost no more; for one-step decoding while somebody answers."""
    case.members("claim")
    earlier = case.lemma("error", same=("placement", "decoder"))
    case.require(earlier.asked >= case.asked, f"{earlier.place} is about fewer workers", "claim")
    if case.claim.decoder == "one-step":
        same = earlier.asked == case.asked
        answered = same or earlier.asked < case.code.workers
        case.require(answered, f"in {earlier.place} nobody answers", "claim")
    assert earlier.upper is not None
    return earlier.upper


def alone(case: Case) -> Fraction:
    """Each part by itself is worst when all of its holders are silent, or none."""
    case.members()
    _one_step(case)
    weight = one_step_weight(case.code, case.code.workers - case.asked)
    ends = ((weight * held - 1) ** 2 for held in case.code.replications)
    return sum((max(Fraction(1), end) for end in ends), Fraction(0))


def exhaustion(case: Case) -> Fraction:
    """Try every set."""
    case.members()
    decoder, enough = case.claim.decoder, None
    assert decoder is not None
    if case.claim.question == "error":
        enough = case.goal
    return worst_error(case.code, case.asked, decoder, case.budget, enough=enough)


def cases(case: Case) -> Fraction:
    """Bound the error in every case."""
    proof = case.members("tree")
    _optimal(case)
    worst_in_every_case(case, proof["tree"], case.goal)
    return case.goal


PROOFS: Mapping[str, Callable[[Case], Fraction]] = {
    "all parts": all_parts,
    "intersection": intersection,
    "classes": classes,
    "groups": groups,
    "spectral": spectral,
    "sharing": sharing,
    "multiplier": multiplier,
    "monotone": monotone,
    "alone": alone,
    "one-step multiplier": one_step_multiplier,
    "exhaustion": exhaustion,
    "cases": cases,
}
