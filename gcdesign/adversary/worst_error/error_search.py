"""The steps towards err_S: closed forms, bounds, attacks, exhaustive search, branch and bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gcdesign.adversary.bounds import (
    PlacementFacts,
    error_bounds,
    one_step_bounds,
    placement_facts,
)
from gcdesign.adversary.remembered import (
    as_recalled,
    recall_error,
    recall_workers,
    record_error,
    record_workers,
)
from gcdesign.adversary.results import AttackResult, Bound, Extreme, Value
from gcdesign.adversary.running.settings import Watch
from gcdesign.adversary.thresholds.greedy import isolating_workers
from gcdesign.adversary.worst_error import enumeration, exhaustion
from gcdesign.adversary.worst_error.closed import (
    balanced_is_worst_for_one_step,
    least_error,
    worst_error,
)
from gcdesign.adversary.worst_error.engine import LEAST_SETS, Engine
from gcdesign.adversary.worst_error.error_state import (
    State,
    answer,
    bound_proof,
    least_upper,
    monotone_proof,
    sets_proof,
    sets_text,
    structure_proof,
    under_bounds,
)
from gcdesign.adversary.worst_error.judge import Decoder, Judge
from gcdesign.adversary.worst_error.monotone import make_monotone
from gcdesign.adversary.worst_error.search import attack_error
from gcdesign.adversary.worst_error.sizes import Exhaustive
from gcdesign.codes import GradientCode
from gcdesign.codes.onestep import require_zero_one
from gcdesign.errors import InputError

if TYPE_CHECKING:
    from gcdesign.adversary.relaxations.ladder import Ladder

MAX_DENSE_ENTRIES = 25_000_000
"""Largest matrix of a local search: E, or all pairs of workers, both held dense."""

BAR_SHARE = 256
"""The bar of a search is above the best attack by the judge's slack divided by this."""

PRUNED = 10
"""Times as many sets may be searched under one-step decoding, where a bound prunes nearly all."""

BLURRED = "rounding: the worst sets are too nearly dependent to compare"

QUICK_SETS = 3_000_000_000
"""Sets up to which all are searched before anything else: a few seconds."""

SETS_BEFORE_TREE = 20_000_000_000
"""Sets up to which all are searched rather than branched on."""


class Search:
    """The steps of one call; states of fewer stragglers lend their attacks to later ones."""

    def __init__(
        self,
        code: GradientCode,
        decoder: Decoder,
        watch: Watch,
        *,
        for_all_sizes: bool = False,
    ) -> None:
        if decoder not in ("optimal", "one-step"):
            raise InputError(f"decoder={decoder!r}; expected optimal or one-step")
        if decoder == "one-step":
            require_zero_one(code)
        self._code, self._decoder, self._watch = code, decoder, watch
        self._for_all_sizes = for_all_sizes
        self._judge = Judge(code, decoder, watch)
        self._engine = Engine(code, decoder, watch)
        self._structure = code.structure
        self._facts: PlacementFacts = placement_facts(code.placement, self._structure)
        self._light = Exhaustive(code, decoder, watch)
        self._brackets: dict[int, State] = {}

    # What may be searched ---------------------------------------------------------------------

    @cached_property
    def _shares(self) -> frozenset[int]:
        """The S whose sets are all searched, for one limit on all S: those with fewest sets."""
        left, chosen = exhaustion.MAX_SETS, set[int]()
        costs = {s: self._engine.sets(s) for s in range(self._code.workers + 1)}
        for stragglers in sorted(costs, key=lambda s: (costs[s], s)):
            left -= costs[stragglers]
            if left < 0:
                break
            chosen.add(stragglers)
        return frozenset(chosen)

    def _is_searchable(self, stragglers: int) -> bool:
        if self._for_all_sizes:
            return stragglers in self._shares
        most = exhaustion.MAX_SETS * (PRUNED if self._decoder == "one-step" else 1)
        return self._engine.sets(stragglers) <= most

    @property
    def blurred(self) -> str | None:
        """Why a value that no limit stopped does not settle an error threshold."""
        exact = self._watch.settings.method == "exact"
        return "rounding: the worst error is too near the one asked for" if exact else None

    def reaches(self, state: State, error: Value) -> bool:
        """Whether the witness of a state reaches an error: in fractions, if rounding blurs it."""
        if state.reached >= error:
            return True
        if not isinstance(state.lower, float) or state.greatest < error:
            return False
        settled = self._judge.settled(state.workers)
        return settled is not None and settled >= error

    def excluded_by_bounds(self, error: Value) -> State | None:
        """Return a bracket for the greatest S that formulas alone keep below an error."""
        for stragglers in range(self._code.workers, -1, -1):
            bounds = self._bounds(stragglers)
            best = least_upper(bounds)
            if best.value < error:
                evidence = bound_proof(best, self._facts)
                proof = f"{best.name} bound"
                return State(stragglers, 0, best.value, (), bounds, proof, evidence=evidence)
        return None

    def lemma(self, state: State) -> Mapping[str, Any]:
        """Return what proves that fewer stragglers than a state's do not exceed its upper end."""
        if self._decoder == "optimal":
            return monotone_proof(state, self._decoder)
        return state.evidence

    def _bounds(self, stragglers: int) -> tuple[Bound, ...]:
        if self._decoder == "optimal":
            return error_bounds(self._code, self._facts, stragglers)
        return one_step_bounds(self._code, self._facts, stragglers)

    def search_all_sizes(self) -> None:
        """Search all sets of all sizes in one pass of plain numpy, where that is quick."""
        if self._watch.settings.method == "exact" and self._structure is None:
            self._light.search_all_sizes()

    # One number of stragglers -----------------------------------------------------------------

    def quick(self, stragglers: int) -> State:
        """Return the bracket for S stragglers by an attack and the formulas."""
        return self._bracket(stragglers, self._bounds(stragglers))

    def solve(self, stragglers: int, *, against: Value | None = None) -> State:
        """Return the bracket for S stragglers, closed where it can be.

        With ``against`` it need only tell on which side of that error the worst one is.
        """
        state = self._closed_form(stragglers)
        if state is not None:
            return state
        bounds = self._bounds(stragglers)
        if self._watch.settings.method != "exact":
            return self._bracket(stragglers, bounds)
        if self._engine.is_light(stragglers) or self._light.knows(stragglers):
            return self._try_all_lightly(stragglers, bounds)
        return self._solve_by_engine(stragglers, bounds, against)

    def _closed_form(self, stragglers: int) -> State | None:
        structure = self._structure
        if structure is None:
            return None
        if self._decoder == "one-step" and not balanced_is_worst_for_one_step(structure):
            return None
        worst = worst_error(structure, stragglers)
        least: Extreme | None = least_error(structure, stragglers)
        evidence = structure_proof(structure)
        if self._decoder == "one-step":
            worst = Extreme(self._judge.measure(worst.workers)[0], worst.workers)
            least, evidence = None, sets_proof(self._code.workers, stragglers)
        return State(
            stragglers,
            worst.value,
            worst.value,
            worst.workers,
            self._bounds(stragglers),
            f"closed form: {structure.name}",
            least,
            evidence=evidence,
        )

    def _try_all_lightly(self, stragglers: int, bounds: tuple[Bound, ...]) -> State:
        """Try every set by plain numpy."""
        found = self._light.search(stragglers, for_all_sizes=self._for_all_sizes)
        if found is None or not found.complete:
            reached = tuple(workers for _, workers in found.worst[:1]) if found else ()
            return self._bracket(stragglers, bounds, reached, stopped=self._watch.stopped())
        worst = self._judge.worst(found.worst, stragglers)
        return self._exhausted(stragglers, bounds, worst, self._judge.least(found, stragglers))

    def _exhausted(
        self,
        stragglers: int,
        bounds: tuple[Bound, ...],
        found: tuple[Extreme, float, float],
        least: Extreme | None,
        against: Value | None = None,
    ) -> State:
        """Return the answer of a complete search: exact unless rounding blurs the worst sets."""
        worst, tolerance, gap = found
        exact = max(gap, tolerance) <= self._judge.slack
        below = against is not None and worst.value + gap < against
        upper = worst.value if exact else min(worst.value + gap, least_upper(bounds).value)
        return State(
            stragglers,
            worst.value,
            upper,
            worst.workers,
            bounds,
            f"exhaustive search of {sets_text(self._code.workers, stragglers)}",
            least,
            max(gap, tolerance) if exact else tolerance,
            None if exact or below else BLURRED,
            sets_proof(self._code.workers, stragglers),
        )

    # The compiled engine ----------------------------------------------------------------------

    @cached_property
    def _ladder(self) -> Ladder | None:
        """Relaxations and branch and bound, for optimal decoding."""
        if self._decoder != "optimal":
            return None
        from gcdesign.adversary.relaxations.ladder import Ladder

        return Ladder(self._code, self._watch)

    def _solve_by_engine(
        self, stragglers: int, bounds: tuple[Bound, ...], against: Value | None
    ) -> State:
        """Attack first, then prove that nothing is worse: by a bound, all sets, or a tree."""
        state = self._recalled(self._bracket(stragglers, bounds))
        if against is not None and state.reached >= against:
            return state
        sets = self._engine.sets(stragglers)
        quick = sets <= QUICK_SETS and self._is_searchable(stragglers)
        if state.open and not quick and self._ladder is not None and not self._watch.stopped():
            further = self._ladder.bound(stragglers)
            state = under_bounds(state, (*bounds, further), self._facts)
        if not state.open:
            return replace(state, least=self._least(stragglers))
        stopped = self._watch.stopped()
        if stopped is not None:
            return replace(state, stopped=stopped)
        search = self._is_searchable(stragglers)
        tree = not self._for_all_sizes and against is None and self._ladder is not None
        if tree and not (search and sets <= SETS_BEFORE_TREE):
            state = self._branch(state)
            if not state.open or self._watch.stopped():
                return self._remembered(state)
        if search:
            return self._remembered(self._search_above(state, against))
        limit = f"{sets_text(self._code.workers, stragglers)} are too many for an exhaustive search"
        return replace(state, stopped=limit)

    def _remembered(self, state: State) -> State:
        """Keep what was proved in the journal."""
        if not state.open:
            record_error(self._watch.journal, state)
        return state

    def _recalled(self, state: State) -> State:
        """Return the state that an earlier run proved, if there is one."""
        known = recall_error(self._watch.journal, self._code.workers, state.stragglers)
        return state if known is None else as_recalled(state, known, self._judge)

    def _bar(self, state: State, against: Value | None) -> float:
        """Return the error that a set has to pass to count: the best attack's or that asked for."""
        bar = float(state.lower) + self._judge.slack / BAR_SHARE
        return bar if against is None else max(bar, float(against) - self._judge.slack)

    def _search_above(self, state: State, against: Value | None) -> State:
        """Search all sets for a worse one than the best attack."""
        stragglers = state.stragglers
        watcher = self._light.watcher(f"S={stragglers}", stragglers)
        watcher(0, float(state.lower))
        stopped = self._watch.stopped()
        if stopped is not None:
            return replace(state, stopped=stopped)
        passing = self._engine.search(
            stragglers,
            self._bar(state, against),
            tell=lambda searched: watcher(searched, float(state.lower)),
        )
        reached = Extreme(state.lower, state.workers)
        if passing is not None and passing.complete:
            worst = self._judge.worst_passing(reached, passing, stragglers)
            least = self._least(stragglers) if against is None else None
            return self._exhausted(stragglers, state.bounds, worst, least, against)
        if passing is not None:
            state = self._better_of(state, passing.ranked[:1])
        stopped = self._watch.stopped()
        if stopped is None and self._is_searchable_by_numpy(stragglers):
            return self._try_all_lightly(stragglers, state.bounds)
        return replace(state, stopped=stopped or BLURRED) if state.open else state

    def _is_searchable_by_numpy(self, stragglers: int) -> bool:
        return enumeration.work(self._code.workers, stragglers) <= enumeration.MAX_WORK

    def _better_of(self, state: State, found: Sequence[tuple[float, tuple[int, ...]]]) -> State:
        """Return the state with the first set found as its attack, if it is worse."""
        for _, workers in found:
            lower, tolerance = self._judge.proved(workers)
            if lower > state.lower:
                return replace(state, lower=lower, tolerance=tolerance, workers=workers)
        return state

    def _branch(self, state: State) -> State:
        """Lower the upper end by branch and bound, and raise the lower one by what it finds."""
        assert self._ladder is not None
        bracket = self._bar(state, None), float(state.upper)
        for rung in self._ladder.rungs(state.stragglers, *bracket):
            ranked = () if rung.found is None else ((rung.found.value, rung.found.workers),)
            if not rung.last:
                state = self._better_of(state, ranked)
                lowered = min(state.upper, max(rung.upper, state.lower))
                if float(lowered) < float(state.upper):  # and not just a float beside its fraction
                    proof, evidence = "branch and bound", rung.proof
                    state = replace(state, upper=lowered, proof=proof, evidence=evidence)
                self._watch.report(f"S={state.stragglers}", state.lower, state.upper)
                continue
            reached = Extreme(state.lower, state.workers)
            passing = exhaustion.Passing(ranked, rung.upper, complete=True)
            worst = self._judge.worst_passing(reached, passing, state.stragglers)
            ended = self._exhausted(state.stragglers, state.bounds, worst, None)
            return replace(ended, proof="branch and bound", evidence=rung.proof)
        limit = "the code is too large for branch and bound"
        return replace(state, stopped=self._watch.stopped() or limit)

    def _least(self, stragglers: int) -> Extreme | None:
        """Return the least harmful set, if it is certain that there is none milder."""
        if self._watch.stopped():
            return None
        workers = self._engine.attack(stragglers, [], want=-1)
        value, unsure = self._judge.measure(workers)
        reached = Extreme(value, workers)
        if value == 0 or self._engine.sets(stragglers) > LEAST_SETS or unsure > self._judge.slack:
            return reached if value == 0 else None
        bar = float(value) - self._judge.slack / BAR_SHARE
        passing = self._engine.search(stragglers, bar, want=-1, tell=lambda _: None)
        if passing is None or not passing.complete:
            return None
        return self._judge.least_passing(reached, passing)

    # Brackets -----------------------------------------------------------------------------------

    def _bracket(
        self,
        stragglers: int,
        bounds: tuple[Bound, ...],
        attacks: tuple[tuple[int, ...], ...] = (),
        stopped: str | None = None,
    ) -> State:
        """Set the best attack that a local search finds against the best upper bound."""
        if not attacks and stopped is None and stragglers in self._brackets:
            return self._brackets[stragglers]
        attacks = (*attacks, isolating_workers(self._code.placement, stragglers))
        if self._watch.settings.method != "bounds" and not self._watch.stopped():
            attacks = (*attacks, *self._local_search(stragglers, attacks[-1]))
        proved = {workers: self._judge.proved(workers) for workers in attacks}
        workers = max(proved, key=lambda attack: proved[attack][0])
        best = least_upper(bounds)
        lower, tolerance = proved[workers]
        # Rounding may carry a reached error over a bound that it equals.
        lower = min(lower, best.value) if isinstance(lower, float) else lower
        self._watch.report(f"S={stragglers}", lower, best.value)
        state = State(
            stragglers,
            lower,
            best.value,
            workers,
            bounds,
            f"{best.name} bound",
            tolerance=tolerance,
            stopped=stopped,
            evidence=bound_proof(best, self._facts),
        )
        state = state if state.open else replace(state, stopped=None)
        if not self._watch.stopped():
            self._brackets[stragglers] = state
        return state

    def _local_search(
        self, stragglers: int, isolating: tuple[int, ...]
    ) -> tuple[tuple[int, ...], ...]:
        """Return the set that swaps find, in numpy or compiled; none for too large a code."""
        code = self._code
        if code.workers * max(code.workers, code.parts) > MAX_DENSE_ENTRIES:
            return ()
        key = f"S={stragglers}: local search"
        known = recall_workers(self._watch.journal, key, code.workers, stragglers)
        if known is not None:
            return (known,)
        found = self._swapped(stragglers, isolating)
        if not self._watch.stopped():
            record_workers(self._watch.journal, key, found)
        return (found,)

    def _swapped(self, stragglers: int, isolating: tuple[int, ...]) -> tuple[int, ...]:
        """Return the set that swaps find, in numpy or compiled."""
        if self._engine.attacks_lightly(stragglers):
            return attack_error(self._code, stragglers, decoder=self._decoder, watch=self._watch)
        near = [
            self._brackets[s].workers
            for s in (stragglers - 1, stragglers + 1)
            if s in self._brackets
        ]
        return self._engine.attack(stragglers, [isolating, *near])

    def make_monotone(self, states: list[State]) -> None:
        """Carry what is known of one S to others, under optimal decoding."""
        make_monotone(states, self._code.workers, self._judge)

    def result(self, state: State) -> AttackResult:
        """Return the immutable answer."""
        return answer(state, self._code, self._decoder, self._watch)
