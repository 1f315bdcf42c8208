"""All sets of one size, or of all sizes at once, by plain numpy, where that is quick."""

from __future__ import annotations

from gcdesign.adversary import enumeration
from gcdesign.adversary.engine import LIGHT_WORK
from gcdesign.adversary.judge import Decoder
from gcdesign.adversary.settings import Watch
from gcdesign.codes import GradientCode
from gcdesign.codes.onestep import one_step_weight


class LightSearch:
    """The exhaustive searches of one call."""

    def __init__(self, code: GradientCode, decoder: Decoder, watch: Watch) -> None:
        self._code, self._decoder, self._watch = code, decoder, watch
        self._all_sizes: dict[int, enumeration.Extremes] = {}

    def knows(self, stragglers: int) -> bool:
        """Whether the sets of S workers have been searched."""
        return stragglers in self._all_sizes

    def enumerate_all_sizes(self) -> None:
        """Search all sets of all sizes in one pass of plain numpy, where that is quick."""
        feasible = enumeration.work(self._code.workers, None) <= LIGHT_WORK
        if feasible and self._decoder == "optimal":
            found = enumeration.optimal_extremes(
                self._code.levelled_encoding(), None, self.watcher("all S", None)
            )
            self._all_sizes = {s: ends for s, ends in found.items() if ends.complete}

    def watcher(self, doing: str, stragglers: int | None) -> enumeration.Watcher:
        """Return what the exhaustive search tells its progress to."""
        sets = enumeration.count_sets(self._code.workers, stragglers)

        def tell(searched: int, most: float) -> bool:
            share = f"{doing}: {searched} of {sets} sets searched"
            self._watch.report(share, most, self._code.parts)
            return self._watch.stopped() is not None

        return tell

    def search(self, stragglers: int, *, for_all_sizes: bool) -> enumeration.Extremes | None:
        """Try every set until the watch ends it; None if it ended before the first.

        A single question gets one batch of sets in any case, all of them if they are few.
        """
        if stragglers in self._all_sizes:
            return self._all_sizes[stragglers]
        if for_all_sizes and self._watch.stopped():
            return None
        encoding = self._code.levelled_encoding()
        watcher = self.watcher(f"S={stragglers}", stragglers)
        if self._decoder == "optimal":
            found = enumeration.optimal_extremes(encoding, stragglers, watcher)
        else:
            weight = float(one_step_weight(self._code, stragglers))
            found = enumeration.one_step_extremes(encoding, stragglers, weight, watcher)
        return found.get(stragglers)
