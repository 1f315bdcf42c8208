"""S*(η): the least number of workers whose silence loses η parts altogether.

Not to be mixed up with the error threshold min{S : err_S ≥ η} of
`gcdesign.adversary.error.error_threshold`, which can be smaller: an optimal decoder loses
accuracy before whole parts are lost.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gcdesign.adversary.asked import check_eta
from gcdesign.adversary.bounds import (
    PlacementFacts,
    best_lower,
    placement_facts,
    threshold_bounds,
    whole,
)
from gcdesign.adversary.closed import cheapest_groups
from gcdesign.adversary.greedy import PartAttack, attack_parts
from gcdesign.adversary.journal import journal_for
from gcdesign.adversary.remembered import KnownThreshold, recall_threshold, record_threshold
from gcdesign.adversary.results import AttackResult, Bound
from gcdesign.adversary.settings import Settings, Watch
from gcdesign.adversary.solver import solve_threshold
from gcdesign.codes import Placement, ReplicaGroups, structure_of

MAX_PROGRAM_INCIDENCES = 300_000
"""Largest placement that is given to the solver."""


def threshold(placement: Placement, eta: int, settings: Settings | None = None) -> AttackResult:
    """Return S*(η) = min |N(T)| over all sets T of at least η parts, or a bracket around it.

    Bounds come first, then a greedy attack with swaps; where they meet, that is the proof.
    Otherwise CP-SAT searches, with the best bound as a cut, the attack as a hint, counted
    pairs of parts, and one part fixed where the placement's symmetry allows it.

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
        search = _Search(placement, Watch(settings, journal))
        return search.result(search.solve(search.start(eta)))


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
        search = _Search(placement, Watch(settings, journal))
        states = [search.start(eta) for eta in range(placement.parts + 1)]
        _spread(placement, states)
        for eta in range(placement.parts + 1):
            before = states[eta]
            states[eta] = search.solve(before)
            if states[eta] is not before:
                _spread(placement, states)
        return tuple(search.result(state) for state in states)


@dataclass(frozen=True)
class _State:
    """The bracket for one η as it closes."""

    eta: int
    lower: int
    attack: PartAttack
    bounds: tuple[Bound, ...]
    proof: str
    stopped: str | None = None

    @property
    def open(self) -> bool:
        return self.lower < len(self.attack.workers)


def _spread(placement: Placement, states: list[_State]) -> None:
    """Carry lower ends up and attacks down: S* is monotone in η."""
    best = states[0]
    for i, here in enumerate(states):
        if best.lower > here.lower:
            proof = f"S*({best.eta}) ({best.proof})"
            states[i] = replace(here, lower=best.lower, proof=proof)
        else:
            best = here
    for i in range(len(states) - 1, 0, -1):
        above, below = states[i].attack, states[i - 1].attack
        if len(above.workers) < len(below.workers):
            fewer = PartAttack.on(placement, np.array(above.parts[: i - 1], dtype=np.int64))
            states[i - 1] = replace(states[i - 1], attack=fewer)


class _Search:
    """The steps of one call: closed forms, bounds, greedy attack, solver."""

    def __init__(self, placement: Placement, watch: Watch) -> None:
        self._placement = placement
        self._watch = watch
        self._structure = structure_of(placement)
        self._facts: PlacementFacts = placement_facts(placement, self._structure)

    def start(self, eta: int) -> _State:
        """Return what closed forms, bounds and a quick attack prove."""
        if isinstance(self._structure, ReplicaGroups):
            return self._by_groups(self._structure, eta)
        bounds = threshold_bounds(self._facts, eta)
        best = best_lower(bounds)
        if self._watch.settings.method == "bounds":
            fewest_holders = np.argsort(self._placement.replications, kind="stable")[:eta]
            attack = PartAttack.on(self._placement, fewest_holders)
        else:
            attack = attack_parts(self._placement, eta, target=whole(best), watch=self._watch)
        self._watch.report(f"η={eta}: bounds and greedy attack", whole(best), len(attack.workers))
        return _State(eta, whole(best), attack, bounds, best.name)

    def _by_groups(self, structure: ReplicaGroups, eta: int) -> _State:
        """Return the closed form: silence the groups that hold η parts with fewest workers.

        Parts that nobody holds are lost at no cost.
        """
        groups = cheapest_groups(structure, max(0, eta - structure.unheld))
        silenced = np.flatnonzero(np.isin(structure.group_of, groups))
        parts = self._placement.lost_parts(silenced.tolist())[:eta]
        attack = PartAttack(tuple(parts.tolist()), tuple(silenced.tolist()))
        bounds = threshold_bounds(self._facts, eta)
        return _State(eta, len(silenced), attack, bounds, f"closed form: {structure.name}")

    def solve(self, state: _State) -> _State:
        """Close the bracket with the solver, if it is open and the method says so."""
        if not state.open or self._watch.settings.method != "exact":
            return state
        state = self._recall(state)
        if not state.open:
            return state
        if self._watch.stopped():
            return replace(state, stopped=self._watch.stopped())
        incidences = self._placement.design.incidences
        if incidences > MAX_PROGRAM_INCIDENCES:
            return replace(
                state, stopped=f"{incidences} incidences are too many for the integer program"
            )
        answer = solve_threshold(
            self._placement,
            self._facts,
            state.eta,
            lower=state.lower,
            start=state.attack,
            watch=self._watch,
        )
        if answer.lower > state.lower:
            state = replace(state, lower=answer.lower, proof=answer.solver)
        if answer.attack and len(answer.attack.workers) < len(state.attack.workers):
            state = replace(state, attack=answer.attack)
        if state.open:
            state = replace(state, stopped=self._watch.stopped() or "the solver's own limit")
        known = KnownThreshold(state.lower, state.proof, state.attack)
        record_threshold(self._watch.journal, state.eta, known)
        self._watch.report(f"η={state.eta}", state.lower, len(state.attack.workers))
        return state

    def _recall(self, state: _State) -> _State:
        """Add what an earlier run proved."""
        known = recall_threshold(self._watch.journal, self._placement, state.eta)
        if known is not None and known.lower > state.lower:
            state = replace(state, lower=known.lower, proof=known.proof)
        if known is not None and len(known.attack.workers) < len(state.attack.workers):
            state = replace(state, attack=known.attack)
        return state

    def result(self, state: _State) -> AttackResult:
        """Return the immutable answer."""
        return AttackResult(
            question="threshold",
            asked=state.eta,
            code=self._placement.label,
            decoder=None,
            lower=state.lower,
            upper=len(state.attack.workers),
            workers=state.attack.workers,
            parts=state.attack.parts,
            bounds=state.bounds,
            proof=state.proof,
            stopped=state.stopped if state.open else None,
            seconds=self._watch.elapsed,
            settings=self._watch.settings.record(),
        )
