"""Unbalanced Ramanujan bigraphs from array codes, the second placements of ByzShield."""

from __future__ import annotations

import numpy as np

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.fields import prime_factors
from gcdesign.designs.registry import Family, Parameter
from gcdesign.errors import InputError


def construct(m: int, s: int) -> BlockDesign:
    """Return the placement of the s² × ms matrix of blocks P^{ij}, P a cyclic shift of order s.

    Row (i, a) and column (j, c) meet if c ≡ a + ij (mod s), for i < s and j < m.

    Case 1, m < s: the columns are workers, N = ms, K = s², L = s, R = m: m classes of lines.
    Case 2, s | m: the rows are workers, N = s², K = ms, L = m, R = s; each part occurs m/s
    times.

    Parameters
    ----------
    m
        2 ≤ m < s, or a multiple of s.
    s
        A prime.

    Raises
    ------
    InputError
        If s is no prime or m does not fit; the nearest choices are named.

    Notes
    -----
    Source: Burnwal, Sinha, Vidyasagar 2020; Konstantinidis and Ramamoorthy 2021 (ByzShield),
    whose two cases these are. The singular values are √(ms), √max(m, s) and 0, and the second is
    at most √(m − 1) + √(s − 1).
    """
    v, b, incidences = size(m, s)
    check_size(Size(v, b, incidences), name=f"ramanujan-bigraph:m={m},s={s}")
    provenance = Provenance.of("ramanujan-bigraph", m=m, s=s)
    i, j = np.arange(s, dtype=np.int64), np.arange(m, dtype=np.int64)
    shift = np.multiply.outer(i, j) % s
    if m < s:  # column (j, c) holds the rows (i, c − ij)
        rows = (i * s)[None, None, :] + (i[None, :, None] - shift.T[:, None, :]) % s
    else:  # row (i, a) holds the columns (j, a + ij)
        rows = (j * s)[None, None, :] + (i[None, :, None] + shift[:, None, :]) % s
    classes = np.repeat(np.arange(m, dtype=np.int32), s) if m < s else None
    return BlockDesign.from_rows(
        v,
        rows.reshape(b, -1).astype(np.int32),
        provenance=provenance,
        block_classes=classes,
    )


def size(m: int, s: int) -> Size:
    """Return the size of the placement; errors as in `construct`."""
    if s < 2 or m < 2:
        raise InputError(f"m={m}, s={s}; expected 2 or more for both")
    check_size(Size(m * s, s * s, m * s * s), name=f"ramanujan-bigraph:m={m},s={s}")
    if prime_factors(s) != [s]:
        below = next(n for n in range(s - 1, 1, -1) if prime_factors(n) == [n])
        above = next(n for n in range(s + 1, 2 * s) if prime_factors(n) == [n])
        raise InputError(f"s={s} is no prime; the nearest: s={below} or s={above}")
    if m > s and m % s:
        near = f"m={m // s * s} or m={(m // s + 1) * s}"
        raise InputError(f"m={m} is above s={s} and no multiple of it; the nearest: {near}")
    return Size(s * s, m * s, m * s * s) if m < s else Size(m * s, s * s, m * s * s)


FAMILY = Family(
    name="ramanujan-bigraph",
    summary="unbalanced Ramanujan bigraph from an array of cyclic shifts",
    source="Burnwal, Sinha, Vidyasagar 2020; Konstantinidis and Ramamoorthy 2021",
    parameters=(
        Parameter("m", "blocks in a row: 2 to s-1 (case 1), or a multiple of s (case 2)"),
        Parameter("s", "order of the shifts, a prime"),
    ),
    construct=construct,
    size=size,
    label=lambda m, s: f"Ramanujan bigraph ({m},{s})",
    example={"m": 3, "s": 5},
    domain="s prime, 2 ≤ m < s or s divides m",
    point_transitive=True,
)
