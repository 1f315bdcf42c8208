"""Entries of a matrix as a file lists them, and the one place where they are judged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import Size, check_size
from gcdesign.errors import InputError

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True)
class Entries:
    """A matrix given by its entries, in any order; nothing is checked before `to_csr`.

    Attributes
    ----------
    shape
        Numbers of rows (workers) and columns (parts).
    rows, columns, values
        One item for each entry; zeros may be listed.
    """

    shape: tuple[int, int]
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    values: NDArray[Any]

    def to_csr(self) -> csr_array[Any, tuple[int, int]]:
        """Return the matrix with sorted indices and without stored zeros.

        Raises
        ------
        InputError
            If an entry lies outside the matrix, is not finite or is given twice.
        LimitError
            If the matrix is too large.

        Examples
        --------
        >>> one = np.array([1])
        >>> Entries((2, 2), one, one, np.array([0.5])).to_csr().toarray().tolist()
        [[0.0, 0.0], [0.0, 0.5]]
        """
        from scipy.sparse import csr_array

        workers, parts = self.shape
        check_size(Size(parts, workers, len(self.values)), name="the matrix")
        outside = (self.rows < 0) | (self.rows >= workers)
        outside |= (self.columns < 0) | (self.columns >= parts)
        self._refuse(outside, f"lies outside the matrix of {workers} workers and {parts} parts")
        self._refuse(~np.isfinite(self.values), "is not a finite number")
        matrix = csr_array((self.values, (self.rows, self.columns)), shape=self.shape)
        matrix.sum_duplicates()
        if matrix.nnz < len(self.values):
            self._refuse(self._repeated(), "is given twice")
        matrix.eliminate_zeros()
        return matrix

    def _refuse(self, wrong: NDArray[np.bool_], why: str) -> None:
        """Raise an error about the first entry marked wrong, if any is."""
        if wrong.any():
            at = int(np.argmax(wrong))
            raise InputError(
                f"the entry of worker {self.rows[at]} for part {self.columns[at]} {why} "
                "(counted from 0)"
            )

    def _repeated(self) -> NDArray[np.bool_]:
        """Mark the entries whose place was taken by an earlier one."""
        order = np.lexsort((self.columns, self.rows))
        same = (np.diff(self.rows[order]) == 0) & (np.diff(self.columns[order]) == 0)
        marked = np.zeros(len(order), dtype=bool)
        marked[order[1:][same]] = True
        return marked
