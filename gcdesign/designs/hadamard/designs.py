"""Block designs from Hadamard matrices: 2-designs, 3-designs, and Menon's symmetric designs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.hadamard.orders import hadamard_matrix, required_recipe
from gcdesign.designs.hadamard.paley import Signs
from gcdesign.errors import InputError


def normalised(matrix: Signs) -> Signs:
    """Return the matrix with columns, then rows, negated so that row 0 and column 0 are all 1."""
    columns = matrix * matrix[:1]
    result: Signs = columns * columns[:, :1]
    return result


def rows_of(places: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return the numbers of the true places of each row; all rows have equally many."""
    return np.nonzero(places)[1].reshape(len(places), -1).astype(np.int32)


def hadamard_design(order: int) -> BlockDesign:
    """Return the symmetric 2-(4m − 1, 2m − 1, m − 1) design of a Hadamard matrix of order 4m.

    Blocks are the rows of the normalised matrix but the first, points its columns but the first;
    a block holds the points where its row is 1.

    Raises
    ------
    InputError
        If the order is below 8 or no multiple of 4, or no Hadamard matrix is known here.
    LimitError
        If it is above `gcdesign.designs.hadamard.orders.MAX_ORDER`.

    Notes
    -----
    Source: Todd 1933.

    Examples
    --------
    >>> hadamard_design(12).parameters.as_tuple()
    (11, 11, 5, 5, 2)
    """
    size = hadamard_design_size(order)
    check_size(size, name=f"hadamard:order={order}")
    inner = normalised(hadamard_matrix(order))[1:, 1:]
    provenance = Provenance.of("hadamard", order=order)
    return BlockDesign.from_rows(size.v, rows_of(inner == 1), provenance=provenance)


def hadamard_design_size(order: int) -> Size:
    """Return the size of `hadamard_design` without building it; same errors."""
    _check(order)
    return Size(order - 1, order - 1, (order - 1) * (order // 2 - 1))


def hadamard_three_design(order: int) -> BlockDesign:
    """Return the resolvable 3-(4m, 2m, m − 1) design of a Hadamard matrix of order 4m.

    Each row of the normalised matrix but the first gives two blocks, the places of 1 and those
    of −1; the two are a parallel class. As a 2-design it has λ = 2m − 1.

    Raises
    ------
    InputError, LimitError
        As in `hadamard_design`.

    Notes
    -----
    Source: Hughes 1965; the extension of the 2-design.

    Examples
    --------
    >>> hadamard_three_design(12).parameters.as_tuple()
    (12, 22, 11, 6, 5)
    """
    size = hadamard_three_size(order)
    check_size(size, name=f"hadamard-three:order={order}")
    rows = normalised(hadamard_matrix(order))[1:]
    both = np.stack([rows == 1, rows == -1], axis=1).reshape(-1, order)
    return BlockDesign.from_rows(
        order,
        rows_of(both),
        provenance=Provenance.of("hadamard-three", order=order),
        block_classes=np.repeat(np.arange(order - 1, dtype=np.int32), 2),
    )


def hadamard_three_size(order: int) -> Size:
    """Return the size of `hadamard_three_design` without building it; same errors."""
    _check(order)
    return Size(order, 2 * (order - 1), order * (order - 1))


def _check(order: int) -> None:
    if order < 8:
        raise InputError(f"order={order}; expected a multiple of 4, 8 or more")
    required_recipe(order)
