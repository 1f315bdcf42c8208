"""Quick attacks on the threshold: greedy choice of parts, then swaps on a plateau."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.settings import Watch
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
    """Swap one part for another as long as that silences no more workers."""

    def __init__(self, placement: Placement, parts: NDArray[np.int64]) -> None:
        self._incidence = placement.design.incidence.astype(np.int32)
        self._transposed = self._incidence.T.tocsr()
        self.inside = np.zeros(placement.parts, dtype=bool)
        self.inside[parts] = True
        self._hits = self._incidence @ self.inside.astype(np.int32)

    @property
    def size(self) -> int:
        """Number of workers that are silenced."""
        return int((self._hits > 0).sum())

    def swap(self, rng: np.random.Generator) -> None:
        """Drop a part that frees many workers and take one that costs no more."""
        frees = self._transposed @ (self._hits == 1).astype(np.int32)
        members = np.flatnonzero(self.inside)
        out = self._pick(members, -frees[members], rng)
        self._change(out, -1)
        costs = self._transposed @ (self._hits == 0).astype(np.int32)
        candidates = np.flatnonzero(~self.inside)
        candidates = candidates[candidates != out]
        if candidates.size:
            best = self._pick(candidates, costs[candidates], rng)
            if costs[best] <= costs[out]:
                self._change(best, 1)
                return
        self._change(out, 1)

    @staticmethod
    def _pick(items: NDArray[np.int64], key: NDArray[np.int32], rng: np.random.Generator) -> int:
        return int(rng.choice(items[key == key.min()]))

    def _change(self, part: int, by: int) -> None:
        self.inside[part] = by > 0
        holders = self._transposed.indices[
            self._transposed.indptr[part] : self._transposed.indptr[part + 1]
        ]
        self._hits[holders] += by


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
        from gcdesign.adversary.annealing import anneal

        return anneal(placement, best, target=target, watch=watch)
    swaps = min(SWAPS, 10 * placement.parts)
    for _ in range(RESTARTS):
        if len(best.workers) <= target or watch.stopped() or eta in (0, placement.parts):
            break
        search = _PlateauSearch(placement, np.array(best.parts, dtype=np.int64))
        for _ in range(swaps):
            search.swap(rng)
            if search.size < len(best.workers):
                best = PartAttack.on(placement, np.flatnonzero(search.inside))
            if len(best.workers) <= target or watch.stopped():
                return best
        start = PartAttack.on(placement, greedy_parts(placement, eta, rng))
        best = min(best, start, key=lambda attack: len(attack.workers))
    return best
