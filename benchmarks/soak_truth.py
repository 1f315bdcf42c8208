"""The truth by brute force over all sets, with no code of gcdesign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

Block = tuple[int, ...]

MOST_PARTS = 21
"""Parts of which all sets are tried: 2^21 sets take about a tenth of a second."""

MOST_WORKERS = 15
"""Workers of which all sets are tried, in whole numbers of any length."""


def as_blocks(blocks: Sequence[Sequence[int]]) -> tuple[Block, ...]:
    """Return blocks that can be remembered."""
    return tuple(tuple(block) for block in blocks)


@lru_cache(maxsize=16)
def thresholds(blocks: tuple[Block, ...], parts: int) -> tuple[int, ...]:
    """Return S*(η) for η = 0 … K: the fewest holders, over all sets of at least η parts.

    The holders of a set are those of the set without its last part, and those of that part.
    """
    together = np.zeros(1, dtype=np.uint64)
    sizes = np.zeros(1, dtype=np.int64)
    for part in range(parts):
        holders = np.uint64(sum(1 << w for w, block in enumerate(blocks) if part in block))
        together = np.concatenate([together, together | holders])
        sizes = np.concatenate([sizes, sizes + 1])
    silenced = np.bitwise_count(together).astype(np.int64)
    least = np.full(parts + 1, len(blocks), dtype=np.int64)
    np.minimum.at(least, sizes, silenced)
    return tuple(np.minimum.accumulate(least[::-1])[::-1].tolist())


@dataclass(frozen=True)
class Errors:
    """The error of every set of silent workers, and the extremes for each number of them.

    Attributes
    ----------
    of
        Entry m: the error where worker w is silent for each bit w of m.
    worst, least
        The extremes for S = 0 … N.
    """

    of: tuple[Fraction, ...]
    worst: tuple[Fraction, ...]
    least: tuple[Fraction, ...]

    @classmethod
    def over_all(cls, of: Sequence[Fraction], workers: int) -> Errors:
        """Find the extremes."""
        sizes: list[list[Fraction]] = [[] for _ in range(workers + 1)]
        for silent, error in enumerate(of):
            sizes[silent.bit_count()].append(error)
        return cls(tuple(of), tuple(map(max, sizes)), tuple(map(min, sizes)))

    def reached(self, workers: Sequence[int]) -> Fraction:
        """Return the error where these workers are silent."""
        return self.of[sum(1 << worker for worker in workers)]


@lru_cache(maxsize=16)
def optimal_errors(blocks: tuple[Block, ...], parts: int) -> Errors:
    """Return min ‖E_Fᵀv − 1‖² for every set, by elimination shared by sets that begin alike.

    G = EEᵀ with the border g = E1 and K in the corner is eliminated without fractions (Bareiss
    1968). A survivor is a pivot; a silent worker's row is left out; a pivot of 0 is a worker
    that the survivors before it span, since G is positive semidefinite. The corner over the
    last pivot is K − gᵀG⁺g. A step halves the work for each of twice as many sets, so that
    the whole costs a small multiple of 2^N operations.
    """
    sets = [set(block) for block in blocks]
    bordered = [[len(one & other) for other in sets] + [len(one)] for one in sets]
    bordered.append([len(one) for one in sets] + [parts])
    of = [Fraction(0)] * (1 << len(sets))

    def visit(matrix: list[list[int]], pivot_before: int, worker: int, silent: int) -> None:
        if len(matrix) == 1:
            of[silent] = Fraction(matrix[0][0], pivot_before)
            return
        first, below = matrix[0], [row[1:] for row in matrix[1:]]
        visit(below, pivot_before, worker + 1, silent | 1 << worker)
        pivot = first[0]
        if pivot:
            below = [
                [
                    (pivot * x - first[i] * y) // pivot_before
                    for x, y in zip(row, first[1:], strict=True)
                ]
                for i, row in enumerate(below, start=1)
            ]
        visit(below, pivot or pivot_before, worker + 1, silent)

    visit(bordered, 1, 0, 0)
    return Errors.over_all(of, len(sets))


@lru_cache(maxsize=16)
def one_step_errors(blocks: tuple[Block, ...], parts: int) -> Errors:
    """Return ‖ρ E_Fᵀ1 − 1‖² for every set, ρ = KN/(f · copies), in whole numbers."""
    received = np.zeros((1, parts), dtype=np.int64)
    for block in blocks:
        held = np.zeros(parts, dtype=np.int64)
        held[list(block)] = 1
        received = np.concatenate([received + held, received])  # bit w set: w is silent
    squares, sums = (received**2).sum(axis=1).tolist(), received.sum(axis=1).tolist()
    workers, copies = len(blocks), sum(map(len, blocks))
    of = []
    for silent, (square, total) in enumerate(zip(squares, sums, strict=True)):
        scale = copies * (workers - silent.bit_count())
        weight = Fraction(parts * workers, scale) if scale else Fraction(0)
        of.append(weight * weight * square - 2 * weight * total + parts)
    return Errors.over_all(of, workers)


ERRORS = {"optimal": optimal_errors, "one-step": one_step_errors}
