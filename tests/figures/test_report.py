"""The report page: everything inside, everything escaped, and small."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from gcdesign.adversary import Settings
from gcdesign.adversary.dossier import dossier
from gcdesign.codes import load_code
from gcdesign.figures.report import report_html

VOID = {"meta", "img", "link", "br", "hr", "input", "source"}


class Balance(HTMLParser):
    """Collects what is opened and never closed, and every address."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def page(name: str, *, limit: float = 60.0, **settings: str) -> str:
    found = dossier(load_code(name), name=name, settings=Settings(time_limit=limit))
    return report_html(found, name=name, commands=(f"gcdesign report {name}",), **settings)


@pytest.mark.parametrize(
    "name", ["pg:q=2", "ag:q=3", "cyclic:workers=6,stragglers=2", "uncoded:workers=1"]
)
def test_it_is_sound_and_needs_nothing(name: str) -> None:
    text = page(name)
    reader = Balance()
    reader.feed(text)
    assert reader.open == []
    assert all(address.startswith(("#", "data:")) for address in reader.addresses)
    assert "http://" not in re.sub(r'xmlns="[^"]*"', "", text)
    identifiers = re.findall(r'\bid="([^"]*)"', text)
    assert len(identifiers) == len(set(identifiers))


def test_every_value_stands_in_it() -> None:
    text = page("pg:q=2")
    for value in ("1/4", "4/7", "8/5", "5/2"):
        assert f">{value}</td>" in text
    assert text.count('class="badge proved"') >= 16
    assert re.search(r"<code class=\"long\">[0-9a-f]{64}</code>", text)
    assert r"\mathrm{err}_S = \frac{2 S}{9 - S}" in text


def test_what_is_not_proved_is_a_bracket() -> None:
    text = page("pg:q=5", limit=0.0)
    assert 'class="badge bracket"' in text
    assert "ended by its limit" in text


def test_names_are_escaped(tmp_path: Path) -> None:
    evil = tmp_path / "<img src=x onerror=alert(1)>.csv"
    evil.write_text("1,1,0\n0,1,1\n", encoding="utf-8")
    found = dossier(load_code("uncoded:workers=2"), name=str(evil))
    text = report_html(found, name=str(evil), commands=(str(evil),), title="a & b </title>")
    assert "<img src=x" not in text
    assert "<title>a &amp; b &lt;/title&gt;</title>" in text


def test_large_designs_get_pictures_that_stand_still() -> None:
    found = dossier(
        load_code("uncoded:workers=500"), name="u", settings=Settings(method="bounds", time_limit=9)
    )
    text = report_html(found, name="u", commands=())
    assert "data:image/png;base64," in text
    assert 'id="matrix"' not in text
    assert len(text) < 2_000_000
