"""Block designs as GAP's DESIGN package writes and reads them: ``rec( … )`` or a call."""

from __future__ import annotations

from gcdesign.designs.design import BlockDesign, Size, check_size
from gcdesign.designs.formats.nested import Words, block_lists
from gcdesign.designs.formats.text import block_texts, decode, naming
from gcdesign.errors import InputError


def write_gap(design: BlockDesign) -> bytes:
    r"""Return a file that GAP reads with ``D := ReadAsFunction("plane.g")();``.

    Points count from 1. GAP sorts the blocks; read here, they keep their order.

    Raises
    ------
    InputError
        If there are no blocks or an empty one, which DESIGN does not have.

    Notes
    -----
    Source: L. H. Soicher, *The DESIGN package for GAP*, section "The structure of a block design".

    Examples
    --------
    >>> print(write_gap(BlockDesign.from_blocks([[0, 2], [1]])).decode(), end="")
    # D := ReadAsFunction("this file")();
    return BlockDesign( 3, [
    [1,3],
    [2]
    ] );
    """
    if design.b == 0 or design.block_sizes.min() == 0:
        raise InputError("gap cannot hold a design without blocks or with empty ones; use json")
    blocks = ",\n".join(f"[{points}]" for points in block_texts(design, ",", first=1))
    comment = '# D := ReadAsFunction("this file")();'
    return f"{comment}\nreturn BlockDesign( {design.v}, [\n{blocks}\n] );\n".encode("ascii")


def read_gap(data: bytes, *, name: str) -> BlockDesign:
    """Read a block design that GAP has printed, or a call of ``BlockDesign``.

    Of a record, ``v`` and ``blocks`` are taken and all else is passed over. ``D :=`` or ``return``
    may stand before it, and a list of a single design around it.

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
    >>> text = b"D := rec( isBlockDesign := true, v := 4, blocks := [ [ 1, 2 ], [ 2 .. 4 ] ] );"
    >>> read_gap(text, name="small.g").blocks()
    [[0, 1], [1, 2, 3]]
    """
    with naming(name):
        words = Words(decode(data))
        first = words.take()
        if words.skip(":=") or first == "return":
            first = words.take()
        v, blocks = _listed(words) if first == "[" else _design(words, first)
        while words.skip(";") or words.skip(";;"):
            pass
        if words.next:
            words.refuse("one design and nothing after it")
        check_size(Size(v, len(blocks), sum(map(len, blocks))))
        if any(point < 1 for block in blocks for point in block):
            raise InputError("a block holds 0; GAP counts points from 1")
        return BlockDesign.from_blocks(([p - 1 for p in block] for block in blocks), points=v)


def _listed(words: Words) -> tuple[int, list[list[int]]]:
    found = _design(words, words.take())
    if words.next == ",":
        raise InputError("holds several designs; expected one")
    words.expect("]")
    return found


def _design(words: Words, first: str) -> tuple[int, list[list[int]]]:
    if first == "BlockDesign":
        words.expect("(")
        v = words.number()
        words.expect(",")
        blocks = block_lists(words)
        words.expect(")")
        return v, blocks
    if first != "rec":
        raise InputError("does not start like a block design of GAP: rec( … ) or BlockDesign( … )")
    words.expect("(")
    fields: dict[str, int | list[list[int]]] = {}
    while not words.skip(")"):
        key = words.take()
        words.expect(":=")
        if key in fields:
            raise InputError(f"line {words.line}: {key} is given twice")
        if key == "v":
            fields[key] = words.number()
        elif key == "blocks":
            fields[key] = block_lists(words)
        else:
            words.pass_over(",", ")")
        if not words.skip(","):
            words.expect(")")
            break
    v_, blocks_ = fields.get("v"), fields.get("blocks")
    if not isinstance(v_, int) or not isinstance(blocks_, list):
        raise InputError("the record has no v or no blocks")
    return v_, blocks_
