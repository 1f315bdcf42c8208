"""The bipartite graph of a placement: workers 0, …, N − 1 and parts N, …, N + K − 1."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from gcdesign.designs.design import BlockDesign, Size, check_size
from gcdesign.designs.formats.markup import walk, whole_number
from gcdesign.designs.formats.text import naming, shown
from gcdesign.errors import InputError

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


def read_graphml(data: bytes, *, name: str) -> BlockDesign:
    """Read a GraphML file whose nodes have the attribute ``bipartite``: 0 block, 1 point.

    Blocks and points are numbered in the order in which the nodes are listed.

    Parameters
    ----------
    data
        The file's content.
    name
        The file's name, for messages.

    Raises
    ------
    InputError
        If it is no XML, a node has no side, or an edge does not go from one side to the other.
    LimitError
        If the design is too large.

    Examples
    --------
    >>> design = BlockDesign.from_blocks([[0, 2], [2]])
    >>> read_graphml(write_graphml(design), name="small.graphml") == design
    True
    """
    with naming(name):
        graph = _Sides()
        walk(data, start=graph.start, end=graph.end)
        blocks: list[list[int]] = [[] for _ in range(graph.counts[0])]
        for ends in graph.edges:
            sides = sorted(graph.node(end) for end in ends)
            if [side for side, _ in sides] != [0, 1]:
                raise InputError(
                    f"the edge from {shown(ends[0])} to {shown(ends[1])} stays on one side"
                )
            blocks[sides[0][1]].append(sides[1][1])
        return BlockDesign.from_blocks(blocks, points=graph.counts[1])


class _Sides:
    """The nodes of a GraphML file with their sides and numbers, and its edges."""

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self.numbers: dict[str, tuple[int, int]] = {}
        self.counts = [0, 0]
        self.edges: list[tuple[str, str]] = []
        self._open = self._key = ""

    def start(self, path: tuple[str, ...], given: dict[str, str]) -> None:
        match path[-1]:
            case "key" if given.get("attr.name") == "bipartite":
                self.keys.add(given.get("id", ""))
            case "node":
                self._open = given.get("id", "")
            case "data":
                self._key = given.get("key", "")
            case "edge":
                self.edges.append((given.get("source", ""), given.get("target", "")))

    def end(self, path: tuple[str, ...], text: str) -> None:
        if path[-2:] != ("node", "data") or self._key not in self.keys:
            return
        side = whole_number(text, f"bipartite of the node {shown(self._open)}")
        if side > 1 or self._open in self.numbers:
            raise InputError(
                f"the node {shown(self._open)} has a side twice, or one beyond 0 and 1"
            )
        self.numbers[self._open] = side, self.counts[side]
        self.counts[side] += 1
        check_size(Size(self.counts[1], self.counts[0], len(self.edges)))

    def node(self, identifier: str) -> tuple[int, int]:
        """Return the side of a node and its number there."""
        if identifier not in self.numbers:
            raise InputError(f"the node {shown(identifier)} has no attribute bipartite, 0 or 1")
        return self.numbers[identifier]


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
