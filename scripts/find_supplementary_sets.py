"""Find four circulant ±1 matrices for the Goethals–Seidel array, unions of cosets modulo a prime.

``python scripts/find_supplementary_sets.py 127 7 12`` draws 12 batches of rows of length 127 that
are constant on the cosets of the subgroup of order 7, keeps the flattest, and looks for four whose
periodic autocorrelations add up to zero: two pairs with opposite sums. It found the ``cosets`` of
``gcdesign/designs/data/hadamard.json`` (103 3 40, 127 7 12, 151 5 40, and 163 9 12), each in a few
minutes; a run needs about 2 GB. Tests hold the results, not this search.
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.fields import primitive_root

BATCH = 1 << 17
KEPT = 9000
FLATNESS = 2.6
"""Largest power spectrum that is kept, in multiples of n."""

Array = NDArray[np.int64]


def coset_of(n: int, h: int) -> Array:
    """Return, for 1 to n − 1, the exponent e with x in g^e H; place 0 is unused."""
    generator, index = primitive_root(n), (n - 1) // h
    cosets = np.zeros(n, dtype=np.int64)
    for e in range(n - 1):
        cosets[pow(generator, e, n)] = e % index
    return cosets


def flat_rows(n: int, h: int, batches: int, seed: int) -> tuple[Array, Array]:
    """Return the signs on cosets of the flattest rows, and their autocorrelations."""
    cosets, rng = coset_of(n, h), np.random.default_rng(seed)
    least = {int(e): int(np.flatnonzero(cosets[1:] == e)[0]) + 1 for e in set(cosets[1:])}
    shifts = np.unique([min(least[cosets[x]], least[cosets[n - x]]) for x in range(1, n)])
    signs = np.zeros((0, (n - 1) // h), dtype=np.int64)
    correlations = np.zeros((0, len(shifts)), dtype=np.int64)
    for _ in range(batches):
        drawn = rng.integers(0, 2, size=(BATCH, signs.shape[1])) * 2 - 1
        rows = drawn[:, cosets].astype(np.float32)
        rows[:, 0] = 1
        spectrum = np.abs(np.fft.rfft(rows, axis=1)) ** 2
        flat = spectrum.max(axis=1) <= FLATNESS * n
        found = np.rint(np.fft.irfft(spectrum[flat], n=n, axis=1)).astype(np.int64)[:, shifts]
        correlations = np.concatenate([correlations, found])
        signs = np.concatenate([signs, drawn[flat]])
        correlations, first = np.unique(correlations, axis=0, return_index=True)
        best = np.argsort((correlations**2).sum(axis=1), kind="stable")[:KEPT]
        correlations, signs = correlations[best], signs[first][best]
    return signs, correlations


def four_that_cancel(correlations: Array, seed: int) -> Array | None:
    """Return the numbers of four rows whose autocorrelations add up to zero, or None."""
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 2**62, size=correlations.shape[1])
    first, second = (part.astype(np.int32) for part in np.triu_indices(len(correlations)))
    hashes = correlations @ weights
    sums = hashes[first] + hashes[second]
    order = np.argsort(sums)
    where = np.searchsorted(sums, -sums, sorter=order)
    where[where == len(sums)] = 0
    for pair in np.flatnonzero(sums[order[where]] == -sums):
        other = order[where[pair]]
        four = np.array([first[pair], second[pair], first[other], second[other]])
        if not correlations[four].sum(axis=0).any():
            return four
    return None


def main(n: int, h: int, batches: int, seed: int = 1) -> None:
    """Search and print the sets of exponents whose cosets have the sign −1."""
    signs, correlations = flat_rows(n, h, batches, seed)
    four = four_that_cancel(correlations, seed)
    print("none" if four is None else [np.flatnonzero(signs[i] < 0).tolist() for i in four])


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
