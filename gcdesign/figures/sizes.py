"""How large a picture is on paper or on a screen."""

from __future__ import annotations

import re
from dataclasses import dataclass

from matplotlib.figure import Figure

from gcdesign.errors import InputError, nearest

MILLIMETRES = 25.4
LEAST, MOST = 40, 1200
"""Sides in millimetres that a picture may have."""

PNG_DPI = 200
"""Pixels per inch of PNG files, unless a size says otherwise."""

WIDE = 5.5
"""From this width in inches on, two panels stand side by side, and a legend beside its curves."""


@dataclass(frozen=True)
class Size:
    """The size of a picture.

    Attributes
    ----------
    width, height
        In inches.
    dpi
        Pixels per inch of a PNG file.
    exact
        Whether the height stays as it is; else it grows with legends and panels.
    """

    width: float
    height: float
    dpi: int = PNG_DPI
    exact: bool = False

    @property
    def wide(self) -> bool:
        """Whether there is room for two things side by side."""
        return self.width >= WIDE


SIZES = {
    "ieee-column": Size(3.5, 2.7),
    "ieee-page": Size(7.16, 3.4),
    "a4": Size(6.3, 3.7),
    "slide": Size(5.0, 2.8125, dpi=384, exact=True),
}
"""A column and both columns of the IEEE's journals, the text of an A4 page, a slide (16:9)."""

USUAL_SIZE = "ieee-page"


def picture_size(text: str) -> Size:
    """Return the size that a name, or ``"120x80"`` in millimetres, stands for.

    Raises
    ------
    InputError
        If there is no such name, or a side is too short or too long.

    Examples
    --------
    >>> picture_size("ieee-column").width, picture_size("127x101.6").height
    (3.5, 4.0)
    """
    if text in SIZES:
        return SIZES[text]
    sides = re.fullmatch(r"(\d{1,5}(?:\.\d{1,5})?)x(\d{1,5}(?:\.\d{1,5})?)", text)
    if sides is None:
        advice = nearest(text, [*SIZES, "WIDTHxHEIGHT in millimetres, such as 120x80"])
        raise InputError(f"size {text[:100]!r}; {advice}")
    width, height = float(sides[1]), float(sides[2])
    if not LEAST <= min(width, height) <= max(width, height) <= MOST:
        raise InputError(f"size {text!r}; expected sides of {LEAST} to {MOST} millimetres")
    return Size(width / MILLIMETRES, height / MILLIMETRES, exact=True)


def new_figure(size: Size, *, height: float | None = None) -> Figure:
    """Return an empty figure; a height in inches takes the place of a size that may grow."""
    tall = size.height if size.exact or height is None else height
    return Figure(figsize=(size.width, tall), dpi=size.dpi, layout="constrained")


def grow(figure: Figure, size: Size, height: float) -> None:
    """Make a figure this high, in inches, if its size lets it."""
    if not size.exact:
        figure.set_figheight(height)
