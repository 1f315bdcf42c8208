"""The text form of base blocks, and the table of them that comes with gcdesign.

One line is one design, ``v k λ | group | copies fixed | multipliers | base blocks | source``:

    31 10 3 | Z5 | 6 1 | | 0 1 5 12; 3 9 20 | search
    40 8 7 | Z39 | 1 1 | 3 | 0 2 4 7 16 20 22 30; 0 1 13 16 21 22 24 33 | search

A multiplier is a unit of the ring and, after a colon, what each slot goes to. Lines that begin
with ``#`` are comments; the first line names the format and its version.
"""

from __future__ import annotations

from functools import lru_cache
from pkgutil import get_data

from gcdesign.designs.actions import Action, Multiplier
from gcdesign.designs.base_blocks import BaseBlocks
from gcdesign.designs.rings import Ring
from gcdesign.errors import InputError

HEADER = "# gcdesign base blocks, version 1"
"""The first line of a table."""

Key = tuple[int, int, int]


def written(key: Key, family: BaseBlocks, source: str) -> str:
    """Return the line of a table for a design.

    Examples
    --------
    >>> family = BaseBlocks(Action(Ring.parse("Z7")), ((0, 1, 3),))
    >>> written((7, 3, 1), family, "Fano")
    '7 3 1 | Z7 | 1 0 |  | 0 1 3 | Fano'
    """
    action = family.action
    multipliers = ";".join(
        f"{m.unit}:{_numbers(m.slots)}" if m.slots else str(m.unit) for m in action.multipliers
    )
    blocks = "; ".join(map(_numbers, family.blocks))
    slots = f"{action.copies} {action.fixed}"
    return " | ".join([_numbers(key), str(action.ring), slots, multipliers, blocks, source])


def _numbers(values: tuple[int, ...]) -> str:
    return " ".join(map(str, values))


def read_line(line: str) -> tuple[Key, BaseBlocks, str]:
    """Read one line of a table: parameters, base blocks, source.

    Raises
    ------
    InputError
        If the line is malformed.

    Examples
    --------
    >>> key, family, source = read_line("7 3 1 | Z7 | 1 0 | 2 | 1 2 4 | Fano")
    >>> key, family.b, source
    ((7, 3, 1), 7, 'Fano')
    """
    fields = [field.strip() for field in line.split("|")]
    try:
        parameters, ring, slots, multipliers, blocks, source = fields
        v, k, lambda_ = _read_numbers(parameters)
        copies, fixed = _read_numbers(slots)
        action = Action(
            Ring.parse(ring),
            copies,
            fixed,
            tuple(_read_multiplier(text) for text in multipliers.split(";") if text.strip()),
        )
        family = BaseBlocks(action, tuple(_read_numbers(block) for block in blocks.split(";")))
    except InputError:
        raise
    except ValueError:
        raise InputError(
            f"{line[:60]!r} in a table of base blocks; expected "
            "v k λ | group | copies fixed | multipliers | base blocks | source"
        ) from None
    return (v, k, lambda_), family, source


def _read_numbers(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split())


def _read_multiplier(text: str) -> Multiplier:
    unit, _, slots = text.partition(":")
    return Multiplier(int(unit), _read_numbers(slots))


def read_table(text: str) -> list[tuple[Key, BaseBlocks, str]]:
    """Read a whole table.

    Raises
    ------
    InputError
        If the first line names another format or version, or a line is malformed.
    """
    return [read_line(line) for line in _lines(text)]


def _lines(text: str) -> list[str]:
    lines = text.splitlines()
    if not lines or lines[0].strip() != HEADER:
        raise InputError(f"a table of base blocks begins with {lines[:1]}; expected {HEADER!r}")
    return [line for line in lines[1:] if line.strip() and not line.startswith("#")]


@lru_cache(maxsize=1)
def stored_lines() -> dict[Key, str]:
    """Return the lines of the table that comes with gcdesign, by parameters."""
    data = get_data("gcdesign.designs", "data/base_blocks.txt") or b""
    lines = _lines(data.decode("utf-8"))
    keys = [_read_numbers(line.partition("|")[0]) for line in lines]
    return {(v, k, index): line for (v, k, index), line in zip(keys, lines, strict=True)}


def stored(key: Key) -> tuple[BaseBlocks, str] | None:
    """Return the base blocks and their source that come with gcdesign, if there are any."""
    line = stored_lines().get(key)
    return read_line(line)[1:] if line else None
