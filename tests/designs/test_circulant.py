"""Circulant placements, block by block, and what is refused."""

from __future__ import annotations

import pytest

from gcdesign.designs import build, label, parse_spec, verify
from gcdesign.designs.formats.document import dumps, loads
from gcdesign.errors import InputError, LimitError


@pytest.mark.parametrize(
    ("spec", "offsets", "title"),
    [
        ("circulant:workers=9,load=3", [0, 1, 2], "circulant (N=9, L=3)"),
        ("circulant:workers=7,offsets=0+1+3", [0, 1, 3], "circulant (N=7, 0+1+3)"),
        ("circulant:workers=7,load=3,offsets=1+2+4", [1, 2, 4], "circulant (N=7, 1+2+4)"),
        ("circulant:workers=5,offsets=4", [4], "circulant (N=5, 4)"),
        ("circulant:workers=4,load=4", [0, 1, 2, 3], "circulant (N=4, L=4)"),
        ("circulant:workers=1,load=1", [0], "circulant (N=1, L=1)"),
    ],
)
def test_blocks(spec: str, offsets: list[int], title: str) -> None:
    design = build(parse_spec(spec))
    n = design.b
    assert design.blocks() == [sorted((i + d) % n for d in offsets) for i in range(n)]
    assert label(design) == title
    assert build(parse_spec(str(design.provenance and design.provenance.spec))) == design
    assert loads(dumps(design), name="again").provenance == design.provenance


def test_a_difference_set_gives_a_plane() -> None:
    assert verify(build(parse_spec("circulant:workers=13,offsets=0+1+3+9"))).lambda_ == 1


def test_long_lists_have_short_labels() -> None:
    offsets = "+".join(str(2 * i) for i in range(20))
    assert len(label(build(parse_spec(f"circulant:workers=60,offsets={offsets}")))) <= 40


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("circulant:workers=9", r"^circulant needs load=L or offsets"),
        ("circulant:workers=0,load=1", r"^workers=0; expected 1 or more$"),
        ("circulant:workers=9,load=10", r"^load=10; expected 1 to workers=9$"),
        ("circulant:workers=9,load=0", r"^load=0; expected 1 to workers=9$"),
        ("circulant:workers=9,load=2,offsets=0+1+3", r"^load=2, but 3 offsets; leave out either$"),
        (
            "circulant:workers=9,offsets=0+0",
            r"^offsets=0\+0; expected increasing numbers from 0 to 8",
        ),
        ("circulant:workers=9,offsets=3+1", r"^offsets=3\+1; expected increasing"),
        ("circulant:workers=9,offsets=0+9", r"^offsets=0\+9; expected increasing"),
        ("circulant:workers=9,offsets=-1+2", r"^offsets=-1\+2; expected increasing"),
        ("circulant:workers=9,offsets=0+1.5", r"^offsets=0\+1.5 in .*; expected whole numbers"),
        (
            "circulant:workers=9,offsets=",
            r"^offsets= in .*; expected whole numbers such as 0\+1\+3$",
        ),
    ],
)
def test_refused(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        build(parse_spec(spec))


def test_too_large() -> None:
    with pytest.raises(LimitError, match="limit"):
        build(parse_spec("circulant:workers=9000000,load=9000000"))


@pytest.mark.parametrize("offsets", ["3", '"0+1+3"', "[0, true, 3]", "[0, 1.5]", "null"])
def test_a_file_with_wrong_offsets(offsets: str) -> None:
    text = dumps(build(parse_spec("circulant:workers=7,offsets=0+1+3"))).decode()
    spoilt = text.replace("[0, 1, 3]", offsets, 1)
    assert spoilt != text
    with pytest.raises(InputError, match=r"offsets is .* expected a list of whole numbers"):
        loads(spoilt.encode(), name="spoilt.json")
