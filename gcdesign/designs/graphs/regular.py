"""Random regular graphs and random biregular placements, by pairing and switching."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.graphs.graph import Graph
from gcdesign.designs.randomness import Draws
from gcdesign.errors import InputError

Pairs = NDArray[np.int64]

MAX_ROUNDS = 400
"""Rounds of switches after which a new pairing is drawn."""

MIXING_ROUNDS = 10
MIXING_SWITCHES = 1 << 17
"""Rounds of switches among good pairs, at most so many in all."""


def random_regular_graph(n: int, degree: int, seed: int) -> Graph:
    """Return a random simple d-regular graph on n vertices.

    Raises
    ------
    InputError
        If there is none: d must lie between 0 and n − 1, and d·n must be even.

    Notes
    -----
    Source: the pairing model of Bollobás 1980; pairs that would be loops or multiple edges
    are switched away as in McKay and Wormald 1990. The law is close to uniform, not exactly
    uniform.

    Examples
    --------
    >>> random_regular_graph(20, 3, seed=1).degrees.tolist() == [3] * 20
    True
    """
    check_regular(n, degree)
    draws = Draws(seed)
    if degree > (n - 1) // 2:
        return _complement(n, _random_edges(n, n - 1 - degree, draws))
    return Graph.from_edges(n, _random_edges(n, degree, draws))


def check_regular(n: int, degree: int) -> None:
    """Refuse degrees that no simple graph on n vertices has, and name the nearest."""
    if n < 1:
        raise InputError(f"n={n}; expected 1 vertex or more")
    if not 0 <= degree < n:
        raise InputError(f"degree={degree}; expected 0 to {n - 1} (n - 1)")
    if n * degree % 2:
        near = " or ".join(
            [f"degree={d}" for d in (degree - 1, degree + 1) if 0 <= d < n] + [f"n={n + 1}"]
        )
        raise InputError(
            f"n={n} times degree={degree} is odd, and every edge has two ends; the nearest: {near}"
        )


def random_incidences(workers: int, parts: int, load: int, draws: Draws) -> NDArray[np.int32]:
    """Return a random biregular placement: row w holds the parts of worker w, increasing.

    Shape (workers, load). Every part occurs workers·load/parts times, which must be whole.
    """
    few = min(load, parts - load)
    held = np.empty((workers, 0), dtype=np.int64)
    if few:
        copies = workers * few // parts
        left = np.repeat(np.arange(workers, dtype=np.int64), few)
        pairs = _switched(left, np.repeat(np.arange(parts, dtype=np.int64), copies), parts, draws)
        held = pairs[np.lexsort((pairs[:, 1], pairs[:, 0])), 1].reshape(workers, few)
    if few == load:
        return held.astype(np.int32)
    kept = np.ones((workers, parts), dtype=bool)
    np.put_along_axis(kept, held, False, axis=1)
    return np.nonzero(kept)[1].astype(np.int32).reshape(workers, load)


def _random_edges(n: int, degree: int, draws: Draws) -> Pairs:
    ends = np.repeat(np.arange(n, dtype=np.int64), degree)
    ends = ends[draws.permutation(len(ends))]
    middle = len(ends) // 2
    return _switched(ends[:middle], ends[middle:], n, draws, one_side=True)


def _complement(n: int, edges: Pairs) -> Graph:
    joined = ~np.eye(n, dtype=bool)
    joined[edges[:, 0], edges[:, 1]] = joined[edges[:, 1], edges[:, 0]] = False
    return Graph.from_arcs(n, *np.nonzero(joined))


def _switched(
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    bound: int,
    draws: Draws,
    *,
    one_side: bool = False,
) -> Pairs:
    """Return random pairs (left, right) without repetition; each end keeps its degree.

    A bad pair, a repeated one or, with ``one_side``, a loop, changes its right end with a pair
    chosen at random, all bad pairs at once; switches that would make bad pairs or get into
    each other's way are left for the next round. Once no pair is bad, half of all pairs take
    their turn for some rounds: the repair alone prefers placements far from bad ones. That bias
    falls with the number of pairs, and so does the number of rounds.
    """
    while True:
        pairs = np.stack([left, right[draws.permutation(len(right))]], axis=1)
        if repaired(pairs, bound, draws, one_side=one_side):
            rounds = min(MIXING_ROUNDS, MIXING_SWITCHES // max(len(pairs), 1))
            return mixed(pairs, bound, draws, rounds=rounds, one_side=one_side)


def repaired(pairs: Pairs, bound: int, draws: Draws, *, one_side: bool = False) -> bool:
    """Switch bad pairs with others, in place; return whether none is left after some rounds.

    Parameters
    ----------
    pairs
        Shape (pairs, 2): the left and the right end of each; each end keeps its degree.
    bound
        More than every right end.
    draws
        Where the random choices come from.
    one_side
        Whether both ends are vertices of one graph, so that loops are bad too.
    """
    for _ in range(MAX_ROUNDS):
        keys = _keys(pairs, bound, one_side=one_side)
        bad = _bad(keys)
        if not len(bad):
            return True
        _switch(pairs, keys, bad, bound, draws, one_side=one_side)
    return False


def mixed(pairs: Pairs, bound: int, draws: Draws, *, rounds: int, one_side: bool = False) -> Pairs:
    """Let half of the pairs take their turn to be switched, in place, in each of some rounds."""
    for _ in range(rounds):
        some = np.sort(draws.permutation(len(pairs))[: len(pairs) // 2])
        keys = _keys(pairs, bound, one_side=one_side)
        _switch(pairs, keys, some, bound, draws, one_side=one_side)
    return pairs


def _keys(pairs: Pairs, bound: int, *, one_side: bool) -> NDArray[np.int64]:
    """Return one number for each pair, the same for equal pairs; −1 for a loop."""
    if not one_side:
        return pairs[:, 0] * bound + pairs[:, 1]
    keys = pairs.min(axis=1) * bound + pairs.max(axis=1)
    return np.where(pairs[:, 0] == pairs[:, 1], -1, keys)


def _bad(keys: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return the places of loops, and of all but the first of equal keys."""
    first = np.zeros(len(keys), dtype=bool)
    first[np.unique(keys, return_index=True)[1]] = True
    return np.flatnonzero(~first | (keys < 0))


def _switch(
    pairs: Pairs,
    keys: NDArray[np.int64],
    bad: NDArray[np.intp],
    bound: int,
    draws: Draws,
    *,
    one_side: bool,
) -> None:
    """Make the switches of one round, in place."""
    partner = draws.below(len(pairs), len(bad))
    if one_side:
        turned = partner[draws.below(2, len(bad)) == 1]
        pairs[turned] = pairs[turned][:, ::-1]
    first = np.stack([pairs[bad, 0], pairs[partner, 1]], axis=1)
    second = np.stack([pairs[partner, 0], pairs[bad, 1]], axis=1)
    fresh = np.stack([_keys(new, bound, one_side=one_side) for new in (first, second)])
    good = ~(np.isin(fresh, keys) | (fresh < 0)).any(axis=0) & ~np.isin(partner, bad)
    chosen = np.flatnonzero(good)
    _, times = np.unique(partner[chosen], return_inverse=True)
    alone = np.bincount(times)[times] == 1
    chosen = chosen[alone]
    values, times = np.unique(fresh[:, chosen], return_inverse=True)
    alone = (np.bincount(times.ravel(), minlength=len(values))[times] == 1).reshape(2, -1)
    chosen = chosen[alone.all(axis=0)]
    pairs[bad[chosen]], pairs[partner[chosen]] = first[chosen], second[chosen]
