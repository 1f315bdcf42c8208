"""Derivation of projective planes of square order: Baer subplanes become lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, Provenance
from gcdesign.errors import InputError, LimitError

__all__ = ["derivation", "derivation_sets"]

MAX_ORDER = 121
"""Largest order of a plane that is derived: a table has a number for each two points."""

Points = NDArray[np.int64]


class Incidences:
    """The tables of a projective plane: lines through two points, points on two lines.

    Parameters
    ----------
    plane
        The plane.

    Raises
    ------
    InputError
        If it is no projective plane of square order, 4 or more.
    LimitError
        If its order is above `MAX_ORDER`.
    """

    def __init__(self, plane: BlockDesign) -> None:
        n = int(plane.block_sizes[0]) - 1 if plane.b else 0
        size = n * n + n + 1
        right = plane.v == plane.b == size and (plane.block_sizes == n + 1).all()
        if not right or n < 4 or isqrt(n) ** 2 != n:
            raise InputError(
                f"v={plane.v}, b={plane.b}; expected a projective plane of square order, 4 or more"
            )
        if n > MAX_ORDER:
            raise LimitError(f"order {n}; planes are derived up to order {MAX_ORDER}")
        self.order, self.root, self.size = n, isqrt(n), size
        self.lines = plane.indices.reshape(size, n + 1).astype(np.int64)
        self.join = np.full((size, size), -1, dtype=np.int32)
        for number, line in enumerate(self.lines):
            self.join[line[:, None], line[None, :]] = number
        if (self.join < 0).any():  # every pair on a line: then on one, since there are so many
            raise InputError("there are points on no common line; expected a projective plane")
        np.fill_diagonal(self.join, size)

    @cached_property
    def meet(self) -> NDArray[np.int32]:
        """The point on each two lines; the number of points, which is none, on the diagonal."""
        meet = np.full((self.size, self.size), -1, dtype=np.int32)
        lines_of = np.argsort(self.lines.reshape(-1), kind="stable") // (self.order + 1)
        for point, lines in enumerate(lines_of.reshape(self.size, self.order + 1)):
            meet[lines[:, None], lines[None, :]] = point
        np.fill_diagonal(meet, self.size)
        return meet

    def closure(self, points: Points, *, most: int) -> Points:
        """Return the points that follow by joining and meeting, or more than ``most`` of them."""
        before = 0
        while before < len(points) <= most:
            before = len(points)
            lines = self._numbers(self.join[points[:, None], points])
            points = self._numbers(self.meet[lines[:, None], lines])
        return points

    def _numbers(self, entries: NDArray[np.int32]) -> Points:
        """Return the numbers in a piece of a table, increasing, without those of its diagonal."""
        there = np.zeros(self.size + 1, dtype=bool)
        there[entries] = True
        return np.flatnonzero(there[: self.size])


def derivation(plane: BlockDesign, slopes: Sequence[int], block: int = 0) -> BlockDesign:
    """Replace the lines that meet one line in a derivation set by Baer subplanes.

    Parameters
    ----------
    plane
        A projective plane of order q².
    slopes
        q + 1 points on a line, such that any two points off it whose join meets it in one of them
        lie with all of them in a Baer subplane; `derivation_sets` finds them.
    block
        The line.

    Returns
    -------
    BlockDesign
        A plane on the same points; the slopes now are those of the subplanes.

    Raises
    ------
    InputError
        If this is no plane of square order, or ``slopes`` is no derivation set on the line.
    LimitError
        If the plane is too large.

    Notes
    -----
    Source: Ostrom 1964; Hughes and Piper 1973. The Desarguesian plane, at a Baer subline, gives the
    Hall plane.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> plane = projective_geometry(4)
    >>> derivation(plane, next(derivation_sets(plane, 0))).parameters.as_tuple()
    (21, 21, 5, 5, 1)
    """
    tables = Incidences(plane)
    _, chosen = _checked(tables, block, slopes)
    kept = np.flatnonzero(~np.isin(tables.meet[:, block], chosen))
    subplanes = _subplanes(tables, block, chosen)
    apart = (subplanes.astype(np.float32) @ subplanes.T.astype(np.float32)) == 0
    firsts = apart.argmax(axis=1).clip(max=np.arange(len(apart)))  # the first of each class
    _, labels = np.unique(firsts, return_inverse=True)
    new = np.nonzero(subplanes)[1].reshape(len(subplanes), -1)
    new = np.concatenate([new, chosen[labels][:, None]], axis=1)
    rows = np.sort(np.concatenate([tables.lines[kept], new]), axis=1).astype(np.int32)
    provenance = plane.provenance and Provenance.of(
        "derivation", plane.provenance, block=block, slopes=tuple(slopes)
    )
    return BlockDesign.from_rows(tables.size, rows, provenance=provenance)


def _checked(tables: Incidences, block: int, slopes: Sequence[int]) -> tuple[Points, Points]:
    """Return the points of the line, and those chosen of them."""
    if not 0 <= block < tables.size:
        raise InputError(f"block {block} of {tables.size}; expected 0 to {tables.size - 1}")
    line, told = tables.lines[block], "+".join(map(str, slopes))
    different = len(set(slopes)) == len(slopes) == tables.root + 1
    if not different or not set(slopes) <= set(line.tolist()):
        raise InputError(
            f"slopes={told}; expected {tables.root + 1} points of block {block}, "
            f"{'+'.join(map(str, line.tolist()))}"
        )
    return line, np.array(slopes, dtype=np.int64)


def _subplanes(tables: Incidences, block: int, chosen: Points) -> NDArray[np.bool_]:
    """Return the points of all Baer subplanes on chosen points of a line, but those points.

    Raises
    ------
    InputError
        If two points off the line lie in none.
    """
    size, n = tables.size, tables.order
    outside = np.setdiff1d(np.arange(size), tables.lines[block])
    open_pairs = np.zeros((size, size), dtype=bool)
    lines = tables.join[np.ix_(outside, outside)]
    np.fill_diagonal(lines, block)  # which meets itself in no point
    open_pairs[np.ix_(outside, outside)] = np.isin(tables.meet[lines, block], chosen)
    found: list[NDArray[np.bool_]] = []
    for point in outside:
        while open_pairs[point].any():
            pair = [int(point), int(open_pairs[point].argmax())]
            points = tables.closure(np.append(chosen, pair), most=n + tables.root + 1)
            inside = np.setdiff1d(points, chosen)
            if len(inside) != n or open_pairs[np.ix_(inside, inside)].sum() != n * (n - 1):
                told = "+".join(map(str, chosen.tolist()))
                raise InputError(
                    f"slopes={told}; points {pair[0]} and {pair[1]} lie in no Baer subplane with "
                    "these: it is no derivation set"
                )
            open_pairs[np.ix_(inside, inside)] = False
            found.append(np.isin(np.arange(size), inside))
    return np.array(found)


def derivation_sets(plane: BlockDesign, block: int) -> Iterator[tuple[int, ...]]:
    """Yield the derivation sets on a line: points that `derivation` takes.

    Raises
    ------
    InputError, LimitError
        As `derivation`.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> next(derivation_sets(projective_geometry(9), 0))
    (0, 1, 3, 77)
    """
    tables = Incidences(plane)
    line, _ = _checked(tables, block, tables.lines[block][: tables.root + 1].tolist())
    seen: set[tuple[int, ...]] = set()
    for candidate in _candidates(tables, block, line):
        if candidate not in seen:
            seen.add(candidate)
            try:
                _subplanes(tables, block, np.array(candidate))
            except InputError:
                continue
            yield candidate


def _candidates(tables: Incidences, block: int, line: Points) -> Iterator[tuple[int, ...]]:
    """Yield the points on a line of Baer subplanes with one point off it, and one more."""
    most = tables.order + tables.root + 1
    point = int(np.setdiff1d(np.arange(tables.size), line)[0])
    for three in combinations(line.tolist(), 3):
        through = tables.lines[tables.join[point, three[0]]]
        other = next(p for p in through.tolist() if p not in (point, three[0]))
        start = tables.closure(np.array([*three, point, other]), most=most)
        further = [()] if len(start) >= most else [(p,) for p in line.tolist() if p > three[2]]
        for more in further:
            found = tables.closure(np.append(start, more).astype(np.int64), most=most)
            inside = tuple(np.intersect1d(found, line).tolist())
            if len(found) == most and len(inside) == tables.root + 1:
                yield inside
