"""The whole profile of S*(η) of a symmetric design: bounds, annealing, reflection, pair searches.

With G(t) the greatest number of workers that hold none of t parts, S*(t) = v − G(t). Where the
design is self-dual, a pair (t, u) without incidence exists exactly if (u, t) does, so half of
the profile gives the other half.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gcdesign.adversary.evidence import Lemma, Proof, search_proof
from gcdesign.adversary.running.settings import Watch
from gcdesign.adversary.symmetric.pairs import PairAnswer, PairSearch, SymmetricDesign, search_pair
from gcdesign.adversary.thresholds.greedy import PartAttack
from gcdesign.codes import Placement
from gcdesign.designs.symmetry import Permutation, self_duality
from gcdesign.errors import SolverError

FIRST_NODES = 2_000
"""Nodes that a pair is first given; what is open afterwards is given more, pair by pair."""

MORE = 8

ENGINE = "pairs"


@dataclass(frozen=True, eq=False)
class Proved:
    """A lower bound on S*(t) with its proof.

    Attributes
    ----------
    value
        The bound.
    name
        What proves it, in a few words.
    proof
        The evidence.
    """

    value: int
    name: str
    proof: Proof


class SymmetricProfile:
    """The brackets of S*(t) for all t = 0 … v as they close.

    Parameters
    ----------
    design
        The design.
    lower
        The bounds to begin with, for t = 0 … v.
    attacks
        Attacks to begin with.
    watch
        Limits, executor and journal.
    """

    def __init__(
        self,
        design: SymmetricDesign,
        lower: list[Proved],
        attacks: list[PartAttack],
        *,
        watch: Watch,
    ) -> None:
        self.design, self.watch = design, watch
        self.lower, self.attacks = list(lower), list(attacks)
        self._duality = self_duality(design.placement.design)
        self._searches: dict[tuple[int, int], PairSearch] = {}
        self.spread()

    def is_open(self, t: int) -> bool:
        """Whether S*(t) is not known yet."""
        return self.lower[t].value < len(self.attacks[t].workers)

    @property
    def open(self) -> list[int]:
        """All t for which S*(t) is not known yet."""
        return [t for t in range(self.design.v + 1) if self.is_open(t)]

    def report(self, doing: str) -> None:
        """Tell the progress how far the profile is: the first open bracket."""
        still = self.open
        if still:
            t = still[0]
            ends = self.lower[t].value, len(self.attacks[t].workers)
            self.watch.report(f"{doing}; {len(still)} values open, η={t}", *ends)

    # Carrying what is known from one t to others

    def spread(self) -> None:
        """Carry attacks and bounds along the profile and through the duality."""
        changed = True
        while changed:
            changed = self._spread_attacks() | self._spread_bounds()

    def _spread_attacks(self) -> bool:
        changed = False
        for t in range(self.design.v, 0, -1):
            changed |= self._offer(t - 1, self.attacks[t])
        if self._duality is not None:
            for attack in list(self.attacks):
                mirrored = _mirror(self.design.placement, attack, self._duality)
                changed |= self._offer(len(mirrored.parts), mirrored)
        return changed

    def _offer(self, t: int, attack: PartAttack) -> bool:
        """Take an attack on at least t parts if it is better than what is known."""
        if len(attack.workers) >= len(self.attacks[t].workers):
            return False
        fewer = np.array(attack.parts[:t], dtype=np.int64)
        self.attacks[t] = PartAttack.on(self.design.placement, fewer)
        return True

    def _spread_bounds(self) -> bool:
        changed = False
        v = self.design.v
        for t in range(1, v + 1):
            before = self.lower[t - 1]
            if before.value > self.lower[t].value:
                proof = {"by": "monotone", "claim": self._lemma(t - 1)}
                self.lower[t] = Proved(before.value, f"S*({t - 1}) ({before.name})", proof)
                changed = True
        if self._duality is None:
            return changed
        for t in range(1, v + 1):
            # No t parts and u workers are apart, so no u parts and t workers are.
            u = v - self.lower[t].value + 1
            for eta in range(max(u, 1), v + 1):
                if self.lower[eta].value >= v - t + 1:
                    break
                self.lower[eta] = self._reflected(t)
                changed = True
        return changed

    def _reflected(self, t: int) -> Proved:
        assert self._duality is not None
        to_workers, to_parts = self._duality
        proof = {
            "by": "correlation",
            "claim": self._lemma(t),
            "parts_to_workers": to_workers.tolist(),
            "workers_to_parts": to_parts.tolist(),
        }
        return Proved(self.design.v - t + 1, f"duality with S*({t}) ({self.lower[t].name})", proof)

    def _lemma(self, t: int) -> Lemma:
        known, subject = self.lower[t], self.design.placement
        return Lemma("threshold", t, known.value, known.proof, placement=subject)

    # Attacks

    def anneal(self, wanted: list[int]) -> None:
        """Look for better attacks on the open values among those wanted."""
        from gcdesign.adversary.thresholds.annealing import anneal

        for t in wanted:
            if self.is_open(t) and not self.watch.stopped():
                enough = self.lower[t].value
                found = anneal(
                    self.design.placement, self.attacks[t], target=enough, watch=self.watch
                )
                if len(found.workers) < len(self.attacks[t].workers):
                    self.attacks[t] = found
                    self.spread()
            self.report("annealing")

    # Proofs

    def half(self, wanted: list[int]) -> list[int]:
        """Return what of the profile has to be worked on for the values wanted."""
        if self._duality is None or wanted != list(range(self.design.v + 1)):
            return wanted
        return [t for t in wanted if t <= self.design.v - self.lower[t].value]

    def close(self, wanted: list[int]) -> None:
        """Search pairs until the values wanted are known or the watch ends it.

        Every pair is first given few nodes, so that the easy ones are done before a hard one
        takes all the time.
        """
        nodes = FIRST_NODES
        while not self.watch.stopped():
            for t in wanted:
                while self.is_open(t) and not self.watch.stopped():
                    if not self._decide(t, self._least_open(t), nodes):
                        break
            if not any(map(self.is_open, wanted)):
                return
            nodes *= MORE

    def _least_open(self, t: int) -> int:
        """Return the least u for which (t, u) is not decided."""
        return self.design.v - len(self.attacks[t].workers) + 1

    def _decide(self, t: int, u: int, nodes: int) -> bool:
        """Decide whether t parts and u workers are apart; False if the nodes do not suffice."""
        v = self.design.v
        for larger_t, larger_u in ((t, u + 1), (t + 1, u)):
            open_ = larger_t <= v and self.lower[larger_t].value <= v - larger_u
            if open_ and not self._decide(larger_t, larger_u, nodes):
                return False
        if not self.lower[t].value <= v - u < len(self.attacks[t].workers):
            return True  # a larger pair has decided it
        if self._duality is not None and t > u:
            t, u = u, t
        search = self._searches.setdefault((t, u), PairSearch(self.design, t, u))
        answer = search_pair(search, watch=self.watch, nodes=nodes)
        if answer.feasible is None:
            return False
        del self._searches[t, u]
        self._take(search, answer)
        self.report("pairs apart")
        return True

    def _take(self, search: PairSearch, answer: PairAnswer) -> None:
        v, t, u = self.design.v, search.t, search.u
        if not answer.feasible:
            proof = self._written(search)
            if proof is None:
                proof = search_proof(ENGINE, t=t, u=u, nodes=answer.nodes, cases=answer.cases)
            name = f"search of {answer.nodes} nodes"
            self.lower[t] = Proved(v - u + 1, name, proof)
        else:
            parts = np.array(answer.parts[:t], dtype=np.int64)
            attack = PartAttack.on(self.design.placement, parts)
            if len(parts) < t or len(attack.workers) > v - u:
                raise SolverError(
                    f"the search for {t} parts and {u} workers apart returned "
                    f"{list(answer.parts)}: please report this placement"
                )
            self.attacks[t] = attack
        self.spread()

    def _written(self, search: PairSearch) -> Proof | None:
        """Return the proof that a pair does not exist, if it is wanted and not too long."""
        if not self.watch.settings.proofs:
            return None
        from gcdesign.adversary.symmetric.pairs_proof import proof_of

        larger_parts = self._lemma(search.t + 1) if search.t < self.design.v else None
        return proof_of(search, larger_parts, self._lemma(search.t))


def _mirror(
    placement: Placement, attack: PartAttack, duality: tuple[Permutation, Permutation]
) -> PartAttack:
    """Return the attack that the duality makes of another: on the images of who survives it."""
    _, to_parts = duality
    alive = np.setdiff1d(np.arange(placement.workers), attack.workers)
    return PartAttack.on(placement, to_parts[alive])


def profile_of(
    design: SymmetricDesign,
    lower: list[Proved],
    attacks: list[PartAttack],
    *,
    wanted: list[int],
    watch: Watch,
) -> SymmetricProfile:
    """Return the profile, closed where it is wanted as far as the watch lets it.

    Parameters
    ----------
    design, lower, attacks, watch
        As in `SymmetricProfile`.
    wanted
        The t whose values are asked for.

    Examples
    --------
    >>> from gcdesign.adversary.running.settings import Settings
    >>> from gcdesign.codes import Placement
    >>> from gcdesign.designs import projective_geometry
    >>> fano = Placement(projective_geometry(2))
    >>> plane = SymmetricDesign.of(fano, (1, 1))
    >>> trivial = [Proved(0, "nothing", {"by": "copies"})] * 8
    >>> attacks = [PartAttack.on(fano, np.arange(t)) for t in range(8)]
    >>> profile = profile_of(
    ...     plane, trivial, attacks, wanted=list(range(8)), watch=Watch(Settings())
    ... )
    >>> [bound.value for bound in profile.lower]
    [0, 3, 5, 6, 6, 7, 7, 7]
    """
    profile = SymmetricProfile(design, lower, attacks, watch=watch)
    profile.anneal(profile.half(wanted))
    if watch.settings.method == "exact":
        profile.close(profile.half(wanted))
    return profile
