"""Values of parameters: whole numbers, lists of them, and names of designs and graphs.

One value has one written form, used in names in place, on the command line and in messages; in
JSON a whole number is a number, a list an array and a name a string.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gcdesign.errors import InputError

ParameterValue = int | tuple[int, ...] | str
"""A whole number, a list of whole numbers, or the name of a design or graph."""

MAX_NESTING = 64
"""Most operations around a family, in a name and in the provenance of a file."""

_WHOLE = re.compile(r"[+-]?[0-9]{1,30}")
_LIST = re.compile(r"-?[0-9]{1,30}(\+-?[0-9]{1,30})*")


@dataclass(frozen=True)
class Kind:
    """What the values of a parameter are.

    Attributes
    ----------
    name
        ``"whole"``, ``"list"``, ``"design"``, ``"graph"`` or ``"degrees"``.
    expected
        What a value should look like, for messages.
    expected_json
        The same for JSON.
    parse
        Takes the written form and returns the value, or None if it is malformed.
    """

    name: str
    expected: str
    expected_json: str
    parse: Callable[[str], ParameterValue | None]

    def holds(self, value: ParameterValue) -> bool:
        """Whether a value is of this kind."""
        return isinstance(value, {"whole": int, "list": tuple}.get(self.name, str))

    def from_json(self, value: Any) -> ParameterValue | None:
        """Return the value that a piece of JSON stands for, or None if it is of another kind."""
        if type(value) is int and self.name == "whole" and _in_range(value):
            return value
        if isinstance(value, str) and self.name not in ("whole", "list"):
            return self.parse(value)
        if isinstance(value, list) and self.name == "list" and value:
            return tuple(value) if all(type(v) is int and _in_range(v) for v in value) else None
        return None


def _in_range(number: int) -> bool:
    return abs(number) < 1 << 63


def _parse_whole(text: str) -> ParameterValue | None:
    return int(text) if _WHOLE.fullmatch(text) else None


def _parse_list(text: str) -> ParameterValue | None:
    return tuple(map(int, text.split("+"))) if _LIST.fullmatch(text) else None


def _parse_name(text: str) -> ParameterValue | None:
    inner = text[1:-1] if text[:1] == "(" and text[-1:] == ")" else text
    return inner if inner.strip() and inner[:1] != "(" else None


WHOLE = Kind("whole", "a whole number", "a whole number", _parse_whole)
LIST = Kind("list", "whole numbers such as 0+1+3", "a list of whole numbers", _parse_list)
DESIGN = Kind(
    "design", "a name in place, such as pg:q=5 or (pg:q=3,dim=3)", "a name in place", _parse_name
)
GRAPH = Kind(
    "graph", "a graph, such as petersen or (lps:p=5,q=13)", "the name of a graph", _parse_name
)
GROUP = Kind(
    "group", "a group such as Z13, F9 or Z2xZ6", "a group such as Z13, F9 or Z2xZ6", _parse_name
)
BLOCKS = Kind("blocks", "blocks such as 0+1+4/0+2+7", "blocks such as 0+1+4/0+2+7", _parse_name)
DEGREES = Kind("degrees", "degrees such as 0.5x+0.5x^2", "degrees such as 0.5x+0.5x^2", _parse_name)


@dataclass(frozen=True)
class Parameter:
    """One parameter of a family.

    Attributes
    ----------
    name
        Its name in Python, on the command line (``--name``), in names in place and in JSON.
    help
        One line that says what it is and what is allowed.
    optional
        Whether the constructor has a default for it.
    kind
        What its values are: whole numbers, unless it says otherwise.
    """

    name: str
    help: str
    optional: bool = False
    kind: Kind = WHOLE


def shown_value(value: ParameterValue) -> str:
    """Return the written form of a value, without parentheses around a name.

    Examples
    --------
    >>> shown_value(5), shown_value((0, 1, 3)), shown_value("pg:q=3,dim=3")
    ('5', '0+1+3', 'pg:q=3,dim=3')
    """
    return "+".join(map(str, value)) if isinstance(value, tuple) else str(value)


def settings_text(parameters: tuple[tuple[str, ParameterValue], ...]) -> str:
    """Return ``name=value,name=value``; a name that holds a comma stands in parentheses.

    Examples
    --------
    >>> settings_text((("left", "pg:q=2"), ("right", "frc:workers=4,stragglers=1")))
    'left=pg:q=2,right=(frc:workers=4,stragglers=1)'
    """
    return ",".join(
        f"{name}=({value})"
        if isinstance(value, str) and "," in value
        else f"{name}={shown_value(value)}"
        for name, value in parameters
    )


def json_value(value: ParameterValue) -> int | list[int] | str:
    """Return the JSON form of a value."""
    return list(value) if isinstance(value, tuple) else value


def parse_settings(text: str, kinds: dict[str, Kind], *, where: str) -> dict[str, ParameterValue]:
    """Parse ``name=value,name=value``; commas in parentheses do not separate.

    Parameters
    ----------
    text
        The settings.
    kinds
        The kind of each known parameter; others are read as whole numbers and judged later.
    where
        The whole name, for messages.

    Raises
    ------
    InputError
        If the text is malformed, or a value is not of its kind.

    Examples
    --------
    >>> parse_settings("q=3,dim=2", {"q": WHOLE}, where="pg:q=3,dim=2")
    {'q': 3, 'dim': 2}
    """
    values: dict[str, ParameterValue] = {}
    for setting in filter(None, (part.strip() for part in split_settings(text, where))):
        key, equals, written = (piece.strip() for piece in setting.partition("="))
        if not equals:
            raise InputError(f"{setting!r} in {where!r}; expected name=value, for example q=5")
        if key in values:
            raise InputError(f"{key!r} is given twice in {where!r}")
        kind = kinds.get(key, WHOLE)
        value = kind.parse(written)
        if value is None:
            raise InputError(f"{key}={written} in {where!r}; expected {kind.expected}")
        values[key] = value
    return values


def head_of(text: str) -> tuple[str, str, str]:
    """Return (name, opening, rest) of a name in place, cut at its first ``:`` or ``(``.

    Examples
    --------
    >>> head_of("pg:q=5"), head_of("dual(pg:q=5)"), head_of("pg")
    (('pg', ':', 'q=5'), ('dual', '(', 'pg:q=5)'), ('pg', '', ''))
    """
    at = min((text.index(mark) for mark in ":(" if mark in text), default=len(text))
    return text[:at].strip(), text[at : at + 1], text[at + 1 :]


def split_settings(text: str, where: str) -> list[str]:
    """Split at the commas outside all parentheses."""
    pieces, depth = [""], 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if not 0 <= depth < MAX_NESTING:
            break
        if character == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += character
    if depth:
        problem = "are nested too deeply" if depth >= MAX_NESTING else "do not match"
        raise InputError(f"the parentheses in {where!r} {problem}")
    return pieces
