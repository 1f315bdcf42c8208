"""Semidefinite upper bounds of the worst error under optimal decoding, with certificates."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from gcdesign.adversary.bounds import placement_facts
from gcdesign.adversary.evidence import Proof
from gcdesign.adversary.relaxations.invariant import Algebra, invariant_multiplier
from gcdesign.adversary.relaxations.multiplier import certified
from gcdesign.adversary.relaxations.quadratic import sparse_quadratic
from gcdesign.adversary.relaxations.sharing import sharing_bound, uneven_family
from gcdesign.adversary.relaxations.splitting import Multiplier, Relaxation
from gcdesign.adversary.running.settings import Watch
from gcdesign.codes import GradientCode

ROUNDS = 1500
STRETCH = 100
"""Rounds between two looks at how far the bound has come."""

SETTLED = 1e-4
PATIENCE = 3
"""The iteration ends after so many stretches in turn with a relative gain below `SETTLED`."""

MAX_WORKERS = 1500
"""Most workers for whom matrices on all pairs are handled."""

MAX_ITERATED = 400
"""Most workers for whom they are iterated on; beyond, the spectral multiplier has to do."""


def semidefinite_bound(
    code: GradientCode,
    stragglers: int,
    *,
    watch: Watch,
    target: Fraction | float | None = None,
    generators: Sequence[Sequence[int]] = (),
) -> tuple[Fraction, Proof]:
    """Return a proved upper bound of err_S under optimal decoding, and its proof.

    Parameters
    ----------
    code
        Any code; its rows may be dependent, of any number, of any lengths.
    stragglers
        S, from 0 to N.
    watch
        May end the iteration early; what it has come to is proved all the same.
    target
        Be content with a bound below it.
    generators
        Permutations of the workers, each induced by an automorphism of the code.

    Returns
    -------
    bound, proof
        The best of the kinds ``multiplier``, ``sharing`` and ``all parts``.

    Examples
    --------
    >>> from gcdesign.adversary.running.settings import Settings
    >>> from gcdesign.designs import projective_geometry
    >>> code = GradientCode.from_design(projective_geometry(3))
    >>> bound, proof = semidefinite_bound(code, 4, watch=Watch(Settings()))
    >>> round(float(bound), 6), proof["by"]
    (1.0, 'sharing')
    """
    best: tuple[Fraction, Proof] = Fraction(code.parts), {"by": "all parts"}
    best = min(best, _shared(code, stragglers) or best, key=lambda found: found[0])
    if code.workers > MAX_WORKERS or (target is not None and best[0] <= target):
        return best
    other = multiplier_bound(code, stragglers, watch=watch, target=target, generators=generators)
    return min(best, other, key=lambda found: found[0])


def multiplier_bound(
    code: GradientCode,
    stragglers: int,
    *,
    watch: Watch,
    target: Fraction | float | None = None,
    generators: Sequence[Sequence[int]] = (),
) -> tuple[Fraction, Proof]:
    """Return the bound of a multiplier alone, as `semidefinite_bound` does.

    Examples
    --------
    >>> from gcdesign.adversary.running.settings import Settings
    >>> from gcdesign.designs import projective_geometry
    >>> code = GradientCode.from_design(projective_geometry(3))
    >>> bound, proof = multiplier_bound(code, 4, watch=Watch(Settings()))
    >>> round(float(bound), 6), proof["by"]
    (1.0, 'multiplier')
    """
    multiplier = Multiplier(np.zeros(code.workers), np.zeros((code.workers, code.workers)))
    quadratic = sparse_quadratic(code) if stragglers else None
    if quadratic is not None:
        relaxation = Relaxation(quadratic)
        algebra = Algebra(generators, code.workers) if generators else None
        if algebra is not None and algebra.is_small:
            multiplier = invariant_multiplier(relaxation, algebra, stragglers, watch=watch)
        elif code.workers > MAX_ITERATED:
            multiplier = relaxation.even_multiplier(stragglers)
        else:
            multiplier = _multiplier(relaxation, stragglers, watch, target)
    return certified(code, stragglers, multiplier)


def _shared(code: GradientCode, stragglers: int) -> tuple[Fraction, Proof] | None:
    """Return the bound from what S workers can share, for biregular 0/1 codes."""
    if code.weights is not None:
        return None
    second = placement_facts(code.placement).second_squared
    if second is None:
        return None
    family = uneven_family(code.placement, second)
    return sharing_bound(code.placement, stragglers, second, family)


def _multiplier(
    relaxation: Relaxation, stragglers: int, watch: Watch, target: Fraction | float | None
) -> Multiplier:
    """Return the best multiplier found until the bound settles, or the watch ends it."""
    none, every = np.arange(0), np.arange(relaxation.quadratic.workers)
    best, before = Multiplier(np.zeros(len(every)), np.zeros((len(every), len(every)))), np.inf
    state, idle = relaxation.start(stragglers), 0
    for _ in range(0, ROUNDS, STRETCH):
        found = relaxation.solve(
            none,
            every,
            stragglers,
            state,
            target=None if target is None else float(target),
            rounds=STRETCH,
            stopped=lambda: watch.stopped() is not None,
        )
        state = found.state
        idle = 0 if found.bound < before * (1 - SETTLED) else idle + 1
        if found.bound < before and found.multiplier is not None:
            best, before = found.multiplier, found.bound
        if watch.stopped() or idle == PATIENCE or (target is not None and before <= target):
            break
    return best
