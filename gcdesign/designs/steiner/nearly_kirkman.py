"""Nearly Kirkman triple systems: pairs of points are left out, the triples fall into classes.

Small systems are the translates of stored base classes; larger ones are filled: points of a smaller
system are taken several times, or a Kirkman frame is made of a transversal design.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.squares.arrays import transversal_array
from gcdesign.designs.steiner.kirkman import Classes, classes_of, crossed, paired
from gcdesign.designs.steiner.kirkman_plans import kirkman_plan
from gcdesign.designs.steiner.nearly_kirkman_plans import (
    WEIGHT,
    Plan,
    base_classes,
    nearly_kirkman_plan,
)
from gcdesign.errors import InputError


def nearly_kirkman_system(points: int) -> BlockDesign:
    """Return a nearly Kirkman triple system: any two points but those of v/2 pairs share a triple.

    The pairs part the points, and the triples fall into v/2 − 1 parallel classes: a resolvable
    group divisible design of type 2^(v/2).

    Parameters
    ----------
    points
        v ≡ 0 (mod 6), 18 or more.

    Raises
    ------
    InputError
        If v is no multiple of 6 or below 18, or no construction here reaches it.
    LimitError
        If the design is too large.

    Notes
    -----
    Source: Kotzig and Rosa 1974; Baker and Wilson 1977, Brouwer 1978 and Rees and Stinson 1987,
    who have a system for every such v. Frames: Stinson 1987.

    Examples
    --------
    >>> design = nearly_kirkman_system(18)
    >>> design.b, len(design.parallel_classes)
    (48, 8)
    """
    size = nearly_kirkman_size(points)
    plan = nearly_kirkman_plan(points)
    assert plan is not None
    classes = _classes(plan)
    return BlockDesign.from_rows(
        size.v,
        np.sort(classes.reshape(-1, 3), axis=1),
        provenance=Provenance.of("nkts", points=points),
        block_classes=np.repeat(np.arange(len(classes), dtype=np.int32), points // 3),
    )


def nearly_kirkman_size(points: int) -> Size:
    """Return the size of `nearly_kirkman_system` without building it; same errors."""
    if points % 6 or points < 18:
        small = "; those on 6 and 12 points do not exist (Kotzig and Rosa 1974)"
        raise InputError(
            f"points={points}; a nearly Kirkman triple system has v ≡ 0 (mod 6) points, 18 or more"
            f"{small if points in (6, 12) else ''}"
        )
    blocks = points * (points - 2) // 6
    size = Size(points, blocks, 3 * blocks)
    check_size(size, name=f"nkts:points={points}")
    if nearly_kirkman_plan(points) is None:
        raise InputError(
            f"points={points}; no construction here reaches this nearly Kirkman system, though it "
            "exists (Baker and Wilson 1977, Brouwer 1978, Rees and Stinson 1987)"
        )
    return size


def _classes(plan: Plan) -> Classes:
    match plan.method:
        case "base classes":
            return _developed(plan.points)
        case "frame":
            return _from_frame(plan)
    return _multiple(plan)


def _part(plan: Plan) -> Classes:
    """Return the classes of the smaller nearly Kirkman system."""
    part = nearly_kirkman_plan(plan.part)
    assert part is not None
    return _classes(part)


def _developed(v: int) -> Classes:
    """Move c base classes by Z_h, which has 2c copies of itself; the last two points are fixed."""
    base = np.array(base_classes()[v], dtype=np.int32)
    h = (v - 2) // (2 * len(base))
    moved = base // h * h + (base % h + np.arange(h)[:, None, None, None]) % h
    return np.where(base < v - 2, moved, base).reshape(-1, v // 3, 3).astype(np.int32)


def _pairs(classes: Classes) -> NDArray[np.int32]:
    """Return the groups of a system, shape (v/2, 2): whom no triple joins to whom."""
    v = int(classes.max()) + 1
    met = np.zeros(v, dtype=np.int64)
    np.add.at(met, classes.reshape(-1), np.repeat(classes.sum(axis=2).reshape(-1), 3))
    # The points beside x, its partner and x itself are all of them; met counts x in each class.
    partner = v * (v - 1) // 2 - met + np.arange(v) * (len(classes) - 1)
    points = np.arange(v)[np.arange(v) < partner]
    return np.stack([points, partner[points]], axis=1).astype(np.int32)


def _multiple(plan: Plan) -> Classes:
    """Take each point x of a smaller system n times, (x, i) is xn + i, and fill its groups.

    The groups of a Kirkman system are its points, those of one nearly so are pairs.
    """
    n, w = plan.times, plan.points // plan.times
    if plan.method == "multiple":
        smaller = nearly_kirkman_plan(w)
        assert smaller is not None
        outside = _classes(smaller)
        groups = _pairs(outside)
    else:
        kirkman = kirkman_plan((w - 1) // 2)
        outside = classes_of(kirkman) if kirkman else np.arange(WEIGHT, dtype=np.int32)[None, None]
        groups = np.arange(w, dtype=np.int32)[:, None]
    across = [crossed(parallel, n).transpose(1, 0, 2, 3) for parallel in outside]
    places = (groups[:, :, None] * n + np.arange(n)).reshape(len(groups), -1)
    inside = places[:, _part(plan)].transpose(1, 0, 2, 3)
    parts = [part.reshape(len(part), -1, 3) for part in (*across, inside)]
    return np.concatenate(parts).astype(np.int32)


def _from_frame(plan: Plan) -> Classes:
    """Take each point of a transversal design twice, with two new points that are a group.

    On a block, u points taken twice, stands a Kirkman system without a point. Its classes miss a
    pair each: those of all blocks through a point of the design miss this point's group. A class
    of a smaller system on that group and the new points completes them.
    """
    u, m = plan.times, (plan.part - 2) // 2
    kirkman = kirkman_plan(u)
    assert kirkman is not None
    frame = paired(classes_of(kirkman))  # class j misses 2j and 2j + 1
    rows = transversal_array(u, m)
    doubled = 2 * (rows + m * np.arange(u, dtype=np.int32))
    points = np.stack([doubled, doubled + 1], axis=2).reshape(len(rows), 2 * u)
    part = _part(plan)
    last = _pairs(part)[-1]
    order = np.append(np.setdiff1d(np.arange(plan.part), last), last)
    filler = np.argsort(order)[part]  # its last two points are a group
    classes = []
    for group in range(u):
        places = np.append(2 * m * group + np.arange(2 * m), [plan.points - 2, plan.points - 1])
        for element in range(m):
            through = points[rows[:, group] == element]
            missing = through[:, frame[group]].reshape(-1, 3)
            classes.append(np.concatenate([missing, places[filler[element]]]))
    return np.array(classes, dtype=np.int32)
