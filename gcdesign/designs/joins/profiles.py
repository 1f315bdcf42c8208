"""How base blocks of one kind may meet the cells of a quotient."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.joins.quotients import Integers, Quotient, goal
from gcdesign.designs.prescribed import Kind, Prescribed

MAX_PROFILES = 6_000
"""Most profiles of one kind that are listed."""


@dataclass(frozen=True, eq=False)
class Profiles:
    """How base blocks of one kind may meet the cells of a quotient.

    Atoms are of one *type* if they have equally many points in each cell.

    Attributes
    ----------
    type_of
        Shape (atoms,): the type of each atom of the kind.
    counts
        Shape (profiles, types): how many atoms of each type a block has.
    covered
        Shape (profiles, classes): the pairs of each class that all its images cover.
    ways
        Shape (profiles,): the number of blocks, as a float.
    """

    type_of: Integers
    counts: Integers
    covered: Integers
    ways: NDArray[np.float64]


def profiles(wanted: Prescribed, kind: Kind, quotient: Quotient) -> Profiles | None:
    """List how base blocks of a kind may meet the cells, without covering a class too often.

    Returns None if there are more than `MAX_PROFILES`.

    Examples
    --------
    With three even points, or none, a block of Z6 would have too many pairs of equal parity.

    >>> from gcdesign.designs.actions import Action
    >>> from gcdesign.designs.joins.quotients import quotients
    >>> from gcdesign.designs.rings import Ring
    >>> wanted = Prescribed(Action(Ring.parse("Z6")), 3, 2)
    >>> listed = profiles(wanted, wanted.kinds[0], quotients(wanted)[0])
    >>> listed.counts.tolist(), listed.covered.tolist()
    ([[1, 2], [2, 1]], [[12, 6], [12, 6]])
    """
    cells = np.zeros((len(kind.atoms), quotient.cells), dtype=np.int64)
    np.add.at(cells, (kind.atom_of, quotient.cell_of), 1)
    types, type_of, held = np.unique(cells, axis=0, return_inverse=True, return_counts=True)
    limit = goal(wanted, quotient) // kind.orbit
    order = np.argsort(-types.sum(axis=1), kind="stable")
    counts = np.zeros((1, len(types)), dtype=np.int64)
    for place, t in enumerate(order):
        # The number of atoms of one type is added to each state; those that stay too small or
        # cover too much already are dropped.
        size = int(types[t].sum())
        options = np.arange(min(int(held[t]), wanted.k // size) + 1)
        counts = np.repeat(counts, len(options), axis=0)
        counts[:, t] += np.tile(options, len(counts) // len(options))
        points = counts @ types
        total = points.sum(axis=1)
        rest = order[place + 1 :]
        reach = int((types[rest].sum(axis=1) * held[rest]).sum())
        fits = (total <= wanted.k) & (total + reach >= wanted.k)
        counts, points = counts[fits], points[fits]
        if len(counts) > 4 * MAX_PROFILES:
            return None
        counts = counts[(quotient.covered(points) <= limit).all(axis=1)]
        if len(counts) > MAX_PROFILES:
            return None
    covered = kind.orbit * quotient.covered(counts @ types)
    return Profiles(type_of.reshape(-1), counts, covered, _ways(counts, held))


def _ways(counts: Integers, held: Integers) -> NDArray[np.float64]:
    from scipy.special import gammaln

    each = gammaln(held + 1) - gammaln(counts + 1) - gammaln(held - counts + 1)
    ways: NDArray[np.float64] = np.exp(each.sum(axis=1))
    return ways
