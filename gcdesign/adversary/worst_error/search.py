"""Heuristic attacks on the decoding error: greedy, then swaps, from several starts.

They give the lower end of a bracket and never more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.running.settings import Watch
from gcdesign.adversary.thresholds.greedy import isolating_workers
from gcdesign.codes import GradientCode
from gcdesign.codes.onestep import one_step_weight

RESTARTS = 6
DEPENDENT = 1e-9
"""Relative size below which an eigenvalue, or a distance from a span, counts as zero."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _OptimalDecoder:
    """What one more or one fewer survivor changes under optimal decoding."""

    encoding: Floats
    gram: Floats

    @classmethod
    def of(cls, code: GradientCode) -> _OptimalDecoder:
        encoding = code.levelled_encoding()
        return cls(encoding, encoding @ encoding.T)

    def _solve(self, alive: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """Return the pseudo-inverse of the survivors' Gram matrix and the decoding vector."""
        gram = self.gram[np.ix_(alive, alive)]
        inverse = np.linalg.pinv(gram, rcond=DEPENDENT, hermitian=True).astype(np.float64)
        return inverse, inverse @ self.encoding[alive].sum(axis=1)

    def error(self, alive: NDArray[np.int64]) -> float:
        _, weights = self._solve(alive)
        residual = weights @ self.encoding[alive] - 1
        return float(residual @ residual)

    def removals(self, alive: NDArray[np.int64]) -> Floats:
        """Return how much the error grows if each survivor falls silent: v_j²/(G⁺)_jj.

        A survivor in the span of the others changes nothing.
        """
        inverse, weights = self._solve(alive)
        gram = self.gram[np.ix_(alive, alive)]
        projection = np.einsum("ij,ji->i", inverse, gram)
        growth = weights**2 / np.maximum(np.diag(inverse), np.finfo(float).tiny)
        return np.where(projection > 1 - 1e-6, growth, 0.0)

    def additions(self, alive: NDArray[np.int64], silent: NDArray[np.int64]) -> Floats:
        """Return how much the error falls if each silent worker answers after all."""
        inverse, weights = self._solve(alive)
        residual = 1 - weights @ self.encoding[alive]
        cross = self.gram[np.ix_(silent, alive)]
        own = np.diag(self.gram)[silent]
        distance = own - np.einsum("ij,jk,ik->i", cross, inverse, cross, optimize=True)
        gain = (self.encoding[silent] @ residual) ** 2
        return np.where(distance > DEPENDENT * own, gain / np.maximum(distance, 1e-300), 0.0)


@dataclass(frozen=True, eq=False)
class _OneStepDecoder:
    """The same under one-step decoding with the weight ρ of the final number of stragglers.

    For fixed ρ the error is ρ²‖c‖² − 2ρ Σ c + K, c the number of surviving copies of each part.
    """

    encoding: Floats
    weight: float

    def _copies(self, alive: NDArray[np.int64]) -> Floats:
        copies: Floats = self.encoding[alive].sum(axis=0)
        return copies

    def error(self, alive: NDArray[np.int64]) -> float:
        residual = self.weight * self._copies(alive) - 1
        return float(residual @ residual)

    def removals(self, alive: NDArray[np.int64]) -> Floats:
        rows, copies = self.encoding[alive], self._copies(alive)
        loads: Floats = rows.sum(axis=1)
        growth: Floats = self.weight**2 * (loads - 2 * rows @ copies) + 2 * self.weight * loads
        return growth

    def additions(self, alive: NDArray[np.int64], silent: NDArray[np.int64]) -> Floats:
        rows, copies = self.encoding[silent], self._copies(alive)
        loads: Floats = rows.sum(axis=1)
        fall: Floats = 2 * self.weight * loads - self.weight**2 * (loads + 2 * rows @ copies)
        return fall


def attack_error(
    code: GradientCode, stragglers: int, *, decoder: str, watch: Watch
) -> tuple[int, ...]:
    """Return the most harmful set of S workers that several starts of a local search find.

    The starts are: nothing silenced, the holders of parts that a greedy choice loses
    altogether, and seeded random sets. Each is filled up greedily, then improved by swaps.

    Parameters
    ----------
    code
        The code; held dense, so at most a few thousand workers.
    stragglers
        S, 0 ≤ S ≤ N.
    decoder
        ``"optimal"`` or ``"one-step"``.
    watch
        Seed and time.
    """
    rng = np.random.default_rng(watch.settings.seed)
    model = (
        _OptimalDecoder.of(code)
        if decoder == "optimal"
        else _OneStepDecoder(code.dense_encoding(), float(one_step_weight(code, stragglers)))
    )
    best: tuple[float, tuple[int, ...]] = (-1.0, tuple(range(stragglers)))
    for start in _starts(code, stragglers, rng):
        silenced = _climb(model, start, stragglers, watch)
        found = model.error(np.flatnonzero(~silenced))
        if found > best[0]:
            best = found, tuple(np.flatnonzero(silenced).tolist())
        watch.report(f"S={stragglers}: local search", best[0], code.parts)
        if watch.stopped():
            break
    return best[1]


def _starts(code: GradientCode, stragglers: int, rng: np.random.Generator) -> list[list[int]]:
    isolating = isolating_workers(code.placement, stragglers)
    starts: list[list[int]] = [[], list(isolating)]
    for _ in range(RESTARTS):
        starts.append(rng.choice(code.workers, size=stragglers, replace=False).tolist())
    return starts


def _climb(
    model: _OptimalDecoder | _OneStepDecoder, start: list[int], stragglers: int, watch: Watch
) -> NDArray[np.bool_]:
    """Fill a start up to S workers, then swap as long as the error grows."""
    silenced = np.zeros(len(model.encoding), dtype=bool)
    silenced[start] = True
    while silenced.sum() < stragglers and not watch.stopped():
        _silence_one_more(model, silenced)
    silenced[np.flatnonzero(~silenced)[: stragglers - int(silenced.sum())]] = True
    if stragglers in (0, len(silenced)):
        return silenced
    error = model.error(np.flatnonzero(~silenced))
    while not watch.stopped():
        tried = silenced.copy()
        _silence_one_more(model, tried)
        _release_one(model, tried)
        after = model.error(np.flatnonzero(~tried))
        if after <= error * (1 + 1e-9):
            break
        silenced, error = tried, after
    return silenced


def _silence_one_more(
    model: _OptimalDecoder | _OneStepDecoder, silenced: NDArray[np.bool_]
) -> None:
    alive = np.flatnonzero(~silenced)
    silenced[alive[np.argmax(model.removals(alive))]] = True


def _release_one(model: _OptimalDecoder | _OneStepDecoder, silenced: NDArray[np.bool_]) -> None:
    silent = np.flatnonzero(silenced)
    alive = np.flatnonzero(~silenced)
    silenced[silent[np.argmin(model.additions(alive, silent))]] = False
