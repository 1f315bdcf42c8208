"""The bipartite graph of a placement: workers 0, …, N − 1 and parts N, …, N + K − 1."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from gcdesign.designs.design import BlockDesign

if TYPE_CHECKING:
    import networkx


def write_graphml(design: BlockDesign) -> bytes:
    """Return the graph as GraphML, with the attributes ``bipartite`` (0, 1) and ``kind``.

    ``kind`` is ``worker`` or ``part``. Nodes without edges are kept.
    """
    import networkx as nx

    buffer = BytesIO()
    # Not write_graphml: its bytes depend on whether lxml is installed.
    nx.write_graphml_xml(_graph(design), buffer)
    return buffer.getvalue()


def write_edges(design: BlockDesign) -> bytes:
    r"""Return the graph as lines ``worker part``, under a comment that counts the nodes.

    Examples
    --------
    >>> write_edges(BlockDesign.from_blocks([[0], [0, 1]]))
    b'# workers=2 parts=2\n0 2\n1 2\n1 3\n'
    """
    header = f"# workers={design.b} parts={design.v}\n"
    workers = design.block_of_incidence.tolist()
    parts = (design.indices + design.b).tolist()
    lines = (f"{worker} {part}\n" for worker, part in zip(workers, parts, strict=True))
    return (header + "".join(lines)).encode("ascii")


def _graph(design: BlockDesign) -> networkx.Graph[int]:
    graph = design.graph()
    for _, attributes in graph.nodes(data=True):
        attributes["kind"] = ("worker", "part")[attributes["bipartite"]]
    return graph
