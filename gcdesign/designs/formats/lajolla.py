"""Lists of blocks as the La Jolla covering repository keeps them: one to a line, counted from 1."""

from __future__ import annotations

from gcdesign.designs.design import BlockDesign, Size, check_size
from gcdesign.designs.formats.blocklist import points_of
from gcdesign.designs.formats.text import block_texts, naming, text_lines
from gcdesign.errors import InputError


def write_lajolla(design: BlockDesign) -> bytes:
    r"""Return one block to a line, points counted from 1.

    Raises
    ------
    InputError
        If there is an empty block, or the last point is in no block: the lines do not say so.

    Notes
    -----
    Source: D. Gordon, *La Jolla Covering Repository*.

    Examples
    --------
    >>> write_lajolla(BlockDesign.from_blocks([[0, 2], [1]]))
    b'1 3\n2\n'
    """
    if design.b == 0 or design.block_sizes.min() == 0 or design.indices.max() + 1 < design.v:
        raise InputError(
            "lajolla cannot hold empty blocks, or a last point in no block; use json or blocks"
        )
    return "".join(f"{line}\n" for line in block_texts(design, " ", first=1)).encode("ascii")


def read_lajolla(data: bytes, *, name: str) -> BlockDesign:
    """Read one block to a line, points counted from 1; empty lines are skipped.

    Parameters
    ----------
    data
        The file's content.
    name
        The file's name, for messages.

    Raises
    ------
    InputError
        If the file is malformed.
    LimitError
        If the design is too large.

    Examples
    --------
    >>> read_lajolla(b"1 2 4", name="one.ljcr")
    block design: v=4, b=1, 3 incidences
    """
    with naming(name):
        blocks = [points_of(line, number) for number, line in text_lines(data) if line.strip()]
        for number, block in enumerate(blocks):
            if 0 in block:
                raise InputError(f"block {number} holds 0; this format counts points from 1")
        v = max(map(max, blocks))
        check_size(Size(v, len(blocks), 0))
        return BlockDesign.from_blocks(([p - 1 for p in block] for block in blocks), points=v)
