"""Polarity graphs of projective planes as expander codes."""

from __future__ import annotations

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.graphs.catalogue import polarity_graph, polarity_order
from gcdesign.designs.graphs.graph import adjacency_design
from gcdesign.designs.registry import Family, Parameter


def construct(q: int) -> BlockDesign:
    """Return the placement of the polarity graph ER_q, loops kept: N = K = q² + q + 1.

    The encoding matrix is symmetric with square qI + J, so this is PG(2,q) with its blocks
    in an order in which worker i holds part j if and only if j holds i: the same errors, by a
    graph instead of a design.

    Raises
    ------
    InputError
        If q is no prime power, with the nearest that are.

    Notes
    -----
    Source: Erdős and Rényi 1962; Brown 1966.
    """
    check_size(size(q), name=f"polarity:q={q}")
    return adjacency_design(polarity_graph(q), Provenance.of("polarity", q=q))


def size(q: int) -> Size:
    """Return the size of the placement; errors as in `construct`."""
    n = polarity_order(q).vertices
    return Size(n, n, n * (q + 1))


FAMILY = Family(
    name="polarity",
    summary="polarity graph of PG(2,q), with loops at its absolute points",
    source="Erdős and Rényi 1962; Brown 1966",
    parameters=(Parameter("q", "order of the plane, a prime power"),),
    construct=construct,
    size=size,
    label=lambda q: f"polarity graph ER({q})",
    example={"q": 4},
    domain="prime powers q",
    point_transitive=True,
)
