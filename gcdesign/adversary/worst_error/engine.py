"""The compiled searches for one code and decoder: attacks, and all sets of one size.

Modules of compiled functions are imported only where they are called, as they take a second.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from math import comb

from gcdesign.adversary.running.settings import Watch
from gcdesign.adversary.worst_error import enumeration
from gcdesign.adversary.worst_error.copies import Quadratic, one_step_quadratic
from gcdesign.adversary.worst_error.exhaustion import MAX_SETS, Passing, search_target
from gcdesign.adversary.worst_error.forms import (
    Form,
    silent_attack_form,
    silent_form,
    silent_lower_form,
    survivors_form,
)
from gcdesign.adversary.worst_error.judge import Decoder
from gcdesign.adversary.worst_error.swaps import attack_target
from gcdesign.adversary.worst_error.targets import Floats, Target
from gcdesign.codes import GradientCode
from gcdesign.codes.onestep import one_step_weight

LIGHT_WORK = 50_000_000
"""Matrix entries up to which plain numpy searches all sets: a few tenths of a second."""

LIGHT_ATTACK = 1_000_000
"""N³(S + 10)/10 up to which plain numpy attacks."""

MAX_PROVED = 1500
"""Workers up to which an inverse is proved for a search."""

LEAST_SETS = 2_000_000_000
"""Sets up to which the least harmful one is proved too."""


class Engine:
    """The forms of one code, made when they are first needed."""

    def __init__(self, code: GradientCode, decoder: Decoder, watch: Watch) -> None:
        self._code, self._decoder, self._watch = code, decoder, watch

    @cached_property
    def _encoding(self) -> Floats:
        if self._decoder == "one-step":
            return self._code.dense_encoding()
        return self._code.levelled_encoding()

    @cached_property
    def _survivors(self) -> Form:
        return survivors_form(self._encoding)

    @cached_property
    def _silent(self) -> Form | None:
        return silent_form(self._encoding) if self._code.workers <= MAX_PROVED else None

    @cached_property
    def _silent_attack(self) -> Form:
        return self._silent or silent_attack_form(self._encoding)

    @cached_property
    def _silent_lower(self) -> Form | None:
        return silent_lower_form(self._encoding) if self._code.workers <= MAX_PROVED else None

    def is_light(self, stragglers: int) -> bool:
        """Whether numpy searches all sets in about the time in which compiled code is loaded."""
        trivial = stragglers in (0, self._code.workers) or not self._code.placement.loads.any()
        return trivial or enumeration.work(self._code.workers, stragglers) <= LIGHT_WORK

    def attacks_lightly(self, stragglers: int) -> bool:
        """Whether the same goes for a local search."""
        workers = self._code.workers
        trivial = stragglers in (0, workers) or not self._code.placement.loads.any()
        return trivial or workers**3 * (stragglers + 10) <= 10 * LIGHT_ATTACK

    def sets(self, stragglers: int) -> int:
        """Return the number of sets of S workers, or more than can be searched."""
        workers = self._code.workers
        few = min(stragglers, workers - stragglers)
        return comb(workers, few) if few <= 100 else MAX_SETS + 1

    def target(self, stragglers: int, *, want: int = 1) -> tuple[Target, int] | None:
        """Return the form that bounds errors from the side wanted, and the size of its sets."""
        survivors = self._code.workers - stragglers
        if self._decoder == "one-step":
            return self._quadratic(stragglers, want)
        if want < 0:
            lower = self._silent_lower
            return None if lower is None else (lower, stragglers)
        if survivors < stragglers or self._silent is None:
            return self._survivors, survivors
        return self._silent, stragglers

    def _quadratic(self, stragglers: int, want: int) -> tuple[Quadratic, int]:
        survivors = self._code.workers - stragglers
        weight = one_step_weight(self._code, stragglers)
        alive = survivors < stragglers
        form = one_step_quadratic(self._encoding, weight, survivors, alive=alive)
        return form if want > 0 else form.opposite(), survivors if alive else stragglers

    def attack(
        self, stragglers: int, starts: Sequence[Sequence[int]], *, want: int = 1
    ) -> tuple[int, ...]:
        """Return the most harmful set of S workers, or the least, that swaps find."""
        target, size = self._attacked(stragglers, want)
        everyone = set(range(self._code.workers))
        given = [
            sorted(everyone.difference(start)) if target.alive else sorted(start)
            for start in starts
        ]
        best = tuple(range(stragglers))
        for key, workers in attack_target(
            target, size, starts=[s for s in given if len(s) <= size], watch=self._watch
        ):
            best = workers
            doing = f"S={stragglers}: local search"
            self._watch.report(doing, want * key, self._code.parts)
        return best

    def _attacked(self, stragglers: int, want: int) -> tuple[Target, int]:
        survivors = self._code.workers - stragglers
        if self._decoder == "one-step":
            return self._quadratic(stragglers, want)
        if survivors < stragglers:
            return self._survivors.wanting(want), survivors
        return self._silent_attack.wanting(want), stragglers

    def search(
        self, stragglers: int, bar: float, *, want: int = 1, tell: Callable[[int], object]
    ) -> Passing | None:
        """Return all sets of S workers whose error may be beyond the bar; None without a form."""
        found = self.target(stragglers, want=want)
        if found is None:
            return None
        target, size = found
        return search_target(target, size, want * bar, watch=self._watch, tell=tell)
