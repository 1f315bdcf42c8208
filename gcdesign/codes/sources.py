"""From what a user writes, a name in place or a file, to a gradient code."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gcdesign.codes.code import GradientCode
from gcdesign.codes.registry import all_names, build_code, parse_code
from gcdesign.designs import BlockDesign

if TYPE_CHECKING:
    import scipy.sparse


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
    from gcdesign.designs.formats import read_file

    return as_code(read_file(name), name=name)


def is_name_in_place(name: str) -> bool:
    """Whether a text names a family in place, rather than a file.

    Examples
    --------
    >>> is_name_in_place("pg:q=5"), is_name_in_place("./pg:q=5"), is_name_in_place("a.json")
    (True, False, False)
    """
    head, colon, _ = name.partition(":")
    if head in all_names():
        return bool(colon) or not Path(name).exists()
    return bool(colon) and "/" not in head and not Path(name).exists()


def as_code(content: BlockDesign | scipy.sparse.csr_array, *, name: str) -> GradientCode:
    """Return the code of what a file held: a design, or a matrix with workers as rows.

    The name is for messages.
    """
    if isinstance(content, BlockDesign):
        return GradientCode.from_design(content)
    from gcdesign.designs.formats.text import naming

    with naming(name):
        return GradientCode.from_matrix(content)
