"""The bracket of err_S for one S, with what proves it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import comb
from typing import Any

from gcdesign.adversary.bounds import PlacementFacts
from gcdesign.adversary.evidence import Lemma, Proof, search_proof
from gcdesign.adversary.results import AttackResult, Bound, Extreme, Value
from gcdesign.adversary.running.settings import Watch
from gcdesign.adversary.worst_error.enumeration import count_sets
from gcdesign.adversary.worst_error.judge import Decoder
from gcdesign.codes import GradientCode, beyond_design
from gcdesign.codes.structure import ConstantIntersection, ParallelClasses, Structure

MAX_DIGITS = 15
"""Longest number of sets that is written out."""

CHECKABLE = 5_000_000
"""C(N, S) · N² up to which a checker in plain Python may try every set itself."""


@dataclass(frozen=True)
class State:
    """The bracket for one number of stragglers.

    Attributes
    ----------
    stragglers, lower, upper, workers, bounds, proof, least, tolerance, stopped
        As in `AttackResult`.
    evidence
        The proof of ``upper``.
    """

    stragglers: int
    lower: Value
    upper: Value
    workers: tuple[int, ...]
    bounds: tuple[Bound, ...]
    proof: str
    least: Extreme | None = None
    tolerance: float = 0.0
    stopped: str | None = None
    evidence: Mapping[str, Any] = field(default_factory=dict, compare=False)

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


def least_upper(bounds: tuple[Bound, ...]) -> Bound:
    """Return the least of the upper bounds."""
    return min((b for b in bounds if b.side == "upper"), key=lambda bound: bound.value)


def sets_text(workers: int, stragglers: int) -> str:
    """Return the number of sets of S workers, in words if it is long.

    Examples
    --------
    >>> sets_text(4, 2), sets_text(4, 0), sets_text(100, 50)
    ('6 sets', '1 set', 'over 10^15 sets')
    """
    sets = count_sets(workers, stragglers)
    if sets >= 10**MAX_DIGITS:
        return f"over 10^{MAX_DIGITS} sets"
    return "1 set" if sets == 1 else f"{sets} sets"


def structure_proof(structure: Structure) -> Proof:
    """Return the proof of a closed form under optimal decoding."""
    if isinstance(structure, ConstantIntersection):
        return {"by": "intersection"}
    return {"by": "classes" if isinstance(structure, ParallelClasses) else "groups"}


def bound_proof(bound: Bound, facts: PlacementFacts) -> Proof:
    """Return the proof of an upper bound that needs no search."""
    if bound.evidence:
        return bound.evidence
    if bound.name in ("spectral", "expander"):
        return {"by": "spectral", "second_squared": facts.second_squared}
    return {"by": "alone" if bound.name == "each part alone" else "all parts"}


def sets_proof(workers: int, stragglers: int) -> Proof:
    """Return the proof by trying every set, left to the checker where it can do the same."""
    sets = comb(workers, stragglers)
    if sets * workers**2 <= CHECKABLE:
        return {"by": "exhaustion"}
    return search_proof("all sets", sets=sets)


def monotone_proof(state: State, decoder: str) -> Proof:
    """Return the proof that fewer stragglers than a state's do no more harm."""
    lemma = Lemma("error", state.stragglers, state.greatest, state.evidence, decoder)
    return {"by": "monotone", "claim": lemma}


def under_bounds(state: State, bounds: tuple[Bound, ...], facts: PlacementFacts) -> State:
    """Return a state with its upper end at the best of some bounds."""
    best = least_upper(bounds)
    lower = min(state.lower, best.value) if isinstance(state.lower, float) else state.lower
    return replace(
        state,
        lower=lower,
        upper=best.value,
        bounds=bounds,
        proof=f"{best.name} bound",
        evidence=bound_proof(best, facts),
    )


def answer(state: State, code: GradientCode, decoder: Decoder, watch: Watch) -> AttackResult:
    """Return a state as the immutable answer."""
    return AttackResult(
        question="error",
        asked=state.stragglers,
        code=code.label,
        decoder=decoder,
        lower=state.lower,
        upper=state.upper,
        workers=state.workers,
        parts=tuple(code.placement.lost_parts(state.workers).tolist()),
        bounds=state.bounds,
        proof=state.proof,
        least=state.least,
        tolerance=state.tolerance,
        stopped=state.stopped,
        seconds=watch.elapsed,
        settings=watch.settings.record(),
        evidence=state.evidence,
        notice=beyond_design(code, state.stragglers),
    )
