"""Exhaustive search over sets of stragglers: one sweep of the Gram matrix for each survivor.

For a target row 1 the augmented Gram matrix [[EEᵀ, E1], [1ᵀEᵀ, K]] is reduced worker by worker.
A worker that survives is swept out (a rank-one update), a silenced one is dropped; what is left
in the corner is the squared error. Sets that begin alike share their sweeps, a whole level of
the tree at a time, and a set is a bit mask.

Each error is found as an interval that holds it. A ridge, a small multiple ρ of the diagonal
that is more than all rounding of the sweeps, turns the corner into an upper bound: it is the
exact corner of a matrix that exceeds the Gram matrix M by a positive semidefinite one, at most
2ρ diag(M), and Schur complements and determinants only grow with the matrix. So no worker has to
be called dependent on others by a tolerance. What the ridge adds to an error is at most
2ρK(1 + 1/λ), λ the least eigenvalue of the survivors' Gram matrix scaled to ones on the diagonal;
and λ ≥ P/e, P the product of its pivots, by the inequality of the means, as its trace is their
number. In a 0/1 code the product of the unscaled pivots is the ridged determinant of an integer
matrix: below 1 it proves a worker dependent, who is then left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb, e

import numpy as np
from numpy.typing import NDArray

MAX_WORK = 20_000_000_000
"""Largest number of matrix entries that a search may touch: one to two minutes on one core."""

WORD = 62
"""Workers for each 64-bit word of a bit mask."""

BATCH_ENTRIES = 1 << 21
"""Matrix entries held at once by one level of the tree."""

EPSILON = 2.0**-52

LARGEST_VOLUME = 1e200
"""Cap of products of pivots. Only tiny pivots bring one down to 1 again, and then the lower end
of the error is 0 in any case; the upper end holds whoever is left out."""

MAX_LEADERS = 256
"""Number of sets with the greatest, and with the least, errors that are kept. They are decoded
one by one as long as their intervals leave the order open, which for most codes is once."""

Masks = NDArray[np.int64]
Errors = NDArray[np.float64]
Batch = tuple[Masks, Errors, Errors]
"""Sets of silenced workers, and an interval for the error of each: lower and upper ends."""

Ranked = tuple[tuple[float, tuple[int, ...]], ...]
"""Upper ends with their sets, most extreme first."""

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

    Counting ends once it is beyond `MAX_WORK`.

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
        if total > MAX_WORK:
            break
    return total


@dataclass(frozen=True)
class Extremes:
    """The best and the worst sets of one size, as far as intervals tell them apart.

    Attributes
    ----------
    worst, mildest
        Sets of silenced workers with the greatest, and the least, upper ends of their
        errors, with these ends; up to `MAX_LEADERS` each.
    least
        The least lower end of all sets searched.
    complete
        Whether every set was searched; if not, they are the extremes of those that were.
    """

    worst: Ranked
    mildest: Ranked
    least: float
    complete: bool


def optimal_extremes(
    encoding: NDArray[np.float64], stragglers: int | None, watcher: Watcher
) -> dict[int, Extremes]:
    """Search all sets of S stragglers, or of every size if S is None, under optimal decoding.

    Parameters
    ----------
    encoding
        The N × K encoding matrix, its rows scaled alike.
    stragglers
        S, or None for all sizes at once.
    watcher
        Told of the progress, and may end the search.

    Returns
    -------
    dict
        The extremes for each size of which a set was searched.
    """
    return _collect(_optimal_batches(encoding, stragglers), encoding.shape[0], watcher)


def one_step_extremes(
    encoding: NDArray[np.float64], stragglers: int, weight: float, watcher: Watcher
) -> dict[int, Extremes]:
    """Search all sets of S stragglers for the extremes of ‖ρ E_Fᵀ 1 − 1‖² with ρ = ``weight``."""
    return _collect(_one_step_batches(encoding, stragglers, weight), encoding.shape[0], watcher)


def _collect(batches: Iterator[Batch], workers: int, watcher: Watcher) -> dict[int, Extremes]:
    tables: dict[int, _Table] = {}
    searched, most, complete = 0, 0.0, True
    for masks, lower, upper in batches:
        sizes = np.bitwise_count(masks).sum(axis=1)
        for size in np.unique(sizes).tolist():
            here = sizes == size
            tables.setdefault(size, _Table()).add(masks[here], lower[here], upper[here])
        searched, most = searched + len(masks), max(most, float(upper.max()))
        if watcher(searched, most):
            complete = next(batches, None) is None
            break
    return {size: table.extremes(workers, complete) for size, table in tables.items()}


class _Table:
    """The sets of one size with the greatest and the least upper ends so far."""

    def __init__(self) -> None:
        self._worst: tuple[Masks, Errors] | None = None
        self._mildest: tuple[Masks, Errors] | None = None
        self._least = np.inf

    def add(self, masks: Masks, lower: Errors, upper: Errors) -> None:
        self._worst = self._first(masks, -upper, self._worst)
        self._mildest = self._first(masks, upper, self._mildest)
        self._least = min(self._least, float(lower.min()))

    @staticmethod
    def _first(
        masks: Masks, keys: Errors, kept: tuple[Masks, Errors] | None
    ) -> tuple[Masks, Errors]:
        """Return the sets with the least keys, among new ones and those kept so far."""
        if len(keys) > MAX_LEADERS:
            bar = np.partition(keys, MAX_LEADERS - 1)[MAX_LEADERS - 1]
            near = np.flatnonzero(keys <= bar)
            masks, keys = masks[near], keys[near]
        if kept is not None:
            masks, keys = np.concatenate([kept[0], masks]), np.concatenate([kept[1], keys])
        order = np.argsort(keys, kind="stable")[:MAX_LEADERS]
        return masks[order], keys[order]

    def extremes(self, workers: int, complete: bool) -> Extremes:
        assert self._worst is not None
        assert self._mildest is not None
        worst = _ranked(self._worst[0], -self._worst[1], workers)
        mildest = _ranked(*self._mildest, workers)
        return Extremes(worst, mildest, self._least, complete)


def _ranked(masks: Masks, errors: Errors, workers: int) -> Ranked:
    sets = (
        tuple(w for w in range(workers) if row[w // WORD] >> w % WORD & 1) for row in masks.tolist()
    )
    return tuple(zip(errors.tolist(), sets, strict=True))


def _optimal_batches(encoding: NDArray[np.float64], stragglers: int | None) -> Iterator[Batch]:
    """Yield all sets with intervals for their errors, depth first, a batch at a time."""
    workers, parts = encoding.shape
    gram, ridge, whole = _ridged_gram(encoding)
    norms = np.diag(gram).copy()
    first_mask = np.zeros((1, 1 + workers // WORD), dtype=np.int64)
    stack = [(gram[None], np.ones((2, 1)), first_mask)]
    while stack:
        matrices, volumes, masks = stack.pop()
        left = matrices.shape[1] - 1
        if left == 0:
            upper = np.clip(matrices[:, 0, 0], 0.0, parts)
            added = 2 * ridge * parts * (1 + 2 * e / np.maximum(volumes[1], ridge**2))
            yield masks, np.maximum(upper - added, 0.0), upper
            continue
        if matrices.size > BATCH_ENTRIES and len(masks) > 1:
            half = len(masks) // 2
            stack.append((matrices[half:], volumes[:, half:], masks[half:]))
            stack.append((matrices[:half], volumes[:, :half], masks[:half]))
            continue
        worker = workers - left
        silenced = np.bitwise_count(masks).sum(axis=1)
        keep = _may(stragglers, silenced, left - 1)
        drop = _may(stragglers, silenced + 1, left - 1)
        dropped = masks[drop]
        dropped[:, worker // WORD] |= 1 << worker % WORD
        survives, grown = _sweep(matrices[keep], volumes[:, keep], norms[worker], whole)
        both = np.concatenate([survives, matrices[drop, 1:, 1:]])
        volumes = np.concatenate([grown, volumes[:, drop]], axis=1)
        stack.append((both, volumes, np.concatenate([masks[keep], dropped])))


def _ridged_gram(encoding: NDArray[np.float64]) -> tuple[NDArray[np.float64], float, bool]:
    """Return the augmented Gram matrix M + ρ diag(M), ρ, and whether the code is 0/1.

    While n = N + 1 rows are swept, rounding changes entry (i, j) by at most (n + 4) · 2⁻⁵³
    times the root of M_ii M_jj. Rounding of M itself adds K · 2⁻⁵³ where M is not whole.
    """
    workers, parts = encoding.shape
    extended = np.vstack([encoding, np.ones(parts)])
    gram = extended @ extended.T
    whole = bool(np.isin(encoding, (0, 1)).all())
    ridge = EPSILON * (workers + 1) * (workers + 5 + (0 if whole else parts))
    gram[np.diag_indices_from(gram)] *= 1 + ridge
    return gram, ridge, whole


def _may(stragglers: int | None, silenced: NDArray[np.int64], left: int) -> NDArray[np.bool_]:
    """Whether sets with so many silenced, and so many workers left, can reach S."""
    if stragglers is None:
        return np.ones(silenced.shape, dtype=bool)
    return (silenced <= stragglers) & (silenced + left >= stragglers)


def _sweep(
    matrices: NDArray[np.float64], volumes: NDArray[np.float64], norm: float, whole: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Eliminate the first row and column of each matrix, except where it is proved dependent.

    ``volumes`` are the products of the pivots so far, as they are and each over its norm.
    """
    rest = matrices[:, 1:, 1:]
    if norm == 0:
        return rest, volumes
    pivots = matrices[:, 0, 0]
    column = matrices[:, 1:, 0]
    dependent = volumes[0] * pivots < 0.5 if whole else np.zeros(len(pivots), dtype=bool)
    scaled = column * np.where(dependent, 0.0, 1 / pivots)[:, None]
    swept: NDArray[np.float64] = rest - scaled[:, :, None] * column[:, None, :]
    grown = volumes * np.where(dependent, 1.0, np.stack([pivots, pivots / norm]))
    return swept, np.minimum(grown, LARGEST_VOLUME)


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
        squares, sums = weight**2 * (copies**2).sum(axis=1), 2 * weight * copies.sum(axis=1)
        errors, margin = squares - sums + parts, 8 * EPSILON * (squares + sums + parts)
        yield masks, np.maximum(errors - margin, 0.0), errors + margin
