"""Random Steiner triple systems by moves of Jacobson and Matthews' kind."""

from __future__ import annotations

import numpy as np

from gcdesign.designs.design import BlockDesign, Provenance
from gcdesign.designs.randomness import Draws
from gcdesign.designs.steiner.triples import steiner_triple_system

MOVES_PER_BLOCK = 30
"""Moves before the first system without debt is taken."""


def random_triple_system(points: int, seed: int = 0) -> BlockDesign:
    """Return a Steiner triple system that many random moves made of a constructed one.

    A move adds a triple that is no block, takes out the three blocks on its pairs, and mends the
    pairs with four triples more, of which one may be a block too few. While there is such a debt,
    the next move pays it and may run into another. All systems can be reached as far as anyone
    knows, which is not proved, and their chances are not the same.

    Parameters
    ----------
    points
        v ≡ 1 or 3 (mod 6), at least 3.
    seed
        Seed of the random choices; equal seeds give equal systems, for good.

    Raises
    ------
    InputError
        If v is not 1 or 3 modulo 6, or the seed is negative.

    Notes
    -----
    Source: M. T. Jacobson, P. Matthews, *Generating uniformly distributed random Latin squares*,
    1996; for triple systems P. J. Cameron, *A generalisation of t-designs*, 2009.

    Examples
    --------
    >>> random_triple_system(13, seed=1).parameters.as_tuple()
    (13, 26, 6, 3, 1)
    """
    start = steiner_triple_system(points)
    draws = Draws(seed)
    provenance = Provenance.of("random-sts", points=points, seed=seed)
    if points < 7:
        return start.with_provenance(provenance)
    from gcdesign.designs.steiner.random_triples_kernel import move

    renamed = draws.permutation(points)[start.indices.reshape(-1, 3)]
    third = np.full((points, points, 2), -1, dtype=np.int64)
    for x, y, z in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        third[renamed[:, x], renamed[:, y], 0] = renamed[:, z]
        third[renamed[:, y], renamed[:, x], 0] = renamed[:, z]
    random = np.array([seed], dtype=np.uint64)
    move(third, random, MOVES_PER_BLOCK * start.b)
    first, second = np.triu_indices(points, 1)
    last = third[first, second, 0]
    rows = np.column_stack([first, second, last])[last > second].astype(np.int32)
    return BlockDesign.from_rows(points, np.ascontiguousarray(rows), provenance=provenance)
