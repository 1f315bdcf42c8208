"""Check the links of a built site: every page, file and anchor that it points to is there.

Run it on the folder that Sphinx wrote: ``python scripts/check_links.py docs/_build/html``. Links
to other sites are counted, not followed; ``python -m sphinx -b linkcheck docs docs/_build/links``
follows them and needs a network.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ADDRESSES = {"a": ("href",), "img": ("src",), "link": ("href",), "script": ("src",)}


@dataclass
class Page(HTMLParser):
    """One page: where it points to, and which anchors it has."""

    path: Path
    links: list[tuple[int, str]] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element's links and anchors."""
        for name, value in attrs:
            if value and (name == "id" or (tag == "a" and name == "name")):
                self.anchors.add(value)
            if value and name in ADDRESSES.get(tag, ()):
                self.links.append((self.getpos()[0], value))


@dataclass
class Site:
    """The pages of a folder.

    Attributes
    ----------
    root
        The folder.
    outside
        Addresses of other sites that pages point to.
    """

    root: Path
    outside: set[str] = field(default_factory=set)

    @cached_property
    def pages(self) -> dict[Path, Page]:
        """All pages, by path."""
        return {path.resolve(): Page(path) for path in sorted(self.root.rglob("*.html"))}

    def broken(self) -> Iterator[str]:
        """Yield a line for each link that leads nowhere."""
        for page in self.pages.values():
            for line, link in page.links:
                problem = self._problem(page, link)
                if problem:
                    where = page.path.relative_to(self.root)
                    yield f"{where}:{line}: {link}: {problem}"

    def _problem(self, page: Page, link: str) -> str | None:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            self.outside.add(link)
            return None
        here = page.path.parent / unquote(parts.path) if parts.path else page.path
        target = (here / "index.html" if here.is_dir() else here).resolve()
        if not target.is_file():
            return "no such file"
        if not target.is_relative_to(self.root.resolve()):
            return "outside the site"
        anchor = unquote(parts.fragment)
        if anchor and target in self.pages and anchor not in self.pages[target].anchors:
            return "no such anchor"
        return None


def main(folder: str) -> int:
    """Check a folder; return the exit code."""
    site = Site(Path(folder))
    if not site.pages:
        print(f"no pages in {folder}", file=sys.stderr)
        return 2
    broken = list(site.broken())
    print("\n".join(broken), file=sys.stderr, end="\n" if broken else "")
    links = sum(len(page.links) for page in site.pages.values())
    print(
        f"{len(site.pages)} pages, {links} links: {len(broken)} broken, "
        f"{len(site.outside)} addresses of other sites not followed"
    )
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
