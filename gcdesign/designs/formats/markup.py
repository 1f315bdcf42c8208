"""XML without its dangers: no document type, no entities of one's own, no deep nesting.

What an element means is up to the caller, who sees one start and one end at a time, so that a
file takes no more memory than what is kept of it.
"""

from __future__ import annotations

from collections.abc import Callable
from xml.parsers import expat

from gcdesign.designs.formats.text import decode, shown
from gcdesign.errors import InputError

MAX_DEPTH = 100
MAX_DIGITS = 18

Start = Callable[[tuple[str, ...], dict[str, str]], None]
End = Callable[[tuple[str, ...], str], None]


def walk(data: bytes, *, start: Start, end: End) -> None:
    """Go through the elements of a document in UTF-8.

    Parameters
    ----------
    data
        The file's content.
    start
        Called with the names of the open elements, the newest last, without their namespaces, and
        the attributes of the newest.
    end
        Called with the same names and the element's own text before its last child.

    Raises
    ------
    InputError
        If it is no XML, has a document type, or is nested too deeply.

    Examples
    --------
    >>> walk(b"<a><b>7</b></a>", start=lambda path, given: None, end=lambda *seen: print(seen))
    (('a', 'b'), '7')
    (('a',), '')
    """
    decode(data)  # expat takes other encodings, too
    path: list[str] = []
    texts: list[str] = []
    parser = expat.ParserCreate("utf-8", " ")
    parser.buffer_text = True

    def on_start(name: str, given: dict[str, str]) -> None:
        if len(path) >= MAX_DEPTH:
            raise InputError(f"elements are nested more than {MAX_DEPTH} deep")
        path.append(name.rpartition(" ")[2])
        texts.append("")
        start(tuple(path), given)

    def on_end(name: str) -> None:
        end(tuple(path), texts.pop())
        path.pop()

    def on_text(text: str) -> None:
        if texts and not text.isspace():
            texts[-1] = text  # numbers are short and come in one piece

    def on_doctype(*declared: object) -> None:
        raise InputError("has a document type (<!DOCTYPE …>), which is refused; remove it")

    parser.StartElementHandler, parser.EndElementHandler = on_start, on_end
    parser.CharacterDataHandler = on_text
    parser.StartDoctypeDeclHandler = on_doctype
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise InputError(
            f"not valid XML at line {error.lineno}, column {error.offset + 1}: {reason}"
        ) from None


def whole_number(text: str | None, what: str) -> int:
    """Return the number that a text or an attribute holds.

    Raises
    ------
    InputError
        If it holds none.
    """
    word = (text or "").strip()
    if not (word.isascii() and word.isdigit() and len(word) <= MAX_DIGITS):
        raise InputError(f"{what} is {shown(text)}; expected a whole number")
    return int(word)
