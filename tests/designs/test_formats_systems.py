"""Files of other systems: what GAP has written, what networkx and GAP read, hostile files."""

from __future__ import annotations

import json
import shutil
import subprocess
import tracemalloc
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.designs import BlockDesign, affine_geometry, projective_geometry, verify
from gcdesign.designs.formats import encode, read, read_file
from gcdesign.designs.formats.designtheory import read_list
from gcdesign.designs.formats.sage import read_sage
from gcdesign.designs.symmetry import certificate
from gcdesign.errors import GcdesignError, InputError, LimitError

DATA = Path(__file__).parents[1] / "data"
FANO = [[0, 1, 2], [0, 3, 4], [0, 5, 6], [1, 3, 5], [1, 4, 6], [2, 3, 6], [2, 4, 5]]
TWICE = [[0, 1], [0, 1], [2, 3], [2, 3]]


def design_in(data: str | bytes, kind: str) -> BlockDesign:
    found = read(data.encode() if isinstance(data, str) else data, kind=kind, name="x")
    assert isinstance(found, BlockDesign)
    return found


def refusal(data: str | bytes, kind: str, error: type[Exception] = InputError) -> str:
    with pytest.raises(error) as caught:
        read(data.encode() if isinstance(data, str) else data, kind=kind, name="bad")
    message = str(caught.value)
    assert type(caught.value) is error
    assert message.startswith("bad: ")
    assert "\n" not in message
    assert len(message) < 300
    return message


# --- files that GAP has written -----------------------------------------------------------


@pytest.mark.parametrize("suffix", ["g", "xml"])
def test_designs_that_gap_has_written(suffix: str) -> None:
    fano = read_file(DATA / f"fano-gap.{suffix}")
    twice = read_file(DATA / f"mult-gap.{suffix}")
    plane = read_file(DATA / f"ag23-gap.{suffix}")
    assert isinstance(fano, BlockDesign)
    assert isinstance(plane, BlockDesign)
    assert fano == BlockDesign.from_blocks(FANO)
    assert twice == BlockDesign.from_blocks(TWICE)
    assert certificate(plane) == certificate(affine_geometry(3))
    assert certificate(fano) == certificate(projective_geometry(2))


def test_lists_that_gap_has_written() -> None:
    """The four 2-(8, 4, 3) designs."""
    designs = read_list((DATA / "list-gap.xml").read_bytes(), name="list")
    assert [verify(design).lambda_ for design in designs] == [3] * 4
    assert len({certificate(design) for design in designs}) == 4
    for suffix, text in (("xml", "holds 4 block designs"), ("g", "holds several designs")):
        with pytest.raises(InputError, match=text):
            read_file(DATA / f"list-gap.{suffix}")


GAP = """
if LoadPackage("design") <> true then Print("no design package\\n"); QUIT_GAP(); fi;
SizeScreen([4096, 24]);
D := ReadAsFunction("{folder}/x.g")();;
Print("@", D.v, " ", D.blocks, "\\n");
L := BlockDesignsFromXMLFile("{folder}/x.xml");;
Print("@", L.list[1].v, " ", L.list[1].blocks, "\\n");
QUIT;
"""


@pytest.mark.parametrize("blocks", [FANO, [*TWICE[::-1], [0, 2, 4]]])
def test_gap_reads_what_is_written(blocks: list[list[int]], tmp_path: Path) -> None:
    program = shutil.which("gap")
    if program is None:
        pytest.skip("GAP is not installed (Debian: gap-core gap-design)")
    design = BlockDesign.from_blocks(blocks, points=8)
    (tmp_path / "x.g").write_bytes(encode(design, "gap"))
    (tmp_path / "x.xml").write_bytes(encode(design, "designtheory"))
    (tmp_path / "run.g").write_text(GAP.format(folder=tmp_path))
    done = subprocess.run(
        [program, "-q", "-A", "-r", str(tmp_path / "run.g")],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    if "no design package" in done.stdout:
        pytest.skip("the GAP package design is not installed (Debian: gap-design)")
    answers = done.stdout.replace("\n", "").split("@")[1:]
    assert len(answers) == 2
    for answer in answers:
        v, _, text = answer.partition(" ")
        assert int(v) == 8
        assert json.loads(text) == sorted([p + 1 for p in sorted(block)] for block in blocks)


# --- GAP and Sage -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "[[0, 1, 2], [0, 3, 4], [0, 5, 6], [1, 3, 5], [1, 4, 6], [2, 3, 6], [2, 4, 5]]",
        "[(0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5),]",
        "IncidenceStructure(7, [{0, 1, 2}, {0, 3, 4}, {0, 5, 6}, {1, 3, 5}, {1, 4, 6},"
        " {2, 3, 6}, {2, 4, 5}])  # as in Sage's manual",
        "IncidenceStructure([[0,1,2],[0,3,4],[0,5,6],[1,3,5],[1,4,6],[2,3,6],[2,4,5]])",
        "IncidenceStructure([[3,5,9],[3,10,11],[3,20,30],[5,10,20],[5,11,30],[9,10,30],[9,11,20]])",
    ],
)
def test_lists_of_sage(text: str) -> None:
    assert design_in(text, "sage") == BlockDesign.from_blocks(FANO)


@pytest.mark.parametrize(
    "text",
    [
        'rec(v:=7,blocks:=[[1..4],[1,3..7],[3,2..1]],g:=Group([(1,2)(3,4)]),s:="),[\\"");;',
        "return BlockDesign(7, [[1,2,3,4], # a comment, ]\n[1,3,5,7],[1,2,3]]);",
        "[ rec( blocks := [ [1..4], [1,3,5,7], [1,2,3] ], v := 7 ) ]",
    ],
)
def test_ways_to_write_a_design_for_gap(text: str) -> None:
    assert design_in(text, "gap").blocks() == [[0, 1, 2, 3], [0, 2, 4, 6], [0, 1, 2]]


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("gap", "", "the file is empty"),
        ("gap", "Print(1);", "does not start like a block design of GAP"),
        ("gap", "rec( v := 3 )", "the record has no v or no blocks"),
        ("gap", "rec( v := 3, v := 3 )", "v is given twice"),
        ("gap", "rec( v := x )", "line 1 has 'x'; expected a whole number"),
        ("gap", "rec( v := 3,\nblocks := [ [ 1, 2 ], [ 1,", "line 2 has the end; expected"),
        ("gap", "rec( v := 3, blocks := [ [ 1, -2 ] ] )", "line 1 has '-'; expected a whole"),
        ("gap", "rec( v := 3, blocks := [ [ 0, 2 ] ] )", "GAP counts points from 1"),
        ("gap", "rec( v := 3, blocks := [ [ 1, 4 ] ] )", "block 0 names point 3"),
        ("gap", "rec( v := 3, blocks := [ [ 1, 1 ] ] )", "holds point 0 twice"),
        ("gap", "rec( v := 3, blocks := [ [ 1, 4 .. 2 ] ] )", "is no range"),
        ("gap", "rec( v := 3, blocks := [ [ 1 ] ], g := Group( [ (1,2] ) )", "] closes nothing"),
        ("gap", 'rec( v := 3, blocks := [ [ 1 ] ], s := "x )', "a quotation mark without"),
        ("gap", 'rec( v := 3, blocks := [ [ 1 ] ] ); Exec("ls");', "one design and nothing after"),
        ("gap", "rec( v := 3, blocks := [ [ [ 1 ] ] ] )", "line 1 has '['; expected a whole"),
        ("gap", "rec( v := " + "9" * 30, "a number of at most 18 digits"),
        ("sage", "[]", "does not say how many"),
        ("sage", "IncidenceStructure(", "line 1 has the end; expected a list of blocks"),
        ("sage", "IncidenceStructure()", "the call has no blocks"),
        ("sage", "IncidenceStructure(5)", "blocks are 5; expected a list"),
        ("sage", "IncidenceStructure(incidence_matrix=[[0]])", "the call has no blocks"),
        ("sage", "IncidenceStructure(blocks=[[0]], blocks=[])", "blocks are given twice"),
        ("sage", "IncidenceStructure(['a', 'a'], [])", "a point is listed twice"),
        ("sage", "IncidenceStructure(['a'], [['b']])", "holds 'b', which is not among the points"),
        ("sage", "IncidenceStructure(3, [['a']])", "block 0 holds 'a'; expected a point number"),
        ("sage", "Incidence structure with 7 points and 7 blocks", "save D.blocks() instead"),
        ("sage", "(7,3,1)-Balanced Incomplete Block Design", "save D.blocks() instead"),
        ("sage", "IncidenceStructure([[0, 1]]", "expected ')'"),
        ("sage", "[[0, 1], [1, 2]", "line 1 has the end; expected ']'"),
        ("sage", "[0, 1]", "a block is 0; expected a list"),
        ("sage", "[['\\x']]", "a string without escapes"),
        ("sage", "[[0 .. 3]]", "has '..'; expected ']'"),
        ("sage", "(x for x in y)", "line 1 has 'x'; expected a list of blocks"),
        ("sage", "[[0, 0]]", "holds point 0 twice"),
        ("sage", "IncidenceStructure(2, [[2]])", "block 0 names point 2"),
        ("sage", "[[0]] + [[1]]", "one design and nothing after it"),
        ("sage", "[" * 100_000, "nested more than 64 deep"),
        ("lajolla", "1 2\n0 3\n", "block 1 holds 0; this format counts points from 1"),
        ("lajolla", "1 2\n1,3\n", "line 2 holds '1,3'"),
        ("lajolla", "1 2 2\n", "holds point 1 twice"),
        ("lajolla", " \n", "the file is empty"),
    ],
)
def test_refused_texts(kind: str, text: str, expected: str) -> None:
    assert expected in refusal(text, kind)


@pytest.mark.parametrize(
    ("text", "points", "blocks"),
    [
        ("IncidenceStructure(['a', 'b', 'c'], [['c', 'a'], ('b',)])", 3, [[0, 2], [1]]),
        ("IncidenceStructure([3, 1, 2], [[3, 1], {2}], name='small')", 3, [[0, 1], [2]]),
        ("IncidenceStructure(points=4, blocks=[[0, 1]])", 4, [[0, 1]]),
        ("IncidenceStructure(blocks=[['y'], ['x']])", 2, [[1], [0]]),
        ("IncidenceStructure([[7, 5], [2]])", 3, [[1, 2], [0]]),
        ("IncidenceStructure([])", 0, []),
        ("[('a', \"b\"), ('c',)]", 3, [[0, 1], [2]]),
        ("[[(0, 1), (1, 0)], [(0, 0), 'x', 9]]", 5, [[3, 4], [0, 1, 2]]),
        ("BalancedIncompleteBlockDesign(7, [[0, 1, 2]], k=3, lambd=1)", 7, [[0, 1, 2]]),
    ],
)
def test_points_may_have_names_in_sage(text: str, points: int, blocks: list[list[int]]) -> None:
    design = read_sage(text.encode(), name="design.sage")
    assert (design.v, design.blocks()) == (points, blocks)


def test_ranges_take_no_memory() -> None:
    assert "far more than the file holds" in refusal(
        "rec( v := 9, blocks := [ [ 1 .. 999999999 ] ] )", "gap", LimitError
    )
    many = "rec( v := 9, blocks := [" + "[1..1000000]," * 50 + "[1]])"
    assert "far more than the file holds" in refusal(many, "gap", LimitError)


# --- XML ----------------------------------------------------------------------------------

BOMB = """<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "0123456789"> {}]>
<block_design v="3"><blocks><block><z>&i;</z></block></blocks></block_design>"""
LEVELS = "".join(
    f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)


def one(blocks: str, given: str = 'v="3"') -> str:
    return f"<d><block_design {given}><blocks>{blocks}</blocks></block_design></d>"


@pytest.mark.parametrize("kind", ["designtheory", "graphml"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "the file is empty"),
        ("<a>", "not valid XML at line 1, column 4: no element found"),
        ("x", "not valid XML"),
        ("<a></b>", "mismatched tag"),
        (BOMB.format(LEVELS), "has a document type"),
        ('<!DOCTYPE x SYSTEM "file:///etc/passwd"><a/>', "has a document type"),
        ("<a>&b;</a>", "undefined entity"),
        ("<a>" * 500 + "</a>" * 500, "nested more than 100 deep"),
        ("\ufeff<a/>", "byte order mark"),
    ],
)
def test_refused_xml(kind: str, text: str, expected: str) -> None:
    assert expected in refusal(text, kind)


def test_xml_must_be_utf8() -> None:
    text = one("<block><z>0</z></block>")
    assert "not UTF-8 text at byte 0" in refusal(text.encode("utf-16"), "designtheory")
    assert "not UTF-8 text at byte 3" in refusal(b"<a>\xff</a>", "designtheory")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<a/>", "holds no block_design"),
        (one("", ""), "v of a block_design is None; expected a whole number"),
        (one("", 'v="3.0"'), "v of a block_design is '3.0'"),
        (one("<block><z>0</z></block>", 'v="3" b="2"'), "b is 2, but 1 blocks follow"),
        (one("<block><z>3</z></block>"), "block 0 names point 3"),
        (one("<block><z>0</z><z>0</z></block>"), "holds point 0 twice"),
        (one("<block><z>-1</z></block>"), "a point of block 0 is '-1'"),
        (one("<block><z></z></block>"), "a point of block 0 is ''"),
        (one("<block><z>" + "1" * 5000 + "</z></block>"), "a point of block 0 is '111"),
        (f"<l>{one('')}{one('')}</l>", "holds 2 block designs; expected one"),
    ],
)
def test_refused_designs_in_xml(text: str, expected: str) -> None:
    assert expected in refusal(text, "designtheory")


def test_declared_sizes_take_no_memory() -> None:
    assert "the limit is" in refusal(one("", 'v="99999999999"'), "designtheory", LimitError)
    tracemalloc.start()
    refusal(one("", 'v="10000000" b="10000000"'), "designtheory")
    refusal(b":~~?BefR?", "sparse6", LimitError)
    refusal(b"~~?A?fR?", "graph6", LimitError)
    refusal(b":~~???~~~oA", "sparse6")  # 262143 vertices, one edge
    refusal(b"~~???~~~o", "graph6")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000


NODES = '<node id="a"><data key="k">0</data></node><node id="b"><data key="k">1</data></node>'
KEY = '<key id="k" for="node" attr.name="bipartite" attr.type="int"/>'


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<edge source="a" target="b"/>', None),
        ('<edge source="b" target="a"/>', None),
        ('<edge source="a" target="a"/>', "the edge from 'a' to 'a' stays on one side"),
        ('<edge source="a" target="c"/>', "the node 'c' has no attribute bipartite"),
        ('<edge source="a"/>', "the node '' has no attribute bipartite"),
        ('<edge source="a" target="b"/>' * 2, "holds point 0 twice"),
        ('<node id="c"><data key="k">2</data></node>', "the node 'c' has a side twice, or one"),
        (NODES, "the node 'a' has a side twice"),
        ('<node id="c"><data key="k">x</data></node>', "bipartite of the node 'c' is 'x'"),
    ],
)
def test_graphml(body: str, expected: str | None) -> None:
    text = f'<graphml>{KEY}<graph edgedefault="undirected">{NODES}{body}</graph></graphml>'
    if expected is None:
        assert design_in(text, "graphml").blocks() == [[0]]
    else:
        assert expected in refusal(text, "graphml")


# --- graph6 and sparse6 -------------------------------------------------------------------


def from_networkx(data: bytes, kind: str) -> nx.Graph[int]:
    body = data.strip().removeprefix(b">>" + kind.encode() + b"<<")
    reader: Any = nx.from_graph6_bytes if kind == "graph6" else nx.from_sparse6_bytes
    graph: nx.Graph[int] = reader(body)
    return graph


@pytest.mark.parametrize("kind", ["graph6", "sparse6"])
@given(
    st.integers(1, 40),
    st.lists(st.sets(st.integers(0, 30)), max_size=40),
    st.sets(st.integers(0, 30)),
)
@settings(max_examples=40, deadline=None)
def test_graphs_as_networkx_has_them(
    kind: str, v: int, blocks: list[set[int]], last: set[int]
) -> None:
    rows = [{p for p in block if p < v} for block in blocks] + [{p for p in last if p < v} | {0}]
    design = BlockDesign.from_blocks(rows, points=v)
    graph = from_networkx(encode(design, kind), kind)
    expected = {(i, len(rows) + p) for i, row in enumerate(rows) for p in row}
    assert len(graph) == len(rows) + v
    assert {tuple(sorted(edge)) for edge in graph.edges} == expected
    written = (nx.to_graph6_bytes if kind == "graph6" else nx.to_sparse6_bytes)(design.graph())
    assert design_in(written, kind) == design
    assert encode(design, kind) == written


@pytest.mark.parametrize("kind", ["graph6", "sparse6"])
def test_large_planes_return(kind: str) -> None:
    plane = projective_geometry(16)
    assert design_in(encode(plane, kind), kind) == plane


def test_sides_of_a_connected_graph_are_found() -> None:
    hexagon = nx.cycle_graph(6)  # vertices of both sides in turn
    for text, kind in (
        (nx.to_graph6_bytes(hexagon), "graph6"),
        (nx.to_sparse6_bytes(hexagon), "sparse6"),
    ):
        assert design_in(text, kind).blocks() == [[0, 2], [0, 1], [1, 2]]


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("graph6", "", "the file is empty"),
        ("graph6", ">>graph6<<", "holds 0 lines; expected one graph"),
        ("graph6", "Bw\nBw", "holds 2 lines; expected one graph"),
        ("graph6", "Bw", "is not bipartite"),
        ("graph6", "B?", "has no edges"),
        ("graph6", "C`", "is not connected"),
        ("graph6", "CU?", "2 characters for 4 vertices; expected 1"),
        ("graph6", "C", "0 characters for 4 vertices"),
        ("graph6", "BF", "the bits that fill up the last character are not all 0"),
        ("graph6", "C U", "holds 2 lines"),
        ("graph6", "C\x1f", "holds the character '\\x1f'; graph6 has those from ? to ~"),
        ("graph6", "~?", "ends before the number of vertices"),
        ("sparse6", "CU", "does not start with a colon"),
        ("sparse6", ":", "ends before the number of vertices"),
        ("sparse6", ":C", "has no edges"),
    ],
)
def test_refused_graphs(kind: str, text: str, expected: str) -> None:
    assert expected in refusal(text, kind)


def test_where_the_points_begin_must_be_said() -> None:
    gap = BlockDesign.from_blocks([[1], []], points=2)
    for kind in ("graph6", "sparse6"):
        with pytest.raises(InputError, match="does not say where the points begin"):
            encode(gap, kind)
    graph = nx.empty_graph(4)
    graph.add_edge(0, 3)
    text = nx.to_graph6_bytes(graph)
    assert "the points may begin at vertex 1 or later, up to 3" in refusal(text, "graph6")


# --- damage -------------------------------------------------------------------------------

REAL = sorted(path for path in DATA.iterdir() if "-gap." in path.name)


@given(st.sampled_from(REAL), st.data())
@settings(max_examples=80, deadline=None)
def test_damaged_files_of_others_are_read_or_refused_cleanly(
    path: Path, data: st.DataObject
) -> None:
    content = path.read_bytes()
    at = data.draw(st.integers(0, len(content)))
    removed = data.draw(st.sampled_from([0, 1, 5, 100, len(content)]))
    inserted = data.draw(
        st.sampled_from([b"", b"[", b"9" * 25, b"<z>", b"&x;", b'"', b"\xff", b".."])
    )
    kind = {".g": "gap", ".xml": "designtheory"}[path.suffix]
    message = "bad: "
    try:
        read(content[:at] + inserted + content[at + removed :], kind=kind, name="bad")
    except GcdesignError as error:
        message = str(error)
    assert message.startswith("bad: ")
    assert "\n" not in message
