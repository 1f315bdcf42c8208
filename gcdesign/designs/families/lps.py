"""Ramanujan graphs of Lubotzky, Phillips, Sarnak and of Margulis as expander codes."""

from __future__ import annotations

from gcdesign.designs.design import BlockDesign, Provenance, Size
from gcdesign.designs.graphs.graph import adjacency_design, half_design
from gcdesign.designs.graphs.lps import is_square, lps_graph, lps_order
from gcdesign.designs.near import near_members
from gcdesign.designs.registry import Family, Parameter


def construct(p: int, q: int) -> BlockDesign:
    """Return the placement of X^{p,q}: load and replication p + 1, σ₂ ≤ 2√p.

    If p is a square modulo q, worker i holds the parts that are its neighbours among the
    N = K = q(q² − 1)/2 vertices. Otherwise the graph is bipartite and gives its half: one side
    works, the other is the parts, again N = K = q(q² − 1)/2.

    Parameters and errors as in `gcdesign.designs.graphs.lps.lps_graph`.

    Notes
    -----
    Source: Lubotzky, Phillips, Sarnak 1988; Margulis 1988; as gradient codes Raviv, Tamo,
    Tandon, Dimakis 2020, Example 19.
    """
    graph, provenance = lps_graph(p, q), Provenance.of("lps", p=p, q=q)
    return (adjacency_design if is_square(p, q) else half_design)(graph, provenance)


def size(p: int, q: int) -> Size:
    """Return the size of the placement; errors as in `construct`."""
    order = lps_order(p, q)
    side = order if is_square(p, q) else order // 2
    return Size(side, side, side * (p + 1))


FAMILY = Family(
    name="lps",
    summary="Ramanujan graph X^{p,q} of Lubotzky, Phillips, Sarnak and Margulis",
    source="Lubotzky, Phillips, Sarnak 1988; Raviv, Tamo, Tandon, Dimakis 2020",
    parameters=(
        Parameter("p", "degree minus 1, a prime ≡ 1 mod 4"),
        Parameter("q", "order of the field, another prime ≡ 1 mod 4; q > 2√p is enough"),
    ),
    construct=construct,
    size=size,
    label=lambda p, q: f"LPS({p},{q})",
    example={"p": 13, "q": 5},
    domain="different primes p, q ≡ 1 mod 4, q > 2√p (or the p+1 generators still generate)",
    point_transitive=True,
    near=near_members(
        "lps",
        size,
        lambda workers, load: (
            {"p": p, "q": q} for p in range(5, load, 4) for q in range(5, 4 + workers, 4)
        ),
    ),
)
