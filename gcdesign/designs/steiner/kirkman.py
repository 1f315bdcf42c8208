"""Kirkman triple systems: triple systems whose blocks fall into parallel classes.

Two direct constructions over a field; Ray-Chaudhuri and Wilson's theorem, which makes a system on
2r + 1 points from a pairwise balanced design on r points whose block sizes are such r already; and
multiples of smaller systems.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.fields import galois_field
from gcdesign.designs.geometry import affine_geometry
from gcdesign.designs.registry import build
from gcdesign.designs.squares.arrays import transversal_array
from gcdesign.designs.steiner.kirkman_plans import Plan, kirkman_plan
from gcdesign.errors import InputError

Classes = NDArray[np.int32]
"""Shape (classes, v/3, 3): the triples of each parallel class."""


def kirkman_triple_system(points: int) -> BlockDesign:
    """Return a Kirkman triple system: a 2-(v, 3, 1) design in (v − 1)/2 parallel classes.

    Parameters
    ----------
    points
        v ≡ 3 (mod 6), 9 or more.

    Raises
    ------
    InputError
        If v is not 3 modulo 6, or no construction here reaches it.
    LimitError
        If the design is too large.

    Notes
    -----
    Source: Ray-Chaudhuri and Wilson 1971, who have a system for every such v.

    Examples
    --------
    >>> schoolgirls = kirkman_triple_system(15)
    >>> schoolgirls.b, len(schoolgirls.parallel_classes)
    (35, 7)
    """
    size = kirkman_size(points)
    plan = kirkman_plan((points - 1) // 2)
    assert plan is not None
    classes = classes_of(plan)
    return BlockDesign.from_rows(
        size.v,
        np.sort(classes.reshape(-1, 3), axis=1),
        provenance=Provenance.of("kts", points=points),
        block_classes=np.repeat(np.arange(len(classes), dtype=np.int32), points // 3),
    )


def kirkman_size(points: int) -> Size:
    """Return the size of `kirkman_triple_system` without building it; same errors."""
    if points < 9 or points % 6 != 3:
        raise InputError(
            f"points={points}; a Kirkman triple system has v ≡ 3 (mod 6) points, 9 or more"
        )
    blocks = points * (points - 1) // 6
    size = Size(points, blocks, 3 * blocks)
    check_size(size, name=f"kts:points={points}")
    if kirkman_plan((points - 1) // 2) is None:
        raise InputError(
            f"points={points}; no construction here reaches this Kirkman system, though it exists "
            "(Ray-Chaudhuri and Wilson 1971)"
        )
    return size


def classes_of(plan: Plan) -> Classes:
    """Return the classes of a system.

    Examples
    --------
    >>> plan = kirkman_plan(7)
    >>> classes_of(plan).shape
    (7, 5, 3)
    """
    match plan.method:
        case "plane":
            return affine_geometry(3).indices.reshape(4, 3, 3)
        case "three copies":
            return _three_copies((2 * plan.r + 1) // 3)
        case "two copies":
            return _two_copies(plan.r)
        case "multiple":
            return _multiple(plan)
    return _from_balanced(plan)


def _three_copies(q: int) -> Classes:
    """Return the system on 3q points, q = 6t + 1: (j, x) is point jq + x.

    One class is {(0, 0), (1, 0), (2, 0)}, the triples g^i, g^(i + 2t), g^(i + 4t) of each copy
    for i < t, and those across copies for half of all i; it is moved by every element. For the
    other i, the translates of the triple across copies are a class.
    """
    field, t = galois_field(q), q // 6
    powers, copies = field.exp[: q - 1], np.arange(3)
    steps = np.array([0, 2 * t, 4 * t])
    every = np.arange(6 * t)
    across = powers[(every[:, None] + steps) % (q - 1)]
    inside = np.repeat(across[:t], 3, axis=0)
    chosen = (every // t) % 2 == 1
    elements = np.concatenate([np.zeros((1, 3), np.int32), inside, across[chosen]])
    copy = np.concatenate(
        [
            copies[None],
            np.tile(np.repeat(copies, 3).reshape(3, 3), (t, 1)),
            np.tile(copies, (3 * t, 1)),
        ]
    )
    shifts = np.arange(q, dtype=np.int32)[:, None, None]
    first = field.add(elements[None], shifts) + copy * q
    rest = field.add(across[~chosen][:, None, :], shifts[None, :, :, 0]) + copies * q
    return np.concatenate([first, rest]).astype(np.int32)


def _two_copies(q: int) -> Classes:
    """Return the system on 2q + 1 points, q = 6t + 1: (j, x) is jq + x, and ∞ = 2q.

    With 2g^m = g^t + 1 one class is {(0, 0), (1, 0), ∞}, {(0, g^i), (0, g^(i + t)), (1, g^(i + m))}
    for i in [0, t), [2t, 3t), [4t, 5t), and {(1, g^(i + m + t)), (1, g^(i + m + 3t)),
    (1, g^(i + m + 5t))} for i in [0, t); its translates are all.
    """
    field, t = galois_field(q), q // 6
    one = field.exp[:1]
    m = int((field.log[field.add(field.exp[t : t + 1], one)] - field.log[field.add(one, one)])[0])
    i = np.concatenate([np.arange(s * t, (s + 1) * t) for s in (0, 2, 4)])
    mixed = np.stack([i, i + t, i + m], axis=1)
    pure = np.arange(t)[:, None] + m + np.array([t, 3 * t, 5 * t])
    elements = field.exp[np.concatenate([mixed, pure]) % (q - 1)]
    copy = np.concatenate([np.tile([0, 0, 1], (len(mixed), 1)), np.ones((t, 3), int)])
    shifts = np.arange(q, dtype=np.int32)[:, None, None]
    moved = field.add(elements[None], shifts) + copy * q
    first = np.concatenate([shifts, shifts + q, np.full((q, 1, 1), 2 * q)], axis=2)
    return np.concatenate([first, moved], axis=1).astype(np.int32)


def _from_balanced(plan: Plan) -> Classes:
    """Double the points of a pairwise balanced design and add ∞ = 2r; (x, j) is 2x + j.

    On each block with ∞ stands a smaller system, numbered so that {∞, (x, 0), (x, 1)} is a triple
    for each x. The classes of these triples, without them, belong to x, whatever the block; they
    and the triple itself are a class.
    """
    assert plan.balanced is not None
    design, r = build(plan.balanced), plan.r
    plans = {size: kirkman_plan(size) for size in set(design.block_sizes.tolist())}
    smaller = {size: paired(classes_of(part)) for size, part in plans.items() if part}
    classes = np.empty((r, (2 * r + 1) // 3, 3), dtype=np.int32)
    x = np.arange(r)
    classes[:, 0] = np.stack([2 * x, 2 * x + 1, np.full(r, 2 * r)], axis=1)
    filled = np.ones(r, dtype=np.int64)
    for block in design.blocks():
        points = np.append(np.array([[2 * p, 2 * p + 1] for p in block]).reshape(-1), 2 * r)
        system = points[smaller[len(block)]]
        for place, point in enumerate(block):
            stop = filled[point] + system.shape[1]
            classes[point, filled[point] : stop] = system[place]
            filled[point] = stop
    return classes


def _multiple(plan: Plan) -> Classes:
    """Take each point of a system n times; (x, i) is xn + i.

    On the blocks of its first class stand systems on 3n points, on every other block a transversal
    design with three groups of n points, whose classes are the rows of equal last symbol.
    """
    n = plan.times
    smaller, filler = (kirkman_plan(r) for r in (plan.part, (3 * n - 1) // 2))
    assert smaller is not None
    assert filler is not None
    first, *others = classes_of(smaller)
    inside = classes_of(filler)
    copied = first[:, inside // n] * n + inside % n  # block, class, triple, point
    crossing = [crossed(parallel, n) for parallel in others]
    parts = [part.transpose(1, 0, 2, 3) for part in (copied, *crossing)]
    return np.concatenate([part.reshape(len(part), -1, 3) for part in parts]).astype(np.int32)


def crossed(parallel: NDArray[np.int32], n: int) -> NDArray[np.int32]:
    """Take each point of a class n times; (x, i) is xn + i. Return n classes for each triple.

    On a triple stands a transversal design with three groups of n points, whose classes are the
    rows of equal last symbol. The shape is (triples, n classes, n blocks, 3).
    """
    rows = transversal_array(4, n)
    across = rows[np.argsort(rows[:, 3], kind="stable"), :3].reshape(n, n, 3)
    return parallel[:, None, None, :] * n + across


def paired(classes: Classes) -> Classes:
    """Renumber a system so that its last point is with 2x and 2x + 1 in class x, and drop that."""
    last = classes.max()
    through = classes[(classes == last).any(axis=2)]
    number_of = np.empty(last + 1, dtype=np.int32)
    number_of[through[through != last]] = np.arange(last, dtype=np.int32)
    number_of[last] = last
    kept = classes[~(classes == last).any(axis=2)]
    numbered: Classes = number_of[kept.reshape(len(classes), -1, 3)]
    return numbered
