"""An attack as pictures show it: the silenced blocks and the points that are lost with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Patch
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign
from gcdesign.errors import InputError
from gcdesign.figures.style import WARNING, WARNING_TINT


@dataclass(frozen=True, eq=False)
class Highlight:
    """Which blocks are silenced, and which points no other block holds.

    Attributes
    ----------
    silenced
        Shape (b,).
    lost
        Shape (v,).
    """

    silenced: NDArray[np.bool_]
    lost: NDArray[np.bool_]

    def add_legend(self, axes: Axes) -> None:
        """Name the two colours above the picture, if anything is silenced."""
        silenced, lost = int(self.silenced.sum()), int(self.lost.sum())
        if not silenced:
            return
        handles: list[Artist] = [
            Patch(color=WARNING, label=f"silenced workers ({silenced})"),
            Patch(
                facecolor=WARNING_TINT,
                edgecolor=WARNING,
                linewidth=0.6,
                label=f"lost parts ({lost})",
            ),
        ]
        axes.legend(
            handles=handles,
            loc="lower left",
            bbox_to_anchor=(0, 1),
            ncols=2,
            borderaxespad=0.1,
            borderpad=0.2,
            columnspacing=1.2,
            handlelength=1,
            handleheight=1,
        )


def highlighted(design: BlockDesign, blocks: Sequence[int]) -> Highlight:
    """Find the points that are lost when these blocks are silenced.

    Raises
    ------
    InputError
        If a block is out of range.

    Examples
    --------
    >>> highlighted(BlockDesign.from_blocks([{0, 1}, {1, 2}]), [0]).lost.tolist()
    [True, False, False]
    """
    silenced = np.zeros(design.b, dtype=np.bool_)
    for block in blocks:
        if not 0 <= block < design.b:
            raise InputError(f"block {block} to highlight; expected 0 to {design.b - 1}")
        silenced[block] = True
    holders = design.replication_numbers.copy()
    for number in np.flatnonzero(silenced).tolist():
        holders[design.block(number)] -= 1
    return Highlight(silenced, (holders == 0) & silenced.any())
