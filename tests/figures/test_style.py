"""Styles and files: stable colours, the caller's settings, formats, equal bytes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from gcdesign import figures
from gcdesign.designs import BlockDesign, family_names
from gcdesign.errors import InputError
from gcdesign.figures import FORMATS, format_of, incidence_figure, render
from gcdesign.figures.style import FAMILY_STYLES, OTHER_STYLES, curve_styles, paper_style

SIGNATURES = {"png": b"\x89PNG\r\n\x1a\n", "svg": b"<?xml", "pdf": b"%PDF-"}


def picture() -> Figure:
    return incidence_figure(BlockDesign.from_blocks([[0, 1], [1, 2]]), highlight=[0], title="path")


def test_fixed_styles_belong_to_registered_families() -> None:
    assert set(FAMILY_STYLES) <= set(family_names())


def test_all_styles_differ_in_colour_and_in_grey() -> None:
    styles = [*FAMILY_STYLES.values(), *OTHER_STYLES]
    assert len({style.colour for style in styles}) == len(styles)
    assert len({(style.dashes, style.marker) for style in styles}) == len(styles)


def test_a_family_has_the_same_colour_in_every_figure() -> None:
    alone = curve_styles(["expander"])[0]
    together = curve_styles(["pg", "frc", "expander", "uncoded"])
    assert together[2] == alone
    assert together[0] == curve_styles(["pg"])[0] == FAMILY_STYLES["pg"]


def test_many_families_get_different_styles() -> None:
    families = [*FAMILY_STYLES, *(f"family-{i}" for i in range(12)), "pg", "family-3"]
    styles = curve_styles(families)
    assert len(set(styles)) == len(families)
    assert styles[-2].colour == FAMILY_STYLES["pg"].colour
    assert styles[-1].colour == styles[families.index("family-3")].colour


def test_colours_are_dark_enough_for_white_paper() -> None:
    for style in [*FAMILY_STYLES.values(), *OTHER_STYLES]:
        red, green, blue = to_rgb(style.colour)
        assert 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.75


def test_the_settings_of_the_caller_neither_matter_nor_change() -> None:
    expected = render(picture(), "png")
    with matplotlib.rc_context({"font.size": 30, "savefig.bbox": "tight", "axes.grid": True}):
        before = dict(matplotlib.rcParams)
        assert render(picture(), "png") == expected
        assert dict(matplotlib.rcParams) == before


def test_settings_are_restored_after_an_error() -> None:
    before = dict(matplotlib.rcParams)
    with pytest.raises(KeyError), paper_style():
        raise KeyError
    assert dict(matplotlib.rcParams) == before


@pytest.mark.parametrize("file_format", FORMATS)
def test_files_have_their_signature_and_equal_bytes(file_format: str) -> None:
    first, second = (render(picture(), file_format) for _ in range(2))
    assert first.startswith(SIGNATURES[file_format])
    assert first == second


def test_svg_is_well_formed_and_pdf_is_complete() -> None:
    assert ElementTree.fromstring(render(picture(), "svg")).tag.endswith("svg")
    pdf = render(picture(), "pdf")
    assert pdf.rstrip().endswith(b"%%EOF")
    assert b"CreationDate" not in pdf


@pytest.mark.parametrize(("path", "expected"), [("a.png", "png"), ("b/c.d.SVG", "svg")])
def test_format_of_a_path(path: str, expected: str) -> None:
    assert format_of(path) == expected


@pytest.mark.parametrize("path", ["a.jpg", "a", "png", ".pdf", "a."])
def test_unknown_suffixes_are_refused(path: str) -> None:
    with pytest.raises(InputError, match=r"expected one of: \.png, \.svg, \.pdf"):
        format_of(path)


def test_unknown_formats_are_refused() -> None:
    with pytest.raises(InputError, match="format 'gif'; expected one of: png, svg, pdf"):
        render(Figure(), "gif")


def test_pyplot_stays_out() -> None:
    code = (
        "import sys; from gcdesign.designs import BlockDesign; from gcdesign import figures\n"
        "picture = figures.graph_figure(BlockDesign.from_blocks([[0]]))\n"
        "figures.render(picture, 'pdf')\n"
        "sys.exit('matplotlib.pyplot' in sys.modules or 'ortools' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_one_module_decides_all_colours() -> None:
    rooms = Path(figures.__file__).parent
    for path in rooms.glob("*.py"):
        if path.name != "style.py":
            assert not re.search(r'"#[0-9a-fA-F]{3,8}"', path.read_text(encoding="utf-8")), path


BLINDNESS = {
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritanopia": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
"""How linear red, green and blue are seen; Machado, Oliveira, Fernandes 2009, severity 1."""


@pytest.mark.parametrize("kind", BLINDNESS)
def test_the_codes_of_the_paper_differ_for_the_colour_blind(kind: str) -> None:
    colours = np.array([to_rgb(style.colour) for style in FAMILY_STYLES.values()])
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ np.array(BLINDNESS[kind]).T, 0, 1) ** (1 / 2.4)
    apart = np.linalg.norm(seen[:, None] - seen[None], axis=2)[np.triu_indices(len(seen), 1)]
    assert apart.min() > 0.1
