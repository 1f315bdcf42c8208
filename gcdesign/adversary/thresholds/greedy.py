"""Quick attacks on the threshold: greedy choice of parts, then swaps on a plateau."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.running.settings import Watch
from gcdesign.codes import Placement

RESTARTS = 8
"""Greedy starts, with ties broken at random after the first."""

SWAPS = 400
"""Most swaps tried after each greedy start; no more than ten for each part."""

SMALL_INCIDENCES = 20_000
"""Larger placements are annealed by compiled code instead: it is worth the loading."""


@dataclass(frozen=True)
class PartAttack:
    """Parts T to be lost and the workers N(T) that must be silenced for it."""

    parts: tuple[int, ...]
    workers: tuple[int, ...]

    @classmethod
    def on(cls, placement: Placement, parts: NDArray[np.int64]) -> PartAttack:
        """Return the attack on these parts."""
        chosen = np.sort(parts)
        return cls(tuple(chosen.tolist()), tuple(placement.neighbourhood(chosen).tolist()))


def greedy_parts(
    placement: Placement, eta: int, rng: np.random.Generator | None = None
) -> NDArray[np.int64]:
    """Add, η times, the part with the fewest holders that are not silenced yet.

    Ties go to the part with the lowest number, or are broken at random if ``rng`` is given.
    Work: each incidence is visited once or twice, and queued each time its part gets cheaper.

    Notes
    -----
    Source: the adversary of Raviv, Tamo, Tandon, Dimakis, after their Lemma 21.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> greedy_parts(Placement(projective_geometry(2)), 3).tolist()
    [0, 1, 2]
    """
    part_ptr, holders = placement.holders
    design = placement.design
    cost: list[int] = placement.replications.tolist()
    rank = list(range(len(cost))) if rng is None else rng.permutation(len(cost)).tolist()
    queue = [(c, rank[part], part) for part, c in enumerate(cost)]
    heapify(queue)
    silenced = bytearray(placement.workers)
    taken = bytearray(len(cost))
    chosen: list[int] = []
    while len(chosen) < eta:
        price, _, part = heappop(queue)
        if taken[part] or price > cost[part]:
            continue  # a cheaper entry for the same part came later
        taken[part] = True
        chosen.append(part)
        for worker in holders[part_ptr[part] : part_ptr[part + 1]].tolist():
            if not silenced[worker]:
                silenced[worker] = True
                for other in design.block(worker).tolist():
                    cost[other] -= 1
                    if not taken[other]:
                        heappush(queue, (cost[other], rank[other], other))
    return np.array(chosen, dtype=np.int64)


def isolating_workers(placement: Placement, stragglers: int) -> tuple[int, ...]:
    """Return S workers that hold all copies of as many greedily chosen parts as they can.

    Workers beyond those parts' holders are filled up in order.
    """
    silenced = np.zeros(placement.workers, dtype=bool)
    for part in greedy_parts(placement, min(placement.parts, stragglers + 1)).tolist():
        more = silenced.copy()
        more[placement.holders_of(part)] = True
        if more.sum() > stragglers:
            break
        silenced = more
    others = np.flatnonzero(~silenced)[: stragglers - int(silenced.sum())]
    silenced[others] = True
    return tuple(np.flatnonzero(silenced).tolist())


class _PlateauSearch:
    """Swap one part for another as long as that silences no more workers.

    Counts are kept up to date from swap to swap, in plain lists: for the placements that come
    here that is faster than arrays.
    """

    def __init__(self, placement: Placement, parts: Iterable[int]) -> None:
        self._blocks = placement.design.blocks()
        self._holders = [placement.holders_of(j).tolist() for j in range(placement.parts)]
        self._hits = [0] * placement.workers
        self._costs = [len(mine) for mine in self._holders]  # holders that are not hit
        self._frees = [0] * placement.parts  # holders that are hit once
        self.size = 0
        self.inside: list[int] = []
        self._outside = list(range(placement.parts))
        for part in parts:
            self._add(part)

    def swap(self, first: float, second: float) -> None:
        """Drop a part that frees many workers and take one that costs no more.

        Two numbers from 0 to 1 break ties.
        """
        out = self._pick(self.inside, [-free for free in self._frees], first)
        self._remove(out)
        self._outside.remove(out)
        if self._outside:
            best = self._pick(self._outside, self._costs, second)
            if self._costs[best] <= self._costs[out]:
                self._outside.append(out)
                self._add(best)
                return
        self._outside.append(out)
        self._add(out)

    @staticmethod
    def _pick(items: list[int], key: list[int], chance: float) -> int:
        least = min(key[item] for item in items)
        tied = [item for item in items if key[item] == least]
        return tied[int(chance * len(tied))]

    def _add(self, part: int) -> None:
        self._outside.remove(part)
        self.inside.append(part)
        for worker in self._holders[part]:
            self._hits[worker] += 1
            if self._hits[worker] == 1:
                self.size += 1
                self._shift(worker, -1, 1)
            elif self._hits[worker] == 2:
                self._shift(worker, 0, -1)

    def _remove(self, part: int) -> None:
        self.inside.remove(part)
        self._outside.append(part)
        for worker in self._holders[part]:
            self._hits[worker] -= 1
            if self._hits[worker] == 0:
                self.size -= 1
                self._shift(worker, 1, -1)
            elif self._hits[worker] == 1:
                self._shift(worker, 0, 1)

    def _shift(self, worker: int, costs: int, frees: int) -> None:
        for part in self._blocks[worker]:
            self._costs[part] += costs
            self._frees[part] += frees


def attack_parts(placement: Placement, eta: int, *, target: int, watch: Watch) -> PartAttack:
    """Return the best attack of several greedy starts with swaps; stops early at ``target``.

    Parameters
    ----------
    placement
        Who holds what.
    eta
        Number of parts to lose, 0 ≤ η ≤ K.
    target
        A proved lower bound: an attack with that many workers cannot be improved.
    watch
        Holds the seed and ends the search.
    """
    rng = np.random.default_rng(watch.settings.seed)
    best = PartAttack.on(placement, greedy_parts(placement, eta))
    if placement.design.incidences > SMALL_INCIDENCES and len(best.workers) > target:
        from gcdesign.adversary.thresholds.annealing import anneal

        return anneal(placement, best, target=target, watch=watch, runs=2)
    swaps = min(SWAPS, 10 * placement.parts)
    for _ in range(RESTARTS):
        if len(best.workers) <= target or watch.stopped() or eta in (0, placement.parts):
            break
        search = _PlateauSearch(placement, best.parts)
        for first, second in rng.random((swaps, 2)).tolist():
            search.swap(first, second)
            if search.size < len(best.workers):
                best = PartAttack.on(placement, np.array(search.inside, dtype=np.int64))
            if len(best.workers) <= target or watch.stopped():
                return best
        start = PartAttack.on(placement, greedy_parts(placement, eta, rng))
        best = min(best, start, key=lambda attack: len(attack.workers))
    return best
