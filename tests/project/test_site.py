"""The documentation site: links between its pages, and sources as references."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

Load = Callable[[str], Any]

ROOT = Path(__file__).parents[2]
CHECK = runpy.run_path(str(ROOT / "scripts" / "check_links.py"))


@pytest.fixture
def site_module(monkeypatch: pytest.MonkeyPatch) -> Load:
    """Import a module of docs/_site by name."""
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "_site"))

    def load(name: str) -> Any:
        monkeypatch.delitem(sys.modules, name, raising=False)
        return import_module(name)

    return load


def write(folder: Path, **pages: str) -> str:
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return str(folder)


def test_links_that_lead_somewhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a b.png").write_bytes(b"")
    write(tmp_path / "sub", index='<a href="../one.html#h%C3%A9">up</a>')
    folder = write(
        tmp_path,
        one='<p id="hé"><a href="#hé">here</a><a href="sub/">down</a><img src="a%20b.png">'
        '<a href="https://example.org/x#y">away</a><a href="mailto:a@b">post</a>',
    )
    assert CHECK["main"](folder) == 0
    told = capsys.readouterr()
    assert told.out == ("2 pages, 6 links: 0 broken, 2 addresses of other sites not followed\n")
    assert told.err == ""


@pytest.mark.parametrize(
    ("link", "problem"),
    [
        ("two.html", "no such file"),
        ("one.html#there", "no such anchor"),
        ("#there", "no such anchor"),
        ("../secret.txt", "outside the site"),
        ("sub/", "no such file"),
    ],
)
def test_links_that_lead_nowhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], link: str, problem: str
) -> None:
    (tmp_path / "secret.txt").write_text("")
    (tmp_path / "site" / "sub").mkdir(parents=True)
    folder = write(tmp_path / "site", one=f'<p id="here">\n<a href="{link}">x</a>')
    assert CHECK["main"](folder) == 1
    assert capsys.readouterr().err == f"one.html:2: {link}: {problem}\n"


def test_a_folder_without_pages(tmp_path: Path) -> None:
    assert CHECK["main"](str(tmp_path)) == 2


@pytest.mark.parametrize(
    ("page", "at", "text", "expected"),
    [
        ("docs/a.md", "docs/a.md", "[x](b.md#c)", "[x](b.md#c)"),
        ("docs/a.md", "docs/a.md", "[x](../CONTRIBUTING.md)", "[x](project/contributing.md)"),
        ("docs/howto/a.md", "docs/howto/a.md", "[x](../families.md#pg)", "[x](../families/pg.md)"),
        (
            "docs/a.md",
            "docs/a.md",
            "[x](families.md#named-graphs)",
            "[x](families.md#named-graphs)",
        ),
        ("CONTRIBUTING.md", "docs/project/contributing.md", "[x](docs/a.md)", "[x](../a.md)"),
        ("CONTRIBUTING.md", "docs/project/contributing.md", "[x](#y)", "[x](#y)"),
        ("README.md", "docs/index.md", "[x](examples/a.py)", "[x](../examples/a.py)"),
        ("docs/a.md", "docs/a.md", "[x](https://a.org/b.md)", "[x](https://a.org/b.md)"),
        (
            "docs/a.md",
            "docs/a.md",
            "```\n[x](../README.md)\n```\n",
            "```\n[x](../README.md)\n```\n",
        ),
    ],
)
def test_links_of_pages_on_the_site(
    site_module: Load, page: str, at: str, text: str, expected: str
) -> None:
    links = site_module("links")
    assert links.on_site(text, page=page, at=at, families={"pg"}) == expected


def test_every_source_is_in_the_bibliography(site_module: Load) -> None:
    pytest.importorskip("pybtex", reason="the extra docs is not installed")
    from gcdesign.codes.registry import all_names, declared

    sources = site_module("sources")
    unknown = {n: declared(n).source for n in all_names() if not sources.known(declared(n).source)}
    assert unknown == {}, "add them to docs/references.bib"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Singer 1938; Kadhe, Koyluoglu, Ramchandran 2019, Table III", ["singer1938", "kadhe2019"]),
        ("as in the code of Raviv et al. 2020", ["raviv2020"]),
        ("Wilson 1972", ["wilson1972"]),
        ("Wilson 1972, An Existence Theory for Pairwise Balanced Designs", ["wilson1972closure"]),
        ("Handbook of Combinatorial Designs 2007", ["handbook2007"]),
        ("Koyluoglu, Ramchandran 2019; Singer 1939; folklore", []),
    ],
)
def test_what_a_source_names(site_module: Load, source: str, expected: list[str]) -> None:
    pytest.importorskip("pybtex", reason="the extra docs is not installed")
    sources = site_module("sources")
    assert sources.keys(source) == expected
