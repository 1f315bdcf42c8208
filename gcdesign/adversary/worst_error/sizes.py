"""All sets of one size, or of all sizes at once, by plain numpy, from what a journal knows on."""

from __future__ import annotations

from gcdesign.adversary.remembered import (
    recall_extremes,
    record_extremes,
)
from gcdesign.adversary.running.settings import Watch
from gcdesign.adversary.worst_error import enumeration
from gcdesign.adversary.worst_error.engine import LIGHT_WORK
from gcdesign.adversary.worst_error.enumeration import Extremes
from gcdesign.adversary.worst_error.judge import Decoder
from gcdesign.codes import GradientCode
from gcdesign.codes.onestep import one_step_weight


class Exhaustive:
    """The searches of all sets by plain numpy, where that is quick.

    Parameters
    ----------
    code, decoder
        What is searched.
    watch
        Limits and journal.
    """

    def __init__(self, code: GradientCode, decoder: Decoder, watch: Watch) -> None:
        self._code, self._decoder, self._watch = code, decoder, watch
        self._found: dict[int, Extremes] = {}

    def knows(self, stragglers: int) -> bool:
        """Whether the sets of S workers have been searched."""
        return stragglers in self._found

    def search_all_sizes(self) -> None:
        """Search the sets of all sizes in one pass, where that is quick."""
        workers = self._code.workers
        quick = enumeration.work(workers, None) <= LIGHT_WORK
        if self._decoder == "one-step" or not quick:
            return
        known = {s: self._recall(s) for s in range(workers + 1)}
        self._found = {s: ends for s, ends in known.items() if ends is not None}
        if len(self._found) > workers:
            return
        encoding = self._code.levelled_encoding()
        found = enumeration.optimal_extremes(encoding, None, self.watcher("all S", None))
        self._found = {s: ends for s, ends in found.items() if ends.complete}
        for stragglers, ends in self._found.items():
            record_extremes(self._watch.journal, stragglers, ends)

    def search(self, stragglers: int, *, for_all_sizes: bool) -> Extremes | None:
        """Try every set of S workers until the watch ends it; None if that is before the first.

        A single question gets one batch of sets in any case, all of them if they are few.
        """
        known = self._found.get(stragglers) or self._recall(stragglers)
        if known is not None or (for_all_sizes and self._watch.stopped()):
            return known
        encoding = self._code.levelled_encoding()
        watcher = self.watcher(f"S={stragglers}", stragglers)
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

    def watcher(self, doing: str, stragglers: int | None) -> enumeration.Watcher:
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
