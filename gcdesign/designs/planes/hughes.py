"""Hughes planes, on the regular nearfield of order q²."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.fields import Elements, Field, galois_field, not_prime_power, prime_power
from gcdesign.designs.planes.translation import plane_size
from gcdesign.designs.singer import point_count, singer_polynomial
from gcdesign.errors import InputError


def hughes_plane(q: int) -> BlockDesign:
    """Return the Hughes plane of order q², for an odd prime power q.

    Points are the triples over the nearfield N of order q² up to factors from the left. Lines are
    x + y ∘ t + z = 0, for t = 1 and t outside GF(q), and their images under the powers of a matrix
    over GF(q) that turns the points of PG(2, q) in one cycle.

    Raises
    ------
    InputError
        If q is no odd prime power.
    LimitError
        If the plane is too large.

    Notes
    -----
    Source: Hughes 1957. In N, a ∘ b = ab if a is a square of GF(q²), else ab^q; with a left
    distributive law it is the nearfield of Dickson and Zassenhaus.

    Examples
    --------
    >>> hughes_plane(3).parameters.as_tuple()
    (91, 91, 10, 10, 1)
    """
    size = hughes_size(q)
    n = q * q
    field = galois_field(n)
    points = _points(n)
    subfield = _subfield(field, q)
    slopes = [1, *(t for t in range(n) if t not in set(subfield.tolist()))]
    columns = np.array(slopes, dtype=np.int32)
    y_times = _nearfield(field, q, points[:, 1:2], columns[None, :])
    ends = field.add(points[:, 0], points[:, 2])
    on_line = field.add(y_times, ends[:, None]) == 0
    lines = np.stack([np.flatnonzero(on_line[:, i]) for i in range(len(slopes))])
    turn = _cycle(field, q, points, subfield)
    rows = np.empty((point_count(q, 2), *lines.shape), dtype=np.int64)
    for i in range(len(rows)):
        rows[i] = lines
        lines = turn[lines]
    rows = np.sort(rows.reshape(size.b, -1), axis=1).astype(np.int32)
    return BlockDesign.from_rows(size.v, rows, provenance=Provenance.of("hughes-plane", q=q))


def hughes_size(q: int) -> Size:
    """Return the size of `hughes_plane` without building it; same errors."""
    if q < 3 or q % 2 == 0:
        raise InputError(f"q={q}; expected an odd prime power")
    size = plane_size(q * q)
    check_size(size, name=f"hughes-plane:q={q}")
    if prime_power(q) is None:
        raise InputError(not_prime_power(q))
    return size


def _nearfield(field: Field, q: int, a: Elements, b: Elements) -> Elements:
    """Return a ∘ b: ab where a is zero or a square, else ab^q."""
    n = field.order
    conjugate = np.where(b == 0, 0, field.exp[field.log[b].astype(np.int64) * q % (n - 1)])
    square = (a == 0) | (field.log[a] % 2 == 0)
    return field.multiply(a, np.where(square, b, conjugate).astype(np.int32))


def _points(n: int) -> Elements:
    """Return the points (1, y, z), (0, 1, z) and (0, 0, 1), by the rank of y and z."""
    y, z = np.divmod(np.arange(n * n, dtype=np.int32), n)
    first = np.stack([np.ones(n * n, np.int32), y, z], axis=1)
    z = np.arange(n, dtype=np.int32)
    second = np.stack([np.zeros(n, np.int32), np.ones(n, np.int32), z], axis=1)
    return np.concatenate([first, second, np.array([[0, 0, 1]], dtype=np.int32)])


def _subfield(field: Field, q: int) -> Elements:
    """Return GF(q) in GF(q²): zero and the powers of a generator's (q + 1)-th power."""
    return np.append(field.exp[: field.order - 1 : q + 1], np.int32(0)).astype(np.int32)


def _cycle(field: Field, q: int, points: Elements, subfield: Elements) -> NDArray[np.int64]:
    """Return where the companion matrix of a Singer polynomial over GF(q) sends each point."""
    small = galois_field(q)
    embed = _embedding(field, small)
    low = [field.negative(embed[c : c + 1])[0] for c in singer_polynomial(small, 2)]
    x, y, z = points.T
    images = [
        field.multiply(z, np.full(1, low[0])),
        field.add(x, field.multiply(z, np.full(1, low[1]))),
        field.add(y, field.multiply(z, np.full(1, low[2]))),
    ]
    return _number(field, q, np.stack(images, axis=1))


def _embedding(field: Field, small: Field) -> Elements:
    """Return the elements of GF(q²) that the elements of GF(q) become: an isomorphism onto it.

    A generator goes to a power of α^(q + 1) that keeps 1 + g^i in step.
    """
    q = small.order
    step = q + 1
    for power in range(1, q):
        image = np.zeros(q, dtype=np.int32)
        exponents = np.arange(q - 1) * power * step % (field.order - 1)
        image[small.exp[: q - 1]] = field.exp[exponents]
        elements = np.arange(q, dtype=np.int32)
        sums = image[small.add(elements[:, None], elements[None, :])]
        if np.array_equal(sums, field.add(image[:, None], image[None, :])):
            return image
    raise AssertionError(f"GF({q}) is not found in GF({field.order})")


def _number(field: Field, q: int, triples: Elements) -> NDArray[np.int64]:
    """Return the numbers of the points of some triples: the factor that makes the lead 1."""
    n = field.order
    x, y, z = triples.T
    lead = np.where(x != 0, x, np.where(y != 0, y, z))
    exponent = (n - 1 - field.log[lead].astype(np.int64)) % (n - 1)
    inverse = np.where(field.log[lead] % 2 == 0, exponent, exponent * q % (n - 1))
    factor = field.exp[inverse]  # c with c ∘ lead = 1
    y, z = (_nearfield(field, q, factor, part).astype(np.int64) for part in (y, z))
    return np.where(
        triples[:, 0] != 0, y * n + z, np.where(triples[:, 1] != 0, n * n + z, n * n + n)
    )
