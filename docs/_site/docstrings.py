"""Docstrings in the style of numpy, as Sphinx wants them.

The reader of Sphinx's napoleon does the work. A property's docstring is prose, where napoleon would
take ``Shape (N,): …`` for a type; fields may share a line, ``lower, upper``; and bars are |absolute
values|, not substitutions.
"""

from __future__ import annotations

import re
from typing import Any

from sphinx.ext.napoleon import Config, NumpyDocstring

CONFIG = Config(napoleon_use_ivar=True, napoleon_use_rtype=False, napoleon_google_docstring=False)
PROSE = ("attribute", "data", "property")
LITERAL = re.compile(r"(``.+?``)")


class Docstring(NumpyDocstring):  # type: ignore[misc]  # known where the extra is installed
    """Reads docstrings whose fields may share a line."""

    def _consume_fields(
        self, parse_type: bool = True, prefer_type: bool = False, multiple: bool = False
    ) -> list[tuple[str, str, list[str]]]:
        fields: list[tuple[str, str, list[str]]]
        fields = super()._consume_fields(parse_type, prefer_type, multiple=True)
        return fields


def read(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Turn the lines of a docstring into reStructuredText, in place."""
    lines[:] = [_bars(line) for line in lines]
    kind = "function" if what in PROSE else what
    lines[:] = Docstring(lines, CONFIG, app, kind, name, obj, options).lines()


def summary(documented: object) -> str:
    """Return the first line of a docstring."""
    return _bars((documented.__doc__ or "").strip().partition("\n")[0])


def signature(*arguments: Any) -> tuple[str | None, str | None] | None:
    """Write what a dataclass makes anew for each object as ``...``, which can be parsed."""
    written, returned = arguments[-2:]
    return written and (written.replace("<factory>", "..."), returned)


def _bars(line: str) -> str:
    """Escape bars, but in literals and examples."""
    if line.lstrip().startswith((">>>", "...")):
        return line
    pieces = LITERAL.split(line)
    return "".join(p if p.startswith("``") else p.replace("|", r"\|") for p in pieces)
