"""Find four circulant T-matrices of prime order t whose signs are constant on cosets.

``python scripts/find_t_matrices.py 13 3`` gives {0} and every coset of the subgroup of order 3
modulo 13 to one of four rows, with a sign, in all ways, and prints the first rows of the first
four whose periodic autocorrelations add up to zero. With 7 1, 13 3 and 19 3 it finds those in
``gcdesign/designs/data/hadamard.json`` within seconds.
"""

from __future__ import annotations

import sys
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.fields import primitive_root

BATCH = 1 << 14


def classes(t: int, h: int) -> NDArray[np.int64]:
    """Return the class of each residue: 0 for 0, 1 + e for g^e times the subgroup of order h."""
    generator, index = primitive_root(t), (t - 1) // h
    found = np.zeros(t, dtype=np.int64)
    for exponent in range(t - 1):
        found[pow(generator, exponent, t)] = 1 + exponent % index
    return found


def search(t: int, h: int) -> NDArray[np.int64] | None:
    """Return the first rows of four T-matrices, shape (4, t), or None."""
    class_of = classes(t, h)
    ways = product(
        range(8), repeat=(t - 1) // h
    )  # a row and a sign for each coset; 0 is + in row 0
    while batch := list(islice(ways, BATCH)):
        chosen = np.insert(np.array(batch), 0, 0, axis=1)[:, class_of]
        rows = np.where(chosen[:, None, :] // 2 == np.arange(4)[:, None], 1, 0)
        rows = rows * (1 - 2 * (chosen[:, None, :] % 2))
        spectrum = (np.abs(np.fft.rfft(rows, axis=2)) ** 2).sum(axis=1)
        for number in np.flatnonzero(np.abs(spectrum - t).max(axis=1) < 1e-6):
            four: NDArray[np.int64] = rows[number]
            if all(
                sum(int(row @ np.roll(row, shift)) for row in four) == 0 for shift in range(1, t)
            ):
                return four
    return None


def main(t: int, h: int) -> None:
    """Search and print the rows."""
    found = search(t, h)
    print("none" if found is None else ["".join("0+-"[x] for x in row) for row in found.tolist()])


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
