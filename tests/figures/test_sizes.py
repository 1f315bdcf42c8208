"""Sizes of pictures: presets, own sizes, and what every kind of picture makes of them."""

from __future__ import annotations

import re

import matplotlib.image
import numpy as np
import pytest
from matplotlib.figure import Figure

from gcdesign.adversary.curve import error_curve
from gcdesign.codes import load_code
from gcdesign.designs.registry import build, parse_spec
from gcdesign.errors import InputError
from gcdesign.figures import (
    SIZES,
    error_figure,
    graph_figure,
    incidence_figure,
    panels_figure,
    picture_size,
    render,
)
from gcdesign.figures.sizes import PNG_DPI
from gcdesign.papers import Panel, Series


def curve_picture(size: str) -> Figure:
    return error_figure([error_curve(load_code("pg:q=2"))], size=size)


def panels_picture(size: str, *, logarithmic: bool = False) -> Figure:
    line = Series("pg", (1.0, 2.0, 50.0), (1.0, 0.1, 0.01), family="pg")
    panels = [
        Panel(f"panel {number}", "x", "y", (line,), x_log=logarithmic, y_log=logarithmic)
        for number in range(2)
    ]
    return panels_figure(panels, title="two panels", size=size)


def pixels(figure: Figure) -> tuple[int, int]:
    from io import BytesIO

    image = matplotlib.image.imread(BytesIO(render(figure, "png")))
    return image.shape[1], image.shape[0]


@pytest.mark.parametrize("size", SIZES)
def test_a_picture_is_as_wide_as_its_size(size: str) -> None:
    wanted = SIZES[size]
    for figure in (curve_picture(size), panels_picture(size)):
        across, up = pixels(figure)
        assert across == pytest.approx(wanted.width * wanted.dpi, abs=1)
        if wanted.exact:
            assert up == pytest.approx(wanted.height * wanted.dpi, abs=1)


def test_a_slide_has_the_pixels_of_a_screen() -> None:
    assert pixels(curve_picture("slide")) == (1920, 1080)


def test_a_size_of_ones_own_is_kept_in_vector_files_too() -> None:
    figure = curve_picture("120x80")
    svg = render(figure, "svg").decode()
    sides = re.search(r'width="([\d.]+)pt" height="([\d.]+)pt"', svg)
    assert sides is not None
    assert [float(side) * 25.4 / 72 for side in sides.groups()] == pytest.approx([120, 80], abs=0.1)


def test_letters_stay_in_a_pdf_as_fonts() -> None:
    pdf = render(curve_picture("ieee-column"), "pdf")
    assert b"/FontFile2" in pdf
    assert b"/Type3" not in pdf


def test_narrow_pictures_have_their_panels_below_each_other() -> None:
    wide, narrow = (panels_picture(size).axes for size in ("ieee-page", "ieee-column"))
    assert wide[0].get_position().y0 == wide[1].get_position().y0
    assert narrow[0].get_position().y0 > narrow[1].get_position().y1


@pytest.mark.parametrize("size", ["ieee-column", "ieee-page", "120x80"])
@pytest.mark.parametrize("name", ["pg:q=5", "ag:q=7", "random-sts:points=27"])
def test_drawn_designs_fill_the_width_and_keep_square_cells(size: str, name: str) -> None:
    design = build(parse_spec(name))
    figure = incidence_figure(design, size=size)
    across, _ = pixels(figure)
    room = picture_size(size).width * PNG_DPI
    assert across <= room + 1
    assert across > room - 212 - design.v
    box = figure.axes[0].get_window_extent()
    assert box.width / design.v == pytest.approx(box.height / design.b)
    assert pixels(graph_figure(design, size=size))[0] <= room + 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ieee-colum", "did you mean ieee-column"),
        ("10x80", "sides of 40 to 1200 millimetres"),
        ("120x", "expected one of: ieee-column, ieee-page, a4, slide, WIDTHxHEIGHT"),
        ("1e3x80", "expected one of"),
        ("", "expected one of"),
    ],
)
def test_sizes_that_are_none_are_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        picture_size(text)


@pytest.mark.parametrize("size", ["ieee-column", "ieee-page"])
def test_labels_of_logarithmic_axes_keep_apart(size: str) -> None:
    figure = panels_picture(size, logarithmic=True)
    render(figure, "png")
    for axes in figure.axes:
        for axis, low, high in ((axes.xaxis, 0, 2), (axes.yaxis, 1, 3)):
            labels = [label for label in axis.get_ticklabels(which="both") if label.get_text()]
            boxes = [np.asarray(label.get_window_extent().extents) for label in labels]
            ends = sorted((float(box[low]), float(box[high])) for box in boxes if box[0] < box[2])
            assert len(ends) >= 3
            assert (np.diff(np.array(ends).ravel())[1::2] > 0).all(), "one label covers another"
