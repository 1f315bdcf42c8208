"""The external representation of block designs, XML that designtheory.org defined."""

from __future__ import annotations

from gcdesign.designs.design import BlockDesign, Size, check_size
from gcdesign.designs.formats.markup import walk, whole_number
from gcdesign.designs.formats.text import naming
from gcdesign.errors import InputError

NAMESPACE = "http://designtheory.org/xml-namespace"

HEAD = f"""<?xml version="1.0"?>
<list_of_designs
 xmlns="{NAMESPACE}"
 dtrs_protocol="2.0"
 design_type="block_design"
 pairwise_nonisomorphic="true"
 no_designs="1">
<designs>
"""

POINT = ("block_design", "blocks", "block", "z")


def write_designtheory(design: BlockDesign) -> bytes:
    """Return a list of one design in the external representation, points counted from 0.

    Notes
    -----
    Source: P. J. Cameron, P. Dobcsányi, J. P. Morgan, L. H. Soicher, *The External Representation
    of Block Designs*, protocol 2.0.

    Examples
    --------
    >>> text = write_designtheory(BlockDesign.from_blocks([[0, 2], [1]])).decode()
    >>> print(text.split("<designs>")[1].split("</designs>")[0].strip())
    <block_design id="gcdesign-0" v="3" b="2">
    <blocks ordered="true">
    <block><z>0</z><z>2</z></block>
    <block><z>1</z></block>
    </blocks>
    </block_design>
    """
    blocks = design.blocks()
    ordered = "true" if blocks == sorted(blocks) else "unknown"
    rows = ("".join(f"<z>{point}</z>" for point in block) for block in blocks)
    body = "".join(f"<block>{row}</block>\n" for row in rows)
    return (
        f'{HEAD}<block_design id="gcdesign-0" v="{design.v}" b="{design.b}">\n'
        f'<blocks ordered="{ordered}">\n{body}</blocks>\n</block_design>\n'
        "</designs>\n</list_of_designs>\n"
    ).encode("ascii")


def read_designtheory(data: bytes, *, name: str) -> BlockDesign:
    """Read a document that holds one block design; see `read_list`."""
    with naming(name):
        designs = _designs(data)
        if len(designs) != 1:
            raise InputError(f"holds {len(designs)} block designs; expected one")
        return designs[0]


def read_list(data: bytes, *, name: str) -> tuple[BlockDesign, ...]:
    """Read all block designs of a document.

    What a document says of a design beside its points and blocks (indicators, groups, resolutions)
    is passed over.

    Parameters
    ----------
    data
        The file's content.
    name
        The file's name, for messages.

    Raises
    ------
    InputError
        If it is no XML, has a document type, or a design is malformed.
    LimitError
        If a design is too large.

    Examples
    --------
    >>> text = write_designtheory(BlockDesign.from_blocks([[0, 2], [1]]))
    >>> [design.blocks() for design in read_list(text, name="one.xml")]
    [[[0, 2], [1]]]
    """
    with naming(name):
        return _designs(data)


def _designs(data: bytes) -> tuple[BlockDesign, ...]:
    designs: list[BlockDesign] = []
    sizes: list[tuple[int, int | None]] = []
    blocks: list[list[int]] = []

    def start(path: tuple[str, ...], given: dict[str, str]) -> None:
        if path[-1] == "block_design":
            v = whole_number(given.get("v"), "v of a block_design")
            b = whole_number(given["b"], "b of a block_design") if "b" in given else None
            check_size(Size(v, b or 0, 0))
            sizes.append((v, b))
            blocks.clear()
        elif path[-3:] == POINT[:3]:
            blocks.append([])

    def end(path: tuple[str, ...], text: str) -> None:
        if path[-4:] == POINT:
            blocks[-1].append(whole_number(text, f"a point of block {len(blocks) - 1}"))
        elif path[-1] == "block_design":
            v, b = sizes.pop()
            if b is not None and b != len(blocks):
                raise InputError(f"b is {b}, but {len(blocks)} blocks follow")
            designs.append(BlockDesign.from_blocks(blocks, points=v))

    walk(data, start=start, end=end)
    if not designs:
        raise InputError("holds no block_design with its blocks")
    return tuple(designs)
