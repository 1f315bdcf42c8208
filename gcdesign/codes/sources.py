"""From what a user writes, a name in place or a file, to a gradient code."""

from __future__ import annotations

from pathlib import Path

from gcdesign.codes.claims import confirmed
from gcdesign.codes.code import GradientCode
from gcdesign.codes.registry import all_names, build_code, parse_code
from gcdesign.designs import BlockDesign
from gcdesign.designs.operation_table import OPERATIONS
from gcdesign.designs.values import head_of


def load_code(name: str) -> GradientCode:
    """Return the code that a name in place or a file describes.

    Parameters
    ----------
    name
        A name in place (``"pg:q=5"``, ``"cyclic:workers=9,stragglers=2"``) or the path of a
        file; a path that looks like a name in place can be written with ``./`` before it. A 0/1
        or real matrix counts as a code with workers as rows; a design's blocks are the workers.

    Raises
    ------
    InputError
        If there is no such family or file, or it cannot be read.

    Examples
    --------
    >>> load_code("frc:workers=9,stragglers=2").label
    'FRC (N=9, S=2)'
    """
    if is_name_in_place(name):
        return build_code(parse_code(name))
    return read_code_file(name)


def is_name_in_place(name: str) -> bool:
    """Whether a text names a family in place, rather than a file.

    Examples
    --------
    >>> is_name_in_place("pg:q=5"), is_name_in_place("./pg:q=5"), is_name_in_place("a.json")
    (True, False, False)
    >>> is_name_in_place("dual(ag:q=3)")
    True
    """
    head, colon, _ = head_of(name)
    if colon == "(":
        return head in OPERATIONS and not is_there(name)
    if head in all_names():
        return bool(colon) or not is_there(name)
    return bool(colon) and "/" not in head and not is_there(name)


def is_there(name: str) -> bool:
    """Whether there is a file of this name; one that no file can have is the name of none.

    Examples
    --------
    >>> is_there("a" * 300)
    False
    """
    try:
        return Path(name).exists()
    except OSError:  # too long for a file, as a name in place may be
        return False


def read_code_file(name: str) -> GradientCode:
    """Return the code that a file describes; its suffix says the format.

    Raises
    ------
    InputError
        If the file cannot be read, or what it claims to be is false.
    """
    from gcdesign.designs.formats import load_file

    data, kind = load_file(name)
    return read_code(data, kind=kind, name=name)


def read_code(data: bytes, *, kind: str, name: str) -> GradientCode:
    """Return the code of what a file holds: a design, or a matrix with workers as rows.

    Parameters
    ----------
    data
        The file's content.
    kind
        Its format.
    name
        Its name, for messages.

    Raises
    ------
    InputError
        If the content cannot be used, or what it claims to be is false.
    """
    from gcdesign.designs.formats import read
    from gcdesign.designs.formats.text import naming

    content = read(data, kind=kind, name=name)
    with naming(name):
        if isinstance(content, BlockDesign):
            code = GradientCode.from_design(content)
        else:
            code = GradientCode.from_matrix(content)
        return confirmed(code, data) if kind == "mtx" else code
