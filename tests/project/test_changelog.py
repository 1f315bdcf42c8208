"""News comes in fragments: one file for each change, of which the release makes a section."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["towncrier"]
KINDS = [kind["directory"] for kind in CONFIG["type"]]
FRAGMENTS = sorted((ROOT / CONFIG["directory"]).iterdir())


@pytest.mark.parametrize("path", FRAGMENTS, ids=lambda path: path.name)
def test_a_fragment_is_well_formed(path: Path) -> None:
    assert re.fullmatch(rf"\+[a-z0-9-]+\.({'|'.join(KINDS)})\.md", path.name)
    text = path.read_text(encoding="utf-8")
    assert text.endswith(".\n")
    assert not text.startswith(("-", "*", "#", " "))
    assert "\n\n" not in text, "one paragraph"
    assert max(map(len, text.splitlines())) <= 120
    for target in re.findall(r"\]\(([^):#]+)\)", text):
        assert (ROOT / target).exists(), "links are as seen from CHANGELOG.md"


def test_the_changelog_has_a_place_for_them() -> None:
    text = (ROOT / CONFIG["filename"]).read_text(encoding="utf-8")
    assert text.count("<!-- towncrier release notes start -->") == 1
    assert "Unreleased" not in text, "news goes into changelog.d"
