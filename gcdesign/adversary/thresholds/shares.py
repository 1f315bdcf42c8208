"""Fair shares: every worker's cost shared among its parts, so that the cheapest parts cost most.

Whatever the shares, η parts cost at least the sum of the η least part sums: the dual of the
linear program of S*(η). Among all part sums that shares can make, the fairest, those with the
least sum of squares, have the greatest sum of the η least for every η at once: the part sums are
the base polytope of a polymatroid, and its most balanced base is least majorised. So one table of
shares serves all η, and shows the lower convex envelope of S*.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.evidence import Lemma, Proof
from gcdesign.codes import Placement

UNIT = 720_720
"""What one worker costs, in the units of its shares."""

MAX_INCIDENCES = 4_000_000
"""Largest placement whose costs are shared."""

ROUNDS = 200
"""Most rounds that make the shares fairer, and fewer for large placements:"""

WORK = 25_000_000
"""most rounds times incidences, some seconds."""

FAIR_ENOUGH = 1e-10
"""Relative gap to the least sum of squares at which the rounds end."""


@dataclass(frozen=True, eq=False)
class SharedCosts:
    """Shares of the workers' costs among their parts, in whole numbers.

    Attributes
    ----------
    placement
        Who holds what.
    shares
        Shape (incidences,), in the order of the blocks: ≥ 0, with a sum of `UNIT` for each worker
        that holds a part.
    least
        Shape (K + 1,): entry t is the sum of the t least sums of shares of a part.
    """

    placement: Placement
    shares: NDArray[np.int64]
    least: NDArray[np.int64]

    def bound(self, eta: int) -> int:
        """Return the number of workers that η parts have at least.

        Examples
        --------
        >>> from gcdesign.designs import BlockDesign
        >>> placement = Placement(BlockDesign.from_blocks([[0, 1], [1, 2], [2], [2]], points=3))
        >>> costs = shared_costs(placement)
        >>> [costs.bound(eta) for eta in range(4)]
        [0, 1, 2, 4]
        """
        return -(-int(self.least[eta]) // UNIT)

    @cached_property
    def _all_parts(self) -> Lemma:
        """The claim on S*(K), whose proof has the shares."""
        ptr, flat = self.placement.design.indptr.tolist(), self.shares.tolist()
        rows = [flat[a:b] for a, b in pairwise(ptr)]
        proof = {"by": "shares", "scale": UNIT, "shares": rows}
        parts = self.placement.parts
        return Lemma("threshold", parts, self.bound(parts), proof)

    @property
    def evidence(self) -> Proof:
        """The proof of any of the bounds."""
        return {"by": "shares", "claim": self._all_parts}


def shared_costs(placement: Placement) -> SharedCosts | None:
    """Return nearly fair shares, or None for a placement that is empty or too large.

    Parameters
    ----------
    placement
        Who holds what.

    Notes
    -----
    Source: Fujishige 1980 for the fairest base; Harb, Quanrud, Chekuri 2022 for finding it by
    accelerated projected gradients. Floats only propose: the shares are rounded to whole numbers
    that sum to what a worker costs, and the bounds are sums of these.
    """
    design = placement.design
    if not 0 < design.incidences <= MAX_INCIDENCES:
        return None
    rows = _Rows(placement)
    shares = np.zeros(design.incidences, dtype=np.int64)
    shares[rows.slots] = rows.rounded(rows.fair())
    sums = np.zeros(placement.parts, dtype=np.int64)
    np.add.at(sums, design.indices, shares)
    return SharedCosts(placement, shares, np.concatenate([[0], np.cumsum(np.sort(sums))]))


Floats = NDArray[np.float64]
Scalar = TypeVar("Scalar", bound=np.generic)


class _Rows:
    """The incidences in the order of the workers' loads, so that equal loads make a matrix."""

    def __init__(self, placement: Placement) -> None:
        design, loads = placement.design, placement.loads
        order = np.argsort(loads, kind="stable")
        order = order[loads[order] > 0]
        starts = np.repeat(design.indptr[order], loads[order])
        ends = np.cumsum(loads[order])
        within = np.arange(design.incidences) - np.repeat(ends - loads[order], loads[order])
        self.slots = starts + within
        self._parts = design.indices[self.slots]
        self._count = placement.parts
        sizes, firsts = np.unique(loads[order], return_index=True)
        begins = (ends - loads[order])[firsts].tolist()
        stops = [*begins[1:], design.incidences]
        self._pieces = list(zip(begins, stops, sizes.tolist(), strict=True))
        self._copies = placement.replications.astype(np.float64)

    def _matrices(self, values: NDArray[Scalar]) -> list[NDArray[Scalar]]:
        """Return views of values of the incidences, a matrix for each load."""
        return [values[a:b].reshape(-1, load) for a, b, load in self._pieces]

    def fair(self) -> Floats:
        """Return shares whose part sums are nearly fair: accelerated projected gradients.

        A worker's step is one over the most copies of one of its parts, which is short enough:
        (Σ_w s_wj)² ≤ R_j Σ_w s_wj².
        """
        shares, steps = np.empty(len(self._parts)), 1 / self._copies[self._parts]
        for own, step in zip(self._matrices(shares), self._matrices(steps), strict=True):
            own[:] = 1 / own.shape[1]
            step[:] = step.min(axis=1, keepdims=True)
        ahead, momentum = shares.copy(), 1.0
        for count in range(min(ROUNDS, WORK // max(len(shares), 1))):
            found = self._projected(ahead - steps * self._sums(ahead)[self._parts])
            if np.dot(ahead - found, found - shares) > 0:
                momentum = 1.0
            following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
            ahead = found + (momentum - 1) / following * (found - shares)
            shares, momentum = found, following
            if count % 10 == 9 and self._gap(shares) < FAIR_ENOUGH:
                break
        return shares

    def _sums(self, shares: Floats) -> Floats:
        return np.bincount(self._parts, shares, self._count).astype(np.float64, copy=False)

    def _gap(self, shares: Floats) -> float:
        """Return how much more than the least the sum of squares may be, relatively."""
        sums = self._sums(shares)
        cheapest = sum(m.min(axis=1).sum() for m in self._matrices(sums[self._parts]))
        square = float(np.dot(sums, sums))
        return (square - float(cheapest)) / max(square, 1.0)

    def _projected(self, values: Floats) -> Floats:
        """Return the nearest shares: for each worker numbers ≥ 0 whose sum is 1."""
        found = np.empty_like(values)
        for wanted, nearest in zip(self._matrices(values), self._matrices(found), strict=True):
            excess = np.cumsum(-np.sort(-wanted, axis=1), axis=1) - 1
            excess /= np.arange(1, wanted.shape[1] + 1)
            np.maximum(wanted - excess.max(axis=1, keepdims=True), 0, out=nearest)
        return found

    def rounded(self, shares: Floats) -> NDArray[np.int64]:
        """Return whole shares that sum to `UNIT` for each worker; its greatest takes the rest."""
        whole = np.floor(shares * UNIT).astype(np.int64)
        for own in self._matrices(whole):
            greatest = own.argmax(axis=1)
            own[np.arange(len(own)), greatest] += UNIT - own.sum(axis=1)
        if whole.min(initial=0) < 0:
            raise ArithmeticError("shares that are no shares")
        return whole
