"""Incidence matrices as images of bounded size, made from the list of incidences alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from matplotlib.colors import to_rgb
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign
from gcdesign.figures.highlight import Highlight
from gcdesign.figures.style import INK, SILENCED_TINT, WARNING, WARNING_TINT

LONGEST = 560
"""Longest side of an image; a longer side of a matrix is counted in bins."""

FULL_INK = 0.995
"""Share of the bins in use that stay below full ink; keeps one dense line from hiding the rest."""

CHUNK = 1 << 20
"""Incidences counted at once."""

Reals = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Raster:
    """An image of an incidence matrix, blocks down.

    Attributes
    ----------
    image
        Shape (height, width, 3): red, green and blue from 0 to 1.
    bins
        Blocks for each row and points for each column of the image; (1, 1) for an exact image.
    peak
        The density from which on a bin is drawn in full ink.
    saturated
        Whether some bin is denser than that.
    """

    image: Reals
    bins: tuple[int, int]
    peak: float
    saturated: bool

    def transposed(self) -> Raster:
        """Return the image with points down."""
        image, bins = self.image.transpose(1, 0, 2), self.bins[::-1]
        return replace(self, image=image, bins=bins)


def rasterise(design: BlockDesign, highlight: Highlight, *, longest: int | None = None) -> Raster:
    """Paint an incidence matrix, a side that is longer as densities in bins.

    Time follows the number of incidences, and memory the size of the image.
    """
    longest = longest or LONGEST
    bins = (-(-design.b // longest), -(-design.v // longest))
    shape = (-(-design.b // bins[0]), -(-design.v // bins[1]))
    counts = _counts(design, highlight.silenced, bins, shape)
    areas = np.outer(_bin_sizes(design.b, bins[0]), _bin_sizes(design.v, bins[1]))
    densities = counts / areas
    whole = densities.sum(axis=0)
    peak = float(np.quantile(whole[whole > 0], FULL_INK)) if design.incidences else 1.0
    silenced = _bin_means(highlight.silenced, bins[0])[:, None, None]
    lost = _bin_means(highlight.lost, bins[1])[None, :, None]
    paper = _blend(_blend(_colour("white"), SILENCED_TINT, silenced), WARNING_TINT, lost)
    image = _paint(densities / np.maximum(whole, peak), paper)
    return Raster(image, bins, peak, saturated=bool((whole > peak).any()))


def _counts(
    design: BlockDesign, silenced: NDArray[np.bool_], bins: tuple[int, int], shape: tuple[int, int]
) -> Reals:
    """Return the incidences in each bin, shape (2, height, width): of live and silenced blocks."""
    total = np.zeros(2 * shape[0] * shape[1])
    for start in range(0, design.incidences, CHUNK):
        stop = min(start + CHUNK, design.incidences)
        first, last = np.searchsorted(design.indptr, [start, stop - 1], side="right") - 1
        ends = np.clip(design.indptr[first : last + 2], start, stop)
        blocks = np.repeat(np.arange(first, last + 1), ends[1:] - ends[:-1])
        rows = silenced[blocks] * shape[0] + blocks // bins[0]
        cells = rows * shape[1] + design.indices[start:stop] // bins[1]
        total += np.bincount(cells, minlength=len(total))
    return total.reshape(2, *shape)


def _bin_sizes(length: int, width: int) -> Reals:
    starts = np.arange(0, length, width)
    return np.minimum(width, length - starts).astype(np.float64)


def _bin_means(flags: NDArray[np.bool_], width: int) -> Reals:
    sums = np.add.reduceat(flags.astype(np.float64), np.arange(0, len(flags), width))
    return np.asarray(sums / _bin_sizes(len(flags), width))


def _paint(shares: Reals, paper: Reals) -> Reals:
    """Cover paper with ink for live blocks and the warning colour for silenced ones."""
    live, silenced = shares[0, :, :, None], shares[1, :, :, None]
    mixed = paper * (1 - live - silenced) + _colour(INK) * live + _colour(WARNING) * silenced
    return np.asarray(np.clip(mixed, 0, 1))


def _blend(paper: Reals, colour: str, share: Reals) -> Reals:
    return paper * (1 - share) + _colour(colour) * share


def _colour(name: str) -> Reals:
    return np.array(to_rgb(name))
