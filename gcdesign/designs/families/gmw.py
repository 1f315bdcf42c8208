"""Difference sets of Gordon, Mills and Welch: parameters of hyperplanes, other designs."""

from __future__ import annotations

from math import gcd

import numpy as np

from gcdesign.designs.cyclic import cyclic_blocks
from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.fields import Elements, Field, galois_field, prime_power
from gcdesign.designs.geometry import projective_size
from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.singer import point_count
from gcdesign.errors import InputError, LimitError

MAX_FIELD = 1 << 14
"""Largest order of the field that is built."""


def construct(q: int, dim: int, middle: int | None = None, power: int | None = None) -> BlockDesign:
    """Return a cyclic symmetric design with the parameters of the hyperplanes of PG(m, q).

    Let GF(q) ⊂ K ⊂ F with F of degree m + 1 and K of degree s over GF(q). Exponent i is in the
    difference set if tr(Tr(αⁱ)ʳ) = 0, with the traces Tr from F to K and tr from K to GF(q), and α
    a generator of F. If r is a power of the characteristic modulo (qˢ − 1)/(q − 1), these are the
    hyperplanes, and other difference sets if not.

    Parameters
    ----------
    q, dim
        The order q of the field, and m.
    middle
        s, a divisor of m + 1 between; by default the largest for which there is an r.
    power
        r, without a common factor with qˢ − 1; by default the least that gives no hyperplanes.

    Raises
    ------
    InputError
        If there is no such s or r.
    LimitError
        If F has more than `MAX_FIELD` elements.

    Notes
    -----
    Source: Gordon, Mills and Welch 1962; Scholtz and Welch 1984 for the powers.

    Examples
    --------
    >>> construct(2, 5).parameters.as_tuple()
    (63, 63, 31, 31, 15)
    """
    s, r = _choice(q, dim, middle, power)
    check_size(size(q, dim, middle, power), name=f"gmw:q={q},dim={dim}")
    field, v = galois_field(q ** (dim + 1)), point_count(q, dim)
    inner = _trace(field, field.exp[:v], base=q**s, degree=(dim + 1) // s)
    logs = field.log[inner].astype(np.int64) * (r % (q**s - 1)) % (field.order - 1)
    powered = np.where(inner == 0, 0, field.exp[logs])
    outer = _trace(field, powered.astype(np.int32), base=q, degree=s)
    blocks = cyclic_blocks(np.flatnonzero(outer == 0).astype(np.int32), v)
    provenance = Provenance.of("gmw", q=q, dim=dim, middle=s, power=r)
    return BlockDesign.from_rows(v, blocks, provenance=provenance)


def _trace(field: Field, elements: Elements, *, base: int, degree: int) -> Elements:
    """Return x + x^b + x^(b²) + … of ``degree`` terms, for each element x."""
    units = field.order - 1
    logs = field.log[elements].astype(np.int64)
    total = np.zeros_like(elements)
    for term in range(degree):
        conjugate = field.exp[logs * pow(base, term, units) % units]
        total = field.add(total, np.where(elements == 0, 0, conjugate).astype(np.int32))
    return total


def _choice(q: int, dim: int, middle: int | None, power: int | None) -> tuple[int, int]:
    """Return s and r, checked, with what was left open chosen."""
    projective_size(q, dim)  # refuses what is no geometry, or too large a one
    between = [s for s in range(dim, 1, -1) if (dim + 1) % s == 0]
    if middle is not None and middle not in between:
        raise InputError(
            f"middle={middle}; expected a divisor of dim + 1 = {dim + 1} between 1 and that"
        )
    for s in between if middle is None else [middle]:
        powers = other_powers(q, s) if power is None else [power]
        if powers:
            if powers[0] < 1 or gcd(powers[0], q**s - 1) > 1:
                raise InputError(
                    f"power={power}; expected 1 or more, and no factor of {q}^{s} − 1 = {q**s - 1}"
                )
            return s, powers[0]
    raise InputError(
        f"q={q}, dim={dim}; there is no field between with a power that gives other designs "
        "than hyperplanes: try q=2,dim=5 or q=2,dim=7"
    )


def other_powers(q: int, s: int) -> list[int]:
    """Return the powers r that give no hyperplanes, up to (qˢ − 1)/(q − 1).

    Examples
    --------
    >>> other_powers(2, 3), other_powers(2, 2), other_powers(3, 2)
    ([3, 5, 6], [], [])
    """
    field = prime_power(q)
    assert field is not None
    n = point_count(q, s - 1)
    trivial = {pow(field[0], e, n) for e in range(s * field[1])}
    return [r for r in range(1, n) if gcd(r, q**s - 1) == 1 and r not in trivial]


def size(q: int, dim: int, middle: int | None = None, power: int | None = None) -> Size:
    """Return the size of the design; errors as in `construct`."""
    found = projective_size(q, dim)
    _choice(q, dim, middle, power)
    if q ** (dim + 1) > MAX_FIELD:
        raise LimitError(
            f"gmw:q={q},dim={dim} needs a field of {q}^{dim + 1} elements; the limit is {MAX_FIELD}"
        )
    return found


FAMILY = Family(
    name="gmw",
    summary="cyclic symmetric design like that of hyperplanes, by Gordon, Mills and Welch",
    source="Gordon, Mills and Welch 1962",
    parameters=(
        Parameter("q", "order of the field, a prime power"),
        Parameter("dim", "m: as many points as PG(m, q), such as 5 or 7 for q = 2"),
        Parameter("middle", "degree of the field between (default: the largest)", optional=True),
        Parameter("power", "power of traces (default: the least that works)", optional=True),
    ),
    construct=construct,
    size=size,
    label=lambda q, dim, middle, power: f"GMW (q={q}, dim={dim}, middle={middle}, power={power})",
    example={"q": 2, "dim": 5},
    domain="q^(dim + 1) ≤ 16384, with a field between",
    point_transitive=True,
)
