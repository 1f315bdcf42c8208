"""Find translation planes of order 16: sets of 4 × 4 matrices over GF(2), differences non-singular.

``python scripts/find_spread_sets.py 500`` draws 500 spread sets at random, half of them closed
under addition (semifields), and prints one of each kind that it meets, with the 2-rank of its
plane. Two sets count as one kind if, over all choices of three components as x = 0, y = 0 and
y = x, the matrices have the same orders. A matrix is a number of 16 bits, four for each row.
"""

from __future__ import annotations

import random
import sys
from collections import Counter

import numpy as np

from gcdesign.designs.design import Provenance
from gcdesign.designs.planes.translation import spread_plane

ONE = 0x8421
Code = int


def apply(x: int, matrix: Code) -> int:
    """Return the row vector x times a matrix."""
    image = 0
    for bit in range(4):
        if x >> bit & 1:
            image ^= matrix >> 4 * bit & 15
    return image


def times(a: Code, b: Code) -> Code:
    """Return a product of matrices."""
    return sum(apply(a >> 4 * row & 15, b) << 4 * row for row in range(4))


def order_and_inverse(matrix: Code) -> tuple[int, Code]:
    """Return the multiplicative order and the inverse of a non-singular matrix."""
    power, before, order = matrix, ONE, 1
    while power != ONE:
        power, before, order = times(power, matrix), power, order + 1
    return order, before


REGULAR = [m for m in range(1 << 16) if all(apply(x, m) for x in range(1, 16))]
IS_REGULAR = np.zeros(1 << 16, dtype=bool)
IS_REGULAR[REGULAR] = True


def complete(rng: random.Random, *, additive: bool) -> list[Code] | None:
    """Return a random spread set, or None if the random choices end early."""
    chosen = [0, ONE]
    candidates = np.array(REGULAR)
    candidates = candidates[IS_REGULAR[candidates ^ ONE]]
    while len(chosen) < 16:
        if not len(candidates):
            return None
        new = int(candidates[rng.randrange(len(candidates))])
        fresh = [new ^ old for old in chosen] if additive else [new]
        chosen += fresh
        for matrix in fresh:
            candidates = candidates[IS_REGULAR[candidates ^ matrix]]
    return chosen


def kind(spread: list[Code]) -> frozenset[tuple[tuple[int, ...], int]]:
    """Return how often which orders of matrices occur, over all triples of components."""
    table = {m: order_and_inverse(m) for a in spread for b in spread if (m := a ^ b)}
    found: Counter[tuple[int, ...]] = Counter()
    pencils = [spread] + [
        [0, *(table[m ^ pole][1] for m in spread if m != pole)] for pole in spread
    ]
    for pencil in pencils:
        for zero in pencil:
            moved = [m ^ zero for m in pencil if m != zero]
            for unit in moved:
                inverse = order_and_inverse(unit)[1]
                orders = sorted(order_and_inverse(times(m, inverse))[0] for m in moved)
                found[tuple(orders)] += 1
    return frozenset(found.items())


def two_rank(spread: list[Code]) -> int:
    """Return the rank over GF(2) of the incidence matrix of the plane."""
    x = np.arange(16)
    product = np.array([[apply(v, m) for m in spread] for v in range(16)], dtype=np.int32)
    plane = spread_plane(product, (x[:, None] ^ x[None, :]).astype(np.int32), Provenance("plane"))
    basis: dict[int, int] = {}
    for block in plane.blocks():
        row = sum(1 << point for point in block)
        while row and row.bit_length() in basis:
            row ^= basis[row.bit_length()]
        if row:
            basis[row.bit_length()] = row
    return len(basis)


def main(draws: int, seed: int = 1) -> None:
    """Search and print."""
    rng, met = random.Random(seed), set()
    for draw in range(draws):
        spread = complete(rng, additive=draw % 2 == 0)
        if spread is None:
            continue
        found = kind(spread)
        if found not in met:
            met.add(found)
            print(two_rank(spread), " ".join(f"{m:04x}" for m in spread), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
