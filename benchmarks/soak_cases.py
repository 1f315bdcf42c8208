"""Random placements of many kinds for the soak, each known by a seed and a number."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np

LARGEST = 14
"""Most workers, and most parts."""

Blocks = list[list[int]]
Rng = np.random.Generator

TRIES = 200
"""Draws of permutations until no part is held twice by a worker."""


@dataclass(frozen=True)
class Case:
    """One placement: its kind, the number of parts, and the parts of each worker."""

    kind: str
    parts: int
    blocks: Blocks

    @property
    def text(self) -> str:
        """The placement as JSON, to be read back with ``Case(**json.loads(text))``."""
        return json.dumps(asdict(self))


def case_of(seed: int, number: int, *, largest: int = LARGEST) -> Case:
    """Return placement ``number`` of a soak: the kinds take turns, the rest is random.

    Parameters
    ----------
    seed, number
        What the placement is known by.
    largest
        Most workers, and most parts; at least 7, the size of the smallest plane.
    """
    rng = np.random.default_rng([seed, number])
    kind = list(KINDS)[number % len(KINDS)]
    matrix = KINDS[kind](rng, largest)
    if rng.random() < 0.25:
        _spoil(matrix, rng)
    shuffled = matrix[rng.permutation(matrix.shape[0])][:, rng.permutation(matrix.shape[1])]
    return Case(kind, matrix.shape[1], [np.flatnonzero(row).tolist() for row in shuffled])


Matrix = np.ndarray[tuple[int, int], np.dtype[np.bool_]]


def _spoil(matrix: Matrix, rng: Rng) -> None:
    """Change one entry, so that a structure just fails to be one."""
    if matrix.size:
        row, column = (int(rng.integers(size)) for size in matrix.shape)
        matrix[row, column] ^= True


def _size(rng: Rng, largest: int, least: int = 1) -> int:
    return int(rng.integers(least, largest + 1))


def irregular(rng: Rng, largest: int) -> Matrix:
    """Return entries drawn one by one."""
    shape = _size(rng, largest), _size(rng, largest)
    return np.asarray(rng.random(shape) < rng.choice([0.15, 0.3, 0.5, 0.8]))


def uneven(rng: Rng, largest: int) -> Matrix:
    """Return loads and replications that differ much: each row and column has its own density."""
    rows, columns = rng.random((_size(rng, largest), 1)), rng.random((1, _size(rng, largest)))
    return rng.random((rows.shape[0], columns.shape[1])) < rows * columns * 1.3


def regular(rng: Rng, largest: int) -> Matrix:
    """Return N = K with one load and one replication, from permutations."""
    count = _size(rng, largest, 3)
    load = int(rng.integers(1, min(5, count) + 1))
    for _ in range(TRIES):
        held = np.array([rng.permutation(count) for _ in range(load)])
        matrix = np.zeros((count, count), dtype=bool)
        matrix[np.arange(count), held] = True
        if matrix.sum() == count * load:
            return matrix
    return circulant(rng, largest)


def biregular(rng: Rng, largest: int) -> Matrix:
    """Return one load and another replication: steps along a line, then many exchanges."""
    shapes = [
        (workers, parts, load)
        for workers in range(2, largest + 1)
        for parts in range(2, largest + 1)
        for load in range(1, parts + 1)
        if workers * load % parts == 0 and load <= 6
    ]
    workers, parts, load = shapes[rng.integers(len(shapes))]
    matrix = np.zeros((workers, parts), dtype=bool)
    places = np.arange(workers * load)
    matrix[places // load, places % parts] = True
    for _ in range(20 * workers):
        (i, j), (a, b) = rng.integers(workers, size=2), rng.integers(parts, size=2)
        if matrix[i, a] and matrix[j, b] and not matrix[i, b] and not matrix[j, a]:
            matrix[[i, j, i, j], [a, b, b, a]] = False, False, True, True
    return matrix


def circulant(rng: Rng, largest: int) -> Matrix:
    """Return all shifts of one block."""
    count = _size(rng, largest, 2)
    first = rng.permutation(count)[: rng.integers(1, min(5, count) + 1)]
    matrix = np.zeros((count, count), dtype=bool)
    for shift in range(count):
        matrix[shift, (first + shift) % count] = True
    return matrix


def disconnected(rng: Rng, largest: int) -> Matrix:
    """Return two or three placements beside each other, at times all the same."""
    count = int(rng.integers(2, 4))
    make = [irregular, regular, extreme][rng.integers(3)]
    pieces = [make(rng, max(3, largest // count)) for _ in range(count)]
    if rng.random() < 0.4:
        pieces = pieces[:1] * count
    rows, columns = (sum(piece.shape[axis] for piece in pieces) for axis in (0, 1))
    matrix = np.zeros((rows, columns), dtype=bool)
    row = column = 0
    for piece in pieces:
        matrix[row : row + piece.shape[0], column : column + piece.shape[1]] = piece
        row, column = row + piece.shape[0], column + piece.shape[1]
    return matrix[:largest, :largest].copy()


def repeated(rng: Rng, largest: int) -> Matrix:
    """Return few different workers, many times each; or few different parts."""
    few = irregular(rng, int(rng.integers(2, 6)))
    matrix = few[rng.integers(few.shape[0], size=_size(rng, largest))]
    if rng.random() < 0.5:
        matrix = matrix[:, rng.integers(few.shape[1], size=_size(rng, largest))]
    return matrix.copy()


def groups(rng: Rng, largest: int) -> Matrix:
    """Return workers of which any two hold the same or nothing in common."""
    groups_of_parts = rng.integers(5, size=_size(rng, largest))
    group_of_workers = rng.integers(-1, 5, size=_size(rng, largest))
    return np.asarray(group_of_workers[:, None] == groups_of_parts[None, :])


def extreme(rng: Rng, largest: int) -> Matrix:
    """Return empty and full workers, parts that nobody or everybody holds; or nothing at all."""
    matrix = irregular(rng, largest)
    if rng.random() < 0.05:
        return np.zeros((_size(rng, largest, 0), _size(rng, largest, 0)), dtype=bool)
    for value in (False, True):
        matrix[rng.random(matrix.shape[0]) < 0.2] = value
        matrix[:, rng.random(matrix.shape[1]) < 0.15] = value
    return matrix


def plane(rng: Rng, largest: int) -> Matrix:
    """Return a piece of a projective plane, or its complement."""
    order, block = [(7, (0, 1, 3)), (13, (0, 1, 3, 9)), (11, (0, 2, 3, 4, 8))][rng.integers(3)]
    if order > largest:
        order, block = 7, (0, 1, 3)
    shifts = (np.arange(order)[:, None] + np.array(block)) % order
    matrix = np.zeros((order, order), dtype=bool)
    matrix[np.arange(order)[:, None], shifts] = True
    if rng.random() < 0.3:
        matrix = ~matrix
    gone = [int(rng.integers(0, 4)) for _ in range(2)]
    if rng.random() < 0.3:  # what the parts of one worker leave: an affine plane, perhaps less
        matrix = matrix[1:, ~matrix[0]]
        gone = [value // 2 for value in gone]
    keep = [rng.permutation(size)[left:] for size, left in zip(matrix.shape, gone, strict=True)]
    return matrix[np.ix_(*keep)].copy()


def classes(rng: Rng, largest: int) -> Matrix:
    """Return parallel classes: rows and columns of a square, and diagonals of it."""
    side = int(rng.integers(2, 1 + int(largest**0.5)))
    row, column = np.divmod(np.arange(side * side), side)
    kinds = [row, column, *((row * slope + column) % side for slope in range(1, side))]
    count = int(rng.integers(1, 1 + min(len(kinds), largest // side)))
    chosen = [kinds[k] for k in rng.permutation(len(kinds))[:count]]
    matrix = np.concatenate([kind[None, :] == np.arange(side)[:, None] for kind in chosen])
    return (matrix if rng.random() < 0.7 else matrix.T).copy()


KINDS: dict[str, Callable[[Rng, int], Matrix]] = {
    make.__name__: make
    for make in (
        irregular,
        uneven,
        regular,
        biregular,
        circulant,
        disconnected,
        repeated,
        groups,
        extreme,
        plane,
        classes,
    )
}
"""The kinds of placements, in the order in which they take turns."""
