"""The picture of a profile of S*(η): what is exact, and what is only bracketed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from gcdesign.errors import InputError
from gcdesign.figures.sizes import USUAL_SIZE, new_figure, picture_size
from gcdesign.figures.style import FAMILY_STYLES, WARNING, paper_style, plain

if TYPE_CHECKING:
    from gcdesign.adversary import AttackResult

MARKED = 60
"""With more values than this, markers would touch."""


def profile_figure(
    results: Sequence[AttackResult], *, title: str | None = None, size: str = USUAL_SIZE
) -> Figure:
    """Draw the fewest workers to silence against the parts that are lost.

    A value that is proved is a dot; one that is only bracketed is a bar between what is proved
    and what an attack needs.

    Raises
    ------
    InputError
        If there is nothing to draw, or the size is unknown.

    Examples
    --------
    >>> from gcdesign.adversary import threshold_profile
    >>> from gcdesign.codes import load_code
    >>> figure = profile_figure(threshold_profile(load_code("pg:q=2").placement))
    >>> figure.axes[0].lines[0].get_ydata().tolist()
    [0, 3, 5, 6, 6, 7, 7, 7]
    """
    if not results:
        raise InputError("there is no threshold to draw")
    asked = np.array([int(result.asked) for result in results])
    lower = np.array([int(result.lower) for result in results])
    upper = np.array([int(result.upper) for result in results])
    exact = lower == upper
    with paper_style():
        figure = new_figure(picture_size(size))
        axes = figure.add_subplot()
        axes.grid()
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_xlabel(r"parts lost $\eta$")
        axes.set_ylabel(r"workers to silence $S^*(\eta)$")
        style = FAMILY_STYLES["pg"]
        marker = "o" if len(results) <= MARKED else "."
        axes.plot(
            asked[exact], upper[exact], marker, color=style.colour, markersize=3.2, label="proved"
        )
        if not exact.all():
            axes.vlines(
                asked[~exact], lower[~exact], upper[~exact], color=WARNING, lw=2, label="bracket"
            )
        axes.legend(loc="lower right")
        if title is not None:
            axes.set_title(plain(title, 90))
    return figure
