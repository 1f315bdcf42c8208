"""Nets: points of an l × l grid against r parallel classes of l lines, and MOLS behind them.

Class m of the lines of AG(2,l) is {y = m·x + c}, one line for each c; over a prime power l any
two lines of different slopes meet once. For other l the slopes are combinations of slopes for
the prime powers in l (MacNeish), and there are fewer of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import MAX_INCIDENCES, BlockDesign, Provenance
from gcdesign.designs.fields import galois_field, prime_factors
from gcdesign.errors import InputError, LimitError

Squares = NDArray[np.int32]
"""Shape (r, l, l): r Latin squares of order l on the symbols 0, …, l − 1."""


def most_squares(order: int) -> int:
    """Return how many mutually orthogonal Latin squares `latin_squares` knows.

    q − 1 for a prime power q, and the least of q − 1 over the prime powers q that make up any
    other order.

    Examples
    --------
    >>> [most_squares(order) for order in (2, 5, 6, 12, 15)]
    [1, 4, 1, 2, 2]
    """
    return min(_prime_powers(order), default=2) - 1


def _prime_powers(order: int) -> list[int]:
    """Return the prime powers whose product is the order, one for each prime."""
    powers = []
    for p in prime_factors(order):
        power = p
        while order % (power * p) == 0:
            power *= p
        powers.append(power)
    return powers


def latin_squares(order: int, count: int) -> Squares:
    """Return mutually orthogonal Latin squares: L_k(i, j) = m_k·i + j, m_k ≠ 0 in GF(l).

    Raises
    ------
    InputError
        If the order is below 2, or more squares are asked for than `most_squares`.
    LimitError
        If the squares together are too large.

    Notes
    -----
    Source: Bose 1938, Stevens 1939; for products of prime powers MacNeish 1922.

    Examples
    --------
    >>> latin_squares(3, 2).tolist()
    [[[0, 1, 2], [1, 2, 0], [2, 0, 1]], [[0, 1, 2], [2, 0, 1], [1, 2, 0]]]
    """
    check_squares(order, count)
    if count * order**2 > MAX_INCIDENCES:
        raise LimitError(
            f"{count} Latin squares of order {order} have {count * order**2} cells; the limit is "
            f"{MAX_INCIDENCES}: take a smaller order"
        )
    squares = np.zeros((count, 1, 1), dtype=np.int32)
    for q in _prime_powers(order):
        field, elements = galois_field(q), np.arange(q, dtype=np.int32)
        slopes = np.arange(1, count + 1, dtype=np.int32)
        lines = field.multiply(slopes[:, None, None], elements[None, :, None])
        factor = field.add(lines, elements[None, None, :])
        side = squares.shape[1] * q
        squares = (squares[:, :, None, :, None] * q + factor[:, None, :, None, :]).reshape(
            count, side, side
        )
    return squares


def check_squares(order: int, count: int) -> None:
    """Refuse an order below 2 and more squares than are known, naming the nearest choices."""
    if order < 2:
        raise InputError(f"order={order}; expected 2 or more")
    most = most_squares(order)
    if 0 <= count <= most:
        return
    if count < 0:
        raise InputError(f"{count} Latin squares; expected 0 or more")
    if count >= order:
        known = f"there are at most {order - 1} for any order {order}"
    elif order == 6:
        known = "no two of order 6 exist (Tarry 1900)"
    else:
        known = f"this construction gives {most} for order {order}"
    larger = next(
        q for q in range(max(order, count) + 1, 4 * (order + count)) if most_squares(q) >= count
    )
    raise InputError(
        f"{count} mutually orthogonal Latin squares of order {order}: {known}; "
        f"the nearest: {most} squares, or order={larger}"
    )


def net_of(squares: Squares, provenance: Provenance, *, grid: bool) -> BlockDesign:
    """Return the net of Latin squares: class k holds, for each symbol, the cells that show it.

    Parameters
    ----------
    squares
        Shape (r, l, l).
    provenance
        Of the design.
    grid
        Whether the rows and the columns of the grid are two more classes, before the others.
    """
    order = squares.shape[-1]
    cells = np.arange(order * order, dtype=np.int32)
    classes = [squares[k].reshape(-1) for k in range(len(squares))]
    if grid:
        classes = [cells // order, cells % order, *classes]
    rows = np.stack([np.argsort(symbols, kind="stable") for symbols in classes])
    return BlockDesign.from_rows(
        order * order,
        rows.reshape(-1, order).astype(np.int32),
        provenance=provenance,
        block_classes=np.repeat(np.arange(len(classes), dtype=np.int32), order),
    )
