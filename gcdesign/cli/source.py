"""From the DESIGN argument to a code, and the memory of what was last built here."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gcdesign.errors import GcdesignError, InputError

if TYPE_CHECKING:
    from gcdesign.codes import GradientCode
    from gcdesign.designs import BlockDesign

LAST_BUILT = Path(".gcdesign-last.json")
MAX_INPUT_BYTES = 1 << 30
MAX_SUMMARY_BYTES = 1 << 16


@dataclass(frozen=True)
class Source:
    """A code together with where it came from.

    Attributes
    ----------
    code
        The gradient code.
    origin
        What to tell the user: the file, the name in place, or ``"standard input"``.
    file
        The file it was read from, or None.
    """

    code: GradientCode
    origin: str
    file: str | None

    @property
    def design(self) -> BlockDesign:
        """The design whose blocks are the workers."""
        return self.code.placement.design


def open_source(name: str | None) -> Source:
    """Return the code named on the command line, or the one last built in this directory."""
    from gcdesign.codes.sources import is_name_in_place, load_code

    if name is None:
        return _from_file(last_built(), ", last built here")
    if name == "-":
        return _from_stdin()
    if not name:
        raise InputError("the name of the DESIGN is empty; expected a file, - or pg:q=5")
    return Source(load_code(name), name, None) if is_name_in_place(name) else _from_file(name)


def open_design(name: str | None) -> Source:
    """Return the design named, as `open_source`; a code with weights is refused."""
    source = open_source(name)
    if source.code.weights is not None:
        raise InputError(f"{source.origin}: a matrix with other entries than 0 and 1 is no design")
    return source


def _from_file(file: str, how: str = "") -> Source:
    from gcdesign.codes.sources import read_code_file
    from gcdesign.designs.formats.text import printable

    return Source(read_code_file(file), f"{printable(file)}{how}", file)


def _from_stdin() -> Source:
    from gcdesign.codes.sources import read_code
    from gcdesign.designs.formats import guess_kind

    if sys.stdin.isatty():
        raise InputError("standard input is a terminal; pipe a design into it or name a file")
    data = sys.stdin.buffer.read(MAX_INPUT_BYTES + 1)
    if not data.strip():
        raise InputError("standard input is empty; pipe a design: gcdesign build … -o -")
    built = _built_file(data)
    if built is not None:
        return _from_file(built, ", from standard input")
    code = read_code(data, kind=guess_kind(data), name="standard input")
    return Source(code, "standard input", None)


def _built_file(data: bytes) -> str | None:
    """Return the file that the summary of ``build --json`` names, if this is one."""
    if len(data) > MAX_SUMMARY_BYTES or b"gcdesign.build/1" not in data:
        return None
    try:
        summary = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(summary, dict) or summary.get("schema") != "gcdesign.build/1":
        return None
    file = summary.get("file")
    return file if isinstance(file, str) and "\0" not in file else None


def last_built() -> str:
    """Return the file of the design last built in this directory.

    Raises
    ------
    InputError
        If nothing was built here, or the file is gone.
    """
    advice = "name a DESIGN, such as pg:q=5, or build one first: gcdesign build pg --q 5"
    try:
        is_there = LAST_BUILT.is_file()  # neither a directory nor a device or pipe
        text = LAST_BUILT.read_bytes()[:MAX_SUMMARY_BYTES] if is_there else b""
    except OSError as error:
        raise InputError(f"{LAST_BUILT} cannot be read: {error.strerror}; {advice}") from None
    if not is_there:
        raise InputError(f"no design was built in this directory yet; {advice}")
    try:
        file = json.loads(text)["file"]
    except (ValueError, KeyError, TypeError, RecursionError):
        file = None
    if not isinstance(file, str) or "\0" in file:
        raise InputError(f"{LAST_BUILT} is damaged; delete it, then {advice}")
    if not Path(file).is_file():
        raise InputError(f"the design last built here, {file}, is gone; {advice}")
    return file


def remember(file: Path) -> str | None:
    """Note the file as the one last built here; return a notice if that is not possible."""
    from gcdesign.designs.formats import write_file

    document = {"schema": "gcdesign.last/1", "file": str(file)}
    try:
        write_file(LAST_BUILT, (json.dumps(document) + "\n").encode(), force=True)
    except GcdesignError as error:
        return f"not remembered as the design last built here: {error}"
    return None
