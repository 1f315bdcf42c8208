"""Paley graphs as expander codes."""

from __future__ import annotations

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.graphs.catalogue import paley_graph, paley_order
from gcdesign.designs.graphs.graph import adjacency_design
from gcdesign.designs.near import about, near_members
from gcdesign.designs.registry import Family, Parameter


def construct(q: int) -> BlockDesign:
    """Return the placement of the Paley graph: N = K = q, L = R = (q − 1)/2, σ₂ = (1 + √q)/2.

    Raises
    ------
    InputError
        If q is no prime power ≡ 1 (mod 4), with the nearest that are.

    Notes
    -----
    Source: Paley 1933; strongly regular.
    """
    check_size(size(q), name=f"paley:q={q}")
    return adjacency_design(paley_graph(q), Provenance.of("paley", q=q))


def size(q: int) -> Size:
    """Return the size of the placement; errors as in `construct`."""
    order = paley_order(q)
    return Size(q, q, 2 * order.edges)


FAMILY = Family(
    name="paley",
    summary="Paley graph: worker x holds the parts x + square of GF(q)",
    source="Paley 1933, as an expander code of Raviv, Tamo, Tandon, Dimakis 2020",
    parameters=(Parameter("q", "number of workers, a prime power ≡ 1 mod 4"),),
    construct=construct,
    size=size,
    label=lambda q: f"Paley({q})",
    example={"q": 13},
    domain="prime powers q ≡ 1 mod 4",
    point_transitive=True,
    near=near_members("paley", size, lambda workers, load: ({"q": q} for q in about(workers))),
)
