"""Plain text: one block to a line, its points separated by spaces."""

from __future__ import annotations

import re

from gcdesign.designs.design import BlockDesign, Size, check_size
from gcdesign.designs.formats.text import block_texts, naming, shown, text_lines
from gcdesign.errors import InputError

HEADER = re.compile(r"# gcdesign blocks v=(\d{1,18}) b=(\d{1,18})(?: .*)?")


def write_blocks(design: BlockDesign) -> bytes:
    r"""Return the blocks as text, under a comment that gives v and b.

    Examples
    --------
    >>> write_blocks(BlockDesign.from_blocks([[0, 2], [1]]))
    b'# gcdesign blocks v=3 b=2 (points 0-based)\n0 2\n1\n'
    """
    header = f"# gcdesign blocks v={design.v} b={design.b} (points 0-based)\n"
    lines = (f"{points}\n" for points in block_texts(design, " "))
    return (header + "".join(lines)).encode("ascii")


def read_blocks(data: bytes, *, name: str) -> BlockDesign:
    """Read a list of blocks.

    If the first line is the comment that `write_blocks` makes, v and b are taken from it and
    an empty line is an empty block. Otherwise v is one more than the largest point, and empty
    lines are skipped. Further lines that start with # are comments.

    Parameters
    ----------
    data
        The file's content.
    name
        The file's name, for messages.

    Raises
    ------
    InputError
        If the file is malformed, or has another number of blocks than its header says.
    LimitError
        If the design is too large.

    Examples
    --------
    >>> read_blocks(b"0 1 3", name="one.txt")
    block design: v=4, b=1, 3 incidences
    """
    with naming(name):
        header, blocks = None, []
        for number, line in text_lines(data):
            if number == 1:
                header = HEADER.fullmatch(line.rstrip())
            if not line.startswith("#") and (header or line.strip()):
                blocks.append(points_of(line, number))
        if header is not None:
            v, b = int(header[1]), int(header[2])
            if b != len(blocks):
                raise InputError(f"the header says b={b}, but {len(blocks)} blocks follow")
        elif blocks:
            v = 1 + max(map(max, blocks))
        else:
            raise InputError("holds no blocks")
        check_size(Size(v, len(blocks), 0))
        return BlockDesign.from_blocks(blocks, points=v)


def points_of(line: str, number: int) -> list[int]:
    """Return the numbers on a line that has nothing else.

    Raises
    ------
    InputError
        If it has.
    """
    words = line.split()
    for word in words:
        if not (word.isascii() and word.isdigit() and len(word) <= 18):
            raise InputError(
                f"line {number} holds {shown(word)}; expected point numbers separated by spaces"
            )
    return list(map(int, words))
