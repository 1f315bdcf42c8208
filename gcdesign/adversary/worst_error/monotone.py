"""What err_S of one S says of others under optimal decoding, where it never falls."""

from __future__ import annotations

from dataclasses import replace

from gcdesign.adversary.worst_error.error_state import State, monotone_proof
from gcdesign.adversary.worst_error.judge import Judge


def make_monotone(states: list[State], workers: int, judge: Judge) -> None:
    """Carry lower ends up and upper ends down: under optimal decoding err_S never falls.

    Parameters
    ----------
    states
        The states for S = 0, 1, …, in this order; improved in place.
    workers
        Number of workers N.
    judge
        Decodes sets.
    """
    for i in range(1, len(states)):
        below, here = states[i - 1], states[i]
        if here.open and below.lower > here.lower:
            more = next(w for w in range(workers) if w not in set(below.workers))
            silenced = tuple(sorted((*below.workers, more)))
            lower, tolerance = judge.proved(silenced)
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
            evidence = monotone_proof(best, "optimal")
            here = replace(here, upper=upper, proof=proof, evidence=evidence)
            states[i] = here if here.open else replace(here, stopped=None)
        else:
            best = here
