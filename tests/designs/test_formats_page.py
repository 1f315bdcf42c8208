"""docs/formats.md says what the code does: formats, suffixes and limits."""

from __future__ import annotations

import re
from pathlib import Path

from gcdesign.adversary.running import journal
from gcdesign.designs import design
from gcdesign.designs.formats import FORMATS, markup, matrixmarket, nested, text
from gcdesign.designs.values import MAX_NESTING

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "formats.md").read_text("utf-8")


def table(heading: str) -> list[list[str]]:
    """The rows of the table whose first line starts with some words, without its head."""
    lines = PAGE.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(heading)) + 2
    rows = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def limit(words: str) -> int:
    """The number before some words, or after them: ``10 000 000``, ``1 GiB``."""
    number = r"(\d+(?: \d{3})*)( [GM]iB)?"
    found = re.search(rf"{re.escape(words)} \| {number}|{number} {re.escape(words)}", PAGE)
    assert found is not None, words
    digits, unit = (found[1], found[2]) if found[1] else (found[3], found[4])
    return int(digits.replace(" ", "")) << {" GiB": 30, " MiB": 20}.get(unit, 0)


def test_every_format_is_on_the_page_with_its_suffixes() -> None:
    told = {
        row[0].strip("`"): (re.findall(r"`(\.\w+)`", row[1]), row[2], row[3])
        for row in table("| name | suffix |")
    }
    assert told == {
        one.name: (list(one.suffixes), "yes", "yes" if one.read else "no") for one in FORMATS
    }


def test_every_format_has_a_section() -> None:
    sections = {
        name for title in re.findall(r"^## (.*):", PAGE, re.M) for name in title.split(", ")
    }
    assert {one.name for one in FORMATS} <= sections


def test_limits_are_those_of_the_code() -> None:
    assert limit("points, blocks (parts, workers)") == design.MAX_POINTS
    assert limit("incidences (entries that are not 0)") == design.MAX_INCIDENCES
    assert limit("bytes of a file, and bytes that an archive unpacks to") == text.MAX_BYTES
    assert limit("bytes of a line of text") == text.MAX_LINE
    assert limit("digits of a number in `gap`, `sage` and `designtheory`") == nested.MAX_DIGITS
    assert nested.MAX_DIGITS == markup.MAX_DIGITS
    assert limit("operations in a provenance") == MAX_NESTING
    assert limit("incidences and") == text.FREE_WORK
    assert limit("more for each byte of the file") == text.WORK_PER_BYTE
    assert limit("bytes; indices out of range") == matrixmarket.MAX_LINE
    assert limit("deep; a file without designs") == markup.MAX_DEPTH


def test_limits_of_a_journal() -> None:
    page = (DOCS / "long-runs.md").read_text("utf-8")
    assert "a file over 1 GiB, a million keys, or a line over 4 MiB" in page
    assert (journal.MAX_BYTES, journal.MAX_KEYS, journal.MAX_LINE) == (1 << 30, 10**6, 4 << 20)
