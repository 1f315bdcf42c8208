"""Decoding while workers arrive: a Cholesky factor of their Gram matrix, one row at a time.

With G = LLᵀ the Gram matrix of the workers decoded with and s their row sums, the best weights
are v = L⁻ᵀy and the error K − ‖y‖², where y = L⁻¹s. Held is M = L⁻¹, not L: a worker that
arrives adds a row to M, which changes v by a multiple of that row, so that the weights are at
hand at any time; one that leaves takes a row and a column out, and rotations of the rows below
make M triangular again. Either way costs O(f²), against O(f²K) for decoding anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import hypot, sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.decoding import DEPENDENT, ROUNDING, Decoding, condition_of, decode, level
from gcdesign.errors import InputError, LimitError

if TYPE_CHECKING:
    from gcdesign.codes.code import GradientCode

MAX_WORKERS = 8000
"""Largest N for which the N × N matrices are held: 512 MB each."""

PIVOT = 1e-10
"""A worker whose distance from the span of the others, squared, is below this part of its own
square counts as dependent. The Gram matrix squares the condition, so floats tell no more."""

DELICATE = (1e-13, 1e-7)
"""Between these parts, a worker may be one or the other, or spoil the factor: errors are then
not read off it."""

DOUBT = 1e-9
"""Times K: the greatest tolerance of an error that is left as it is."""

REFINEMENTS = 2
"""Steps that bring the weights from what the factor gives to nearly what a QR would give."""


class IncrementalDecoder:
    """The optimal decoder of a code, kept up to date as workers arrive and leave.

    Parameters
    ----------
    code
        The gradient code.

    Raises
    ------
    InputError
        If the code has complex weights.
    LimitError
        If the code has more than `MAX_WORKERS` workers.

    Examples
    --------
    >>> from gcdesign.codes import load_code
    >>> decoder = IncrementalDecoder(load_code("pg:q=2"))
    >>> for worker in range(6):
    ...     error = decoder.arrive(worker)
    >>> round(error, 9), decoder.decoding().silenced
    (0.25, (6,))
    >>> round(decoder.leave(0), 9)
    0.571428571
    """

    def __init__(self, code: GradientCode) -> None:
        if code.is_complex:
            raise InputError("complex weights; decode those of all that have arrived instead")
        if code.workers > MAX_WORKERS:
            raise LimitError(
                f"{code.workers} workers; an incremental decoder holds at most {MAX_WORKERS}"
            )
        encoding = code.encoding.copy()
        powers = level(abs(encoding).max(axis=1).toarray().ravel())
        encoding.data = np.ldexp(encoding.data, np.repeat(powers, np.diff(encoding.indptr)))
        self._code, self._powers, self._encoding = code, powers, encoding
        self._gram: NDArray[np.float64] = (encoding @ encoding.T).toarray()
        self._sums: NDArray[np.float64] = encoding @ np.ones(code.parts)
        self._inverse = np.zeros((code.workers, code.workers))
        self._y, self._v = np.zeros(code.workers), np.zeros(code.workers)
        self._order: list[int] = []
        self._idle: list[int] = []
        self._delicate: set[int] = set()
        self._steps = 0

    @property
    def arrived(self) -> tuple[int, ...]:
        """The workers that are here, in increasing order."""
        return tuple(sorted([*self._order, *self._idle]))

    @property
    def error(self) -> float:
        """The error of what is here: K − ‖y‖², or that of `decoding` where a pivot was delicate."""
        if self._delicate:
            return self.decoding().error
        y = self._y[: len(self._order)]
        return max(0.0, self._code.parts - float(y @ y))

    def weights(self) -> NDArray[np.float64]:
        """Return the decoding vector, shape (N,): 0 at workers that are not here or not needed."""
        if self._delicate:
            return self.decoding().weights
        weights = np.zeros(self._code.workers)
        f = len(self._order)
        weights[self._order] = np.ldexp(self._v[:f], self._powers[self._order])
        return weights

    def arrive(self, worker: int) -> float:
        """Take in one worker and return the error.

        Raises
        ------
        InputError
            If there is no such worker, or it is here already.
        """
        self._code.placement.mask([worker])
        if worker in self._order or worker in self._idle:
            raise InputError(f"worker {worker} has arrived already")
        self._take(worker)
        return self.error

    def arrive_all(self, workers: Iterable[int]) -> list[float]:
        """Take in workers one by one and return the errors on the way."""
        return [self.arrive(worker) for worker in workers]

    def leave(self, worker: int) -> float:
        """Take one worker out again and return the error.

        Raises
        ------
        InputError
            If the worker is not here.
        """
        self._delicate.discard(worker)
        if worker in self._idle:
            self._idle.remove(worker)
            return self.error
        if worker not in self._order:
            raise InputError(f"worker {worker} is not here; arrived: {len(self.arrived)} workers")
        self._drop(self._order.index(worker))
        again, self._idle = self._idle, []
        self._delicate.difference_update(again)
        for other in again:  # what depended on the worker may be needed now
            self._take(other)
        return self.error

    def decoding(self) -> Decoding:
        """Return the weights with the error that they have, after steps of refinement.

        The error is measured on the code, not read off the factor. The gradient that is left
        bounds how much less the optimum may be; where that, or a worker that counted as
        dependent, leaves more open than `DOUBT` times K, all is decoded anew by least squares.
        """
        f = len(self._order)
        rows = self._encoding[self._order]
        inverse, v = self._inverse[:f, :f], self._v[:f].copy()
        ones = np.ones(self._code.parts)
        for _ in range(REFINEMENTS):
            v += inverse.T @ (inverse @ (rows @ (ones - rows.T @ v)))
        residual = ones - rows.T @ v
        left = inverse @ (rows @ residual)
        error = float(residual @ residual)
        norms = np.sqrt(self._gram[self._order, self._order])
        drift = ROUNDING * max(1, *rows.shape) * (float(np.abs(v) @ norms) + sqrt(len(ones)))
        tolerance = float(left @ left) + 2 * sqrt(error) * drift + drift**2
        here = set(self.arrived)
        silenced = tuple(w for w in range(self._code.workers) if w not in here)
        if tolerance > DOUBT * self._code.parts or self._is_needed(residual):
            return decode(self._code, silenced, exact=False)
        weights = np.zeros(self._code.workers)
        weights[self._order] = np.ldexp(v, self._powers[self._order])
        condition = condition_of(self._code, weights)
        name = "incremental Cholesky"
        return Decoding(silenced, weights, error, None, name, tolerance, self._steps, condition)

    def _is_needed(self, residual: NDArray[np.float64]) -> bool:
        """Whether the residual has a part along a worker that counted as dependent."""
        along = np.abs(self._encoding[self._idle] @ residual)
        norms = np.sqrt(self._gram[self._idle, self._idle])
        return bool((along > DEPENDENT * norms * sqrt(self._code.parts)).any())

    def _take(self, worker: int) -> None:
        f = len(self._order)
        inverse = self._inverse[:f, :f]
        column = inverse @ self._gram[self._order, worker]
        self._steps += 2 * f * f
        own = self._gram[worker, worker]
        pivot = own - float(column @ column)
        if DELICATE[0] * own < pivot < DELICATE[1] * own:
            self._delicate.add(worker)
        if pivot <= PIVOT * own:
            if self._distance(worker) > DEPENDENT * sqrt(own):
                self._delicate.add(worker)
            self._idle.append(worker)
            return
        scale = 1 / sqrt(pivot)
        row = self._inverse[f, : f + 1]
        row[:f] = (column @ inverse) * -scale
        row[f] = scale
        self._order.append(worker)
        self._y[f] = (self._sums[worker] - float(column @ self._y[:f])) * scale
        self._v[f] = 0.0
        self._v[: f + 1] += self._y[f] * row

    def _distance(self, worker: int) -> float:
        """How far a worker's row is from the span of those decoded with.

        Measured on the code: the Gram matrix would lose what is below the root of the rounding.
        """
        f = len(self._order)
        rows, inverse = self._encoding[self._order], self._inverse[:f, :f]
        apart = self._encoding[[worker]].toarray().ravel()
        for _ in range(1 + REFINEMENTS):
            apart -= rows.T @ (inverse.T @ (inverse @ (rows @ apart)))
        return float(np.linalg.norm(apart))

    def _drop(self, at: int) -> None:
        """Take the worker at one place out of the factor.

        Column ``at`` of M spans what LᵀM loses; rotations of neighbouring rows carry it into the
        last row, which then falls away.
        """
        f = len(self._order)
        inverse, y = self._inverse[:f, :f], self._y[:f]
        away = inverse[:, at].copy()
        inverse[:, at:-1] = inverse[:, at + 1 :]
        inverse[:, -1] = 0.0
        for i in range(at, f - 1):
            length = hypot(away[i], away[i + 1])
            cosine, sine = away[i + 1] / length, away[i] / length
            upper, lower = inverse[i, : i + 1].copy(), inverse[i + 1, : i + 1].copy()
            inverse[i, : i + 1] = cosine * upper - sine * lower
            inverse[i + 1, : i + 1] = sine * upper + cosine * lower
            y[i], y[i + 1] = cosine * y[i] - sine * y[i + 1], sine * y[i] + cosine * y[i + 1]
            away[i + 1] = length
        del self._order[at]
        self._inverse[f - 1, :] = 0.0
        self._steps += 4 * f * (f - at)
        self._v[: f - 1] = self._inverse[: f - 1, : f - 1].T @ self._y[: f - 1]


@dataclass(frozen=True, eq=False)
class Collected:
    """What a master that stops early has when it stops.

    Attributes
    ----------
    heard
        The workers it waited for, in the order of their arrival.
    decoding
        The decoding of their answers.
    enough
        Whether it stopped because the error was small enough, not because of ``most``.
    """

    heard: tuple[int, ...]
    decoding: Decoding
    enough: bool


def collect(
    code: GradientCode, arrivals: Iterable[int], *, most: int | None = None, error: float = 0.0
) -> Collected:
    """Wait for workers in the order of their arrival until the error is small, or enough came.

    Parameters
    ----------
    code
        The gradient code.
    arrivals
        Workers in the order in which they answer.
    most
        Stop after this many in any case; by default wait for all of the arrivals.
    error
        Stop as soon as the optimal decoder's squared error is at most this, but for rounding.

    Raises
    ------
    InputError
        If a worker is no worker or comes twice, or ``most`` or ``error`` is negative.

    Notes
    -----
    Source: Wang, Charles, Papailiopoulos 2019 (ErasureHead), where the code is fractional
    repetition: the master stops after ``most`` workers, or when every group has answered, and
    adds up the groups that it heard, which is optimal decoding.

    Examples
    --------
    >>> from gcdesign.codes import load_code
    >>> code = load_code("frc:workers=9,stragglers=2")
    >>> found = collect(code, [0, 1, 4, 3, 8, 7, 2])
    >>> found.heard, found.enough
    ((0, 1, 4, 3, 8), True)
    >>> found = collect(code, [0, 1, 4, 3, 8], most=4)
    >>> len(found.heard), found.decoding.error
    (4, 3.0)
    """
    if most is not None and most < 0:
        raise InputError(f"most={most}; expected 0 workers or more")
    if not error >= 0:
        raise InputError(f"error={error}; expected 0 or more")
    decoder = IncrementalDecoder(code)
    near = error + 1e-9 * max(1, code.parts)
    heard: list[int] = []
    enough = decoder.error <= near
    for worker in arrivals:
        if enough or len(heard) == most:
            break
        enough = decoder.arrive(worker) <= near
        heard.append(worker)
    here = set(heard)
    silent = [w for w in range(code.workers) if w not in here]
    return Collected(tuple(heard), decode(code, silent, exact=False), enough)
