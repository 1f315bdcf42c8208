"""Block designs as SageMath prints and reads them: a list of blocks, or a call."""

from __future__ import annotations

from gcdesign.designs.design import BlockDesign, Size, check_size
from gcdesign.designs.formats.nested import Words, block_lists
from gcdesign.designs.formats.text import block_texts, decode, naming
from gcdesign.errors import InputError

OPENERS = "[({"
"""Blocks may be lists, tuples or sets."""


def write_sage(design: BlockDesign) -> bytes:
    r"""Return an expression that SageMath evaluates to the design, ``IncidenceStructure(v, …)``.

    Examples
    --------
    >>> write_sage(BlockDesign.from_blocks([[0, 2], [1]]))
    b'IncidenceStructure(3, [\n[0, 2],\n[1]\n])\n'
    """
    blocks = ",\n".join(f"[{points}]" for points in block_texts(design, ", "))
    return f"IncidenceStructure({design.v}, [\n{blocks}\n])\n".encode("ascii")


def read_sage(data: bytes, *, name: str) -> BlockDesign:
    """Read a list of blocks as Python writes it, bare or in ``IncidenceStructure(v, …)``.

    Of a bare list, v is one more than the largest point. In a call with nothing but blocks the
    points are, as in Sage, those that occur; they are numbered in increasing order.

    Parameters
    ----------
    data
        The file's content.
    name
        The file's name, for messages.

    Raises
    ------
    InputError
        If the file holds anything else.
    LimitError
        If the design is too large.

    Examples
    --------
    >>> read_sage(b"[[0, 1, 2], (0, 3), {4}]", name="small.sage").blocks()
    [[0, 1, 2], [0, 3], [4]]
    """
    with naming(name):
        words = Words(decode(data))
        v = None
        called = words.skip("IncidenceStructure") or words.skip("BlockDesign")
        if called:
            words.expect("(")
            if words.next not in tuple(OPENERS):
                v = words.number()
                words.expect(",")
        blocks = block_lists(words, openers=OPENERS)
        if called:
            words.expect(")")
        if words.next:
            words.refuse("one design and nothing after it")
        if v is None and not any(blocks):
            raise InputError("a bare list without points does not say how many there are")
        if called and v is None:
            blocks = _numbered(blocks)
        points = v if v is not None else 1 + max(map(max, filter(None, blocks)))
        check_size(Size(points, len(blocks), sum(map(len, blocks))))
        return BlockDesign.from_blocks(blocks, points=points)


def _numbered(blocks: list[list[int]]) -> list[list[int]]:
    """Return the blocks with the points that occur numbered in increasing order."""
    number = {point: i for i, point in enumerate(sorted({p for block in blocks for p in block}))}
    return [[number[point] for point in block] for block in blocks]
