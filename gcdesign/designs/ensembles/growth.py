"""Progressive edge growth: graphs with given degrees and long shortest cycles."""

from __future__ import annotations

import numpy as np

from gcdesign.designs.design import Provenance
from gcdesign.designs.ensembles.counts import DegreeSequences
from gcdesign.designs.ensembles.pairing import (
    Multigraph,
    assembled,
    check_graphical,
    without_repeats,
)
from gcdesign.designs.randomness import Draws
from gcdesign.errors import LimitError

MAX_STEPS = 20_000_000_000
"""Largest product of edges and nodes; a search through the graph stands behind each edge."""


def grown_graph(
    sequences: DegreeSequences, draws: Draws, *, provenance: Provenance | None = None
) -> Multigraph:
    """Grow a graph edge by edge; each edge closes a cycle that is as long as possible.

    Parameters
    ----------
    sequences
        The degrees of parts and workers, kept exactly; dealt to the nodes at random.
    draws
        Where the random choices come from.
    provenance
        For the design.

    Raises
    ------
    InputError
        If no graph without repeated edges has these degrees.
    LimitError
        If the graph is so large that growing it would take more than some minutes.

    Notes
    -----
    Source: Hu, Eleftheriou, Arnold 2005, Regular and irregular progressive edge-growth Tanner
    graphs; here the workers' degrees are given too, so that an edge goes to the farthest worker
    with room. The last edges may find none but neighbours, and are then switched with others.

    Examples
    --------
    >>> threes = DegreeSequences(np.full(14, 3), np.full(14, 3))
    >>> grown_graph(threes, Draws(0)).design.replication_numbers.tolist() == [3] * 14
    True
    """
    held = sequences.parts[draws.permutation(len(sequences.parts))]
    loads = sequences.workers[draws.permutation(len(sequences.workers))]
    check_graphical(loads, held)
    steps = sequences.edges * (sequences.edges + len(loads))
    if steps > MAX_STEPS:
        raise LimitError(
            f"growing {sequences.edges} edges takes about {steps:.3g} steps; the limit is "
            f"{MAX_STEPS:.3g}: draw the graph at random"
        )
    from gcdesign.designs.ensembles.growth_kernel import grow

    # Parts with few edges first, which lets their cycles be longest.
    order = np.argsort(held, kind="stable")
    pairs = grow(order, held, loads, draws.uniform(len(loads)))
    pairs = without_repeats(pairs, loads, held, draws)
    return assembled(pairs, len(loads), len(held), provenance)
