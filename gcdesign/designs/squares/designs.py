"""Transversal designs as block designs, plain or with their groups as blocks."""

from __future__ import annotations

import numpy as np

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size, offsets
from gcdesign.designs.squares.arrays import check_columns, transversal_array
from gcdesign.designs.squares.plans import transversal_plan
from gcdesign.errors import InputError


def transversal_design(groups: int, side: int) -> BlockDesign:
    """Return a transversal design TD(k, n): k groups of n points, blocks that meet each once.

    Point y of group x is xn + y. Two points of different groups are in one block, of one group in
    none; b = n², r = n. If a TD(k + 1, n) can be made the design is resolvable, and has classes.

    Raises
    ------
    InputError
        If none is known here; the message says what is known.
    LimitError
        If the side is above `gcdesign.designs.squares.plans.MAX_SIDE`, or the design too large.

    Notes
    -----
    Source: Bose and Shrikhande 1960; Wilson 1974 and others for the sides in between.

    Examples
    --------
    >>> design = transversal_design(4, 12)
    >>> design.v, design.b, int(design.block_sizes[0]), len(design.parallel_classes)
    (48, 144, 4, 12)
    """
    size = transversal_size(groups, side)
    check_size(size, name=f"transversal:groups={groups},side={side}")
    resolvable = transversal_plan(groups + 1, side) is not None
    rows = transversal_array(groups + resolvable, side)
    if resolvable:
        rows = rows[np.argsort(rows[:, -1], kind="stable"), :-1]
    points = rows + np.arange(groups, dtype=np.int32) * side
    return BlockDesign.from_rows(
        groups * side,
        points,
        provenance=Provenance.of("transversal", groups=groups, side=side),
        block_classes=np.repeat(np.arange(side, dtype=np.int32), side) if resolvable else None,
    )


def transversal_size(groups: int, side: int) -> Size:
    """Return the size of `transversal_design` without building it; same errors."""
    check_size(Size(abs(groups) * abs(side), side * side, abs(groups) * side * side))
    check_columns(groups, side)
    return Size(groups * side, side * side, groups * side * side)


def transversal_pbd(groups: int, side: int, last: int, infinity: int = 0) -> BlockDesign:
    """Return a pairwise balanced design from a TD(k, n) with its last group cut down.

    The blocks of the transversal design, which have k points or, where they met the points that
    are gone, k − 1; then the groups. With ``infinity`` one more point lies in each group.

    Parameters
    ----------
    groups, side
        k and n.
    last
        Points that stay in the last group, 0 to n.
    infinity
        1 for one more point, in all groups; else 0.

    Raises
    ------
    InputError, LimitError
        As in `transversal_design`, or if ``last`` or ``infinity`` is out of range.

    Notes
    -----
    Source: Hanani 1961, Wilson 1972.

    Examples
    --------
    >>> sorted(set(transversal_pbd(5, 4, 1).block_sizes.tolist()))
    [4, 5]
    """
    size = pbd_size(groups, side, last, infinity)
    name = f"transversal-pbd:groups={groups},side={side},last={last},infinity={infinity}"
    check_size(size, name=name)
    rows = transversal_array(groups, side)
    points = rows + np.arange(groups, dtype=np.int32) * side
    end = (groups - 1) * side + last
    whole, cut = points[rows[:, -1] < last], points[rows[:, -1] >= last, :-1]
    own = np.arange(end, dtype=np.int32)
    parts = [*np.split(own, np.arange(side, end, side)), own[:0]]
    lines = [np.append(part, np.int32(end)) if infinity else part for part in parts]
    lines = [line for line in lines if len(line) >= 2]
    sizes = [groups] * len(whole) + [groups - 1] * len(cut) + [len(line) for line in lines]
    provenance = Provenance.of(
        "transversal-pbd", groups=groups, side=side, last=last, infinity=infinity
    )
    return BlockDesign.from_arrays(
        end + infinity,
        offsets(np.array(sizes, dtype=np.int64)),
        np.concatenate([whole.reshape(-1), cut.reshape(-1), *lines]).astype(np.int32),
        provenance=provenance,
    )


def pbd_size(groups: int, side: int, last: int, infinity: int = 0) -> Size:
    """Return the size of `transversal_pbd` without building it; same errors."""
    check_size(Size(abs(groups) * abs(side), side * side, abs(groups) * side * side))
    check_columns(groups, side)
    if not 0 <= last <= side:
        raise InputError(f"last={last}; expected 0 to side={side}")
    if infinity not in (0, 1):
        raise InputError(f"infinity={infinity}; expected 0 or 1")
    if groups < 3:
        raise InputError(f"groups={groups}; expected 3 or more")
    lines = [side + infinity] * (groups - 1) + [last + infinity]
    lines = [line for line in lines if line >= 2]
    covered = side * side * (groups - 1) + side * last
    points = (groups - 1) * side + last + infinity
    return Size(points, side * side + len(lines), covered + sum(lines))
