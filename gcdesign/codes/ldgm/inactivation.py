"""Inactivation decoding: peel, and solve the small dense rest where peeling is stuck.

A part at which peeling is stuck is given up for the time being: it counts as known, and all that
is peeled afterwards is a known value plus a combination of the parts that were given up. The
workers that are left over are equations between these, a small dense system. It recovers every
part that the answers determine, which peeling does not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.code import GradientCode
from gcdesign.errors import InputError, LimitError

MAX_DENSE = 40_000_000
"""Largest number of entries of the dense rest, parts × given up or equations × given up."""

DEPENDENT = 1e-10
"""Singular values below this part of the greatest count as 0, and entries of null vectors too."""

Reals = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Inactivation:
    """How the answers of some workers are decoded with parts that are given up.

    Attributes
    ----------
    code
        The code.
    silent
        Shape (N,): True at the workers that did not answer.
    order, by
        The parts in the order in which they are peeled, and the worker that gives each; −1 for
        parts that are given up.
    """

    code: GradientCode
    silent: NDArray[np.bool_]
    order: NDArray[np.int32]
    by: NDArray[np.int32]

    @property
    def inactive(self) -> NDArray[np.int32]:
        """The parts that are given up."""
        return self.order[self.by < 0]

    @cached_property
    def _rows(self) -> Reals:
        """Shape (K, inactive): what each part has of the parts that are given up."""
        width = len(self.inactive)
        if self.code.parts * width > MAX_DENSE:
            raise LimitError(
                f"{width} of {self.code.parts} parts are given up, and the dense rest is too "
                f"large; the limit is {MAX_DENSE} entries: decode by peeling"
            )
        rows, place = np.zeros((self.code.parts, width)), 0
        for part, worker in zip(self.order.tolist(), self.by.tolist(), strict=True):
            if worker < 0:
                rows[part, place] = 1.0
                place += 1
            else:
                parts, weights = self._entries(worker)
                own = weights[parts == part][0]
                others = parts != part
                rows[part] = -(weights[others] @ rows[parts[others]]) / own
        return rows

    def _entries(self, worker: int) -> tuple[NDArray[np.int32], Reals]:
        design, weights = self.code.placement.design, self.code.weights
        part = slice(design.indptr[worker], design.indptr[worker + 1])
        entries = np.ones(part.stop - part.start) if weights is None else weights[part]
        return design.indices[part], entries

    @cached_property
    def _spare(self) -> NDArray[np.int64]:
        """The answering workers that gave no part: the equations that are left."""
        used = self.silent.copy()
        used[self.by[self.by >= 0]] = True
        used[self.code.placement.loads == 0] = True
        return np.flatnonzero(~used)

    @cached_property
    def _factors(self) -> tuple[Reals, Reals, Reals]:
        """Singular value decomposition of the equations between the parts given up."""
        width = len(self.inactive)
        if len(self._spare) * width > MAX_DENSE:
            raise LimitError(
                f"{len(self._spare)} equations in {width} unknowns are too large a dense rest; "
                f"the limit is {MAX_DENSE} entries: decode by peeling"
            )
        system = np.asarray(self.code.encoding[self._spare] @ self._rows)
        left, sizes, right = np.linalg.svd(system, full_matrices=True)
        return left, sizes, right

    @property
    def rank(self) -> int:
        """How many of the parts given up the equations determine, in combinations."""
        if not len(self.inactive) or not len(self._spare):
            return 0
        sizes = self._factors[1]
        return int((sizes > DEPENDENT * max(float(sizes.max(initial=0.0)), 1.0)).sum())

    @cached_property
    def recovered(self) -> NDArray[np.int64]:
        """The parts whose gradients the answers determine, in increasing order."""
        width, held = len(self.inactive), np.zeros(self.code.parts, dtype=bool)
        held[self.order] = True
        if self.rank < width:
            null = self._factors[2][self.rank :] if len(self._spare) else np.eye(width)
            free = np.abs(self._rows @ null.T).max(axis=1, initial=0.0)
            held &= free <= DEPENDENT * np.maximum(1.0, np.abs(self._rows).max(axis=1))
        return np.flatnonzero(held)

    @property
    def operations(self) -> int:
        """Multiplications and additions that depend on the code alone, by the leading terms.

        Adding up the answers comes on top, one operation an edge and coordinate.
        """
        width = len(self.inactive)
        edges = int(self.code.placement.loads[~self.silent].sum())
        return edges * (1 + width) + len(self._spare) * width**2

    def values(self, messages: NDArray[Any]) -> Reals:
        """Return the gradients of the recovered parts, shape (K, …); the others are NaN.

        Parameters
        ----------
        messages
            Shape (N, …): what each worker sent; rows of silent workers are not looked at.

        Raises
        ------
        InputError
            If there is not one row for each worker.
        """
        sums = np.asarray(messages, dtype=np.float64)
        if sums.ndim == 0 or len(sums) != self.code.workers:
            raise InputError(
                f"messages of shape {sums.shape}; expected one for each of {self.code.workers} "
                "workers"
            )
        flat = sums.reshape(self.code.workers, -1)
        constant = self._constants(flat)
        if len(self.inactive) and self.rank:
            left, sizes, right = self._factors
            rest = flat[self._spare] - self.code.encoding[self._spare] @ constant
            rank = self.rank
            solved = right[:rank].T @ ((left[:, :rank].T @ rest) / sizes[:rank, None])
            constant = constant + self._rows @ solved
        result = np.full_like(constant, np.nan)
        result[self.recovered] = constant[self.recovered]
        return result.reshape(self.code.parts, *sums.shape[1:])

    def _constants(self, flat: Reals) -> Reals:
        """Return the values of all parts if those given up were 0."""
        values = np.zeros((self.code.parts, flat.shape[1]))
        for part, worker in zip(self.order.tolist(), self.by.tolist(), strict=True):
            if worker >= 0:
                parts, weights = self._entries(worker)
                others = parts != part
                left = flat[worker] - weights[others] @ values[parts[others]]
                values[part] = left / weights[parts == part][0]
        return values


def inactivation(code: GradientCode, silenced: Iterable[int]) -> Inactivation:
    """Decode the answers of all workers but the silenced ones as far as they determine parts.

    Parameters
    ----------
    code
        A code with real weights, or 0/1.
    silenced
        The workers that do not answer.

    Raises
    ------
    InputError
        If a worker is out of range or named twice, or the weights are complex.

    Notes
    -----
    Source: inactivation decoding of Raptor codes, Shokrollahi, Lassen, Karp 2005 (US 6,856,263);
    over the reals, where the dense rest is solved by singular values. The part that is given up
    is one held by most answering workers.

    Examples
    --------
    >>> from gcdesign.codes import load_code
    >>> ring = load_code("circulant:workers=5,offsets=0+1")
    >>> found = inactivation(ring, [])
    >>> len(found.inactive), found.recovered.tolist()
    (1, [0, 1, 2, 3, 4])
    """
    if code.is_complex:
        raise InputError("inactivation takes real messages; this code has complex weights")
    from gcdesign.codes.ldgm.inactivation_kernel import inactivate
    from gcdesign.codes.ldgm.peeling_kernel import states

    placement, design = code.placement, code.placement.design
    silent = placement.mask(silenced)
    copies = np.bincount(design.indices[~silent[design.block_of_incidence]], minlength=code.parts)
    candidates = np.argsort(-copies, kind="stable")[: np.count_nonzero(copies)].astype(np.int32)
    state = states(silent, design.indptr, design.indices)
    order, by = inactivate(state, *placement.holders, candidates)
    return Inactivation(code, silent, order, by)
