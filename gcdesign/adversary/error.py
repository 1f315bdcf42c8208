"""err_S, the worst squared decoding error for S stragglers, and its inverse question."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from gcdesign.adversary import enumeration
from gcdesign.adversary.asked import check_code, check_error, check_stragglers
from gcdesign.adversary.bounds import (
    PlacementFacts,
    error_bounds,
    one_step_bounds,
    placement_facts,
)
from gcdesign.adversary.closed import balanced_is_worst_for_one_step, least_error, worst_error
from gcdesign.adversary.greedy import isolating_workers
from gcdesign.adversary.journal import journal_for
from gcdesign.adversary.judge import Decoder, Judge
from gcdesign.adversary.remembered import recall_workers, record_workers
from gcdesign.adversary.results import AttackResult, Bound, Extreme, Value
from gcdesign.adversary.search import attack_error
from gcdesign.adversary.settings import Settings, Watch
from gcdesign.adversary.sizes import Exhaustive
from gcdesign.codes import GradientCode
from gcdesign.codes.decoding import beyond_design
from gcdesign.codes.onestep import require_zero_one
from gcdesign.errors import InputError

MAX_DENSE_ENTRIES = 25_000_000
"""Largest matrix of a local search: E, or all pairs of workers, both held dense."""

MAX_DIGITS = 15
"""Longest number of sets that is written out."""


def worst_case_error(
    code: GradientCode,
    stragglers: int,
    *,
    decoder: Decoder = "optimal",
    settings: Settings | None = None,
) -> AttackResult:
    """Return err_S = max over sets of S stragglers of the squared decoding error.

    Closed form where the code's structure has one; else every set is tried, where that takes
    at most `enumeration.MAX_WORK`; else a bracket of a local search and the bounds.

    Parameters
    ----------
    code
        The gradient code.
    stragglers
        Number of stragglers S, 0 ≤ S ≤ N.
    decoder
        ``"optimal"`` decoding, or ``"one-step"`` with the weight K/(fL), for 0/1 codes.
    settings
        Method, limits and seed; by default exact and unlimited.

    Raises
    ------
    InputError
        If S or the decoder is out of its domain.

    Notes
    -----
    Source: Kadhe, Koyluoglu, Ramchandran 2019, err_S(E); the error is squared.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry
    >>> result = worst_case_error(GradientCode.from_design(affine_geometry(3)), 5)
    >>> result.value, result.least.value
    (Fraction(6, 5), Fraction(0, 1))
    """
    settings = settings or Settings()
    check_stragglers(code, stragglers)
    with journal_for(settings, code, "error", asked=stragglers, decoder=decoder) as journal:
        search = _Search(code, decoder, Watch(settings, journal))
        return search.result(search.solve(stragglers))


def worst_case_error_profile(
    code: GradientCode, *, decoder: Decoder = "optimal", settings: Settings | None = None
) -> tuple[AttackResult, ...]:
    """Return err_S for all S = 0 … N, each as `worst_case_error` does; one limit for all.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> profile = worst_case_error_profile(GradientCode.from_design(projective_geometry(2)))
    >>> [str(result.value) for result in profile]
    ['0', '1/4', '4/7', '1', '8/5', '5/2', '4', '7']
    """
    settings = settings or Settings()
    check_code(code)
    with journal_for(settings, code, "error", decoder=decoder) as journal:
        search = _Search(code, decoder, Watch(settings, journal), for_all_sizes=True)
        search.search_all_sizes()
        states = [search.solve(stragglers) for stragglers in range(code.workers + 1)]
        if decoder == "optimal":
            search.make_monotone(states)
        return tuple(search.result(state) for state in states)


def error_threshold(
    code: GradientCode,
    error: Value,
    *,
    decoder: Decoder = "optimal",
    settings: Settings | None = None,
) -> AttackResult:
    """Return the least S with err_S ≥ the error asked for.

    Not to be mixed up with S*(η) of `gcdesign.adversary.threshold.threshold`, which counts
    parts that are lost altogether and can be larger than the error threshold for η.

    Parameters
    ----------
    code, decoder, settings
        As in `worst_case_error`.
    error
        The squared error, 0 ≤ error ≤ K; pass a Fraction to have it compared exactly.

    Raises
    ------
    InputError
        If the error or the decoder is out of its domain.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> error_threshold(GradientCode.from_design(projective_geometry(3)), 3).value
    8
    """
    settings = settings or Settings()
    check_error(code, error)
    with journal_for(settings, code, "error-threshold", asked=error, decoder=decoder) as journal:
        watch = Watch(settings, journal)
        return _least_stragglers(_Search(code, decoder, watch, for_all_sizes=True), code, error)


def _least_stragglers(search: _Search, code: GradientCode, error: Value) -> AttackResult:
    """Go through S = 0 … N until a witness reaches the error."""
    lower: int | None = None
    stopped: str | None = None
    proof = "silencing nobody is enough"
    for stragglers in range(code.workers + 1):
        if lower is None and code.structure is None:
            bound = search.bound(stragglers)
            if bound.value < error:
                proof = f"{bound.name} bound on err_{stragglers}"
                continue
        state = search.solve(stragglers)
        if lower is None:
            if state.greatest >= error:
                lower = stragglers
            else:
                proof = f"err_{stragglers} ({state.proof})"
        if lower is not None and not search.reaches(state, error):
            stopped = stopped or state.stopped or search.blurred
        elif lower is not None:
            return replace(
                search.result(state),
                question="error-threshold",
                asked=error,
                lower=lower,
                upper=stragglers,
                proof=proof,
                least=None,
                tolerance=0.0,
                stopped=stopped,
                notice=None,
            )
    raise AssertionError("silencing every worker has error K")  # excluded by the range check


@dataclass(frozen=True)
class _State:
    """The bracket for one number of stragglers."""

    stragglers: int
    lower: Value
    upper: Value
    workers: tuple[int, ...]
    bounds: tuple[Bound, ...]
    proof: str
    least: Extreme | None = None
    tolerance: float = 0.0
    stopped: str | None = None

    @property
    def open(self) -> bool:
        """Whether the ends do not meet."""
        return self.upper - self.lower > self.tolerance

    @property
    def greatest(self) -> Value:
        """What no set exceeds: the upper end and the tolerance."""
        if not self.tolerance:
            return self.upper
        return Fraction(self.upper) + Fraction(self.tolerance)

    @property
    def reached(self) -> Value:
        """What the witness reaches for certain: the lower end less the tolerance."""
        if not isinstance(self.lower, float):
            return self.lower
        return Fraction(self.lower) - Fraction(self.tolerance)


def _least_upper(bounds: tuple[Bound, ...]) -> Bound:
    """Return the least of the upper bounds."""
    return min((b for b in bounds if b.side == "upper"), key=lambda bound: bound.value)


def _sets_text(workers: int, stragglers: int) -> str:
    sets = enumeration.count_sets(workers, stragglers)
    if sets >= 10**MAX_DIGITS:
        return f"over 10^{MAX_DIGITS} sets"
    return "1 set" if sets == 1 else f"{sets} sets"


class _Search:
    """The steps of one call: closed forms, bounds, exhaustive search, local search."""

    def __init__(
        self, code: GradientCode, decoder: Decoder, watch: Watch, *, for_all_sizes: bool = False
    ) -> None:
        if decoder not in ("optimal", "one-step"):
            raise InputError(f"decoder={decoder!r}; expected optimal or one-step")
        if decoder == "one-step":
            require_zero_one(code)
        self._code, self._decoder, self._watch = code, decoder, watch
        self._exhaustive = Exhaustive(code, decoder, watch, for_all_sizes=for_all_sizes)
        self._judge = Judge(code, decoder, watch)
        self._structure = code.structure
        self._facts: PlacementFacts = placement_facts(code.placement, self._structure)

    def search_all_sizes(self) -> None:
        """Search the sets of all sizes, before `solve` is asked for each of them."""
        if self._structure is None and self._watch.settings.method == "exact":
            self._exhaustive.search_all_sizes()

    @property
    def blurred(self) -> str | None:
        """Why a value that no limit stopped does not settle an error threshold."""
        exact = self._watch.settings.method == "exact"
        return "rounding: the worst error is too near the one asked for" if exact else None

    def reaches(self, state: _State, error: Value) -> bool:
        """Whether the witness of a state reaches an error: in fractions, if rounding blurs it."""
        if state.reached >= error:
            return True
        if not isinstance(state.lower, float) or state.greatest < error:
            return False
        settled = self._judge.settled(state.workers)
        return settled is not None and settled >= error

    def bound(self, stragglers: int) -> Bound:
        """Return the best upper bound that needs no search."""
        return _least_upper(self._bounds(stragglers))

    def solve(self, stragglers: int) -> _State:
        """Return the bracket for S stragglers, closed where it can be."""
        state = self._closed_form(stragglers)
        if state is not None:
            return state
        bounds = self._bounds(stragglers)
        if self._watch.settings.method != "exact":
            return self._bracket(stragglers, bounds)
        if not self._exhaustive.is_feasible(stragglers):
            sets = _sets_text(self._code.workers, stragglers)
            limit = f"{sets} are too many for an exhaustive search"
            stopped = self._watch.stopped() or limit
            return self._bracket(stragglers, bounds, stopped=stopped)
        found = self._exhaustive.search(stragglers)
        if found is None or not found.complete:
            reached = tuple(workers for _, workers in found.worst[:1]) if found else ()
            return self._bracket(stragglers, bounds, reached, stopped=self._watch.stopped())
        return self._exhausted(stragglers, bounds, found)

    def _closed_form(self, stragglers: int) -> _State | None:
        structure = self._structure
        if structure is None:
            return None
        if self._decoder == "one-step" and not balanced_is_worst_for_one_step(structure):
            return None
        worst = worst_error(structure, stragglers)
        least: Extreme | None = least_error(structure, stragglers)
        if self._decoder == "one-step":
            worst = Extreme(self._judge.measure(worst.workers)[0], worst.workers)
            least = None
        return _State(
            stragglers,
            worst.value,
            worst.value,
            worst.workers,
            self._bounds(stragglers),
            f"closed form: {structure.name}",
            least,
        )

    def _bounds(self, stragglers: int) -> tuple[Bound, ...]:
        if self._decoder == "optimal":
            return error_bounds(self._code, self._facts, stragglers)
        return one_step_bounds(self._code, self._facts, stragglers)

    def _exhausted(
        self, stragglers: int, bounds: tuple[Bound, ...], found: enumeration.Extremes
    ) -> _State:
        """Return the answer of a complete search: exact unless rounding blurs the worst sets."""
        worst, tolerance, gap = self._judge.worst(found.worst, stragglers)
        exact = max(gap, tolerance) <= self._judge.slack
        upper = worst.value if exact else min(worst.value + gap, _least_upper(bounds).value)
        return _State(
            stragglers,
            worst.value,
            upper,
            worst.workers,
            bounds,
            f"exhaustive search of {_sets_text(self._code.workers, stragglers)}",
            self._judge.least(found, stragglers),
            max(gap, tolerance) if exact else tolerance,
            None if exact else "rounding: the worst sets are too nearly dependent to compare",
        )

    def _bracket(
        self,
        stragglers: int,
        bounds: tuple[Bound, ...],
        attacks: tuple[tuple[int, ...], ...] = (),
        stopped: str | None = None,
    ) -> _State:
        """Set the best attack that a local search finds against the best upper bound."""
        code, watch = self._code, self._watch
        attacks = (*attacks, isolating_workers(code.placement, stragglers))
        dense = code.workers * max(code.workers, code.parts) <= MAX_DENSE_ENTRIES
        if watch.settings.method != "bounds" and dense and not watch.stopped():
            attacks = (*attacks, self._attack(stragglers))
        proved = {workers: self._judge.proved(workers) for workers in attacks}
        workers = max(proved, key=lambda attack: proved[attack][0])
        best = _least_upper(bounds)
        lower, tolerance = proved[workers]
        # Rounding may carry a reached error over a bound that it equals.
        lower = min(lower, best.value) if isinstance(lower, float) else lower
        watch.report(f"S={stragglers}", lower, best.value)
        state = _State(
            stragglers,
            lower,
            best.value,
            workers,
            bounds,
            f"{best.name} bound",
            tolerance=tolerance,
            stopped=stopped,
        )
        return state if state.open else replace(state, stopped=None)

    def _attack(self, stragglers: int) -> tuple[int, ...]:
        """Return the set that a local search finds, or found in an earlier run."""
        watch, key = self._watch, f"S={stragglers}: local search"
        found = recall_workers(watch.journal, key, self._code.workers, stragglers)
        if found is None:
            found = attack_error(self._code, stragglers, decoder=self._decoder, watch=watch)
            if not watch.stopped():
                record_workers(watch.journal, key, found)
        return found

    def make_monotone(self, states: list[_State]) -> None:
        """Carry lower ends up and upper ends down: under optimal decoding err_S never falls."""
        for i in range(1, len(states)):
            below, here = states[i - 1], states[i]
            if here.open and below.lower > here.lower:
                more = next(w for w in range(self._code.workers) if w not in set(below.workers))
                silenced = tuple(sorted((*below.workers, more)))
                lower, tolerance = self._judge.proved(silenced)
                if lower > here.lower:
                    lower = min(lower, here.upper) if isinstance(lower, float) else lower
                    here = replace(here, lower=lower, tolerance=tolerance, workers=silenced)
                    states[i] = here if here.open else replace(here, stopped=None)
        best = states[-1]
        for i in reversed(range(len(states))):
            here = states[i]
            if here.open and best.upper < here.upper:
                proof = f"err_{best.stragglers} ({best.proof})"
                upper = min(here.upper, max(best.greatest, here.lower))
                here = replace(here, upper=upper, proof=proof)
                states[i] = here if here.open else replace(here, stopped=None)
            else:
                best = here

    def result(self, state: _State) -> AttackResult:
        """Return the immutable answer."""
        return AttackResult(
            question="error",
            asked=state.stragglers,
            code=self._code.label,
            decoder=self._decoder,
            lower=state.lower,
            upper=state.upper,
            workers=state.workers,
            parts=tuple(self._code.placement.lost_parts(state.workers).tolist()),
            bounds=state.bounds,
            proof=state.proof,
            least=state.least,
            tolerance=state.tolerance,
            stopped=state.stopped,
            seconds=self._watch.elapsed,
            settings=self._watch.settings.record(),
            notice=beyond_design(self._code, state.stragglers),
        )
