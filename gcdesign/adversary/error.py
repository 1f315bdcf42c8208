"""err_S, the worst squared decoding error for S stragglers, and its inverse question."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from gcdesign.adversary import enumeration
from gcdesign.adversary.bounds import (
    PlacementFacts,
    error_bounds,
    one_step_bounds,
    placement_facts,
)
from gcdesign.adversary.closed import balanced_is_worst_for_one_step, least_error, worst_error
from gcdesign.adversary.greedy import isolating_workers
from gcdesign.adversary.results import AttackResult, Bound, Extreme, Value
from gcdesign.adversary.search import attack_error
from gcdesign.adversary.settings import Settings, Watch
from gcdesign.codes import GradientCode
from gcdesign.codes.onestep import one_step_error, one_step_weight, require_zero_one
from gcdesign.errors import InputError

Decoder = Literal["optimal", "one-step"]

MAX_DENSE_ENTRIES = 25_000_000
"""Largest encoding matrix that a local search attacks; it is held dense."""


def worst_case_error(
    code: GradientCode,
    stragglers: int,
    *,
    decoder: Decoder = "optimal",
    settings: Settings | None = None,
) -> AttackResult:
    """Return err_S = max over sets of S stragglers of the squared decoding error.

    Closed form where the code's structure has one; else every set is tried, where there are
    at most `enumeration.MAX_SETS`; else a bracket of a local search and the bounds.

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
    if not 0 <= stragglers <= code.workers:
        raise InputError(f"stragglers={stragglers}; expected 0 to N={code.workers} workers")
    search = _Search(code, decoder, Watch(settings))
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
    search = _Search(code, decoder, Watch(settings or Settings()))
    search.enumerate_all_sizes()
    states = [search.solve(stragglers) for stragglers in range(code.workers + 1)]
    if decoder == "optimal":
        _make_monotone(states, code.workers)
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
        If the error is out of range, or no set of stragglers reaches it.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> error_threshold(GradientCode.from_design(projective_geometry(3)), 3).value
    8
    """
    settings = settings or Settings()
    if not 0 <= error <= code.parts:
        raise InputError(f"error={error}; expected 0 to K={code.parts}, the error of no answer")
    search = _Search(code, decoder, Watch(settings))
    lower: int | None = None
    proof = "silencing nobody is enough"
    for stragglers in range(code.workers + 1):
        state = search.solve(stragglers)
        if lower is None:
            if state.upper >= error - state.tolerance:
                lower = stragglers
            else:
                proof = f"err_{stragglers} ({state.proof})"
        if lower is not None and state.lower >= error - state.tolerance:
            return replace(
                search.result(state),
                question="error-threshold",
                asked=error,
                lower=lower,
                upper=stragglers,
                proof=proof,
                least=None,
                tolerance=0.0,
                stopped=state.stopped if lower < stragglers else None,
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


def _make_monotone(states: list[_State], workers: int) -> None:
    """Carry lower ends up and upper ends down: under optimal decoding err_S never falls."""
    for i in range(1, len(states)):
        below, here = states[i - 1], states[i]
        if below.lower > here.lower + here.tolerance:
            more = next(w for w in range(workers) if w not in set(below.workers))
            silenced = tuple(sorted((*below.workers, more)))
            states[i] = replace(here, lower=below.lower, workers=silenced)
    for i in range(len(states) - 1, 0, -1):
        above, here = states[i], states[i - 1]
        if above.upper < here.upper - here.tolerance:
            proof = f"err_{i} ({above.proof})"
            states[i - 1] = replace(here, upper=above.upper, proof=proof)


class _Search:
    """The steps of one call: closed forms, bounds, exhaustive search, local search."""

    def __init__(self, code: GradientCode, decoder: Decoder, watch: Watch) -> None:
        if decoder not in ("optimal", "one-step"):
            raise InputError(f"decoder={decoder!r}; expected optimal or one-step")
        if decoder == "one-step":
            require_zero_one(code)
        self._code, self._decoder, self._watch = code, decoder, watch
        self._structure = code.structure
        self._facts: PlacementFacts = placement_facts(code.placement, self._structure)
        self._all_sizes: dict[int, enumeration.Extremes] | None = None

    def enumerate_all_sizes(self) -> None:
        """Search all sets of all sizes in one pass, where that is what `solve` would do."""
        exact = self._watch.settings.method == "exact" and self._structure is None
        feasible = enumeration.work(self._code.workers, None) <= enumeration.MAX_WORK
        if exact and feasible and self._decoder == "optimal":
            found = enumeration.optimal_extremes(
                self._code.dense_encoding(), None, self._watcher("all S", None)
            )
            self._all_sizes = {s: ends for s, ends in found.items() if ends.complete}

    def _watcher(self, doing: str, stragglers: int | None) -> enumeration.Watcher:
        """Return what the exhaustive search tells its progress to."""
        sets = enumeration.count_sets(self._code.workers, stragglers)

        def tell(searched: int, most: float) -> bool:
            share = f"{doing}: {searched} of {sets} sets searched"
            self._watch.report(share, most, self._code.parts)
            return self._watch.stopped() is not None

        return tell

    def solve(self, stragglers: int) -> _State:
        """Return the bracket for S stragglers, closed where it can be."""
        state = self._closed_form(stragglers)
        if state is not None:
            return state
        bounds = self._bounds(stragglers)
        if self._watch.settings.method != "exact":
            return self._bracket(stragglers, bounds)
        if enumeration.work(self._code.workers, stragglers) > enumeration.MAX_WORK:
            sets = enumeration.count_sets(self._code.workers, stragglers)
            limit = f"{sets} sets are too many for an exhaustive search"
            return self._bracket(stragglers, bounds, stopped=limit)
        found = self._search_all(stragglers)
        if found is None or not found.complete:
            reached = found.worst[:1] if found else ()
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
            worst = Extreme(self._error(worst.workers), worst.workers)
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

    def _error(self, workers: tuple[int, ...]) -> Value:
        """Return the error of one set, as a fraction where that is possible."""
        if self._decoder == "one-step":
            return one_step_error(self._code, self._code.placement.mask(workers))
        decoding = self._code.decode(workers)
        return decoding.error if decoding.error_exact is None else decoding.error_exact

    def _search_all(self, stragglers: int) -> enumeration.Extremes | None:
        """Try every set until the watch ends it; None if it ended before the first."""
        if self._all_sizes and stragglers in self._all_sizes:
            return self._all_sizes[stragglers]
        encoding = self._code.dense_encoding()
        watcher = self._watcher(f"S={stragglers}", stragglers)
        if self._decoder == "optimal":
            found = enumeration.optimal_extremes(encoding, stragglers, watcher)
        else:
            weight = float(one_step_weight(self._code, stragglers))
            found = enumeration.one_step_extremes(encoding, stragglers, weight, watcher)
        return found.get(stragglers)

    def _exhausted(
        self, stragglers: int, bounds: tuple[Bound, ...], found: enumeration.Extremes
    ) -> _State:
        """Return the exact answer of a complete search."""
        worst = max((self._extreme(s) for s in found.worst), key=lambda e: e.value)
        least = min((self._extreme(s) for s in found.mildest), key=lambda e: e.value)
        sets = enumeration.count_sets(self._code.workers, stragglers)
        floating = isinstance(worst.value, float)
        return _State(
            stragglers,
            worst.value,
            worst.value,
            worst.workers,
            bounds,
            f"exhaustive search of {sets} sets",
            least,
            enumeration.TOLERANCE * max(1, self._code.parts) if floating else 0.0,
        )

    def _extreme(self, workers: tuple[int, ...]) -> Extreme:
        return Extreme(self._error(workers), workers)

    def _bracket(
        self,
        stragglers: int,
        bounds: tuple[Bound, ...],
        attacks: tuple[tuple[int, ...], ...] = (),
        stopped: str | None = None,
    ) -> _State:
        """Set the best attack that a local search finds against the best upper bound."""
        code = self._code
        attacks = (*attacks, isolating_workers(code.placement, stragglers))
        dense = code.workers * code.parts <= MAX_DENSE_ENTRIES
        if self._watch.settings.method != "bounds" and dense:
            found = attack_error(code, stragglers, decoder=self._decoder, watch=self._watch)
            attacks = (*attacks, found)
        workers = max(attacks, key=self._error)
        best = min((b for b in bounds if b.side == "upper"), key=lambda bound: bound.value)
        lower = self._error(workers)
        tolerance = code.decode(workers).tolerance if isinstance(lower, float) else 0.0
        # Rounding may carry a reached error over a bound that it equals.
        lower = min(lower, best.value) if isinstance(lower, float) else lower
        self._watch.report(f"S={stragglers}", lower, best.value)
        closed = best.value - lower <= tolerance
        return _State(
            stragglers,
            lower,
            best.value,
            workers,
            bounds,
            f"{best.name} bound",
            tolerance=tolerance,
            stopped=None if closed else stopped,
        )

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
        )
