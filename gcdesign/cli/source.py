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
        file = last_built()
        return Source(load_code(file), f"{file}, last built here", file)
    if name == "-":
        return _from_stdin()
    in_place = is_name_in_place(name)
    return Source(load_code(name), name, None if in_place else name)


def _from_stdin() -> Source:
    from gcdesign.codes.sources import as_code, load_code
    from gcdesign.designs.formats import guess_kind, read

    if sys.stdin.isatty():
        raise InputError("standard input is a terminal; pipe a design into it or name a file")
    data = sys.stdin.buffer.read(MAX_INPUT_BYTES + 1)
    if not data.strip():
        raise InputError("standard input is empty; pipe a design: gcdesign build … -o -")
    built = _built_file(data)
    if built is not None:
        return Source(load_code(built), f"{built}, from standard input", built)
    content = read(data, kind=guess_kind(data), name="standard input")
    return Source(as_code(content), "standard input", None)


def _built_file(data: bytes) -> str | None:
    """Return the file that the summary of ``build --json`` names, if this is one."""
    if len(data) > 1 << 16 or b"gcdesign.build/1" not in data:
        return None
    try:
        summary = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(summary, dict) or summary.get("schema") != "gcdesign.build/1":
        return None
    file = summary.get("file")
    return file if isinstance(file, str) else None


def last_built() -> str:
    """Return the file of the design last built in this directory.

    Raises
    ------
    InputError
        If nothing was built here, or the file is gone.
    """
    advice = "name a DESIGN, such as pg:q=5, or build one first: gcdesign build pg --q 5"
    try:
        text = LAST_BUILT.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise InputError(f"no design was built in this directory yet; {advice}") from None
    try:
        file = json.loads(text)["file"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError(f"{LAST_BUILT} is damaged; delete it, then {advice}") from None
    if not isinstance(file, str) or not Path(file).is_file():
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
