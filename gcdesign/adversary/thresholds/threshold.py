"""S*(η): the least number of workers whose silence loses η parts altogether.

Not to be mixed up with the error threshold min{S : err_S ≥ η} of
`error_threshold`, which can be smaller: an optimal decoder loses accuracy before whole parts are
lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.util import find_spec

import numpy as np

from gcdesign.adversary.asked import check_eta
from gcdesign.adversary.bounds import PlacementFacts, placement_facts
from gcdesign.adversary.evidence import Lemma, Proof, search_proof
from gcdesign.adversary.remembered import KnownThreshold, recall_threshold, record_threshold
from gcdesign.adversary.results import AttackResult, Bound
from gcdesign.adversary.running.journal import journal_for
from gcdesign.adversary.running.settings import Settings, Watch
from gcdesign.adversary.thresholds.finish import Bracket, Question, finish
from gcdesign.adversary.thresholds.greedy import PartAttack, attack_parts, greedy_parts
from gcdesign.adversary.thresholds.overlaps import Overlaps, overlaps_of
from gcdesign.adversary.thresholds.part_bounds import best_lower, threshold_bounds, whole
from gcdesign.adversary.thresholds.shares import SharedCosts, shared_costs
from gcdesign.adversary.worst_error.closed import cheapest_groups
from gcdesign.codes import Placement, ReplicaGroups, structure_of

FEW_VALUES = 25
"""Up to so many values a quick attack of several starts is made on each."""


def threshold(placement: Placement, eta: int, settings: Settings | None = None) -> AttackResult:
    """Return S*(η) = min |N(T)| over all sets T of at least η parts, or a bracket around it.

    Bounds come first, then a greedy attack with swaps; where they meet, that is the proof.
    Otherwise `symmetric.planes` searches symmetric designs and affine planes, and `finish` any
    placement: first by a small tree of cases that is kept as evidence, then by a compiled search,
    at last by CP-SAT.

    Parameters
    ----------
    placement
        Who holds what.
    eta
        Number of parts to lose, 0 ≤ η ≤ K.
    settings
        Method, limits, seed and threads; by default exact and unlimited.

    Raises
    ------
    InputError
        If η is out of range.

    Notes
    -----
    Source: Kadhe, Koyluoglu, Ramchandran 2019, definition of S*(η).

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> result = threshold(Placement(projective_geometry(5)), 3)
    >>> result.lower, result.upper, result.status, result.proof
    (15, 15, 'exact', 'pair counting')
    """
    settings = settings or Settings()
    check_eta(placement, eta)
    with journal_for(settings, placement, "threshold", asked=eta) as journal:
        return _Search(placement, Watch(settings, journal)).answers([eta])[0]


def threshold_profile(
    placement: Placement, settings: Settings | None = None
) -> tuple[AttackResult, ...]:
    """Return S*(η) for all η = 0 … K, each with its own proof, as `threshold` does.

    S* never falls as η grows, so each value's bracket narrows its neighbours'; a time limit
    is for the whole profile.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> profile = threshold_profile(Placement(projective_geometry(2)))
    >>> [result.value for result in profile]
    [0, 3, 5, 6, 6, 7, 7, 7]
    """
    settings = settings or Settings()
    check_eta(placement, 0)
    with journal_for(settings, placement, "threshold") as journal:
        etas = range(placement.parts + 1)
        return tuple(_Search(placement, Watch(settings, journal)).answers(etas))


@dataclass(frozen=True)
class _State:
    """The bracket for one η as it closes, and the bounds it began with."""

    eta: int
    bracket: Bracket
    bounds: tuple[Bound, ...]

    @property
    def open(self) -> bool:
        return self.bracket.open

    def improved(self, lower: int, proof: str, evidence: Proof) -> _State:
        """Take a lower end if it is greater."""
        if lower <= self.bracket.lower:
            return self
        return self.with_bracket(lower=lower, proof=proof, evidence=evidence)

    def attacked(self, attack: PartAttack | None) -> _State:
        """Take an attack if it is better."""
        if attack is None or len(attack.workers) >= self.bracket.upper:
            return self
        return self.with_bracket(attack=attack)

    def with_bracket(self, **changes: object) -> _State:
        return replace(self, bracket=replace(self.bracket, **changes))  # type: ignore[arg-type]


def _spread(placement: Placement, states: list[_State]) -> None:
    """Carry lower ends up and attacks down: S* is monotone in η."""
    for i in range(1, len(states)):
        best, known = states[i - 1], states[i - 1].bracket
        lemma = Lemma("threshold", best.eta, known.lower, known.evidence)
        evidence = {"by": "monotone", "claim": lemma}
        if known.evidence.get("by") == "monotone":  # no chains of what is said already
            evidence, name = dict(known.evidence), known.proof
        else:
            name = f"S*({best.eta}) ({known.proof})"
        states[i] = states[i].improved(known.lower, name, evidence)
    for i in range(len(states) - 1, 0, -1):
        above = states[i].bracket.attack
        if len(above.workers) < states[i - 1].bracket.upper:
            fewer = np.array(above.parts[: states[i - 1].eta], dtype=np.int64)
            states[i - 1] = states[i - 1].attacked(PartAttack.on(placement, fewer))


class _Search:
    """The steps of one call: closed forms, bounds, greedy attack, searches."""

    def __init__(self, placement: Placement, watch: Watch) -> None:
        self._placement = placement
        self._watch = watch
        self._structure = structure_of(placement)
        self._facts: PlacementFacts = placement_facts(placement, self._structure)
        self._overlaps: Overlaps | None = overlaps_of(placement, self._facts.shared)

    def answers(self, etas: Sequence[int]) -> list[AttackResult]:
        """Return the answer for each η, in increasing order."""
        quick = len(etas) > FEW_VALUES
        states = [self._recalled(self._start(eta, quick=quick)) for eta in etas]
        _spread(self._placement, states)
        if self._watch.settings.method == "exact":
            self._through_planes(states)
            for i, state in enumerate(states):
                if state.open:
                    states[i] = self._finished(state)
                    _spread(self._placement, states)
        for state in states:
            self._watch.report(f"η={state.eta}", state.bracket.lower, state.bracket.upper)
        return [self._result(state) for state in states]

    @cached_property
    def _shared(self) -> SharedCosts | None:
        """Shares of the workers' costs; for equal loads and copies they say what copies say."""
        if self._facts.load is not None and self._facts.replication is not None:
            return None
        return shared_costs(self._placement)

    @cached_property
    def _greedy(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """All parts in greedy order: the first η of them are an attack for each η."""
        return greedy_parts(self._placement, self._placement.parts)

    def _start(self, eta: int, *, quick: bool) -> _State:
        """Return what closed forms, bounds and a quick attack prove."""
        if isinstance(self._structure, ReplicaGroups):
            return self._by_groups(self._structure, eta)
        bounds = threshold_bounds(self._facts, eta, self._overlaps, self._shared)
        best = best_lower(bounds)
        if self._watch.settings.method == "bounds":
            fewest_holders = np.argsort(self._placement.replications, kind="stable")[:eta]
            attack = PartAttack.on(self._placement, fewest_holders)
        elif quick:
            attack = PartAttack.on(self._placement, self._greedy[:eta])
        else:
            attack = attack_parts(self._placement, eta, target=whole(best), watch=self._watch)
        self._watch.report(f"η={eta}: bounds and greedy attack", whole(best), len(attack.workers))
        return _State(eta, Bracket(whole(best), attack, best.name, best.evidence), bounds)

    def _by_groups(self, structure: ReplicaGroups, eta: int) -> _State:
        """Return the closed form: silence the groups that hold η parts with fewest workers.

        Parts that nobody holds are lost at no cost.
        """
        groups = cheapest_groups(structure, max(0, eta - structure.unheld))
        silenced = np.flatnonzero(np.isin(structure.group_of, groups))
        parts = self._placement.lost_parts(silenced.tolist())[:eta]
        attack = PartAttack.on(self._placement, parts)
        bounds = threshold_bounds(self._facts, eta)
        name = f"closed form: {structure.name}"
        return _State(eta, Bracket(len(silenced), attack, name, {"by": "groups"}), bounds)

    def _through_planes(self, states: list[_State]) -> None:
        """Close what can be closed by the search for symmetric designs and affine planes."""
        open_ = [state for state in states if state.open]
        if not open_ or self._watch.stopped() or find_spec("pynauty") is None:
            return
        from gcdesign.adversary.symmetric.completion import completion_of
        from gcdesign.adversary.symmetric.planes import is_worth_it, profile_through

        completion = completion_of(self._placement, self._structure, self._facts.shared)
        if completion is None or not is_worth_it(completion):
            return
        wanted = [state.eta for state in (states if len(states) > FEW_VALUES else open_)]
        known = {state.eta: state.bracket.attack for state in states}
        profile = profile_through(completion, wanted, known, watch=self._watch)
        for i, before in enumerate(states):
            proved = completion.proved(profile, before.eta)
            attack = completion.attack(profile, before.eta)
            after = before.improved(proved.value, proved.name, proved.proof).attacked(attack)
            if after is not before:
                states[i] = after
                self._record(after)
        _spread(self._placement, states)

    def _finished(self, state: _State) -> _State:
        """Close a bracket by the searches for any placement."""
        question = Question(self._placement, self._facts, self._overlaps, state.eta, self._watch)
        state = replace(state, bracket=finish(question, state.bracket))
        self._record(state)
        return state

    def _record(self, state: _State) -> None:
        known = KnownThreshold(state.bracket.lower, state.bracket.proof, state.bracket.attack)
        record_threshold(self._watch.journal, state.eta, known)

    def _recalled(self, state: _State) -> _State:
        """Add what an earlier run proved."""
        known = recall_threshold(self._watch.journal, self._placement, state.eta)
        if known is None:
            return state
        evidence = search_proof("an earlier run", proof=known.proof)
        return state.improved(known.lower, known.proof, evidence).attacked(known.attack)

    def _result(self, state: _State) -> AttackResult:
        """Return the immutable answer."""
        bracket = state.bracket
        return AttackResult(
            question="threshold",
            asked=state.eta,
            code=self._placement.label,
            decoder=None,
            lower=bracket.lower,
            upper=bracket.upper,
            workers=bracket.attack.workers,
            parts=bracket.attack.parts,
            bounds=state.bounds,
            proof=bracket.proof,
            stopped=bracket.stopped if bracket.open else None,
            seconds=self._watch.elapsed,
            settings=self._watch.settings.record(),
            evidence=bracket.evidence,
        )
