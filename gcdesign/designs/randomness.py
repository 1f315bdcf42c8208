"""Random choices that a seed fixes for good, on every machine and with every numpy.

numpy keeps the raw bits of a `PCG64` generator the same between versions but not the methods
of its `Generator`. A design that is rebuilt from its seed must be the same design, so
everything here is made from raw bits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import offsets
from gcdesign.errors import InputError


class Draws:
    """A stream of random choices.

    Parameters
    ----------
    seed
        Any whole number, 0 or more; equal seeds give equal streams.

    Raises
    ------
    InputError
        If the seed is negative.

    Examples
    --------
    >>> Draws(1).permutation(5).tolist()
    [2, 4, 0, 3, 1]
    """

    def __init__(self, seed: int) -> None:
        if seed < 0:
            raise InputError(f"seed={seed}; expected 0 or more")
        self._bits = np.random.PCG64(seed)

    def uniform(self, count: int) -> NDArray[np.float64]:
        """Return uniform numbers from [0, 1), multiples of 2⁻⁵³."""
        raw: NDArray[np.uint64] = self._bits.random_raw(count)
        return (raw >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def below(self, bound: int, count: int) -> NDArray[np.int64]:
        """Return uniform whole numbers from 0 to bound − 1."""
        return (self.uniform(count) * bound).astype(np.int64)

    def permutation(self, count: int) -> NDArray[np.int64]:
        """Return a uniform permutation of 0, …, count − 1."""
        return np.argsort(self._bits.random_raw(count), kind="stable").astype(np.int64)

    def binomial(self, trials: int, chance: float, count: int) -> NDArray[np.int64]:
        """Return numbers of successes in so many trials of one chance, by inversion."""
        if trials == 0 or chance in (0.0, 1.0):
            return np.full(count, trials if chance == 1.0 else 0, dtype=np.int64)
        successes = np.arange(1, trials + 1, dtype=np.float64)
        steps = np.log((trials - successes + 1) / successes * (chance / (1 - chance)))
        logarithms = np.concatenate([[0.0], np.cumsum(steps)])
        mass = np.cumsum(np.exp(logarithms - logarithms.max()))
        return np.searchsorted(mass / mass[-1], self.uniform(count), side="right").astype(np.int64)

    def subsets(
        self, population: int, sizes: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return uniform independent subsets of 0, …, population − 1 of the given sizes.

        Distinct members are drawn until there are enough, or until enough are left out if
        that is less work: either way no element is told from another, so all subsets of one
        size are equally likely.

        Returns
        -------
        tuple
            Offsets, shape (number of subsets + 1,), and members, each subset increasing.
        """
        drawn = np.minimum(sizes, population - sizes)
        keys = np.empty(0, dtype=np.int64)
        short, missing = np.flatnonzero(drawn), drawn[drawn > 0]
        while len(short):
            rows = np.repeat(short, missing)
            fresh = np.unique(rows * population + self.below(population, len(rows)))
            places = np.searchsorted(keys, fresh)
            new = np.append(keys, -1)[places] != fresh
            keys = np.insert(keys, places[new], fresh[new])
            found = np.bincount(
                np.searchsorted(short, fresh[new] // population), minlength=len(short)
            )
            missing = missing - found
            short, missing = short[missing > 0], missing[missing > 0]
        inverted = np.flatnonzero(drawn != sizes)
        if len(inverted):
            keys = _invert(keys, inverted, population)
        return offsets(sizes), (keys % population).astype(np.int32)


def _invert(keys: NDArray[np.int64], rows: NDArray[np.int64], population: int) -> NDArray[np.int64]:
    """Return the keys with those of the given rows replaced by all others of these rows."""
    every = (rows[:, None] * population + np.arange(population)).reshape(-1)
    return np.setxor1d(keys, every, assume_unique=True)
