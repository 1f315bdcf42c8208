"""How much work a provenance asks for, known before anything is built."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from gcdesign.designs.design import Provenance
from gcdesign.designs.singer import point_count
from gcdesign.designs.subspaces import gaussian_binomial
from gcdesign.errors import LimitError

MAX_DIMENSION = 24
"""Every geometry of a higher dimension has more points than a design may have."""


class Size(NamedTuple):
    """Numbers of points, blocks and incidences of a design, or upper bounds on them."""

    v: int
    b: int
    incidences: int


def work(provenance: Provenance) -> int | None:
    """Return an upper bound on the incidences that building a design touches, all steps added.

    None means that no bound is known: the family is not listed here, or has no member with
    these parameters.

    Raises
    ------
    LimitError
        If the family's member is too large even to have its size computed.

    Examples
    --------
    >>> from gcdesign.designs import parse_spec
    >>> work(parse_spec("pg:q=5"))
    186
    >>> work(Provenance.of("complement", parse_spec("pg:q=5")))
    1147
    """
    operations = []
    while provenance.source is not None:
        operations.append(provenance.family)
        provenance = provenance.source
    size = _family_size(provenance)
    if size is None:
        return None
    total = size.incidences
    for operation in reversed(operations):
        size = _after(operation, size)
        total += size.incidences
    return total


def _after(operation: str, size: Size) -> Size:
    """Return bounds on the result of an operation."""
    v, b, incidences = size
    if operation == "dual":
        return Size(b, v, incidences)
    if operation == "complement":
        return Size(v, b, v * b)  # what it looks at, whatever is left
    return size  # residual and derived keep a part


def _family_size(provenance: Provenance) -> Size | None:
    known: dict[str, Callable[..., Size | None]] = {
        "pg": _projective,
        "ag": _affine,
        "dual-ag": _affine,
        "frc": lambda workers, stragglers: Size(workers, workers, workers * (stragglers + 1)),
        "uncoded": lambda workers: Size(workers, workers, workers),
    }
    formula = known.get(provenance.family)
    try:
        return formula(**provenance.values) if formula else None
    except TypeError:  # a parameter is missing or unknown: the family will say which
        return None


def _projective(q: int, dim: int = 2, flats: int | None = None) -> Size | None:
    d = _flats(q, dim, flats)
    if d is None:
        return None
    blocks = gaussian_binomial(dim + 1, d + 1, q)
    return Size(point_count(q, dim), blocks, blocks * point_count(q, d))


def _affine(q: int, dim: int = 2, flats: int | None = None) -> Size | None:
    d = _flats(q, dim, flats)
    if d is None:
        return None
    directions = gaussian_binomial(dim, d, q)
    return Size(q**dim, directions * q ** (dim - d), directions * q**dim)


def _flats(q: int, dim: int, flats: int | None) -> int | None:
    """Return the dimension of the flats, or None where there is no such geometry."""
    if dim > MAX_DIMENSION:
        raise LimitError(f"a geometry with dim={dim} is too large; the limit is {MAX_DIMENSION}")
    d = dim - 1 if flats is None else flats
    return d if q >= 2 and 1 <= d < dim else None
