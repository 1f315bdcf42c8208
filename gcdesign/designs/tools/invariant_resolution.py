"""Resolutions that an automorphism carries to themselves: a few classes and their images.

Let h be an automorphism of order n whose orbits of blocks all have n members. A set of r/n parallel
classes, of which no two blocks together are in one orbit, has n images of each class, and all of
them are a resolution. To find such classes is an exact cover: every point once in every class, and
every orbit of blocks once.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, offsets
from gcdesign.designs.symmetry.automorphisms import reduced_group
from gcdesign.designs.tools.exact_cover import exact_covers
from gcdesign.designs.tools.solving import Clock

DRAWN = 60
"""Elements of the group whose powers are looked at."""

EACH_ORDER = 3
"""Automorphisms of one order that are tried; they are often conjugate."""

SECONDS_EACH = 2.0
"""Time for one automorphism."""


def invariant_resolution(design: BlockDesign, clock: Clock) -> list[list[int]] | None:
    """Return the classes of a resolution with an automorphism, or None if none was found.

    Nothing follows from None.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> from gcdesign.designs.tools.solving import Limits
    >>> len(invariant_resolution(projective_geometry(2, 3, 1), Limits().clock()))
    7
    """
    reduced, chain, _ = reduced_group(design)
    if max(reduced.points.sizes.max(), reduced.blocks.sizes.max()) > 1 or chain.order == 1:
        return None
    r = int(design.replication_numbers[0])
    rng = np.random.default_rng(clock.limits.seed)
    tried: Counter[int] = Counter()
    for _ in range(DRAWN):
        if clock.remaining == 0:
            break
        points = chain.random(rng)
        for cycle in _powers(design, points, r):
            order = cycle.shape[1]
            if tried[order] == EACH_ORDER:
                continue
            tried[order] += 1
            found = _classes(design, cycle, r, clock)
            if found is not None:
                return found
    return None


def _powers(design: BlockDesign, points: NDArray[np.int64], r: int) -> list[NDArray[np.int64]]:
    """Return the orbits of blocks, shape (orbits, n), of powers of an automorphism that will do.

    The longest come first: they leave the least to choose.
    """
    number = {design.block(i).tobytes(): i for i in range(design.b)}
    rows = [np.sort(points[design.block(i)]).astype(np.int32) for i in range(design.b)]
    step = np.array([number[row.tobytes()] for row in rows])
    images = [np.arange(design.b)]
    while len(images) <= r and not (len(images) > 1 and (images[-1] == images[0]).all()):
        images.append(step[images[-1]])
    order = len(images) - 1
    if not (images[-1] == images[0]).all():
        return []
    found = []
    for power in range(1, order):
        n = order // power
        if order % power or n == 1 or r % n:
            continue
        cycle = np.array([images[power * i] for i in range(n)]).T
        if (np.sort(cycle, axis=1)[:, 1:] != np.sort(cycle, axis=1)[:, :-1]).all():
            found.append(cycle)
    return found


def _classes(
    design: BlockDesign, cycle: NDArray[np.int64], r: int, clock: Clock
) -> list[list[int]] | None:
    """Search for r/n classes for one automorphism, given by its orbits of blocks."""
    n = cycle.shape[1]
    classes = r // n
    orbit = np.unique(cycle.min(axis=1), return_inverse=True)[1]
    options, width = [], design.v * classes
    for block, points in enumerate(design.blocks()):
        for number in range(classes):
            options.append([*(number * design.v + p for p in points), width + int(orbit[block])])
    lengths = np.array([len(option) for option in options])
    flat = np.fromiter((item for option in options for item in option), dtype=np.int32)
    choices = BlockDesign(width + int(orbit.max()) + 1, offsets(lengths), flat)
    covers = exact_covers(choices, most=1, deadline=clock.within(SECONDS_EACH))
    if not covers.found:
        return None
    base: list[list[int]] = [[] for _ in range(classes)]
    for option in covers.found[0]:
        base[option % classes].append(option // classes)
    return [cycle[blocks, i].tolist() for blocks in base for i in range(n)]
