"""Links that hold in a repository browser, made to hold on the site as well.

The pages link to each other by relative paths, which Sphinx understands inside this folder. Pages
outside it (CONTRIBUTING, CHANGELOG, …) are copied to ``docs/project`` when the site is built, and
links to them, and in them, are rewritten. A link to the section of a family on the one page of all
families goes to the family's own page.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

ELSEWHERE = {
    "README.md": "docs/index.md",
    "CONTRIBUTING.md": "docs/project/contributing.md",
    "CHANGELOG.md": "docs/project/changelog.md",
    "SECURITY.md": "docs/project/security.md",
    "examples/README.md": "docs/project/examples.md",
}
"""Pages outside this folder, and where the site has them; both from the root of the checkout."""

FRAGMENTS = "Changes that are not released yet are in [changelog.d](changelog.d), a file each."
"""What stands in CHANGELOG where the site has the changes themselves."""

LINK = re.compile(r"(\]\()([^()\s]+)(\))")
FENCE = re.compile(r"^(```|~~~).*?^\1\s*$", re.MULTILINE | re.DOTALL)


def on_site(text: str, *, page: str, at: str, families: Collection[str]) -> str:
    """Return a page's text with its relative links as the site has them.

    Parameters
    ----------
    text
        Markdown.
    page, at
        Where the page is in the checkout, and where the site has it: ``"CONTRIBUTING.md"`` and
        ``"docs/project/contributing.md"``. The same for pages of this folder.
    families
        Names that have pages of their own.

    Examples
    --------
    >>> on_site("see [how](../CONTRIBUTING.md)", page="docs/codes.md", at="docs/codes.md",
    ...         families=())
    'see [how](project/contributing.md)'
    >>> on_site("[PG](docs/families.md#pg)", page="README.md", at="docs/index.md", families={"pg"})
    '[PG](families/pg.md)'
    """

    def moved(link: re.Match[str]) -> str:
        before, target, after = link.groups()
        return before + _target(target, page, at, families) + after

    return _outside_fences(text, lambda prose: LINK.sub(moved, prose))


def _target(target: str, page: str, at: str, families: Collection[str]) -> str:
    path, hash_, anchor = target.partition("#")
    if not path or ":" in path or path.startswith("/"):
        return target
    found = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
    if found == "docs/families.md" and anchor in families:
        found, hash_, anchor = f"docs/families/{anchor}.md", "", ""
    found = ELSEWHERE.get(found, found)
    return posixpath.relpath(found, posixpath.dirname(at)) + hash_ + anchor


def _outside_fences(text: str, change: Callable[[str], str]) -> str:
    pieces, end = [], 0
    for fence in FENCE.finditer(text):
        pieces += [change(text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*pieces, change(text[end:])])


def pages_from_elsewhere(root: Path, families: Collection[str]) -> Mapping[Path, str]:
    """Return the pages that the site has of files outside this folder: path and text."""
    texts = {page: (root / page).read_text("utf-8") for page in ELSEWHERE}
    texts["CHANGELOG.md"] = texts["CHANGELOG.md"].replace(FRAGMENTS, _unreleased(root))
    return {
        root / at: on_site(texts[page], page=page, at=at, families=families)
        for page, at in ELSEWHERE.items()
        if at.startswith("docs/project/")
    }


def _unreleased(root: Path) -> str:
    """Return what has changed since the last release, by kind: ``+name.KIND.md``, a file each."""
    news: dict[str, list[str]] = {}
    for path in sorted((root / "changelog.d").glob("*.*.md")):
        item = " ".join(path.read_text("utf-8").split())
        news.setdefault(path.stem.rpartition(".")[2], []).append(f"- {item}")
    sections = (f"### {kind.capitalize()}\n\n" + "\n".join(news[kind]) for kind in sorted(news))
    return "## Not released yet\n\n" + "\n\n".join(sections)
