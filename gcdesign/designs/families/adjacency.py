"""Expander codes of named graphs: a vertex works on the parts of its neighbours."""

from __future__ import annotations

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.graphs.catalogue import GRAPHS, full_name, graph_order
from gcdesign.designs.graphs.catalogue import graph as named_graph
from gcdesign.designs.graphs.graph import adjacency_design
from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.values import GRAPH


def construct(graph: str) -> BlockDesign:
    """Return the placement of a named graph's adjacency matrix, N = K = n.

    A bipartite graph gives two placements side by side; of its graphs `lps` takes the half.

    Parameters
    ----------
    graph
        Name of a graph in `gcdesign.designs.graphs.catalogue`.

    Notes
    -----
    Source: Raviv, Tamo, Tandon, Dimakis 2020, section on expander codes.
    """
    name = full_name(graph)
    check_size(size(name), name=f"adjacency:graph={name}")
    return adjacency_design(named_graph(name), Provenance.of("adjacency", graph=name))


def size(graph: str) -> Size:
    """Return the size of the placement."""
    order = graph_order(graph)
    return Size(order.vertices, order.vertices, 2 * order.edges + order.loops)


FAMILY = Family(
    name="adjacency",
    summary="expander code: a vertex of a graph holds its neighbours' parts",
    source="Raviv, Tamo, Tandon, Dimakis 2020",
    parameters=(Parameter("graph", f"a graph: {', '.join(GRAPHS)}", kind=GRAPH),),
    construct=construct,
    size=size,
    label=lambda graph: f"adjacency of {graph}",
    example={"graph": "petersen"},
    domain="any named graph",
)
