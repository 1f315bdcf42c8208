"""Triple systems with λ = 2, 3 and 6: together with λ = 1, all the λ that v allows follow.

All three lay triples {x, y, xy} over an idempotent quasigroup, a Latin square with xx = x.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.errors import InputError


def triple_system(points: int, index: int) -> BlockDesign:
    """Return a 2-(v, 3, λ) design with λ = 2, 3 or 6.

    Parameters
    ----------
    points
        v ≥ 3; for λ = 2 it is 0 or 1 modulo 3 and neither 6 nor 7, for λ = 3 it is odd.
    index
        λ.

    Raises
    ------
    InputError
        If there is no such member.

    Notes
    -----
    λ = 6: the triples {x, y, xy} of all ordered pairs. λ = 3: the same of unordered pairs, with the
    commutative quasigroup (x + y)/2. λ = 2: three copies of the quasigroup of order n, the triples
    {xᵢ, yᵢ, (xy)ᵢ₊₁}, and what is left between the copies of one x: its block twice, or for
    v = 3n + 1 all triples of the copies and ∞.

    Source: Bose 1939 and Hanani 1961, in the form of Colbourn and Rosa, Triple Systems, 1999.

    Examples
    --------
    >>> triple_system(12, 2).parameters.as_tuple()
    (12, 44, 11, 3, 2)
    >>> triple_system(8, 6).parameters.as_tuple()
    (8, 56, 21, 3, 6)
    """
    size = repeated_size(points, index)
    name = f"triple-system:points={points},index={index}"
    check_size(size, name=name)
    rows = {2: _double, 3: _triple, 6: _sixfold}[index](points)
    provenance = Provenance.of("triple-system", points=points, index=index)
    return BlockDesign.from_rows(points, np.sort(rows, axis=1), provenance=provenance)


def repeated_size(points: int, index: int) -> Size:
    """Return the size of `triple_system`; errors as there."""
    if index not in (2, 3, 6):
        raise InputError(f"index={index}; expected 2, 3 or 6 (for 1 see sts)")
    if not has_triple_system(points, index):
        expected = {2: "0 or 1 modulo 3, not 6 or 7", 3: "odd", 6: "3 or more"}[index]
        raise InputError(f"points={points} with index={index}; expected points that are {expected}")
    blocks = index * points * (points - 1) // 6
    return Size(points, blocks, 3 * blocks)


def has_triple_system(points: int, index: int) -> bool:
    """Whether `triple_system` has a member with so many points and this λ.

    Examples
    --------
    >>> has_triple_system(11, 3), has_triple_system(11, 2)
    (True, False)
    """
    if index == 2:
        return points % 3 != 2 and points >= 3 and points not in (6, 7)
    return points >= 3 and (index == 6 or (index == 3 and points % 2 == 1))


def idempotent_quasigroup(n: int) -> NDArray[np.int32]:
    """Return a Latin square of order n with entry x at (x, x); n is not 2.

    For odd n it is (x + y)/2 modulo n. For even n that of n − 1, whose cells (x, x + 1) get the
    new symbol, while what they held goes to the new row and column.

    Examples
    --------
    >>> idempotent_quasigroup(4).tolist()
    [[0, 3, 1, 2], [2, 1, 3, 0], [3, 0, 2, 1], [1, 2, 0, 3]]
    """
    odd = n - 1 + n % 2
    x = np.arange(odd)
    table = ((x[:, None] + x) * ((odd + 1) // 2) % odd).astype(np.int32)
    if odd == n:
        return table
    square = np.full((n, n), n - 1, dtype=np.int32)
    square[:odd, :odd] = table
    following = (x + 1) % odd
    square[x, odd] = square[odd, following] = table[x, following]
    square[x, following] = odd
    return square


def _sixfold(v: int) -> NDArray[np.int32]:
    if v == 3:
        return np.tile(np.arange(3, dtype=np.int32), (6, 1))
    return _products(idempotent_quasigroup(v))


def _triple(v: int) -> NDArray[np.int32]:
    middle, distance = np.meshgrid(np.arange(v), np.arange(1, (v + 1) // 2), indexing="ij")
    ends = np.stack([middle - distance, middle, middle + distance], axis=-1) % v
    return ends.reshape(-1, 3).astype(np.int32)


def _double(v: int) -> NDArray[np.int32]:
    n, extra = divmod(v, 3)
    pairs = _products(idempotent_quasigroup(n))
    copies = [
        pairs + np.array([copy, copy, (copy + 1) % 3], dtype=np.int32) * n for copy in range(3)
    ]
    groups = np.arange(3, dtype=np.int32) * n + np.arange(n, dtype=np.int32)[:, None]
    if extra:
        groups = np.column_stack([groups, np.full(n, v - 1, dtype=np.int32)])
        parts = [np.delete(groups, left, axis=1) for left in range(4)]
    else:
        parts = [groups, groups]
    return np.concatenate([*copies, *parts])


def _products(square: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the rows (x, y, xy) of all x ≠ y."""
    x, y = np.nonzero(~np.eye(len(square), dtype=bool))
    return np.column_stack([x, y, square[x, y]]).astype(np.int32)
