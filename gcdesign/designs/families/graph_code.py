"""Graph codes of Glasgow and Wootters: machines are the edges of a graph, two blocks each."""

from __future__ import annotations

from collections.abc import Iterator

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.graphs.catalogue import GRAPHS, full_name, graph_order
from gcdesign.designs.graphs.catalogue import graph as named_graph
from gcdesign.designs.graphs.graph import edge_design
from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.values import GRAPH


def construct(graph: str) -> BlockDesign:
    """Return the placement with an edge of a graph as worker, which holds its two ends.

    N = nd/2 for a d-regular graph, K = n, L = 2, R = d. Loops are left out.

    Parameters
    ----------
    graph
        Name of a graph in `gcdesign.designs.graphs.catalogue`.

    Notes
    -----
    Source: Glasgow and Wootters 2021, Approximate gradient coding with optimal decoding. The
    worst error is at most K(2d − l)/(2d)·p/(1 − p) for a spectral gap l and a share p of
    stragglers.
    """
    name = full_name(graph)
    check_size(size(name), name=f"graph-code:graph={name}")
    return edge_design(named_graph(name), Provenance.of("graph-code", graph=name))


def size(graph: str) -> Size:
    """Return the size of the placement."""
    order = graph_order(graph)
    return Size(order.vertices, order.edges, 2 * order.edges)


def near(workers: int, load: int) -> Iterator[str]:
    """Yield a random regular graph of degree L: a worker computes the share L/N of the data."""
    vertices, over = divmod(2 * workers, load)
    if not over and 2 <= load < vertices:
        yield f"graph-code:graph=(regular:n={vertices},degree={load},seed=0)"


FAMILY = Family(
    name="graph-code",
    summary="graph code: an edge of a graph holds the parts at its two ends",
    source="Glasgow and Wootters 2021",
    parameters=(Parameter("graph", f"a graph: {', '.join(GRAPHS)}", kind=GRAPH),),
    construct=construct,
    size=size,
    label=lambda graph: f"graph code of {graph}",
    example={"graph": "petersen"},
    domain="any named graph",
    near=near,
)
