"""From what declarations call their sources to the bibliography.

A source is written in words, "Singer 1938; Kadhe, Koyluoglu, Ramchandran 2019, Table III". Authors
and a year name the entry of the bibliography with these surnames and this year; the title of an
entry names it too, and decides where authors have several of one year.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

BIBLIOGRAPHY = Path(__file__).parents[1] / "references.bib"

NAME = r"[^\W\d_a-z][\w-]+(?: [^\W\d_a-z][\w-]+)?"
NAMED = re.compile(rf"({NAME}(?:(?:, | and ){NAME})*)( et al\.)?,? (\d{{4}})\b")


@dataclass(frozen=True)
class Work:
    """One entry of the bibliography."""

    key: str
    surnames: tuple[str, ...]
    title: str
    year: str


@cache
def works() -> tuple[Work, ...]:
    """Return the entries of the bibliography."""
    from pybtex.database import parse_file

    return tuple(
        Work(
            key,
            tuple(_plain(" ".join(p.last_names)) for p in entry.persons.get("author", [])),
            _plain(entry.fields["title"]),
            entry.fields["year"],
        )
        for key, entry in parse_file(str(BIBLIOGRAPHY)).entries.items()
    )


def _plain(text: str) -> str:
    from pybtex.richtext import Text

    return str(Text.from_latex(text))


def keys(source: str) -> list[str]:
    """Return the keys of the works that a source names, in its order.

    Examples
    --------
    >>> keys("Singer 1938; Kadhe, Koyluoglu, Ramchandran 2019, Table III")
    ['singer1938', 'kadhe2019']
    >>> keys("folklore")
    []
    """
    titled = {work.key for work in works() if work.title.lower() in source.lower()}
    found = dict.fromkeys(key for name in NAMED.finditer(source) for key in _named(name, titled))
    return [*found, *sorted(titled.difference(found))]


def _named(name: re.Match[str], titled: set[str]) -> list[str]:
    """Return the work of these authors and year: the one whose title is there, or the first."""
    surnames = tuple(re.split(", | and ", name[1]))
    fitting = [
        work.key
        for work in works()
        if work.year == name[3] and (work.surnames[:1] if name[2] else work.surnames) == surnames
    ]
    return [key for key in fitting if key in titled] or fitting[:1]


def known(source: str) -> bool:
    """Whether a source is a reference, or says that there is none."""
    return source == "folklore" or bool(keys(source))


def cited(source: str) -> str:
    """Return a source with references to the bibliography after it."""
    found = keys(source)
    return source + (f" {{cite:p}}`{','.join(found)}`" if found else "")
