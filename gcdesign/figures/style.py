"""The look of every picture: type, colours and line styles, and the files they become.

Nothing here changes the settings of matplotlib for good: pictures are made and rendered inside
`paper_style`, which starts from matplotlib's own defaults and restores the caller's settings.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePath
from typing import Any
from zlib import crc32

import matplotlib
from matplotlib.figure import Figure

from gcdesign.errors import InputError

IMAGE_DPI = 600
"""Pixels per inch of images inside SVG and PDF files."""

INK = "#1a1a1a"
GRID = "#e4e4e4"
LINE_SPACING = 1.1
WARNING = "#D55E00"
WARNING_TINT = "#FBDCC4"
SILENCED_TINT = "#EDEDED"
BOUND_COLOUR = "#6f6f6f"
LIVE_EDGE = "#34506b"
CLASS_LINE = "#0072B2"

Dashes = tuple[float, ...]
"""Lengths of strokes and gaps in line widths; empty for a solid line."""

DASHES: tuple[Dashes, ...] = ((), (5, 1.6), (6, 1.5, 1.2, 1.5), (2.2, 1.2), (8, 1.5, 3, 1.5))
MARKERS = ("o", "s", "^", "D", "v", "P", "X")


@dataclass(frozen=True)
class CurveStyle:
    """How one curve is drawn; the line style and the marker tell it apart without colour.

    Attributes
    ----------
    colour
        Colour of line and marker, ``"#rrggbb"``.
    dashes
        Strokes and gaps of the line; empty for a solid line.
    marker
        Marker of matplotlib, ``""`` for none.
    hollow
        Whether the marker is white inside.
    width
        Width of the line in points.
    """

    colour: str
    dashes: Dashes
    marker: str
    hollow: bool = False
    width: float = 1.3


FAMILY_STYLES = {
    "pg": CurveStyle("#0072B2", DASHES[0], MARKERS[0]),
    "ag": CurveStyle(WARNING, DASHES[1], MARKERS[1]),
    "dual-ag": CurveStyle("#009E73", DASHES[2], MARKERS[2]),
    "frc": CurveStyle("#B8639B", DASHES[3], MARKERS[3]),
    "uncoded": CurveStyle("#000000", DASHES[0], "", width=0.9),
}
"""Fixed styles (palette of Okabe and Ito, purple darkened): one code, one colour everywhere."""

OTHER_STYLES = (
    CurveStyle("#E69F00", DASHES[0], "v"),
    CurveStyle("#56B4E9", DASHES[4], "P"),
    CurveStyle("#882255", DASHES[1], "X"),
    CurveStyle("#999933", DASHES[2], "p"),
    CurveStyle("#332288", DASHES[3], "h"),
    CurveStyle("#8B5A2B", DASHES[4], "d"),
)
"""The rest of the cycle, for all other families (with colours of Tol's muted palette)."""

PAPER: dict[Any, Any] = {
    "font.family": ["STIXGeneral", "DejaVu Sans"],
    "mathtext.fontset": "stix",
    "font.size": 9,
    "axes.labelsize": 9,
    "axes.titlesize": 9.5,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.fontsize": 8,
    "axes.linewidth": 0.6,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "grid.color": GRID,
    "grid.linewidth": 0.5,
    "legend.frameon": False,
    "legend.handlelength": 3.0,
    "legend.labelspacing": 0.35,
    "svg.hashsalt": "gcdesign",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
}

METADATA: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
FORMATS = tuple(METADATA)
"""The formats that `render` writes."""


@contextmanager
def paper_style() -> Iterator[None]:
    """Use the house style inside a ``with`` block, whatever the caller's settings are."""
    defaults: dict[Any, Any] = {
        name: value
        for name, value in matplotlib.rcParamsDefault.items()
        if not name.startswith("backend")
    }
    with matplotlib.rc_context({**defaults, **PAPER}):
        yield


def curve_styles(families: Sequence[str]) -> list[CurveStyle]:
    """Choose a style for each curve of one figure from the names of their families.

    Families without a fixed style start from a place in the rest of the cycle that their name
    determines, and move on only if another family of the same figure holds it. Members of one
    family share the colour and differ in line style and marker.

    Examples
    --------
    >>> first, second = curve_styles(["pg", "pg"])
    >>> first.colour == second.colour, first.dashes == second.dashes
    (True, False)
    """
    chosen: dict[str, CurveStyle] = {}
    members: Counter[str] = Counter()
    styles = []
    for family in families:
        if family not in chosen:
            taken = set(chosen.values())
            chosen[family] = FAMILY_STYLES.get(family) or _free_style(family, taken)
        style = chosen[family]
        styles.append(_variant(style, members[style.colour]))
        members[style.colour] += 1
    return styles


def _free_style(family: str, taken: set[CurveStyle]) -> CurveStyle:
    start = crc32(family.encode()) % len(OTHER_STYLES)
    cycle = OTHER_STYLES[start:] + OTHER_STYLES[:start]
    return next((style for style in cycle if style not in taken), cycle[0])


def _variant(style: CurveStyle, member: int) -> CurveStyle:
    if member == 0:
        return style
    dashes = DASHES[(DASHES.index(style.dashes) + member) % len(DASHES)]
    marker = MARKERS[member % len(MARKERS)]
    return CurveStyle(style.colour, dashes, marker, hollow=member % 2 == 1, width=style.width)


def plain(text: str, width: int) -> str:
    """Return a caller's text wrapped to a width, its dollar signs not read as mathematics.

    Examples
    --------
    >>> plain("a code with a long name", 12).splitlines()
    ['a code with', 'a long name']
    """
    return textwrap.fill(text, width).replace("$", r"\$")


def format_of(path: str | PurePath) -> str:
    """Return the format that the suffix of a file name asks for.

    Raises
    ------
    InputError
        If the suffix is missing or unknown.

    Examples
    --------
    >>> format_of("figure1.pdf")
    'pdf'
    """
    suffix = PurePath(path).suffix.lower()
    if suffix.removeprefix(".") not in FORMATS:
        expected = ", ".join(f".{name}" for name in FORMATS)
        raise InputError(f"{str(path)!r} ends in {suffix!r}; expected one of: {expected}")
    return suffix.removeprefix(".")


def render(figure: Figure, file_format: str) -> bytes:
    """Return the contents of a file with this picture; the same picture gives the same bytes.

    Parameters
    ----------
    figure
        The picture.
    file_format
        ``"png"``, ``"svg"`` or ``"pdf"``.

    Raises
    ------
    InputError
        If the format is unknown.

    Examples
    --------
    >>> render(Figure(), "pdf").startswith(b"%PDF")
    True
    """
    if file_format not in FORMATS:
        raise InputError(f"format {file_format!r}; expected one of: {', '.join(FORMATS)}")
    dpi = figure.dpi if file_format == "png" else IMAGE_DPI
    buffer = BytesIO()
    with paper_style():
        figure.savefig(buffer, format=file_format, dpi=dpi, metadata=METADATA[file_format])
    return buffer.getvalue()
