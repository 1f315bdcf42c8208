"""Lists of blocks and graphs of a placement."""

from __future__ import annotations

import io

import networkx as nx
import pytest

from gcdesign.designs import BlockDesign, projective_geometry
from gcdesign.designs.formats.blocklist import read_blocks, write_blocks
from gcdesign.designs.formats.graphs import write_edges, write_graphml
from gcdesign.errors import InputError, LimitError

HOLES = BlockDesign.from_blocks([[0, 3], [], [3]], points=6)


def refusal(text: str | bytes, error: type[Exception] = InputError) -> str:
    """Return the one-line message with which some content is refused."""
    with pytest.raises(error) as caught:
        read_blocks(text.encode() if isinstance(text, str) else text, name="bad")
    message = str(caught.value)
    assert type(caught.value) is error
    assert message.startswith("bad: ")
    assert "\n" not in message
    return message


def test_exact_text() -> None:
    assert write_blocks(HOLES) == (b"# gcdesign blocks v=6 b=3 (points 0-based)\n0 3\n\n3\n")
    assert read_blocks(write_blocks(HOLES), name="x") == HOLES


def test_header_gives_points_and_empty_blocks() -> None:
    nothing = BlockDesign.from_blocks([], points=4)
    assert read_blocks(write_blocks(nothing), name="x") == nothing
    text = b"# gcdesign blocks v=4 b=2\r\n3 1\r\n# note\r\n\r\n"
    assert read_blocks(text, name="x") == BlockDesign.from_blocks([[1, 3], []], points=4)


def test_without_header_points_are_counted_and_empty_lines_skipped() -> None:
    text = b"# blocks of my own\n\n 0\t2 \n1 0\n\n"
    assert read_blocks(text, name="x") == BlockDesign.from_blocks([[0, 2], [0, 1]])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "the file is empty"),
        ("# nothing\n", "holds no blocks"),
        ("0 1\n1,2\n", "line 2 holds '1,2'; expected point numbers separated by spaces"),
        ("0 -1\n", "line 1 holds '-1'"),
        ("0 1.0\n", "line 1 holds '1.0'"),
        ("0 1_0\n", "line 1 holds '1_0'"),
        ("0 ٣\n", "line 1 holds"),
        ("0 1 # end\n", "line 1 holds '#'"),
        ("0 " + "9" * 5000, "line 1 holds '9999"),
        ("0 1\n2 2\n", "block 1 holds point 2 twice"),
        ("# gcdesign blocks v=2 b=1\n0 2\n", "block 0 names point 2; expected points 0 to 1"),
        ("# gcdesign blocks v=2 b=2\n0 1\n", "the header says b=2, but 1 blocks follow"),
        ("# gcdesign blocks v=2 b=1\n0 1\n\n", "the header says b=1, but 2 blocks follow"),
        ("\ufeff0 1\n", "byte order mark"),
        (b"0 1\n\xff\n", "not UTF-8 text in line 2"),
    ],
)
def test_texts_that_are_refused(text: str | bytes, expected: str) -> None:
    assert expected in refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        f"# gcdesign blocks v={10**12} b=1\n0 1\n",
        f"0 {10**12}\n",
        f"0 {10**17}\n",
        "\n" * 10_000_001 + "0\n",
    ],
    ids=["header", "point", "large point", "lines"],
)
def test_texts_that_are_too_large(text: str) -> None:
    assert "the limit is 10000000" in refusal(text, LimitError)


@pytest.mark.parametrize("design", [projective_geometry(3), HOLES], ids=["plane", "holes"])
def test_graphml_keeps_all_nodes_with_their_kinds(design: BlockDesign) -> None:
    graph = nx.read_graphml(io.BytesIO(write_graphml(design)), node_type=int)
    assert not graph.is_directed()
    assert nx.utils.edges_equal(graph.edges, design.graph().edges)
    workers, nodes = design.b, design.b + design.v
    assert sorted(graph.nodes) == list(range(nodes))
    for node, attributes in graph.nodes(data=True):
        expected = (0, "worker") if node < workers else (1, "part")
        assert (attributes["bipartite"], attributes["kind"]) == expected


def test_graphs_are_written_the_same_each_time_and_leave_the_design_alone() -> None:
    assert write_graphml(HOLES) == write_graphml(HOLES)
    kinds = {attributes["kind"] for _, attributes in HOLES.graph().nodes(data=True)}
    assert kinds == {"block", "point"}


@pytest.mark.parametrize("design", [projective_geometry(3), HOLES], ids=["plane", "holes"])
def test_edge_list(design: BlockDesign) -> None:
    text = write_edges(design)
    assert text.startswith(f"# workers={design.b} parts={design.v}\n".encode())
    graph = nx.read_edgelist(io.BytesIO(text), nodetype=int)
    assert nx.utils.edges_equal(graph.edges, design.graph().edges)


def test_graphs_of_nothing() -> None:
    nothing = BlockDesign.from_blocks([])
    assert write_edges(nothing) == b"# workers=0 parts=0\n"
    assert len(nx.read_graphml(io.BytesIO(write_graphml(nothing)))) == 0
