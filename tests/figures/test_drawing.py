"""Incidence matrices and graphs: every cell, bins, classes, attacks and limits."""

from __future__ import annotations

import time
import tracemalloc
from io import BytesIO

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.image import imread
from numpy.typing import NDArray

from gcdesign.designs import (
    BlockDesign,
    affine_geometry,
    build,
    parse_spec,
    projective_geometry,
)
from gcdesign.designs.registry import Family, families
from gcdesign.errors import InputError, LimitError
from gcdesign.figures import graph_figure, incidence_figure, render
from gcdesign.figures import raster as raster_module
from gcdesign.figures.highlight import highlighted
from gcdesign.figures.raster import LONGEST, rasterise
from gcdesign.figures.style import INK, SILENCED_TINT, WARNING, WARNING_TINT


def image_of(figure: Figure) -> NDArray[np.float64]:
    [image] = figure.axes[0].images
    return np.asarray(image.get_array(), dtype=float)


def inked(image: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray(np.isclose(image, to_rgb(INK)).all(axis=2))


def words(axes: Axes) -> list[str]:
    legend = axes.get_legend()
    return [] if legend is None else [text.get_text() for text in legend.get_texts()]


@pytest.mark.parametrize("family", list(families()), ids=lambda family: family.name)
def test_every_family_is_drawn_cell_by_cell(family: Family) -> None:
    design = family.build(family.example)
    image = image_of(incidence_figure(design))
    assert np.array_equal(inked(image), design.dense_incidence() == 1)
    across = image_of(incidence_figure(design, rows="points"))
    assert np.array_equal(across, image.transpose(1, 0, 2))
    assert render(graph_figure(design), "svg").startswith(b"<?xml")


def test_empty_and_repeated_blocks_are_drawn() -> None:
    design = BlockDesign.from_blocks([[], [1], [], [], [0, 2], [0, 2], []], points=4)
    assert np.array_equal(inked(image_of(incidence_figure(design))), design.dense_incidence() == 1)


def test_the_axes_name_blocks_and_points() -> None:
    down = incidence_figure(projective_geometry(2)).axes[0]
    assert (down.get_ylabel(), down.get_xlabel()) == ("block (worker)", "point (part)")
    across = incidence_figure(projective_geometry(2), rows="points").axes[0]
    assert (across.get_ylabel(), across.get_xlabel()) == ("point (part)", "block (worker)")


def test_cells_are_whole_pixels() -> None:
    design = projective_geometry(9)
    figure = incidence_figure(design)
    pixels = imread(BytesIO(render(figure, "png")))[:, :, 0]
    box = figure.axes[0].get_window_extent()
    side = round(box.width) / design.v
    assert side == round(side)
    top = pixels.shape[0] - round(box.y1)
    middle = int(side) // 2
    cells = pixels[top + middle :: int(side), round(box.x0) + middle :: int(side)]
    cells = cells[: design.b, : design.v]
    assert np.array_equal(cells < 0.5, design.dense_incidence() == 1)


@pytest.mark.parametrize("rows", ["blocks", "points"])
def test_parallel_classes_are_separated(rows: str) -> None:
    lines = incidence_figure(affine_geometry(4), rows=rows).axes[0].lines
    at = [line.get_ydata() if rows == "blocks" else line.get_xdata() for line in lines]
    assert [float(np.asarray(one)[0]) for one in at] == [3.5, 7.5, 11.5, 15.5]


@pytest.mark.parametrize(
    "classes", [None, [0, 1, 0, 1], [0, 0, 0, 0]], ids=["unknown", "mixed", "one"]
)
def test_other_classes_are_not_separated(classes: list[int] | None) -> None:
    design = BlockDesign.from_blocks([[0], [0], [1], [1]], block_classes=classes)
    assert not incidence_figure(design).axes[0].lines


def test_many_classes_are_not_separated() -> None:
    design = BlockDesign.from_blocks([[0]] * 61, block_classes=list(range(61)))
    assert not incidence_figure(design).axes[0].lines


def test_bins_hold_the_density(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raster_module, "LONGEST", 5)
    monkeypatch.setattr(raster_module, "CHUNK", 7)
    design = projective_geometry(3)
    raster = rasterise(design, highlighted(design, []))
    assert raster.bins == (3, 3)
    assert raster.image.shape == (5, 5, 3)
    dense = design.dense_incidence().astype(float)
    means = np.array(
        [[dense[i : i + 3, j : j + 3].mean() for j in range(0, 13, 3)] for i in range(0, 13, 3)]
    )
    ink = (1 - raster.image[:, :, 0]) / (1 - to_rgb(INK)[0])
    np.testing.assert_allclose(ink, np.minimum(means / raster.peak, 1), atol=1e-12)
    assert raster.saturated == bool((means > raster.peak).any())


def test_binned_and_exact_pictures_agree_on_an_attack(monkeypatch: pytest.MonkeyPatch) -> None:
    design = BlockDesign.from_blocks([[i // 2] for i in range(12)])
    fine = rasterise(design, highlighted(design, [0, 1])).image
    monkeypatch.setattr(raster_module, "LONGEST", 6)
    coarse = rasterise(design, highlighted(design, [0, 1])).image
    np.testing.assert_allclose(coarse, fine[::2], atol=1e-12)


def test_a_large_plane_is_drawn_in_bounded_memory() -> None:
    design = projective_geometry(128)
    tracemalloc.start()
    started = time.process_time()
    figure = incidence_figure(design, highlight=range(100))
    elapsed = time.process_time() - started
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert max(image_of(figure).shape) <= LONGEST
    assert peak < 150e6 < design.b * design.v
    assert elapsed < 10
    assert len(figure.axes) == 2
    render(figure, "pdf")


@pytest.mark.parametrize(("b", "v"), [(1, 1), (1, 2000), (2000, 1), (3, 100), (700, 900)])
def test_any_shape_fits_its_labels(b: int, v: int) -> None:
    design = BlockDesign.from_blocks([[i % v] for i in range(b)], points=v)
    figure = incidence_figure(design, title="shape " * 20, highlight=[0])
    render(figure, "png")
    drawn = figure.axes[0].get_tightbbox()
    assert drawn is not None
    assert figure.bbox.containsx(drawn.x0)
    assert figure.bbox.containsx(drawn.x1)
    assert figure.bbox.containsy(drawn.y0)
    assert figure.bbox.containsy(drawn.y1)


def test_lost_points_are_those_without_a_live_block() -> None:
    design = BlockDesign.from_blocks([[0, 1], [1, 2], [2, 3], []], points=5)
    assert highlighted(design, [0, 2, 2]).lost.tolist() == [True, False, False, True, True]
    assert highlighted(design, [0, 2]).silenced.tolist() == [True, False, True, False]
    assert not highlighted(design, []).lost.any()


def test_an_attack_is_shown_in_the_matrix() -> None:
    figure = incidence_figure(build(parse_spec("frc:workers=9,stragglers=2")), highlight=[3, 4, 5])
    image = image_of(figure)
    assert np.allclose(image[3:6, 3:6], to_rgb(WARNING))
    assert np.allclose(image[0:3, 3:6], to_rgb(WARNING_TINT))
    assert np.allclose(image[3:6, 0:3], to_rgb(SILENCED_TINT))
    assert inked(image)[:3, :3].all()
    assert words(figure.axes[0]) == ["silenced workers (3)", "lost parts (3)"]


def test_the_graph_has_every_edge_once() -> None:
    design = affine_geometry(3)
    live, silenced = graph_figure(design).axes[0].collections[:2]
    assert isinstance(live, LineCollection)
    assert isinstance(silenced, LineCollection)
    assert len(live.get_segments()) == design.incidences
    assert not silenced.get_segments()
    starts = {tuple(np.asarray(segment)[0]) for segment in live.get_segments()}
    assert len(starts) == design.b


def test_an_attack_is_shown_in_the_graph() -> None:
    figure = graph_figure(projective_geometry(2), highlight=[0, 1, 3, 4])
    live, silenced, workers, parts = figure.axes[0].collections
    assert isinstance(live, LineCollection)
    assert isinstance(silenced, LineCollection)
    assert (len(live.get_segments()), len(silenced.get_segments())) == (9, 12)
    assert isinstance(workers, PathCollection)
    faces = [to_hex(tuple(colour)) for colour in np.asarray(workers.get_facecolor())]
    assert [i for i, face in enumerate(faces) if face == WARNING.lower()] == [0, 1, 3, 4]
    lost = [to_hex(tuple(colour)) for colour in np.asarray(parts.get_facecolor())]
    assert lost.count(WARNING_TINT.lower()) == 1
    assert words(figure.axes[0]) == ["silenced workers (4)", "lost parts (1)"]


@pytest.mark.parametrize(("q", "numbers"), [(2, 14), (3, 26), (4, 0)])
def test_small_graphs_are_numbered(q: int, numbers: int) -> None:
    design = projective_geometry(q)
    texts = [text.get_text() for text in graph_figure(design).axes[0].texts]
    assert len(texts) == numbers + 2
    assert texts[-2:] == [f"{design.b} workers", f"{design.v} parts"]


def test_one_worker_and_one_part() -> None:
    texts = [text.get_text() for text in graph_figure(BlockDesign.from_blocks([[0]])).axes[0].texts]
    assert texts == ["0", "0", "1 worker", "1 part"]


@pytest.mark.parametrize(
    "design",
    [projective_geometry(29), BlockDesign.from_blocks([[0]], points=5000)],
    ids=["edges", "nodes"],
)
def test_large_graphs_are_refused(design: BlockDesign) -> None:
    with pytest.raises(LimitError, match="draw its incidence matrix instead"):
        graph_figure(design)


@pytest.mark.parametrize("draw", [incidence_figure, graph_figure])
def test_designs_without_points_or_blocks_are_refused(draw: type) -> None:
    for design in (BlockDesign.from_blocks([]), BlockDesign.from_blocks([[]])):
        with pytest.raises(InputError, match="has no picture"):
            draw(design)


@pytest.mark.parametrize("block", [-1, 7])
def test_blocks_out_of_range_are_refused(block: int) -> None:
    for draw in (incidence_figure, graph_figure):
        with pytest.raises(InputError, match=f"block {block} to highlight; expected 0 to 6"):
            draw(projective_geometry(2), highlight=[0, block])


def test_other_rows_are_refused() -> None:
    with pytest.raises(InputError, match="expected 'blocks' or 'points'"):
        incidence_figure(projective_geometry(2), rows="columns")
