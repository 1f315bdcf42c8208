"""The table of formats, files by suffix, and round trips through every format."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.designs import (
    BlockDesign,
    Family,
    build,
    complement,
    derived,
    dual,
    parse_spec,
    projective_geometry,
    residual,
)
from gcdesign.designs.formats import FORMATS, encode, guess_kind, read, read_file, reading
from gcdesign.designs.registry import families
from gcdesign.errors import GcdesignError, InputError, LimitError

READABLE = [known.name for known in FORMATS if known.read]


@st.composite
def designs(draw: st.DrawFn) -> BlockDesign:
    """Draw a design: empty and repeated blocks, isolated points, no points, no blocks."""
    v = draw(st.integers(0, 8))
    points = st.integers(0, v - 1) if v else st.nothing()
    blocks = draw(st.lists(st.sets(points), max_size=8))
    if blocks:
        blocks += draw(st.lists(st.sampled_from(blocks), max_size=2))
    return BlockDesign.from_blocks(blocks, points=v)


def holds(name: str, design: BlockDesign) -> bool:
    """Whether a format can hold a design, by what its page says."""
    blocks = design.blocks()
    match name:
        case "csv":
            return design.v > 0 and design.b > 0
        case "gap":
            return design.b > 0 and all(blocks)
        case "lajolla":
            return design.b > 0 and all(blocks) and any(design.v - 1 in block for block in blocks)
        case "graph6" | "sparse6":
            return bool(blocks) and bool(blocks[-1]) and any(0 in block for block in blocks)
    return True


def refusal(path: Path, error: type[Exception] = InputError) -> str:
    """Return the one-line message with which a file is refused."""
    with pytest.raises(error) as caught:
        read_file(path)
    message = str(caught.value)
    assert type(caught.value) is error
    assert "\n" not in message
    return message


# --- round trips --------------------------------------------------------------------------


@given(designs(), st.sampled_from(READABLE))
@settings(max_examples=150, deadline=None)
def test_random_designs_return_from_every_format(design: BlockDesign, name: str) -> None:
    if not holds(name, design):
        with pytest.raises(InputError, match=name):
            encode(design, name)
        return
    data = encode(design, name)
    assert read(data, kind=name, name="x") == design
    assert data == encode(design, name)
    # A column of 0 and 1, an alist and points from 1 look like a list of blocks.
    if name not in {"alist", "lajolla"} and (name != "csv" or design.v > 1):
        assert guess_kind(data) == name


@pytest.mark.parametrize("family", list(families()), ids=lambda family: family.name)
def test_families_and_operations_return(family: Family) -> None:
    design = family.build(family.example)
    chain = [design, dual(design), complement(design), residual(design), derived(design, 1)]
    for member in chain:
        again = read(encode(member, "json"), kind="json", name="x")
        assert isinstance(again, BlockDesign)
        assert again == member
        assert again.provenance == member.provenance
        assert again.parallel_classes == member.parallel_classes
        for name in READABLE:
            if holds(name, member):
                assert read(encode(member, name), kind=name, name="x") == member


@given(designs(), st.sampled_from(READABLE), st.data())
@settings(max_examples=300, deadline=None)
def test_damaged_files_are_read_or_refused_cleanly(
    design: BlockDesign, name: str, data: st.DataObject
) -> None:
    if not holds(name, design):
        return
    content = encode(design, name)
    at = data.draw(st.integers(0, len(content)))
    removed = data.draw(st.integers(0, 12))
    inserted = data.draw(
        st.binary(max_size=12) | st.sampled_from([b"-", b"9" * 20, b"e5", b"nan", b"[", b"\n\n"])
    )
    damaged = content[:at] + inserted + content[at + removed :]
    message = "bad: "
    try:
        read(damaged, kind=name, name="bad")
    except GcdesignError as error:
        message = str(error)
    assert message.startswith("bad: ")
    assert "\n" not in message


# --- the table ----------------------------------------------------------------------------


def test_names_and_suffixes() -> None:
    assert [known.name for known in FORMATS] == [
        "json",
        "npz",
        "mtx",
        "csv",
        "blocks",
        "alist",
        "gap",
        "designtheory",
        "sage",
        "lajolla",
        "graph6",
        "sparse6",
        "graphml",
        "edges",
    ]
    suffixes = [suffix for known in FORMATS for suffix in known.suffixes]
    assert len(set(suffixes)) == len(suffixes)
    assert all(known.help and "\n" not in known.help for known in FORMATS)


def test_every_format_is_described() -> None:
    text = (Path(__file__).parents[2] / "docs" / "formats.md").read_text()
    for known in FORMATS:
        assert f"## {known.name}: " in text
        assert all(f"`{suffix}`" in text for suffix in known.suffixes)


def test_unknown_formats() -> None:
    with pytest.raises(InputError, match="no format is called 'xml'; expected one of: json, npz"):
        encode(projective_geometry(2), "xml")
    with pytest.raises(InputError, match="x: cannot read 'edges'; expected: json, npz, mtx"):
        read(b"", kind="edges", name="x")


def test_matrices_with_other_entries_stay_matrices() -> None:
    read_back = read(b"1,0.5\n0,1\n", kind="csv", name="x")
    assert not isinstance(read_back, BlockDesign)
    assert np.array_equal(read_back.toarray(), np.array([[1, 0.5], [0, 1]]))


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", "blocks"),
        (b"  {", "json"),
        (b"\xef\xbb\xbf{", "json"),
        (b"[[0, 1]]", "sage"),
        (b"IncidenceStructure(3, [[0]])", "sage"),
        (b"D := rec( v", "gap"),
        (b"# of mine\nreturn BlockDesign(", "gap"),
        (b"<?xml version='1.0'?>\n<list_of_designs", "designtheory"),
        (b"<?xml version='1.0'?>\n<graphml xmlns=", "graphml"),
        (b">>graph6<<CF", "graph6"),
        (b":CoJ", "sparse6"),
        (b"%%matrixmarket x", "mtx"),
        (b"PK\x05\x06", "npz"),
        (b"\n# a, b\n1,2", "csv"),
        (b"# gcdesign blocks v=3 b=0 (points 0-based)\n", "blocks"),
        (b"# a\n0 1\n", "blocks"),
        (b"0", "blocks"),
    ],
)
def test_kinds_are_guessed(data: bytes, kind: str) -> None:
    assert guess_kind(data) == kind


# --- files --------------------------------------------------------------------------------


def test_files_are_read_by_suffix(tmp_path: Path) -> None:
    design = projective_geometry(2)
    for known in FORMATS:
        for suffix in (*known.suffixes, known.suffixes[0].upper()):
            path = tmp_path / f"plane{suffix}"
            path.write_bytes(encode(design, known.name))
            if known.read:
                assert read_file(path) == design
                assert read_file(str(path)) == design
            else:
                assert "names no format" in refusal(path)


def test_content_errors_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(b"{}")
    assert refusal(path).startswith(f"{path}: schema is missing")


@pytest.mark.parametrize("name", ["x", "x.xyz", "json", "x.json.gz"])
def test_other_suffixes_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"0 1")
    assert "expected: .json, .npz, .mtx, .csv, .blocks, .txt" in refusal(tmp_path / name)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    assert "no such file or directory" in refusal(tmp_path / "none.json")
    assert "is a directory" in refusal(tmp_path)
    (tmp_path / "loop.json").symlink_to(tmp_path / "loop.json")
    assert "symbolic links" in refusal(tmp_path / "loop.json")


def test_unreadable_files(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("the superuser may read everything")
    (tmp_path / "x.json").touch(mode=0o000)
    assert "permission denied" in refusal(tmp_path / "x.json")


def test_devices_and_pipes_are_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    assert "not a regular file" in refusal(tmp_path / "pipe.json")
    (tmp_path / "zero.json").symlink_to("/dev/zero")
    assert "not a regular file" in refusal(tmp_path / "zero.json")


def test_large_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_BYTES", 100)
    path = tmp_path / "x.blocks"
    path.write_bytes(b"0 1\n" * 25)
    assert isinstance(read_file(path), BlockDesign)
    path.write_bytes(b"0 1\n" * 26)
    assert "larger than the limit of 100 bytes" in refusal(path, LimitError)


def test_importing_the_formats_is_light() -> None:
    script = (
        "import sys; from gcdesign.designs import formats;"
        "print([m for m in ('scipy', 'networkx', 'galois', 'zipfile') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, text=True
    )
    assert done.stdout == "[]\n"


def test_the_light_formats_need_no_scipy() -> None:
    script = (
        "import sys; from gcdesign.designs import formats, projective_geometry as pg;"
        "[formats.encode(pg(2), f) for f in ('json', 'npz', 'mtx', 'csv', 'blocks', 'edges')];"
        "formats.read(formats.encode(pg(2), 'json'), kind='json', name='x');"
        "print([m for m in ('scipy', 'networkx', 'galois') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, text=True
    )
    assert done.stdout == "[]\n"


def test_example_of_a_name_in_place_survives_a_file(tmp_path: Path) -> None:
    design = build(parse_spec("dual-ag:q=3"))
    path = tmp_path / "x.json"
    path.write_bytes(encode(design, "json"))
    again = read_file(path)
    assert isinstance(again, BlockDesign)
    assert again.provenance == design.provenance


def test_a_name_with_a_nul() -> None:
    with pytest.raises(InputError, match="NUL character"):
        read_file("plane\0.json")
