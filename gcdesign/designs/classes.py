"""New designs from parallel classes, and from how blocks meet."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size, offsets
from gcdesign.errors import InputError


def wallis(design: BlockDesign) -> BlockDesign:
    """Lay the classes of an affine design over a Latin square: a symmetric design.

    Let M₁, …, M_r say which points share a block of each class, and M₀ = 0. The blocks of the
    result are the rows of the matrix whose piece (i, j) is M_{i+j mod r+1}. If blocks of different
    classes all meet in μ points, it is a symmetric 2-((r + 1)v, rk, kλ) design. AG(2, q) gives
    (q²(q + 2), q(q + 1), q), and a Hadamard 3-design of order 4n gives (16n², 8n² − 2n, 4n² − 2n).

    Raises
    ------
    InputError
        If the design has no parallel classes.

    Notes
    -----
    Source: Wallis 1971; the parameters are McFarland's and Menon's.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry
    >>> wallis(affine_geometry(3)).parameters.as_tuple()
    (45, 45, 12, 12, 3)
    """
    rows, labels = _classes(design, "wallis")
    k, v = rows.shape[1], design.v
    classes = int(labels.max()) + 1
    order = classes + 1
    check_size(Size(order * v, order * v, order * v * classes * k), name="the result of wallis")
    result = np.empty((order, v, classes, k), dtype=np.int32)
    for c in range(classes):
        mine = rows[labels == c]
        through = np.empty(v, dtype=np.int64)
        through[mine] = np.arange(len(mine))[:, None]
        shared = mine[through]  # row p: the points in the block of this class through p
        for i in range(order):
            result[i, :, c, :] = shared + (c + 1 - i) % order * v
    blocks = np.sort(result.reshape(order * v, classes * k), axis=1)
    provenance = Provenance.of("wallis", design.provenance)
    return BlockDesign.from_rows(order * v, blocks, provenance=provenance)


def class_unions(design: BlockDesign, other: BlockDesign) -> BlockDesign:
    """Unite blocks of each parallel class, as the blocks of ``other`` say.

    ``other`` has as many points as a class has blocks. A resolvable 2-(v, k, λ) design and a
    2-(v/k, l, μ) design with replication ρ give a 2-(v, kl, λρ + (r − λ)μ) design: two points
    share a block in λ classes, and lie in different ones in r − λ.

    Raises
    ------
    InputError
        If the design has no parallel classes, or ``other`` another number of points.

    Notes
    -----
    Source: Shrikhande and Raghavarao 1963.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry
    >>> from gcdesign.designs.families.complete import construct
    >>> class_unions(affine_geometry(5), construct(5, 2)).parameters.as_tuple()
    (25, 60, 24, 10, 9)
    """
    rows, labels = _classes(design, "class-unions")
    k = rows.shape[1]
    if other.v * k != design.v:
        raise InputError(
            f"{design.v // k} blocks in a class, and a design on {other.v} points; expected as many"
        )
    classes = rows[np.argsort(labels, kind="stable")].reshape(-1, other.v, k)
    check_size(
        Size(design.v, len(classes) * other.b, len(classes) * other.incidences * k),
        name="the result of class-unions",
    )
    united = classes[:, other.indices, :].reshape(len(classes) * other.incidences * k)
    sizes = np.tile(other.block_sizes, len(classes)) * k
    indptr = offsets(sizes)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    order = np.argsort(owner * design.v + united, kind="stable")
    provenance = (
        None
        if other.provenance is None
        else Provenance.of("class-unions", design.provenance, other=other.provenance.spec)
    )
    return BlockDesign.from_arrays(design.v, indptr, united[order], provenance=provenance)


def meeting(design: BlockDesign, meets: tuple[int, ...]) -> BlockDesign:
    """Make points and blocks of the blocks: block i holds j if they meet in one of these numbers.

    A block meets itself in all of its points. The result is symmetric if the graph of blocks that
    meet so is strongly regular with λ = μ, or with λ + 2 = μ if a block holds itself.

    Raises
    ------
    InputError
        If a number is negative.

    Notes
    -----
    Source: Rudvalis 1971, (v, k, λ)-graphs. The Gewirtz graph comes from the blocks of Witt's
    S(3, 6, 22) that miss a point, of which two are disjoint or meet in two points.

    Examples
    --------
    >>> from gcdesign.designs import build, parse_spec
    >>> build(parse_spec("meeting(dual(net:order=6,classes=3),meets=1)")).parameters.as_tuple()
    (36, 36, 15, 15, 6)
    >>> build(parse_spec("meeting(point-residual(witt:points=22),meets=0+6)")).parameters.lambda_
    2
    """
    from gcdesign.designs.counting import concurrence_rows
    from gcdesign.designs.operations import dual

    if min(meets) < 0:
        raise InputError(f"meets={min(meets)}; expected 0 or more")
    check_size(Size(design.b, design.b, design.b * design.b), name="the table of meeting blocks")
    sizes, indices = [], []
    for _, counts in concurrence_rows(dual(design)):
        row, column = np.nonzero(np.isin(counts, meets))
        sizes.append(np.bincount(row, minlength=len(counts)))
        indices.append(column.astype(np.int32))
    return BlockDesign.from_arrays(
        design.b,
        offsets(np.concatenate(sizes)),
        np.concatenate(indices),
        provenance=Provenance.of("meeting", design.provenance, meets=tuple(meets)),
    )


def between(design: BlockDesign, pair: tuple[int, ...], meets: tuple[int, ...]) -> BlockDesign:
    """Make points of the blocks through x but not y, and blocks of those through y but not x.

    A block holds the points that it meets, as blocks of the design, in one of the given numbers.

    Parameters
    ----------
    design
        The design.
    pair
        x and y.
    meets
        Numbers of common points.

    Raises
    ------
    InputError
        If ``pair`` is not two points, or a number is negative.
    LimitError
        If the table of who meets whom is too large.

    Notes
    -----
    Source: Higman 1969 and Smith 1976: the symmetric 2-(176, 50, 14) design of the Higman–Sims
    group, from the octads of S(5, 8, 24) that are disjoint or meet in four points.

    Examples
    --------
    >>> from gcdesign.designs import build, parse_spec
    >>> build(parse_spec("between(witt:points=24,pair=0+1,meets=0+4)")).parameters.as_tuple()
    (176, 176, 50, 50, 14)
    """
    if len(pair) != 2 or pair[0] == pair[1] or not 0 <= min(pair) <= max(pair) < design.v:
        told = "+".join(map(str, pair))
        raise InputError(f"pair={told}; expected two points, each from 0 to {design.v - 1}")
    if min(meets) < 0:
        raise InputError(f"meets={min(meets)}; expected 0 or more")
    through = np.zeros((2, design.b), dtype=bool)
    for row, point in zip(through, pair, strict=True):
        row[design.block_of_incidence[design.indices == point]] = True
    points, blocks = (np.flatnonzero(a & ~b) for a, b in (through, through[::-1]))
    table = Size(len(points), len(blocks), (len(points) + len(blocks)) * design.v)
    check_size(table, name="the table of blocks through one point of the pair")
    check_size(Size(len(points), len(blocks), len(points) * len(blocks)), name="the result")
    common = _indicators(design, blocks) @ _indicators(design, points).T
    row, column = np.nonzero(np.isin(common.astype(np.int64), meets))
    return BlockDesign.from_arrays(
        len(points),
        offsets(np.bincount(row, minlength=len(blocks))),
        column.astype(np.int32),
        provenance=Provenance.of(
            "between", design.provenance, pair=tuple(pair), meets=tuple(meets)
        ),
    )


def _indicators(design: BlockDesign, blocks: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the rows of some blocks, 1 for each point in them; floats are multiplied faster."""
    number = np.full(design.b, -1)
    number[blocks] = np.arange(len(blocks))
    rows = np.zeros((len(blocks), design.v), dtype=np.float32)
    own = number[design.block_of_incidence]
    rows[own[own >= 0], design.indices[own >= 0]] = 1
    return rows


def _classes(design: BlockDesign, operation: str) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the blocks as rows and the class of each, from 0 on."""
    from gcdesign.designs.design import constant

    k = constant(design.block_sizes)
    if design.block_classes is None or not k:
        raise InputError(f"{operation} needs a design with parallel classes, such as ag:q=3")
    labels = np.unique(design.block_classes, return_inverse=True)[1].astype(np.int32)
    return design.indices.reshape(design.b, k), labels
