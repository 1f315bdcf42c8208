"""Spherical geometries, images of a line over GF(q) on that over GF(q^d); inversive planes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.fields import Field, galois_field, not_prime_power, prime_power
from gcdesign.errors import InputError

Rows = NDArray[np.int32]


def spherical_geometry(q: int, dim: int = 2) -> BlockDesign:
    """Return the 3-(q^d + 1, q + 1, 1) design on the projective line over GF(q^d).

    Its blocks are the images of the line over GF(q) under all fractional linear maps; for d = 2
    they are the circles of the inversive (Möbius) plane of order q. Point x is the element x of
    GF(q^d), and ∞ comes last. Through two points pass (q^d − 1)/(q − 1) blocks.

    Parameters
    ----------
    q
        A prime power.
    dim
        d ≥ 2.

    Raises
    ------
    InputError
        If q is no prime power, or ``dim`` is below 2.
    LimitError
        If the design is too large.

    Notes
    -----
    Source: Witt 1938.

    Examples
    --------
    >>> spherical_geometry(3).parameters.as_tuple()
    (10, 30, 12, 4, 4)
    """
    size = spherical_size(q, dim)
    check_size(size, name=f"spherical:q={q},dim={dim}")
    field = galois_field(q**dim)
    lines = _lines(field, q)
    infinity = np.full((len(lines), 1), field.order, dtype=np.int32)
    circles = _circles(field, lines[lines[:, 0] != 0], size.b - len(lines))
    rows = np.concatenate([np.concatenate([lines, infinity], axis=1), circles])
    provenance = Provenance.of("spherical", q=q, dim=dim)
    return BlockDesign.from_rows(size.v, rows, provenance=provenance)


def spherical_size(q: int, dim: int = 2) -> Size:
    """Return the size of `spherical_geometry` without building it; same errors."""
    if dim < 2:
        raise InputError(f"dim={dim}; expected 2 or more")
    if q < 2:
        raise InputError(f"q={q}; expected a prime power")
    check_size(Size(q ** min(dim, 64) + 1, 0, 0), name="a spherical geometry")
    if prime_power(q) is None:
        raise InputError(not_prime_power(q))
    order = q**dim
    blocks = order * (order + 1) * (order - 1) // (q * (q + 1) * (q - 1))
    return Size(order + 1, blocks, blocks * (q + 1))


def _lines(field: Field, q: int) -> Rows:
    """Return the lines a + b·GF(q) of AG(d, q) on the elements of GF(q^d), each row increasing."""
    directions = (field.order - 1) // (q - 1)
    scalars = np.concatenate([np.zeros(1, np.int32), field.exp[: field.order - 1 : directions]])
    spans = field.multiply(field.exp[:directions, None], scalars[None, :])
    shifts = np.arange(field.order, dtype=np.int32)
    rows = [field.add(span[None, :], shifts[:, None]) for span in spans]
    rows = [
        line[line.min(axis=1) == shifts] for line in rows
    ]  # each line once, from its least point
    return np.sort(np.concatenate(rows), axis=1)


def _circles(field: Field, lines: Rows, count: int) -> Rows:
    """Return the blocks that miss ∞: {a} and a + 1/x for x on a line that misses 0.

    Each arises from all its points a, and is kept for the least.
    """
    inverses = field.exp[(field.order - 1 - field.log[lines]) % (field.order - 1)]
    rows = np.empty((count, lines.shape[1] + 1), dtype=np.int32)
    start = 0
    for a in range(field.order):
        others = field.add(inverses, np.full(1, a, dtype=np.int32))
        kept = others[others.min(axis=1) > a]
        rows[start : start + len(kept), 0] = a
        rows[start : start + len(kept), 1:] = np.sort(kept, axis=1)
        start += len(kept)
    return rows
