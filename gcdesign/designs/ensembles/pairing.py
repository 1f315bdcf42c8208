"""The configuration model: edges as a random pairing of the two sides' sockets.

A node of degree d has d sockets, and a uniform permutation pairs the sockets of the parts with
those of the workers. Two edges between the same nodes can come out: they are counted, as an edge
of weight 2; dropped, so that the degrees fall; or switched with others, so that all degrees stay.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, Provenance, offsets
from gcdesign.designs.ensembles.counts import DegreeSequences
from gcdesign.designs.graphs.regular import mixed, repaired
from gcdesign.designs.randomness import Draws
from gcdesign.errors import InputError

Repeated = Literal["count", "drop", "switch"]
"""What becomes of edges between the same two nodes."""

MIXING = 30
"""Rounds of switches, each of about half of the edges, that forget the graph they began with."""

Ints = NDArray[np.int64]


class Multigraph(NamedTuple):
    """Who holds what, with numbers of edges.

    Attributes
    ----------
    design
        Blocks are workers, points are parts.
    multiplicities
        Shape (incidences,): how many edges each incidence stands for.
    """

    design: BlockDesign
    multiplicities: Ints


def configuration_model(
    sequences: DegreeSequences,
    draws: Draws,
    *,
    repeated: Repeated = "switch",
    provenance: Provenance | None = None,
) -> Multigraph:
    """Draw a graph with these degrees.

    Parameters
    ----------
    sequences
        The degrees of parts and workers; they are dealt to the nodes at random.
    draws
        Where the random choices come from.
    repeated
        ``"count"`` keeps edges between the same two nodes as one incidence with its number;
        ``"drop"`` keeps one of them; ``"switch"`` exchanges ends with random other edges until
        none is repeated, which keeps every degree and is close to uniform.
    provenance
        For the design.

    Raises
    ------
    InputError
        If no graph without repeated edges has these degrees, and they are to be switched away.

    Notes
    -----
    Source: the pairing model of Bollobás 1980, as for the ensembles of Richardson and Urbanke
    2008; switches as in McKay and Wormald 1990.

    Examples
    --------
    >>> from gcdesign.designs.ensembles.counts import DegreeSequences
    >>> twos = DegreeSequences(np.full(4, 2), np.full(4, 2))
    >>> configuration_model(twos, Draws(1)).design.parameters.as_tuple()[:4]
    (4, 4, 2, 2)
    """
    held = sequences.parts[draws.permutation(len(sequences.parts))]
    loads = sequences.workers[draws.permutation(len(sequences.workers))]
    pairs = np.empty((sequences.edges, 2), dtype=np.int64)
    pairs[:, 0] = np.repeat(np.arange(len(loads)), loads)
    pairs[:, 1] = np.repeat(np.arange(len(held)), held)[draws.permutation(len(pairs))]
    if repeated == "switch":
        pairs = without_repeats(pairs, loads, held, draws)
    return assembled(pairs, len(loads), len(held), provenance)


def assembled(pairs: Ints, workers: int, parts: int, provenance: Provenance | None) -> Multigraph:
    """Return the graph of pairs (worker, part), those that occur several times as one."""
    keys, times = np.unique(pairs[:, 0] * parts + pairs[:, 1], return_counts=True)
    indptr = offsets(np.bincount(keys // parts, minlength=workers))
    design = BlockDesign.from_arrays(
        parts, indptr, (keys % parts).astype(np.int32), provenance=provenance
    )
    return Multigraph(design, times.astype(np.int64))


def check_graphical(loads: Ints, held: Ints) -> None:
    """Refuse degrees that no bipartite graph without repeated edges has.

    Raises
    ------
    InputError
        If the condition of Gale and Ryser fails: some workers ask for more parts than there are.
    """
    asked = np.cumsum(np.sort(loads)[::-1])
    # offered[m]: at most so many edges reach m workers, min(m, d) from a part of degree d.
    numbers = np.bincount(held, minlength=len(loads) + 1)
    at_least = np.cumsum(numbers[::-1])[::-1][1 : len(loads) + 1]
    offered = np.cumsum(at_least)
    short = np.flatnonzero(asked > offered)
    if len(short):
        m = int(short[0]) + 1
        raise InputError(
            f"the {m} workers of largest degree have {asked[m - 1]} edges, and the parts offer "
            f"them at most {offered[m - 1]} without repeating one; expected smaller degrees"
        )


def without_repeats(pairs: Ints, loads: Ints, held: Ints, draws: Draws) -> Ints:
    """Return pairs without repetition: the given ones repaired, or others with these degrees.

    Raises
    ------
    InputError
        If there are none.
    """
    check_graphical(loads, held)
    if repaired(pairs, len(held), draws):
        return pairs
    # So tight that random switches do not get there: from one that exists.
    return mixed(_greedy(loads, held), len(held), draws, rounds=MIXING)


def _greedy(loads: Ints, held: Ints) -> Ints:
    """Return pairs without repetition: each worker takes the parts that want most edges still.

    Workers come in decreasing order of their degrees, which succeeds whenever the condition of
    Gale and Ryser holds.
    """
    left, rows = held.copy(), []
    for worker in np.argsort(-loads, kind="stable"):
        chosen = np.argsort(-left, kind="stable")[: loads[worker]]
        left[chosen] -= 1
        rows.append(np.stack([np.full(len(chosen), worker), chosen], axis=1))
    if left.any():
        raise InputError("no graph has these degrees; expected ones that fit each other")
    return np.concatenate(rows)
