"""Writes the pages that are made when the site is built: families, and pages from elsewhere."""

from __future__ import annotations

import re
from importlib import import_module
from inspect import isclass, isroutine
from pathlib import Path

import docstrings
import family_pages
import make_families_page
import sources
from links import on_site, pages_from_elsewhere
from sphinx.util.logging import getLogger

from gcdesign.codes.registry import all_names

LOG = getLogger(__name__)

DOCS = Path(__file__).parents[1]
ROOT = DOCS.parent

SECTIONS = ("howto/index", "background/index")
"""Pages that list the pages beside them."""

CHILDREN = """
```{toctree}
:hidden:
:glob:

*
```
"""

MEMBERS = CHILDREN.replace("*", "families/*")


def write_pages() -> None:
    """Write ``docs/families`` and ``docs/project``, where they are older than what makes them."""
    for path, text in pages_from_elsewhere(ROOT, set(all_names())).items():
        _write(path, text.encode())
    folder = DOCS / "families"
    newest = max(path.stat().st_mtime for path in _makers())
    for name in all_names():
        page = folder / f"{name}.md"
        if page.exists() and page.stat().st_mtime > newest:
            continue
        one = family_pages.member(name)
        if not sources.known(one.family.source):
            LOG.warning("%s: no work of docs/references.bib in %r", name, one.family.source)
        for picture, content in family_pages.pictures(one):
            _write(folder / "pictures" / picture, content)
        _write(page, family_pages.page(one).encode())
    for page in folder.glob("*.md"):  # of families that are gone
        if page.stem not in all_names():
            page.unlink()


def _makers() -> list[Path]:
    own = [Path(__file__), Path(family_pages.__file__), Path(make_families_page.__file__)]
    return [*own, *(ROOT / "gcdesign").rglob("*.py")]


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def families_index() -> str:
    """Return the page of all families as the site has it: their sections are pages."""
    members = [(one.family, one.code) for one in map(family_pages.member, all_names())]
    table = make_families_page.overview(members, "families/{}.md")
    pieces = [make_families_page.HEAD, *table, "", make_families_page.graph_table(), ""]
    return "\n".join([*pieces, make_families_page.MEASURES, MEMBERS])


def source_read(app: object, docname: str, content: list[str]) -> None:
    """Rewrite the links of a page, and replace the page of all families."""
    if docname == "families":
        content[0] = families_index()
    if docname.startswith("api/"):
        content[0] = re.sub(r"^\.\. automodule:: (\S+)$", _summarised, content[0], flags=re.M)
    if docname in SECTIONS:
        content[0] += CHILDREN
    page = f"docs/{docname}.md"
    if (DOCS.parent / page).exists():
        content[0] = on_site(content[0], page=page, at=page, families=set(all_names()))


def _summarised(directive: re.Match[str]) -> str:
    """Put a table of what a module offers before what documents it."""
    module = import_module(directive[1])
    offered = [(name, getattr(module, name)) for name in getattr(module, "__all__", ())]
    rows = [
        f"   * - :py:obj:`{name} <{directive[1]}.{name}>`\n     - {docstrings.summary(one)}\n"
        for name, one in offered
        if isclass(one) or isroutine(one)
    ]
    table = ".. list-table::\n   :widths: auto\n\n" + "".join(rows) + "\n" if rows else ""
    return table + directive[0]
