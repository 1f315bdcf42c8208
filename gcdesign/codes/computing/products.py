"""Matrix products by an MDS code: any K of N workers give the whole product A·B."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.computing.arrays import Array
from gcdesign.codes.computing.lagrange import LagrangeCode
from gcdesign.codes.computing.results import Invalid, Results
from gcdesign.errors import InputError


@dataclass(frozen=True)
class MdsProduct:
    """A·B with the rows of A cut into K blocks, encoded for N workers; any K results are enough.

    Parameters
    ----------
    parts, workers
        Numbers of blocks K and workers N.

    Raises
    ------
    InputError
        If a number is below 1.

    Notes
    -----
    Source: Lee, Lam, Pedarsani, Papailiopoulos, Ramchandran 2018. A product with B is linear, so
    this is Lagrange coded computing of degree 1, whose encoding matrix is MDS: a polynomial code.

    Examples
    --------
    >>> A, B = np.arange(12.0).reshape(6, 2), np.ones((2, 1))
    >>> code = MdsProduct(parts=3, workers=5)
    >>> coded = code.encode(A)
    >>> code.decode({w: coded[w] @ B for w in (0, 2, 4)}, rows=6).round(9).ravel().tolist()
    [1.0, 5.0, 9.0, 13.0, 17.0, 21.0]
    """

    parts: int
    workers: int

    def __post_init__(self) -> None:
        _ = self.code

    @cached_property
    def code(self) -> LagrangeCode:
        """The Lagrange code of the blocks."""
        return LagrangeCode(self.parts, self.workers)

    @property
    def threshold(self) -> int:
        """How many results are needed: K."""
        return self.code.threshold(1)

    def encode(self, matrix: Any) -> Array:
        """Return the block of each worker, shape (N, ⌈m/K⌉, n), for a matrix of m × n.

        Rows of zeros fill up the last block.

        Raises
        ------
        InputError
            If it is no matrix of numbers.
        """
        given: NDArray[Any] = np.asarray(matrix)
        if given.ndim != 2 or given.shape[0] == 0:
            raise InputError(f"a matrix of shape {given.shape}; expected rows and columns")
        height = -(-given.shape[0] // self.parts)
        missing = height * self.parts - given.shape[0]
        padded = np.pad(given, ((0, missing), (0, 0))) if missing else given
        return self.code.encode(padded.reshape(self.parts, height, -1))

    def decode(self, results: Results, *, rows: int, invalid: Invalid = "refuse") -> Array:
        """Return the product, shape (m, …), from the results of K workers or more.

        Parameters
        ----------
        results
            Each worker's block times B.
        rows
            Number of rows m of the matrix.

        Raises
        ------
        InputError
            If there are too few results, or they do not fit together or with m.
        """
        blocks = self.code.decode(results, degree=1, invalid=invalid)
        if blocks.ndim < 2 or not 0 < rows <= blocks.shape[0] * blocks.shape[1]:
            raise InputError(f"rows={rows}; results of shape {tuple(blocks.shape[1:])} do not fit")
        return blocks.reshape(-1, *blocks.shape[2:])[:rows]
