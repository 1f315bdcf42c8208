"""Models of random stragglers: all sets of S alike, each worker by itself, or whole racks.

A model says how sets of silent workers are drawn, and lists them with their probabilities where
they are few.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb, isfinite

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import InputError

MAX_LISTED_RACKS = 8
"""Greatest number of racks whose sets are listed."""

MANY = 1 << 60
"""Stands for a number of sets that nobody lists."""

Orders = NDArray[np.int64]
Weighted = Iterator[tuple[Fraction, tuple[int, ...]]]
"""Sets of silent workers with their probabilities, which add up to 1."""


@dataclass(frozen=True)
class Uniform:
    """All sets of S stragglers are equally likely, for every S."""

    workers: int

    name = "random"

    def orders(self, rng: np.random.Generator, trials: int) -> Orders:
        """Draw orders in which the workers fall silent, shape (trials, N)."""
        everyone = np.tile(np.arange(self.workers), (trials, 1))
        return rng.permuted(everyone, axis=1)

    def count(self, stragglers: int) -> int:
        """Return the number of sets that `sets` lists."""
        return comb(self.workers, stragglers)

    def sets(self, stragglers: int) -> Weighted:
        """Yield all sets of S workers with their probabilities."""
        probability = Fraction(1, self.count(stragglers))
        return ((probability, silent) for silent in combinations(range(self.workers), stragglers))


@dataclass(frozen=True)
class Racks:
    """Whole racks fall silent, in random order; the last of them in part, if S demands it.

    All orders of the racks are equally likely. The first S workers are silent, those of one rack
    after those of the other, and the silent ones of the last rack are a random subset of it. So
    stragglers come together as they do where racks share power or a switch.

    Parameters
    ----------
    racks
        The workers of each rack; every worker is in exactly one.

    Raises
    ------
    InputError
        If a worker 0 … N − 1 is in no rack or in two, or a rack is empty.
    """

    racks: tuple[tuple[int, ...], ...]

    name = "racks"

    def __post_init__(self) -> None:
        everyone = [worker for rack in self.racks for worker in rack]
        for number, rack in enumerate(self.racks):
            if not rack:
                raise InputError(f"rack {number} holds no worker; leave it out")
        seen: set[int] = set()
        for worker in everyone:
            if worker in seen:
                raise InputError(f"worker {worker} is in two racks; expected one rack for each")
            seen.add(worker)
        missing = sorted(set(range(len(everyone))) - seen)
        if missing:
            raise InputError(
                f"worker {missing[0]} is in no rack, and {max(seen)} is; expected workers 0 to "
                f"{len(everyone) - 1}, each in one rack"
            )

    @property
    def workers(self) -> int:
        """Number of workers N."""
        return sum(map(len, self.racks))

    def orders(self, rng: np.random.Generator, trials: int) -> Orders:
        """Draw orders in which the workers fall silent, shape (trials, N)."""
        rack_of = np.empty(self.workers, dtype=np.int64)
        for number, rack in enumerate(self.racks):
            rack_of[list(rack)] = number
        turns = rng.permuted(np.tile(np.arange(len(self.racks)), (trials, 1)), axis=1)
        keys = turns[:, rack_of] + rng.random((trials, self.workers))
        return np.argsort(keys, axis=1)

    def _prefixes(self, stragglers: int) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield the racks that are silent as a whole, and the one that is silent in part."""
        numbers = range(len(self.racks))
        for whole in (c for m in numbers for c in combinations(numbers, m)):
            size = sum(len(self.racks[number]) for number in whole)
            if size > stragglers:
                continue
            for last in set(numbers) - set(whole):
                if stragglers < size + len(self.racks[last]):
                    yield whole, last

    def count(self, stragglers: int) -> int:
        """Return the number of sets that `sets` lists, or `MANY` where the racks are many."""
        if len(self.racks) > MAX_LISTED_RACKS:
            return MANY
        if stragglers == self.workers:
            return 1
        total = 0
        for whole, last in self._prefixes(stragglers):
            left = stragglers - sum(len(self.racks[number]) for number in whole)
            total += comb(len(self.racks[last]), left)
        return total

    def sets(self, stragglers: int) -> Weighted:
        """Yield sets of S workers with their probabilities; one can come more than once."""
        if stragglers == self.workers:
            yield Fraction(1), tuple(range(self.workers))
            return
        for whole, last in self._prefixes(stragglers):
            first = [worker for number in whole for worker in self.racks[number]]
            rack, left = self.racks[last], stragglers - len(first)
            orders = comb(len(self.racks), len(whole)) * (len(self.racks) - len(whole))
            probability = Fraction(1, orders * comb(len(rack), left))
            for some in combinations(rack, left):
                yield probability, tuple(sorted((*first, *some)))


@dataclass(frozen=True)
class Independent:
    """Worker i is silent with probability p_i, each by itself; S is random.

    Parameters
    ----------
    probabilities
        p_i of each worker, from 0 to 1; as fractions, they are kept exact.

    Raises
    ------
    InputError
        If a probability is not from 0 to 1.
    """

    probabilities: tuple[Fraction | float, ...]

    name = "independent"

    def __post_init__(self) -> None:
        for worker, p in enumerate(self.probabilities):
            if not (isfinite(p) and 0 <= p <= 1):
                raise InputError(f"worker {worker} has probability {p}; expected 0 to 1")

    @classmethod
    def alike(cls, workers: int, probability: Fraction | float) -> Independent:
        """Return the model in which every worker is silent with the same probability."""
        return cls((probability,) * workers)

    @property
    def workers(self) -> int:
        """Number of workers N."""
        return len(self.probabilities)

    def draw(self, rng: np.random.Generator, trials: int) -> tuple[Orders, NDArray[np.int64]]:
        """Draw sets: orders of shape (trials, N), and how many of the first workers are silent."""
        chances = np.array([float(p) for p in self.probabilities])
        silent = rng.random((trials, self.workers)) < chances
        return np.argsort(~silent, axis=1, kind="stable"), silent.sum(axis=1)

    def count(self) -> int:
        """Return the number of sets that `sets` lists."""
        return 1 << sum(0 < p < 1 for p in self.probabilities)

    def sets(self) -> Weighted:
        """Yield all sets that can be silent, with their probabilities."""
        always = [w for w, p in enumerate(self.probabilities) if p == 1]
        unsure = [(w, Fraction(p)) for w, p in enumerate(self.probabilities) if 0 < p < 1]
        for choice in range(2 ** len(unsure)):
            probability, silent = Fraction(1), list(always)
            for bit, (worker, p) in enumerate(unsure):
                gone = choice >> bit & 1
                probability *= p if gone else 1 - p
                if gone:
                    silent.append(worker)
            yield probability, tuple(sorted(silent))


def parse_racks(text: str, *, name: str) -> Racks:
    r"""Read racks: one to a line, the workers as numbers between blanks or commas; # is a comment.

    Raises
    ------
    InputError
        If a word is no worker's number, or the racks do not hold each worker once.

    Examples
    --------
    >>> parse_racks("0 1 2  # by the window\n3, 4\n", name="racks.txt").racks
    ((0, 1, 2), (3, 4))
    """
    racks: list[tuple[int, ...]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        words: Sequence[str] = line.partition("#")[0].replace(",", " ").split()
        for word in words:
            if not (word.isascii() and word.isdigit() and len(word) < 10):
                raise InputError(f"{name}, line {number}: {word[:40]!r}; expected worker numbers")
        if words:
            racks.append(tuple(map(int, words)))
    try:
        return Racks(tuple(racks))
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
