"""Base blocks of one kind and profile: their pairs, and their share of a design's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.joins.quotients import Integers
from gcdesign.designs.prescribed import Kind, Prescribed
from gcdesign.designs.randomness import Draws

LANES = 16
"""Orbits are filled up to a multiple of so many, which processors add at once."""

SAMPLES = 300
"""Random blocks of a shape from which its mean and variance are taken."""

KEY_SEED = 19_391_971
"""Seed of the numbers whose sums tell counts of pairs apart."""

Keys = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Tables:
    """The pairs in and between the atoms of a kind.

    Attributes
    ----------
    own, cross
        Shapes (atoms, lanes) and (atoms, atoms, lanes): pairs of each orbit.
    own_keys, cross_keys
        The same for all images of a block, as keys: the key of a sum is the sum of keys.
    """

    own: NDArray[np.int16]
    cross: NDArray[np.int16]
    own_keys: Keys
    cross_keys: Keys


def tables(wanted: Prescribed, kind: Kind) -> Tables:
    """Return the pairs in and between the atoms of a kind.

    Examples
    --------
    >>> from gcdesign.designs.actions import Action
    >>> from gcdesign.designs.rings import Ring
    >>> wanted = Prescribed(Action(Ring.parse("Z7")), 3, 1)
    >>> tables(wanted, wanted.kinds[0]).cross[0, :, :3].tolist()[:4]
    [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    """
    number, sizes = wanted.pairs
    n, lanes = len(kind.atoms), -(-len(sizes) // LANES) * LANES
    cross = np.zeros((n, n, lanes), dtype=np.int16)
    x, y = np.nonzero(number >= 0)
    np.add.at(cross, (kind.atom_of[x], kind.atom_of[y], number[x, y]), 1)
    each = np.arange(n)
    own = cross[each, each] // 2
    cross[each, each] = 0
    weights = pair_keys(lanes) * np.uint64(kind.orbit)
    return Tables(own, cross, _summed(own, weights), _summed(cross, weights))


def pair_keys(lanes: int) -> Keys:
    """Return the key of one pair of each orbit, shape (lanes,)."""
    return np.random.PCG64(KEY_SEED).random_raw(lanes).astype(np.uint64)


def _summed(counts: NDArray[np.int16], weights: Keys) -> Keys:
    keys: Keys = (counts.astype(np.uint64) * weights).sum(axis=-1, dtype=np.uint64)
    return keys


@dataclass(frozen=True, eq=False)
class Shape:
    """Base blocks of one kind and profile.

    Attributes
    ----------
    kind, table
        The kind, and the pairs in and between its atoms.
    atoms
        The atoms, type by type.
    ends
        Where each type begins in ``atoms``, and the end of the last.
    held
        How many atoms of each type a block has.
    mean, variance
        Shape (lanes,): of the pairs of each orbit that all images of a random block cover.
    """

    kind: Kind
    table: Tables
    atoms: Integers
    ends: Integers
    held: Integers
    mean: NDArray[np.float64]
    variance: NDArray[np.float64]

    @property
    def log_blocks(self) -> float:
        """The logarithm of the number of such blocks."""
        from scipy.special import gammaln

        held, rest = self.held, np.diff(self.ends) - self.held
        return float((gammaln(held + rest + 1) - gammaln(held + 1) - gammaln(rest + 1)).sum())


def shape(kind: Kind, table: Tables, type_of: Integers, held: Integers, draws: Draws) -> Shape:
    """Return the base blocks of a kind with so many atoms of each type.

    Parameters
    ----------
    kind, table
        The kind, and the pairs in and between its atoms.
    type_of, held
        The type of each atom, and how many of each type a block has.
    draws
        Random blocks, for the mean and the variance.
    """
    atoms = np.argsort(type_of, kind="stable").astype(np.int64)
    ends = np.concatenate([[0], np.cumsum(np.bincount(type_of, minlength=len(held)))])
    counts = np.zeros((SAMPLES, table.own.shape[1]))
    for i in range(SAMPLES):
        mixed = atoms[np.lexsort((draws.permutation(len(atoms)), type_of[atoms]))]
        inside = np.concatenate([mixed[a : a + h] for a, h in zip(ends, held, strict=False)])
        within, between = table.own[inside], table.cross[np.ix_(inside, inside)]
        counts[i] = within.sum(axis=0) + between.sum(axis=(0, 1)) // 2
    counts *= kind.orbit
    return Shape(kind, table, atoms, ends, held, counts.mean(axis=0), counts.var(axis=0))


def shares(shapes: Sequence[Shape], goal: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Return what pairs of each orbit every base block should cover: in all it is the goal.

    What the means leave over goes to the blocks in proportion to their variances.
    """
    left = goal - np.sum([each.mean for each in shapes], axis=0)
    spread = np.sum([each.variance for each in shapes], axis=0)
    safe = np.where(spread > 0, spread, 1.0)
    even = 1 / len(shapes)
    return [each.mean + np.where(spread > 0, each.variance / safe, even) * left for each in shapes]
