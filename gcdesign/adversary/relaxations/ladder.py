"""Upper ends of err_S that take more than a formula: relaxations, and branch and bound on them.

A branch and bound proves that no set costs more than a target. The nearer the target is to the
best attack, the longer that takes, so the targets come down step by step: whoever stops it has
the last that was proved.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.util import find_spec
from typing import Any

from gcdesign.adversary.evidence import Proof, search_proof
from gcdesign.adversary.relaxations.leaves import Found
from gcdesign.adversary.relaxations.pair_orbits import Group
from gcdesign.adversary.relaxations.quadratic import SparseQuadratic, sparse_quadratic
from gcdesign.adversary.relaxations.relaxed_tree import Case, prove
from gcdesign.adversary.relaxations.semidefinite import semidefinite_bound
from gcdesign.adversary.results import Bound, Value
from gcdesign.adversary.running.settings import Watch
from gcdesign.codes import GradientCode

SHARES = (0.7, 0.5, 0.35, 0.22, 0.12, 0.05, 0.0)
"""Targets: so much of the way from the attack up to the bound; 0 proves the attack."""

WORTH = 0.98
"""A step that lowers the upper end by less than this factor is left out."""

SLICE, LONGEST_SLICE = 15.0, 120.0
"""Seconds between two entries of the journal, at first and at last."""

MAX_SYMMETRIC = 1200
"""Most workers for whom symmetries are looked for."""

MAX_TREE = 200
"""Most workers for whom branch and bound is tried."""

FORMULAS = {
    "multiplier": ("semidefinite", "err_S ≤ 1ᵀ(I - EᵀWE)⁻¹1, zᵀWz ≥ 0 for S-sparse z"),
    "sharing": ("sharing", "constant decoding; Σ a_j² is whole and uneven"),
    "all parts": ("no decoding", "err_S ≤ K"),
}


@dataclass(frozen=True)
class Rung:
    """One step down.

    Attributes
    ----------
    upper
        No set of S workers costs more.
    found
        A set that costs more than the attack did, or None.
    last
        Whether the attack, or the set found, is proved to be the worst.
    proof
        The evidence.
    """

    upper: float
    found: Found | None
    last: bool
    proof: Proof


class Ladder:
    """The relaxations of one code under optimal decoding."""

    def __init__(self, code: GradientCode, watch: Watch) -> None:
        self._code, self._watch = code, watch

    @cached_property
    def _generators(self) -> list[list[int]]:
        code = self._code
        large = code.workers > MAX_SYMMETRIC
        if code.weights is not None or large or find_spec("pynauty") is None:
            return []
        from gcdesign.designs.symmetry import IncidenceGraph

        moves: list[list[int]] = IncidenceGraph(code.placement.design).group().blocks.tolist()
        identity = list(range(code.workers))
        return [move for move in moves if move != identity]

    @cached_property
    def _group(self) -> Group | None:
        return Group.generated(self._generators, self._code.workers) if self._generators else None

    @cached_property
    def _quadratic(self) -> SparseQuadratic | None:
        return sparse_quadratic(self._code)

    def bound(self, stragglers: int) -> Bound:
        """Return the best bound of a relaxation on err_S."""
        value, proof = semidefinite_bound(
            self._code, stragglers, watch=self._watch, generators=self._generators
        )
        name, formula = FORMULAS[proof["by"]]
        return Bound(name, "upper", value, formula, "derived in docs/concepts.md", proof)

    def rungs(self, stragglers: int, bar: float, upper: float) -> Iterator[Rung]:
        """Yield what is proved step by step, until the attack is or the watch ends it.

        Parameters
        ----------
        stragglers
            S.
        bar
            Just above the error of the best attack.
        upper
            The upper end to begin with.
        """
        if self._quadratic is None or self._code.workers > MAX_TREE:
            return
        best, start = upper, upper
        for share in SHARES:
            target = bar + share * (start - bar)
            if share and target > best * WORTH:
                continue
            bracket = bar, best
            proved, found, complete = self._prove(self._quadratic, stragglers, target, bracket)
            if complete and proved < best:
                best = proved
            bar = max(bar, proved if found is not None else bar)
            last = complete and (share == 0.0 or found is not None)
            if complete or found is not None:
                proof = search_proof("branch and bound", target=repr(proved))
                yield Rung(best, found, last, proof)
            if last or not complete:
                return

    def _prove(
        self,
        quadratic: SparseQuadratic,
        stragglers: int,
        target: float,
        bracket: tuple[float, float],
    ) -> tuple[float, Found | None, bool]:
        """Run the branch and bound in slices, each of which the journal keeps."""
        key = f"S={stragglers}: nothing above {target!r}"
        upper, found, cases = self._recalled(key, target, stragglers)
        length = SLICE

        def tell(doing: str, _: Value, __: Value) -> None:
            self._watch.report(f"{doing}, for {target:.4g}", *bracket)

        while cases is None or cases:
            remaining = self._watch.remaining
            limit = length if remaining is None else min(length, remaining)
            length = min(2 * length, LONGEST_SLICE)
            settings = replace(self._watch.settings, time_limit=limit, journal=None, progress=tell)
            piece = Watch(settings)
            verdict = prove(
                quadratic, stragglers, upper, watch=piece, group=self._group, cases=cases
            )
            self._watch.count(verdict.nodes)
            upper, found, cases = verdict.upper, verdict.found or found, verdict.open
            self._watch.journal.record(key, _outcome(upper, found, cases))
            if cases and self._watch.stopped():
                return upper, found, False
        return upper, found, True

    def _recalled(
        self, key: str, target: float, stragglers: int
    ) -> tuple[float, Found | None, tuple[Case, ...] | None]:
        """Return how far an earlier run came."""
        known = self._watch.journal.outcome(key)
        if known is None:
            return target, None, None
        try:
            cases = tuple(
                Case(self._workers(forced), self._workers(candidates))
                for forced, candidates in known["open"]
            )
            found = known["found"]
            best = None if found is None else Found(float(found[0]), self._workers(found[1]))
            upper = float(known["upper"])
        except (KeyError, TypeError, ValueError):
            raise self._watch.journal.damaged(key, "is no list of open cases") from None
        few = best is not None and len(best.workers) != stragglers
        if few or not upper >= target or any(len(case.forced) > stragglers for case in cases):
            raise self._watch.journal.damaged(key, "is about another number of workers")
        return upper, best, cases

    def _workers(self, members: Any) -> tuple[int, ...]:
        """Return workers as they are read from a journal.

        Raises
        ------
        ValueError
            If they are none.
        """
        found = tuple(members)
        n = self._code.workers
        if not all(type(w) is int and 0 <= w < n for w in found) or len(set(found)) < len(found):
            raise ValueError("no workers")
        return found


def _outcome(upper: float, found: Found | None, cases: tuple[Case, ...]) -> dict[str, Any]:
    return {
        "upper": upper,
        "found": None if found is None else [found.value, list(found.workers)],
        "open": [[list(case.forced), list(case.candidates)] for case in cases],
    }
