"""Exhaustive searches for one number of stragglers or for many, from what a journal knows on."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary import enumeration
from gcdesign.adversary.budget import Budget
from gcdesign.adversary.cases import run_cases
from gcdesign.adversary.enumeration import Extremes
from gcdesign.adversary.journal import Outcome
from gcdesign.adversary.judge import Decoder
from gcdesign.adversary.remembered import (
    extremes_of,
    extremes_outcome,
    recall_extremes,
    record_extremes,
)
from gcdesign.adversary.settings import Watch
from gcdesign.codes import GradientCode
from gcdesign.codes.onestep import one_step_weight

Shared = tuple[NDArray[np.float64], Decoder]
"""The encoding matrix and the decoder."""

Case = tuple[int, float]
"""S, and the weight of one-step decoding."""


class Exhaustive:
    """The exhaustive searches of one question about a code.

    Parameters
    ----------
    code, decoder
        What is searched.
    watch
        Limits, executor and journal.
    for_all_sizes
        Whether the question is about all S, which share one limit of work.
    """

    def __init__(
        self, code: GradientCode, decoder: Decoder, watch: Watch, *, for_all_sizes: bool
    ) -> None:
        self._code, self._decoder, self._watch = code, decoder, watch
        self._for_all_sizes = for_all_sizes
        self._found: dict[int, Extremes] = {}

    @cached_property
    def _shares(self) -> frozenset[int]:
        """The S whose sets are all searched, for one limit on all S: those with fewest sets."""
        workers, left, chosen = self._code.workers, enumeration.MAX_WORK, set[int]()
        costs = {s: enumeration.work(workers, s) for s in range(workers + 1)}
        for stragglers in sorted(costs, key=lambda s: (costs[s], s)):
            left -= costs[stragglers]
            if left < 0:
                break
            chosen.add(stragglers)
        return frozenset(chosen)

    def is_feasible(self, stragglers: int) -> bool:
        """Whether all sets of S workers can be searched, or were."""
        if stragglers in self._found:
            return True
        if self._for_all_sizes:
            return stragglers in self._shares
        return enumeration.work(self._code.workers, stragglers) <= enumeration.MAX_WORK

    def search_all_sizes(self) -> None:
        """Search the sets of all sizes in one pass, or else of those sizes that have few."""
        workers = self._code.workers
        one_pass = enumeration.work(workers, None) <= enumeration.MAX_WORK
        if self._decoder == "one-step" or not one_pass:
            self._found = search_sizes(self._code, self._decoder, self._shares, self._watch)
            return
        known = {s: self._recall(s) for s in range(workers + 1)}
        self._found = {s: ends for s, ends in known.items() if ends is not None}
        if len(self._found) > workers:
            return
        encoding = self._code.levelled_encoding()
        found = enumeration.optimal_extremes(encoding, None, self._watcher("all S", None))
        self._found = {s: ends for s, ends in found.items() if ends.complete}
        for stragglers, ends in self._found.items():
            record_extremes(self._watch.journal, stragglers, ends)

    def search(self, stragglers: int) -> Extremes | None:
        """Try every set of S workers until the watch ends it; None if that is before the first.

        A single question gets one batch of sets in any case, all of them if they are few.
        """
        known = self._found.get(stragglers) or self._recall(stragglers)
        if known is not None or (self._for_all_sizes and self._watch.stopped()):
            return known
        encoding = self._code.levelled_encoding()
        watcher = self._watcher(f"S={stragglers}", stragglers)
        if self._decoder == "optimal":
            found = enumeration.optimal_extremes(encoding, stragglers, watcher)
        else:
            weight = float(one_step_weight(self._code, stragglers))
            found = enumeration.one_step_extremes(encoding, stragglers, weight, watcher)
        ends = found.get(stragglers)
        if ends is not None and ends.complete:
            record_extremes(self._watch.journal, stragglers, ends)
        return ends

    def _recall(self, stragglers: int) -> Extremes | None:
        return recall_extremes(self._watch.journal, self._code, self._decoder, stragglers)

    def _watcher(self, doing: str, stragglers: int | None) -> enumeration.Watcher:
        """Return what the exhaustive search tells its progress to."""
        sets = enumeration.count_sets(self._code.workers, stragglers)
        counted = 0

        def tell(searched: int, most: float) -> bool:
            nonlocal counted
            self._watch.count(searched - counted)
            counted = searched
            share = f"{doing}: {searched} of {sets} sets searched"
            self._watch.report(share, most, self._code.parts)
            return self._watch.stopped() is not None

        return tell


def search_sizes(
    code: GradientCode, decoder: Decoder, sizes: Collection[int], watch: Watch
) -> dict[int, Extremes]:
    """Return the extremes of all sets of S workers, for those S whose search ran to its end.

    Each S is a case of its own, so that several are searched side by side.

    Parameters
    ----------
    code, decoder
        What is searched.
    sizes
        The numbers of stragglers S.
    watch
        Limits, executor and journal.
    """
    if not sizes:
        return {}
    one_step = decoder == "one-step"
    cases = [(s, float(one_step_weight(code, s)) if one_step else 0.0) for s in sorted(sizes)]
    shared: Shared = (code.levelled_encoding(), decoder)
    found = {}
    watch.report("exhaustive searches", 0, code.parts)
    run = run_cases(search_size, shared, cases, watch=watch, label="exhaustive searches")
    for _, (stragglers, _), outcome in run:
        if outcome["done"]:
            found[stragglers] = extremes_of(outcome, code, decoder, stragglers, watch.journal)
    return found


def search_size(shared: Shared, case: Case, budget: Budget) -> Outcome:
    """Search all sets of one size, from the start whenever it is called."""
    encoding, decoder = shared
    stragglers, weight = case
    counted = 0

    def over(searched: int, _: float) -> bool:
        nonlocal counted
        budget.count(searched - counted)
        counted = searched
        return budget.over()

    if decoder == "optimal":
        found = enumeration.optimal_extremes(encoding, stragglers, over)
    else:
        found = enumeration.one_step_extremes(encoding, stragglers, weight, over)
    extremes = found[stragglers]
    return extremes_outcome(extremes) if extremes.complete else {"done": False}
