"""What engines write to a journal and read from it: attacks, brackets, complete searches.

An attack that is read is checked against the placement before it is believed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import Any

import numpy as np

from gcdesign.adversary.evidence import search_proof
from gcdesign.adversary.running.journal import Journal, Outcome
from gcdesign.adversary.thresholds.greedy import PartAttack
from gcdesign.adversary.worst_error.enumeration import Extremes, Ranked
from gcdesign.adversary.worst_error.error_state import State
from gcdesign.adversary.worst_error.judge import TOLERANCE, Decoder, Judge
from gcdesign.codes import GradientCode, Placement, decode
from gcdesign.codes.onestep import one_step_error


@dataclass(frozen=True)
class KnownThreshold:
    """A bracket of S*(η) that an earlier run proved.

    Attributes
    ----------
    lower
        The greatest number of workers that was proved necessary.
    proof
        What proved it.
    attack
        The best attack, checked.
    """

    lower: int
    proof: str
    attack: PartAttack


def record_threshold(journal: Journal, eta: int, known: KnownThreshold) -> None:
    """Keep a bracket of S*(η)."""
    outcome = {"lower": known.lower, "proof": known.proof, "parts": list(known.attack.parts)}
    journal.record(f"η={eta}", outcome)


def recall_threshold(journal: Journal, placement: Placement, eta: int) -> KnownThreshold | None:
    """Return the bracket of S*(η) in a journal, if there is one.

    Raises
    ------
    InputError
        If its attack is none, or needs fewer workers than were proved necessary.
    """
    key = f"η={eta}"
    found = journal.outcome(key)
    if found is None:
        return None
    parts: Any = found.get("parts")
    lower: Any = found.get("lower")
    proof = found.get("proof")
    if not _are_numbers(parts, placement.parts) or len(parts) < eta:
        raise journal.damaged(key, f"names no {eta} parts of {placement.parts}")
    attack = PartAttack.on(placement, np.array(parts, dtype=np.int64))
    if not isinstance(proof, str) or not _is_number(lower) or lower > len(attack.workers):
        raise journal.damaged(key, f"has a proof for no number up to {len(attack.workers)}")
    return KnownThreshold(lower, proof, attack)


@dataclass(frozen=True)
class KnownError:
    """A value of err_S that an earlier run proved, with the set that reaches it."""

    upper: float
    proof: str
    workers: tuple[int, ...]


def record_error(journal: Journal, state: State) -> None:
    """Keep a value of err_S."""
    outcome = {
        "upper": float(state.greatest),
        "proof": state.proof,
        "workers": list(state.workers),
    }
    journal.record(f"S={state.stragglers}: proved", outcome)


def recall_error(journal: Journal, workers: int, stragglers: int) -> KnownError | None:
    """Return the value of err_S in a journal, if there is one.

    Raises
    ------
    InputError
        If it is none, or its set has other than S workers.
    """
    key = f"S={stragglers}: proved"
    found = recall_workers(journal, key, workers, stragglers)
    if found is None:
        return None
    outcome = journal.outcome(key) or {}
    upper, proof = outcome.get("upper"), outcome.get("proof")
    if not isinstance(upper, int | float) or not isfinite(upper) or not isinstance(proof, str):
        raise journal.damaged(key, "has no value with a proof")
    return KnownError(float(upper), proof, found)


def as_recalled(state: State, known: KnownError, judge: Judge) -> State:
    """Return the state that an earlier run proved; its set is judged anew."""
    value, unsure = judge.proved(known.workers)
    gap = max(0.0, known.upper - float(value))
    if max(gap, unsure) > judge.slack or value < state.lower:
        return state
    return replace(
        state,
        lower=value,
        upper=value,
        workers=known.workers,
        tolerance=max(gap, unsure),
        proof=known.proof,
        evidence=search_proof("an earlier run", proof=known.proof),
    )


def recall_workers(
    journal: Journal, key: str, workers: int, stragglers: int
) -> tuple[int, ...] | None:
    """Return the set of S workers that a journal holds under a key, if it does.

    Raises
    ------
    InputError
        If it is no set of S workers.
    """
    found = journal.outcome(key)
    if found is None:
        return None
    silenced: Any = found.get("workers")
    if not _are_numbers(silenced, workers) or len(silenced) != stragglers:
        raise journal.damaged(key, f"names no {stragglers} workers of {workers}")
    return tuple(sorted(silenced))


def record_workers(journal: Journal, key: str, silenced: tuple[int, ...]) -> None:
    """Keep a set of workers."""
    journal.record(key, {"workers": list(silenced)})


def extremes_outcome(found: Extremes) -> Outcome:
    """Return the extremes of a complete search as JSON values."""
    return {
        "worst": [[upper, list(workers)] for upper, workers in found.worst],
        "mildest": [[upper, list(workers)] for upper, workers in found.mildest],
        "least": found.least,
    }


def extremes_of(
    outcome: Outcome, code: GradientCode, decoder: Decoder, stragglers: int, journal: Journal
) -> Extremes:
    """Return the extremes of a complete search from JSON values.

    Raises
    ------
    InputError
        If they are no extremes, or the worst set is worse than they say.
    """
    key = _size_key(stragglers)
    try:
        worst = _ranked(outcome["worst"], code.workers, stragglers, falling=True)
        mildest = _ranked(outcome["mildest"], code.workers, stragglers, falling=False)
        least = float(outcome["least"])
    except (KeyError, TypeError, ValueError, OverflowError):
        what = f"names no sets of {stragglers} workers of {code.workers}"
        raise journal.damaged(key, what) from None
    upper, silenced = worst[0]
    if _least_error(code, decoder, silenced) > upper:
        raise journal.damaged(key, "understates the error of the set that it calls the worst")
    return Extremes(worst, mildest, least, complete=True)


def record_extremes(journal: Journal, stragglers: int, found: Extremes) -> None:
    """Keep the extremes of a complete search for S stragglers."""
    if journal.on_disk:
        journal.record(_size_key(stragglers), extremes_outcome(found))


def recall_extremes(
    journal: Journal, code: GradientCode, decoder: Decoder, stragglers: int
) -> Extremes | None:
    """Return the extremes for S stragglers that a journal holds, if it does.

    Raises
    ------
    InputError
        As `extremes_of`.
    """
    found = journal.outcome(_size_key(stragglers))
    return None if found is None else extremes_of(found, code, decoder, stragglers, journal)


def _size_key(stragglers: int) -> str:
    return f"S={stragglers}"


def _least_error(code: GradientCode, decoder: Decoder, silenced: tuple[int, ...]) -> float:
    """Return a number that the error of a set is at least, in floating point."""
    slack = TOLERANCE * max(1, code.parts)
    if decoder == "one-step":
        return float(one_step_error(code, code.placement.mask(silenced))) - slack
    decoding = decode(code, silenced, exact=False)
    return decoding.error - decoding.tolerance - slack


def _ranked(entries: Any, workers: int, stragglers: int, *, falling: bool) -> Ranked:
    """Return ranked sets from JSON values; refuse what is none."""
    ranked, last = [], inf if falling else -inf
    for upper, silenced in entries:
        if not _are_numbers(silenced, workers) or len(silenced) != stragglers:
            raise ValueError(silenced)
        value = float(upper)
        if not isfinite(value) or (value > last if falling else value < last):
            raise ValueError(upper)
        last = value
        ranked.append((value, tuple(sorted(silenced))))
    if not ranked:
        raise ValueError("no sets")
    return tuple(ranked)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _are_numbers(values: Any, below: int) -> bool:
    """Whether this is a list of different whole numbers from 0 to ``below`` − 1."""
    return (
        isinstance(values, list)
        and all(_is_number(value) and value < below for value in values)
        and len(set(values)) == len(values)
    )
