"""The worst error of S stragglers for decoding weights that are fixed beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.asked import check_stragglers
from gcdesign.adversary.results import AttackResult, Bound
from gcdesign.adversary.running.settings import Settings, Watch
from gcdesign.adversary.worst_error import exhaustion
from gcdesign.adversary.worst_error.copies import Quadratic, copies_quadratic
from gcdesign.adversary.worst_error.error_state import sets_proof, sets_text
from gcdesign.adversary.worst_error.exhaustion import search_target
from gcdesign.adversary.worst_error.swaps import attack_target
from gcdesign.codes import GradientCode
from gcdesign.errors import InputError

SLACK = 1e-9
"""An error counts as exact if no set exceeds it by more than this, times K."""

NAME = "fixed weights"


def worst_fixed_error(
    code: GradientCode,
    weights: Sequence[float] | NDArray[np.float64],
    stragglers: int,
    *,
    settings: Settings | None = None,
) -> AttackResult:
    """Return max ‖Σ_F w_i E_i − 1‖² over sets of S stragglers, F being the survivors.

    Parameters
    ----------
    code
        The gradient code.
    weights
        Shape (N,): the weight that each worker gets if it answers.
    stragglers
        S, 0 ≤ S ≤ N.
    settings
        Method, limits and seed; by default exact and unlimited.

    Returns
    -------
    AttackResult
        ``exact`` if all sets were searched, or a bracket of a local search and the bound that
        takes each part alone. The value of the attack is a fraction, the floats taken as what
        they are.

    Raises
    ------
    InputError
        If S is out of range, or the weights are not N finite numbers.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> code = GradientCode.from_design(projective_geometry(2))
    >>> worst_fixed_error(code, [0.5] * 7, 1).value
    Fraction(1, 1)
    """
    settings = settings or Settings()
    check_stragglers(code, stragglers)
    fixed = np.asarray(weights, dtype=np.float64)
    if fixed.shape != (code.workers,) or not np.isfinite(fixed).all():
        raise InputError(f"{fixed.size} weights; expected N={code.workers} finite numbers")
    return _Fixed(code, fixed, Watch(settings)).solve(stragglers)


class _Fixed:
    """One code with its weights."""

    def __init__(self, code: GradientCode, weights: NDArray[np.float64], watch: Watch) -> None:
        self._code, self._weights, self._watch = code, weights, watch
        self._rows = code.dense_encoding() * weights[:, None]

    def solve(self, stragglers: int) -> AttackResult:
        """Attack, then search all sets for a worse one where they are not too many."""
        workers = self._attack(stragglers)
        lower, bound = self._error(workers), self._bound()
        upper: Fraction = Fraction(bound.value)
        tolerance, proof, stopped = 0.0, f"{bound.name} bound", None
        evidence = {"by": "alone"}
        if self._watch.settings.method == "exact" and lower < upper:
            sets = comb(self._code.workers, stragglers)
            stopped = f"{sets_text(self._code.workers, stragglers)} are too many to search"
            if sets <= exhaustion.MAX_SETS:
                worst, gap = self._search(stragglers, workers)
                stopped = self._watch.stopped()
                if gap is not None:
                    workers, lower, tolerance = worst, self._error(worst), gap
                    upper, stopped = lower, None
                    proof = f"exhaustive search of {sets_text(self._code.workers, stragglers)}"
                    evidence = dict(sets_proof(self._code.workers, stragglers))
        return AttackResult(
            question="error",
            asked=stragglers,
            code=self._code.label,
            decoder=NAME,
            lower=lower,
            upper=upper,
            workers=workers,
            parts=tuple(self._code.placement.lost_parts(workers).tolist()),
            bounds=(bound,),
            proof=proof,
            tolerance=tolerance,
            stopped=stopped,
            seconds=self._watch.elapsed,
            settings=self._watch.settings.record(),
            evidence=evidence,
        )

    def _target(self, stragglers: int) -> tuple[Quadratic, int]:
        survivors = self._code.workers - stragglers
        alive = survivors < stragglers
        shift = Fraction(self._code.parts)
        form = copies_quadratic(self._rows, 1, 2, scale=Fraction(1), shift=shift, alive=alive)
        return form, survivors if alive else stragglers

    def _attack(self, stragglers: int) -> tuple[int, ...]:
        target, size = self._target(stragglers)
        best = tuple(range(stragglers))
        if size and self._watch.settings.method != "bounds":
            for key, workers in attack_target(target, size, starts=[], watch=self._watch):
                best = workers
                self._watch.report(f"S={stragglers}: local search", key, self._code.parts)
        return best

    def _search(
        self, stragglers: int, workers: tuple[int, ...]
    ) -> tuple[tuple[int, ...], float | None]:
        """Return the worst set and how much worse another could be; None if it was cut short."""
        target, size = self._target(stragglers)
        slack = SLACK * max(1, self._code.parts)
        bar = float(self._error(workers)) + slack / 4
        passing = search_target(target, size, bar, watch=self._watch)
        if not passing.complete:
            return workers, None
        known = [workers, *(found for _, found in passing.ranked)]
        worst = max(known, key=self._error)
        gap = max(0.0, passing.bar - float(self._error(worst)))
        return worst, gap if gap <= slack else None

    def _error(self, silenced: tuple[int, ...]) -> Fraction:
        """Return the error of one set, in fractions."""
        design, gone = self._code.placement.design, set(silenced)
        entries = np.ones(design.incidences) if self._code.weights is None else self._code.weights
        total = [Fraction(-1)] * design.v
        for worker, part, entry in zip(
            design.block_of_incidence.tolist(),
            design.indices.tolist(),
            entries.tolist(),
            strict=True,
        ):
            if worker not in gone:
                total[part] += Fraction(self._weights[worker]) * Fraction(entry)
        return sum((rest * rest for rest in total), Fraction(0))

    def _bound(self) -> Bound:
        """Bound each part's term by what it is when all that help it one way survive."""
        up = np.maximum(self._rows, 0).sum(axis=0) * (1 + 1e-12)
        down = np.minimum(self._rows, 0).sum(axis=0) * (1 + 1e-12)
        most = np.maximum((up - 1) ** 2, (down - 1) ** 2).sum() * (1 + 1e-9)
        return Bound(
            "each part alone",
            "upper",
            max(float(most), 0.0),
            "err_S ≤ Σ_j max (Σ± w_i E_ij - 1)²",
            "terms are convex in the survivors' sum",
        )
