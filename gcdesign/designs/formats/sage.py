"""Block designs as SageMath prints and reads them: a list of blocks, or a call."""

from __future__ import annotations

import re
from ast import literal_eval
from typing import cast

from gcdesign.designs.design import BlockDesign, Size, check_size
from gcdesign.designs.formats.nested import CLOSING, Words
from gcdesign.designs.formats.text import block_texts, decode, naming, shown
from gcdesign.designs.values import MAX_NESTING
from gcdesign.errors import InputError

Label = int | str | tuple["Label", ...]
"""What Sage takes for a point, where it can be read without running anything."""

DESCRIPTION = re.compile(r"\s*(Incidence structure with|\([0-9, ]+\)-Balanced Incomplete)")

CALLS = ("IncidenceStructure", "BlockDesign", "BalancedIncompleteBlockDesign")

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
    """Read blocks as Python writes them, bare or in ``IncidenceStructure(…)``.

    Blocks are lists, tuples or sets of points; points are whole numbers, strings or tuples of such.
    In ``IncidenceStructure(v, blocks)`` they are 0, …, v − 1, and in
    ``IncidenceStructure(points, blocks)`` they are numbered in the order given. In a call with
    nothing but blocks, and wherever points have names, they are those that occur, in increasing
    order: numbers, then strings, then tuples. Of a bare list of numbers, v is one more than the
    largest. ``BlockDesign`` and ``BalancedIncompleteBlockDesign`` are read alike, and what a call
    says besides is passed over.

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
    >>> read_sage(b"IncidenceStructure(['a', 'b', 'c'], [['c', 'a']])", name="x.sage").blocks()
    [[0, 2]]
    """
    with naming(name):
        words = Words(decode(data))
        if DESCRIPTION.match(words.text):
            raise InputError(
                "is what Sage prints of a design, which has no blocks; save D.blocks() instead"
            )
        called = words.next in CALLS
        points, blocks = _call(words) if called else (None, _blocks(_value(words)))
        if words.next:
            words.refuse("one design and nothing after it")
        found = {point for block in blocks for point in block}
        if points is None:
            if not called and not found:
                raise InputError("a bare list without points does not say how many there are")
            numbers = [point for point in found if isinstance(point, int)]
            bare = not called and len(numbers) == len(found)
            points = range(1 + max(numbers)) if bare else sorted(found, key=_rank)
        check_size(Size(len(points), len(blocks), sum(map(len, blocks))))
        if isinstance(points, range):
            return BlockDesign.from_blocks(cast(list[list[int]], blocks), points=len(points))
        number = {point: i for i, point in enumerate(points)}
        if len(number) < len(points):
            raise InputError("a point is listed twice")
        if not found <= number.keys():
            stranger = min(found - number.keys(), key=_rank)
            raise InputError(f"a block holds {shown(stranger)}, which is not among the points")
        return BlockDesign.from_blocks([[number[p] for p in b] for b in blocks], points=len(points))


def _call(words: Words) -> tuple[range | list[Label] | None, list[tuple[Label, ...]]]:
    """Read a call: its points, None if it has just blocks, and its blocks."""
    words.take()
    words.expect("(")
    given: dict[str, Label] = {}
    while not words.skip(")"):
        key = ("points", "blocks", "")[len(given)]
        if words.next.isidentifier():
            key = words.take()
            words.expect("=")
        if key not in ("points", "blocks"):
            words.pass_over(",", ")")
        elif key in given:
            raise InputError(f"line {words.line}: {key} are given twice")
        else:
            given[key] = _value(words)
        if not words.skip(","):
            words.expect(")")
            break
    if not given:
        raise InputError("the call has no blocks")
    if len(given) == 1:  # the only list is that of the blocks
        return None, _blocks(*given.values())
    points, blocks = given["points"], _blocks(given["blocks"])
    return range(points) if isinstance(points, int) else list(_list(points, "points are")), blocks


def _blocks(value: Label) -> list[tuple[Label, ...]]:
    return [_list(block, "a block is") for block in _list(value, "blocks are")]


def _list(value: Label, what: str) -> tuple[Label, ...]:
    if not isinstance(value, tuple):
        raise InputError(f"{what} {shown(value)}; expected a list")
    return value


def _value(words: Words, depth: int = 0) -> Label:
    """Read a number, a string, or a list, tuple or set of such as a tuple."""
    if depth == MAX_NESTING:
        raise InputError(f"line {words.line}: lists are nested more than {MAX_NESTING} deep")
    if words.next.isdigit():
        return words.number()
    if words.next[:1] in ('"', "'") and words.next:
        try:
            return str(literal_eval(words.next))
        except (SyntaxError, ValueError):
            words.refuse("a string without escapes")
        finally:
            words.take()
    if not words.next or words.next not in OPENERS:
        words.refuse("a list of blocks, and points that are numbers, strings or tuples")
    end, found = CLOSING[words.take()], []
    while not words.skip(end):
        found.append(_value(words, depth + 1))
        if not words.skip(","):
            words.expect(end)
            break
    return tuple(found)


def _rank(label: Label) -> tuple[int, object]:
    """Return what orders points: numbers, then strings, then tuples."""
    if isinstance(label, tuple):
        return 2, tuple(map(_rank, label))
    return int(isinstance(label, str)), label
