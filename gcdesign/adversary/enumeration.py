"""Exhaustive search over sets of stragglers: one sweep of the Gram matrix for each survivor.

For a target row 1 the augmented Gram matrix [[EEᵀ, E1], [1ᵀEᵀ, K]] is reduced worker by worker.
A worker that survives is swept out (a rank-one update, skipped if it depends on those before
it), a silenced one is dropped; what is left in the corner is the squared error. Sets that
begin alike share their sweeps, a whole level of the tree at a time, and a set is a bit mask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb

import numpy as np
from numpy.typing import NDArray

MAX_WORK = 20_000_000_000
"""Largest number of matrix entries that a search may touch: one to two minutes on one core."""

WORD = 62
"""Workers for each 64-bit word of a bit mask."""

BATCH_ENTRIES = 1 << 21
"""Matrix entries held at once by one level of the tree."""

DEPENDENT = 1e-9
"""A worker whose squared distance from the span of the others is below this fraction of its
squared norm counts as dependent. Sweeps of a 0/1 Gram matrix of this size lose about 10⁻¹²."""

TOLERANCE = 1e-9
"""Sets whose errors differ by less, relative to K, are not told apart in floating point."""

MAX_TIES = 4
"""Number of sets within the tolerance of the extreme that are kept for exact evaluation."""

Masks = NDArray[np.int64]
Errors = NDArray[np.float64]
Batch = tuple[Masks, Errors]
Watcher = Callable[[int, float], bool]
"""Told the number of sets searched and the greatest error so far; True ends the search."""


def count_sets(workers: int, stragglers: int | None) -> int:
    """Return the number of sets to search: C(N, S), or 2^N for all S at once.

    Examples
    --------
    >>> count_sets(10, 3), count_sets(10, None)
    (120, 1024)
    """
    return 2**workers if stragglers is None else comb(workers, stragglers)


def work(workers: int, stragglers: int | None) -> int:
    """Return the number of matrix entries that the sweeps touch, over all nodes of the tree.

    Examples
    --------
    >>> work(2, 1)  # 1 node with a 3 x 3 matrix, 2 with 2 x 2, 2 leaves
    19
    """
    total = 0
    for decided in range(workers + 1):
        left = workers - decided
        if stragglers is None:
            nodes = 2**decided
        else:
            sizes = range(max(0, stragglers - left), min(stragglers, decided) + 1)
            nodes = sum(comb(decided, size) for size in sizes)
        total += nodes * (left + 1) ** 2
    return total


@dataclass(frozen=True)
class Extremes:
    """The best and the worst sets of one size, in floating point.

    Attributes
    ----------
    most, least
        Greatest and least squared error found.
    worst, mildest
        Sets of silenced workers within the tolerance of ``most`` and ``least``, up to
        `MAX_TIES` each.
    complete
        Whether every set was searched; if not, they are the extremes of those that were.
    """

    most: float
    least: float
    worst: tuple[tuple[int, ...], ...]
    mildest: tuple[tuple[int, ...], ...]
    complete: bool


def optimal_extremes(
    encoding: NDArray[np.float64], stragglers: int | None, watcher: Watcher
) -> dict[int, Extremes]:
    """Search all sets of S stragglers, or of every size if S is None, under optimal decoding.

    Parameters
    ----------
    encoding
        The N × K encoding matrix.
    stragglers
        S, or None for all sizes at once.
    watcher
        Told of the progress, and may end the search.

    Returns
    -------
    dict
        The extremes for each size of which a set was searched.
    """
    return _collect(_optimal_batches(encoding, stragglers), encoding.shape, watcher)


def one_step_extremes(
    encoding: NDArray[np.float64], stragglers: int, weight: float, watcher: Watcher
) -> dict[int, Extremes]:
    """Search all sets of S stragglers for the extremes of ‖ρ E_Fᵀ 1 − 1‖² with ρ = ``weight``."""
    return _collect(_one_step_batches(encoding, stragglers, weight), encoding.shape, watcher)


def _collect(
    batches: Iterator[Batch], shape: tuple[int, ...], watcher: Watcher
) -> dict[int, Extremes]:
    workers, parts = shape
    tables: dict[int, tuple[_Ties, _Ties]] = {}
    searched, most, complete = 0, 0.0, True
    for masks, errors in batches:
        sizes = np.bitwise_count(masks).sum(axis=1)
        for size in np.unique(sizes).tolist():
            here = sizes == size
            for ties in tables.setdefault(size, (_Ties(1, parts), _Ties(-1, parts))):
                ties.add(masks[here], errors[here])
        searched, most = searched + len(masks), max(most, float(errors.max()))
        if watcher(searched, most):
            complete = next(batches, None) is None
            break
    return {
        size: Extremes(high.value, low.value, high.sets(workers), low.sets(workers), complete)
        for size, (high, low) in tables.items()
    }


class _Ties:
    """The greatest error (``sign`` 1) or the least (−1) so far, and the sets that reach it."""

    def __init__(self, sign: int, parts: int) -> None:
        self._sign = sign
        self._tolerance = TOLERANCE * max(parts, 1)
        self._best = -np.inf
        self._errors: Errors = np.empty(0)
        self._masks: Masks | None = None

    @property
    def value(self) -> float:
        return float(self._sign * self._best)

    def add(self, masks: Masks, errors: Errors) -> None:
        signed = self._sign * errors
        self._best = max(self._best, float(signed.max()))
        near = np.argsort(-signed, kind="stable")[:MAX_TIES]
        errors, masks = signed[near], masks[near]
        if self._masks is not None:
            errors = np.concatenate([self._errors, errors])
            masks = np.concatenate([self._masks, masks])
        kept = np.argsort(-errors, kind="stable")[:MAX_TIES]
        kept = kept[errors[kept] >= self._best - self._tolerance]
        self._errors, self._masks = errors[kept], masks[kept]

    def sets(self, workers: int) -> tuple[tuple[int, ...], ...]:
        rows = [] if self._masks is None else self._masks.tolist()
        return tuple(
            tuple(w for w in range(workers) if row[w // WORD] >> w % WORD & 1) for row in rows
        )


def _optimal_batches(encoding: NDArray[np.float64], stragglers: int | None) -> Iterator[Batch]:
    """Yield (masks of silenced workers, squared errors), depth first, a batch at a time."""
    workers, parts = encoding.shape
    extended = np.vstack([encoding, np.ones(parts)])
    gram = extended @ extended.T
    norms = np.diag(gram)
    stack = [(gram[None], np.zeros((1, 1 + workers // WORD), dtype=np.int64))]
    while stack:
        matrices, masks = stack.pop()
        left = matrices.shape[1] - 1
        if left == 0:
            yield masks, np.maximum(matrices[:, 0, 0], 0.0)
            continue
        if matrices.size > BATCH_ENTRIES and len(masks) > 1:
            half = len(masks) // 2
            stack += [(matrices[half:], masks[half:]), (matrices[:half], masks[:half])]
            continue
        worker = workers - left
        silenced = np.bitwise_count(masks).sum(axis=1)
        keep = _may(stragglers, silenced, left - 1)
        drop = _may(stragglers, silenced + 1, left - 1)
        dropped = masks[drop]
        dropped[:, worker // WORD] |= 1 << worker % WORD
        survives = _sweep(matrices[keep], DEPENDENT * norms[worker])
        both = np.concatenate([survives, matrices[drop, 1:, 1:]])
        stack.append((both, np.concatenate([masks[keep], dropped])))


def _may(stragglers: int | None, silenced: NDArray[np.int64], left: int) -> NDArray[np.bool_]:
    """Whether sets with so many silenced, and so many workers left, can reach S."""
    if stragglers is None:
        return np.ones(silenced.shape, dtype=bool)
    return (silenced <= stragglers) & (silenced + left >= stragglers)


def _sweep(matrices: NDArray[np.float64], threshold: float) -> NDArray[np.float64]:
    """Eliminate the first row and column of each matrix where its pivot is large enough."""
    pivots = matrices[:, 0, 0]
    independent = pivots > threshold
    inverse = np.where(independent, 1 / np.where(independent, pivots, 1.0), 0.0)
    column = matrices[:, 1:, 0]
    scaled = column * inverse[:, None]
    rest: NDArray[np.float64] = matrices[:, 1:, 1:] - scaled[:, :, None] * column[:, None, :]
    return rest


def _one_step_batches(
    encoding: NDArray[np.float64], stragglers: int, weight: float
) -> Iterator[Batch]:
    """Yield every set with its one-step error; the sums are of whole numbers and so exact."""
    workers, parts = encoding.shape
    total = encoding.sum(axis=0)
    sets = combinations(range(workers), stragglers)
    while batch := list(islice(sets, max(1, BATCH_ENTRIES // max(parts, 1)))):
        silenced = np.array(batch, dtype=np.int64).reshape(len(batch), stragglers)
        copies = np.broadcast_to(total, (len(batch), parts)).copy()
        masks = np.zeros((len(batch), 1 + workers // WORD), dtype=np.int64)
        for column in silenced.T:
            copies -= encoding[column]
            masks[np.arange(len(batch)), column // WORD] |= np.int64(1) << column % WORD
        yield masks, ((weight * copies - 1) ** 2).sum(axis=1)
