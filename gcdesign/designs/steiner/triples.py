"""Steiner triple systems, 2-(v, 3, 1) designs, for every order that has one.

Both constructions lay three copies of a commutative quasigroup side by side. A pair inside one
copy is sent by its product into the next; pairs between copies with the same product are what
is left for the short blocks.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.errors import InputError


def steiner_triple_system(points: int) -> BlockDesign:
    """Return a Steiner triple system of v points.

    Parameters
    ----------
    points
        v ≡ 1 or 3 (mod 6), at least 3.

    Returns
    -------
    BlockDesign
        A 2-(v, 3, 1) design, b = v(v − 1)/6, r = (v − 1)/2.

    Raises
    ------
    InputError
        If v is not 1 or 3 modulo 6: a point meets the others in pairs, so v is odd, and 3 divides
        the v(v − 1)/2 pairs.

    Notes
    -----
    Source: Bose 1939 for v ≡ 3, Skolem 1958 for v ≡ 1 (mod 6).

    Examples
    --------
    >>> steiner_triple_system(9).parameters.as_tuple()
    (9, 12, 4, 3, 1)
    """
    size = triple_system_size(points)
    check_size(size, name=f"sts:points={points}")
    rows = _bose(points // 6) if points % 6 == 3 else _skolem(points // 6)
    provenance = Provenance.of("sts", points=points)
    return BlockDesign.from_rows(points, np.sort(rows, axis=1), provenance=provenance)


def triple_system_size(points: int) -> Size:
    """Return the size of `steiner_triple_system` without building it; same errors."""
    if points < 3 or points % 6 not in (1, 3):
        raise InputError(
            f"points={points}; a Steiner triple system has v ≡ 1 or 3 (mod 6) points, 3 or more"
            + _nearest(points)
        )
    blocks = points * (points - 1) // 6
    return Size(points, blocks, 3 * blocks)


def _nearest(points: int) -> str:
    if points < 3:
        return ""
    lower = next(v for v in range(points, 0, -1) if v % 6 in (1, 3))
    upper = next(v for v in range(points, points + 6) if v % 6 in (1, 3))
    return f": take {upper}" if lower < 3 else f": take {lower} or {upper}"


def _pairs(n: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    x, y = np.triu_indices(n, 1)
    return x.astype(np.int32), y.astype(np.int32)


def _copies(
    x: NDArray[np.int32], y: NDArray[np.int32], z: NDArray[np.int32], n: int
) -> list[NDArray[np.int32]]:
    """Return {(x, i), (y, i), (z, i + 1)} for i = 0, 1, 2; point (x, i) is x + n·i."""
    return [np.stack([x + n * i, y + n * i, z + n * ((i + 1) % 3)], axis=1) for i in range(3)]


def _bose(t: int) -> NDArray[np.int32]:
    """Build v = 6t + 3 points: the product of x and y is (x + y)/2 modulo 2t + 1."""
    n = 2 * t + 1
    x, y = _pairs(n)
    all_points = np.arange(n, dtype=np.int32)
    short = np.stack([all_points + n * i for i in range(3)], axis=1)
    return np.concatenate([short, *_copies(x, y, (x + y) * (t + 1) % n, n)])


def _skolem(t: int) -> NDArray[np.int32]:
    """Build v = 6t + 1 points: the half-idempotent product on Z_2t, and one more point, ∞ = 6t."""
    n = 2 * t
    x, y = _pairs(n)
    total = (x + y) % n
    product = total // 2 + t * (total % 2)
    lower = np.arange(t, dtype=np.int32)
    short = np.stack([lower + n * i for i in range(3)], axis=1)
    infinite = [
        np.stack(
            [lower + t + n * i, lower + n * ((i + 1) % 3), np.full(t, 6 * t, np.int32)], axis=1
        )
        for i in range(3)
    ]
    return np.concatenate([short, *infinite, *_copies(x, y, product, n)])
