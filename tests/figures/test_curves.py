"""Error curves: the data that is drawn, bands, bounds, styles and the place of the legend."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from gcdesign.adversary.curve import BoundCurve, ErrorCurve
from gcdesign.codes import Expectation, ExpectedCurve
from gcdesign.errors import InputError
from gcdesign.figures import SIZES, error_figure, render
from gcdesign.figures.curves import TOP
from gcdesign.figures.style import BOUND_COLOUR, FAMILY_STYLES


def curve(
    family: str | None,
    workers: int,
    parts: int,
    lower: Callable[[int], Fraction | float],
    upper: Callable[[int], Fraction | float] | None = None,
    *,
    label: str = "a code",
) -> ErrorCurve:
    stragglers = tuple(range(workers + 1))
    return ErrorCurve(
        label=label,
        family=family,
        workers=workers,
        parts=parts,
        stragglers=stragglers,
        lower=tuple(map(lower, stragglers)),
        upper=tuple(map(upper or lower, stragglers)),
        statuses=("exact" if upper is None else "bracket",) * (workers + 1),
        proofs=("closed form",) * (workers + 1),
    )


def plane(q: int) -> ErrorCurve:
    """PG(2, q): err_S = qS/((q + 1)² − S)."""
    lines = q * q + q + 1
    return curve("pg", lines, lines, lambda s: Fraction(q * s, (q + 1) ** 2 - s))


def bracket(workers: int = 10) -> ErrorCurve:
    """Exact at its ends, open from S = 3 to N − 1."""
    return curve(
        "cyclic",
        workers,
        5,
        lambda s: 5 * s / workers if s < 3 else s * s * 5 / workers**2,
        lambda s: 5 * s / workers,
    )


def high(number: int = 0) -> ErrorCurve:
    """Run through the upper left corner."""
    return curve(f"high-{number}", 9, 9, lambda s: 9.0 if s else 0.0)


def data(line: Line2D) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return np.asarray(line.get_xdata(), dtype=float), np.asarray(line.get_ydata(), dtype=float)


def axes_of(figure: Figure) -> Axes:
    [axes] = figure.axes
    return axes


def legends(figure: Figure) -> Iterator[Legend]:
    inside = axes_of(figure).get_legend()
    yield from [] if inside is None else [inside]
    yield from figure.legends


def labels(figure: Figure) -> list[str]:
    [legend] = legends(figure)
    return [text.get_text() for text in legend.get_texts()]


@pytest.mark.parametrize("q", [2, 5, 9])
def test_lines_are_the_normalised_values(q: int) -> None:
    axes = axes_of(error_figure([plane(q)]))
    [line] = axes.lines
    lines = q * q + q + 1
    fractions = np.arange(lines + 1) / lines
    expected = q * fractions / ((q + 1) ** 2 - fractions * lines)
    np.testing.assert_allclose(data(line), [fractions, expected])
    assert not axes.collections


def test_parts_and_workers_are_normalised_apart() -> None:
    [line] = axes_of(error_figure([curve("dual-ag", 4, 6, lambda s: Fraction(6 * s, 4))])).lines
    np.testing.assert_allclose(data(line), [[0, 0.25, 0.5, 0.75, 1]] * 2)


def test_a_bracket_is_a_band_between_its_values() -> None:
    axes = axes_of(error_figure([bracket()]))
    [band], [line] = axes.collections, axes.lines
    assert isinstance(band, PolyCollection)
    vertices = np.asarray(band.get_paths()[0].vertices, dtype=float).round(9).tolist()
    corners = {(x, y) for x, y in vertices}
    assert {(0.5, 0.25), (0.5, 0.5), (0.9, 0.81), (0.9, 0.9), (0.2, 0.2), (1, 1)} <= corners
    assert (0.1, 0.1) not in corners
    assert np.isnan(data(line)[1]).tolist() == [False] * 3 + [True] * 7 + [False]


def expected(exact: bool) -> ExpectedCurve:
    """Means S²/20 of 10 workers and 5 parts, known to within 0.1 unless exact."""
    half = 0.0 if exact else 0.1
    means = tuple(
        Expectation(
            s,
            s * s / 20,
            s * s / 20 - half,
            s * s / 20 + half,
            "exact" if exact else "estimate",
            "a test",
            0 if exact else 9,
            0.95,
            half / 2,
        )
        for s in range(11)
    )
    return ExpectedCurve("a code", None, 10, 5, "random", means, seed=0)


def test_an_estimate_is_a_line_within_its_band() -> None:
    axes = error_figure([expected(exact=False)]).axes[0]
    [line] = axes.lines
    assert np.asarray(line.get_ydata()) == pytest.approx([s * s / 100 for s in range(11)])
    [band] = axes.collections
    heights = np.asarray(band.get_paths()[0].vertices)[:, 1]
    assert heights.max() == pytest.approx(1 + 0.02)
    assert heights.min() == pytest.approx(-0.02)
    assert "expected error" in axes.get_ylabel()


def test_an_exact_mean_is_a_line_alone() -> None:
    axes = error_figure([expected(exact=True)]).axes[0]
    assert len(axes.lines) == 1
    assert not axes.collections
    both = error_figure([expected(exact=True), plane(2)]).axes[0]
    assert "expected" not in both.get_ylabel()
    assert "worst" not in both.get_ylabel()


def test_rounding_is_no_bracket() -> None:
    nearly = curve("cyclic", 4, 4, float, lambda s: s + 1e-9)
    assert not axes_of(error_figure([nearly])).collections


@pytest.mark.parametrize(("workers", "marker"), [(40, "o"), (41, "")])
def test_markers_only_where_points_are_few(workers: int, marker: str) -> None:
    [line] = axes_of(error_figure([curve("pg", workers, 5, lambda s: 5 * s / workers)])).lines
    assert line.get_marker() == marker


def test_families_keep_their_colours() -> None:
    curves = [curve(name, 6, 6, float) for name in FAMILY_STYLES]
    for order in (curves, curves[::-1]):
        lines = axes_of(error_figure(order)).lines
        colours = [to_hex(line.get_color()).upper() for line in lines]
        assert colours == [FAMILY_STYLES[str(one.family)].colour.upper() for one in order]


def test_bounds_are_grey_dashed_and_cut_at_the_top() -> None:
    rising = BoundCurve("upper", (0.0, 0.5, 0.9, 1.0), (0.0, 0.5, 4.5, float("inf")), "upper")
    resting = BoundCurve("lower", (0.0, 1.0), (0.0, 0.1), "lower")
    axes = axes_of(error_figure([plane(2)], [rising, resting]))
    upper, lower = axes.lines[1:]
    assert upper.get_color() == lower.get_color() == BOUND_COLOUR
    assert upper.is_dashed()
    assert lower.is_dashed()
    assert np.isfinite(data(upper)[1]).all()
    assert axes.get_ylim()[1] == TOP == 1.05
    assert upper.get_clip_on()


def test_bounds_can_stand_alone() -> None:
    assert labels(error_figure([], [BoundCurve("b", (0.0, 1.0), (0.0, 1.0), "lower")])) == ["b"]


@pytest.mark.parametrize("size", SIZES)
def test_the_legend_is_in_the_corner_while_that_is_free(size: str) -> None:
    figure = error_figure([plane(5)], size=size)
    assert axes_of(figure).get_legend() is not None
    assert tuple(figure.get_size_inches()) == (SIZES[size].width, SIZES[size].height)


@pytest.mark.parametrize("size", [name for name, size in SIZES.items() if not size.exact])
@pytest.mark.parametrize("number", [1, 7, 30])
def test_the_legend_never_covers_data_or_leaves_the_figure(size: str, number: int) -> None:
    figure = error_figure([plane(5), *map(high, range(number))], size=size)
    render(figure, "png")
    [legend] = figure.legends
    box = legend.get_window_extent()
    assert axes_of(figure).get_legend() is None
    assert not box.overlaps(axes_of(figure).get_window_extent())
    assert min(box.x0, box.y0) >= -1
    assert box.x1 <= figure.bbox.x1 + 1
    assert box.y1 <= figure.bbox.y1 + 1
    assert axes_of(figure).get_window_extent().height > 100


@pytest.mark.parametrize("name", ["$x_{", "_hidden", "costs $5 and $6", "⌊S/R⌋ ≤ λ", "x" * 300])
@pytest.mark.parametrize("size", SIZES)
def test_any_label_and_title_can_be_drawn(name: str, size: str) -> None:
    odd = curve(None, 1, 1, float, label=name)
    figure = error_figure([odd], title=name, size=size)
    render(figure, "svg")
    shown = labels(figure)[0].replace("\n", "").replace("\\$", "$")
    assert shown == name


def test_a_single_worker() -> None:
    [line] = axes_of(error_figure([curve("uncoded", 1, 1, lambda s: s)])).lines
    assert data(line)[1].tolist() == [0, 1]


def test_nothing_to_draw_is_refused() -> None:
    with pytest.raises(InputError, match="no curve to draw"):
        error_figure([])


def test_a_code_without_workers_is_refused() -> None:
    with pytest.raises(InputError, match="0 workers and 3 parts"):
        error_figure([curve("pg", 0, 3, lambda s: 0)])


def test_unknown_sizes_are_refused() -> None:
    with pytest.raises(InputError, match="size 'huge'; expected one of: ieee-column, "):
        error_figure([plane(2)], size="huge")


@pytest.mark.parametrize("file_format", ["png", "svg", "pdf"])
def test_equal_curves_give_equal_bytes(file_format: str) -> None:
    first, second = (
        render(error_figure([plane(3), bracket()], title="t"), file_format) for _ in range(2)
    )
    assert first == second
